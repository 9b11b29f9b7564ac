// Under test: plait doctor as a process. The list, one look, exit codes, what goes to which stream and file, and sentences for what
// cannot be done.
module Plait.Doctor.Tests.Verbs

open System
open System.Diagnostics
open System.IO
open System.Text.Json
open Xunit

open Plait.Tests.Support
open Plait.Doctor.Tests.Targets

let private doctor (arguments: string list) : Ended =
    use files = new TemporaryFiles()
    DoctorProcess.run files arguments

/// Copies of the F# gallery by another name, whose diagnostics are off: they are called after the file.
let private renamed (files: TemporaryFiles) (name: string) : Target =
    let folder = Directory.CreateDirectory(files.File name).FullName
    let source = string (Path.GetDirectoryName gallery)

    for file in Directory.GetFiles(source, "*.dll") do
        let target = (string (Path.GetFileName file)).Replace("sick-fsharp", name)
        File.Copy(file, Path.Combine(folder, target))

    File.Copy(
        gallery.Replace(".dll", ".runtimeconfig.json"),
        Path.Combine(folder, $"{name}.runtimeconfig.json")
    )

    let target =
        new Target(
            [ "dotnet"; Path.Combine(folder, $"{name}.dll"); "HealthyAsync" ],
            [ "DOTNET_EnableDiagnostics", "0" ]
        )

    target.Line "ready" |> ignore
    target

[<Fact>]
let ``without arguments it lists processes with name, threads and command`` () =
    use target = sick "SleepInAsync"
    let ended = doctor []
    ended.EndsWith 0

    let line =
        ended.Out.Split '\n' |> Array.find (fun line -> line.Trim().StartsWith $"{target.Pid} ")

    let words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)
    Assert.Equal("sick-fsharp", words[1])
    Assert.True(int words[2] > 2, line)
    Assert.Contains("SleepInAsync", ended.Out)

[<Fact>]
let ``a healthy process ends with 0, and JSON on standard output is alone there`` () =
    use target = sick "HealthyAsync"

    // on a busy machine its work may be late at one look
    let ended =
        SickProgram.lookUntil (fun (ended: Ended) -> ended.Err.Contains "HEALTHY") 3 (fun () ->
            doctor [ string target.Pid; "--json"; "-" ])

    ended.EndsWith 0
    Assert.Empty(Json.problems ended.Out)
    Assert.Contains("HEALTHY", ended.Err)
    Assert.DoesNotContain("Lines that hold workers", ended.Err)

