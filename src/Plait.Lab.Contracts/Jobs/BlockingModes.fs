// The modes of the scenario blocking: ways of letting many jobs wait, and the jobs of each.
namespace Plait.Lab

open System
open System.Threading
open System.Threading.Tasks

/// How many jobs there are, and how long each waits.
type Workload =
    {
        /// The share of the published load that is run.
        Scale: float
        /// How long one job waits.
        SleepMilliseconds: int
    }

    /// The published number of jobs.
    static member PublishedJobs = 1000

    /// A number of the published load, scaled; at least 1.
    member this.Scaled(number: int) : int =
        max 1 (int (Math.Round(this.Scale * float number)))

    /// The jobs that are run.
    member this.Jobs = this.Scaled Workload.PublishedJobs

/// A way of letting many jobs wait at the same time.
type Mode =
    /// Async.Sleep: nothing blocks.
    | AsyncSleep
    /// Thread.Sleep: every job blocks the thread of the pool that it runs on.
    | ThreadSleep
    /// Those jobs, at most 100 of the published 1,000 at once.
    | Degree100
    /// Those jobs by Task.Run.
    | TaskRun
    /// Those jobs by tasks that are announced as long-running.
    | LongRunning
    /// Those jobs in a pool that begins with so many threads, of the published load.
    | MinThreads of threads: int
    /// Those jobs after SwitchToNewThread.
    | NewThread
    /// Those jobs by Blocking.runOn, on at most so many threads of their own, of the published load.
    | BlockingRun of threads: int
    /// RunSynchronously of Async.Sleep.
    | RunSynchronously
    /// .Result of a task that waits for Task.Delay.
    | TaskResult

    /// Its name, as on the command line.
    member this.Name =
        match this with
        | AsyncSleep -> "async-sleep"
        | ThreadSleep -> "thread-sleep"
        | Degree100 -> "degree-100"
        | TaskRun -> "task-run"
        | LongRunning -> "long-running"
        | MinThreads number -> $"min-threads-{number}"
        | NewThread -> "new-thread"
        | BlockingRun number -> $"blocking-run-{number}"
        | RunSynchronously -> "run-synchronously"
        | TaskResult -> "result"

    /// How it is shown, given the load: numbers of threads are scaled with the jobs.
    member this.Label(load: Workload) =
        match this with
        | AsyncSleep -> "Async.Sleep"
        | ThreadSleep -> "Thread.Sleep"
        | Degree100 -> $"Thread.Sleep, degree {load.Scaled 100}"
        | TaskRun -> "Thread.Sleep, Task.Run"
        | LongRunning -> "Thread.Sleep, LongRunning"
        | MinThreads number -> $"Thread.Sleep, MinThreads {load.Scaled number}"
        | NewThread -> "Thread.Sleep, SwitchToNewThread"
        | BlockingRun number -> $"Thread.Sleep, Blocking.run {load.Scaled number}"
        | RunSynchronously -> "RunSynchronously of Async.Sleep"
        | TaskResult -> ".Result of Task.Delay"

    /// The published time in seconds, for 1,000 jobs of 500 ms on 8 cores.
    member this.Published =
        match this with
        | AsyncSleep -> Some 0.558
        | ThreadSleep -> Some 28.0
        | _ -> None

    /// The least number of pool threads that it sets; None: the default, one a core.
    member this.LeastThreads(load: Workload) =
        match this with
        | MinThreads number -> Some(load.Scaled number)
        | _ -> None

    /// The most jobs that it lets wait at the same time; None: as many as the pool has threads.
    member this.Width(load: Workload) =
        match this with
        | AsyncSleep
        | LongRunning
        | NewThread -> Some load.Jobs
        | Degree100 -> Some(load.Scaled 100)
        | MinThreads number
        | BlockingRun number -> Some(load.Scaled number)
        | ThreadSleep
        | TaskRun
        | RunSynchronously
        | TaskResult -> None

