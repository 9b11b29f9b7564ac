// Under test: plait doctor --watch and plait doctor run as processes: what they show as it happens, how they end, and that
// no process is left.
[<Xunit.Collection(typeof<Plait.Tests.Support.Alone>)>]
module Plait.Doctor.Tests.WatchVerbs

open System
open System.IO
open System.Text.Json
open System.Text.RegularExpressions
open System.Threading
open Xunit

open Plait.Doctor
open Plait.Tests.Support
open Plait.Doctor.Tests.Targets

let private run (arguments: string list) : Ended =
    use files = new TemporaryFiles()
    DoctorProcess.run files arguments

let private watching (files: TemporaryFiles) (target: Target) (options: string list) =
    new DoctorProcess(files, [ string target.Pid; "--watch" ] @ options)

/// The timeline has a line for each figure.
let private hasTimeline (ended: Ended) =
    for figure in [ "queue"; "threads"; "completed/s"; "CPU" ] do
        Assert.Matches($"\n  {figure} +[▁▂▃▄▅▆▇█]+  [0-9,]+ to [0-9,]+", ended.Out)

let private isGone (pid: int) = not (Directory.Exists $"/proc/{pid}")

let private watchedFor (seconds: int) (pid: int) (options: string list) : Ended =
    run ([ string pid; "--watch"; "--for"; $"{seconds}s" ] @ options)

[<Fact>]
let ``a starving process is shown with its line and a timeline, and ends with 1`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    let json = files.File "watch.json"

    let ended =
        DoctorProcess.run files [ string target.Pid; "--watch"; "--for"; "6s"; "--json"; json ]

    ended.EndsWith 1
    Assert.Contains($"watching sick-fsharp ({target.Pid}) for 6s", ended.Out)
    Assert.Contains("work waits: looked at the threads", ended.Out)
    Assert.Contains("STARVED", ended.Out)
    Assert.Contains("Orders.work", ended.Out)
    hasTimeline ended
    Assert.Empty(Json.problems (File.ReadAllText json))
    // of the whole watch, not of the look alone
    use document = JsonDocument.Parse(File.ReadAllText json)

    let readings =
        document.RootElement.GetProperty("readings").EnumerateArray() |> List.ofSeq

    let at (reading: JsonElement) =
        reading.GetProperty("atMilliseconds").GetDouble()

    Assert.True(at (List.last readings) - at readings.Head > 2000.0, $"{readings.Length} readings")

[<Fact; Trait("run", "more")>]
let ``a watch too short for a suspicion looks at the threads before it ends`` () =
    use target = sick "SleepInAsync"
    let ended = watchedFor 2 target.Pid []
    ended.EndsWith 1
    Assert.Contains("Orders.work", ended.Out)

[<Fact>]
let ``a healthy process ends with 0, with a timeline and one look at its threads when the time is up`` () =
    use target = sick "HealthyAsync"
    let ended = run [ string target.Pid; "--watch"; "--for"; "5s" ]
    ended.EndsWith 0
    hasTimeline ended
    Assert.Contains("the time is up: looked at the threads", ended.Out)
    Assert.Single(Regex.Matches(ended.Out, "HEALTHY  sick-fsharp")) |> ignore

[<Fact>]
let ``with --ptrace, the look when the time is up stops no thread`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "--ptrace needs Linux")
    use target = sick "HealthyAsync"
    let ended = watchedFor 3 target.Pid [ "--ptrace" ]
    ended.EndsWith 0
    Assert.Contains("the time is up: looked at the threads", ended.Out)
    Assert.DoesNotContain("as a debugger does", ended.Err)

[<Fact>]
let ``a thread that hangs outside of the pool is found when the time is up`` () =
    use running = RunningProgram.Start(SickProgram.find "ContextDeadlock")
    let ended = watchedFor 3 running.Pid []
    ended.EndsWith 1
    Assert.Contains("HUNG", ended.Out)
    Assert.Contains("Window.Clicked", ended.Out)

[<Fact>]
let ``an idle process does not hang`` () =
    use running = RunningProgram.Start(SickProgram.find "Idle")
    // shorter than the first counters take, which are waited for
    let ended = watchedFor 1 running.Pid []
    ended.EndsWith 0
    Assert.Contains("the time is up: looked at the threads", ended.Out)
    Assert.Contains("HEALTHY", ended.Out)