[<Fact; Trait("run", "more")>]
let ``a runtime that waits for a tool at its start gives no answer, and waits on`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "threads are listed in /proc")

    use target =
        new Target([ "dotnet"; gallery; "HealthyAsync" ], [ "DOTNET_DefaultDiagnosticPortSuspend", "1" ])

    until "its socket is there" (fun () ->
        Directory.GetFiles(Path.GetTempPath(), $"dotnet-diagnostic-{target.Pid}-*-socket").Length > 0)

    let ended = doctor [ string target.Pid ]
    ended.EndsWith 2
    Assert.Contains("NO ANSWER", ended.Out)
    Assert.Contains("DOTNET_DefaultDiagnosticPortSuspend=1", ended.Out)

    let traced = doctor [ string target.Pid; "--ptrace" ]
    traced.EndsWith 2
    Assert.Contains("runs no managed code yet", traced.Out)

    let threads =
        Directory.GetDirectories $"/proc/{target.Pid}/task"
        |> Array.map (fun task -> (File.ReadAllText(Path.Combine(task, "comm"))).Trim())

    Assert.Contains(".NET EventPipe", threads)
    // it comes with the first managed code
    Assert.DoesNotContain(".NET Finalizer", threads)

[<Fact>]
let ``a process without diagnostics is found by a part of its name, and is stopped only where --ptrace asks for it``
    ()
    =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are stopped in this way on Linux only")
    use files = new TemporaryFiles()
    let name = $"shop{Environment.ProcessId}"
    use target = renamed files $"{name}-orders"
    let ended = DoctorProcess.run files [ name.ToUpperInvariant() ]

    ended.Refuses
        [
            "DOTNET_EnableDiagnostics=0"
            ". From outside it shows "
            " workers of its pool"
            "% of"
            "but not why a thread waits. "
            $"'plait doctor {target.Pid} --ptrace'"
            "each thread is stopped by itself, for 500 ms at most, while all others run"
        ]

    Assert.DoesNotContain("were stopped", ended.Out + ended.Err)
    // watching needs the counters
    (DoctorProcess.run files [ name; "--watch" ]).Refuses [ "DOTNET_EnableDiagnostics=0" ]

    let json = files.File "look.json"

    let asked =
        DoctorProcess.run files [ name; "--ptrace"; "--max-stop"; "200ms"; "--json"; json ]

    asked.EndsWith 0
    Assert.Contains($"pid {target.Pid}", asked.Out)

    let note =
        asked.Err.Split '\n' |> Array.filter _.StartsWith("note: ") |> Array.exactlyOne

    Assert.Contains("each thread is stopped by itself, for 200 ms at most", note)
    Assert.Contains("(limit for each thread 200 ms)", asked.Out)
    Assert.Empty(Json.problems (File.ReadAllText json))
    use document = JsonDocument.Parse(File.ReadAllText json)
    let stops = document.RootElement.GetProperty "stops"
    Assert.Equal(200.0, stops.GetProperty("limitMilliseconds").GetDouble())
    let longest = stops.GetProperty("longestMilliseconds").GetDouble()
    Assert.InRange(longest, 0.001, 2000.0)
    // a busy machine may take the processor from the doctor while a thread is stopped
    Assert.Equal(longest > 200.0, asked.Out.Contains "the longest stop was over the limit")

[<Fact>]
let ``a name of several processes, or of none, ends with 2 and the processes there are`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "a process without diagnostics is found on Linux only")
    use files = new TemporaryFiles()
    let name = $"shop{Environment.ProcessId}"
    use first = renamed files $"{name}-orders"
    use second = renamed files $"{name}-mails"
    let ended = DoctorProcess.run files [ name ]
    ended.Refuses [ $"'{name}' may be 2 processes: give the number of one" ]

    for target, its in [ first, "orders"; second, "mails" ] do
        Assert.Contains($"\n  {target.Pid}  {name}-{its}  ", ended.Err)

    Assert.EndsWith("HealthyAsync", ended.Err)
    let none = DoctorProcess.run files [ $"{name}-stock" ]
    none.Refuses [ $"no .NET process called '{name}-stock'. There are:" ]
    Assert.Contains(string first.Pid, none.Err)

[<Fact>]
let ``a number of no process ends with 2 and leaves the files as they are`` () =
    use files = new TemporaryFiles()
    let json = files.File "look.json"
    File.WriteAllText(json, "as it was")

    (DoctorProcess.run files [ "99999999"; "--json"; json; "--html"; files.File "look.html" ]).Refuses
        [ "no process 99999999" ]

    Assert.Equal("as it was", File.ReadAllText json)
    Assert.False(File.Exists(files.File "look.html"))

[<Theory>]
[<InlineData("", Traits = [| "run"; "more" |])>]
[<InlineData "--ptrace">]
[<InlineData("--watch", Traits = [| "run"; "more" |])>]
let ``a number of no .NET process ends with 2, whichever way is taken`` (option: string) =
    use target = sleeper ()
    let options = [ option ] |> List.filter (fun option -> option <> "")
    (doctor (string target.Pid :: options)).Refuses [ "(sleep) is no .NET process" ]

