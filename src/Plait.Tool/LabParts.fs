// What a run of fizzbuzz consists of: one comparison as a rule, over runtimes if they are named, with a second and a third
// behind it where the effect of switches is asked for.
module internal Plait.Tool.LabParts

open System
open System.CommandLine
open System.IO

open Plait.Lab
open Plait.Lab.Report
open Plait.Lab.Scenarios

/// One comparison.
type Part =
    {
        /// What is announced before it.
        Heading: string option
        Scenario: Scenario
        Settings: Settings
        Rows: RowPlan list
    }

/// Comparisons that run one after the other, and what their results come to: those of the first, with more in them.
type Parts = { Parts: Part list; Finish: Results list -> Results }

let private same: Results list -> Results = List.head

/// Contradictions among the options, before anything is built.
let check (parsed: ParseResult) (settings: Settings) : unit =
    let runtimes = LabFizzBuzzOptions.runtimesOf parsed
    let switches = LabFizzBuzzOptions.switches parsed
    let anySwitch = switches <> Switches.none || LabFizzBuzzOptions.isTraced parsed

    if anySwitch && not runtimes.IsEmpty then
        raise (
            BadInput
                "--runtimes and the switches of --as-published are two questions; measure them in two runs"
        )

    if anySwitch && not settings.Http then
        raise (
            BadInput
                "--no-http leaves nothing of the switches of --as-published: what they do is done by servers; leave it out"
        )

/// The settings of the first comparison.
let settings (parsed: ParseResult) (settings: Settings) : Settings =
    let quick = LabFizzBuzzOptions.isQuick parsed

    if quick && not (LabFizzBuzzOptions.runtimesOf parsed).IsEmpty then
        // Three times the rows in the same time.
        { settings with Http = false; InProcess = true; BudgetSeconds = Some 100.0 }
    elif LabFizzBuzzOptions.isAsPublished parsed then
        { settings with
            InProcess = false
            BudgetSeconds = settings.BudgetSeconds |> Option.map (fun _ -> 85.0)
        }
    elif
        quick
        && (LabFizzBuzzOptions.switches parsed <> Switches.none || LabFizzBuzzOptions.isTraced parsed)
    then
        { settings with BudgetSeconds = settings.BudgetSeconds |> Option.map (fun _ -> 110.0) }
    else
        settings

let private isCSharp (root: string) (candidate: Candidate) =
    [ "."; "packages" ]
    |> List.exists (fun place ->
        File.Exists(Path.Combine(root, "candidates", place, candidate.Name, candidate.Name + ".csproj")))

let private onRuntimes
    parsed
    root
    feed
    stop
    (scenario: Scenario)
    (rows: RowPlan list)
    : Scenario * RowPlan list =
    let runtimes = LabFizzBuzzOptions.runtimesOf parsed
    let newest = List.last runtimes

    // A short run is about the question, and the question has three ways of writing.
    let isWanted (candidate: Candidate) =
        not (LabFizzBuzzOptions.isQuick parsed)
        || not (LabFizzBuzzOptions.names parsed).IsEmpty
        || List.contains candidate.Name [ scenario.Base; scenario.Control; "task"; "strand" ]

    let candidates =
        rows
        |> List.filter (fun row -> not row.SyncFn && isWanted row.Candidate)
        |> List.map _.Candidate
        |> List.distinctBy _.Name
        |> List.map (fun candidate ->
            if isCSharp root candidate && candidate.Absence.IsNone then
                let reason =
                    "the assemblies that it shares with the lab are built for one runtime only"

                { candidate with Absence = Some { Status = "not available"; Reason = reason } }
            else
                candidate)

    let tell (sentence: string) =
        Console.Error.WriteLine $"[runtimes] {sentence}"

    let published =
        RuntimeBuild.publish root feed (RuntimeMatrix.wanted scenario.Control runtimes candidates) tell stop

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

    RuntimeMatrix.scenario scenario runtimes, published |> List.map (RuntimeMatrix.row newest)

