// Pure: what each defect of the published benchmark does, on against off, as a table and as a forest.
module Plait.Lab.Scenarios.EffectPanels

open Plait.Report

/// What a publication says about a switch.
let private said =
    Map
        [
            "fn-table=per-request", "on in the sync server of 2020"
            "logging", "always on"
            "json=indented", "always on"
            "client-on-server-cores", "always on"
            "all of these", "as published"
            "traced=forced", "900 ms a request, then 1/100"
        ]

let private note =
    "The base with one switch on, against itself with all off, over HTTP, in pairs (median, 95 % interval). Requests/s is in percent of the base's; ms is 1000 / requests/s. Traced rows: one connection, 602 records a request in an append-only file; written: the system may keep them in memory; forced: each is on the disk before its call returns, as a database commits. Published: which runs had the switch on, whose effect was not measured; and what marking functions pure brought."

let private rows (rows: Row list) =
    rows
    |> List.choose (fun row ->
        match row.Http with
        | Some http when row.Family <> "base" -> Some(row, http)
        | _ -> None)

/// The rows of the effects; the control among them.
let make (results: Row list) : Panel list =
    match rows results with
    | [] -> []
    | effects ->
        let name (row: Row) =
            if row.Family = "control" then "off, again (A/A)" else row.Label


        let table =
            Panel.table
                "effects"
                "What each defect does"
                note
                [
                    Column.words "switch"
                    Column.figure "CPU on/off" 2
                    Column.figure "low" 2
                    Column.figure "high" 2
                    Column.figure "req/s %" 1
                    Column.figure "ms" 3
                    Column.words "verdict"
                    Column.words "published"
                ]
                [
                    for row, http in effects ->
                        [
                            Panel.text (name row)
                            Panel.number http.CpuRatio.Median
                            Panel.number http.CpuRatio.Low
                            Panel.number http.CpuRatio.High
                            Panel.number http.RequestsPerSecondPercent.Median
                            Panel.number (1000.0 / http.RequestsPerSecond)
                            Panel.text http.Verdict
                            Panel.text (Map.tryFind row.Label said |> Option.defaultValue "")
                        ]
                ]

        let item (row: Row, http: HttpResult) : Item =
            {
                Label = name row
                Family = row.Family
                Value = http.CpuRatio.Median
                Low = Some http.CpuRatio.Low
                High = Some http.CpuRatio.High
                Other = None
                Note = Some http.Verdict
            }

        [
            table
            Panel.forest
                "effects-forest"
                "CPU for a request, each switch on against off"
                "1 is no difference; an interval that crosses 1 shows none."
                { Label = "CPU ratio, on / off"; Scale = "log" }
                1.0
                (List.map item effects)
        ]
