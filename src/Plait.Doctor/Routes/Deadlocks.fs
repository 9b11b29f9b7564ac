// Deadlocks: the object of each wait, a task, a lock or the end of a thread, and the threads that could end the wait. Reads the
// memory of the running process; a waiting thread has the object of its wait on its stack. Stops no thread.
module internal Plait.Doctor.Deadlocks

open System
open System.Collections.Generic
open Microsoft.Diagnostics.Runtime

open Plait.Doctor.LockHolders
open Plait.Doctor.Objects

/// The deadlocked threads: each waits for threads that wait for one another, too, or for a lock whose holder has ended. Threads
/// that wait for a deadlock are among them.
let stuck (waits: Map<int, Deadlock>) : Map<int, Deadlock> =
    let rec settle (left: Map<int, Deadlock>) =
        let still =
            left
            |> Map.filter (fun _ wait ->
                match wait with
                | { WaitsFor = WaitObject.AbandonedLock _ } -> true
                | { BlockedBy = [] } -> false
                | { BlockedBy = others } -> others |> List.forall (fun other -> Map.containsKey other left))

        if still.Count = left.Count then left else settle still

    settle waits

/// The wait of a thread that joins one of these.
let joins (threads: int list) : Deadlock option =
    if threads.IsEmpty then
        None
    else
        Some { WaitsFor = WaitObject.Thread; BlockedBy = List.distinct threads }

/// The wait of a thread for a static constructor that one of these threads runs.
let initializedBy (threads: int list) : Deadlock option =
    if threads.IsEmpty then
        None
    else
        Some { WaitsFor = WaitObject.Initializer; BlockedBy = threads }

let private isTask = derives "System.Threading.Tasks.Task"

/// The states of a task in Task.m_stateFlags.
let private started, private invoked, private completed =
    0x10000, 0x20000, 0x1600000

let private isPending (task: ClrObject) =
    number task "m_stateFlags" &&& completed = 0

/// Whether it waits in the queue of a scheduler.
let private isQueued (task: ClrObject) =
    number task "m_stateFlags" &&& (started ||| invoked ||| completed) = started
    && (field task "m_action").IsSome

/// The scheduler of a task, if that is not the pool.
let private scheduler (task: ClrObject) : ClrObject option =
    field task "m_taskScheduler"
    |> Option.filter (fun found -> typeName found <> "System.Threading.Tasks.ThreadPoolTaskScheduler")

/// The objects that an object completes: a task its continuations, a continuation its method. All of these are the framework's.
/// References of a user's object are not followed: it may complete the other object, wait for it, or only read it.
let private completes (object: ClrObject) : ClrObject seq =
    let name = typeName object

    if isTask object then
        [ "m_continuationObject"; "m_action"; "m_stateObject" ] |> Seq.choose (field object)
    elif
        not (name.StartsWith("System.", StringComparison.Ordinal))
        || isElsewhere name
        || derives "System.Threading.Tasks.TaskScheduler" object
        || name = "System.Threading.Tasks.ConcurrentExclusiveSchedulerPair"
    then
        Seq.empty
    else
        references object

/// A thread of the process, by its memory.
type private ManagedThread =
    {
        Names: LivingThread
        Clr: ClrThread
        /// The task that it runs.
        Current: ClrObject option
    }

    member this.Thread = this.Names.Thread

// it numbers its locks apart from those of ReaderWriterLockSlim
let private oldReaderWriterLock = "System.Threading.ReaderWriterLock"

