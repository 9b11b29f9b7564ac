// Pure: the panel of FizzBoom on the page and the terminal.
module Plait.Lab.FizzBoomPanels

open System
open Plait.Load
open Plait.Report

// The run of 2020, in requests/s: 500 connections, six waits of a second, 30 seconds. Its other async variant was Ply's
// task, with the same figure.
let private published = Map [ "sync", 0.0; "hidden-task", 66.4 ]

/// Right responses a second in percent of the ceiling.
let percentOfCeiling (settings: FizzBoomSettings) (outcome: Outcome) : float =
    100.0 * outcome.RightPerSecond / FizzBoom.ceiling settings

let private table (settings: FizzBoomSettings) (measured: FizzBoomRow list) : Panel =
    Panel.table
        "fizzboom"
        $"FizzBoom: six waits of {settings.DelayMilliseconds} ms a request, {settings.Connections} connections"
        $"The ceiling is {FizzBoom.ceiling settings:F1} requests/s: connections / (6 x wait). sync holds a thread for each request, and is the negative control; if none of its requests ended in the counted time, its failures are not counted. CPU us: the time of a request on the candidate's processor, after the warm-up. The row with 'again' in its name measures its candidate a second time: a difference no larger than that of the two rows is chance. Published (2020): 500 connections, waits of a second, in percent of the ceiling of 83.3."
        [
            Column.words "candidate"
            Column.words "holds a thread"
            Column.figure "requests/s" 1
            Column.figure "% of ceiling" 0
            Column.figure "CPU us" 0
            Column.figure "p50 ms" 0
            Column.figure "p99 ms" 0
            Column.figure "waits in flight" 0
            Column.figure "failed" 0
            Column.figure "published %" 0
        ]
        [
            for one in measured do
                let number read =
                    one.Outcome |> Option.map (read >> Panel.number) |> Option.defaultValue Panel.nothing

                let latency percent =
                    match one.Outcome with
                    | Some outcome when outcome.Right > 0L ->
                        Panel.number (float (outcome.Counts.Intended.Percentile percent) / 1e6)
                    | _ -> Panel.nothing

                [
                    Panel.text one.Row.Id
                    Panel.text (
                        match one.Holds with
                        | Some true -> "yes"
                        | Some false -> "no"
                        | None -> "failed"
                    )
                    number _.RightPerSecond
                    number (percentOfCeiling settings)
                    Panel.optional one.CpuMicroseconds
                    latency 50.0
                    latency 99.0
                    (if one.InFlight.IsEmpty then
                         Panel.nothing
                     else
                         one.InFlight |> List.map snd |> List.max |> float |> Panel.number)
                    (match one.Outcome with
                     | Some outcome when outcome.Requests > 0L ->
                         Panel.number (float (outcome.Requests - outcome.Right))
                     | _ -> Panel.nothing)
                    published
                    |> Map.tryFind one.Row.Id
                    |> Option.map (fun rate -> Panel.number (100.0 * rate / FizzBoom.ceiling FizzBoom.full))
                    |> Option.defaultValue Panel.nothing
                ]
        ]

let private curves (measured: FizzBoomRow list) : Panel =
    Panel.lines
        "fizzboom-in-flight"
        "FizzBoom: waits in flight over time"
        "The requests that the slow service held, by its own count: the most in each tenth of a second, warm-up included. Code that waits without a thread has one request for each connection; code that blocks has one for each thread."
        (Panel.linear "time (s)")
        (Panel.linear "waits in flight")
        [
            for one in measured do
                if not one.InFlight.IsEmpty then
                    Panel.series
                        Style.Line
                        one.Row.Id
                        one.Row.Candidate.Family
                        [| for time, count in one.InFlight -> [| Math.Round(time, 3); float count |] |]
        ]

/// The panels of a run; none without a candidate.
let all (settings: FizzBoomSettings) (measured: FizzBoomRow list) : Panel list =
    if measured.IsEmpty then [] else [ table settings measured; curves measured ]

/// The title of results that hold nothing else.
let title =
    "FizzBoom, an interpreter that waits for a slow service, in every way of writing async"

/// The warnings that a reader must see.
let warnings (measured: FizzBoomRow list) : string list =
    [
        for one in measured do
            match one.Trouble, one.Outcome, one.Holds with
            | Some trouble, _, _ -> $"FizzBoom: {trouble}"
            | None, Some outcome, _ when not outcome.Doubts.IsEmpty ->
                $"FizzBoom: the load on {one.Row.Id} is not valid: {outcome.Doubts.Head}"
            | _ -> ()

            if one.Holds = Some true && not one.Row.Candidate.Blocks then
                $"FizzBoom: {one.Row.Id} held its one thread while it waited, although its candidate.json does not have blocks: true"
    ]

/// Results with FizzBoom in them.
let into (settings: FizzBoomSettings) (measured: FizzBoomRow list) (results: Results) : Results =
    { results with
        Panels = results.Panels @ all settings measured
        Warnings = results.Warnings @ warnings measured
    }
