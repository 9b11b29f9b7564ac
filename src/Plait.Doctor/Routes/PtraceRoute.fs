// The debugger's way: one thread after the other is stopped for a moment, and gives its stack. It needs no diagnostics port, and
// works where that is off or silent.
module Plait.Doctor.PtraceRoute

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.Runtime

/// All that is read.
type private Standing =
    {
        Read: ThreadReading.Read
        /// In the order of time.
        Readings: PoolReading list
        Stops: Stops
        /// The operating system's states of its threads.
        States: Map<int, OsThread>
        /// Whether all threads stood still for the garbage collector, or for a debugger of the runtime, while stacks were read.
        StoodStill: bool
    }

/// No runtime is found in the process.
exception private NoRuntime

let private explain (pid: int) (said: string) : CannotAttach =
    let scope =
        ProcFiles.ifReadable (fun () -> File.ReadAllText "/proc/sys/kernel/yama/ptrace_scope")

    Refusal.ofPtrace (Refusal.see pid) scope said |> Refusal.raised pid

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

/// Whether the process numbers its threads as we do: not in a container.
let private hasOurNumbers (pid: int) : bool =
    ProcFiles.status pid |> Option.exists (fun status -> status.Numbers.Length <= 1)

let private summary (limit: TimeSpan) (stops: ThreadStops) (read: ThreadReading.Read) : Stops =
    let durations = stops.Durations

    {
        LimitMilliseconds = limit.TotalMilliseconds
        LongestMilliseconds = List.fold max 0.0 durations
        TotalMilliseconds = List.sum durations
        Threads = durations.Length
        Unread = read.Unread + read.Untaken
    }

/// For so long a look waits for threads to run again, and so long it waits from one try to the next, in milliseconds.
let private patience, private apart = 3000, 20

/// Threads of the pool, its queue, and the work items that it has completed. The process runs meanwhile: a value that is half written is read
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
        // the garbage collector moves objects meanwhile: another object lies there
        | :? ArgumentException
        | :? InvalidOperationException -> None, None, None

    let readings = Seq.init 10 read |> Seq.cache

    readings
    |> Seq.tryFind (fun (threads, queue, _) -> threads.IsSome && queue.IsSome)
    |> Option.defaultWith (fun () -> Seq.last readings)

/// Readings of the pool after the stacks, and milliseconds between them: a queue that one of them finds empty keeps nothing waiting.
let private poolTimes, private poolApart = 4, 100

/// Makes readings of the pool, each with what was completed since the one before.
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

/// Whether the runtime has all threads stand still at this moment, for its garbage collector or a debugger.
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

/// Whether all threads stood still at about some time, by the looks before and after it; without a look near it, by all looks.
/// Where other programs have the processors, the looks are rarer than the collector's stops.
let internal stoodStill (seen: (DateTime * bool) list) (from: DateTime, until: DateTime) : bool =
    let about = TimeSpan.FromMilliseconds(float apart)

    let isStill (looks: (DateTime * bool) list) = looks |> List.exists snd

    let near =
        seen |> List.filter (fun (at, _) -> at >= from - about && at <= until + about)

    if near.IsEmpty then isStill seen else isStill near

/// The system's states of the threads, and whether the runtime had all of them stand still at about some time
/// meanwhile.
let private watched (pid: int) (runtime: ClrRuntime) : ThreadStates.Watched * (DateTime * DateTime -> bool) =
    let watching = Threading.Tasks.Task.Run(fun () -> ThreadStates.Watched.Of pid)
    let seen = List<DateTime * bool>()

    while not watching.IsCompleted do
        seen.Add((DateTime.UtcNow, standsStill runtime))
        Thread.Sleep 5

    watching.GetAwaiter().GetResult(), stoodStill (List.ofSeq seen)

