// Under test: plait doctor run as a process: which process is meant, how the run ends, and that no process is left.
module Plait.Doctor.Tests.RunVerb

open System
open System.IO
open System.Text.Json
open System.Text.RegularExpressions
open Xunit

open Plait.Tests.Support
open Plait.Doctor.Tests.Targets

let private run (arguments: string list) : Ended =
    use files = new TemporaryFiles()
    DoctorProcess.run files arguments

/// The programs that a run has started, without the shell that guards them.
let private started (doctor: DoctorProcess) : int list =
    childrenOf doctor.Id
    |> List.filter (fun pid -> (File.ReadAllText $"/proc/{pid}/comm").Trim() <> "sh")

/// The number of the process that a run watched.
let private watched (said: string) =
    int (Regex.Match(said, @"watching sick-fsharp \((\d+)\)").Groups[1].Value)

[<Fact>]
let ``a program that starves is started, shown with its line, and gone at the end`` () =
    let ended = run [ "run"; "--for"; "6s"; "--"; "dotnet"; gallery; "SleepInAsync" ]
    ended.EndsWith 1
    let pid = watched ended.Out
    // what the program prints is shown
    Assert.Contains($"ready {pid}", ended.Out)
    Assert.Contains("Orders.work", ended.Out)
    ended.HasTimeline()
    Assert.True(isGone pid)

[<Fact>]
let ``the doctor names the program that it waits for at once, and the longest wait`` () =
    use files = new TemporaryFiles()

    use doctor =
        new DoctorProcess(files, [ "run"; "--for"; "1s"; "--"; "sleep"; "600" ])

    doctor.Says "waiting up to 60 s for 'sleep' to become a .NET process" |> ignore

    Assert.Contains(
        "It has 60 s to become a .NET process",
        Regex.Replace((run [ "run"; "--help" ]).Out, @"\s+", " ")
    )

[<Fact>]
let ``a program that ends by itself ends the run, and with --json - its output goes to standard error`` () =
    use files = new TemporaryFiles()

    use doctor =
        new DoctorProcess(files, [ "run"; "--json"; "-"; "--"; "dotnet"; gallery; "HealthyAsync" ])

    let pid = watched (doctor.Says "watching sick-fsharp")
    doctor.Says "now: queue" |> ignore
    doctor.CloseInput()
    let ended = doctor.Wait()
    ended.EndsWith 0
    Assert.Empty(Json.problems ended.Out)
    Assert.Contains($"ready {pid}", ended.Err)
    Assert.Contains($"process {pid} has ended", ended.Err)
    // it was let end by itself
    Assert.DoesNotContain("exit code", ended.Err)
    Assert.True(isGone pid)

/// `dotnet run` of a program of the gallery.
let private dotnetRun =
    [
        "dotnet"
        "run"
        "--no-build"
        "-c"
        "Release"
        "--project"
        Path.Combine(SickProgram.root, "samples", "sick", "fsharp")
        "SleepInAsync"
    ]

[<Fact>]
let ``doctor run looks at the program of dotnet run, and ends both when it is stopped`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()
    use doctor = new DoctorProcess(files, "run" :: "--" :: dotnetRun)
    let pid = watched (doctor.Says "watching sick-fsharp")
    doctor.Says "in source" |> ignore
    let root = List.exactlyOne (started doctor)
    Assert.NotEqual(root, pid)
    signal "INT" doctor.Id
    (doctor.Wait()).EndsWith 1
    Within.comes "both processes are gone" (fun () -> isGone root && isGone pid)

[<Theory; Trait("run", "more")>]
[<InlineData("TERM")>]
[<InlineData("KILL")>]
let ``after dotnet run no process is left when the doctor ends, also when it is killed`` (name: string) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()
    use doctor = new DoctorProcess(files, "run" :: "--" :: dotnetRun)
    let pid = watched (doctor.Says "watching sick-fsharp")
    let root = List.exactlyOne (started doctor)
    signal name doctor.Id
    doctor.Wait() |> ignore
    Within.comes "all processes are gone" (fun () -> isGone root && isGone pid)

/// The built C# gallery.
let private csharp = (SickProgram.find "Healthy").Assembly

[<Fact>]
let ``a program that dies ends the run with 1, the signal, and the state until then`` () =
    use files = new TemporaryFiles()
    let json = files.File "run.json"

    let ended =
        DoctorProcess.run files [ "run"; "--json"; json; "--"; "dotnet"; csharp; "Crash" ]

    // the program's own stack trace is among the errors
    Assert.Equal(1, ended.Code)

    let sentence =
        "'dotnet' ended with exit code 134 (SIGABRT, if a signal ended it) after"

    Assert.Contains($"plait: {sentence}", ended.Err)

    // on a busy machine it may die before it is looked at
    if not (ended.Err.Contains "before it could be looked at") then
        Assert.Contains("FAILED  sick-csharp", ended.Out)
        Assert.Contains(sentence, ended.Out)
        Assert.Empty(Json.problems (File.ReadAllText json))
        use document = JsonDocument.Parse(File.ReadAllText json)
        Assert.Equal("failed", document.RootElement.GetProperty("verdict").GetString())
        let how = document.RootElement.GetProperty "ended"
        Assert.Equal(134, how.GetProperty("exitCode").GetInt32())
        Assert.Equal("SIGABRT", how.GetProperty("signal").GetString())

[<Fact; Trait("run", "more")>]
let ``a program that is killed ends the run with 1, and the signal`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()

    use doctor =
        new DoctorProcess(files, [ "run"; "--"; "dotnet"; gallery; "HealthyAsync" ])

    let pid = watched (doctor.Says "watching sick-fsharp")
    doctor.Says "now: queue" |> ignore
    signal "KILL" pid
    let ended = doctor.Wait()
    ended.EndsWith 1
    Assert.Contains("ended with exit code 137 (SIGKILL, if a signal ended it)", ended.Err)