let private overRuntimes parsed root feed stop scenario settings rows : Parts =
    let scenario, rows = onRuntimes parsed root feed stop scenario rows

    {
        Parts = [ { Heading = None; Scenario = scenario; Settings = settings; Rows = rows } ]
        Finish = same
    }

/// One launch where the run is short: the effects that matter are large.
let private ofEffects (parsed: ParseResult) (settings: Settings) : Settings =
    { settings with
        InProcess = false
        Launches = if LabFizzBuzzOptions.isQuick parsed then 1 else settings.Launches
        BudgetSeconds = None
    }

let private withSwitches parsed (folder: string) (scenario: Scenario) settings (rows: RowPlan list) : Parts =
    let switches = LabFizzBuzzOptions.switches parsed

    let find id =
        rows |> List.find (fun row -> row.Id = id)

    let ground, control = find scenario.Base, find scenario.Control

    let isShort (row: RowPlan) =
        not (LabFizzBuzzOptions.isAsPublished parsed && LabFizzBuzzOptions.isQuick parsed)
        || not (LabFizzBuzzOptions.names parsed).IsEmpty
        || (Published.isShort row.Candidate
            && (not row.SyncFn || row.Candidate.Published |> List.exists _.SyncFn))

    let first =
        {
            Heading = None
            Scenario = Published.scenario scenario switches
            Settings = settings
            Rows = rows |> List.filter isShort |> Published.rows switches
        }

    let effects =
        if switches = Switches.none then
            []
        else
            let rows = Published.effects ground control switches

            [
                {
                    Heading = Some "what each switch does"
                    Scenario = Published.effectScenario scenario rows
                    Settings = ofEffects parsed settings
                    Rows = rows
                }
            ]

    let traces =
        if LabFizzBuzzOptions.isTraced parsed then
            [
                {
                    Heading = Some "what a trace store does"
                    Scenario = scenario
                    Settings = { ofEffects parsed settings with Connections = 1; Launches = 1 }
                    Rows = ground :: Published.traces ground folder
                }
            ]
        else
            []

    let finish (results: Results list) =
        let first = List.head results
        let more = List.tail results

        let warning =
            match Switches.names switches with
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

        { first with
            Complete = results |> List.forall _.Complete
            Warnings = warning @ broken @ first.Warnings
            Panels = first.Panels @ EffectPanels.make (more |> List.collect _.Rows)
        }

    { Parts = first :: effects @ traces; Finish = finish }

/// The comparisons that the options ask for. `folder`: where a trace may be written; `feed`: a folder of packages.
let plan
    parsed
    root
    feed
    stop
    (folder: string)
    (scenario: Scenario)
    (settings: Settings)
    (rows: RowPlan list)
    : Parts =
    if not (LabFizzBuzzOptions.runtimesOf parsed).IsEmpty then
        overRuntimes parsed root feed stop scenario settings rows
    elif LabFizzBuzzOptions.switches parsed <> Switches.none || LabFizzBuzzOptions.isTraced parsed then
        withSwitches parsed folder scenario settings rows
    else
        {
            Parts = [ { Heading = None; Scenario = scenario; Settings = settings; Rows = rows } ]
            Finish = same
        }

/// Runs the comparisons in turn. The first one that does not end well is the last. `save` is given the results so far.
let run (plan: Parts) (request: Part -> Request) (save: Results -> unit) stop : Ending * Results =
    let rec go (done': Results list) (parts: Part list) =
        match parts with
        | [] -> Completed, plan.Finish(List.rev done')
        | part :: rest ->
            part.Heading |> Option.iter (fun heading -> Console.Error.WriteLine $"then: {heading}")

            // What is behind the first is few rows, and part of the results when it has ended.
            let keep results =
                if done'.IsEmpty then
                    save results

            let ending, results =
                LabProgress.run (fun tell -> Comparison.run part.Scenario (request part) tell keep stop)

            match ending with
            | Completed -> go (results :: done') rest
            | other -> other, { plan.Finish(List.rev (results :: done')) with Complete = false }

    go [] plan.Parts
