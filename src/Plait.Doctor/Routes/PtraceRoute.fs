// The route of --ptrace: stops one thread after the other for a moment and reads its stack, as a debugger does. It needs no
// diagnostics port, and works if that is off or does not answer.
module Plait.Doctor.PtraceRoute

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.Runtime

/// The readings of a process.
type private ProcessReading =
    {
        Read: ThreadReading.ThreadStacks
        /// In the order of time.
        Readings: PoolReading list
        Stops: Stops
        /// The operating system's states of its threads.
        States: Map<int, OsThread>
        /// Whether a garbage collection, or a debugger of the runtime, suspended all threads during the reading of stacks.
        WasSuspended: bool
    }

/// No runtime is found in the process.
exception private NoRuntime

let private explain (pid: int) (said: string) : CannotAttach =
    let scope =
        ProcFiles.ifReadable (fun () -> File.ReadAllText "/proc/sys/kernel/yama/ptrace_scope")

    Refusal.ofPtrace (Refusal.inspect pid) scope said |> Refusal.raised pid

// A process in a container has its runtime under /proc/PID/root, with the library that reads that runtime.
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

/// Whether the process has our thread numbers: not in a container.
let private hasOurNumbers (pid: int) : bool =
    ProcFiles.status pid |> Option.exists (fun status -> status.Numbers.Length <= 1)

let private summary (limit: TimeSpan) (stops: ThreadStops) (read: ThreadReading.ThreadStacks) : Stops =
    let durations = stops.Durations

    {
        LimitMilliseconds = limit.TotalMilliseconds
        LongestMilliseconds = List.fold max 0.0 durations
        TotalMilliseconds = List.sum durations
        Threads = durations.Length
        Unread = read.Unread + read.Untaken
    }

/// The milliseconds for which a look waits until threads run again, and those between two tries.
let private patience, private apart = 3000, 20

/// Threads of the pool, its queue, and its completed work items. The process runs meanwhile: a half-written value is read again,
/// a few times.
/// again, a few times.
let private pool (runtime: ClrRuntime) : int option * int64 option * int64 option =
    let read (attempt: int) =
        if attempt > 0 then
            Thread.Sleep apart

        ThreadReading.forget runtime

        try
            let threads =
                runtime.ThreadPool
                |> Option.ofObj
                |> Option.map (fun pool -> pool.ActiveWorkerThreads + pool.IdleWorkerThreads)

            threads, QueueWalk.count runtime, QueueWalk.completed runtime
        with
        // the objects of this runtime have another form
        | MemoryReading.Unreadable _
        // the garbage collector moves objects meanwhile: another object may be there
        | :? ArgumentException
        | :? InvalidOperationException -> None, None, None

    let readings = Seq.init 10 read |> Seq.cache

    readings
    |> Seq.tryFind (fun (threads, queue, _) -> threads.IsSome && queue.IsSome)
    |> Option.defaultWith (fun () -> Seq.last readings)

/// The number of readings of the pool after the stacks, and the milliseconds between them: if one reading finds the queue empty,
/// no work waits.
let private poolTimes, private poolApart = 4, 100

/// Makes readings of the pool, each with the work items that were completed since the last one.
type private PoolReadings(runtime: ClrRuntime) =
    let clock = Stopwatch.StartNew()
    let readings = List<PoolReading>()
    let mutable before: (float * int64) option = None

    /// Reads the pool now.
    member _.Take() =
        let threads, queue, completed = pool runtime
        let at = clock.Elapsed.TotalMilliseconds

        match threads, queue with
        | Some threads, Some queue ->
            readings.Add
                {
                    AtMilliseconds = at
                    Threads = threads
                    Queue = queue
                    CompletedPerSecond =
                        Option.map2
                            (fun (since, before) completed ->
                                1000.0 * float (max 0L (completed - before)) / max 1.0 (at - since))
                            before
                            completed
                    CpuPercent = None
                    ContentionsPerSecond = None
                }

            before <- completed |> Option.map (fun completed -> at, completed)
        | _ -> ()

    member _.All: PoolReading list = List.ofSeq readings

/// Whether the runtime suspends all threads at this moment, for its garbage collector or a debugger.
let private standsStill (runtime: ClrRuntime) : bool =
    ThreadReading.forget runtime
    let threads = ThreadReading.alive runtime

    let have (state: ClrThreadState) =
        threads |> List.filter (fun thread -> thread.State &&& state <> enum 0) |> List.length

    not runtime.Heap.CanWalkHeap
    || have ClrThreadState.TS_DebugSuspendPending > 0
    || 2 * have ClrThreadState.TS_GCSuspendPending > threads.Length

