// The stages of a run of fizzbuzz: a comparison of rows, on this runtime, on several, or with the switches of the
// published benchmark on; by their options, the effect of each switch, and FizzBoom. Each stage adds to the results
// of the stages before.
namespace Plait.Lab

open System
open System.IO
open System.Threading

open Plait.Common
open Plait.Report

/// The options of a run of fizzbuzz besides its settings.
type FizzBuzzOptions =
    {
        /// Whether the short preset was asked for.
        IsQuick: bool
        /// Whether the time is the user's: then it is not divided among stages.
        IsTimed: bool
        /// Whether rows were named: then all of them are measured, in a short run as well.
        HasNames: bool
        /// The runtimes to compare, oldest first; empty: this one alone.
        Runtimes: string list
        /// The switches that every row has.
        Switches: Switches
        /// Whether all defects of the publication were asked for at once.
        AsPublished: bool
        /// Whether to measure the effect of a trace store.
        IsTraced: bool
        /// How FizzBoom runs; None: it does not.
        FizzBoom: FizzBoomSettings option
        /// A folder of packages to take runtimes from, besides the configured sources.
        Feed: string option
        /// The folder that the built candidates lie in.
        Candidates: string
    }

/// The stages of a run of fizzbuzz.
module FizzBuzzStages =
    let private hasSwitches (options: FizzBuzzOptions) =
        options.Switches <> Switches.none || options.IsTraced

    /// The most rows of which a short run has time for all launches: those without factors, and all.
    let fewRows =
        FizzBuzz.quickRows.Length, FizzBuzz.quickRows.Length + FizzBuzz.quickRows.Length / 2

    /// Whether the rows are so few that a short run has time for all launches of each. `packages`: candidates that are
    /// still to be built.
    let isFewRows (options: FizzBuzzOptions) (rows: RowPlan list) (packages: int) : bool =
        let measured = rows |> List.filter (fun row -> row.Candidate.Absence.IsNone)
        let loaded = measured |> List.filter _.Factors.IsEmpty
        let without, all = fewRows

        options.Runtimes.IsEmpty
        && not (hasSwitches options)
        && loaded.Length + packages <= without
        && measured.Length + packages <= all

    /// Refuses options that contradict each other, before anything is built.
    let check (options: FizzBuzzOptions) (settings: Settings) : unit =
        if hasSwitches options && not options.Runtimes.IsEmpty then
            raise (
                BadInput
                    "--runtimes and the switches of --as-published are two questions; measure them in two runs"
            )

        if hasSwitches options && not settings.Http then
            raise (
                BadInput
                    "--as-published changes servers alone, and --no-http measures none; leave one of them out"
            )

    /// The settings of the first stage. A short run shares its time with the later stages.
    let settings (options: FizzBuzzOptions) (settings: Settings) : Settings =
        let within seconds =
            if options.IsQuick && not options.IsTimed then
                settings.BudgetSeconds |> Option.map (fun _ -> seconds)
            else
                settings.BudgetSeconds

        if options.IsQuick && not options.Runtimes.IsEmpty then
            // Three times the rows in the same time.
            { settings with Http = false; InProcess = true; BudgetSeconds = within 100.0 }
        elif options.AsPublished then
            { settings with InProcess = false; BudgetSeconds = within 85.0 }
        elif hasSwitches options then
            { settings with BudgetSeconds = within 110.0 }
        else
            settings

    /// The rows that are compared over runtimes, each candidate once. A short run is about the question, and the question has
    /// three ways of writing.
    let private rowsOnRuntimes (options: FizzBuzzOptions) (rows: RowPlan list) : RowPlan list =
        let scenario = FizzBuzz.scenario

        let isWanted (candidate: Candidate) =
            not options.IsQuick
            || options.HasNames
            || List.contains candidate.Name [ scenario.Base; scenario.Control; "task"; "strand" ]

        rows
        |> List.filter (fun row -> row.Factors.IsEmpty && isWanted row.Candidate)
        |> List.distinctBy _.Candidate.Name

    /// The rows that are compared with switches on, fewer where it is short.
    let private rowsWithSwitches (options: FizzBuzzOptions) (rows: RowPlan list) : RowPlan list =
        let isWanted (row: RowPlan) =
            not (options.AsPublished && options.IsQuick)
            || options.HasNames
            || (FizzBuzzSwitches.isShort row.Candidate
                && (row.Factors.IsEmpty
                    || row.Candidate.Published |> List.exists (fun figure -> not figure.Factors.IsEmpty)))

        rows |> List.filter isWanted

    let private measuresNothing (settings: Settings) =
        not settings.InProcess && not settings.Http

    /// Refuses a budget of the user's that the launches of the comparison cannot be kept within. `packages`: candidates that
    /// are still to be built.
    let checkBudget
        (options: FizzBuzzOptions)
        (settings: Settings)
        (rows: RowPlan list)
        (packages: string list)
        =
        let isThere (row: RowPlan) =
            row.Candidate.Absence.IsNone || List.contains row.Candidate.Name packages

        let others =
            if not options.Runtimes.IsEmpty then
                rowsOnRuntimes options rows |> List.replicate options.Runtimes.Length |> List.concat
            elif hasSwitches options then
                rowsWithSwitches options rows
            else
                rows
            |> List.filter (fun row -> isThere row && row.Id <> FizzBuzz.scenario.Base)

        let least, part, less =
            match options.FizzBoom with
            | Some boom when measuresNothing settings ->
                let count = FizzBoom.countWith others

                FizzBoom.leastOf count boom,
                $"FizzBoom of {count} rows takes",
                "ask for less with --quick or a shorter --delay"
            | _ ->
                let beside = $"{others.Length} rows beside the base"

                TimeBudget.LeastSeconds(settings, others),
                (match settings.Width, settings.Launches with
                 | Some _, _
                 | None, 1 -> $"one launch of {beside} takes"
                 | None, count -> $"{count} launches of {beside} take"),
                "ask for less with --quick, --launches, --pairs or --no-http"

        match settings.BudgetSeconds with
        | Some budget when options.IsTimed && not settings.BytesOnly && budget < least ->
            let show (seconds: float) =
                Duration.brief (TimeSpan.FromSeconds(ceil seconds))

            raise (
                BadInput
                    $"--budget: {show budget} is less than this run takes: {part} {show least} at least; give it so much, name fewer rows with --only, or {less}"
            )
        | _ -> ()

    /// The comparison over runtimes: candidates are published for each, and compared in one run.
    let private onRuntimes
        (options: FizzBuzzOptions)
        (request: ComparisonRequest)
        say
        stop
        : Scenario * ComparisonRequest =
        let scenario = FizzBuzz.scenario
        let root = request.Repository
        let newest = List.last options.Runtimes

        let candidates = request.Rows |> rowsOnRuntimes options |> List.map _.Candidate

        let published =
            RuntimeBuild.publish
                root
                options.Feed
                (RuntimeMatrix.wanted scenario.Control options.Runtimes candidates)
                say
                stop

        RuntimeMatrix.scenario scenario options.Runtimes,
        { request with Rows = published |> List.map (RuntimeMatrix.row newest) }

    /// The comparison with switches on.
    let private withSwitches
        (options: FizzBuzzOptions)
        (request: ComparisonRequest)
        : Scenario * ComparisonRequest =
        FizzBuzzSwitches.scenario FizzBuzz.scenario options.Switches,
        { request with
            Rows = request.Rows |> rowsWithSwitches options |> FizzBuzzSwitches.rows options.Switches
        }

    /// Results with the effect of each switch on the base, and the effect of a trace store that writes to `traces`:
    /// two comparisons of few rows, whose panels are in the results.
    let private withEffects
        (options: FizzBuzzOptions)
        traces
        (request: ComparisonRequest)
        tell
        stop
        (results: Results)
        =
        let scenario = FizzBuzz.scenario

        let find id =
            request.Rows |> List.find (fun row -> row.Id = id)

        let theBase, control = find scenario.Base, find scenario.Control
        let settings = FizzBuzzSwitches.effort options.IsQuick request.Settings

        let comparisons =
            [
                if options.Switches <> Switches.none then
                    let rows = FizzBuzzSwitches.effects theBase control options.Switches
                    "the effect of each switch", FizzBuzzSwitches.effectScenario scenario rows, settings, rows

                if options.IsTraced then
                    let rows = FizzBuzzSwitches.traces theBase control traces

                    "the effect of a trace store",
                    scenario,
                    { settings with Connections = 1; Launches = 1 },
                    rows
            ]

        let next (ending, found) (heading, scenario, settings, rows) =
            if ending = Completed then
                tell (Stage heading)
                let request = { request with Settings = settings; Rows = rows }
                let ending, results = Comparison.run scenario request tell ignore stop
                ending, found @ [ results ]
            else
                ending, found

        let ending, found = comparisons |> List.fold next (Completed, [])
        ending, FizzBuzzSwitches.withEffects found results

    /// FizzBoom with the whole budget, where nothing else is measured.
    let private fizzBoomInTime
        (scenario: Scenario)
        (request: ComparisonRequest)
        (boom: FizzBoomSettings)
        : FizzBoomSettings =
        match request.Settings.BudgetSeconds with
        | Some budget when measuresNothing request.Settings ->
            let rows = FizzBoom.rowsOf scenario.Base request.Rows
            FizzBoom.within budget rows.Length boom
        | _ -> boom

    /// The request to the comparison when FizzBoom comes behind it: its time goes off the budget, and where nothing
    /// else is to be measured there is only the base, which is not started.
    let private besideFizzBoom
        (scenario: Scenario)
        (boom: FizzBoomSettings)
        (request: ComparisonRequest)
        : ComparisonRequest =
        let rows = FizzBoom.rowsOf scenario.Base request.Rows
        let off = float rows.Length * FizzBoom.secondsEach boom
        let isAlone = measuresNothing request.Settings

        { request with
            Rows =
                if isAlone then
                    request.Rows |> List.filter (fun row -> row.Id = scenario.Base)
                else
                    request.Rows
            Settings =
                { request.Settings with
                    BudgetSeconds =
                        request.Settings.BudgetSeconds |> Option.map (fun budget -> max 60.0 (budget - off))
                    Launches = if isAlone then 1 else request.Settings.Launches
                    Width = if isAlone then None else request.Settings.Width
                }
        }

    /// Results without the comparison, where it measured nothing.
    let private withoutComparison (results: Results) : Results =
        { results with
            Title = FizzBoomPanels.title
            Answer = ""
            Controls = []
            Figures = []
            Rows = []
            Panels = []
            Settings = { results.Settings with Launches = 0; Pairs = 0 }
            Stopping = None
        }

    /// Results with FizzBoom of the rows of a comparison.
    let private withFizzBoom
        (options: FizzBuzzOptions)
        boom
        (scenario: Scenario)
        (request: ComparisonRequest)
        tell
        stop
        results
        =
        let rows = FizzBoom.rowsOf scenario.Base request.Rows
        tell (Stage "FizzBoom")
        tell (Began rows.Length)

        let ending, measured =
            FizzBoom.run boom options.Candidates scenario rows request tell stop

        let results = FizzBoomPanels.into boom measured results

        ending,
        if measuresNothing request.Settings then
            let started =
                measured
                |> List.choose (fun one ->
                    one.Introduction |> Option.map (fun introduction -> one.Row, introduction))

            { results with Environment = EnvironmentSnapshot.ofPrograms started results.Environment }
        else
            results

    /// Runs all of it. `folder`: a folder of the run's own, where traces are written and removed again. Otherwise as
    /// Comparison.run.
    let run
        (options: FizzBuzzOptions)
        (folder: string)
        (request: ComparisonRequest)
        (tell: Progress -> unit)
        (save: Results -> unit)
        (stop: CancellationToken)
        : Ending * Results =
        let traces = Path.Combine(folder, "traces")

        let scenario, first =
            if not options.Runtimes.IsEmpty then onRuntimes options request (Noticed >> tell) stop
            elif hasSwitches options then withSwitches options request
            else FizzBuzz.scenario, request

        let boom = options.FizzBoom |> Option.map (fizzBoomInTime scenario first)

        let compare () =
            match boom with
            | Some boom -> Comparison.run scenario (besideFizzBoom scenario boom first) tell save stop
            | None -> Comparison.run scenario first tell save stop

        let stages: (Results -> Ending * Results) list =
            [
                if hasSwitches options then
                    withEffects options traces request tell stop

                match boom with
                | Some boom -> withFizzBoom options boom scenario first tell stop
                | None -> ()
            ]

        // A stage that does not end well is the last.
        let next (ending, results) stage =
            if ending = Completed then stage results else ending, results

        try
            if options.IsTraced then
                Directory.CreateDirectory traces |> ignore

            let ending, results = compare ()

            let results =
                if measuresNothing first.Settings then withoutComparison results else results

            let results =
                { results with Warnings = FizzBuzzSwitches.warnings options.Switches @ results.Warnings }

            let ending, results = stages |> List.fold next (ending, results)

            ending, { results with Complete = (ending = Completed); EndedUtc = Results.Stamp DateTime.UtcNow }
        finally
            // A record of a hundred thousand calls is of no use to anybody.
            if Directory.Exists traces then
                Directory.Delete(traces, true)
