// The debugger's way: all threads of the process are stopped, each gives its stack, and they go on. It needs no diagnostics port, and
// works where that is off or silent.
module Plait.Doctor.PtraceRoute

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Reflection.Metadata
open System.Reflection.Metadata.Ecma335
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.Runtime

/// A method, as it is read while the process stands.
type private Method =
    {
        /// The path of the assembly, as the process has it; "": made at run time.
        Assembly: string
        /// The mark of its symbols; empty: it has none.
        Build: Guid
        Token: int
        /// As the runtime's events write it.
        Written: string
    }

/// One frame: the method, and where it stands in it.
type private Raw = { Method: Method; Position: Position }

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

/// The process stands, and no runtime is found in it.
exception private NoRuntime

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
type private Methods(memory: IDataReader) =
    let known = Dictionary<uint64, Method>()
    let builds = Dictionary<uint64, Guid>()
    let metadata = Dictionary<uint64, MetadataReader option>()

    // From memory: what is in a single file is no file of its own.
    let readMetadata (clrModule: ClrModule) : MetadataReader option =
        let image = Array.zeroCreate<byte>(int clrModule.MetadataLength)

        if image.Length = 0 || memory.Read(clrModule.MetadataAddress, Span image) <> image.Length then
            None
        else
            try
                let image = ImmutableCollectionsMarshal.AsImmutableArray image
                Some((MetadataReaderProvider.FromMetadataImage image).GetMetadataReader())
            with :? BadImageFormatException ->
                None

    let metadataOf (clrModule: ClrModule) =
        match metadata.TryGetValue clrModule.Address with
        | true, found -> found
        | _ ->
            let found = readMetadata clrModule
            metadata[clrModule.Address] <- found
            found

    let build (clrModule: ClrModule) =
        match builds.TryGetValue clrModule.Address with
        | true, build -> build
        | _ ->
            let build =
                clrModule.Pdb |> Option.ofObj |> Option.map _.Guid |> Option.defaultValue Guid.Empty

            builds[clrModule.Address] <- build
            build

    // By the metadata: ClrMD's own names have the arguments of generics in them.
    let written (method: ClrMethod) =
        let own () =
            let name = method.Name |> Option.ofObj |> Option.defaultValue ""

            match Option.ofObj method.Type.Name with
            | Some owner -> $"{owner}.{name}"
            // as the events have it of what was made at run time
            | None -> $"dynamicClass.{name}"

        match metadataOf method.Type.Module, method.MetadataToken &&& 0xFFFFFF with
        | Some reader, row when row <> 0 ->
            try
                MetadataNames.ofMethod reader (MetadataTokens.MethodDefinitionHandle row)
            with :? BadImageFormatException ->
                own ()
        | _ -> own ()

    member _.Of(method: ClrMethod) : Method =
        match known.TryGetValue method.MethodDesc with
        | true, found -> found
        | _ ->
            let found =
                {
                    Assembly = method.Type.Module.Name |> Option.ofObj |> Option.defaultValue ""
                    Build = build method.Type.Module
                    Token = method.MetadataToken
                    Written = written method
                }

            known[method.MethodDesc] <- found
            found

// Of code compiled ahead of time there may be no map.
let private position (method: ClrMethod) (address: uint64) (isCaller: bool) (callee: string) : Position =
    if method.ILOffsetMap.IsEmpty then
        if callee = "" then Position.Unknown else Position.Calling callee
    else
        let offset = method.GetILOffset address

        let until =
            method.ILOffsetMap
            |> Seq.map _.ILOffset
            |> Seq.filter (fun other -> other > offset)
            |> Seq.fold min Int32.MaxValue

        Position.Between(offset, until, isCaller)

let private stack (methods: Methods) (thread: ClrThread) : Raw list =
    // in native code the innermost of the managed frames has called that
    let mutable isCaller = thread.GCMode <> GCMode.Cooperative
    let mutable callee = ""

    [
        for frame in thread.EnumerateStackTrace(false, deepest) do
            match Option.ofObj frame.Method with
            | None -> ()
            | Some method ->
                // outer frames have the address that their callee returns to, which may be of the next line
                let address = frame.InstructionPointer - (if isCaller then 1UL else 0UL)
                let read = methods.Of method

                { Method = read; Position = position method address isCaller callee }

                isCaller <- true
                callee <- read.Written
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
        | None -> raise NoRuntime
        | Some info ->
            use runtime = createRuntime pid info
            let methods = Methods target.DataReader

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
    match TimeLimit.one "stands a process still" standLimit (fun () -> stand pid) with
    | Some standing -> standing
    | None ->
        raise (
            NoAnswer(
                pid,
                $"process {pid} was not brought to a stop within {standLimit.TotalSeconds} s: try again, or look at it without --ptrace"
            )
        )

let private frames (pid: int) (stacks: (int * bool * Raw list) list) : Sample list * string list =
    use code = new UserCode()
    let made = Dictionary<Raw, Frame>()

    let make (raw: Raw) : Frame =
        Frames.make
            code
            {
                Assembly = raw.Method.Assembly
                Module = Frames.moduleName raw.Method.Assembly
                Written = raw.Method.Written
                Method =
                    if raw.Method.Assembly = "" then
                        None
                    else
                        Some
                            {
                                File = ProcFiles.reach pid raw.Method.Assembly
                                Build = raw.Method.Build
                                Token = raw.Method.Token
                            }
                Position = raw.Position
            }

    let frame raw =
        match made.TryGetValue raw with
        | true, found -> found
        | _ ->
            let found = make raw
            made[raw] <- found
            found

    let samples =
        [
            for thread, isManaged, stack in stacks do
                {
                    Thread = thread
                    AtMilliseconds = 0.0
                    IsManaged = isManaged
                    Frames = List.map frame stack
                }
        ]

    samples, code.Notes

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
    let threads = ThreadStates.Watched.Of facts.Pid

    let standing =
        try
            standWithin facts.Pid
        with
        | NoRuntime when OperatingSystem.IsLinux() ->
            raise (Refusal.ofHiddenRuntime (Refusal.see facts.Pid) |> Refusal.raised facts.Pid)
        | NoRuntime -> raise (explain facts.Pid "no .NET runtime was found in it")
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

    let samples, notesOfCode = frames facts.Pid standing.Stacks

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
        Samples = samples
        // what the collector does is not known in this way
        Threads = threads.States(fun _ -> false)
        Canary = None
        Notes = notes standing @ notesOfCode
    }
