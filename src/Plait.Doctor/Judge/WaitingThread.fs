// Threads that wait for others: outside of the pool, or anywhere where they can never go on; and such waits in words.
namespace Plait.Doctor

/// Waits and deadlocks in words.
module internal WaitWords =
    /// "thread 4711", "threads 4711, 4712".
    let threads (deadlock: Deadlock) : string =
        match deadlock.By with
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

    /// What a thread waits for, in a clause that goes on with the function.
    let waits (kind: BlockKind) : string =
        match kind with
        | BlockKind.TaskWait -> "waits for a task"
        | BlockKind.ParallelLoop -> "waits for a parallel loop"
        | BlockKind.RunSynchronously -> "waits for an async"
        | BlockKind.Lock -> "waits for a lock"
        | BlockKind.Mutex -> "waits for a mutex"
        | BlockKind.Initializer -> "waits for a static constructor"
        | BlockKind.Finalizers -> "waits for the finalizers"
        | BlockKind.Semaphore -> "waits for a semaphore"
        | BlockKind.WaitHandle -> "waits for an event"
        | BlockKind.Mailbox -> "waits for a mailbox's reply"
        | BlockKind.Collection -> "waits for a BlockingCollection"
        | BlockKind.Join -> "waits for a thread to end"
        | _ -> "waits"

/// A thread outside of the pool that waits for others, or any that can never go on.
type WaitingThread =
    {
        /// As the operating system numbers it.
        Thread: int
        IsMain: bool
        /// Whether it is a worker of the pool.
        IsWorker: bool
        /// Whether it runs the finalizers of all objects.
        IsFinalizer: bool
        Kind: BlockKind
        Function: string
        Place: (string * int) option
        /// The user's frames, innermost first: function and place.
        Stack: (string * (string * int) option) list
        /// The type of its SynchronizationContext; None: it has none, or that is not known.
        Context: string option
        /// Whether work that was posted to its context waits until it goes on; None: not known.
        HasPosted: bool option
        /// Whether it can never go on: work that was posted to its context waits for it, or it waits for threads that wait as well.
        IsHung: bool
        /// Why, where it waits for such threads.
        Deadlock: Deadlock option
        /// How long it has waited; None: not known.
        WaitsForSeconds: float option
    }

/// From stacks to threads that wait.
module internal WaitingThreads =
    /// Seconds from which on the finalizer thread stands for too long.
    let private longFinalizer = 5.0

    /// The threads outside of the pool that wait for others or run finalizers, and all that can never go on, these first.
    let find (evidence: Evidence) : WaitingThread list =
        [
            for thread, samples in evidence.Samples |> List.groupBy _.Thread do
                let look = Causes.look evidence samples
                let isFinalizer = WorkerStack.isFinalizer look.Frames

                let context = Map.tryFind thread evidence.Contexts
                let deadlock = context |> Option.bind _.Deadlock
                let isWorker = samples |> List.exists (Blaming.isWorker evidence)

                let since = context |> Option.bind _.WaitsForSeconds

                let isHung =
                    deadlock.IsSome
                    || context |> Option.exists _.HasWork
                    || isFinalizer && since |> Option.exists (fun seconds -> seconds >= longFinalizer)

                // threads of the framework's own, and of packages, wait for what they are for
                let isNobodys (kind: BlockKind) =
                    not (BlockKinds.isForTask kind)
                    && look.Frames |> List.forall (fun frame -> frame.IsFramework || frame.IsPackage)

                let isMeant (kind: BlockKind) =
                    isHung
                    || isFinalizer
                    || not isWorker
                       && BlockKinds.isForOthers kind
                       && not (isNobodys kind || MeantWait.isOne look.Frames)

                match look.State with
                | WorkerState.Blocked kind when Blaming.isHeld look && isMeant kind ->
                    let name, place = Blaming.blamed look.Frames

                    {
                        Thread = thread
                        IsMain = thread = evidence.Process.Pid
                        IsWorker = isWorker
                        IsFinalizer = isFinalizer
                        Kind = kind
                        Function = name
                        Place = place
                        Stack = Blaming.userFrames look.Frames
                        Context = context |> Option.bind _.Context
                        HasPosted = context |> Option.bind _.HasPosted
                        IsHung = isHung
                        Deadlock = deadlock
                        WaitsForSeconds = since
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