/// A snapshot of a process, with the objects that the `waiting` threads wait for. `initializing`: the threads that run a static
/// constructor. `resumed`: the state machines that threads have resumed.
type WaitSnapshot
    (pid: int, runtime: ClrRuntime, waiting: int Set, initializing: int list, resumed: Map<int, string list>)
    =
    let heap = runtime.Heap

    let currentTask = threadStatic runtime "System.Threading.Tasks.Task" "t_currentTask"
    let reads = threadStatic runtime "System.Threading.ReaderWriterLockSlim" "t_rwc"

    let threads =
        [
            for names, thread in living runtime do
                { Names = names; Clr = thread; Current = currentTask thread }
        ]

    let living = threads |> List.map _.Names

    let stacks =
        dict [ for thread in waiting -> thread, StackWords.objects pid runtime thread ]

    let locks =
        lazy
            [
                for block in heap.EnumerateSyncBlocks() do
                    if block.IsMonitorHeld && block.WaitingThreadCount > 0 then
                        block.Object, block.HoldingThreadAddress
            ]

    /// Schedulers outside of the pool; a pair of schedulers is one.
    let place (scheduler: ClrObject) : ClrObject =
        field scheduler "m_pair" |> Option.defaultValue scheduler

    /// The threads of a scheduler, by the tasks that they run.
    let occupants (place: uint64) (placeOf: ClrObject -> ClrObject) : int list =
        [
            for thread in threads do
                match thread.Current |> Option.bind scheduler with
                | Some own when (placeOf own).Address = place -> thread.Thread
                | _ -> ()
        ]

    /// The tasks that wait in a scheduler.
    let queued (place': ClrObject) : ClrObject list =
        reached [ place' ] (fun object ->
            if isTask object || isElsewhere (typeName object) then Seq.empty else references object)
        |> List.filter (fun object ->
            isTask object
            && isQueued object
            && scheduler object |> Option.exists (fun own -> (place own).Address = place'.Address))

    let completedBy (root: ClrObject) : HashSet<uint64> =
        HashSet(reached [ root ] completes |> Seq.map _.Address)

    /// For each task that a thread runs: the tasks that it completes in the end.
    let running =
        lazy
            [
                for thread in threads do
                    match thread.Current with
                    | Some task when isPending task -> thread.Thread, completedBy task
                    | _ -> ()

                for KeyValue(thread, machines) in resumed do
                    let pending =
                        [
                            for object in StackWords.objects pid runtime thread do
                                if isTask object && isPending object then
                                    typeName object, content object, object
                        ]

                    for task in ResumedTasks.find machines pending do
                        thread, completedBy task
            ]

    let behind =
        lazy
            (threads
             |> List.choose (fun thread -> thread.Current |> Option.bind scheduler |> Option.map place)
             |> List.distinctBy _.Address
             |> List.map (fun place ->
                 place,
                 [
                     for task in queued place do
                         completedBy task
                 ]))

    /// The tasks that a thread waits for: their completion wakes it.
    let awaited (stack: ClrObject list) : ClrObject list =
        let events =
            stack
            |> List.filter (fun object ->
                (typeName object).StartsWith("System.Threading.Tasks.Task+SetOn", StringComparison.Ordinal))
            |> List.map _.Address
            |> set

        let wakes (task: ClrObject) =
            match field task "m_continuationObject" with
            | None -> false
            | Some next when events.Contains next.Address -> true
            // several continuations are a list
            | Some next when (typeName next).StartsWith "System.Collections.Generic.List" ->
                field next "_items"
                |> Option.exists (references >> Seq.exists (fun item -> events.Contains item.Address))
            | Some _ -> false

        if events.IsEmpty then
            []
        else
            stack |> List.filter (fun object -> isTask object && isPending object && wakes object)

    let waitForTask (task: ClrObject) : Deadlock option =
        let ran =
            running.Value |> List.tryFind (fun (_, completed) -> completed.Contains task.Address)

        match ran with
        | Some(thread, _) -> Some { WaitsFor = WaitObject.Task; BlockedBy = [ thread ] }
        | None ->
            behind.Value
            |> List.tryFind (fun (_, queued) ->
                queued |> List.exists (fun completed -> completed.Contains task.Address))
            |> Option.map (fun (place', _) ->
                {
                    WaitsFor = WaitObject.Scheduler(typeName place')
                    BlockedBy = occupants place'.Address place
                })

    /// The reader locks that a thread has entered, by their numbers: each lock's own type keeps its counts of them.
    let isReader (isOld: bool) (object: ClrObject) : ManagedThread -> bool =
        let first, number', count, next =
            match object.Type with
            | null -> (fun _ -> None), "", "", ""
            | kind when isOld ->
                let entries = "System.Threading.ReaderWriterLock+ThreadLocalLockEntry"

                threadStaticOf runtime kind.Module entries "t_lockEntryHead",
                "_lockID",
                "_readerLevel",
                "_next"
            | _ -> reads, "lockID", "readercount", "next"

        let lock = wide object "_lockID"

        fun seen ->
            Seq.unfold (Option.map (fun entry -> entry, field entry next)) (first seen.Clr)
            |> Seq.truncate mostObjects
            // the old lock's count has 16 bits
            |> Seq.exists (fun entry -> wide entry number' = lock && number entry count &&& 0xFFFF > 0)

    /// The other threads inside a ReaderWriterLock or a ReaderWriterLockSlim, and the runtime's number of its writer; 0 or less: it has
    /// none.
    let inside (thread: int) (object: ClrObject) : int list * int =
        let isOld = typeName object = oldReaderWriterLock
        let isReader = isReader isOld object

        let writer = number object (if isOld then "_writerID" else "_writeLockOwnerId")
        let owners = [ writer; number object "_upgradeLockOwnerId" ]

        [
            for seen in threads do
                if seen.Thread <> thread && (List.contains seen.Names.Managed owners || isReader seen) then
                    seen.Thread
        ],
        writer

    let waitForLock (thread: int) (stack: ClrObject list) : WaitAt option =
        let holders (object: ClrObject) =
            let name = typeName object
            // .NET 11 has one for each object that threads wait for
            let isLock = name = "System.Threading.Lock"

            let named (holder: HolderName) =
                match find living holder with
                | Some own when own = thread -> []
                | found -> [ (if isLock then None else Some name), found, Set [ object.Address, holder ] ]

            if name = oldReaderWriterLock || name = "System.Threading.ReaderWriterLockSlim" then
                match inside thread object with
                | [], writer when writer > 0 -> named (HolderName.Managed writer)
                | inside, _ -> [ for inside in inside -> Some name, Some inside, Set.empty ]
            elif isLock then
                match number object "_owningThreadId" with
                | 0 -> []
                // .NET 11, whose Lock has no such field, has the runtime's number
                | owner when hasField object "_waitEvent" -> named (HolderName.System owner)
                | owner -> named (HolderName.Managed owner)
            else
                match locks.Value |> List.tryFind (fun (locked, _) -> locked = object.Address) with
                | Some(_, holder) when holder <> 0UL -> named (HolderName.Address holder)
                | _ -> []

        let held = List.collect holders stack

        behindAny [ for object, holder, _ in held -> object, holder ]
        |> Option.map (fun wait ->
            {
                Wait = wait
                Lost =
                    match wait.WaitsFor with
                    | WaitObject.AbandonedLock _ ->
                        held |> List.map (fun (_, _, lock) -> lock) |> Set.unionMany
                    | _ -> Set.empty
            })

    let waitForThread (thread: int) (stack: ClrObject list) : Deadlock option =
        [
            for object in stack do
                if typeName object = "System.Threading.Thread" then
                    let joined = number object "_managedThreadId"

                    // a thread's own is at the end of its stack
                    for other in threads do
                        if other.Names.Managed = joined && other.Thread <> thread then
                            other.Thread
        ]
        |> joins

    /// The objects on the stack of a waiting thread, from the innermost frame on.
    member _.Stack(thread: int) : ClrObject list =
        match stacks.TryGetValue thread with
        | true, stack -> stack
        | _ -> StackWords.objects pid runtime thread

    /// The tasks that a thread with this stack waits for.
    member _.Awaited(stack: ClrObject list) : ClrObject list = awaited stack

    /// The wait of a thread in such a call, and the threads that could end it; None: unknown.
    member _.Wait(thread: int, kind: BlockKind) : WaitAt option =
        let stack = stacks[thread]

        let plain (wait: Deadlock option) =
            wait |> Option.map (fun wait -> { Wait = wait; Lost = Set.empty })

        match kind with
        | BlockKind.Lock -> waitForLock thread stack
        | BlockKind.Join -> plain (waitForThread thread stack)
        | BlockKind.Initializer -> initializing |> List.filter ((<>) thread) |> initializedBy |> plain
        | BlockKind.TaskWait
        | BlockKind.RunSynchronously -> awaited stack |> List.tryPick waitForTask |> plain
        | _ -> None

    /// The async method whose task a thread waits for; None: not known, or tasks of several.
    member _.AwaitedMethod(thread: int) : string option =
        match awaited stacks[thread] |> List.map (typeName >> ResumedTasks.methodOf) |> List.distinct with
        | [ only ] -> only
        | _ -> None

    /// Whether the innermost wait handle on a thread's stack is a mutex.
    member _.IsMutex(thread: int) : bool =
        stacks[thread]
        |> List.tryFind (derives "System.Threading.WaitHandle")
        |> Option.exists (fun handle -> typeName handle = "System.Threading.Mutex")

/// The waits of threads at one moment.
type MomentOfWaits =
    {
        /// The threads that each thread waits for.
        Waits: Map<int, WaitAt>
        /// The threads that wait for a mutex.
        Mutexes: Set<int>
        /// For threads that wait for the task of an async method: the method.
        Awaited: Map<int, string>
    }

/// For threads that wait in calls of these kinds. `managed`: the threads that ran managed code before.
let snapshot
    (pid: int)
    (runtime: ClrRuntime)
    (managed: Set<int>)
    (initializing: int list)
    (resumed: Map<int, string list>)
    (waits: Map<int, BlockKind>)
    : MomentOfWaits =
    let snapshot = WaitSnapshot(pid, runtime, set waits.Keys, initializing, resumed)

    let found =
        [
            for KeyValue(thread, kind) in waits do
                match snapshot.Wait(thread, kind) with
                | Some wait -> thread, wait
                | None -> ()
        ]

    let later () =
        forget runtime
        { Threads = LockHolders.living runtime |> List.map fst; Tasks = ProcFiles.ownNumbers pid }

    {
        Waits = confirmed managed later (Map.ofList found)
        Mutexes =
            set
                [
                    for KeyValue(thread, kind) in waits do
                        if kind = BlockKind.WaitHandle && snapshot.IsMutex thread then
                            thread
                ]
        Awaited =
            Map.ofSeq
                [
                    for KeyValue(thread, kind) in waits do
                        if kind = BlockKind.TaskWait then
                            match snapshot.AwaitedMethod thread with
                            | Some method -> thread, method
                            | None -> ()
                ]
    }
