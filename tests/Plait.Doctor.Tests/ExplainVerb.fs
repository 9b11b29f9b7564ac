// Under test: plait doctor explain, on traces that are made here as other tools make them.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>)>]
module Plait.Doctor.Tests.ExplainVerb

open System
open System.Diagnostics.Tracing
open System.IO
open System.Threading
open Microsoft.Diagnostics.NETCore.Client
open Xunit

open Plait.Doctor.Tests.Targets

let private counters =
    EventPipeProvider(
        "System.Runtime",
        EventLevel.Informational,
        0L,
        dict [ "EventCounterIntervalSec", "0.2" ]
    )

let private stacks =
    [
        EventPipeProvider("Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational)
        EventPipeProvider("Microsoft-Windows-DotNETRuntime", EventLevel.Informational, 0x10000L)
    ]

/// A trace of two seconds of a process.
let private trace (pid: int) (providers: EventPipeProvider list) (file: string) =
    use session = DiagnosticsClient(pid).StartEventPipeSession(providers, true, 256)
    use written = File.Create file
    let copying = session.EventStream.CopyToAsync written
    Thread.Sleep 2000
    session.Stop()
    copying.Wait()

let private explain (files: TemporaryFiles) (file: string) (options: string list) =
    DoctorProcess.run files ([ "explain"; file ] @ options)

[<Fact>]
let ``a trace with stacks and counters gives verdict and line, and is left as it was`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    let file = files.File "orders.nettrace"
    trace target.Pid (counters :: stacks) file
    let length = FileInfo(file).Length
    let json = files.File "orders.json"

    let ended =
        explain files file [ "--json"; json; "--html"; files.File "orders.html" ]

    ended.EndsWith 1
    Assert.StartsWith("STARVED", ended.Out)
    Assert.Contains("a saved trace", ended.Out)
    let line = (SickProgram.find "SleepInAsync").Blame.Value.Line.Value
    Assert.Contains($"SleepInAsync.fs:{line}", ended.Out)
    Assert.Contains("work items wait", ended.Out)
    Assert.Empty(Json.problems (File.ReadAllText json))
    Assert.Equal(length, FileInfo(file).Length)

    // nothing is left beside it
    Assert.Equal<string list>(
        [ "orders.html"; "orders.json"; "orders.nettrace" ],
        Directory.GetFiles(files.Path, "orders*")
        |> Seq.map (Path.GetFileName >> string)
        |> Seq.sort
        |> List.ofSeq
    )

[<Fact>]
let ``a trace of a healthy process ends with 0`` () =
    use files = new TemporaryFiles()
    use target = sick "HealthyAsync"
    let file = files.File "shop.nettrace"
    trace target.Pid (counters :: stacks) file
    (explain files file []).EndsWith 0

[<Fact>]
let ``a trace without counters says that the queue is not known`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    let file = files.File "orders.nettrace"
    trace target.Pid stacks file
    let ended = explain files file []
    ended.EndsWith 1
    Assert.Contains("the queue is not known", ended.Out)

[<Fact>]
let ``a trace without stacks is refused, with what to write one by`` () =
    use files = new TemporaryFiles()
    use target = sick "HealthyAsync"
    let file = files.File "shop.nettrace"
    trace target.Pid [ counters ] file
    (explain files file []).Refuses [ "no stacks"; "dotnet-trace collect" ]

[<Fact>]
let ``what is no trace is refused in one sentence that names it`` () =
    use files = new TemporaryFiles()
    let file = files.File "noise.nettrace"
    (explain files file []).Refuses [ file; "no such file" ]

    let noise = Array.zeroCreate<byte> 100_000
    Random(7).NextBytes noise

    // nothing at all, text, noise, and noise behind the first words of a trace
    for bytes in
        [ [||]; "a text\n"B; noise; Array.append "Nettrace\020\000\000\000!FastSerialization.1"B noise ] do
        File.WriteAllBytes(file, bytes)
        (explain files file []).Refuses [ file; "cannot be read as a trace" ]

    (explain files files.Path []).Refuses [ files.Path ]

[<Fact>]
let ``a trace that breaks off is refused, or read as far as it goes`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    let file = files.File "orders.nettrace"
    trace target.Pid (counters :: stacks) file
    let bytes = File.ReadAllBytes file

    for share in [ 0.2; 0.5; 0.9 ] do
        let part = files.File "part.nettrace"
        File.WriteAllBytes(part, bytes[.. int (share * float bytes.Length)])
        let ended = explain files part []

        if ended.Code = 2 then ended.Refuses [ "part.nettrace" ] else ended.EndsWith ended.Code
