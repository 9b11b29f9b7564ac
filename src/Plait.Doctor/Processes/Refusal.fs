// Why a process cannot be looked at: the facts about it from outside, and the sentence from them. `Processes` and the
// routes end in it.
[<RequireQualifiedAccess>]
module internal Plait.Doctor.Refusal

open System
open System.IO
open System.Text

/// The kind of a program.
[<RequireQualifiedAccess>]
type Kind =
    /// The usual runtime, as files or inside a single file.
    | DotNet
    /// Compiled ahead of time: its runtime has no port, and no stacks that a debugger of .NET can read.
    | NativeAot
    | Other
    /// Not ours to read.
    | Unknown

/// The facts about a process from outside.
type Seen =
    {
        Pid: int
        /// Its program, for the sentence.
        Name: string
        Exists: bool
        Kind: Kind
        /// The user it belongs to, where that is another than ours and we are not root.
        OtherUser: string option
        /// As in /proc/PID/status.
        State: char
        /// The process that traces it, and its name.
        Tracer: (int * string) option
        Environment: Map<string, string>
        /// Whether it sees other files or other process numbers than we do.
        HasOwnSpace: bool
        /// Its socket, as we reach it.
        Socket: string option
        /// The folder in which its socket would be, as we reach it.
        Folder: string
    }

// The runtime's own libraries, and the memory by which it writes code: a single file has the latter only.
let private runtimeFiles = [ "/libcoreclr.so"; "/memfd:doublemapper" ]

/// Whether the files that a process has mapped are those of a .NET runtime.
let isDotNet (maps: string list) : bool =
    maps
    |> List.exists (fun file ->
        runtimeFiles |> List.exists (fun known -> file.Contains(known, StringComparison.Ordinal)))

// A symbol that a program compiled ahead of time exports for debuggers, and the usual runtime does not.
let private nativeMark = Encoding.ASCII.GetBytes "DotNetRuntimeDebugHeader"

/// Whether a program's file is one that was compiled ahead of time from .NET.
let isNativeAot (file: Stream) : bool =
    let buffer = Array.zeroCreate<byte> 0x100000

    // one byte less than the mark is kept of a block
    let rec from (kept: int) =
        match file.Read(buffer, kept, buffer.Length - kept) with
        | 0 -> false
        | count ->
            let filled = kept + count

            if ReadOnlySpan(buffer, 0, filled).IndexOf(ReadOnlySpan nativeMark) >= 0 then
                true
            else
                let next = min filled (nativeMark.Length - 1)
                Array.Copy(buffer, filled - next, buffer, 0, next)
                from next

    from 0

let private kind (pid: int) =
    match ProcFiles.maps pid with
    | None -> Kind.Unknown
    | Some maps when isDotNet maps -> Kind.DotNet
    | Some _ ->
        let isCompiled =
            ProcFiles.ifReadable (fun () ->
                use file = File.OpenRead $"/proc/{pid}/exe"
                isNativeAot file)

        if isCompiled = Some true then Kind.NativeAot else Kind.Other

/// Looks at a process from outside. Linux only.
let see (pid: int) : Seen =
    let ours =
        ProcFiles.status Environment.ProcessId |> Option.map _.User |> Option.defaultValue -1

    let status = ProcFiles.status pid
    let socket = DiagnosticsPort.find pid

    let kind =
        match kind pid, socket with
        | Kind.Other, Some _ -> Kind.DotNet
        | kind, _ -> kind

    let inOwnNumbers =
        match ProcFiles.space "pid" pid, ProcFiles.space "pid" Environment.ProcessId with
        | Some its, Some ours -> its <> ours
        | _ -> false

    {
        Pid = pid
        Name = ProgramName.ofProcess pid
        Exists = status.IsSome
        Kind = kind
        OtherUser =
            status
            |> Option.filter (fun status -> ours <> 0 && status.User <> ours)
            |> Option.map (fun status -> ProcFiles.userName status.User)
        State = status |> Option.map _.State |> Option.defaultValue '?'
        Tracer =
            status
            |> Option.filter (fun status -> status.Tracer <> 0)
            |> Option.map (fun status ->
                // the kernel names the thread
                let tracer =
                    ProcFiles.status status.Tracer
                    |> Option.map _.Leader
                    |> Option.defaultValue status.Tracer

                tracer, ProgramName.ofProcess tracer)
        Environment = ProcFiles.environment pid |> Option.defaultValue Map.empty
        HasOwnSpace = inOwnNumbers || ProcFiles.hasOwnFiles pid
        Socket = socket
        Folder = DiagnosticsPort.temporaryFiles pid
    }

