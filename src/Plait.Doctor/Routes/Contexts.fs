// Waiting threads: whether work in the SynchronizationContext of a thread waits for that thread; and deadlocks of threads of any
// kind. Reads the memory of the running process, and stops nothing. On Linux, if that memory may be read.
module internal Plait.Doctor.Contexts

open System
open System.Globalization
open System.IO
open System.Threading
open Microsoft.Diagnostics.Runtime

/// The most threads whose contexts are read; for each kind of wait, the most threads whose stacks are searched for an owner; the
/// most threads whose stacks are searched for a resumed task; and the most threads whose last run is read. More waiting threads
/// than these are a pool of the program's own.
let private mostContexts, private mostStacks, private mostResumed, private mostTimes =
    4000, 32, 32, 200

/// The number of snapshots in which posted work must wait, and the milliseconds between them: a dispatcher takes up its work in
/// between.
let private times, private apart = 3, 50

/// Whether the owners of a wait of this kind can be found.
let private hasOwner (kind: BlockKind) : bool =
    BlockKinds.isForTask kind
    || kind = BlockKind.Lock
    || kind = BlockKind.Join
    || kind = BlockKind.Initializer

/// The kind of call in which a thread with these frames waits for other threads; None: it runs, or waits for something outside of
/// the process.
let kind (frames: Frame list) : BlockKind option =
    let frames = WorkerStack.withoutInitializers frames
    let inner = frames |> List.takeWhile _.IsFramework

    let kinds =
        [
            for frame in inner do
                frame.Method
            // the JIT may have inlined the called frame into the user's
            for frame in frames |> List.skip inner.Length |> List.truncate 1 do
                yield! frame.Calls
        ]
        |> List.choose BlockingCalls.ofCall

    kinds
    |> List.tryFind hasOwner
    |> Option.orElse (List.tryLast kinds |> Option.filter BlockKinds.isForOthers)

/// Whether a thread that waits for a lock with this stack may give up and try again: its call is TryEnter, which may have a limit
/// of time. Enter calls TryEnter in turn, and the JIT may have inlined Enter: then the user's statement has it.
let mayGiveUp (frames: Frame list) : bool =
    let isLock (name: string) =
        BlockingCalls.ofCall name = Some BlockKind.Lock

    let enters (name: string) =
        let name = name.Substring(name.LastIndexOf '.' + 1).TrimStart '<'

        name.StartsWith("Enter", StringComparison.Ordinal)
        || name.StartsWith("ReliableEnter", StringComparison.Ordinal)

    let inner = frames |> List.takeWhile _.IsFramework

    let statement =
        frames
        |> List.tryItem inner.Length
        |> Option.map (_.Calls >> List.filter isLock)
        |> Option.defaultValue []

    match inner |> List.map _.Method |> List.filter isLock |> List.tryLast with
    | Some outermost when enters outermost -> false
    | _ -> statement.IsEmpty || not (List.forall enters statement)

/// The threads that ran a static constructor in the look: each may be the one that other threads wait for.
let initializing (samples: Sample list) : int list =
    WorkerStack.threadsWith WorkerStack.isInitializing samples

/// The threads that wait for others in most of their samples, each with the kind of its wait and a stack; and a stack of each
/// other thread.
let private sorted
    (pid: int)
    (samples: Sample list)
    : Map<int, BlockKind * Frame list> * Map<int, Frame list> =
    let looks =
        [
            for thread, members in samples |> List.groupBy _.Thread do
                let kinds = members |> List.map (fun sample -> kind sample.Frames, sample.Frames)
                let so, others = kinds |> List.partition (fst >> Option.isSome)

                if so.Length > others.Length then
                    thread, so |> List.countBy id |> List.maxBy snd |> fst
                else
                    thread, List.last others
        ]

    // a main function that sleeps or reads the console keeps its process alive
    let keepsAlive (thread: int) (frames: Frame list) =
        thread = pid
        && frames
           |> List.takeWhile _.IsFramework
           |> List.choose (fun frame -> BlockingCalls.ofCall frame.Method)
           |> List.exists (fun kind -> kind = BlockKind.Sleep || kind = BlockKind.Console)

    let goesOn (thread: int) (frames: Frame list) =
        not (WorkerStack.isIdle frames && WorkerStack.isWorker frames || keepsAlive thread frames)
        && frames |> List.exists (fun frame -> not frame.IsFramework)

    Map.ofList
        [
            for thread, (kind, frames) in looks do
                match kind with
                | Some kind -> thread, (kind, frames)
                | None -> ()
        ],
    Map.ofList
        [
            for thread, (kind, frames) in looks do
                if kind.IsNone && goesOn thread frames then
                    thread, frames
        ]

/// Whether a thread with this stack is outside of the pool and does not wait on purpose.
let private isOutside (frames: Frame list) : bool =
    not (WorkerStack.isWorker frames || IntendedWait.isOne frames)

