// Waiting threads: whether work in the SynchronizationContext of a thread waits for that thread; and deadlocks of threads of any
// kind. Reads the memory of the running process, and stops nothing. On Linux, if that memory may be read.
module internal Plait.Doctor.Contexts

open System
open Microsoft.Diagnostics.Runtime

open Plait.Doctor.MemoryReading
open Plait.Doctor.StackWaits

/// The most threads whose contexts are read; for each kind of wait, the most threads whose stacks are searched for an owner; the
/// most threads whose stacks are searched for a resumed task; and the most threads whose last run is read. More waiting threads
/// than these are a pool of the program's own.
let private mostContexts, private mostStacks, private mostResumed, private mostTimes =
    4000, 32, 32, 200

/// The limit of time for reading the memory, on a busy machine.
let private limit = TimeSpan.FromSeconds 30.0

/// The facts that several readings of the memory have in common.
type internal MemorySnapshots =
    {
        /// For each waiting thread its context, if it has one, and whether work in it waits. A thread that was not found, or not
        /// alike, is missing.
        Contexts: Map<int, (string * PostedWork.PostedState) option>
        /// The objects of the threads' waits, and the threads that could end them.
        Waits: Map<int, Deadlock>
        /// The threads that wait for a mutex.
        Mutexes: Set<int>
        /// For threads that wait for the task of an async method: the method.
        Awaited: Map<int, string>
        /// The threads that waited for a lock, if workers of the pool were its holders at all moments.
        InTurns: Set<int>
        MaxThreads: int option
    }

let private nothing =
    {
        Contexts = Map.empty
        Waits = Map.empty
        Mutexes = Set.empty
        Awaited = Map.empty
        InTurns = Set.empty
        MaxThreads = None
    }

/// The waiting threads, if all of them waited for locks of workers.
let private inTurns (workers: Set<int>) (waits: (int * Deadlock) list) : Set<int> =
    let forLocks =
        waits
        |> List.filter (fun (_, wait) ->
            match wait.WaitsFor with
            | WaitObject.Lock _ -> true
            | _ -> false)

    if forLocks |> List.forall (fun (_, wait) -> wait.BlockedBy |> List.forall workers.Contains) then
        set (List.map fst forLocks)
    else
        Set.empty