// Ctrl-Z would leave a thread of the process standing.
let private stand (pid: int) (limit: TimeSpan) : Standing =
    use _ =
        PosixSignalRegistration.Create(PosixSignal.SIGTSTP, fun context -> context.Cancel <- true)

    use live = DataTarget.AttachToProcess(pid, suspend = false)
    let reader = StoodReader live.DataReader
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
            StoodStill = stands
        }

// On a thread of its own, which may be left behind.
let private standWithin (pid: int) (limit: TimeSpan) : Standing =
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

/// The notes about the stops of a look, in sentences: their number and length, and the threads without a stack.
/// `unread`: they did not stand in time, or had ended; `untaken`: there was no time for them.
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

let private notes (standing: Standing) =
    [
        yield! stopNotes standing.Stops standing.Read.Unread standing.Read.Untaken

        if standing.StoodStill then
            "all threads stood still for the garbage collector, or for a debugger, while stacks were read: threads in code of the program itself are not counted as blocked"

        if standing.Readings.IsEmpty then
            "the number of waiting work items could not be read"
        elif standing.Readings |> List.forall _.CompletedPerSecond.IsNone then
            "the number of work items completed a second could not be read"
    ]

/// The longest stop of a thread, unless the user sets another one.
let usualLimit: TimeSpan = TimeSpan.FromMilliseconds 500.0

/// The stops of a look with this limit, in a clause.
let stops (limit: TimeSpan) : string =
    $"each thread is stopped by itself, for {limit.TotalMilliseconds} ms at most, while all others run"

/// The same and the figures of the result, in clauses that are printed before the look.
let promise (limit: TimeSpan) : string =
    $"{stops limit}; the result has the longest stop of a thread and the sum of all stops, which has no limit"

/// Stops the managed threads of a process one after the other, each let go when it has stood for `limit`, and reads their stacks; its pool and its
/// queue are read while it runs. It goes on as well when this program dies meanwhile. Raises CannotAttach: another user's process,
/// tracing that is not permitted, a process that is traced already, a child of this process.
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
        raise (Refusal.ofOwnChild (Refusal.see facts.Pid) |> Refusal.raised facts.Pid)

    let at = DateTime.UtcNow
    let clock = Stopwatch.StartNew()
    let cpu = FromOutside.cpuPercent facts
    let isStopped = List.contains (Refusal.see facts.Pid).State [ 'T'; 't' ]

    let standing =
        try
            standWithin facts.Pid limit
        with
        | NoRuntime -> raise (Refusal.ofHiddenRuntime (Refusal.see facts.Pid) |> Refusal.raised facts.Pid)
        | :? ClrDiagnosticsException
        | :? ArgumentException
        | :? InvalidOperationException
        | :? IOException
        | :? UnauthorizedAccessException
        | :? PlatformNotSupportedException as error -> raise (explain facts.Pid error.Message)

    // The reader of stacks asks the system for threads by the numbers that the runtime has for them.
    if standing.Read.Stacks.IsEmpty then
        raise (
            CannotAttach(
                facts.Pid,
                $"process {facts.Pid} gave no stacks: if it runs in a container, its threads have other numbers there than here; run plait doctor inside that container, or without --ptrace"
            )
        )

    let samples, notesOfCode = MemoryStacks.samples facts.Pid standing.Read.Stacks

    {
        Process = facts
        Route = Route.Ptrace
        At = at
        Milliseconds = clock.Elapsed.TotalMilliseconds
        Readings =
            [
                for reading in standing.Readings do
                    { reading with
                        CpuPercent = cpu
                        // it completes nothing while it stands
                        CompletedPerSecond = if isStopped then None else reading.CompletedPerSecond
                    }
            ]
        CpuPercent = cpu
        MaxThreads = None
        Adjustments = []
        Samples = samples
        Threads = standing.States
        Contexts = Map.empty
        Held = Map.empty
        Stops = Some standing.Stops
        Ended = None
        Notes =
            [
                yield! notes standing

                if isStopped then
                    "the process was stopped by a signal or a debugger: its stacks are from that moment, and the CPU time is from later"

                yield! notesOfCode
            ]
    }
