// Under test: why a process cannot be looked at. What can be made here is a real process; the rest is what would be seen of one.
module Plait.Doctor.Tests.Errors

open System
open System.IO
open System.Net.Sockets
open System.Text
open Microsoft.Diagnostics.Runtime
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.Targets

let private contains (words: string list) (sentence: string) =
    for word in words do
        Assert.Contains(word, sentence)

let private explained (pid: int) (words: string list) =
    let refusal = Processes.explain pid None
    Assert.Equal(pid, refusal.Pid)
    contains words refusal.Message
    refusal

let private isSilence (refusal: CannotAttach) =
    match refusal with
    | :? NoAnswer -> true
    | _ -> false

[<Fact>]
let ``the error reports that there is no such process`` () =
    // beyond the numbers that Linux gives
    let refusal = explained 99_999_999 [ "no process 99999999"; "plait doctor" ]
    Assert.False(isSilence refusal)
    Assert.Throws<CannotAttach>(fun () -> Processes.facts 99_999_999 |> ignore) |> ignore

[<Fact>]
let ``the error reports a process without .NET`` () =
    use target = sleeper ()
    let refusal = explained target.Pid [ "(sleep)"; "no .NET process" ]
    Assert.False(isSilence refusal)

    let raised =
        Assert.Throws<CannotAttach>(fun () -> Processes.client target.Pid |> ignore)

    Assert.Equal(refusal.Message, raised.Message)

[<Theory>]
[<InlineData "DOTNET_EnableDiagnostics">]
[<InlineData "DOTNET_EnableDiagnostics_IPC">]
[<InlineData "COMPlus_EnableDiagnostics">]
let ``the error reports diagnostics that are off`` (setting: string) =
    use target = sickWith [ setting, "0" ] "HealthyAsync"
    let refusal = explained target.Pid [ "(sick-fsharp)"; $"{setting}=0"; "--ptrace" ]
    Assert.False(isSilence refusal)

[<Fact>]
let ``the error reports a stopped process`` () =
    use target = sick "HealthyAsync"
    stop target.Pid
    let refusal = explained target.Pid [ "SIGSTOP"; $"kill -CONT {target.Pid}" ]
    Assert.True(isSilence refusal)

[<Fact>]
let ``the error reports a process that its tracer has stopped`` () =
    use target = sick "HealthyAsync"
    use _tracer = DataTarget.AttachToProcess(target.Pid, suspend = true)
    let refusal = explained target.Pid [ "traces it"; string Environment.ProcessId ]
    Assert.True(isSilence refusal)

[<Fact>]
let ``the error reports a process that ended and whose exit code nobody fetched`` () =
    // the shell becomes a program that waits for no child
    use parent = new Target([ "sh"; "-c"; "sleep 0.1 & exec sleep 1000" ], [])

    let isOver () =
        childrenOf parent.Pid
        |> List.exists (fun child -> (File.ReadAllText $"/proc/{child}/status").Contains "State:\tZ")

    until "the child has ended" isOver
    explained (List.exactlyOne (childrenOf parent.Pid)) [ "has ended" ] |> ignore

[<Fact>]
let ``the error reports a socket that was removed`` () =
    use target = sick "HealthyAsync"
    File.Delete(Option.get (DiagnosticsPort.find target.Pid))
    explained target.Pid [ "no diagnostics socket in"; "cleared"; "--ptrace" ] |> ignore

[<Fact>]
let ``a socket that a dead process left behind is not taken for its own`` () =
    use target = sick "HealthyAsync"
    let own = Option.get (DiagnosticsPort.find target.Pid)

    let left =
        Path.Combine(string (Path.GetDirectoryName own), $"dotnet-diagnostic-{target.Pid}-1-socket")

    File.WriteAllText(left, "")

    try
        Assert.Equal(Some own, DiagnosticsPort.find target.Pid)
        File.Delete own
        Assert.Equal(None, DiagnosticsPort.find target.Pid)
    finally
        File.Delete left