/// The setting that turns the port off, as "DOTNET_EnableDiagnostics=0".
let turnedOff (environment: Map<string, string>) : string option =
    [ "EnableDiagnostics"; "EnableDiagnostics_IPC" ]
    |> Seq.collect (fun name -> [ $"DOTNET_{name}"; $"COMPlus_{name}" ])
    |> Seq.tryFind (fun name ->
        Map.tryFind name environment |> Option.exists (fun value -> value.Trim() = "0"))
    |> Option.map (fun name -> $"{name}=0")

// "PATH" and "PATH,connect,suspend": a runtime that connects to PATH, and by default waits there before it starts.
let private reverse (environment: Map<string, string>) =
    Map.tryFind "DOTNET_DiagnosticPorts" environment
    |> Option.filter (fun ports -> ports.Trim() <> "")

/// A sentence, and whether the process is there and ours to look at but gives no answer.
type Reason = { Sentence: string; IsSilence: bool }

let private refused sentence =
    { Sentence = sentence; IsSilence = false }

let private silent sentence =
    { Sentence = sentence; IsSilence = true }

/// Whatever keeps everybody from looking, whichever way is taken; None: nothing of the kind.
let ofProcess (seen: Seen) : Reason option =
    let subject = $"process {seen.Pid} ({seen.Name})"

    match seen with
    | { Exists = false } ->
        Some(
            refused
                $"there is no process {seen.Pid}: 'plait doctor' without arguments lists the processes of .NET"
        )
    | { State = 'Z' } ->
        Some(
            refused
                $"{subject} has ended: only its exit code is left, and its parent has not fetched that yet"
        )
    | { OtherUser = Some user } ->
        Some(refused $"{subject} belongs to user {user}: run plait doctor as that user or as root")
    | { Kind = Kind.Other } -> Some(refused $"{subject} is no .NET process: no .NET runtime is loaded in it")
    | { Kind = Kind.NativeAot } ->
        Some(
            refused
                $"{subject} is compiled ahead of time (NativeAOT): neither its pool nor its stacks can be read from outside, so look at the same program on the usual runtime"
        )
    | _ -> None

/// Why the port of a process cannot be used. `said` is the error of an attempt, if there was one.
let ofPort (seen: Seen) (said: string option) : Reason =
    let subject = $"process {seen.Pid} ({seen.Name})"
    let off = turnedOff seen.Environment
    let ports = reverse seen.Environment

    match ofProcess seen, seen with
    | Some reason, _ -> reason
    | None, { Tracer = Some(pid, name) } when seen.State = 't' || seen.State = 'T' ->
        silent
            $"{subject} does not answer: process {pid} ({name}) traces it and has stopped it, as debuggers do; let it go on, or end that one"
    | None, { State = 'T' } ->
        silent
            $"{subject} does not answer: it is stopped (SIGSTOP, or Ctrl-Z); 'kill -CONT {seen.Pid}' lets it go on"
    | None, _ when off.IsSome && seen.Socket.IsNone ->
        refused
            $"{subject} has its diagnostics turned off ({off.Value}): start it without that setting, or look at it with --ptrace"
    | None, { Socket = None } when ports.IsSome ->
        refused
            $"{subject} has no socket in {seen.Folder}, and DOTNET_DiagnosticPorts={ports.Value} makes it connect to a tool of its own choice: start it without that setting, or look at it with --ptrace"
    | None, { Socket = None; HasOwnSpace = true } ->
        refused
            $"{subject} runs in a container, and its diagnostics socket is not in {seen.Folder}, the folder of that container's temporary files: run plait doctor as root on the host or in a sidecar that shares the process namespace, with the container's /tmp as a shared volume and the same TMPDIR in both"
    | None, { Socket = None; Kind = Kind.Unknown } ->
        refused
            $"{subject} has no diagnostics socket in {seen.Folder}, and this user may not read whether it runs .NET: run plait doctor as its user or as root, with the same TMPDIR"
    | None, { Socket = None } ->
        refused
            $"{subject} has no diagnostics socket in {seen.Folder}: its temporary files were cleared, it is still starting, or its TMPDIR was changed; start it again, or look at it with --ptrace"
    | None, _ when ports.IsSome ->
        silent
            $"{subject} does not answer: DOTNET_DiagnosticPorts={ports.Value} can keep it waiting for another tool before it starts; start that tool, or add ',nosuspend' to the port"
    | None, { Tracer = Some(pid, name) } ->
        silent
            $"{subject} does not answer in time, and process {pid} ({name}) traces it: end that one, then try again"
    | None, { Socket = Some socket } ->
        let words =
            said
            |> Option.map (fun text -> $" ({text.Trim().TrimEnd('.')})")
            |> Option.defaultValue ""

        silent
            $"{subject} does not answer at {socket}{words}: the machine may be too busy or the process frozen; try again, or look at it with --ptrace"

