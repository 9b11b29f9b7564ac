// The evidence about a process, by either way: the pool's counters, the stacks of its threads and the runtime's
// events about its pool. Everything is data, and the only input of the judging.
namespace Plait.Doctor

/// A .NET process.
type ProcessFacts =
    {
        Pid: int
        /// The name of its program: of its assembly, or of its executable.
        Name: string
        CommandLine: string
        /// Processors that it may use.
        Processors: int
        /// The version of its runtime, as "10.0.12"; None: not known.
        Runtime: string option
    }

/// The way into a process.
[<RequireQualifiedAccess>]
type Route =
    /// The diagnostics port of the runtime: counters and sampled stacks, while the process runs on.
    | EventPipe
    /// The debugger's way: each thread is stopped for a moment, and gives one stack.
    | Ptrace
    /// A trace that was saved before.
    | SavedTrace

/// One frame of a stack, as the runtime names it.
type Frame =
    {
        /// The assembly, without ".dll"; "": not known.
        Module: string
        /// Whether it is the runtime's, its libraries' or FSharp.Core's, or was made at run time: not the user's code.
        IsFramework: bool
        /// Whether its assembly came in a package, as the program's deps.json lists them: not the user's code either.
        IsPackage: bool
        /// Type and method without signature, as "MyApp.Orders+work@10.Invoke".
        Method: string
        /// The source file, as the symbols have it; None: there are no symbols.
        File: string option
        /// The line in it, from 1.
        Line: int option
        /// The calls of the statement in it, as "System.Threading.Thread.Sleep": the JIT may have put the call's own
        /// frame into this one. Empty for the framework's frames.
        Calls: string list
        /// The method in which a closure of F# was written; None: it is none, or that is not known.
        WrittenIn: string option
    }

/// The stack of one thread at one moment.
type Sample =
    {
        /// The thread, as the operating system numbers it.
        Thread: int
        /// Milliseconds since the look began.
        AtMilliseconds: float
        /// Whether it was in managed code; false: in native code, which is where threads wait.
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
        /// Work items that were completed since the reading before, a second; None: not known.
        CompletedPerSecond: float option
        /// The share of all processors that the process took, 0 to 100; None: not known.
        CpuPercent: float option
        /// Times a second that a thread found a lock taken; None: likewise.
        ContentionsPerSecond: float option
    }

/// A change of the number of worker threads, as the runtime gives its reason.
type Adjustment =
    {
        AtMilliseconds: float
        /// The runtime's word: Starvation, CooperativeBlocking, ClimbingMove, ...
        Reason: string
        /// Workers that it wants from then on.
        Workers: int
    }

/// The operating system's state of a thread.
type OsThread =
    {
        /// The share of moments at which it waited, 0 to 1, without those at which all threads stood still for the garbage
        /// collector; None: there were no others.
        Waiting: float option
        /// Whether it has the name that the runtime gives to workers of the pool. Of a deep stack the end is cut off, by which a
        /// worker is known otherwise.
        IsWorker: bool
    }

/// The object of a wait that only waiting threads can end.
[<RequireQualifiedAccess>]
type Obstruction =
    /// A task that one of them runs.
    | Task
    /// A task that waits in a scheduler of this type, which they occupy.
    | Scheduler of string
    /// A lock that one of them holds, on an object of this type; None: not known, or it is a lock and nothing else.
    | Lock of string option
    /// The end of one of them: Thread.Join.
    | Thread
    /// A class whose static constructor one of them runs.
    | Initializer

/// Why a thread can never go on.
type Deadlock =
    {
        What: Obstruction
        /// The threads that would have to go on first, as the operating system numbers them: they wait for this one, or for
        /// each other. It may be the thread itself.
        By: int list
    }

/// The facts from the memory of a process about a thread that waits outside of its pool, or for other waiting threads.
type ThreadContext =
    {
        /// The type of its SynchronizationContext; None: it has none.
        Context: string option
        /// Whether work that was posted to that context waits until this thread goes on, at each of several moments; None: not known,
        /// because another thread may take it.
        HasPosted: bool option
        /// Whether this thread waits for that work, too: none that goes on is known to end its wait.
        HasWork: bool
        /// How long the thread has not run; None: not known.
        WaitsForSeconds: float option
        /// Why it can never go on, at each of several moments; None: it can, or that is not known.
        Deadlock: Deadlock option
    }

/// The holder of a lock or a mutex.
[<RequireQualifiedAccess>]
type Holder =
    /// A thread of the process, as the operating system numbers it.
    | Thread of int
    /// A thread of another process, which has this number and name.
    | Process of pid: int * name: string
    | Unknown

/// The lock or the mutex that a thread waits for.
type HeldLock =
    {
        /// Whether it is a Mutex: a stack does not show it.
        IsMutex: bool
        /// The name by which processes share the mutex; None: it has none, or that is not known.
        Name: string option
        Holder: Holder
    }

/// For how long a look stopped threads of the process, one at a time.
type Stops =
    {
        /// The limit for the stop of each thread.
        LimitMilliseconds: float
        /// The longest stop of a thread.
        LongestMilliseconds: float
        /// All stops together, which have no limit.
        TotalMilliseconds: float
        /// Threads that were stopped and read.
        Threads: int
        /// Threads that were not: they did not stand in time, had ended, or there was no time left for them.
        Unread: int
    }

/// How a program that the doctor started came to its end.
type ProgramEnd =
    {
        /// The program, as it was started.
        Command: string
        ExitCode: int
        /// The signal that such an exit code stands for, as SIGABRT, though the program may have ended with it by itself; None: it stands
        /// for none.
        Signal: string option
        /// Since it was started.
        Seconds: float
    }

    /// Whether it failed.
    member this.IsFailure = this.ExitCode <> 0

/// The evidence of one look.
type Evidence =
    {
        Process: ProcessFacts
        Route: Route
        /// When the look began, UTC.
        At: System.DateTime
        /// From the first to the last of it.
        Milliseconds: float
        /// In the order of time; none where the way gives none.
        Readings: PoolReading list
        /// The share of all processors that the process took, 0 to 100, where no reading has it; None: not known.
        CpuPercent: float option
        /// The most threads that its pool may have; None: not known.
        MaxThreads: int option
        /// In the order of time.
        Adjustments: Adjustment list
        /// Of all managed threads.
        Samples: Sample list
        /// The operating system's state of each thread; empty: unknown.
        Threads: Map<int, OsThread>
        /// Threads outside of the pool that wait, and all that can never go on; empty: there are none, or the memory was not read.
        Contexts: Map<int, ThreadContext>
        /// The lock or the mutex of threads that wait for one; empty: there are none, or the memory was not read.
        Held: Map<int, HeldLock>
        /// None: no thread was stopped.
        Stops: Stops option
        /// None: the program runs on, was ended by the doctor, or was not started by it.
        Ended: ProgramEnd option
        /// Notes about the reading, sentence by sentence.
        Notes: string list
    }
