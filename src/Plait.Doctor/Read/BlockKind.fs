// What a worker does, and what blocks it: the words of the judging.
namespace Plait.Doctor

/// What blocks a thread.
[<RequireQualifiedAccess>]
type BlockKind =
    /// Thread.Sleep.
    | Sleep
    /// Task.Wait, .Result, GetAwaiter().GetResult() and their like.
    | TaskWait
    /// Async.RunSynchronously.
    | RunSynchronously
    /// A lock that another thread holds.
    | Lock
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
    /// Sockets, and streams over them.
    | Socket
    /// HttpClient.Send.
    | Http
    /// Looking names up.
    | Dns
    /// Process.WaitForExit.
    | Process
    /// The console's input.
    | Console
    /// A wait whose name is not on the stack: the JIT has put it into its caller.
    | Other

/// What a worker does.
[<RequireQualifiedAccess>]
type WorkerState =
    /// It waits for work.
    | Idle
    | Blocked of BlockKind
    | Running
