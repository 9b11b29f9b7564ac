// The debugger's way: all threads of the process are stopped, each gives its stack, and they go on. It needs no diagnostics port, and
// works where that is off or silent.
module Plait.Doctor.PtraceRoute

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Reflection.Metadata
open System.Reflection.Metadata.Ecma335
open System.Reflection.PortableExecutable
open System.Threading
open Microsoft.Diagnostics.Runtime

/// A method, as it is read while the process stands; the rest is looked up when it runs again.
type private Method =
    {
        /// The path of the assembly, as the process has it; "": made at run time.
        Assembly: string
        Token: int
        /// As ClrMD writes it, which is not as the other routes do.
        Written: string
    }

/// One frame: the method, where it stands in its IL, and whether it has called the one before.
type private Raw =
    {
        Method: Method
        Offset: int
        /// The first IL offset behind it that has native code of its own.
        Until: int
        IsCaller: bool
    }

/// All that is read while the process stands.
type private Standing =
    {
        /// The thread, whether it was in managed code, and its stack.
        Stacks: (int * bool * Raw list) list
        Threads: int option
        Queue: int64 option
        Milliseconds: float
    }

/// For which processor time is measured, before the stop.
let private watched = TimeSpan.FromSeconds 0.2

/// Frames of one stack: deeper ones are cut off.
let private deepest = 2000

let private cpuPercent (facts: ProcessFacts) =
    let clock = Stopwatch.StartNew()
    let before = Processes.processorTime facts.Pid
    Thread.Sleep watched

    match before, Processes.processorTime facts.Pid with
    | Some before, Some after ->
        let share = (after - before).TotalSeconds / clock.Elapsed.TotalSeconds
        100.0 * share / float facts.Processors |> max 0.0 |> min 100.0
    | _ -> 0.0

let private explain (pid: int) (said: string) : CannotAttach =
    if OperatingSystem.IsLinux() then
        let scope =
            ProcFiles.ifReadable (fun () -> File.ReadAllText "/proc/sys/kernel/yama/ptrace_scope")

        Refusal.ofPtrace (Refusal.see pid) scope said |> Refusal.raised pid
    else
        CannotAttach(
            pid,
            $"process {pid} cannot be stopped and read ({said.Trim().TrimEnd('.')}): run plait doctor as root or administrator, or look at it without --ptrace"
        )

/// Reads methods, each once: many threads stand in the same ones.
type private Methods() =
    let known = Dictionary<uint64, Method>()

    member _.Of(method: ClrMethod) : Method =
        match known.TryGetValue method.MethodDesc with
        | true, found -> found
        | _ ->
            let name = method.Name |> Option.ofObj |> Option.defaultValue ""

            let written =
                match Option.ofObj method.Type.Name with
                | Some owner -> $"{owner}.{name}"
                | None -> name

            let assembly = method.Type.Module.Name |> Option.ofObj |> Option.defaultValue ""

            let found = { Assembly = assembly; Token = method.MetadataToken; Written = written }

            known[method.MethodDesc] <- found
            found

let private stack (methods: Methods) (thread: ClrThread) : Raw list =
    // in native code the innermost of the managed frames has called that
    let mutable isCaller = thread.GCMode <> GCMode.Cooperative

    [
        for frame in thread.EnumerateStackTrace(false, deepest) do
            match Option.ofObj frame.Method with
            | None -> ()
            | Some method ->
                // outer frames have the address that their callee returns to, which may be of the next line
                let isCalling = isCaller
                let address = frame.InstructionPointer - (if isCalling then 1UL else 0UL)
                isCaller <- true
                let offset = method.GetILOffset address

                {
                    Method = methods.Of method
                    Offset = offset
                    Until =
                        method.ILOffsetMap
                        |> Seq.map _.ILOffset
                        |> Seq.filter (fun other -> other > offset)
                        |> Seq.fold min Int32.MaxValue
                    IsCaller = isCalling
                }
    ]

