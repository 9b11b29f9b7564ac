// Under test: plait doctor --watch as a process: what it shows as it happens, and how it ends.
module Plait.Doctor.Tests.WatchVerb

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
    ended.HasTimeline()
    Assert.Empty(Json.problems (File.ReadAllText json))
    // of the whole watch, not of the look alone
    use document = JsonDocument.Parse(File.ReadAllText json)

    let readings =
        document.RootElement.GetProperty("readings").EnumerateArray() |> List.ofSeq

    let at (reading: JsonElement) =
        reading.GetProperty("atMilliseconds").GetDouble()

    // a watch reads the counters once a second, a look five times; how many seconds it gets depends on the machine
    let longest =
        readings |> List.map at |> List.pairwise |> List.map (fun (one, next) -> next - one)

    Assert.True(List.max longest > 600.0, $"{readings.Length} readings")

[<Fact; Trait("run", "more")>]
let ``a watch too short for a suspicion looks at the threads before it ends`` () =
    use target = sick "SleepInAsync"
    let ended = watchedFor 2 target.Pid []
    ended.EndsWith 1
    Assert.Contains("Orders.work", ended.Out)

[<Fact>]
let ``a healthy process ends with 0, with a timeline and one look at its threads when the time is up`` () =
    use target = sick "HealthyAsync"

    let isOver (ended: Ended) =
        ended.Out.Contains "the time is up: looked at the threads" && ended.Out.Contains "HEALTHY"

    // on a busy machine its work may wait, and the watch looks before the time is up
    let ended =
        SickProgram.lookUntil isOver 3 (fun () -> run [ string target.Pid; "--watch"; "--for"; "5s" ])

    ended.EndsWith 0
    ended.HasTimeline()
    Assert.Contains("the time is up: looked at the threads", ended.Out)
    Assert.Single(Regex.Matches(ended.Out, "HEALTHY  sick-fsharp")) |> ignore

[<Fact>]
let ``a thread that hangs outside of the pool is found when the time is up`` () =
    use running = RunningProgram.Start(SickProgram.find "ContextDeadlock")
    let ended = watchedFor 1 running.Pid []
    ended.EndsWith 1
    Assert.Contains("HUNG", ended.Out)
    Assert.Contains("Window.Clicked", ended.Out)

[<Fact>]
let ``an idle process does not hang, and with --ptrace the look when the time is up stops no thread`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "--ptrace needs Linux")
    use running = RunningProgram.Start(SickProgram.find "Idle")
    // shorter than the first counters take, which are waited for
    let ended = watchedFor 1 running.Pid [ "--ptrace" ]
    ended.EndsWith 0
    Assert.Contains("the time is up: looked at the threads", ended.Out)
    Assert.Contains("HEALTHY", ended.Out)
    Assert.DoesNotContain("as a debugger does", ended.Err)

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
let ``if the process ended before the time is up, the watch reports its end`` () =
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

    use watch = new Watch(settings, Within.limit, Processes.facts pid)
    signal "KILL" pid
    Within.comes "the process is gone" (fun () -> isGone pid)
    let event = watch.Next(ignore, CancellationToken.None)
    Assert.True(event.IsEnded, $"{event}")

[<Theory; Trait("run", "more")>]
[<InlineData("INT")>]
[<InlineData("TERM")>]
let ``a watch that is stopped ends with its timeline and the exit code of its verdict`` (name: string) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    use doctor = watching files target [ "--html"; files.File "watch.html" ]
    doctor.Says "in source" |> ignore
    signal name doctor.Id
    let ended = doctor.Wait()
    ended.EndsWith 1
    ended.HasTimeline()
    Assert.True(File.Exists(files.File "watch.html"), $"no page:\n{ended.Out}\n{ended.Err}")
    Assert.Empty files.OfDoctors
    target.GoesOn()

[<Fact>]
let ``Ctrl-C ends a watch at once while its process owes the first answer`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "a socket belongs to a process by its name on Linux only")
    use files = new TemporaryFiles()
    use target = new Target([ "sleep"; "1000" ], [ "TMPDIR", files.Path ])
    use asked = new ManualResetEventSlim()
    use _ = silentSocket target files.Path asked.Set ignore
    use doctor = new DoctorProcess(files, [ string target.Process; "--watch" ])
    doctor.Says "asking process" |> ignore
    Within.comes "the process is asked" (fun () -> asked.IsSet)
    let clock = Diagnostics.Stopwatch.StartNew()
    signal "INT" doctor.Id
    let ended = doctor.Wait()
    Assert.True(clock.Elapsed < Look.usual.Limit, $"it ended after {clock.Elapsed}")
    ended.EndsWith 2
    Assert.Contains("plait: stopped", ended.Err)

[<Theory>]
[<InlineData("HealthyAsync", "now: queue", 0)>]
[<InlineData("SleepInAsync", "in source", 1, Traits = [| "run"; "more" |])>]
let ``a watch ends with the process, healthy or not`` (name: string, words: string, code: int) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
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
    doctor.Says "now: queue" |> ignore
    stop target.Pid
    doctor.Says "NO ANSWER" |> ignore
    signal "INT" doctor.Id
    (doctor.Wait()).EndsWith 2
    signal "CONT" target.Pid
    target.GoesOn()
