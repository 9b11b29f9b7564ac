// The published benchmark with its defects: the switches that are on, the published rows, the comparison that
// measures the effect of each switch, and its panels.
module Plait.Lab.FizzBuzzSwitches

open System.IO

open Plait.Report

/// The switches that were on in all runs of the original.
let asPublished: Switches = Switches.ofList Switch.all

/// The scenario when every row has these switches.
let scenario (scenario: Scenario) (switches: Switches) : Scenario =
    match Switches.names switches with
    | [] -> scenario
    | names ->
        let on = String.concat ", " names

        { scenario with
            Title = $"{scenario.Title}; on: {on}"
            Expected = if switches.Has Switch.Indented then FizzBuzz.indented else scenario.Expected
        }

/// The rows when every row has these switches.
let rows (switches: Switches) (rows: RowPlan list) : RowPlan list =
    rows |> List.map (fun row -> { row with Switches = switches })

/// Whether a candidate was published, or is the base or the control; `strand` is there for ours.
let isShort (candidate: Candidate) : bool =
    not candidate.Published.IsEmpty
    || List.contains candidate.Family [ Family.Base; Family.Control ]
    || candidate.Name = "strand"

/// One switch alone, for each that is on; all of them together where there are several.
let private each (switches: Switches) : Switches list =
    [
        for switch in switches.On do
            Switches.ofList [ switch ]
        if switches.On.Count > 1 then
            switches
    ]

let private effectRow (theBase: RowPlan) (all: Switches) (switches: Switches) : RowPlan =
    let name =
        if switches = all && (Switches.names all).Length > 1 then
            "all of these"
        else
            Switches.names switches |> String.concat ", "

    { theBase with
        Id = $"{theBase.Candidate.Name}+{name}"
        Candidate = { theBase.Candidate with Family = Family.Other; Label = name; Published = [] }
        Switches = switches
    }

let private again (control: RowPlan) (label: string) : RowPlan =
    { control with Candidate = { control.Candidate with Label = label } }

/// The rows that show the effect of each switch on the base: the base, the control, and one row a switch.
let effects (theBase: RowPlan) (control: RowPlan) (switches: Switches) : RowPlan list =
    theBase
    :: again control "off, again (A/A)"
    :: (each switches |> List.map (effectRow theBase switches))

/// How such rows are measured: by as many launches as the run makes at least, and by one where it is short. The effects that
/// matter are large; and a width without a time would let a restless machine go on to the most launches there are.
let effort (isShort: bool) (settings: Settings) : Settings =
    { settings with
        InProcess = false
        Launches = if isShort then 1 else settings.Launches
        Width = None
        BudgetSeconds = None
    }

/// The scenario of such rows: those with indented JSON answer another body than the base.
let effectScenario (scenario: Scenario) (rows: RowPlan list) : Scenario =
    { scenario with
        ExpectedOf =
            Map
                [
                    for row in rows do
                        if row.Switches.Has Switch.Indented then
                            row.Id, FizzBuzz.indented
                ]
    }

/// The rows that show the effect of a trace store, recording into `folder`: the base, the control, written, and
/// forced to the disk.
let traces (theBase: RowPlan) (control: RowPlan) (folder: string) : RowPlan list =
    let traced =
        [
            Written(Path.Combine(folder, "trace-written.log"))
            Forced(Path.Combine(folder, "trace-forced.log"))
        ]
        |> List.map (fun policy -> effectRow theBase Switches.none { Switches.none with Trace = policy })

    theBase :: again control "untraced, again (A/A)" :: traced

/// The words of a publication about a switch.
let private said =
    Map
        [
            "fn-table=per-request", "on in the sync server of 2020"
            "logging", "always on"
            "answers=indented", "always on"
            "client-on-server-cores", "always on"
            "all of these", "as published"
            "traced=forced", "900 ms a request, then 1/100"
        ]

let private effectsNote =
    "The base with one switch on, against itself with all off, over HTTP, in pairs (median, 95 % interval). Requests/s is in percent of the base's; ms is 1000 / requests/s. Traced rows: one connection, 602 records a request in an append-only file; written: the system may keep them in memory; forced: each is on the disk before its call returns, as a database commits. Published: the runs that had the switch on, whose effect was not measured; and the gain of marking functions pure."

/// The effect of each defect, on against off, as a table and as a plot; none without effects.
let private panels (note: string) (rows: Row list) : Panel list =
    let perRequest (row: Row) =
        row.Value Figures.httpRequestsPerSecond
        |> Option.map (fun rate -> 1000.0 / rate)
        |> Panel.optional

    rows
    |> List.filter (fun row -> row.Family <> Family.Base && (row.Find Figures.httpCpuRatio).IsSome)
    |> EffectPanels.all
        "The effect of each defect"
        note
        _.Label
        [
            Column.figure "CPU on/off" 2, _.Find(Figures.httpCpuRatio) >> Panel.measured
            Column.figure "req/s %" 1, _.Value(Figures.httpRequestsPerSecondPercent) >> Panel.optional
            Column.figure "ms" 3, perRequest
            Column.words "published",
            fun row -> Map.tryFind row.Label said |> Option.defaultValue "" |> Panel.text
        ]
        (fun _ -> None)

/// The warning in results whose rows have these switches.
let warnings (switches: Switches) : string list =
    match Switches.names switches with
    | [] -> []
    | names ->
        let on = String.concat ", " names

        [
            $"every row was measured with defects of the published benchmark on ({on}): compare the ratios with the published ones, and not with ratios of other runs"
        ]

/// Results with those of the comparisons of such rows.
let withEffects (found: Results list) (results: Results) : Results =
    // Each comparison has judged its rows by its own control.
    let rows = found |> List.collect _.Rows

    let why =
        match found |> List.collect _.Missed |> List.map _.Sentence with
        | [] -> None
        | sentences -> Some(String.concat " " sentences)

    { results with
        Panels = results.Panels @ (panels effectsNote rows |> List.map (Panel.notJudged why))
        Warnings = results.Warnings @ EffectPanels.warnings rows
    }