/// Why a process cannot be stopped and read as debuggers do. `permitted` is /proc/sys/kernel/yama/ptrace_scope, where there is one.
let ofPtrace (seen: Seen) (scope: string option) (said: string) : Reason =
    let subject = $"process {seen.Pid} ({seen.Name})"

    match ofProcess seen, seen, scope |> Option.map _.Trim() with
    | Some reason, _, _ -> reason
    | None, { Tracer = Some(pid, name) }, _ ->
        refused
            $"{subject} is traced by process {pid} ({name}), and only one may do that at a time: end that one, then try again"
    | None, _, Some "3" ->
        refused
            $"{subject} may not be traced: this machine forbids it to everybody until it restarts (kernel.yama.ptrace_scope=3); look at it without --ptrace"
    | None, _, Some("1" | "2" as scope) ->
        refused
            $"{subject} may not be traced by this user (kernel.yama.ptrace_scope={scope}): run plait doctor as root, or with the capability CAP_SYS_PTRACE"
    | None, { HasOwnSpace = true }, _ ->
        refused
            $"{subject} runs in a container and cannot be traced from here ({said.Trim().TrimEnd('.')}): run plait doctor as root with the capability CAP_SYS_PTRACE"
    | None, _, _ ->
        refused
            $"{subject} cannot be traced ({said.Trim().TrimEnd('.')}): in a container give plait doctor the capability CAP_SYS_PTRACE (--cap-add SYS_PTRACE), or look at it without --ptrace"

/// Why a process may not be traced by its own parent. The runtime of a parent that traces its child takes a stop of the child for its
/// end (dotnet/runtime, pull request 133948): it calls the child ended while it runs, or loops for ever once it has ended.
let ofOwnChild (seen: Seen) : Reason =
    ofProcess seen
    |> Option.defaultValue (
        refused
            $"process {seen.Pid} ({seen.Name}) is a child of this process, whose .NET runtime would take a stop of the child for its end: look at it by ptrace from another process, as 'plait doctor {seen.Pid} --ptrace' does"
    )

/// Why the debugger's way finds nothing in a process that may be traced: its runtime is no file of its own.
let ofHiddenRuntime (seen: Seen) : Reason =
    ofProcess seen
    |> Option.defaultValue (
        refused
            $"process {seen.Pid} ({seen.Name}) cannot be read by --ptrace: its runtime is inside the program's own file (a self-contained single file); leave out --ptrace, and start the program with its diagnostics on"
    )

/// The exception of a reason.
let raised (pid: int) (reason: Reason) : CannotAttach =
    if reason.IsSilence then
        NoAnswer(pid, reason.Sentence)
    else
        CannotAttach(pid, reason.Sentence)
