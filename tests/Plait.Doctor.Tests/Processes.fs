// Under test: what is known of a process from outside and by its port, which processes are listed, which one a name means, all of
// them at a glance, and where a diagnostics socket is found.
module Plait.Doctor.Tests.Processes

open System
open System.Threading
open Xunit

open Plait.Common
open Plait.Doctor
open Plait.Doctor.Tests.Targets

let private off = [ "DOTNET_EnableDiagnostics", "0" ]

[<Fact>]
let ``the programs that a tool has started are named, the innermost, and those of a program are not`` () =
    use target = sick "HealthyAsync"

    if OperatingSystem.IsLinux() then
        Assert.Contains(target.Pid, Processes.programs Environment.ProcessId |> List.map _.Pid)

    let made (pid: int) (name: string) =
        { Processes.facts target.Pid with Pid = pid; Name = name }

    let host, shop = made 2 "testhost", made 3 "Shop.Tests"

    Assert.Equal<string list>(
        [
            "process 1 is the tool dotnet, which has started process 3 (Shop.Tests): 'plait doctor 3' looks at that program"
        ],
        Processes.started (made 1 "dotnet") (fun () -> [ host; shop ])
    )

    Assert.Contains(
        "process 3 (Shop.Tests)",
        Processes.started host (fun () -> [ host; shop ]) |> List.exactlyOne
    )

    Assert.Empty(Processes.started host (fun () -> [ host ]))
    Assert.Empty(Processes.started shop (fun () -> [ shop; made 4 "Shop.Worker" ]))

[<Fact>]
let ``a process started by dotnet has the name of its assembly`` () =
    use target = sick "HealthyAsync"
    let facts = Processes.facts target.Pid
    Assert.Equal(target.Pid, facts.Pid)
    Assert.Equal("sick-fsharp", facts.Name)
    Assert.EndsWith("HealthyAsync", facts.CommandLine)
    Assert.Equal(Environment.ProcessorCount, facts.Processors)
    Assert.Equal(Some(string Environment.Version), facts.Runtime)

[<Fact>]
let ``a process with its diagnostics off has the same facts, seen from outside`` () =
    use target = sickWith off "HealthyAsync"
    let facts = Processes.facts target.Pid
    Assert.Equal("sick-fsharp", facts.Name)
    Assert.EndsWith("HealthyAsync", facts.CommandLine)
    Assert.Equal(Some(string Environment.Version), facts.Runtime)

[<Fact>]
let ``a stopped process has its facts, and nobody waits for it for ever`` () =
    use target = sick "HealthyAsync"
    stop target.Pid
    let asked = Tasks.Task.Run(fun () -> Processes.facts target.Pid)
    Assert.True(asked.Wait limit, "the facts of a stopped process")
    Assert.Equal("sick-fsharp", asked.Result.Name)

[<Fact>]
let ``processors are those that the process may use`` () =
    use target =
        new Target([ "taskset"; "-c"; "0"; "dotnet"; gallery; "HealthyAsync" ], [])

    target.Line "ready" |> ignore
    Assert.Equal(1, (Processes.facts target.Pid).Processors)
    use told = sickWith [ "DOTNET_PROCESSOR_COUNT", "7" ] "HealthyAsync"
    Assert.Equal(7, (Processes.facts told.Pid).Processors)

[<Fact>]
let ``names are read from the command line as dotnet reads it`` () =
    let named (line: string) =
        ProgramName.ofCommand (Some "/usr/share/dotnet/dotnet") (List.ofArray (line.Split ' ')) "dotnet"

    Assert.Equal("MyApp", named "dotnet MyApp.dll --port 80")

    Assert.Equal(
        "MyApp",
        named "dotnet exec --depsfile X.deps.json --roll-forward Major /app/MyApp.dll Other.dll"
    )

    Assert.Equal("dotnet", named "dotnet build")
    Assert.Equal("dotnet", named "dotnet")
    Assert.Equal("MyApp", ProgramName.ofCommand (Some "/app/MyApp") [ "./MyApp"; "Other.dll" ] "MyApp")
    Assert.Equal("MyApp", ProgramName.ofCommand (Some "/app/MyApp (deleted)") [] "MyApp")
    Assert.Equal("of-the-kernel", ProgramName.ofCommand None [] "of-the-kernel")

[<Fact>]
let ``listed are the .NET processes, with and without a port, but not this one`` () =
    use target = sick "HealthyAsync"
    use hidden = sickWith off "HealthyAsync"
    use other = sleeper ()
    let listed = Processes.list ()
    Assert.Contains(target.Pid, listed)
    Assert.Contains(hidden.Pid, listed)
    Assert.DoesNotContain(other.Pid, listed)
    Assert.DoesNotContain(Environment.ProcessId, listed)

let private candidate pid name =
    {
        Pid = pid
        Name = name
        CommandLine = $"/app/{name} --all"
        Processors = 2
        Runtime = None
    }

[<Fact>]
let ``a name means the process that has it, before those that have it in part`` () =
    let candidates =
        [ candidate 1 "Shop"; candidate 2 "Shop.Orders"; candidate 3 "Bank" ]

    Assert.Equal(1, Processes.choose "shop" candidates)
    Assert.Equal(2, Processes.choose "ORDERS" candidates)
    Assert.Equal(3, Processes.choose "an" candidates)