/// `doctor run`, for this long, of a shell that starts a program of the gallery and then does something else. The program is killed.
let private killedUnderShell
    (files: TemporaryFiles)
    (limit: string list)
    (afterwards: string)
    : DoctorProcess =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    let script = $"dotnet \"$0\" HealthyAsync; code=$?; {afterwards}"

    let doctor =
        new DoctorProcess(files, [ "run" ] @ limit @ [ "--"; "sh"; "-c"; script; gallery ])

    let pid = watched (doctor.Says "watching sick-fsharp")
    doctor.Says "now: queue" |> ignore
    signal "KILL" pid

    doctor.Says $"process {pid} ended, and 'sh', which started it, still runs: waiting"
    |> ignore

    doctor

[<Fact>]
let ``a program that fails under a starter ends the run with 1 when the starter has ended`` () =
    use files = new TemporaryFiles()
    use doctor = killedUnderShell files [] "read word; exit $code"
    doctor.CloseInput()
    let ended = doctor.Wait()
    ended.EndsWith 1
    Assert.Contains("FAILED  sick-fsharp", ended.Out)
    Assert.Contains("'sh' ended with exit code 137 (SIGKILL, if a signal ended it)", ended.Err)

[<Fact; Trait("run", "more")>]
let ``under a starter that ends well the exit code of the program is named as missing`` () =
    use files = new TemporaryFiles()
    use doctor = killedUnderShell files [] "read word; exit 0"
    doctor.CloseInput()
    let ended = doctor.Wait()
    // on a busy machine work may have waited at the last reading: then it is not called healthy
    ended.EndsWith(if ended.Out.Contains "while its queue was" then 2 else 0)

    Assert.Contains(
        "which it started, is not known: start the program itself",
        Regex.Replace(ended.Out, @"\s+", " ")
    )

[<Fact; Trait("run", "more")>]
let ``a program that ends under a starter that goes on gives no answer when the time is up`` () =
    use files = new TemporaryFiles()
    use doctor = killedUnderShell files [ "--for"; "20s" ] "sleep 600"
    let ended = doctor.Wait()
    ended.EndsWith 2
    Assert.Contains("NO ANSWER  sick-fsharp", ended.Out)
    Assert.Contains("its exit code is missing: start the program itself", ended.Out)

[<Fact>]
let ``a program that fails before it could be looked at ends the run with 1`` () =
    use files = new TemporaryFiles()
    // an unknown name: it says so and ends with exit code 2
    let ended =
        DoctorProcess.run files [ "run"; "--"; "dotnet"; gallery; "NoSuchProgram" ]

    ended.EndsWith 1
    Assert.Contains("ended with exit code 2", ended.Err)

[<Fact>]
let ``a program without .NET and a missing program end with 2 and a sentence`` () =
    for command, words in
        [
            [ "sleep"; "2" ], [ "'sleep' ended with exit code 0"; "must be a .NET program" ]
            [ "no-such-program" ], [ "'no-such-program' could not be started: No such file or directory" ]
        ] do
        (run ([ "run"; "--" ] @ command)).Refuses words
