// The state of a worker, and the kind of call that blocks it.
namespace Plait.Doctor

/// The kind of call that blocks a thread.
[<RequireQualifiedAccess>]
type BlockKind =
    /// Thread.Sleep.
    | Sleep
    /// SpinWait, as by SpinUntil: it asks again and again, and sleeps in between.
    | Spin
    /// Task.Wait, .Result, GetAwaiter().GetResult() and their like.
    | TaskWait
    /// Parallel.For and its like, or a parallel query: its caller waits until other threads have done their part.
    | ParallelLoop
    /// Async.RunSynchronously.
    | RunSynchronously
    /// A lock that another thread holds.
    | Lock
    /// A SpinLock that another thread holds: it asks again and again, and sleeps in between.
    | SpinLock
    /// A Mutex, which threads of other processes may hold.
    | Mutex
    /// The static constructor or the static fields of a class, which another thread runs or sets.
    | Initializer
    /// GC.WaitForPendingFinalizers.
    | Finalizers
    /// Monitor.Wait.
    | MonitorWait
    /// SemaphoreSlim.Wait and Semaphore.
    | Semaphore
    /// Events, barriers and other wait handles.
    | WaitHandle
    /// MailboxProcessor.PostAndReply.
    | Mailbox
    /// BlockingCollection.
    | Collection
    /// Thread.Join.
    | Join
    /// Reading or writing files.
    | File
    /// Pipes between processes, and the streams of a process that was started.
    | Pipe
    /// Sockets, and streams over them.
    | Socket
    /// HttpClient.Send, and the content of a response.
    | Http
    /// The body of a request or response of a server, read or written without an await.
    | HttpBody
    /// Name resolution.
    | Dns
    /// Process.WaitForExit.
    | Process
    /// The console's input.
    | Console
    /// The console's output, if its reader does not take it.
    | ConsoleOutput
    /// A wait whose method is not on the stack: the JIT has inlined it into its caller.
    | Other

/// A call whose remedy is not that of its kind.
[<RequireQualifiedAccess>]
type CallRemedy =
    /// A flush of a file to its disk.
    | Flush
    /// The end of a registration with a CancellationToken.
    | Registration

/// The meaning of kinds of blocking.
module internal BlockKinds =
    /// Whether a thread in such a call only waits. If it uses a processor there, it spins or has just been woken. In other calls
    /// it may work: a file is copied from memory, and loops wait busily by Thread.Sleep(0).
    let isOnlyWaiting (kind: BlockKind) : bool =
        match kind with
        | BlockKind.TaskWait
        | BlockKind.Lock
        | BlockKind.Mutex
        | BlockKind.Initializer
        | BlockKind.Finalizers
        | BlockKind.MonitorWait
        | BlockKind.Semaphore
        | BlockKind.WaitHandle
        | BlockKind.Collection
        | BlockKind.Join -> true
        | _ -> false

    /// Whether a thread in such a call waits for a lock.
    let isForLock (kind: BlockKind) : bool =
        kind = BlockKind.Lock || kind = BlockKind.SpinLock

    /// Whether a thread in such a call waits for a task or an async.
    let isForTask (kind: BlockKind) : bool =
        kind = BlockKind.TaskWait || kind = BlockKind.RunSynchronously

    /// Whether a thread in such a call waits for another thread, and not for anything outside of the process.
    let isForOthers (kind: BlockKind) : bool =
        isOnlyWaiting kind
        || kind = BlockKind.RunSynchronously
        || kind = BlockKind.ParallelLoop
        || kind = BlockKind.Mailbox

/// The state of a worker.
[<RequireQualifiedAccess>]
type WorkerState =
    /// It waits for work.
    | Idle
    | Blocked of BlockKind
    | Running
