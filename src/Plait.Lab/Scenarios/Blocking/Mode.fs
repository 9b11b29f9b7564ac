// The modes of the scenario blocking as data: the ways of letting many jobs wait at the same time.
namespace Plait.Lab.Blocking

open System

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

/// A mode.
type Mode =
    {
        /// Its name.
        Name: string
        /// How it is shown, given the load: numbers of threads are scaled with the jobs.
        Label: Workload -> string
        /// The published time in seconds, for 1,000 jobs of 500 ms on 8 cores.
        Published: float option
        /// The least number of pool threads that it sets; None: the default, one a core.
        MinThreads: Workload -> int option
    }

/// The modes.
module Mode =
    let private mode name label published : Mode =
        {
            Name = name
            Label = fun _ -> label
            Published = published
            MinThreads = fun _ -> None
        }

    let private withMinThreads name number : Mode =
        {
            Name = name
            Label = fun load -> $"Thread.Sleep, MinThreads {load.Scaled number}"
            Published = None
            MinThreads = fun load -> Some(load.Scaled number)
        }

    /// Nothing blocks.
    let asyncSleep = mode "async-sleep" "Async.Sleep" (Some 0.558)

    /// Every job blocks the thread of the pool that it runs on.
    let threadSleep = mode "thread-sleep" "Thread.Sleep" (Some 28.0)

    /// Those jobs, not all at once.
    let degree =
        { mode "degree-100" "" None with
            Label = fun load -> $"Thread.Sleep, degree {load.Scaled 100}"
        }

    /// All of them, in the order of reports.
    let all: Mode list =
        [
            asyncSleep
            threadSleep
            degree
            mode "task-run" "Thread.Sleep, Task.Run" None
            mode "long-running" "Thread.Sleep, LongRunning" None
            withMinThreads "min-threads-100" 100
            withMinThreads "min-threads-1000" 1000
            mode "new-thread" "Thread.Sleep, SwitchToNewThread" None
            mode "run-synchronously" "RunSynchronously of Async.Sleep" None
            mode "result" ".Result of Task.Delay" None
        ]

    /// The mode of a name.
    let find (name: string) : Mode option =
        all |> List.tryFind (fun mode -> mode.Name = name)

    /// The least time in seconds in which `jobs` that each wait `milliseconds` can end when `atOnce` of them wait at a
    /// time.
    let floor (jobs: int) (milliseconds: int) (atOnce: int) : float =
        float ((jobs + atOnce - 1) / atOnce) * float milliseconds / 1000.0
