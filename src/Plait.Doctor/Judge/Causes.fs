// The causes of other waits: blocked holders of locks, mutexes and semaphores, threads that run a task or fill its scheduler, the
// thread that runs a static constructor, and the finalizer thread. Their lines come before the lines of the workers that wait for them.
namespace Plait.Doctor

/// A line that makes workers wait.
type internal Cause =
    {
        Line: BlockingLine
        /// The kinds of the waits of these workers.
        Waits: BlockKind list
    }

/// From waiting workers to the lines that they wait for.
module internal Causes =
    /// The state of a thread by the lock or mutex that it waits for: a stack shows no mutex.
    let private toldMutex (evidence: Evidence) (thread: int) (state: WorkerState) : WorkerState =
        match state, Map.tryFind thread evidence.Held with
        | WorkerState.Blocked BlockKind.WaitHandle, Some { IsMutex = true } ->
            WorkerState.Blocked BlockKind.Mutex
        | state, _ -> state

    /// The state of one thread over its samples.
    let look (evidence: Evidence) (samples: Sample list) : WorkerLook =
        BlockingLines.workers
            [
                for sample in samples do
                    let state = WorkerStates.state (BlockingLines.waiting evidence sample) sample
                    sample, toldMutex evidence sample.Thread state
            ]
        |> List.exactlyOne

    /// The samples of workers, each with its state. If a worker waits for a mutex in a line, all workers in that line do.
    let states (evidence: Evidence) : (Sample * WorkerState) list =
        let states =
            [
                for sample, state in BlockingLines.states evidence ->
                    sample, toldMutex evidence sample.Thread state
            ]

        let lines =
            set
                [
                    for sample, state in states do
                        if state = WorkerState.Blocked BlockKind.Mutex then
                            BlockingLines.userFunction sample.Frames
                ]

        if lines.IsEmpty then
            states
        else
            [
                for sample, state in states ->
                    match state with
                    | WorkerState.Blocked BlockKind.WaitHandle when
                        lines.Contains(BlockingLines.userFunction sample.Frames)
                        ->
                        sample, WorkerState.Blocked BlockKind.Mutex
                    | _ -> sample, state
            ]

    /// Whether others wait for a thread that is farther in the same function.
    let private isForHolder (kind: BlockKind) =
        match kind with
        | BlockKind.Lock
        | BlockKind.SpinLock
        | BlockKind.Mutex
        | BlockKind.Semaphore
        | BlockKind.Initializer
        | BlockKind.Other -> true
        | _ -> false

    /// The lines in which a lock's holder is blocked while at least half of the blocked workers wait for it, by any kind of lock:
    /// in the same function as these, or in a function that it called. Others may also wait in a call without a name, such as the
    /// start of a class. A lock may change hands many times during a look, so all workers' samples are searched for its holder.
    let private onStacks
        (evidence: Evidence)
        (states: (Sample * WorkerState) list)
        (blockingLines: BlockingLine list)
        : Cause list =
        let looks =
            states |> List.map (fun (sample, _) -> sample.Thread) |> List.distinct |> List.length

        /// The number of workers in the line at a time, by their samples.
        let workers (samples: int) =
            float samples * float looks / float states.Length

        /// Whether a worker runs in this function: then it has the lock, or no blocked worker has it.
        let isRunning (name: string) =
            let running =
                [
                    for sample, state in states do
                        if
                            state = WorkerState.Running
                            && BlockingLines.userFrames sample.Frames
                               |> List.exists (fun (own, _) -> own = name)
                        then
                            sample
                ]

            workers running.Length >= 0.5

        /// Whether workers wait in this line for the task of SemaphoreSlim.WaitAsync.
        let isForSemaphore (line: BlockingLine) =
            let takes (frame: Frame) =
                frame.Calls
                |> List.exists
                    _.StartsWith("System.Threading.SemaphoreSlim.WaitAsync", System.StringComparison.Ordinal)

            line.Kind = BlockKind.TaskWait
            && states
               |> List.exists (fun (sample, _) ->
                   BlockingLines.userFunction sample.Frames = (line.Function, line.Place)
                   && sample.Frames
                      |> List.tryFind (fun frame -> not frame.IsFramework)
                      |> Option.exists takes)

        let waited =
            blockingLines
            |> List.filter (fun line ->
                isForHolder line.Kind || line.Kind = BlockKind.Spin || isForSemaphore line)
            |> List.filter (fun blockingLine -> not (isRunning blockingLine.Function))

        let held = blockingLines |> List.sumBy _.Workers

        /// Whether a worker in this line waits for a lock that none of these threads holds.
        let isHeldByOther (threads: Set<int>) (line: BlockingLine) =
            states
            |> List.exists (fun (sample, _) ->
                BlockingLines.userFunction sample.Frames = (line.Function, line.Place)
                && match Map.tryFind sample.Thread evidence.Held with
                   | Some { Holder = Holder.Thread holder } -> not (threads.Contains holder)
                   | _ -> false)

        /// Whether a thread at this place of a function may hold the object that the workers in the line wait for. A thread in the
        /// same kind of wait holds it only if its place is after theirs; else it waits with them or before them.
        let isInside (kind: BlockKind) (line: BlockingLine) (name: string, place: (string * int) option) =
            // who spins may ask for anything
            line.Kind <> BlockKind.Spin
            && name = line.Function
            && (kind <> line.Kind || place > line.Place)

        /// Whether a thread at this place of a function is after its call of the function in which the workers wait: the program may
        /// have a lock of its own.
        let isAfter (line: BlockingLine) (name: string, place: (string * int) option) =
            line.Stack
            |> List.exists (fun (caller, at) ->
                caller = name
                && caller <> line.Function
                && match at, place with
                   | Some(file, before), Some(other, later) -> file = other && later > before
                   | _ -> false)

        /// The lines of the workers that wait for one of these threads, which has these functions.
        let behind
            (kind: BlockKind)
            (threads: Set<int>)
            (own: (string * (string * int) option) list)
            (count: float)
            =
            waited
            |> List.filter (fun blockingLine ->
                // one thread at a time has a lock: where several are blocked, more must wait for it
                (float blockingLine.Workers > count
                 || count < 1.5 && not (isHeldByOther threads blockingLine))
                && match own with
                   // Monitor.Wait releases the lock
                   | (innermost, _ as at) :: _ when innermost = blockingLine.Function ->
                       kind <> BlockKind.MonitorWait && isInside kind blockingLine at
                   | own ->
                       List.exists (isInside kind blockingLine) own
                       || count < 1.5 && List.exists (isAfter blockingLine) own)

        if waited.IsEmpty then
            []
        else
            [
                for sample, state in states do
                    match state with
                    | WorkerState.Blocked kind when not (BlockKinds.isForLock kind || kind = BlockKind.Other) ->
                        BlockingLines.callSite kind sample.Frames, sample
                    | _ -> ()
            ]
            |> List.groupBy fst
            |> List.choose (fun ((kind, package, place as at), members) ->
                let count = workers members.Length

                let samples = List.map snd members
                let threads = samples |> List.map _.Thread |> Set.ofList

                let behind =
                    samples
                    |> List.map (fun sample -> BlockingLines.userFrames sample.Frames)
                    |> List.distinct
                    |> List.collect (fun own -> behind kind threads own count)
                    |> List.distinct

                if count >= 0.5 && not behind.IsEmpty && 2 * (behind |> List.sumBy _.Workers) >= held then
                    let line =
                        blockingLines
                        |> List.tryFind (fun blockingLine ->
                            (blockingLine.Kind,
                             blockingLine.Package,
                             (blockingLine.Function, blockingLine.Place))
                                =
                                (kind, package, place))
                        |> Option.defaultWith (fun () ->
                            BlockingLines.lineOf at 1 (samples |> List.map _.Frames))

                    Some { Line = line; Waits = behind |> List.map _.Kind |> List.distinct }
                else
                    None)
            |> List.sortByDescending _.Line.Workers

    /// The threads that others wait for, by their stacks.
    type private Threads =
        {
            Finalizing: Lazy<int list>
            /// Those in a static constructor.
            Initializing: Lazy<int list>
        }

    let private threads (evidence: Evidence) : Threads =
        let withStack (isOne: Frame list -> bool) =
            lazy (WorkerStack.threadsWith isOne evidence.Samples)

        {
            Finalizing = withStack WorkerStack.isFinalizer
            Initializing = withStack WorkerStack.isInitializing
        }

    /// The longest wait chain.
    let private longest = 10

    /// The wait chain from a worker, without the worker; empty: it waits for no known thread, or for a running one.
    let private chain
        (evidence: Evidence)
        (threads: Threads)
        (isWorker: int -> bool)
        (lookOf: int -> WorkerLook option)
        (worker: WorkerLook)
        : WorkerLook list =
        // several threads may fill a scheduler
        let holders (look: WorkerLook) : int list =
            match look.State with
            | WorkerState.Blocked(BlockKind.Lock | BlockKind.Mutex) ->
                match Map.tryFind look.Thread evidence.Held with
                | Some { Holder = Holder.Thread holder } -> [ holder ]
                | _ -> []
            | WorkerState.Blocked BlockKind.TaskWait ->
                Map.tryFind look.Thread evidence.Runners |> Option.defaultValue []
            | WorkerState.Blocked BlockKind.Finalizers -> List.truncate 1 threads.Finalizing.Value
            | WorkerState.Blocked BlockKind.Initializer ->
                match List.except [ look.Thread ] threads.Initializing.Value with
                | [ only ] -> [ only ]
                | _ -> []
            | _ -> []

        // If the holder is a worker that waits for a lock itself, the lock has changed hands since that stack was read.
        let isOld (look: WorkerLook) =
            look.State = WorkerState.Blocked BlockKind.Lock && isWorker look.Thread

        let rec follow (found: WorkerLook list) (look: WorkerLook) =
            let next = holders look |> List.map lookOf

            match List.choose id next with
            | [] when next.IsEmpty && found |> List.tryHead |> Option.exists isOld -> []
            | [] when next.IsEmpty -> List.rev found
            | first :: _ as all when
                all.Length = next.Length
                && all |> List.forall BlockingLines.isHeld
                && found.Length < longest
                && not (found |> List.exists (fun seen -> seen.Thread = first.Thread))
                ->
                follow (first :: found) first
            | _ -> []

        follow [] worker

    /// The lines of the threads for which at least half of the blocked workers wait, by locks, tasks, static constructors and the
    /// finalizer thread: the end of each wait chain first.
    let private byHolders
        (evidence: Evidence)
        (workers: WorkerLook list)
        (blockingLines: BlockingLine list)
        : Cause list =
        let held = workers |> List.filter BlockingLines.isHeld
        let threads = threads evidence

        let outside =
            lazy
                (BlockingLines.others evidence
                 |> List.map (fun (thread, samples) -> thread, look evidence samples)
                 |> Map.ofList)

        let isWorker (thread: int) =
            workers |> List.exists (fun worker -> worker.Thread = thread)

        let lookOf (thread: int) =
            workers
            |> List.tryFind (fun worker -> worker.Thread = thread)
            |> Option.orElseWith (fun () -> Map.tryFind thread outside.Value)

        let line (look: WorkerLook) =
            look.State, BlockingLines.userFunction look.Frames

        let blockingLine (look: WorkerLook) =
            match look.State with
            | WorkerState.Blocked kind ->
                let at = BlockingLines.callSite kind look.Frames
                let made = BlockingLines.lineOf at 0 [ look.Frames ]

                if isWorker look.Thread then
                    blockingLines
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

            // workers in one line may wait for different tasks
            let asked =
                behind |> List.filter (fun worker -> evidence.Runners.ContainsKey worker.Thread)

            2 * behind.Length >= held.Length && 2 * members.Length >= asked.Length)
        |> Option.map (fun (_, members) ->
            let waits =
                [
                    for _, (state, _) in members do
                        match state with
                        | WorkerState.Blocked kind -> kind
                        | _ -> ()
                ]

            [
                for line in members |> List.head |> fst |> List.choose blockingLine ->
                    { Line = line; Waits = List.distinct waits }
            ])
        |> Option.defaultValue []

    /// The only line in which workers are blocked and do not wait for a lock, if at least half of the blocked workers wait for a lock
    /// that workers hold one after the other: the holder is there, if none runs.
    let private inTurns
        (evidence: Evidence)
        (states: (Sample * WorkerState) list)
        (workers: WorkerLook list)
        (blockingLines: BlockingLine list)
        : Cause list =
        let locked, others =
            blockingLines |> List.partition (fun line -> line.Kind = BlockKind.Lock)

        let isHeldByWorkers (worker: WorkerLook) =
            Map.tryFind worker.Thread evidence.Held
            |> Option.exists (fun lock -> lock.Holder = Holder.Workers)

        let running =
            states |> List.filter (fun (_, state) -> state = WorkerState.Running) |> List.length

        match others with
        | [ only ] when
            List.exists isHeldByWorkers workers
            && 2 * running * workers.Length < states.Length
            && (locked |> List.sumBy _.Workers) >= only.Workers
            ->
            [ { Line = only; Waits = [ BlockKind.Lock ] } ]
        | _ -> []

    /// The lines for which most of the blocked workers wait, the gravest first.
    let find
        (evidence: Evidence)
        (states: (Sample * WorkerState) list)
        (workers: WorkerLook list)
        (blockingLines: BlockingLine list)
        : Cause list =
        let holders = byHolders evidence workers blockingLines
        let lines = holders |> List.map _.Line

        let found =
            holders
            @ (onStacks evidence states blockingLines
               |> List.filter (fun cause -> not (List.contains cause.Line lines)))

        if found.IsEmpty then inTurns evidence states workers blockingLines else found