let private schedule (file: string) : float option =
    ProcFiles.ifReadable (fun () -> File.ReadLines file |> Seq.tryFind _.StartsWith("se.exec_start"))
    |> Option.flatten
    |> Option.bind (fun line ->
        match
            Double.TryParse(
                line.Substring(line.IndexOf ':' + 1),
                NumberStyles.Float,
                CultureInfo.InvariantCulture
            )
        with
        | true, milliseconds -> Some milliseconds
        | _ -> None)

/// Seconds since a thread last ran, by the scheduler's clock, which is the same for all threads.
let private waitsFor (pid: int) (thread: int) : float option =
    Option.map2
        (fun now last -> max 0.0 (now - last) / 1000.0)
        (schedule "/proc/thread-self/sched")
        (schedule $"/proc/{pid}/task/{thread}/sched")

/// The facts that hold in each of several snapshots; `both`: the common part of two.
let private lasting (read: unit -> Map<int, 'T>) (both: 'T -> 'T -> 'T option) : Map<int, 'T> =
    let moments =
        [
            for time in 1..times do
                if time > 1 then
                    Thread.Sleep apart

                read ()
        ]

    moments
    |> List.reduce (fun before after ->
        Map.ofSeq
            [
                for thread, now in Map.toSeq after do
                    match Map.tryFind thread before |> Option.bind (fun before -> both before now) with
                    | Some kept -> thread, kept
                    | None -> ()
            ])

/// The limit of time for reading the memory, on a busy machine.
let private limit = TimeSpan.FromSeconds 10.0

/// The facts from the memory of a process.
type MemoryFacts =
    {
        /// Threads that wait outside of the pool, and all deadlocked threads.
        Threads: Map<int, ThreadContext>
        /// The lock or the mutex of threads that wait for one.
        Held: Map<int, HeldLock>
        /// The threads that could complete the task for which a thread waits, by the waiting thread.
        Runners: Map<int, int list>
        /// The most threads that the pool may have; None: not known.
        MaxThreads: int option
        /// The limits of the look, in sentences.
        Notes: string list
    }

/// The notes if not all threads were read. `waits`: the kinds of the waits, one for each thread. `contexts`: the number of
/// threads that may have a context with work.
/// `resumed`: the number of threads that have resumed an async method.
let leftOut (waits: BlockKind list) (contexts: int) (resumed: int) : string list =
    let owned = waits |> List.filter hasOwner
    let looked = owned |> List.countBy id |> List.sumBy (snd >> min mostStacks)

    [
        if contexts > mostContexts then
            $"{contexts:N0} threads wait, and the doctor looked at the SynchronizationContexts of {mostContexts:N0} of them: it does not find a thread among the others that waits for work posted to its own"

        if looked < owned.Length then
            $"not checked for a deadlock: {owned.Length - looked:N0} of {owned.Length:N0} threads that wait for a task, a lock, a static constructor or a thread"

        if resumed > mostResumed && List.exists BlockKinds.isForTask waits then
            $"{resumed:N0} threads have resumed an async method, and the doctor searched {mostResumed:N0} of them for its task: it does not find a thread among the others that runs the task for which others wait"
    ]

/// The threads that have resumed async methods, each with the types of their state machines. Those that do not wait for others come
/// first: they may be a long way from the end.
let resumed (waits: Map<int, Frame list>) (others: Map<int, Frame list>) : (int * string list) list =
    [
        for thread, frames in Map.toList others @ Map.toList waits do
            match ResumedTasks.machines frames with
            | [] -> ()
            | machines -> thread, machines
    ]

