// Whether a thread waits, and for what: by a table of methods that block, by what the statement of the user calls, and by what
// the operating system says. A thread that works is never called blocked.
module Plait.Doctor.Leaves

let private nativeStub (frame: Frame) =
    frame.Method = "" || FrameworkModules.isStub frame.Method

/// What the frames of the framework were called for, of which the outermost one counts.
let private calledByFrames (frames: Frame list) : BlockKind option =
    frames
    |> List.takeWhile _.IsFramework
    |> List.choose (fun frame -> BlockingCalls.ofCall frame.Method)
    |> List.tryLast

/// What the program called: by the statement that it stands in, whose calls the JIT cannot hide, and by the frames of the
/// framework, of which the outermost one counts.
let private called (frames: Frame list) : BlockKind option =
    let byFrames = calledByFrames frames

    let byStatement =
        frames
        |> List.tryFind (fun frame -> not frame.IsFramework)
        |> Option.map (fun frame -> frame.Calls |> List.choose BlockingCalls.ofCall |> List.distinct)
        |> Option.defaultValue []

    match byFrames, byStatement with
    | _, [ only ] -> Some only
    | Some kind, _ -> Some kind
    | None, kinds -> List.tryHead kinds

/// Whether a thread does nothing but wait in such a call: where it wants a processor there, it spins or has just been woken, and looks
/// whether it may go on. In other calls it may work: a file is copied from memory, and Thread.Sleep(0) is how loops wait busily.
let private isOnlyWaiting (kind: BlockKind) : bool =
    match kind with
    | BlockKind.TaskWait
    | BlockKind.Lock
    | BlockKind.MonitorWait
    | BlockKind.Semaphore
    | BlockKind.WaitHandle
    | BlockKind.Collection
    | BlockKind.Join -> true
    | _ -> false

/// Above this share of moments a thread waits, below the other it works; in between its stack decides.
let private waits, private works = 0.9, 0.5

/// What a worker does, by one of its stacks and by the share of moments at which the operating system had it waiting.
let state (waiting: float option) (sample: Sample) : WorkerState =
    if WorkerStack.isIdle sample.Frames then
        WorkerState.Idle
    else
        // native frames have no name, and stubs into them none that says more
        let named = sample.Frames |> List.skipWhile nativeStub

        let leaf =
            named |> List.tryHead |> Option.bind (fun frame -> BlockingCalls.ofLeaf frame.Method)

        let isBlocked =
            match waiting with
            | Some share when share >= waits -> true
            | _ when Option.exists isOnlyWaiting leaf || Option.exists isOnlyWaiting (calledByFrames named) ->
                true
            | Some share when share < works -> false
            | _ -> leaf.IsSome || (not sample.IsManaged && (called named).IsSome)

        if isBlocked then
            called named
            |> Option.orElse leaf
            |> Option.defaultValue BlockKind.Other
            |> WorkerState.Blocked
        else
            WorkerState.Running
