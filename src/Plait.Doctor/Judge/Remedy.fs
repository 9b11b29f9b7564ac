// The remedy of a blocking call, and whether the runtime compensates for it.
module Plait.Doctor.Remedy

/// Whether the runtime adds threads for such a wait: it does for waits for tasks only. A synchronous read of a request's
/// body in a server is such a wait.
let isCompensated (kind: BlockKind) : bool =
    kind = BlockKind.TaskWait || kind = BlockKind.HttpBody || kind = BlockKind.ParallelLoop

let private elsewhere =
    "if only the blocking call exists, run it on threads of its own: Blocking.run of Plait.ThreadPool"

/// The remedy, in a sentence.
let ofKind (kind: BlockKind) : string =
    match kind with
    | BlockKind.Sleep ->
        "wait without a thread: do! Async.Sleep in async, do! Task.Delay in a task, await Task.Delay in C#"
    | BlockKind.Spin ->
        "wait for a signal instead of asking again and again: await SemaphoreSlim.WaitAsync, or a TaskCompletionSource that the code which makes the condition true completes; without such code, ask in a loop with await Task.Delay"
    | BlockKind.TaskWait ->
        "await it, or Task.WhenAll or Task.WhenAny of several: let! in a task or an async (Async.AwaitTask), await or await foreach in C#; a caller that cannot be asynchronous belongs on a thread of its own"
    | BlockKind.ParallelLoop ->
        "await Parallel.ForEachAsync where the items wait for something; where they compute, run one such loop at a time: each needs several threads of the pool, and its caller waits for them"
    | BlockKind.RunSynchronously ->
        "bind it with let! instead of running it: Async.RunSynchronously belongs at the outermost edge of a program, not on a thread of the pool"
    | BlockKind.Lock ->
        "hold the lock for less: keep I/O, waiting and long work out of it; where they must be inside, let SemaphoreSlim.WaitAsync guard them"
    | BlockKind.SpinLock ->
        "hold the SpinLock for a few instructions only: keep I/O, waiting and long work out of it; where they must be inside, let SemaphoreSlim.WaitAsync guard them"
    | BlockKind.Mutex ->
        "hold the mutex for less: keep I/O, waiting and long work out of it; within one process let SemaphoreSlim.WaitAsync guard them; for a mutex that processes share, run all of the code between WaitOne and ReleaseMutex on threads of its own: Blocking.run of Plait.ThreadPool"
    | BlockKind.Initializer ->
        "let no static constructor and no initializer of a static field wait or do long work: keep a Lazy of a Task and await its value, or load it before the program takes work in"
    | BlockKind.Finalizers ->
        "dispose of objects in place of waiting for their finalizers, and leave GC.WaitForPendingFinalizers out"
    | BlockKind.MonitorWait ->
        "wait for an event that can be awaited: TaskCompletionSource, Channel or SemaphoreSlim.WaitAsync in place of Monitor.Wait"
    | BlockKind.Semaphore -> "await SemaphoreSlim.WaitAsync in place of Wait"
    | BlockKind.WaitHandle ->
        $"await a TaskCompletionSource in place of an event, or Async.AwaitWaitHandle; {elsewhere}"
    | BlockKind.Mailbox -> "bind PostAndAsyncReply with let! in place of PostAndReply"
    | BlockKind.Collection ->
        $"read a System.Threading.Channels.Channel with ReadAsync, and write it with WriteAsync, in place of a BlockingCollection; {elsewhere}"
    | BlockKind.Join ->
        "await the end of a task in place of joining a thread: start the work with Task.Factory.StartNew and LongRunning"
    | BlockKind.File ->
        $"open the file with FileOptions.Asynchronous and await ReadAsync or WriteAsync; pipes and devices block whatever is called: {elsewhere}"
    | BlockKind.Pipe ->
        "await WaitForConnectionAsync, ConnectAsync, ReadAsync or WriteAsync of the pipe, and ReadToEndAsync of the output of a process"
    | BlockKind.Socket -> $"await ReceiveAsync, SendAsync, AcceptAsync or ConnectAsync; {elsewhere}"
    | BlockKind.Http ->
        "await HttpClient.SendAsync in place of Send, and read the content with ReadAsStringAsync, or with ReadAsync or ReadToEndAsync of its stream"
    | BlockKind.Dns ->
        "await Dns.GetHostAddressesAsync and keep its answer; the system's resolver blocks a thread either way: run it by Blocking.run of Plait.ThreadPool where names are looked up often"
    | BlockKind.Process ->
        "await Process.WaitForExitAsync in place of WaitForExit, and read an output that is redirected before that: a process whose output nobody reads stands still when the pipe is full"
    | BlockKind.HttpBody ->
        "await ReadAsync, ReadToEndAsync, ReadFromJsonAsync or WriteAsync of the body, and leave AllowSynchronousIO off, so that a blocking call fails in tests"
    | BlockKind.Console -> "read the console on a thread of its own"
    | BlockKind.ConsoleOutput ->
        "make the reader of this output faster, or write less; give lines to a Channel that drops the ones that do not fit, and write them on a thread of its own, as a logger in the background does"
    | BlockKind.Other -> $"await the operation that this line waits for; {elsewhere}"

/// The remedy of a call for which that of its kind does not help.
let ofCall (call: CallRemedy) : string =
    match call with
    | CallRemedy.Flush ->
        $"FileStream.Flush(true) waits until the disk has the data, and FlushAsync does not flush to the disk: collect several writes, and flush once for all of them; {elsewhere}"
    | CallRemedy.Registration ->
        "CancellationTokenRegistration.Dispose waits until the callback that runs has returned: await DisposeAsync, or call Unregister, which does not wait; and let the callback wait for nothing"

/// The remedy of locks that threads take in opposite order.
let lockOrder =
    "take locks in the same order everywhere, and wait for nothing while you hold one"

/// The remedy of a lock whose holder has ended.
let release = "release a lock in a finally, on the thread that took it"

/// The remedy of a deadlock for which that of its kind does not help: who holds a lock for less still waits for the other lock.
let ofDeadlock (waitsFor: WaitObject) : string option =
    match waitsFor with
    | WaitObject.Lock _ -> Some lockOrder
    | WaitObject.AbandonedLock _ -> Some release
    | WaitObject.Task
    | WaitObject.Scheduler _
    | WaitObject.Thread
    | WaitObject.Initializer -> None

/// The remedy if code of a package blocks, by the package's function that the program called; None: the program called none.
let ofPackage (assembly: string) (called: string option) : string =
    match called with
    | None ->
        $"{assembly} holds the thread without a caller in the program: look for a setting or a version of it that waits without a thread of the pool"
    | Some called when called.EndsWith("Async", System.StringComparison.Ordinal) ->
        $"{called} blocks before it returns, so that await does not help: run it on threads of its own, Blocking.run of Plait.ThreadPool, or use a package that waits without a thread"
    | Some called -> $"await the asynchronous form of {called}, if that one blocks no thread; {elsewhere}"