/// The modes.
module Mode =
    /// All of them, in the order of reports.
    let all: Mode list =
        [
            AsyncSleep
            ThreadSleep
            Degree100
            TaskRun
            LongRunning
            MinThreads 100
            MinThreads 1000
            NewThread
            BlockingRun 100
            BlockingRun 1000
            RunSynchronously
            TaskResult
        ]

    /// The mode of a name.
    let find (name: string) : Mode option =
        all |> List.tryFind (fun mode -> mode.Name = name)

    /// The least time in seconds in which `jobs` that each wait `milliseconds` can end when `atOnce` of them wait at a
    /// time.
    let floor (jobs: int) (milliseconds: int) (atOnce: int) : float =
        float ((jobs + atOnce - 1) / atOnce) * float milliseconds / 1000.0

/// The count of jobs of a run. All members may be used from any thread.
type JobCounter() =
    let mutable running = 0
    let mutable most = 0
    let mutable ended = 0

    /// A job begins to wait.
    member _.Enter() =
        let now = Interlocked.Increment &running
        let mutable seen = Volatile.Read &most

        while now > seen && Interlocked.CompareExchange(&most, now, seen) <> seen do
            seen <- Volatile.Read &most

    /// A job has waited.
    member _.Leave() =
        Interlocked.Decrement &running |> ignore
        Interlocked.Increment &ended |> ignore

    /// Jobs that wait now.
    member _.Running = Volatile.Read &running
    /// The most that ever waited at the same time.
    member _.MaxRunning = Volatile.Read &most
    /// Jobs that have ended.
    member _.Ended = Volatile.Read &ended

/// Takes a number of threads, a number of calls and a blocking function: makes so many calls of it on threads outside
/// of the pool, at most one a thread at a time, and ends with the last. The process of the jobs brings it: the lab
/// references no library that it measures.
type OwnThreads = int -> int -> (unit -> unit) -> Task

module internal Jobs =
    let private block (counter: JobCounter) (milliseconds: int) =
        counter.Enter()
        Thread.Sleep milliseconds
        counter.Leave()

    // plait: ignore PLT202 the blocked thread is measured
    let private blocking counter milliseconds = async { block counter milliseconds }

    let private parallelOf count (job: Async<unit>) =
        Async.Parallel(List.replicate count job) |> Async.Ignore |> Async.RunSynchronously

    let private tasksOf count (start: unit -> Task) =
        Task.WhenAll(Array.init count (fun _ -> start ())).Wait()

    let private sleepingAsync (counter: JobCounter) (milliseconds: int) =
        async {
            counter.Enter()
            do! Async.Sleep milliseconds
            counter.Leave()
        }

    let private delayed (milliseconds: int) : Task<int> =
        task {
            do! Task.Delay milliseconds
            return 0
        }

    let private counted (counter: JobCounter) (wait: unit -> unit) () : Task =
        Task.Run(fun () ->
            counter.Enter()
            wait ()
            counter.Leave())

    /// Runs the jobs of a mode to their end; blocks the calling thread, which is none of the pool's.
    let run (onOwnThreads: OwnThreads) (mode: Mode) (load: Workload) (counter: JobCounter) : unit =
        let milliseconds = load.SleepMilliseconds
        let count = load.Jobs

        match mode with
        | AsyncSleep -> parallelOf count (sleepingAsync counter milliseconds)
        | Degree100 ->
            Async.Parallel(List.replicate count (blocking counter milliseconds), load.Scaled 100)
            |> Async.Ignore
            |> Async.RunSynchronously
        | TaskRun -> tasksOf count (fun () -> Task.Run(fun () -> block counter milliseconds))
        | LongRunning ->
            tasksOf count (fun () ->
                Task.Factory.StartNew(
                    (fun () -> block counter milliseconds),
                    TaskCreationOptions.LongRunning
                ))
        | NewThread ->
            parallelOf
                count
                (async {
                    do! Async.SwitchToNewThread()
                    block counter milliseconds
                })
        | BlockingRun threads ->
            (onOwnThreads (load.Scaled threads) count (fun () -> block counter milliseconds)).Wait()
        | RunSynchronously ->
            tasksOf count (counted counter (fun () -> Async.RunSynchronously(Async.Sleep milliseconds)))
        | TaskResult -> tasksOf count (counted counter (fun () -> (delayed milliseconds).Result |> ignore))
        | ThreadSleep
        | MinThreads _ -> parallelOf count (blocking counter milliseconds)
