// Fizzbuzz with defects of the published benchmark: the comparison with them on, then what each of them does.
module internal Plait.Tool.LabSwitchParts


open Plait.Report

open Plait.Lab.Scenarios

/// The comparisons. `folder`: where a trace may be written.
let make parsed (folder: string) (scenario: Scenario) settings (rows: RowPlan list) : LabPart.Parts =
    let switches = LabSwitchOptions.switches parsed

    let find id =
        rows |> List.find (fun row -> row.Id = id)

    let ofEffects = FizzBuzzSwitches.effort (LabFizzBuzzOptions.isQuick parsed) settings
    let ground, control = find scenario.Base, find scenario.Control

    let isShort (row: RowPlan) =
        not (LabSwitchOptions.isAsPublished parsed && LabFizzBuzzOptions.isQuick parsed)
        || not (LabCandidateOptions.names parsed).IsEmpty
        || (FizzBuzzSwitches.isShort row.Candidate
            && (not row.SyncFn || row.Candidate.Published |> List.exists _.SyncFn))

    let first: LabPart.Part =
        {
            Heading = None
            Scenario = FizzBuzzSwitches.scenario scenario switches
            Settings = settings
            Rows = rows |> List.filter isShort |> FizzBuzzSwitches.rows switches
        }

    let effects: LabPart.Part list =
        if switches = Switches.none then
            []
        else
            let rows = FizzBuzzSwitches.effects ground control switches

            [
                {
                    Heading = Some "what each switch does"
                    Scenario = FizzBuzzSwitches.effectScenario scenario rows
                    Settings = ofEffects
                    Rows = rows
                }
            ]

    let traces: LabPart.Part list =
        if LabSwitchOptions.isTraced parsed then
            [
                {
                    Heading = Some "what a trace store does"
                    Scenario = scenario
                    Settings = { ofEffects with Connections = 1; Launches = 1 }
                    Rows = ground :: FizzBuzzSwitches.traces ground folder
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

        let astray =
            more
            |> List.collect (fun results ->
                results.Rows
                |> List.tryFind (fun row -> row.Id = scenario.Control)
                |> RunWarnings.controlWarnings)
            |> List.map (fun warning -> $"what each defect does: {warning}")

        { first with
            Complete = results |> List.forall _.Complete
            Warnings = warning @ broken @ first.Warnings @ astray
            Panels = first.Panels @ EffectPanels.make (more |> List.collect _.Rows)
        }

    { Parts = first :: effects @ traces; Finish = finish }