let private untilItRuns (runtime: ClrRuntime) =
    let clock = Stopwatch.StartNew()

    while standsStill runtime && clock.ElapsedMilliseconds < int64 patience do
        Thread.Sleep apart

/// Whether all threads were suspended at about some time, by the checks before and after it; without a check near it, by all
/// checks. If other programs use the processors, the checks are rarer than the suspensions.
let internal stoodStill (seen: (DateTime * bool) list) (from: DateTime, until: DateTime) : bool =
    let about = TimeSpan.FromMilliseconds(float apart)

    let isStill (looks: (DateTime * bool) list) = looks |> List.exists snd

    let near =
        seen |> List.filter (fun (at, _) -> at >= from - about && at <= until + about)

    if near.IsEmpty then isStill seen else isStill near

/// The system's states of the threads, and a function that tells whether the runtime suspended all of them at about some time.
let private watched
    (pid: int)
    (runtime: ClrRuntime)
    : ThreadStates.ThreadWatch * (DateTime * DateTime -> bool) =
    let watching = Threading.Tasks.Task.Run(fun () -> ThreadStates.ThreadWatch.Of pid)
    let seen = List<DateTime * bool>()

    while not watching.IsCompleted do
        seen.Add((DateTime.UtcNow, standsStill runtime))
        Thread.Sleep 5

    watching.GetAwaiter().GetResult(), stoodStill (List.ofSeq seen)

// Ctrl-Z would leave a thread of the process stopped.
let private stand (pid: int) (limit: TimeSpan) : ProcessReading =
    use _ =
        PosixSignalRegistration.Create(PosixSignal.SIGTSTP, fun context -> context.Cancel <- true)

    use live = DataTarget.AttachToProcess(pid, suspend = false)
    let reader = SnapshotReader live.DataReader
    use target = new DataTarget(reader, DataTargetOptions())

    match Seq.tryHead target.ClrVersions with
    | None when reader.IsRefused ->
        raise (UnauthorizedAccessException "the system refuses to read its memory")
    | None -> raise NoRuntime
    | Some info ->
        use runtime = createRuntime pid info
        let stops = ThreadStops(pid, live.DataReader, limit)

        untilItRuns runtime
        let threads, wasStill = watched pid runtime
        let before = standsStill runtime
        let readings = PoolReadings runtime
        // before anything is stopped
        readings.Take()

        let read =
            if hasOurNumbers pid then
                ThreadReading.stacks runtime reader stops
            else
                { Stacks = []; Unread = 0; Untaken = 0 }

        let stands = before || standsStill runtime

        if stops.Refused <> 0 then
            raise (ClrDiagnosticsException(Marshal.GetPInvokeErrorMessage stops.Refused))

        for time in 1..poolTimes do
            if time > 1 then
                Thread.Sleep poolApart

            readings.Take()

        {
            Read = read
            Readings = readings.All
            Stops = summary limit stops read
            States = threads.States(fun moment -> stands || wasStill moment)
            WasSuspended = stands
        }

// On a thread of its own, which may stay behind.
let private standWithin (pid: int) (limit: TimeSpan) : ProcessReading =
    let threads = ProcFiles.status pid |> Option.map _.Threads |> Option.defaultValue 0
    let within = ThreadReading.limitOf threads

    match TimeLimit.one "stops threads" within (fun () -> stand pid limit) with
    | Some standing -> standing
    | None ->
        raise (
            NoAnswer(
                pid,
                $"the {threads} threads of process {pid} were not read within {within.TotalSeconds:F0} s: try again, or look at it without --ptrace"
            )
        )

/// The notes about the stops of a look, in sentences: their number and length, and the threads without a stack. `unread`: they
/// did not stop in time, or had ended; `untaken`: there was no time for them.
let internal stopNotes (stops: Stops) (unread: int) (untaken: int) : string list =
    let limit = stops.LimitMilliseconds.ToString "0.##"

    [
        $"{stops.Threads} threads were stopped, one at a time: the longest stop was {stops.LongestMilliseconds:F1} ms (limit for each thread {limit} ms), all stops together {stops.TotalMilliseconds:F0} ms; each thread gave one stack"

        if stops.LongestMilliseconds > stops.LimitMilliseconds then
            "the longest stop was over the limit: other programs took the processors from plait doctor while the thread stood"

        if unread > 0 then
            $"{unread} threads gave none: they did not stop in time, or had ended"

        if untaken > 0 then
            $"{untaken} threads were not read, because the time for reading them was up: blocked ones among them are unknown; look again when the machine is less busy, or without --ptrace"
    ]