[<Fact>]
let ``a process that is stopped gives no answer in time, and goes on afterwards`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are stopped in this way on Linux only")
    use files = new TemporaryFiles()
    use target = sick "HealthyAsync"
    stop target.Pid
    let json = files.File "look.json"
    let clock = Stopwatch.StartNew()
    let ended = DoctorProcess.run files [ string target.Pid; "--json"; json ]
    // the doctor waits for no process that is stopped
    Assert.True(clock.Elapsed < limit, $"{clock.Elapsed}")
    ended.EndsWith 2
    Assert.StartsWith("NO ANSWER", ended.Out)
    Assert.Contains($"'kill -CONT {target.Pid}'", ended.Out)
    Assert.Empty(Json.problems (File.ReadAllText json))
    use document = JsonDocument.Parse(File.ReadAllText json)
    Assert.Equal("no answer", document.RootElement.GetProperty("verdict").GetString())
    signal "CONT" target.Pid
    target.GoesOn()

[<Fact>]
let ``a process that starves ends with 1, with the line, the numbers, the remedy, the rule, and a page`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    let json = files.File "new/look.json"
    let html = files.File "new/look.html"

    let ended =
        DoctorProcess.run files [ string target.Pid; "--json"; json; "--html"; html ]

    ended.EndsWith 1
    let line = (SickProgram.find "SleepInAsync").Blame.Value.Line.Value
    Assert.StartsWith("STARVED  sick-fsharp", ended.Out)

    for words in
        [
            $"pid {target.Pid}"
            "work items wait"
            "Thread.Sleep in Orders.work ("
            // a deterministic build has another folder
            $"SleepInAsync.fs:{line})"
            "Async.Sleep"
            "PLT201"
            $"page: {html}"
        ] do
        Assert.Contains(words, ended.Out)

    Assert.Empty(Json.problems (File.ReadAllText json))
    use document = JsonDocument.Parse(File.ReadAllText json)
    let root = document.RootElement
    Assert.Equal("starved", root.GetProperty("verdict").GetString())
    Assert.Equal(target.Pid, root.GetProperty("process").GetProperty("pid").GetInt32())
    Assert.Equal("Orders.work", root.GetProperty("blames").[0].GetProperty("function").GetString())

    // the page has the results in itself
    let page = File.ReadAllText html
    Assert.Contains("<script type=\"application/json\" id=\"plait-results\">", page)
    Assert.Contains("Orders.work", page)
    Assert.Contains($"sick-fsharp, process {target.Pid}", page)

[<Fact; Trait("run", "more")>]
let ``a thread that hangs outside of the pool ends with 1, and is named with its line`` () =
    use running = RunningProgram.Start(SickProgram.find "ContextDeadlock")
    use files = new TemporaryFiles()
    let json = files.File "look.json"
    let ended = DoctorProcess.run files [ string running.Pid; "--json"; json ]
    ended.EndsWith 1
    Assert.StartsWith("HUNG", ended.Out)
    Assert.Empty(Json.problems (File.ReadAllText json))
    use document = JsonDocument.Parse(File.ReadAllText json)
    Assert.Equal("hung", document.RootElement.GetProperty("verdict").GetString())
    let waiter = document.RootElement.GetProperty("waiters").[0]
    Assert.Equal("Window.Clicked", waiter.GetProperty("function").GetString())
    Assert.Equal("Sick.WindowContext", waiter.GetProperty("context").GetString())
    Assert.True(waiter.GetProperty("isHung").GetBoolean())

    let line =
        File.ReadAllLines (SickProgram.find "ContextDeadlock").File
        |> Array.findIndex _.EndsWith("// hangs")

    Assert.Equal(line + 1, waiter.GetProperty("line").GetInt32())

[<Fact>]
let ``Ctrl-C during a look ends the doctor with 2 and a sentence, and leaves no file`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    use doctor = new DoctorProcess(files, [ string target.Pid ])
    Within.comes "a look under way" (fun () -> not files.OfDoctors.IsEmpty)
    signal "INT" doctor.Id
    (doctor.Wait()).Refuses [ "stopped" ]
    Assert.Empty files.OfDoctors
    target.GoesOn()

[<Fact>]
let ``the report on a process that ends during a look: it has ended`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")

    for options in [ []; [ "--watch" ] ] do
        use files = new TemporaryFiles()
        use target = sick "SleepInAsync"
        let pid = target.Pid
        use doctor = new DoctorProcess(files, string pid :: options)
        Within.comes "a look under way" (fun () -> not files.OfDoctors.IsEmpty)
        signal "KILL" pid
        let ended = doctor.Wait()
        Assert.DoesNotContain("there is no process", ended.Err)

        if options.IsEmpty then
            ended.Refuses [ $"process {pid} (sick-fsharp) ended while it was looked at" ]
        else
            ended.EndsWith 2
            Assert.Contains("the process ended before its threads were looked at", ended.Out)

