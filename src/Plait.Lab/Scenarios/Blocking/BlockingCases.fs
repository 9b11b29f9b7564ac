// The settings of the scenario blocking, and the cases of a run in their order.
namespace Plait.Lab

open System

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