/// Leaves a socket behind at which nobody listens any more, as a process does that is killed.
let private leftBehind (path: string) =
    use socket =
        new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)

    socket.Bind(UnixDomainSocketEndPoint path)
    socket.Listen()
    // the system's own close removes no file
    File.Move(path, path + "-left")
    socket.Dispose()
    File.Move(path + "-left", path)

[<Fact>]
let ``sockets that dead processes of the same number left behind are passed over, newer ones too`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let target, pid = contained "HealthyAsync"
    use _ = target
    let own = Option.get (DiagnosticsPort.find pid)

    let left =
        [
            for folder in [ string (Path.GetDirectoryName own); $"/proc/{pid}/root/tmp" ] ->
                Path.Combine(
                    folder,
                    $"dotnet-diagnostic-1-{Environment.ProcessId}{Environment.TickCount64}-socket"
                )
        ]

    left |> List.iter leftBehind

    try
        Assert.Equal(Some own, DiagnosticsPort.find pid)
        Assert.Equal("sick-fsharp", (Processes.facts pid).Name)
        File.Delete own
        Assert.Equal(None, DiagnosticsPort.find pid)
        explained pid [ "container" ] |> ignore
    finally
        left |> List.iter File.Delete

[<Fact>]
let ``the error reports a container whose temporary files hold no socket`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let target, pid = contained "HealthyAsync"
    use _ = target
    File.Delete(Option.get (DiagnosticsPort.find pid))

    explained pid [ "container"; $"/proc/{pid}/root/var/tmp"; "shared volume"; "TMPDIR" ]
    |> ignore

/// A process of .NET that is ours and in order.
let private seen: Refusal.ExternalFacts =
    {
        Pid = 12
        Name = "shop"
        Exists = true
        Kind = Refusal.ProgramKind.DotNet
        OtherUser = None
        State = 'S'
        Tracer = None
        Environment = Map.empty
        HasOwnSpace = false
        Socket = Some "/tmp/dotnet-diagnostic-12-345-socket"
        Folder = "/tmp"
    }

let private ofPort (seen: Refusal.ExternalFacts) = Refusal.ofPort seen None

[<Fact>]
let ``a process of another user is refused for this reason before all others`` () =
    let reason =
        ofPort
            { seen with
                OtherUser = Some "'nobody'"
                Kind = Refusal.ProgramKind.Unknown
                Socket = None
                State = 'T'
            }

    contains [ "process 12 (shop)"; "user 'nobody'"; "as that user or as root" ] reason.Sentence
    Assert.False reason.IsNoAnswer

[<Fact>]
let ``the error reports a program that was compiled ahead of time`` () =
    let reason =
        ofPort { seen with Kind = Refusal.ProgramKind.NativeAot; Socket = None }

    contains [ "NativeAOT"; "usual runtime" ] reason.Sentence

[<Theory>]
[<InlineData 0>]
[<InlineData 1000>]
// across the border of two blocks
[<InlineData 1_048_566>]
[<InlineData 2_097_130>]
let ``a program compiled ahead of time is recognised by its exports`` (before: int) =
    let mark = Encoding.ASCII.GetBytes "DotNetRuntimeDebugHeader"
    let file = Array.concat [ Array.zeroCreate before; mark; Array.zeroCreate 77 ]
    use whole = new MemoryStream(file)
    Assert.True(Refusal.isNativeAot whole)
    file[before + 5] <- 0uy
    use spoilt = new MemoryStream(file)
    Assert.False(Refusal.isNativeAot spoilt)

[<Fact>]
let ``the error reports a process that connects to a tool of its own choice`` () =
    let waiting =
        { seen with Environment = Map [ "DOTNET_DiagnosticPorts", "/run/monitor" ] }

    let silent = ofPort waiting
    contains [ "DOTNET_DiagnosticPorts=/run/monitor"; "nosuspend" ] silent.Sentence
    Assert.True silent.IsNoAnswer
    let none = ofPort { waiting with Socket = None }
    contains [ "DOTNET_DiagnosticPorts=/run/monitor"; "without that setting"; "--ptrace" ] none.Sentence
    Assert.False none.IsNoAnswer

