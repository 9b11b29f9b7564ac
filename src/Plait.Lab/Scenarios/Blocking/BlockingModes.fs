// The modes of the scenario blocking (ways of letting many jobs wait), its settings, and the cases of a run in their order.
namespace Plait.Lab.Blocking

open System

open Plait.Lab.Measure

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
    | MinThreads of int
    /// Those jobs after SwitchToNewThread.
    | NewThread
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

/// How the scenario is run.
type BlockingSettings =
    {
        /// Seeds the order of the modes.
        Seed: int
        /// What the jobs are.
        Load: Workload
        /// Fresh processes of each mode.
        Launches: int
        /// The modes.
        Modes: Mode list
        /// Seconds that one run of the jobs may take.
        LimitSeconds: float
        /// Seconds that all of them together may take: the limits become shorter when time runs out.
        BudgetSeconds: float option
        /// Milliseconds between two looks at the pool.
        SampleMilliseconds: int
        /// Milliseconds between two probes; None: no probes.
        ProbeMilliseconds: int option
        /// Whether to run the published modes in the published way as well.
        AsPublished: bool
    }

/// The jobs of a mode, as they are run: the way of this scenario, or one that differs in a switch.
type Case =
    {
        /// Unique: the name of the mode, with the switch behind it.
        Id: string
        Mode: Mode
        /// What stands behind the mode's label.
        Switch: string
        Probed: bool
        Processors: int option
        /// Whether it runs behind the case before it, in the same process.
        InSameProcess: bool
    }

/// The cases.
module BlockingCases =
    /// The cores of the machine of the publication.
    let publishedCores = 8

    /// The presets.
    let full =
        {
            Seed = 1
            Load = { Scale = 1.0; SleepMilliseconds = 500 }
            Launches = 1
            Modes = Mode.all
            LimitSeconds = 180.0
            BudgetSeconds = None
            SampleMilliseconds = 50
            ProbeMilliseconds = Some 10
            AsPublished = false
        }

    /// A tenth of the jobs: a starved pool takes a minute for all of them.
    let quick =
        { full with
            Load = { full.Load with Scale = 0.1 }
            LimitSeconds = 60.0
            BudgetSeconds = Some 165.0
        }

    let private usual (mode: Mode) : Case =
        {
            Id = mode.Name
            Mode = mode
            Switch = ""
            Probed = true
            Processors = None
            InSameProcess = false
        }

    /// The published pair with one switch after the other, and with all of them.
    let private published: Case list =
        let sleep = usual ThreadSleep
        let cores = Some publishedCores

        [
            { sleep with Id = "thread-sleep+no-probe"; Switch = ", no probe"; Probed = false }
            { sleep with
                Id = "thread-sleep+8-processors"
                Switch = ", 8 processors"
                Processors = cores
            }
            { sleep with
                Id = "thread-sleep+as-published"
                Switch = ", as published"
                Probed = false
                Processors = cores
            }
            { usual AsyncSleep with
                Id = "async-sleep+as-published"
                Switch = ", as published"
                Probed = false
                Processors = cores
                InSameProcess = true
            }
        ]

    /// The id of the A/A control.
    let controlId = "async-sleep+again"

    /// The A/A control: the mode that no pool can hold up, once more. It is there whenever that mode is.
    let private control (settings: BlockingSettings) : Case list =
        if settings.Modes |> List.exists (fun mode -> mode.Name = AsyncSleep.Name) then
            [ { usual AsyncSleep with Id = controlId; Switch = ", again" } ]
        else
            []

    /// The cases of a run, in the order of reports.
    let cases (settings: BlockingSettings) : Case list =
        (settings.Modes |> List.map usual)
        @ control settings
        @ (if settings.AsPublished then published else [])

    /// Cases as they are run: those that share a process are together, and the rest is in an order from the seed.
    let order (settings: BlockingSettings) (launch: int) : Case list list =
        let rec groups (cases: Case list) =
            match cases with
            | first :: second :: rest when second.InSameProcess -> [ first; second ] :: groups rest
            | first :: rest -> [ first ] :: groups rest
            | [] -> []

        groups (cases settings)
        |> Order.shuffle (Order.random settings.Seed $"modes of launch {launch}")

    /// Seconds for the next run, when `left` more are to follow it.
    let limit (settings: BlockingSettings) (spent: float) (left: int) : float =
        match settings.BudgetSeconds with
        | None -> settings.LimitSeconds
        // Two seconds for each of the others are kept back.
        | Some budget -> Math.Clamp(budget - spent - 2.0 * float left, 2.0, settings.LimitSeconds)