// A process in a container has its runtime under /proc/PID/root, and with it the library that reads that runtime.
let private createRuntime (pid: int) (info: ClrInfo) : ClrRuntime =
    let own =
        ProcFiles.maps pid
        |> Option.defaultValue []
        |> List.tryFind _.EndsWith("/libcoreclr.so", StringComparison.Ordinal)
        |> Option.map (fun file ->
            let folder = file[.. file.Length - "/libcoreclr.so".Length - 1]
            ProcFiles.reach pid $"{folder}/libmscordaccore.so")
        |> Option.filter File.Exists

    match own with
    | Some reader when ProcFiles.hasOwnFiles pid -> info.CreateRuntime(reader, ignoreMismatch = true)
    | _ -> info.CreateRuntime()

// Tracing belongs to the thread that began it: all of this is on one.
let private stand (pid: int) : Standing =
    let clock = Stopwatch.StartNew()

    let read (target: DataTarget) =
        match Seq.tryHead target.ClrVersions with
        | None -> raise (ClrDiagnosticsException "no .NET runtime was found in it")
        | Some info ->
            use runtime = createRuntime pid info
            let methods = Methods()

            let stacks =
                [
                    for thread in runtime.Threads do
                        if thread.IsAlive then
                            match stack methods thread with
                            | [] -> ()
                            | frames -> int thread.OSThreadId, thread.GCMode = GCMode.Cooperative, frames
                ]

            let threads =
                runtime.ThreadPool
                |> Option.ofObj
                |> Option.map (fun pool -> pool.ActiveWorkerThreads + pool.IdleWorkerThreads)

            stacks, threads, QueueWalk.count runtime

    let stacks, threads, queue =
        use target = DataTarget.AttachToProcess(pid, suspend = true)
        read target

    {
        Stacks = stacks
        Threads = threads
        Queue = queue
        Milliseconds = clock.Elapsed.TotalMilliseconds
    }

/// In which a stop is over on the busiest machine.
let private standLimit = TimeSpan.FromSeconds 15.0

// On a thread of its own, because the system's call that waits for the stop has no limit: a program that has started the process
// itself may lose the message that it stands. The process goes on when this program ends.
let private standWithin (pid: int) : Standing =
    let read: Result<Standing, exn> option ref = ref None

    let reading =
        Thread(
            (fun () ->
                read.Value <-
                    try
                        Some(Ok(stand pid))
                    with error ->
                        Some(Error error)),
            IsBackground = true,
            Name = "stands a process still"
        )

    reading.Start()

    if not (reading.Join standLimit) then
        raise (
            NoAnswer(
                pid,
                $"process {pid} was not brought to a stop within {standLimit.TotalSeconds} s: try again, or look at it without --ptrace"
            )
        )

    match read.Value with
    | Some(Ok standing) -> standing
    | Some(Error error) ->
        System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw error
        raise error
    | None -> raise (InvalidOperationException "nothing was read")

/// Names of methods as metadata have them: "Namespace.Type+Nested.Method", which is how the runtime's own events name them.
type private Names() =
    let images = Dictionary<string, PEReader option>()

    let image (file: string) =
        match images.TryGetValue file with
        | true, found -> found
        | _ ->
            let found =
                try
                    let image = new PEReader(File.OpenRead file)
                    if image.HasMetadata then Some image else None
                with
                | :? IOException
                | :? ArgumentException
                | :? UnauthorizedAccessException
                | :? BadImageFormatException -> None

            images[file] <- found
            found

    let rec typeName (reader: MetadataReader) (handle: TypeDefinitionHandle) : string =
        let definition = reader.GetTypeDefinition handle
        let name = reader.GetString definition.Name

        if definition.IsNested then
            $"{typeName reader (definition.GetDeclaringType())}+{name}"
        else
            match reader.GetString definition.Namespace with
            | "" -> name
            | space -> $"{space}.{name}"

    member _.TryFind(file: string, token: int) : string option =
        image file
        |> Option.bind (fun image ->
            try
                let reader = image.GetMetadataReader()

                match MetadataTokens.EntityHandle token with
                | handle when handle.Kind = HandleKind.MethodDefinition ->
                    let method = reader.GetMethodDefinition(MethodDefinitionHandle.op_Explicit handle)
                    Some $"{typeName reader (method.GetDeclaringType())}.{reader.GetString method.Name}"
                | _ -> None
            with
            | :? BadImageFormatException
            | :? ArgumentException
            | :? InvalidCastException -> None)

    interface IDisposable with
        member _.Dispose() =
            for image in images.Values do
                image |> Option.iter _.Dispose()

