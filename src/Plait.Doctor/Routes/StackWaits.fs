// The stacks of waiting threads: the kind of each wait, and the threads whose waits the memory of the process may explain. Pure.
// PostedWork and Contexts use it.
module internal Plait.Doctor.StackWaits

open System

/// Whether the owners of a wait of this kind can be found.
let hasOwner (kind: BlockKind) : bool =
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
let sorted (pid: int) (samples: Sample list) : Map<int, BlockKind * Frame list> * Map<int, Frame list> =
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
let isOutside (frames: Frame list) : bool =
    not (WorkerStack.isWorker frames || IntendedWait.isOne frames)
