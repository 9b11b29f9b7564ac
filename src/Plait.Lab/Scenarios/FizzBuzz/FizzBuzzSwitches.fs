// The published benchmark with its defects: which switches are on, the rows that were published, and the comparison that
// measures what each switch does.
module Plait.Lab.Scenarios.FizzBuzzSwitches

open System.IO

open Plait.Report

/// What the original did in all its runs.
let asPublished: Switches =
    { Switches.none with
        Logging = true
        TablePerRequest = true
        Indented = true
        ClientOnServer = true
    }

/// The scenario when every row has these switches.
let scenario (scenario: Scenario) (switches: Switches) : Scenario =
    match Switches.names switches with
    | [] -> scenario
    | names ->
        let on = String.concat ", " names

        { scenario with
            Title = $"{scenario.Title}; on: {on}"
            Expected = if switches.Indented then FizzBuzz.indented else scenario.Expected
        }

/// The rows when every row has these switches.
let rows (switches: Switches) (rows: RowPlan list) : RowPlan list =
    rows |> List.map (fun row -> { row with Switches = switches })

/// Whether a candidate was published, or is the base or the control; `strand` beside them shows what is ours.
let isShort (candidate: Candidate) : bool =
    not candidate.Published.IsEmpty
    || List.contains candidate.Family [ Family.Base; Family.Control ]
    || candidate.Name = "strand"

/// One switch alone, for each that is on; all of them together where there are several.
let private each (switches: Switches) : Switches list =
    let alone =
        [
            if switches.Logging then
                { Switches.none with Logging = true }
            if switches.TablePerRequest then
                { Switches.none with TablePerRequest = true }
            if switches.Indented then
                { Switches.none with Indented = true }
            if switches.ClientOnServer then
                { Switches.none with ClientOnServer = true }
        ]

    if alone.Length > 1 then alone @ [ switches ] else alone

let private effectRow (ground: RowPlan) (all: Switches) (switches: Switches) : RowPlan =
    let name =
        if switches = all && (Switches.names all).Length > 1 then
            "all of these"
        else
            Switches.names switches |> String.concat ", "

    { ground with
        Id = $"{ground.Candidate.Name}+{name}"
        Candidate = { ground.Candidate with Family = Family.Other; Label = name; Published = [] }
        Switches = switches
    }

/// The rows that show what each switch does to the base: the base, the control, and one row a switch.
let effects (ground: RowPlan) (control: RowPlan) (switches: Switches) : RowPlan list =
    ground :: control :: (each switches |> List.map (effectRow ground switches))

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
                        if row.Switches.Indented then
                            row.Id, FizzBuzz.indented
                ]
    }

/// The rows that show what a trace store does, recording into `folder`: written, and forced to the disk.
let traces (ground: RowPlan) (folder: string) : RowPlan list =
    [
        for policy in [ Written; Forced ] ->
            effectRow
                ground
                Switches.none
                { Switches.none with
                    Trace = policy
                    TraceFile = Path.Combine(folder, $"trace-{(string policy).ToLowerInvariant()}.log")
                }
    ]
