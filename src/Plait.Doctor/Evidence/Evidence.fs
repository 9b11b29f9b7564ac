// The evidence about a process, by any route: the pool's counters, the stacks of its threads and the runtime's events about its
// pool. It is data, and the only input of the judging.
namespace Plait.Doctor

/// A .NET process.
type ProcessFacts =
    {
        Pid: int
        /// The name of its program: of the assembly, or of the executable.
        Name: string
        CommandLine: string
        /// Processors that it may use.
        Processors: int
        /// The version of its runtime, as "10.0.12"; None: not known.
        Runtime: string option
    }

/// The route into a process.
[<RequireQualifiedAccess>]
type Route =
    /// The diagnostics port of the runtime: counters and sampled stacks. The process runs on.
    | EventPipe
    /// As a debugger: the doctor stops each thread for a moment and reads one stack.
    | Ptrace
    /// A trace that was saved before.
    | SavedTrace

/// One frame of a stack, as the runtime names it.
type Frame =
    {
        /// The assembly, without ".dll"; "": not known.
        Module: string
        /// Whether it is of the runtime, its libraries or FSharp.Core, or was made at run time: no user's code.
        IsFramework: bool
        /// Whether a package has its assembly, by the program's deps.json: no user's code either.
        IsPackage: bool
        /// Type and method without signature, as "MyApp.Orders+work@10.Invoke".
        Method: string
        /// The source file by the symbols; None: there are no symbols.
        File: string option
        /// The line in it, from 1.
        Line: int option
        /// The calls of the statement in it, as "System.Threading.Thread.Sleep": the JIT may have inlined the called frame. Empty
        /// for the framework's frames.
        Calls: string list
        /// The method in which a closure of F# was written; None: it is no closure, or that is not known.
        WrittenIn: string option
    }

/// The stack of one thread at one moment.
type Sample =
    {
        /// The thread, by the operating system's number.
        Thread: int
        /// Milliseconds since the look began.
        AtMilliseconds: float
        /// Whether it was in managed code; false: in native code, in which threads wait.
        IsManaged: bool
        /// Innermost first.
        Frames: Frame list
    }

/// The pool at one moment.
type PoolReading =
    {
        /// Milliseconds since the look began.
        AtMilliseconds: float
        /// Threads of the pool.
        Threads: int
        /// Work items that wait for a thread.
        Queue: int64
        /// Completed work items per second since the last reading; None: not known.
        CompletedPerSecond: float option
        /// The process's share of all processors, 0 to 100; None: not known.
        CpuPercent: float option
        /// Lock contentions per second; None: not known.
        ContentionsPerSecond: float option
    }

/// A change of the number of worker threads, with the runtime's reason.
type Adjustment =
    {
        AtMilliseconds: float
        /// The runtime's word: Starvation, CooperativeBlocking, ClimbingMove, ...
        Reason: string
        /// The new target number of workers.
        Workers: int
    }

/// The operating system's state of a thread.
type OsThread =
    {
        /// The share of moments at which it waited, 0 to 1, without the moments of a garbage collection's suspension; None: there
        /// were no others.
        Waiting: float option
        /// Whether it has the runtime's name for workers of the pool. A deep stack is cut off before the frames that show a
        /// worker.
        IsWorker: bool
    }

/// The object of a wait that only waiting threads can end, or none.
[<RequireQualifiedAccess>]
type WaitObject =
    /// A task that one of them runs.
    | Task
    /// A task in the queue of a scheduler of this type; they occupy the scheduler.
    | Scheduler of string
    /// A lock that one of them holds, on an object of this type; None: not known, or a Lock object.
    | Lock of string option
    /// A lock on an object of this type, whose holder has ended without releasing it; None: as above.
    | AbandonedLock of string option
    /// The end of one of them: Thread.Join.
    | Thread
    /// A class whose static constructor one of them runs.
    | Initializer

/// A deadlocked thread's wait.
type Deadlock =
    {
        WaitsFor: WaitObject
        /// The threads that would have to continue first, by the operating system's numbers: they wait for this one, or for each
        /// other. The thread itself may be among them.
        BlockedBy: int list
    }