[<Theory; Trait("run", "more")>]
[<InlineData("LockDeadlock", "Transfers.Move")>]
[<InlineData("SchedulerDeadlock", "Accounts.Book")>]
[<InlineData("TaskDeadlock", "Chapters.Follow")>]
let ``a watch without --for finds workers that wait for one another while nothing is done``
    (name: string, function': string)
    =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()
    use running = RunningProgram.Start(SickProgram.find name)
    use doctor = new DoctorProcess(files, [ string running.Pid; "--watch" ])
    doctor.Says "hardly anything is done: looked at the threads" |> ignore
    doctor.Says "HUNG" |> ignore
    signal "INT" doctor.Id
    let ended = doctor.Wait()
    ended.EndsWith 1
    Assert.Contains(function', ended.Out)

[<Fact>]
let ``a process that has ended when the time is up has ended`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use target = sick "HealthyAsync"
    let pid = target.Pid

    let settings =
        {
            Look = Look.usual
            TickMilliseconds = 1000
            Between = TimeSpan.FromSeconds 10.0
            For = Some TimeSpan.Zero
        }

    use watch = new Watch(settings, Processes.facts pid)
    signal "KILL" pid
    Within.comes "the process is gone" (fun () -> isGone pid)
    let happening = watch.Next(ignore, CancellationToken.None)
    Assert.True(happening.IsEnded, $"{happening}")

[<Theory; Trait("run", "more")>]
[<InlineData("INT")>]
[<InlineData("TERM")>]
let ``told to stop, a watch ends with its timeline and the code of what it saw`` (name: string) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    use doctor = watching files target [ "--html"; files.File "watch.html" ]
    doctor.Says "in source" |> ignore
    signal name doctor.Id
    let ended = doctor.Wait()
    ended.EndsWith 1
    hasTimeline ended
    Assert.True(File.Exists(files.File "watch.html"))
    Assert.Empty files.OfDoctors
    target.GoesOn()

[<Fact>]
let ``a watch ends with the process, healthy or not`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")

    for name, words, code in [ "HealthyAsync", "then: queue", 0; "SleepInAsync", "in source", 1 ] do
        use files = new TemporaryFiles()
        use target = sick name
        let pid = target.Pid
        use doctor = watching files target []
        doctor.Says words |> ignore
        signal "KILL" pid
        let ended = doctor.Wait()

        // What had work in its queue at the last reading is not called healthy: on a busy machine that may be so.
        ended.EndsWith(if ended.Out.Contains "while its queue was" then 2 else code)
        Assert.Contains($"process {pid} has ended", ended.Out)
        Assert.Empty files.OfDoctors

[<Fact; Trait("run", "more")>]
let ``a process that is stopped under a watch gives no answer, which ends with 2`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are stopped in this way on Linux only")
    use files = new TemporaryFiles()
    use target = sick "HealthyAsync"
    use doctor = watching files target []
    doctor.Says "then: queue" |> ignore
    stop target.Pid
    doctor.Says "NO ANSWER" |> ignore
    signal "INT" doctor.Id
    (doctor.Wait()).EndsWith 2
    signal "CONT" target.Pid
    target.GoesOn()

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
    hasTimeline ended
    Assert.True(isGone pid)

[<Fact>]
let ``a program that ends by itself ends the run, with what was seen`` () =
    use files = new TemporaryFiles()

    use doctor =
        new DoctorProcess(files, [ "run"; "--"; "dotnet"; gallery; "HealthyAsync" ])

    let pid = watched (doctor.Says "watching sick-fsharp")
    doctor.Says "then: queue" |> ignore
    doctor.CloseInput()
    let ended = doctor.Wait()
    ended.EndsWith 0
    Assert.Contains($"process {pid} has ended", ended.Out)
    // it was let end by itself
    Assert.DoesNotContain("exit code", ended.Err)
    Assert.True(isGone pid)

[<Fact>]
let ``with --json - what the program prints goes to standard error`` () =
    let ended =
        run [ "run"; "--json"; "-"; "--for"; "4s"; "--"; "dotnet"; gallery; "HealthyAsync" ]

    ended.EndsWith 0
    Assert.Empty(Json.problems ended.Out)
    Assert.Contains($"ready {watched ended.Err}", ended.Err)

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
let ``of dotnet run the program is meant, and both are gone when the run is told to stop`` () =
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
let ``of dotnet run no process is left when the doctor is ended, whether it may tidy up or not``
    (name: string)
    =
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
let ``a program that dies ends the run with 1, the signal, and what was seen until then`` () =
    use files = new TemporaryFiles()
    let json = files.File "run.json"

    let ended =
        DoctorProcess.run files [ "run"; "--json"; json; "--"; "dotnet"; csharp; "Crash" ]

    // the program's own stack trace is among the errors
    Assert.Equal(1, ended.Code)
    let sentence = "'dotnet' ended with exit code 134 (SIGABRT) after"
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
    doctor.Says "then: queue" |> ignore
    signal "KILL" pid
    let ended = doctor.Wait()
    ended.EndsWith 1
    Assert.Contains("ended with exit code 137 (SIGKILL)", ended.Err)

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
    doctor.Says "then: queue" |> ignore
    signal "KILL" pid

    doctor.Says $"process {pid} ended, and 'sh', which started it, still runs: waiting"
    |> ignore

    doctor

[<Fact>]
let ``a program that fails under a starter that goes on ends the run with 1, once the starter says so`` () =
    use files = new TemporaryFiles()
    use doctor = killedUnderShell files [] "read word; exit $code"
    doctor.CloseInput()
    let ended = doctor.Wait()
    ended.EndsWith 1
    Assert.Contains("FAILED  sick-fsharp", ended.Out)
    Assert.Contains("'sh' ended with exit code 137 (SIGKILL)", ended.Err)

[<Fact; Trait("run", "more")>]
let ``a program that ends under a starter that goes on gives no answer when the time is up`` () =
    use files = new TemporaryFiles()
    use doctor = killedUnderShell files [ "--for"; "20s" ] "sleep 600"
    let ended = doctor.Wait()
    ended.EndsWith 2
    Assert.Contains("NO ANSWER  sick-fsharp", ended.Out)
    Assert.Contains("its exit code is not known: start the program itself", ended.Out)

[<Fact>]
let ``a program that fails before it could be looked at ends the run with 1`` () =
    use files = new TemporaryFiles()
    // an unknown name: it says so and ends with exit code 2
    let ended =
        DoctorProcess.run files [ "run"; "--"; "dotnet"; gallery; "NoSuchProgram" ]

    ended.EndsWith 1
    Assert.Contains("ended with exit code 2", ended.Err)

[<Fact>]
let ``what is no .NET program, or none at all, ends with 2 and a sentence`` () =
    for command, words in
        [
            [ "sleep"; "2" ], [ "'sleep' ended with exit code 0"; "must be a .NET program" ]
            [ "no-such-program" ], [ "'no-such-program' could not be started: No such file or directory" ]
        ] do
        (run ([ "run"; "--" ] @ command)).Refuses words
