// Under test: the debugger's way into a process. Stacks, lines, the count of the queue, and that the process goes on.
module Plait.Doctor.Tests.Ptrace

open System
open System.IO
open System.Threading
open Microsoft.Diagnostics.Runtime
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.Targets

let private source = "SleepInAsync.fs"

let private userFrames (evidence: Evidence) =
    evidence.Samples
    |> List.collect _.Frames
    |> List.filter (fun frame -> not frame.IsFramework)

[<Fact>]
let ``a starved process with its diagnostics off is seen with stacks, lines and queue`` () =
    use target = sickWith [ "DOTNET_EnableDiagnostics", "0" ] "SleepInAsync"
    let evidence = PtraceRoute.look (Processes.facts target.Pid)
    Assert.Equal(Route.Ptrace, evidence.Route)
    Assert.True(evidence.Milliseconds > 0.0)
    Assert.Contains(evidence.Notes, fun note -> note.Contains "were stopped for")

    let sleeping =
        evidence.Samples
        |> List.filter (fun sample -> sample.Frames.Head.Method.StartsWith "System.Threading.Thread.Sleep")
        |> List.filter (fun sample -> WorkerStack.isWorker sample.Frames)

    Assert.True(sleeping.Length >= 2, $"{sleeping.Length} workers sleep")
    let line = (SickProgram.find "SleepInAsync").Blame.Value.Line

    for sample in sleeping do
        let first = sample.Frames |> List.find (fun frame -> not frame.IsFramework)
        Assert.Equal("sick-fsharp", first.Module)
        Assert.StartsWith("Sick.Orders+work@", first.Method)
        Assert.EndsWith(".Invoke", first.Method)
        Assert.EndsWith(source, Option.get first.File)
        Assert.Equal(Some line, first.Line)

    let reading = List.exactlyOne evidence.Readings
    Assert.InRange(reading.Queue, 1L, 2000L)
    Assert.True(reading.Threads >= sleeping.Length, $"{reading.Threads} threads, {sleeping.Length} sleep")
    Assert.InRange(reading.CpuPercent, 0.0, 100.0)
    target.GoesOn()

[<Fact>]
let ``the queue that is counted is the one that the counters tell`` () =
    use target = sick "SleepInAsync"
    use reader = PoolReader.Start(target.Pid, 200)
    Assert.True(reader.WaitForReadings(1, limit), "a first reading of the counters")
    let before = (List.last reader.Readings).Queue

    let counted =
        (List.exactlyOne (PtraceRoute.look (Processes.facts target.Pid)).Readings).Queue

    let seen = reader.Readings.Length
    Assert.True(reader.WaitForReadings(seen + 1, limit), "a reading of the counters after the look")
    let after = (List.last reader.Readings).Queue

    // it falls by a few a second, and new rounds fill it
    Assert.InRange(counted, min before after - 50L, max before after + 50L)

[<Fact>]
let ``methods are named as the other route names them`` () =
    use target = sick "SleepInAsync"
    let facts = Processes.facts target.Pid
    let standing = PtraceRoute.look facts
    let sampled = EventPipeRoute.look facts 600 100 limit

    let key (frame: Frame) =
        frame.Module, frame.Method, frame.File, frame.Line

    let workers (evidence: Evidence) =
        evidence.Samples
        |> List.filter (fun sample -> WorkerStack.isWorker sample.Frames)
        |> List.collect _.Frames
        |> List.map key
        |> set

    // all but the innermost, which the way of stopping decides
    let unknown =
        Set.difference (workers standing) (workers sampled)
        |> Set.filter (fun (_, name, _, _) -> not (name.StartsWith "System.Threading.Thread."))

    Assert.Empty unknown
    Assert.NotEmpty(userFrames standing)

[<Fact>]
let ``a process is seen again and again, and goes on each time`` () =
    use target = sick "HealthyAsync"
    let facts = Processes.facts target.Pid

    for _ in 1..5 do
        let evidence = PtraceRoute.look facts
        Assert.NotEmpty evidence.Samples
        target.GoesOn()

[<Fact>]
let ``a stopped process is seen as well`` () =
    use target = sick "SleepInAsync"
    stop target.Pid
    let evidence = PtraceRoute.look (Processes.facts target.Pid)
    Assert.Contains(userFrames evidence, fun frame -> frame.Method.StartsWith "Sick.Orders")
    signal "CONT" target.Pid
    target.GoesOn()

[<Fact>]
let ``a process that is traced already is refused, with who traces it`` () =
    use target = sick "HealthyAsync"
    let facts = Processes.facts target.Pid
    use held = new ManualResetEventSlim()
    use over = new ManualResetEventSlim()

    // tracing belongs to the thread that began it
    let tracer =
        Thread(fun () ->
            use _traced = DataTarget.AttachToProcess(target.Pid, suspend = true)
            held.Set()
            over.Wait())

    tracer.Start()

    try
        Assert.True(held.Wait limit, "the first tracer")

        let refusal =
            Assert.Throws<CannotAttach>(fun () -> PtraceRoute.look facts |> ignore)

        Assert.Contains($"traced by process {Environment.ProcessId}", refusal.Message)
    finally
        over.Set()
        tracer.Join()

    target.GoesOn()

[<Fact>]
let ``what is not .NET is refused as such`` () =
    use target = sleeper ()

    let refusal =
        Assert.Throws<CannotAttach>(fun () -> PtraceRoute.look (Processes.facts target.Pid) |> ignore)

    Assert.Contains("no .NET process", refusal.Message)

[<Fact>]
let ``a process whose threads have other numbers in its container is refused, and goes on`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let target, pid = contained "HealthyAsync"
    use _ = target

    let refusal =
        Assert.Throws<CannotAttach>(fun () -> PtraceRoute.look (Processes.facts pid) |> ignore)

    Assert.Contains("inside that container", refusal.Message)
    target.GoesOn()
