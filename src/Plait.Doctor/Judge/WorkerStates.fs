// Whether a thread waits, and for what: by a table of methods that block, by the calls of the user's statement, and
// by the operating system's state of the thread. A thread that works is never called blocked.
module Plait.Doctor.WorkerStates

let private nativeStub (frame: Frame) =
    frame.Method = "" || FrameworkModules.isStub frame.Method

/// The waits that a parallel loop or query makes itself. In a wait of another kind its caller or a part of it runs the code of
/// an item, whose frame the JIT has left out.
let private isOfLoop (kind: BlockKind) : bool =
    match kind with
    | BlockKind.TaskWait
    | BlockKind.MonitorWait
    | BlockKind.WaitHandle
    | BlockKind.Lock
    | BlockKind.Spin -> true
    | _ -> false

/// The kind of wait by the frames of the framework, of which the outermost one counts: of streams that read or write
/// another one, only where that is none of the table; of parallel loops, only where the loop itself waits.
let private calledBy (frames: Frame list) : BlockKind option =
    let through, calls =
        frames
        |> List.map _.Method
        |> List.filter (fun name -> (BlockingCalls.ofCall name).IsSome)
        |> List.partition BlockingCalls.isThrough

    let kinds = calls |> List.choose BlockingCalls.ofCall

    let inLoop =
        if List.tryLast kinds = Some BlockKind.ParallelLoop then
            kinds
            |> List.takeWhile ((<>) BlockKind.ParallelLoop)
            |> List.tryLast
            |> Option.filter (isOfLoop >> not)
        else
            None

    inLoop
    |> Option.orElse (List.tryLast kinds)
    |> Option.orElseWith (fun () -> List.tryLast through |> Option.bind BlockingCalls.ofCall)

/// The frames that the innermost work has led to.
let private innermost (frames: Frame list) : Frame list =
    frames |> List.takeWhile (fun frame -> not (BlockingCalls.isWork frame.Method))

/// The call of the program: by the statement of its frame, whose calls the JIT cannot hide, and by the frames of the
/// framework, of which the outermost one counts. A wait that runs a task is none, if that task waits.
let private called (frames: Frame list) : BlockKind option =
    let inner = frames |> List.takeWhile _.IsFramework
    let byFrames = calledBy inner
    let work = innermost inner
    let byWork = if work.Length < inner.Length then calledBy work else None

    let byStatement =
        frames
        |> List.tryFind (fun frame -> not frame.IsFramework)
        |> Option.map _.Calls
        |> Option.defaultValue []

    let kinds = byStatement |> List.choose BlockingCalls.ofCall |> List.distinct

    match byWork, byFrames, kinds with
    | Some kind, _, _
    | None, Some kind, [ BlockKind.ParallelLoop ] -> Some kind
    | None, _, [ only ] when not (List.exists BlockingCalls.isThrough byStatement) -> Some only
    | None, Some kind, _ -> Some kind
    | None, None, kinds -> List.tryHead kinds

/// From this share of moments on a thread waits, whatever its stack says, unless that stands in code of the program itself.
let private waits = 0.9

/// Below this share of moments a thread works; in between its stack decides.
let works = 0.5

/// The state of a worker, by one of its stacks and by the share of moments at which the operating system had it
/// waiting.
let state (waiting: float option) (sample: Sample) : WorkerState =
    if WorkerStack.isIdle sample.Frames then
        WorkerState.Idle
    else
        // native frames have no name, and stubs into them none that says more
        let named =
            sample.Frames |> List.skipWhile nativeStub |> WorkerStack.withoutInitializers

        let leaf =
            named |> List.tryHead |> Option.bind (fun frame -> BlockingCalls.ofLeaf frame.Method)

        let inner = named |> List.takeWhile _.IsFramework

        let work = innermost inner

        let onlyWaits = Option.exists BlockKinds.isOnlyWaiting

        // the system's states are of other moments: a holder in turns waited for the lock at those, and works with it here
        let isInOwnCode =
            sample.IsManaged
            && sample.Frames |> List.tryHead |> Option.exists (fun frame -> not frame.IsFramework)

        let isBlocked =
            match waiting with
            | Some share when share >= waits && not isInOwnCode -> true
            | _ when onlyWaits leaf || onlyWaits (calledBy work) -> true
            | Some share when share < works -> false
            | _ when leaf.IsSome -> true
            | _ when work.Length < inner.Length -> not sample.IsManaged && (calledBy work).IsSome
            | _ -> not sample.IsManaged && (called named).IsSome

        if isBlocked then
            called named
            |> Option.orElse leaf
            |> Option.defaultValue BlockKind.Other
            |> WorkerState.Blocked
        else
            WorkerState.Running