let private frames (pid: int) (stacks: (int * bool * Raw list) list) : Sample list =
    use names = new Names()
    use code = new UserCode()
    let made = Dictionary<Raw, Frame>()

    let make (raw: Raw) : Frame =
        let path = ProcFiles.reach pid raw.Method.Assembly

        let moduleName =
            Path.GetFileNameWithoutExtension raw.Method.Assembly
            |> Option.ofObj
            |> Option.defaultValue ""

        let isFramework = FrameworkModules.isFramework moduleName (Some raw.Method.Assembly)

        let place =
            if isFramework || raw.Method.Assembly = "" then
                None
            else
                code.TryFind(path, raw.Method.Token, raw.Offset, raw.Until, raw.IsCaller)

        let line = place |> Option.bind _.Line

        {
            Module = moduleName
            IsFramework = isFramework
            Method = names.TryFind(path, raw.Method.Token) |> Option.defaultValue raw.Method.Written
            File = line |> Option.map fst
            Line = line |> Option.map snd
            Calls = place |> Option.map _.Calls |> Option.defaultValue []
            WrittenIn = place |> Option.bind _.WrittenIn
        }

    let frame raw =
        match made.TryGetValue raw with
        | true, found -> found
        | _ ->
            let found = make raw
            made[raw] <- found
            found

    [
        for thread, isManaged, stack in stacks do
            {
                Thread = thread
                AtMilliseconds = 0.0
                IsManaged = isManaged
                Frames = List.map frame stack
            }
    ]

// In what the process was stopped for nothing is measured over time.
let private notes (standing: Standing) =
    [
        $"all threads of the process were stopped for {standing.Milliseconds:F0} ms; each gave one stack"

        if standing.Queue.IsNone then
            "how many work items wait could not be counted"
        else
            "how many work items are completed a second is not known: a process that stands completes none"
    ]

/// Stops a process, reads the stacks of all its managed threads, its pool and its queue, and lets it go on. It goes on as well when
/// this program dies meanwhile. Raises CannotAttach: another user's process, tracing that is not permitted, a process that is traced already.
let look (facts: ProcessFacts) : Evidence =
    let at = DateTime.UtcNow
    let cpu = cpuPercent facts
    let threads = ThreadStates.watch facts.Pid

    let standing =
        try
            standWithin facts.Pid
        with
        | :? ClrDiagnosticsException
        | :? ArgumentException
        | :? InvalidOperationException
        | :? IOException
        | :? UnauthorizedAccessException
        | :? PlatformNotSupportedException as error -> raise (explain facts.Pid error.Message)

    // The reader of stacks asks the system for threads by the numbers that the runtime has for them.
    if standing.Stacks.IsEmpty then
        raise (
            CannotAttach(
                facts.Pid,
                $"process {facts.Pid} gave no stacks: where it runs in a container its threads have other numbers there than here; run plait doctor inside that container, or without --ptrace"
            )
        )


    {
        Process = facts
        Route = Route.Ptrace
        At = at
        Milliseconds = standing.Milliseconds
        Readings =
            match standing.Threads, standing.Queue with
            | Some threads, Some queue ->
                [
                    {
                        AtMilliseconds = 0.0
                        Threads = threads
                        Queue = queue
                        CompletedPerSecond = None
                        CpuPercent = cpu
                        ContentionsPerSecond = None
                    }
                ]
            | _ -> []
        Adjustments = []
        Samples = frames facts.Pid standing.Stacks
        Threads = threads
        Canary = None
        Notes = notes standing
    }