[<Theory>]
[<InlineData "DOTNET_DefaultDiagnosticPortSuspend">]
[<InlineData "COMPlus_DefaultDiagnosticPortSuspend">]
let ``the error reports a process that waits at its start for a tool`` (name: string) =
    let reasonOf value =
        ofPort { seen with Environment = Map [ name, value ] }

    contains [ $"{name}=1"; "resume it"; "without that setting" ] (reasonOf "1").Sentence
    Assert.True (reasonOf "1").IsNoAnswer
    Assert.DoesNotContain(name, (reasonOf "0").Sentence)

[<Fact>]
let ``the error reports a process that has a socket and gives no answer`` () =
    let reason = Refusal.ofPort seen (Some "Connection refused.")
    contains [ "/tmp/dotnet-diagnostic-12-345-socket (Connection refused):"; "--ptrace" ] reason.Sentence
    Assert.True reason.IsNoAnswer

[<Fact>]
let ``the error has the reason if a process cannot be traced`` () =
    let said scope seen =
        (Refusal.ofPtrace seen scope "errno 1").Sentence

    contains [ "ptrace_scope=1"; "CAP_SYS_PTRACE" ] (said (Some "1\n") seen)
    contains [ "ptrace_scope=3"; "without --ptrace" ] (said (Some "3\n") seen)
    contains [ "errno 1"; "--cap-add SYS_PTRACE" ] (said None seen)
    contains [ "errno 1"; "--cap-add SYS_PTRACE" ] (said (Some "0\n") seen)
    contains [ "container"; "CAP_SYS_PTRACE" ] (said None { seen with HasOwnSpace = true })
    contains [ "77 (gdb)"; "one" ] (said (Some "0") { seen with Tracer = Some(77, "gdb") })
    contains [ "user 'nobody'" ] (said (Some "1") { seen with OtherUser = Some "'nobody'" })

[<Fact>]
let ``--ptrace is offered only where it may work`` () =
    Assert.True(Refusal.mayBeTraced seen)

    for other in
        [
            { seen with State = 'T' }
            { seen with OtherUser = Some "'nobody'" }
            { seen with Kind = Refusal.ProgramKind.Other }
            // who may not read its memory may not trace it
            { seen with Kind = Refusal.ProgramKind.Unknown }
        ] do
        Assert.False(Refusal.mayBeTraced other)

[<Fact>]
let ``for a runtime inside a single file the error asks for no further rights`` () =
    let hidden = (Refusal.ofHiddenRuntime seen).Sentence
    contains [ "process 12 (shop)"; "single file"; "leave out --ptrace" ] hidden
    Assert.DoesNotContain("CAP_SYS_PTRACE", hidden)

    contains
        [ "no .NET process" ]
        (Refusal.ofHiddenRuntime { seen with Kind = Refusal.ProgramKind.Other }).Sentence

[<Fact>]
let ``every reason is one sentence that ends without a stop`` () =
    for reason in
        [
            ofPort { seen with Exists = false }
            ofPort { seen with State = 'Z' }
            ofPort { seen with Kind = Refusal.ProgramKind.Other }
            ofPort { seen with Socket = None }
            ofPort { seen with Socket = None; HasOwnSpace = true }
            ofPort { seen with Socket = None; Kind = Refusal.ProgramKind.Unknown }
            ofPort { seen with State = 'T' }
            ofPort { seen with Tracer = Some(77, "gdb") }
            ofPort seen
            Refusal.ofHiddenRuntime seen
            Refusal.ofOwnChild seen
        ] do
        Assert.DoesNotContain("\n", reason.Sentence)
        Assert.DoesNotContain(". ", reason.Sentence)
        Assert.False(reason.Sentence.EndsWith '.', reason.Sentence)

        Assert.True(
            reason.Sentence.StartsWith "process 12" || reason.Sentence.StartsWith "there is no",
            reason.Sentence
        )

