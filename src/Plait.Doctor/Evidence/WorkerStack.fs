// The outermost frames of the stack of a worker of the pool, by any route.
module internal Plait.Doctor.WorkerStack

open System

let private holds (words: string) (frame: Frame) =
    frame.Method.Contains(words, StringComparison.Ordinal)

let private isDispatch = holds "ThreadPoolWorkQueue.Dispatch"

/// Whether it is the stack of a worker of the pool. A trace may lack the names of some of its frames.
let isWorker (frames: Frame list) : bool =
    frames
    |> List.exists (fun frame ->
        holds "PortableThreadPool+WorkerThread.WorkerThread" frame || isDispatch frame)

/// The most frames of a stack in the runtime's events.
let private deepest = 100

/// Whether the stack was cut off before the thread's start.
let isCut (frames: Frame list) : bool =
    frames.Length >= deepest
    && not (frames |> List.exists (holds "System.Threading.Thread.Start"))

/// Whether a worker with this stack waits or searches for work.
let isIdle (frames: Frame list) : bool =
    // the queue's own code: it makes the thread's local queue, or takes an item
    let isTaking () =
        match frames |> List.takeWhile (isDispatch >> not) with
        | [] -> false
        | inner ->
            inner
            |> List.forall
                _.Method.StartsWith("System.Threading.ThreadPoolWorkQueue", StringComparison.Ordinal)

    frames |> List.exists (holds "LowLevelLifoSemaphore")
    || isWorker frames && (not (frames |> List.exists isDispatch) || isTaking ())

let private isNamed (last: string) (frame: Frame) =
    frame.Method.EndsWith(last, StringComparison.Ordinal)

/// Whether the thread with this stack runs finalizers: no other thread does.
let isFinalizer (frames: Frame list) : bool =
    match frames |> List.filter (fun frame -> frame.Method <> "") |> List.tryLast with
    | Some outermost -> holds "System.GC.RunFinalizers" outermost || isNamed ".Finalize" outermost
    | None -> false

/// Whether the thread with this stack runs the static constructor of a class.
let isInitializing (frames: Frame list) : bool =
    frames |> List.exists (isNamed "..cctor")

/// The threads with a stack of this kind in any of their samples.
let threadsWith (isOne: Frame list -> bool) (samples: Sample list) : int list =
    samples
    |> List.filter (fun sample -> isOne sample.Frames)
    |> List.map _.Thread
    |> List.distinct

/// The frames without those that run a static constructor: a thread waits in such a call only if no call is inside of it.
let withoutInitializers (frames: Frame list) : Frame list =
    match frames |> List.tryFindIndex (isNamed "..cctor") with
    | None -> frames
    | Some at ->
        let inside, outside = List.splitAt at frames

        inside
        @ (outside
           |> List.filter (fun frame -> BlockingCalls.ofCall frame.Method <> Some BlockKind.Initializer))

/// The methods by which the runtime runs work items and threads.
let private dispatchers =
    [
        "System.Threading.PortableThreadPool"
        "System.Threading.ThreadPoolWorkQueue."
        "System.Threading.QueueUserWorkItemCallback"
        "System.Threading.ExecutionContext.Run"
        "System.Threading.Tasks.Task.Execute"
        "System.Threading.Tasks.Task.InnerInvoke"
        "System.Threading.Tasks.Task`1.InnerInvoke"
        "System.Threading.Tasks.Continuation"
        "System.Threading.Tasks.AwaitTaskContinuation."
        "System.Threading.Tasks.ThreadPoolTaskScheduler."
        "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1."
        "System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask"
        "System.Threading.TimerQueue"
        "System.Threading.Thread.Start"
        "System.Threading.Thread+StartHelper."
    ]

/// Whether a frame is of a method that runs a work item or a thread.
let isDispatcher (frame: Frame) : bool =
    dispatchers
    |> List.exists (fun name -> frame.Method.StartsWith(name, StringComparison.Ordinal))