/// The facts about the threads that wait outside of the pool, and about all deadlocked threads. If the memory may not be read,
/// only that these threads wait.
let read (pid: int) (samples: Sample list) : MemoryFacts =
    let waits, others = sorted pid samples

    let outside = waits |> Map.filter (fun _ (_, frames) -> isOutside frames)

    // A thread that waits on purpose may have a context; the workers of a pool are too many to read.
    let mayHaveContexts =
        Map.toList outside
        @ (waits |> Map.filter (fun _ (_, frames) -> WorkerStack.isWorker frames) |> Map.toList)

    let mayBeStuck =
        [
            for kind, members in waits |> Map.toList |> List.groupBy (fun (_, (kind, _)) -> kind) do
                if hasOwner kind || kind = BlockKind.WaitHandle then
                    for thread, _ in List.truncate mostStacks members do
                        thread, kind
        ]
        |> Map.ofList

    let initializing = initializing samples

    let resumed = resumed (waits |> Map.map (fun _ (_, frames) -> frames)) others
    let searched = resumed |> List.truncate mostResumed |> Map.ofList

    let named =
        lazy
            (let atHandles =
                mayBeStuck |> Map.filter (fun _ kind -> kind = BlockKind.WaitHandle) |> _.Keys

             if OperatingSystem.IsLinux() && atHandles.Count > 0 then
                 TimeLimit.one "reads mutexes" limit (fun () -> NamedMutexes.read pid atHandles)
                 |> Option.defaultValue Map.empty
             else
                 Map.empty)

    let look () =
        use live = DataTarget.AttachToProcess(pid, suspend = false)
        use target = new DataTarget(SnapshotReader live.DataReader, DataTargetOptions())

        match Seq.tryHead target.ClrVersions with
        | None -> None
        | Some info ->
            use runtime = info.CreateRuntime()

            let forget () =
                runtime.DataTarget.DataReader.FlushCachedData()
                runtime.FlushCachedData()

            let contexts =
                lasting
                    (fun () ->
                        forget ()

                        PostedWork.snapshot
                            pid
                            runtime
                            (mayHaveContexts |> List.truncate mostContexts |> Map.ofList)
                            others)
                    (fun (_, before) (context, now) -> Some(context, min before now))

            let mutexes = ref Set.empty

            let lastingWaits =
                lasting
                    (fun () ->
                        forget ()
                        let waits, found = Deadlocks.snapshot pid runtime initializing searched mayBeStuck
                        mutexes.Value <- found
                        waits)
                    (fun before now -> if before = now then Some now else None)

            let most = runtime.ThreadPool |> Option.ofObj |> Option.map _.MaxThreads
            Some(contexts, lastingWaits, mutexes.Value, most)

    let finalizer =
        samples
        |> List.tryFind (fun sample -> WorkerStack.isFinalizer sample.Frames)
        |> Option.map _.Thread

    if waits.IsEmpty && finalizer.IsNone then
        {
            Threads = Map.empty
            Held = Map.empty
            Runners = Map.empty
            MaxThreads = None
            Notes = []
        }
    else
        let since =
            [
                for thread in Seq.append (Option.toList finalizer) waits.Keys |> Seq.truncate mostTimes do
                    thread, waitsFor pid thread
            ]
            |> Map.ofList

        let found =
            try
                if OperatingSystem.IsLinux() && not waits.IsEmpty then
                    TimeLimit.one "reads contexts" limit look |> Option.flatten
                else
                    None
            with
            // A half-written value, or one that may not be read, is unknown. The look goes on without it.
            | _ ->
                None

        let contexts, lastingWaits, mutexes, most =
            found |> Option.defaultValue (Map.empty, Map.empty, Set.empty, None)

        let deadlocks =
            lastingWaits
            |> Map.filter (fun thread _ ->
                match waits[thread] with
                | BlockKind.Lock, frames -> not (mayGiveUp frames)
                | _ -> true)
            |> Deadlocks.stuck

        {
            Threads =
                Map.ofSeq
                    [
                        for thread in Seq.append (Option.toList finalizer) waits.Keys |> Seq.distinct do
                            let context = Map.tryFind thread contexts

                            let work =
                                context
                                |> Option.map snd
                                |> Option.defaultValue PostedWork.PostedState.Unknown

                            let deadlock = Map.tryFind thread deadlocks

                            if
                                outside.ContainsKey thread
                                || finalizer = Some thread
                                || work = PostedWork.PostedState.Hangs
                                || deadlock.IsSome
                            then
                                thread,
                                {
                                    Context = Option.map fst context
                                    HasPosted =
                                        match work with
                                        | PostedWork.PostedState.Unknown -> None
                                        | work -> Some(work <> PostedWork.PostedState.Absent)
                                    HasWork = (work = PostedWork.PostedState.Hangs)
                                    WaitsForSeconds = Map.tryFind thread since |> Option.flatten
                                    Deadlock = deadlock
                                }
                    ]
            Held =
                Map.ofSeq
                    [
                        for thread in mutexes do
                            thread, { IsMutex = true; Name = None; Holder = Holder.Unknown }

                        for KeyValue(thread, wait) in lastingWaits do
                            match wait with
                            | { WaitsFor = WaitObject.Lock _; BlockedBy = [ holder ] } ->
                                thread, { IsMutex = false; Name = None; Holder = Holder.Thread holder }
                            | _ -> ()

                        // the last lock of a thread counts
                        yield! Map.toSeq named.Value
                    ]
            Runners =
                Map.ofSeq
                    [
                        for KeyValue(thread, kind) in mayBeStuck do
                            if found.IsSome && kind = BlockKind.TaskWait then
                                match Map.tryFind thread lastingWaits with
                                | Some {
                                           WaitsFor = WaitObject.Task | WaitObject.Scheduler _
                                           BlockedBy = threads
                                       } -> thread, threads
                                | _ -> thread, []
                    ]
            MaxThreads = most |> Option.filter (fun most -> most > 0)
            Notes =
                if found.IsSome || waits.IsEmpty then
                    leftOut [ for kind, _ in waits.Values -> kind ] mayHaveContexts.Length resumed.Length
                else
                    [
                        $"the doctor did not read the memory of the process: it lacks the permission, or needed more than {limit.TotalSeconds:F0} s. Threads may wait for one another, or for work that was posted to their own SynchronizationContext"
                    ]
        }