let private notes (standing: ProcessReading) =
    [
        yield! stopNotes standing.Stops standing.Read.Unread standing.Read.Untaken

        if standing.WasSuspended then
            "all threads stood still for the garbage collector, or for a debugger, while stacks were read: threads in code of the program itself are not counted as blocked"

        if standing.Readings.IsEmpty then
            "the number of waiting work items could not be read"
        elif standing.Readings |> List.forall _.CompletedPerSecond.IsNone then
            "the number of work items completed a second could not be read"
    ]

/// The limit of a thread's stop, unless the user sets another one.
let usualLimit: TimeSpan = TimeSpan.FromMilliseconds 500.0

/// The stops of a look with this limit, in a clause.
let stops (limit: TimeSpan) : string =
    $"each thread is stopped by itself, for {limit.TotalMilliseconds} ms at most, while all others run"

/// The same with the figures of the result, in clauses that are printed before the look.
let promise (limit: TimeSpan) : string =
    $"{stops limit}; the result has the longest stop of a thread and the sum of all stops, which has no limit"

/// Stops the managed threads of a process one after the other, each for at most `limit`, and reads their stacks; reads the pool
/// and its queue while it runs. If this program dies meanwhile, the process continues. Raises CannotAttach for another user's
/// process, for tracing that is not permitted, for a process that is traced already, and for a child of this process.
let look (limit: TimeSpan) (facts: ProcessFacts) : Evidence =
    if not (OperatingSystem.IsLinux()) then
        raise (
            CannotAttach(
                facts.Pid,
                $"process {facts.Pid} cannot be looked at by --ptrace: only Linux can stop single threads for a limited time; look at it without --ptrace"
            )
        )

    let isOwnChild =
        ProcFiles.status facts.Pid
        |> Option.exists (fun status -> status.Parent = Environment.ProcessId)

    if isOwnChild then
        raise (Refusal.ofOwnChild (Refusal.inspect facts.Pid) |> Refusal.raised facts.Pid)

    if not (ThreadStates.hasBegun facts.Pid) then
        raise (Refusal.ofBeginning (Refusal.inspect facts.Pid) |> Refusal.raised facts.Pid)

    let at = DateTime.UtcNow
    let clock = Stopwatch.StartNew()
    let cpu = ExternalView.cpuPercent facts
    let isStopped = List.contains (Refusal.inspect facts.Pid).State [ 'T'; 't' ]

    let standing =
        try
            standWithin facts.Pid limit
        with
        | NoRuntime -> raise (Refusal.ofHiddenRuntime (Refusal.inspect facts.Pid) |> Refusal.raised facts.Pid)
        | :? ClrDiagnosticsException
        | :? ArgumentException
        | :? InvalidOperationException
        | :? IOException
        | :? UnauthorizedAccessException
        | :? PlatformNotSupportedException as error -> raise (explain facts.Pid error.Message)

    // The reader of stacks finds threads by the runtime's numbers for them.
    if standing.Read.Stacks.IsEmpty then
        raise (
            CannotAttach(
                facts.Pid,
                $"process {facts.Pid} gave no stacks: if it runs in a container, its threads have other numbers there than here; run plait doctor inside that container, or without --ptrace"
            )
        )

    let samples, notesOfCode = MemoryStacks.samples facts.Pid standing.Read.Stacks

    { Evidence.Of(facts, Route.Ptrace, at) with
        Milliseconds = clock.Elapsed.TotalMilliseconds
        Readings =
            [
                for reading in standing.Readings do
                    { reading with
                        CpuPercent = cpu
                        // a stopped process completes nothing
                        CompletedPerSecond = if isStopped then None else reading.CompletedPerSecond
                    }
            ]
        CpuPercent = cpu
        Samples = samples
        Threads = standing.States
        Stops = Some standing.Stops
        Notes =
            [
                yield! notes standing

                if isStopped then
                    "the process was stopped by a signal or a debugger: its stacks are from that moment, and the CPU time is from later"

                yield! notesOfCode
            ]
    }
