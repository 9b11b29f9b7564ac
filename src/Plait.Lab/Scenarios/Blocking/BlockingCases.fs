// The settings of the scenario blocking, and the cases of a run in their order.
namespace Plait.Lab

open System

/// How the scenario is run.
[<NoEquality; NoComparison>]
type BlockingSettings =
    {
        /// Seeds the order of the modes.
        Seed: int
        /// The mode of the jobs.
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
        /// Looks at a process by its id while its jobs run, from a thread of its own; its exception has the reason
        /// why there was no look. None: no look.
        Examine: (int -> PoolDiagnosis) option
    }

/// How a case differs from its mode as this scenario runs it.
[<RequireQualifiedAccess>]
type Variant =
    | Usual
    /// The same once more: the A/A control.
    | Again
    | NoProbe
    /// The runtime counts the cores of the publication's machine.
    | EightProcessors
    /// Both.
    | AsPublished

/// The jobs of a mode, as they are run.
type Case =
    {
        Mode: Mode
        Variant: Variant
    }

    /// Unique: the name of the mode, followed by its variant.
    member this.Id =
        this.Mode.Name
        + match this.Variant with
          | Variant.Usual -> ""
          | Variant.Again -> "+again"
          | Variant.NoProbe -> "+no-probe"
          | Variant.EightProcessors -> "+8-processors"
          | Variant.AsPublished -> "+as-published"

    /// How it is shown.
    member this.Label(load: Workload) =
        this.Mode.Label load
        + match this.Variant with
          | Variant.Usual -> ""
          | Variant.Again -> ", again"
          | Variant.NoProbe -> ", no probe"
          | Variant.EightProcessors -> ", 8 processors"
          | Variant.AsPublished -> ", as published"

    member this.Probed =
        this.Variant <> Variant.NoProbe && this.Variant <> Variant.AsPublished

    member this.Processors =
        match this.Variant with
        | Variant.EightProcessors
        | Variant.AsPublished -> Some 8
        | _ -> None

    /// Whether it runs behind the case before it, in the same process: the publication did.
    member this.InSameProcess =
        this.Variant = Variant.AsPublished && this.Mode.Name = AsyncSleep.Name

    /// The published time in seconds; None: no such thing was published.
    member this.Published =
        match this.Variant with
        | Variant.Again
        | Variant.EightProcessors -> None
        | _ -> this.Mode.Published

/// The cases.
module BlockingCases =
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
            Examine = None
        }

    /// A tenth of the jobs: a starved pool takes a minute for all of them.
    let quick =
        { full with
            Load = { full.Load with Scale = 0.1 }
            LimitSeconds = 60.0
            BudgetSeconds = Some 165.0
        }

    /// The control: the mode that no pool can hold up, once more. It is there whenever that mode is.
    let control: Case = { Mode = AsyncSleep; Variant = Variant.Again }

    /// As far as the control's time may be from the first one's, as a share of it: modes differ by many times that.
    let controlMargin = 0.1

    /// Whether the control's time over the first one's is near enough to 1.
    let isHeld (ratio: float) : bool = abs (ratio - 1.0) <= controlMargin

    /// The mode of the control once more, and the control: a run adds both if the control missed.
    let pair: Case list = [ { control with Variant = Variant.Usual }; control ]

    /// How often that is added at most.
    let mostAdded = 5

    /// Whether a run has the control.
    let isControlled (settings: BlockingSettings) : bool =
        settings.Modes |> List.exists (fun mode -> mode.Name = control.Mode.Name)

    /// The published pair with one switch after the other, and with all of them.
    let published: Case list =
        [
            { Mode = ThreadSleep; Variant = Variant.NoProbe }
            { Mode = ThreadSleep; Variant = Variant.EightProcessors }
            { Mode = ThreadSleep; Variant = Variant.AsPublished }
            { Mode = AsyncSleep; Variant = Variant.AsPublished }
        ]

    /// The cases of a run, in the order of reports.
    let cases (settings: BlockingSettings) : Case list =
        [
            for mode in settings.Modes do
                { Mode = mode; Variant = Variant.Usual }
            if isControlled settings then
                control
            if settings.AsPublished then
                yield! published
        ]

    /// Cases in the order of their runs: cases that share a process are together, and the rest is in an order from the seed.
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
