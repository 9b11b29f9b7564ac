// Under test: plait doctor explain, on traces that are made here as other tools make them.
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

/// A trace of a process that starves, with all that a verdict needs. Several tests read it.
let private orders =
    lazy
        (use files = new TemporaryFiles()
         use target = sick "SleepInAsync"
         let file = files.File "orders.nettrace"
         trace target.Pid (counters :: stacks) file
         File.ReadAllBytes file)

let private explain (files: TemporaryFiles) (file: string) (options: string list) =
    DoctorProcess.run files ([ "explain"; file ] @ options)

[<Fact>]
let ``a trace with stacks and counters gives verdict and line, and is left as it was`` () =
    use files = new TemporaryFiles()
    let file = files.File "orders.nettrace"
    File.WriteAllBytes(file, orders.Value)
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

[<Fact; Trait("run", "more")>]
let ``a trace of a healthy process ends with 0`` () =
    use files = new TemporaryFiles()
    use target = sick "HealthyAsync"
    let file = files.File "shop.nettrace"
    trace target.Pid (counters :: stacks) file
    (explain files file []).EndsWith 0

[<Fact>]
let ``the report of a trace without counters has no queue`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    let file = files.File "orders.nettrace"
    trace target.Pid stacks file
    let ended = explain files file []
    ended.EndsWith 1
    Assert.Contains("the report has no queue", ended.Out)

[<Fact>]
let ``a trace without stacks is refused, with the command that writes one`` () =
    use files = new TemporaryFiles()
    use target = sick "HealthyAsync"
    let file = files.File "shop.nettrace"
    trace target.Pid [ counters ] file
    (explain files file []).Refuses [ "no stacks"; "dotnet-trace collect" ]

[<Fact>]
let ``a file that is missing is refused in one sentence that names it`` () =
    use files = new TemporaryFiles()
    let file = files.File "noise.nettrace"
    (explain files file []).Refuses [ file; "no such file" ]

let private noise =
    let bytes = Array.zeroCreate<byte> 100_000
    Random(7).NextBytes bytes
    bytes

let private isRefused (bytes: byte[]) =
    use files = new TemporaryFiles()
    let file = files.File "noise.nettrace"
    File.WriteAllBytes(file, bytes)
    (explain files file []).Refuses [ file; "cannot be read as a trace" ]

[<Fact>]
let ``a file that only begins like a trace is refused in one sentence that names it`` () =
    isRefused (Array.append "Nettrace\020\000\000\000!FastSerialization.1"B noise)

[<Fact; Trait("run", "more")>]
let ``an empty file, a text, noise and a folder are refused as no trace`` () =
    for bytes in [ [||]; "a text\n"B; noise ] do
        isRefused bytes

    use files = new TemporaryFiles()
    (explain files files.Path []).Refuses [ files.Path ]

[<Theory>]
[<InlineData(0.2, Traits = [| "run"; "more" |])>]
[<InlineData 0.5>]
[<InlineData(0.9, Traits = [| "run"; "more" |])>]
let ``a trace that breaks off is refused, or read as far as it goes`` (share: float) =
    use files = new TemporaryFiles()
    let bytes = orders.Value
    let part = files.File "part.nettrace"
    File.WriteAllBytes(part, bytes[.. int (share * float bytes.Length)])
    let ended = explain files part []

    if ended.Code = 2 then ended.Refuses [ "part.nettrace" ] else ended.EndsWith ended.Code
