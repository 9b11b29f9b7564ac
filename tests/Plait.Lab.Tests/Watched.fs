// Watching processes from outside: their CPU time, and the counters of those that run .NET.
module Plait.Lab.Tests.Watched

open System
open System.Diagnostics
open System.Threading
open Xunit

open Plait.Lab
open Plait.Report
open Plait.Tests.Support

let private counted at (bytes: float) : CounterReading =
    {
        At = at
        PoolThreads = 4.0
        Queue = 2.0
        Completed = 100.0
        AllocatedBytes = bytes
        Gen0 = 1.0
        Gen1 = 0.0
        Gen2 = 0.0
        GcPercent = 0.0
        HeapBytes = 1e6
        Contentions = 0.0
        Exceptions = 0.0
        Requests = None
    }

let private readings =
    [ counted 100.0 7.0; counted 200.0 1000.0; counted 300.0 3000.0; counted 400.0 0.0 ]

/// From, until, and the bytes allocated between them.
let private spans =
    [
        100.0, 200.0, Some 1000.0
        200.0, 300.0, Some 3000.0
        100.0, 400.0, Some 4000.0
        150.0, 250.0, Some 2000.0
        310.0, 390.0, Some 0.0
        90.0, 200.0, None
        100.0, 401.0, None
        200.0, 200.0, None
    ]

[<Fact>]
let ``bytes between two moments are those of the readings, spread over the time they count`` () =
    for from, until, expected in spans do
        Assert.Equal(
            expected,
            CounterReading.allocated from until readings
            |> Option.map (fun bytes -> Math.Round(bytes, 6))
        )

    Assert.Equal(None, CounterReading.allocated 0.0 1.0 [])

[<Fact>]
let ``a process that allocates is seen to allocate as much`` () =
    match Counters.Start(Environment.ProcessId, 100) with
    | Error sentence -> Assert.Fail sentence
    | Ok counters ->
        use counters = counters
        Assert.True(counters.WaitFor(0.0, 30000), "no reading came")
        let from = counters.Now
        let before = GC.GetTotalAllocatedBytes true

        for _ in 1..400 do
            GC.KeepAlive(Array.zeroCreate<byte> 250000)
            Thread.Sleep 1

        let until = counters.Now
        let really = float (GC.GetTotalAllocatedBytes true - before)
        Assert.True(counters.WaitFor(until, 30000), "no later reading came")
        let seen = CounterReading.allocated from until counters.Readings |> Option.get
        // Other tests of this process allocate as well, at the ends of the time too.
        Assert.InRange(seen / really, 0.7, 1.5)
        Assert.True(counters.Readings |> List.exists (fun reading -> reading.PoolThreads >= 1.0))
        Assert.True(counters.Readings |> List.forall (fun reading -> reading.Queue >= 0.0))

[<Fact>]
let ``a process that is not a .NET one is refused with a sentence`` () =
    if OperatingSystem.IsLinux() then
        use child = Process.Start("sleep", "60")

        try
            match Counters.Start(child.Id, 100) with
            | Ok _ -> Assert.Fail "its counters were said to be read"
            | Error sentence ->
                Assert.Contains($"the counters of process {child.Id} cannot be read", sentence)
                Assert.Contains("must be a .NET process", sentence)
        finally
            child.Kill()

[<Fact>]
let ``the clock of a process runs with the CPU time that it uses`` () =
    if OperatingSystem.IsLinux() then
        let wall = Stopwatch.StartNew()
        use busy = Process.Start("sh", [ "-c"; "while :; do :; done" ])
        use idle = Process.Start("sleep", "60")

        try
            let used (child: Process) =
                CpuClock.microseconds child.Id |> Option.defaultValue 0.0

            Within.comes "100 ms of work" (fun () -> used busy >= 100000.0)
            Assert.True(used busy <= wall.Elapsed.TotalMicroseconds)
            Assert.True(used idle < 100000.0)
        finally
            busy.Kill()
            idle.Kill()

    Assert.Equal(None, CpuClock.microseconds 999999999)

[<Fact>]
let ``the parent of a process is found after a name with any characters`` () =
    Assert.Equal(Some 17, CpuClock.parseParent "4242 (a b) c) S 17 4242 4242 0 -1")
    Assert.Equal(Some 1, CpuClock.parseParent "5 (x) R 1")
    Assert.Equal(None, CpuClock.parseParent "nonsense")
    Assert.Equal(None, CpuClock.parseParent "5 (x) R")

[<Fact>]
let ``a process that is started through a shell belongs to the shell's family`` () =
    if OperatingSystem.IsLinux() then
        use shell = Process.Start("sh", [ "-c"; "sleep 60 & wait" ])

        try
            Within.comes "the shell's child" (fun () -> (CpuClock.family shell.Id).Length = 2)
            Assert.Equal(shell.Id, (CpuClock.family shell.Id).Head)
        finally
            shell.Kill true

[<Fact>]
let ``counters become panels: threads and queue, items a second, megabytes a second`` () =
    let panels =
        CounterPanels.all [ "task", Family.FSharp, readings; "none", Family.Plait, [ counted 1.0 1.0 ] ]

    Assert.Equal<string list>(
        [ "counters-threads"; "counters-completed"; "counters-memory" ],
        panels |> List.map _.Id
    )

    let threads, completed, memory = panels[0], panels[1], panels[2]
    Assert.Equal<string list>([ "threads"; "queue" ], threads.Series |> List.map _.Label)
    Assert.Equal<float[][]>([| for at in [ 0.1; 0.2; 0.3; 0.4 ] -> [| at; 2.0 |] |], threads.Series[1].Points)
    // 100 in a tenth of a second, and nothing of the first, which has no beginning.
    Assert.Equal(3, completed.Series[0].Points.Length)
    Assert.Equal(1000.0, completed.Series[0].Points[0][1], 6)
    Assert.Equal(0.01, memory.Series[0].Points[0][1], 9)
    Assert.Empty(CounterPanels.all [])

    let both =
        CounterPanels.threads [ "a", Family.Plait, readings; "b", Family.FSharp, readings ]

    Assert.Equal<string list>(
        [ "a: threads"; "a: queue"; "b: threads"; "b: queue" ],
        both.Series |> List.map _.Label
    )
