// The reason why a process cannot be looked at: the facts about it from outside, and a sentence from them. `Processes` and the
// routes use it.
[<RequireQualifiedAccess>]
module internal Plait.Doctor.Refusal

open System
open System.IO
open System.Text

/// The kind of a program.
[<RequireQualifiedAccess>]
type ProgramKind =
    /// The usual runtime, as files or inside a single file.
    | DotNet
    /// Compiled ahead of time: its runtime has no port, and a debugger of .NET cannot read its stacks.
    | NativeAot
    | Other
    /// Not ours to read.
    | Unknown

/// The facts about a process from outside.
type ExternalFacts =
    {
        Pid: int
        /// Its program, for the sentence.
        Name: string
        Exists: bool
        Kind: ProgramKind
        /// The user of the process, if that is another one and we are not root.
        OtherUser: string option
        /// As in /proc/PID/status.
        State: char
        /// The process that traces it, and its name.
        Tracer: (int * string) option
        Environment: Map<string, string>
        /// Whether its files or its process numbers are others than ours.
        HasOwnSpace: bool
        /// Its socket, as the doctor reaches it.
        Socket: string option
        /// The folder for its socket, as the doctor reaches it.
        Folder: string
    }

// The runtime's own library, and the memory into which it writes code: a single file has only the latter.
let private runtimeFiles = [ "/libcoreclr.so"; "/memfd:doublemapper" ]

/// Whether the mapped files of a process are those of a .NET runtime.
let isDotNet (maps: string list) : bool =
    maps
    |> List.exists (fun file ->
        runtimeFiles |> List.exists (fun known -> file.Contains(known, StringComparison.Ordinal)))

// A symbol of programs compiled ahead of time, for debuggers; the usual runtime does not have it.
let private nativeMark = Encoding.ASCII.GetBytes "DotNetRuntimeDebugHeader"

/// Whether a program's file is one that was compiled ahead of time from .NET.
let isNativeAot (file: Stream) : bool =
    let buffer = Array.zeroCreate<byte> 0x100000

    // a block keeps one byte less than the mark
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
    | None -> ProgramKind.Unknown
    | Some maps when isDotNet maps -> ProgramKind.DotNet
    | Some _ ->
        let isCompiled =
            ProcFiles.ifReadable (fun () ->
                use file = File.OpenRead $"/proc/{pid}/exe"
                isNativeAot file)

        if isCompiled = Some true then ProgramKind.NativeAot else ProgramKind.Other

/// Reads the facts about a process from outside. Linux only.
let inspect (pid: int) : ExternalFacts =
    let ours =
        ProcFiles.status Environment.ProcessId |> Option.map _.User |> Option.defaultValue -1

    let status = ProcFiles.status pid
    let socket = DiagnosticsPort.find pid

    let kind =
        match kind pid, socket with
        | ProgramKind.Other, Some _ -> ProgramKind.DotNet
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

// "PATH" and "PATH,connect,suspend": the runtime connects to PATH, and by default waits there before it starts.
let private reverse (environment: Map<string, string>) =
    Map.tryFind "DOTNET_DiagnosticPorts" environment
    |> Option.filter (fun ports -> ports.Trim() <> "")

/// The setting by which the runtime waits at its start until a tool resumes it through its port.
let private suspended (environment: Map<string, string>) : string option =
    [ "DOTNET_DefaultDiagnosticPortSuspend"; "COMPlus_DefaultDiagnosticPortSuspend" ]
    |> List.tryPick (fun name ->
        Map.tryFind name environment
        |> Option.map _.Trim()
        |> Option.filter (fun value -> value <> "" && value <> "0")
        |> Option.map (fun value -> $"{name}={value}"))

/// A sentence; and whether the process exists and is ours, but does not answer.
type Reason = { Sentence: string; IsNoAnswer: bool }

let private refused sentence =
    { Sentence = sentence; IsNoAnswer = false }

let private silent sentence =
    { Sentence = sentence; IsNoAnswer = true }