/// Whether a process has the library loaded by which it reads the memory of a .NET process.
let private readsMemory (pid: int) : bool =
    try
        (File.ReadAllText $"/proc/{pid}/maps").Contains "libmscordaccore.so"
    with :? IOException ->
        false

[<Theory>]
[<InlineData "">]
[<InlineData("--ptrace", Traits = [| "run"; "more" |])>]
let ``a process that ends while its memory is read does not take the doctor with it`` (option: string) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "memory is read in this way on Linux only")
    use files = new TemporaryFiles()
    let options = [ option ] |> List.filter ((<>) "")

    let once () =
        use running = RunningProgram.Start(SickProgram.find "WindowWaits")
        use doctor = new DoctorProcess(files, string running.Pid :: options)
        Within.comes "its memory is read" (fun () -> doctor.HasEnded || readsMemory doctor.Id)
        signal "KILL" running.Pid
        let ended = doctor.Wait()
        // it was looked at before, or it was not
        ended.EndsWith(if ended.Out = "" then 2 else 0)
        ended.Out + ended.Err

    // a doctor that is done before its reading is seen is followed by another
    let caught (said: string) =
        said.Contains "ended while it was looked at"

    Assert.True(caught (SickProgram.lookUntil caught 3 once))

[<Fact>]
let ``the next doctor removes the files of a killed one`` () =
    use files = new TemporaryFiles()
    use target = sick "SleepInAsync"
    use doctor = new DoctorProcess(files, [ string target.Pid ])
    Within.comes "a look under way" (fun () -> not files.OfDoctors.IsEmpty)
    doctor.Kill()
    Assert.NotEmpty files.OfDoctors
    (DoctorProcess.run files [ string target.Pid ]).EndsWith 1

let private refuses (wrong: (string list * string list) list) =
    for arguments, words in wrong do
        (doctor arguments).Refuses words

[<Fact>]
let ``options that do not go together, or that need a process, end with 2 and one sentence`` () =
    refuses
        [
            [ "1"; "--for"; "3s" ], [ "--for"; "add --watch" ]
            [ "1"; "--max-stop"; "1s" ], [ "--max-stop"; "add --ptrace" ]
            [ "--watch" ], [ "--watch needs a process"; "plait doctor PID --watch" ]
            [ "1"; "--html"; "/proc/none/x.html" ], [ "--html"; "cannot be written" ]
        ]

[<Fact; Trait("run", "more")>]
let ``other impossible options end with 2 and one sentence`` () =
    refuses
        [
            [ "--ptrace" ], [ "--ptrace needs a process" ]
            [ "--json"; "-" ], [ "--json needs a process" ]
            [ "--html"; "x.html" ], [ "--html needs a process" ]
            [ "1"; "--json"; "/proc/none/x.json" ], [ "--json"; "cannot be written" ]
            [ "1"; "--ptrace"; "--max-stop"; "1h" ], [ "--max-stop takes a time from 1ms" ]
            [ "1"; "--wach" ], [ "'--wach'"; "did you mean --watch?" ]
            [ "1"; "--watch"; "--for"; "1ms" ], [ "--for takes a time from 1s" ]
            [ "1"; "2" ], [ "'doctor' has no verb or option '2'" ]
            [ "run" ], [ "COMMAND" ]
            [ "run"; "--watch"; "--"; "false" ], [ "--watch" ]
            [ "explain" ], [ "FILE" ]
        ]
