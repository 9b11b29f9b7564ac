// What a run of fizzbuzz consists of. As a rule it is one comparison; it is one over several runtimes if those are named, it is
// followed by others where the effect of switches is asked for, and by FizzBoom. Their results become one.
namespace Plait.Lab.Scenarios

open System
open System.IO
open System.Threading

open Plait.Report

/// What is asked of a run of fizzbuzz besides its rows and settings.
type FizzBuzzAsk =
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
        /// Whether to measure what a trace store does.
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
    /// One comparison.
    type private Stage =
        {
            /// What is announced before it.
            Heading: string option
            Scenario: Scenario
            Settings: Settings
            Rows: RowPlan list
        }

    /// Comparisons that run one after the other, and what their results come to: those of the first, with more in them.
    type private Plan = { Stages: Stage list; Join: Results list -> Results }

    let private alone (scenario: Scenario) (settings: Settings) (rows: RowPlan list) : Plan =
        {
            Stages = [ { Heading = None; Scenario = scenario; Settings = settings; Rows = rows } ]
            Join = List.head
        }

    let private hasSwitches (ask: FizzBuzzAsk) =
        ask.Switches <> Switches.none || ask.IsTraced

    /// Whether the rows are so few that a short run has time for six launches of each. `packages`: candidates that are
    /// still to be built.
    let isFewRows (ask: FizzBuzzAsk) (rows: RowPlan list) (packages: int) : bool =
        let measured = rows |> List.filter (fun row -> row.Candidate.Absence.IsNone)
        let loaded = measured |> List.filter (fun row -> not row.SyncFn)
        let most = FizzBuzz.quickRows.Length

        ask.Runtimes.IsEmpty
        && not (hasSwitches ask)
        && loaded.Length + packages <= most
        && measured.Length + packages <= most + most / 2

    /// Refuses what contradicts itself, before anything is built.
    let check (ask: FizzBuzzAsk) (settings: Settings) : unit =
        if hasSwitches ask && not ask.Runtimes.IsEmpty then
            raise (
                BadInput
                    "--runtimes and the switches of --as-published are two questions; measure them in two runs"
            )

        if hasSwitches ask && not settings.Http then
            raise (
                BadInput
                    "--no-http leaves nothing of the switches of --as-published: what they do is done by servers; leave it out"
            )

    /// The settings of the first stage. A short run shares its time with what comes behind it.
    let settings (ask: FizzBuzzAsk) (settings: Settings) : Settings =
        let within seconds =
            if ask.IsQuick && not ask.IsTimed then
                settings.BudgetSeconds |> Option.map (fun _ -> seconds)
            else
                settings.BudgetSeconds

        if ask.IsQuick && not ask.Runtimes.IsEmpty then
            // Three times the rows in the same time.
            { settings with Http = false; InProcess = true; BudgetSeconds = within 100.0 }
        elif ask.AsPublished then
            { settings with InProcess = false; BudgetSeconds = within 85.0 }
        elif hasSwitches ask then
            { settings with BudgetSeconds = within 110.0 }
        else
            settings

    let private isCSharp (root: string) (candidate: Candidate) =
        [ "."; "packages" ]
        |> List.exists (fun place ->
            File.Exists(Path.Combine(root, "candidates", place, candidate.Name, candidate.Name + ".csproj")))

    /// The comparison over runtimes: candidates are published for each, and compared in one run.
    let private onRuntimes (ask: FizzBuzzAsk) (scenario: Scenario) (request: Request) say stop : Plan =
        let root = request.Repository
        let newest = List.last ask.Runtimes

        // A short run is about the question, and the question has three ways of writing.
        let isWanted (candidate: Candidate) =
            not ask.IsQuick
            || ask.HasNames
            || List.contains candidate.Name [ scenario.Base; scenario.Control; "task"; "strand" ]

        let candidates =
            request.Rows
            |> List.filter (fun row -> not row.SyncFn && isWanted row.Candidate)
            |> List.map _.Candidate
            |> List.distinctBy _.Name
            |> List.map (fun candidate ->
                if isCSharp root candidate && candidate.Absence.IsNone then
                    let reason =
                        "the assemblies that it shares with the lab are built for one runtime only"

                    { candidate with Absence = Some { Status = Status.NotAvailable; Reason = reason } }
                else
                    candidate)

        let published =
            RuntimeBuild.publish
                root
                ask.Feed
                (RuntimeMatrix.wanted scenario.Control ask.Runtimes candidates)
                say
                stop

        for candidate, runtime in published do
            match candidate.Absence with
            | Some absence when
                List.contains candidate.Name [ scenario.Base; scenario.Control ] && runtime = newest
                ->
                raise (
                    RunFailed
                        $"{candidate.Name} on {RuntimeBuild.shown runtime}, without which nothing can be compared: {absence.Reason}"
                )
            | _ -> ()

        alone
            (RuntimeMatrix.scenario scenario ask.Runtimes)
            request.Settings
            (published |> List.map (RuntimeMatrix.row newest))

    /// The comparison with switches on, then what each of them does. `traces`: the folder that traces are written to.
    let private withSwitches
        (ask: FizzBuzzAsk)
        (scenario: Scenario)
        (request: Request)
        (traces: string)
        : Plan =
        let find id =
            request.Rows |> List.find (fun row -> row.Id = id)

        let ofEffects = FizzBuzzSwitches.effort ask.IsQuick request.Settings
        let theBase, control = find scenario.Base, find scenario.Control

        let isWanted (row: RowPlan) =
            not (ask.AsPublished && ask.IsQuick)
            || ask.HasNames
            || (FizzBuzzSwitches.isShort row.Candidate
                && (not row.SyncFn || row.Candidate.Published |> List.exists _.SyncFn))

        let first =
            {
                Heading = None
                Scenario = FizzBuzzSwitches.scenario scenario ask.Switches
                Settings = request.Settings
                Rows = request.Rows |> List.filter isWanted |> FizzBuzzSwitches.rows ask.Switches
            }

        let effects =
            if ask.Switches = Switches.none then
                []
            else
                let rows = FizzBuzzSwitches.effects theBase control ask.Switches

                [
                    {
                        Heading = Some "what each switch does"
                        Scenario = FizzBuzzSwitches.effectScenario scenario rows
                        Settings = ofEffects
                        Rows = rows
                    }
                ]

        let tracing =
            if ask.IsTraced then
                [
                    {
                        Heading = Some "what a trace store does"
                        Scenario = scenario
                        Settings = { ofEffects with Connections = 1; Launches = 1 }
                        Rows = theBase :: FizzBuzzSwitches.traces theBase traces
                    }
                ]
            else
                []

        let join (results: Results list) =
            let first = List.head results
            let more = List.tail results

            let warning =
                match Switches.names ask.Switches with
                | [] -> []
                | names ->
                    let on = String.concat ", " names

                    [
                        $"every row was measured with defects of the published benchmark on ({on}): compare the ratios with the published ones, not with those of other runs"
                    ]

            let broken =
                more
                |> List.collect _.Rows
                |> List.choose (fun row -> row.Reason |> Option.map (fun reason -> $"{row.Id}: {reason}"))

            let astray =
                more
                |> List.choose _.Control
                |> List.filter (fun control -> not control.Held)
                |> List.map (fun control -> $"what each defect does: {control.Sentence}")

            { first with
                Complete = results |> List.forall _.Complete
                Warnings = warning @ broken @ first.Warnings @ astray
                Panels = first.Panels @ EffectPanels.make (more |> List.collect _.Rows)
            }

        { Stages = first :: effects @ tracing; Join = join }

    /// Runs the comparisons in turn. The first one that does not end well is the last.
    let private runStages (plan: Plan) (request: Stage -> Request) tell (save: Results -> unit) stop =
        let rec go (done': Results list) (stages: Stage list) =
            match stages with
            | [] -> Completed, plan.Join(List.rev done')
            | stage :: rest ->
                stage.Heading |> Option.iter (Stage >> tell)

                // What is behind the first is few rows, and part of the results when it has ended.
                let keep results =
                    if done'.IsEmpty then
                        save results

                match Comparison.run stage.Scenario (request stage) tell keep stop with
                | Completed, results -> go (results :: done') rest
                | other, results -> other, { plan.Join(List.rev (results :: done')) with Complete = false }

        go [] plan.Stages

    let private measuresNothing (settings: Settings) =
        not settings.InProcess && not settings.Http

    /// What the comparison is asked when FizzBoom comes behind it: its time goes off the budget, and where nothing else is
    /// to be measured there is only the base, whose answer is looked at.
    let private besideFizzBoom (scenario: Scenario) (boom: FizzBoomSettings) (request: Request) : Request =
        let count = (FizzBoom.rowsOf scenario.Base request.Rows).Length
        let off = float count * FizzBoom.secondsEach boom
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

    let private withFizzBoom
        (ask: FizzBuzzAsk)
        (scenario: Scenario)
        (boom: FizzBoomSettings)
        (request: Request)
        tell
        stop
        (ending, results: Results)
        =
        let results =
            if measuresNothing request.Settings then
                { results with
                    Title = FizzBoomPanels.title
                    Answer = ""
                    Control = None
                    Figures = []
                    Rows = []
                    Published = []
                    Panels = []
                    Settings = { results.Settings with Launches = 0; Pairs = 0 }
                    Stopping = None
                }
            else
                results

        match ending with
        | Stopped
        | Broken _ -> ending, results
        | Completed ->
            let rows = FizzBoom.rowsOf scenario.Base request.Rows
            tell (Stage "FizzBoom")
            tell (Began rows.Length)

            let ending, boomed = FizzBoom.run boom ask.Candidates rows request tell stop

            ending,
            { FizzBoomPanels.into boom boomed results with
                Complete = (ending = Completed)
                EndedUtc = Results.Stamp DateTime.UtcNow
            }

    /// Runs all of it. `folder`: a folder of the run's own, where traces are written and removed again. Otherwise as
    /// Comparison.run.
    let run
        (ask: FizzBuzzAsk)
        (folder: string)
        (request: Request)
        (tell: Progress -> unit)
        (save: Results -> unit)
        (stop: CancellationToken)
        : Ending * Results =
        let scenario = FizzBuzz.scenario
        let traces = Path.Combine(folder, "traces")

        let plan =
            if not ask.Runtimes.IsEmpty then onRuntimes ask scenario request (Noticed >> tell) stop
            elif hasSwitches ask then withSwitches ask scenario request traces
            else alone scenario request.Settings request.Rows

        let requestOf (stage: Stage) =
            let request = { request with Settings = stage.Settings; Rows = stage.Rows }

            match ask.FizzBoom with
            | Some boom -> besideFizzBoom scenario boom request
            | None -> request

        try
            if ask.IsTraced then
                Directory.CreateDirectory traces |> ignore

            let compared = runStages plan requestOf tell save stop

            match ask.FizzBoom with
            | Some boom ->
                let first =
                    { request with Settings = plan.Stages.Head.Settings; Rows = plan.Stages.Head.Rows }

                withFizzBoom ask scenario boom first tell stop compared
            | None -> compared
        finally
            // A record of a hundred thousand calls is of no use to anybody.
            if Directory.Exists traces then
                Directory.Delete(traces, true)
