// Who makes others wait: the holders of locks, mutexes and semaphores that are blocked themselves, the thread that runs a static
// constructor, and the finalizer thread. Their lines come before those of the workers that wait for them.
namespace Plait.Doctor

/// A line that makes workers wait.
type internal Cause =
    {
        Line: Blame
        /// The kinds of the waits of these workers.
        Waits: BlockKind list
    }

/// From workers that wait to the lines that make them wait.
module internal Causes =
    /// The state of a thread by what is known of the lock that it waits for: a stack shows no mutex.
    let private toldMutex (evidence: Evidence) (thread: int) (state: WorkerState) : WorkerState =
        match state, Map.tryFind thread evidence.Held with
        | WorkerState.Blocked BlockKind.WaitHandle, Some { IsMutex = true } ->
            WorkerState.Blocked BlockKind.Mutex
        | state, _ -> state

    /// The look of one thread over its samples.
    let look (evidence: Evidence) (samples: Sample list) : WorkerLook =
        Blaming.workers
            [
                for sample in samples do
                    let state = Leaves.state (Blaming.waiting evidence sample) sample
                    sample, toldMutex evidence sample.Thread state
            ]
        |> List.exactlyOne

    /// The samples of workers, each with its state. Who waits in the line of one that waits for a mutex waits for one as well.
    let states (evidence: Evidence) : (Sample * WorkerState) list =
        let states =
            [ for sample, state in Blaming.states evidence -> sample, toldMutex evidence sample.Thread state ]

        let lines =
            set
                [
                    for sample, state in states do
                        if state = WorkerState.Blocked BlockKind.Mutex then
                            Blaming.blamed sample.Frames
                ]

        if lines.IsEmpty then
            states
        else
            [
                for sample, state in states ->
                    match state with
                    | WorkerState.Blocked BlockKind.WaitHandle when
                        lines.Contains(Blaming.blamed sample.Frames)
                        ->
                        sample, WorkerState.Blocked BlockKind.Mutex
                    | _ -> sample, state
            ]

    /// Whether others wait so for a thread that has come farther in the same function.
    let private isForHolder (kind: BlockKind) =
        match kind with
        | BlockKind.Lock
        | BlockKind.Mutex
        | BlockKind.Semaphore
        | BlockKind.Initializer
        | BlockKind.Other -> true
        | _ -> false

    /// The lines in which the holder of a lock is blocked while others wait for it, at least half of the blocked workers, by whatever
    /// means they take it: in the function that they wait in, or in one that it has called. Others may also wait in a call without a
    /// name, such as the start of a class. A lock may change hands many times during a look, so that its holder is
    /// sought in the samples of all workers together.
    let private onStacks (states: (Sample * WorkerState) list) (blames: Blame list) : Cause list =
        let looks =
            states |> List.map (fun (sample, _) -> sample.Thread) |> List.distinct |> List.length

        /// How many workers stand there at a time, by their samples.
        let workers (samples: int) =
            float samples * float looks / float states.Length

        /// Whether a worker runs in this function: it has the lock, or no worker is blocked with it.
        let isRunning (name: string) =
            let running =
                [
                    for sample, state in states do
                        if
                            state = WorkerState.Running
                            && Blaming.userFrames sample.Frames |> List.exists (fun (own, _) -> own = name)
                        then
                            sample
                ]

            workers running.Length >= 0.5

        let waited =
            blames
            |> List.filter (fun blame -> isForHolder blame.Kind)
            |> List.filter (fun blame -> not (isRunning blame.Function))

        let held = blames |> List.sumBy _.Workers

        /// The lines whose workers wait for a worker with these functions.
        let behind (kind: BlockKind) (own: (string * (string * int) option) list) (count: float) =
            waited
            |> List.filter (fun blame ->
                float blame.Workers > count
                && blame.Kind <> kind
                && match own with
                   // Monitor.Wait gives the lock back
                   | (innermost, _) :: _ when innermost = blame.Function -> kind <> BlockKind.MonitorWait
                   | own -> own |> List.exists (fun (name, _) -> name = blame.Function))

        if waited.IsEmpty then
            []
        else
            [
                for sample, state in states do
                    match state with
                    | WorkerState.Blocked kind when kind <> BlockKind.Lock && kind <> BlockKind.Other ->
                        let at, own = Blaming.culprit kind sample.Frames
                        at, (own, Blaming.isUnseen sample.Frames)
                    | _ -> ()
            ]
            |> List.groupBy fst
            |> List.choose (fun ((kind, package, place as at), members) ->
                let count = workers members.Length

                let behind =
                    members |> List.collect (fun (_, (own, _)) -> behind kind own count) |> List.distinct

                if count >= 0.5 && not behind.IsEmpty && 2 * (behind |> List.sumBy _.Workers) >= held then
                    let line =
                        blames
                        |> List.tryFind (fun blame ->
                            (blame.Kind, blame.Package, (blame.Function, blame.Place)) =
                                (kind, package, place))
                        |> Option.defaultWith (fun () -> Blaming.blameOf at 1 (List.map snd members))

                    Some { Line = line; Waits = behind |> List.map _.Kind |> List.distinct }
                else
                    None)
            |> List.sortByDescending _.Line.Workers

    /// The threads that others wait for by their stacks.
    type private Threads =
        {
            Finalizing: Lazy<int list>
            /// Those that run a static constructor.
            Initializing: Lazy<int list>
        }

    let private threads (evidence: Evidence) : Threads =
        let withStack (isOne: Frame list -> bool) =
            lazy (WorkerStack.threadsWith isOne evidence.Samples)

        {
            Finalizing = withStack WorkerStack.isFinalizer
            Initializing = withStack WorkerStack.isInitializing
        }

    /// The most threads from a worker to the one that makes it wait.
    let private longest = 10

    /// The threads from a worker to the one that makes it wait, without the worker; empty: it waits for none that is known, or that one
    /// runs.
    let private chain
        (evidence: Evidence)
        (threads: Threads)
        (isWorker: int -> bool)
        (lookOf: int -> WorkerLook option)
        (worker: WorkerLook)
        : WorkerLook list =
        let holder (look: WorkerLook) : int option =
            match look.State with
            | WorkerState.Blocked(BlockKind.Lock | BlockKind.Mutex) ->
                match Map.tryFind look.Thread evidence.Held with
                | Some { Holder = Holder.Thread holder } -> Some holder
                | _ -> None
            | WorkerState.Blocked BlockKind.Finalizers -> List.tryHead threads.Finalizing.Value
            | WorkerState.Blocked BlockKind.Initializer ->
                match List.except [ look.Thread ] threads.Initializing.Value with
                | [ only ] -> Some only
                | _ -> None
            | _ -> None

        // The lock of a worker that waits for a lock itself has changed hands since its stack was read.
        let isOld (look: WorkerLook) =
            look.State = WorkerState.Blocked BlockKind.Lock && isWorker look.Thread

        let rec follow (found: WorkerLook list) (look: WorkerLook) =
            match holder look |> Option.map lookOf with
            | None when found |> List.tryHead |> Option.exists isOld -> []
            | None -> List.rev found
            | Some(Some next) when
                Blaming.isHeld next
                && found.Length < longest
                && not (found |> List.exists (fun seen -> seen.Thread = next.Thread))
                ->
                follow (next :: found) next
            | Some _ -> []

        follow [] worker

    /// The lines of the threads that make at least half of the blocked workers wait, by what is known of locks, of static constructors
    /// and of the finalizer thread: the last of a chain first.
    let private byHolders (evidence: Evidence) (workers: WorkerLook list) (blames: Blame list) : Cause list =
        let held = workers |> List.filter Blaming.isHeld
        let threads = threads evidence

        let outside =
            lazy
                (Blaming.others evidence
                 |> List.map (fun (thread, samples) -> thread, look evidence samples)
                 |> Map.ofList)

        let isWorker (thread: int) =
            workers |> List.exists (fun worker -> worker.Thread = thread)

        let lookOf (thread: int) =
            workers
            |> List.tryFind (fun worker -> worker.Thread = thread)
            |> Option.orElseWith (fun () -> Map.tryFind thread outside.Value)

        let line (look: WorkerLook) = look.State, Blaming.blamed look.Frames

        let blame (look: WorkerLook) =
            match look.State with
            | WorkerState.Blocked kind ->
                let at, own = Blaming.culprit kind look.Frames
                let made = Blaming.blameOf at 0 [ own, Blaming.isUnseen look.Frames ]

                if isWorker look.Thread then
                    blames
                    |> List.tryFind (fun known ->
                        (known.Kind, known.Function, known.Place) = (made.Kind, made.Function, made.Place))
                else
                    let outside =
                        { Thread = look.Thread; IsFinalizer = WorkerStack.isFinalizer look.Frames }

                    Some { made with Outside = Some outside }
            | _ -> None

        let chains =
            [
                for worker in held do
                    match chain evidence threads isWorker lookOf worker with
                    | [] -> ()
                    | chain -> List.rev chain, line worker
            ]

        chains
        |> List.groupBy (fun (chain, _) -> chain |> List.map _.Thread)
        |> List.tryFind (fun (_, members) ->
            let lines = members |> List.map snd |> set
            let behind = held |> List.filter (fun worker -> lines.Contains(line worker))
            2 * behind.Length >= held.Length)
        |> Option.map (fun (_, members) ->
            let waits =
                [
                    for _, (state, _) in members do
                        match state with
                        | WorkerState.Blocked kind -> kind
                        | _ -> ()
                ]

            [
                for line in members |> List.head |> fst |> List.choose blame ->
                    { Line = line; Waits = List.distinct waits }
            ])
        |> Option.defaultValue []

    /// The lines that make most of the blocked workers wait, the gravest first.
    let find
        (evidence: Evidence)
        (states: (Sample * WorkerState) list)
        (workers: WorkerLook list)
        (blames: Blame list)
        : Cause list =
        let holders = byHolders evidence workers blames
        let lines = holders |> List.map _.Line

        holders
        @ (onStacks states blames |> List.filter (fun cause -> not (List.contains cause.Line lines)))

    /// The lines with the holders of the mutexes that their workers wait for. Where the cause is known, nobody asks who holds one but for
    /// another process.
    let withHolders
        (evidence: Evidence)
        (workers: WorkerLook list)
        (causes: Blame list)
        (blames: Blame list)
        : Blame list =
        let isTold (lock: HeldLock) =
            match lock.Holder with
            | Holder.Process _ -> true
            | _ -> causes.IsEmpty

        // one of the workers may have got the mutex meanwhile
        let knowledge (lock: HeldLock) =
            lock.Holder <> Holder.Unknown, lock.Name.IsSome

        [
            for blame in blames do
                if blame.Kind <> BlockKind.Mutex || blame.Outside.IsSome then
                    blame
                else
                    let locks =
                        [
                            for worker in workers do
                                if Blaming.blamed worker.Frames = (blame.Function, blame.Place) then
                                    yield! Map.tryFind worker.Thread evidence.Held |> Option.toList
                        ]
                        |> List.filter isTold
                        |> List.sortByDescending knowledge

                    { blame with Held = List.tryHead locks }
        ]
