// Under test: readings of the memory of a process that fail: they are repeated, and the report has the reason if none succeeds.
module Plait.Doctor.Tests.MemoryReadings

open System
open System.Threading
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

let private limit = TimeSpan.FromMinutes 1.0

[<Fact>]
let ``a reading that fails is repeated, and the last failure is the reason`` () =
    let mutable attempts = 0

    let failing (times: int) () =
        attempts <- attempts + 1

        if attempts <= times then
            raise (InvalidOperationException $"failure {attempts}.\nmore")

        attempts

    Assert.Equal(Ok 2, MemoryReading.tried limit (failing 1))
    attempts <- 0
    Assert.Equal(Error "failure 3", MemoryReading.tried limit (failing 99))

    Assert.Equal(
        Error "the system does not permit it",
        MemoryReading.tried limit (fun () -> raise (UnauthorizedAccessException "denied"))
    )

    use never = new ManualResetEventSlim()
    // the reason of the failure before, not the limit that the next attempt met
    attempts <- 0

    let failsThenHangs () =
        attempts <- attempts + 1
        if attempts = 1 then failwith "failure" else never.Wait()

    Assert.Equal(Error "failure", MemoryReading.tried (TimeSpan.FromMilliseconds 200.0) failsThenHangs)
    attempts <- 0

    // an attempt that took all the time is the only one
    use began = new ManualResetEventSlim()

    let hangs () =
        attempts <- attempts + 1
        began.Set()
        never.Wait()

    MemoryReading.tried (TimeSpan.FromMilliseconds 20.0) hangs |> ignore
    // on a busy machine the attempt begins after the time is up
    Assert.True(began.Wait Plait.Tests.Support.Within.limit)
    Assert.Equal(1, attempts)

    Assert.Equal(
        Error "it took longer than 0.05 s",
        MemoryReading.tried (TimeSpan.FromMilliseconds 50.0) never.Wait
    )

[<Fact>]
let ``a fact lasts if three moments in a row agree, and a moment without it is followed by others`` () =
    let read (moments: Map<int, string> list) =
        let left = Collections.Generic.Queue moments
        let both before now = if before = now then Some now else None
        MemoryReading.lasting left.Dequeue both, left.Count

    let waits = Map.ofList [ 1, "lock" ]
    Assert.Equal((waits, 1), read (List.replicate 4 waits))
    // one moment lacks the thread
    Assert.Equal((waits, 0), read [ waits; Map.empty; waits; waits; waits ])
    Assert.Equal((waits, 0), read [ Map.empty; waits; waits; waits ])
    // it waits anew, or goes on
    let others = Map.ofList [ 1, "other lock" ]
    Assert.Equal((Map.empty, 0), read [ waits; others; waits; others; waits; others ])
    Assert.Equal((Map.empty, 0), read [ waits; waits; Map.empty; waits; waits; Map.empty ])

[<Fact>]
let ``a moment that a garbage collection has spoilt is followed by others on a busy machine, too`` () =
    let waits = Map.ofList [ 1, "task" ]
    let left = Collections.Generic.Queue [ Map.empty; waits; waits; waits ]

    let slow () =
        Thread.Sleep(TimeSpan.FromSeconds 0.6)
        left.Dequeue()

    Assert.Equal<Map<int, string>>(
        waits,
        MemoryReading.lasting slow (fun before now -> if before = now then Some now else None)
    )

[<Fact>]
let ``a method table and its class refer to each other, and other words are none`` () =
    let toClass, toTable = 0x28UL, 0x10UL

    let memory =
        dict
            [
                // a table and its class, and an instance of a generic type
                0x1000UL + toClass, 0x2000UL
                0x2000UL + toTable, 0x1000UL
                0x3000UL + toClass, 0x1001UL
                // the marked pointer to nothing, for which the library ends the doctor
                0x4000UL + toClass, 1UL
                // a marked pointer to a table whose class is another's
                0x5000UL + toClass, 0x6001UL
                0x6000UL + toClass, 0x2000UL
            ]

    let word (address: uint64) =
        match memory.TryGetValue address with
        | true, word -> word
        | _ -> 0UL

    Assert.Equal<uint64 list>(
        [ 0x1000UL; 0x3000UL ],
        [ 0UL .. 0x1000UL .. 0x7000UL ]
        |> List.filter (Objects.isMethodTable word (toClass, toTable))
    )

[<Fact>]
let ``without the memory of the process, the report has the reason and calls no waiting thread well`` () =
    // no process: its memory is not read
    let samples = samples [ taskWait; idle ]
    let found = Contexts.readBy (fun _ -> Error "a half-written value") -1 samples
    let note = List.exactlyOne found.Notes

    if OperatingSystem.IsLinux() then
        Assert.Contains("was not read (a half-written value)", note)

    Assert.Contains("did not look for deadlocks", note)
    // no thread waits for another
    Assert.Empty (Contexts.readBy (fun _ -> Error "not asked") -1 (MadeEvidence.samples [ idle ])).Notes

    let window = List.truncate 3 taskWait @ [ own "Shop.Window.clicked" 31 ]

    let judged (threads: Frame list list) =
        let evidence = evidence threads (ticks 0L 8.0 2.0)

        let found =
            Contexts.readBy (fun _ -> Error "a half-written value") -1 evidence.Samples

        Judging.judge { evidence with Contexts = found.Threads; Notes = found.Notes }

    let one, two = judged [ window; idle ], judged [ window; window; idle ]

    for diagnosis in [ one; two ] do
        let text = DiagnosisText.lines 100 diagnosis |> List.map snd |> String.concat " "
        Assert.Equal(Verdict.Healthy, diagnosis.Verdict)
        Assert.Contains("did not look for deadlocks", text)
        Assert.Contains("did not look for deadlocks", DiagnosisJson.write diagnosis)

    Assert.EndsWith(
        "the main thread waits for a task in Window.clicked, and whether it hangs is not known: the memory of the process did not show it",
        one.Why.Replace("thread 0", "the main thread")
    )

    Assert.Contains("2 threads wait for others, and whether 2 of them hang is not known", two.Why)

[<Fact; Trait("run", "more")>]
let ``a thread that hangs is found although the first reading of the memory fails`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "the memory is read on Linux only")
    use running = RunningProgram.Start(SickProgram.find "ContextDeadlock")
    let evidence = Look.at Look.usual running.Pid
    let mutable attempts = 0

    let failingOnce (read: unit -> Contexts.MemorySnapshots) =
        MemoryReading.tried limit (fun () ->
            attempts <- attempts + 1

            if attempts = 1 then
                raise (InvalidOperationException "a half-written value")

            read ())

    let found = Contexts.readBy failingOnce running.Pid evidence.Samples
    Assert.Equal(2, attempts)
    Assert.Empty found.Notes
    Assert.True(found.Threads.Values |> Seq.exists (fun thread -> thread.HasWork && thread.IsRead))
