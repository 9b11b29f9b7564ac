// Threads that wait for others outside of the pool, deadlocked threads of any kind, and their waits in words.
namespace Plait.Doctor

/// Waits and deadlocks in words.
module internal WaitWords =
    /// "thread 4711", "threads 4711, 4712".
    let threads (deadlock: Deadlock) : string =
        match deadlock.BlockedBy with
        | [ one ] -> $"thread {one}"
        | several -> "threads " + (several |> List.map string |> String.concat ", ")

    /// "lock", "lock on Account".
    let lock (object: string option) : string =
        match object with
        | Some object -> $"lock on {object}"
        | None -> "lock"

    /// "thread 4711 outside of the pool".
    let outside (thread: OutsideThread) : string =
        if thread.IsFinalizer then
            "the finalizer thread"
        else
            $"thread {thread.Thread} outside of the pool"

    /// The object of a wait, in a clause after the function.
    let waits (kind: BlockKind) : string =
        match kind with
        | BlockKind.TaskWait -> "waits for a task"
        | BlockKind.ParallelLoop -> "waits for a parallel loop"
        | BlockKind.RunSynchronously -> "waits for an async"
        | BlockKind.Lock -> "waits for a lock"
        | BlockKind.SpinLock -> "waits for a SpinLock"
        | BlockKind.Mutex -> "waits for a mutex"
        | BlockKind.Initializer -> "waits for a static constructor"
        | BlockKind.Finalizers -> "waits for the finalizers"
        | BlockKind.Semaphore -> "waits for a semaphore"
        | BlockKind.WaitHandle -> "waits for an event"
        | BlockKind.Mailbox -> "waits for a mailbox's reply"
        | BlockKind.Collection -> "waits for a BlockingCollection"
        | BlockKind.Join -> "waits for a thread to end"
        | _ -> "waits"

/// A thread outside of the pool that waits for others, or a deadlocked thread of any kind.
type WaitingThread =
    {
        /// The operating system's number of it.
        Thread: int
        IsMain: bool
        /// Whether it is a worker of the pool.
        IsWorker: bool
        /// Whether it is the finalizer thread.
        IsFinalizer: bool
        Kind: BlockKind
        Function: string
        Place: (string * int) option
        /// The user's frames, innermost first: function and place.
        Stack: (string * (string * int) option) list
        /// The type of its SynchronizationContext; None: it has none, or that is not known.
        Context: string option
        /// Whether work that was posted to its context waits for it; None: not known.
        HasPosted: bool option
        /// Whether it hangs: work that was posted to its context waits for it and it for that work, or it is deadlocked.
        IsHung: bool
        /// None: it is not deadlocked.
        Deadlock: Deadlock option
        /// How long it has waited; None: not known.
        WaitsForSeconds: float option
        /// Whether the memory of the process showed this thread; false: whether it hangs is not known.
        IsRead: bool
    }

/// From stacks to threads that wait.
module internal WaitingThreads =
    /// The seconds in one finalizer after which the finalizer thread hangs.
    let private longFinalizer = 5.0

    /// The threads outside of the pool that wait for others or run finalizers, and all hanging threads; these first.
    let find (evidence: Evidence) : WaitingThread list =
        [
            for thread, samples in evidence.Samples |> List.groupBy _.Thread do
                let look = Causes.look evidence samples
                let isFinalizer = WorkerStack.isFinalizer look.Frames

                let context = Map.tryFind thread evidence.Contexts
                let deadlock = context |> Option.bind _.Deadlock
                let isWorker = samples |> List.exists (BlockingLines.isWorker evidence)

                let since = context |> Option.bind _.WaitsForSeconds

                let isHung =
                    deadlock.IsSome
                    || context |> Option.exists _.HasWork
                    || isFinalizer && since |> Option.exists (fun seconds -> seconds >= longFinalizer)

                // threads of the framework and of packages wait on purpose
                let isNobodys (kind: BlockKind) =
                    not (BlockKinds.isForTask kind)
                    && look.Frames |> List.forall (fun frame -> frame.IsFramework || frame.IsPackage)

                let isMeant (kind: BlockKind) =
                    isHung
                    || isFinalizer
                    || not isWorker
                       && BlockKinds.isForOthers kind
                       && not (isNobodys kind || IntendedWait.isOne look.Frames)

                match look.State with
                | WorkerState.Blocked kind when BlockingLines.isHeld look && isMeant kind ->
                    let name, place = BlockingLines.userFunction look.Frames

                    {
                        Thread = thread
                        IsMain = thread = evidence.MainThread
                        IsWorker = isWorker
                        IsFinalizer = isFinalizer
                        Kind = kind
                        Function = name
                        Place = place
                        Stack = BlockingLines.userFrames look.Frames
                        Context = context |> Option.bind _.Context
                        HasPosted = context |> Option.bind _.HasPosted
                        IsHung = isHung
                        Deadlock = deadlock
                        WaitsForSeconds = since
                        IsRead = context |> Option.exists _.IsRead
                    }
                | _ -> ()
        ]
        |> List.sortBy (fun waiter ->
            not waiter.IsHung,
            not waiter.IsMain,
            not waiter.IsFinalizer,
            waiter.Context.IsNone,
            not (BlockKinds.isForTask waiter.Kind),
            waiter.Thread)