/// The facts from the memory of a process.
type MemoryFacts =
    {
        /// Threads that wait outside of the pool, and all deadlocked threads.
        Threads: Map<int, ThreadContext>
        /// The lock or the mutex of threads that wait for one.
        Held: Map<int, HeldLock>
        /// The threads that could complete the task for which a thread waits, by the waiting thread.
        Runners: Map<int, int list>
        /// For threads that wait for the task of an async method: the method.
        Awaited: Map<int, string>
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

/// The note about memory that was not read; `reason`: a clause.
let private unread (reason: string) : string =
    $"the memory of the process was not read ({reason}): the doctor did not look for deadlocks, and not for work that waits for the thread to whose SynchronizationContext it was posted"

/// The note about waiting threads that several readings of the memory did not show alike.
let private missing (threads: int) : string =
    $"the memory of the process did not show {threads:N0} of the waiting threads at each of several moments: whether they hang is not known"

/// The note about waiting threads whose stacks were not found in the memory.
let private stackless (threads: int) : string =
    $"/proc does not show the stacks of {threads:N0} waiting threads (they have other numbers in a container, or the kernel does not permit it): the doctor did not look for deadlocks of these"

/// The facts about the threads that wait outside of the pool, and about all deadlocked threads. If the memory is not read, only
/// that these threads wait. `tried`: makes one reading of the memory, which may fail, or tells why there is none.
let internal readBy
    (tried: (unit -> MemorySnapshots) -> Result<MemorySnapshots, string>)
    (pid: int)
    (samples: Sample list)
    : MemoryFacts =
    let waits, others = sorted (ProcFiles.numberInside pid) samples

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

    let managed =
        set
            [
                for sample in samples do
                    if not sample.Frames.IsEmpty then
                        sample.Thread
            ]

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
        let reader = SnapshotReader live.DataReader
        use target = new DataTarget(reader, DataTargetOptions())

        match Seq.tryHead target.ClrVersions with
        | None when reader.IsRefused -> raise (Unreadable "the system does not permit it")
        | None -> raise (Unreadable "no .NET runtime was found in it")
        | Some info ->
            use runtime = info.CreateRuntime()

            let contexts =
                lasting
                    (fun () ->
                        Objects.forget runtime

                        PostedWork.snapshot
                            pid
                            runtime
                            (mayHaveContexts |> List.truncate mostContexts |> Map.ofList)
                            others)
                    (fun before now ->
                        match before, now with
                        | Some(_, before), Some(context, now) -> Some(Some(context, min before now))
                        | None, None -> Some None
                        | _ -> None)

            let mutexes = ref Set.empty
            // a thread may be between two waits at one of the moments
            let awaited = ref Map.empty
            let seen = ref []

            let lastingWaits =
                lasting
                    (fun () ->
                        Objects.forget runtime

                        let moment = Deadlocks.snapshot pid runtime managed initializing searched mayBeStuck

                        mutexes.Value <- moment.Mutexes
                        awaited.Value <- Map.foldBack Map.add moment.Awaited awaited.Value

                        seen.Value <-
                            [ for KeyValue(thread, at) in moment.Waits -> thread, at.Wait ] @ seen.Value

                        moment.Waits)
                    (fun before now -> if before = now then Some now else None)
                |> Map.map (fun _ wait -> wait.Wait)

            let most = runtime.ThreadPool |> Option.ofObj |> Option.map _.MaxThreads

            {
                Contexts = contexts
                Waits = lastingWaits
                Mutexes = mutexes.Value
                Awaited = awaited.Value
                InTurns = inTurns (set (WorkerStack.threadsWith WorkerStack.isWorker samples)) seen.Value
                MaxThreads = most
            }

    let finalizer =
        samples
        |> List.tryFind (fun sample -> WorkerStack.isFinalizer sample.Frames)
        |> Option.map _.Thread

    if waits.IsEmpty && finalizer.IsNone then
        {
            Threads = Map.empty
            Held = Map.empty
            Runners = Map.empty
            Awaited = Map.empty
            MaxThreads = None
            Notes = []
        }
    else
        let since =
            Seq.append (Option.toList finalizer) waits.Keys
            |> Seq.truncate mostTimes
            |> StandingTimes.ofThreads pid

        let found =
            if waits.IsEmpty then Ok nothing
            elif OperatingSystem.IsLinux() then tried look
            else Error "the doctor reads it on Linux alone"

        let memory = found |> Result.defaultValue nothing
        let lastingWaits = memory.Waits

        let alive = lazy (ProcFiles.ownNumbers pid)

        let absent (contexts: Map<int, _>) : int =
            List.truncate mostContexts mayHaveContexts
            |> List.filter (fun (thread, _) ->
                not (contexts.ContainsKey thread) && alive.Value.Contains thread)
            |> List.length

        let hidden =
            [
                for KeyValue(thread, kind) in mayBeStuck do
                    if hasOwner kind && (ProcFiles.call pid thread).IsNone && alive.Value.Contains thread then
                        thread
            ]

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
                            let seen = Map.tryFind thread memory.Contexts
                            let context = Option.flatten seen

                            let work =
                                context
                                |> Option.map snd
                                |> Option.defaultValue PostedWork.PostedState.Unknown

                            let deadlock = Map.tryFind thread deadlocks
                            let seconds = Map.tryFind thread since

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
                                    WaitsForSeconds = seconds
                                    Deadlock = deadlock
                                    IsRead =
                                        // a finalizer hangs by its time
                                        seen.IsSome || finalizer = Some thread && seconds.IsSome
                                }
                    ]
            Held =
                Map.ofSeq
                    [
                        for thread in memory.Mutexes do
                            thread, { IsMutex = true; Name = None; Holder = Holder.Unknown }

                        for thread in memory.InTurns do
                            thread, { IsMutex = false; Name = None; Holder = Holder.Workers }

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
                            if found.IsOk && kind = BlockKind.TaskWait then
                                match Map.tryFind thread lastingWaits with
                                | Some {
                                           WaitsFor = WaitObject.Task | WaitObject.Scheduler _
                                           BlockedBy = threads
                                       } -> thread, threads
                                | _ -> thread, []
                    ]
            Awaited = memory.Awaited
            MaxThreads = memory.MaxThreads |> Option.filter (fun most -> most > 0)
            Notes =
                match found with
                | Error reason -> [ unread reason ]
                | Ok memory ->
                    [
                        yield!
                            leftOut
                                [ for kind, _ in waits.Values -> kind ]
                                mayHaveContexts.Length
                                resumed.Length

                        match absent memory.Contexts with
                        | 0 -> ()
                        | threads -> missing threads

                        match hidden.Length with
                        | 0 -> ()
                        | threads -> stackless threads
                    ]
        }

/// The facts from the memory of a process, read within a limit of time.
let read (pid: int) (samples: Sample list) : MemoryFacts = readBy (tried limit) pid samples