[<Fact>]
let ``a name that means several processes, or none, is refused with the candidates`` () =
    let candidates = [ candidate 11 "Shop"; candidate 12 "Shop"; candidate 13 "Bank" ]

    let refusal name candidates =
        Assert.Throws<BadInput>(fun () -> Processes.choose name candidates |> ignore).Message

    let several = refusal "shop" candidates
    Assert.Contains("2 processes", several)
    Assert.Contains("11  Shop", several)
    Assert.Contains("12  Shop", several)
    Assert.DoesNotContain("13", several)
    Assert.Contains("13  Bank", refusal "Library" candidates)
    Assert.Contains("no .NET process", refusal "Library" [])

[<Fact>]
let ``a number is a process, and an unknown name is answered with those that run`` () =
    use target = sick "HealthyAsync"
    Assert.Equal(target.Pid, Processes.find $" {target.Pid} ")

    let refusal =
        Assert.Throws<BadInput>(fun () -> Processes.find "there-is-no-such-program" |> ignore)

    Assert.Contains($"{target.Pid}  sick-fsharp", refusal.Message)

[<Fact>]
let ``at a glance a process shows its threads and its use of the processors, and a stopped one its trouble``
    ()
    =
    use busy = sick "SleepInAsync"
    use standing = sick "HealthyAsync"
    use hidden = sickWith off "HealthyAsync"
    stop standing.Pid
    let read = Overview.read ()

    let line (target: Target) =
        read |> List.find (fun line -> line.Facts.Pid = target.Pid)

    let busy = line busy
    Assert.True(busy.Threads |> Option.exists (fun threads -> threads > 2), $"{busy}")
    Assert.True(busy.CpuPercent |> Option.exists (fun share -> share >= 0.0 && share <= 100.0), $"{busy}")

    let standing = line standing
    Assert.Contains("SIGSTOP", Option.get standing.Trouble)

    let hidden = line hidden
    Assert.Equal("sick-fsharp", hidden.Facts.Name)
    Assert.Contains("--ptrace", Option.get hidden.Trouble)

[<Fact>]
let ``the list begins no session of events in the processes that it lists`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "the threads of a process have names on Linux only")
    use target = sick "HealthyAsync"

    // The runtime polls counters on a thread of this name from the first session that asks for them.
    let polls () =
        IO.Directory.GetDirectories $"/proc/{target.Pid}/task"
        |> Array.exists (fun thread ->
            (IO.File.ReadAllText(IO.Path.Combine(thread, "comm"))).StartsWith ".NET Counter Po")

    Assert.Contains(target.Pid, Overview.read () |> List.map _.Facts.Pid)
    Assert.False(polls (), "the list has begun a session")
    use reader = PoolReader.Start(target.Pid, 200, TimeSpan.FromMinutes 1.0)
    Assert.True(reader.WaitForReadings(1, TimeSpan.FromMinutes 5.), "a reading of the counters")
    Assert.True(polls (), "a session is seen by the thread's name")

[<Fact>]
let ``processes that do not answer are all asked at once for the one that a name means`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "a socket belongs to a process by its name on Linux only")
    let folder = IO.Directory.CreateTempSubdirectory "plait-doctor-"
    let asked = ref 0
    let most = ref 0

    let opened () =
        lock asked (fun () ->
            asked.Value <- asked.Value + 1
            most.Value <- max most.Value asked.Value)

    let closed () =
        lock asked (fun () -> asked.Value <- asked.Value - 1)

    let silent =
        [ for _ in 1..20 -> new Target([ "sleep"; "1000" ], [ "TMPDIR", folder.FullName ]) ]

    let sockets =
        [
            for target in silent do
                silentSocket target folder.FullName opened closed
        ]

    try
        Assert.Throws<BadInput>(fun () -> Processes.find "there-is-no-such-program" |> ignore)
        |> ignore

        Assert.Equal(silent.Length, most.Value)
    finally
        for target in silent do
            (target :> IDisposable).Dispose()

        for socket in sockets do
            socket.Dispose()

        folder.Delete true

/// What a client of the port gives: the environment of the process.
let private answers (pid: int) =
    (Processes.client pid).GetProcessEnvironment().ContainsKey "PATH"

[<Fact>]
let ``the socket is found where the process has its temporary files`` () =
    let folder = IO.Directory.CreateTempSubdirectory "plait-doctor-"

    try
        use target = sickWith [ "TMPDIR", folder.FullName ] "HealthyAsync"
        Assert.NotEmpty(folder.GetFiles "dotnet-diagnostic-*")
        Assert.True(answers target.Pid)
        Assert.Equal("sick-fsharp", (Processes.facts target.Pid).Name)
    finally
        folder.Delete true

[<Fact>]
let ``a process in a container of its own is found and asked from the host`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let target, pid = contained "HealthyAsync"
    use _ = target
    Assert.Equal("sick-fsharp", (Processes.facts pid).Name)
    Assert.Contains(pid, Processes.list ())

    Assert.Equal(
        Some $"/proc/{pid}/root/var/tmp",
        DiagnosticsPort.find pid
        |> Option.map (fun path -> string (IO.Path.GetDirectoryName path))
    )

    Assert.True(answers pid)

[<Fact; Trait("run", "more")>]
let ``a deadlock in a container is found from the host`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let program = SickProgram.find "LockDeadlock"
    let target, pid = containedOf program.Assembly program.Name
    use _ = target

    let look () = SickProgram.examine pid

    let diagnosis =
        SickProgram.lookUntil (fun diagnosis -> diagnosis.Verdict = Verdict.Hung) 2 look

    Assert.Equal(Verdict.Hung, diagnosis.Verdict)
    Assert.Contains("Transfers.Move", diagnosis.Why)
    Assert.Empty(diagnosis.Evidence.Notes |> List.filter _.Contains("does not show"))
    Assert.All(diagnosis.Waiters, (fun waiter -> Assert.True waiter.WaitsForSeconds.IsSome))