/// The facts in the memory of a process about a thread that waits outside of its pool, or for other waiting threads.
type ThreadContext =
    {
        /// The type of its SynchronizationContext; None: it has none, or was not read.
        Context: string option
        /// Whether work that was posted to that context waits for this thread, at each of several moments; None: not known,
        /// because another thread may take it.
        HasPosted: bool option
        /// Whether this thread waits for that work, and no running thread is known to end its wait.
        HasWork: bool
        /// How long the thread has not run; None: not known.
        WaitsForSeconds: float option
        /// The deadlock, at each of several moments; None: there is none, or it is not known.
        Deadlock: Deadlock option
        /// Whether the memory of the process showed this thread; false: its context and whether it hangs are not known.
        IsRead: bool
    }

/// The holder of a lock or a mutex.
[<RequireQualifiedAccess>]
type Holder =
    /// A thread of the process, by the operating system's number.
    | Thread of int
    /// Workers of the pool, one after the other.
    | Workers
    /// A thread of the process with this number and name.
    | Process of pid: int * name: string
    | Unknown

/// The lock or the mutex that a thread waits for.
type HeldLock =
    {
        /// Whether it is a Mutex; a stack does not show that.
        IsMutex: bool
        /// The name by which processes share the mutex; None: it has none, or it is not known.
        Name: string option
        Holder: Holder
    }

/// The durations for which a look stopped threads of the process, one at a time.
type Stops =
    {
        /// The limit for the stop of each thread.
        LimitMilliseconds: float
        /// The longest stop of a thread.
        LongestMilliseconds: float
        /// The sum of all stops; it has no limit.
        TotalMilliseconds: float
        /// Threads that were stopped and read.
        Threads: int
        /// Threads that were not stopped and read: they did not stop in time, had ended, or there was no time left.
        Unread: int
    }

/// The end of a program that the doctor started.
type ProgramEnd =
    {
        /// The command that started the program.
        Command: string
        ExitCode: int
        /// The signal with this exit code, as SIGABRT; the program may also have chosen that code itself. None: no signal has it.
        Signal: string option
        /// Seconds from its start.
        Seconds: float
    }

    /// Whether it failed.
    member this.IsFailure = this.ExitCode <> 0

/// The evidence of one look.
type Evidence =
    {
        Process: ProcessFacts
        /// The operating system's number of the main thread, as that of each thread: in the namespace of the process, a container's.
        MainThread: int
        Route: Route
        /// When the look began, UTC.
        At: System.DateTime
        /// Milliseconds from the first to the last reading.
        Milliseconds: float
        /// In the order of time; empty: the route has none.
        Readings: PoolReading list
        /// The process's share of all processors, 0 to 100, if no reading has it; None: not known.
        CpuPercent: float option
        /// The most threads that its pool may have; None: not known.
        MaxThreads: int option
        /// In the order of time.
        Adjustments: Adjustment list
        /// Of all managed threads.
        Samples: Sample list
        /// The operating system's state of each thread; empty: unknown.
        Threads: Map<int, OsThread>
        /// Threads that wait outside of the pool, and all deadlocked threads; empty: there are none, or the memory was not read.
        Contexts: Map<int, ThreadContext>
        /// The lock or the mutex of threads that wait for one; empty: there are none, or the memory was not read.
        Held: Map<int, HeldLock>
        /// For threads that wait for a task: the threads that could complete it, because they run it or fill its scheduler; empty: they
        /// are not known. A thread that was not asked is not in the map.
        Runners: Map<int, int list>
        /// For threads that wait for the task of an async method of the program: the method, as "Shop.Prices+<Load>d__1.MoveNext"; empty:
        /// not known.
        Awaited: Map<int, string>
        /// None: no thread was stopped.
        Stops: Stops option
        /// None: the program still runs, the doctor ended it, or the doctor did not start it.
        Ended: ProgramEnd option
        /// Notes about the reading, one sentence each.
        Notes: string list
    }

    /// The evidence before anything is read of the process.
    static member Of(facts: ProcessFacts, route: Route, at: System.DateTime) : Evidence =
        {
            Process = facts
            MainThread = facts.Pid
            Route = route
            At = at
            Milliseconds = 0.0
            Readings = []
            CpuPercent = None
            MaxThreads = None
            Adjustments = []
            Samples = []
            Threads = Map.empty
            Contexts = Map.empty
            Held = Map.empty
            Runners = Map.empty
            Awaited = Map.empty
            Stops = None
            Ended = None
            Notes = []
        }
