// Pure: what each defect of the published benchmark does, on against off, as a table and as a forest.
module Plait.Lab.Scenarios.EffectPanels

open Plait.Report

/// What a publication says about a switch.
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

let private note =
    "The base with one switch on, against itself with all off, over HTTP, in pairs (median, 95 % interval). Requests/s is in percent of the base's; ms is 1000 / requests/s. Traced rows: one connection, 602 records a request in an append-only file; written: the system may keep them in memory; forced: each is on the disk before its call returns, as a database commits. Published: which runs had the switch on, whose effect was not measured; and what marking functions pure brought."

/// The rows of the effects, the control among them, with their ratio over HTTP.
let private effects (rows: Row list) =
    rows
    |> List.choose (fun row ->
        match row.Find Figures.httpCpuRatio with
        | Some ratio when row.Family <> Family.Base -> Some(row, ratio)
        | _ -> None)

/// The panels; none without effects.
let make (results: Row list) : Panel list =
    match effects results with
    | [] -> []
    | effects ->
        let name (row: Row) =
            if row.Family = Family.Control then "off, again (A/A)" else row.Label

        [
            Panel.table
                "effects"
                "What each defect does"
                note
                [
                    Column.words "switch"
                    Column.figure "CPU on/off" 2
                    Column.figure "req/s %" 1
                    Column.figure "ms" 3
                    Column.words "verdict"
                    Column.words "published"
                ]
                [
                    for row, ratio in effects ->
                        [
                            Panel.text (name row)
                            Panel.measured (Some ratio)
                            Panel.optional (row.Value Figures.httpRequestsPerSecondPercent)
                            row.Value Figures.httpRequestsPerSecond
                            |> Option.map (fun rate -> 1000.0 / rate)
                            |> Panel.optional
                            ratio.Verdict
                            |> Option.map Verdict.word
                            |> Option.defaultValue "not judged"
                            |> Panel.text
                            Panel.text (Map.tryFind row.Label said |> Option.defaultValue "")
                        ]
                ]

            Panel.forest
                "effects-forest"
                "CPU for a request, each switch on against off"
                "1 is no difference; an interval that crosses 1 shows none."
                (Panel.log "CPU ratio, on / off")
                None
                None
                [ for row, ratio in effects -> Item.Of(name row, row.Family, ratio) ]
        ]