[<Fact>]
let ``the status of a process is read from its text`` () =
    let status =
        ProcFiles.parseStatus
            "Name:\tmy (odd) app\nTgid:\t680\nPPid:\t12\nState:\tt (tracing stop)\nTracerPid:\t77\nUid:\t0\t1000\t0\t0\nNSpid:\t680\t50\t1\nThreads:\t21\nCpus_allowed:\tff,0000000f\n"

    Assert.Equal('t', status.State)
    Assert.Equal(680, status.Leader)
    Assert.Equal(12, status.Parent)
    Assert.Equal(77, status.Tracer)
    Assert.Equal(1000, status.User)
    Assert.Equal<int list>([ 680; 50; 1 ], status.Numbers)
    Assert.Equal(21, status.Threads)
    Assert.Equal(12, status.Allowed)

[<Theory>]
[<InlineData("max 100000", 0)>]
[<InlineData("150000 100000", 2)>]
[<InlineData("200000 100000\n", 2)>]
[<InlineData("1000 100000", 1)>]
[<InlineData("-1\n 100000\n", 0)>]
[<InlineData("", 0)>]
let ``a quota of processor time is rounded up to processors`` (text: string, expected: int) =
    Assert.Equal(expected, ProcFiles.parseQuota text |> Option.defaultValue 0)

[<Fact>]
let ``the start time of a process is read after a name with any characters`` () =
    let fields = String.Join(' ', seq { 3..52 })
    Assert.Equal(Some "22", ProcFiles.parseStarted $"12 (a) b (c) {fields}")

[<Fact>]
let ``a runtime is recognised by the files that the process maps`` () =
    let line file =
        $"7f0000000000-7f0000001000 r-xp 00000000 08:01 99   {file}\n"

    let usual = "/usr/share/dotnet/shared/Microsoft.NETCore.App/9.0.4/libcoreclr.so"

    let maps =
        ProcFiles.parseMaps (line "[heap]" + line "/my files/x.so" + line usual + line usual)

    Assert.Equal<string list>([ "/my files/x.so"; usual ], maps)
    Assert.True(Refusal.isDotNet maps)
    Assert.Equal(Some "9.0.4", Processes.runtimeOf maps)
    // a single file
    Assert.True(Refusal.isDotNet [ "/app/Shop"; "/memfd:doublemapper (deleted)" ])
    Assert.False(Refusal.isDotNet [ "/usr/bin/sleep" ])
    Assert.Equal(None, Processes.runtimeOf [ "/app/libcoreclr.so" ])

[<Theory>]
[<InlineData("10.0.12 @Commit: 1a2b3c", "10.0.12")>]
[<InlineData("9.0.0-rc.2+abc", "9.0.0-rc.2")>]
[<InlineData("8.0.1", "8.0.1")>]
let ``the version of a runtime is freed of its commit`` (text: string, expected: string) =
    Assert.Equal(expected, DiagnosticsPort.parseVersion text)

[<Theory>]
[<InlineData("System.Private.CoreLib", "", true)>]
[<InlineData("FSharp.Core.dll", "", true)>]
[<InlineData("Microsoft.AspNetCore.Server.Kestrel.Core", "", true)>]
[<InlineData("Microsoft.Net.Http.Headers", "", true)>]
[<InlineData("Plait", "", true)>]
[<InlineData("Plait.ThreadPool.dll", "", true)>]
[<InlineData("Plait.ThreadPool.Shop", "", false)>]
[<InlineData("Plaited", "", false)>]
[<InlineData("Plait.Samples.Sick", "", false)>]
[<InlineData("Systematic", "/app/Systematic.dll", false)>]
[<InlineData("Microsoft.MyTeam", "/app/Microsoft.MyTeam.dll", false)>]
[<InlineData("Something", "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/Something.dll", true)>]
[<InlineData("Something", @"C:\Program Files\dotnet\shared\Microsoft.NETCore.App\10.0.12\Something.dll", true)>]
[<InlineData("Mine", "/srv/shared/mine/Mine.dll", false)>]
[<InlineData("", "", false)>]
let ``a module is the framework's by its name or its folder, not by a namespace``
    (name: string, path: string, expected: bool)
    =
    let path = if path = "" then None else Some path
    Assert.Equal(expected, FrameworkModules.isFramework name path)