/// The reason that holds for every route; None: there is none.
let ofProcess (seen: ExternalFacts) : Reason option =
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
    | { Kind = ProgramKind.Other } ->
        Some(refused $"{subject} is no .NET process: no .NET runtime is loaded in it")
    | { Kind = ProgramKind.NativeAot } ->
        Some(
            refused
                $"{subject} is compiled ahead of time (NativeAOT): neither its pool nor its stacks can be read from outside, so look at the same program on the usual runtime"
        )
    | _ -> None

/// Whether --ptrace may work if the port does not: no route is refused, the process is not stopped, and this user may read whether it
/// runs .NET, for which the system asks the right to trace it.
let mayBeTraced (seen: ExternalFacts) : bool =
    (ofProcess seen).IsNone
    && seen.Kind <> ProgramKind.Unknown
    && not (List.contains seen.State [ 'T'; 't' ])

/// The reason why the port cannot be used. `said`: the error of an attempt, if there was one.
let ofPort (seen: ExternalFacts) (said: string option) : Reason =
    let subject = $"process {seen.Pid} ({seen.Name})"
    let off = turnedOff seen.Environment
    let ports = reverse seen.Environment
    let suspended = suspended seen.Environment

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
    | None, { Socket = None; Kind = ProgramKind.Unknown } ->
        refused
            $"{subject} has no diagnostics socket in {seen.Folder}, and this user may not read whether it runs .NET: run plait doctor as its user or as root, with the same TMPDIR"
    | None, { Socket = None } ->
        refused
            $"{subject} has no diagnostics socket in {seen.Folder}: its temporary files were cleared, it is still starting, or its TMPDIR was changed; start it again, or look at it with --ptrace"
    | None, _ when ports.IsSome ->
        silent
            $"{subject} does not answer: DOTNET_DiagnosticPorts={ports.Value} can keep it waiting for another tool before it starts; start that tool, or add ',nosuspend' to the port"
    | None, _ when suspended.IsSome ->
        silent
            $"{subject} does not answer: {suspended.Value} can keep it waiting for another tool before it starts; let that tool resume it, or start it without that setting"
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

/// The reason why --ptrace cannot be used. `scope`: /proc/sys/kernel/yama/ptrace_scope, if it exists.
let ofPtrace (seen: ExternalFacts) (scope: string option) (said: string) : Reason =
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

/// The reason why a parent may not trace its child. The runtime of such a parent takes a stop of the child for its end
/// (dotnet/runtime, pull request 133948): it reports the child as ended although it runs, or loops for ever after its end.
let ofOwnChild (seen: ExternalFacts) : Reason =
    ofProcess seen
    |> Option.defaultValue (
        refused
            $"process {seen.Pid} ({seen.Name}) is a child of this process, whose .NET runtime would take a stop of the child for its end: look at it by ptrace from another process, as 'plait doctor {seen.Pid} --ptrace' does"
    )

/// The reason why --ptrace finds no runtime in a process: the runtime is no file of its own.
let ofHiddenRuntime (seen: ExternalFacts) : Reason =
    ofProcess seen
    |> Option.defaultValue (
        refused
            $"process {seen.Pid} ({seen.Name}) cannot be read by --ptrace: its runtime is inside the program's own file (a self-contained single file); leave out --ptrace, and start the program with its diagnostics on"
    )

/// The reason why --ptrace has nothing to read in a process: it runs no managed code yet, and the reader of its memory would crash.
let ofBeginning (seen: ExternalFacts) : Reason =
    ofProcess seen
    |> Option.defaultWith (fun () ->
        let setting =
            suspended seen.Environment
            |> Option.map (fun setting -> $" ({setting})")
            |> Option.defaultValue ""

        silent
            $"process {seen.Pid} ({seen.Name}) runs no managed code yet: its runtime starts, or waits for a tool that resumes it{setting}; look again when it runs")

/// The exception of a reason.
let raised (pid: int) (reason: Reason) : CannotAttach =
    if reason.IsNoAnswer then
        NoAnswer(pid, reason.Sentence)
    else
        CannotAttach(pid, reason.Sentence)
