// The options of the scenario adapter that say which loads are made.
module internal Plait.Tool.LabAdapterLoadOptions

open System
open System.CommandLine
open System.Globalization

open Plait.Report

open Plait.Lab.Scenarios

let private rate =
    Options.names
        "--rate"
        "requests/s of the evenly spaced loads, instead of 500 and 1000; with it, no other open load is made"

let private duration =
    Options.number "--duration" [] "S" AdapterSettings.ranges.Seconds "seconds of each load"

let private noLoads =
    Options.flag "--no-loads" "measure pairs alone: bytes and CPU for a request, no latencies"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list = [ rate; duration; noLoads ]

let private rates (parsed: ParseResult) : float list option =
    let smallest, largest = AdapterSettings.ranges.Rate

    match Options.value parsed rate with
    | [] -> None
    | texts ->
        texts
        |> List.map (fun text ->
            // "/s" behind it is how a rate is written elsewhere
            let figure = if text.EndsWith "/s" then text.Substring(0, text.Length - 2) else text

            match Int32.TryParse(figure, NumberStyles.None, CultureInfo.InvariantCulture) with
            | true, value when value >= smallest && value <= largest -> float value
            | _ ->
                raise (
                    BadInput
                        $"--rate takes requests/s from {smallest} to {largest}, with commas between several, and '{text}' is none; write 500 or 500,1000"
                ))
        |> Some

let private loads (parsed: ParseResult) (usual: AdapterLoad list) : AdapterLoad list =
    match rates parsed with
    | _ when Options.value parsed noLoads -> []
    | None -> usual
    | Some rates ->
        let closed =
            usual
            |> List.filter (function
                | ClosedBy _ -> true
                | _ -> false)

        (rates |> List.distinct |> List.map AsPublished) @ closed

/// Whether it was said how long a load is.
let isTimed (parsed: ParseResult) : bool = (Options.value parsed duration).IsSome

/// The settings with the loads that were asked for. Raises BadInput for a rate that is none.
let into (parsed: ParseResult) (settings: AdapterSettings) : AdapterSettings =
    { settings with
        Loads = loads parsed settings.Loads
        LoadSeconds =
            Options.value parsed duration
            |> Option.map float
            |> Option.defaultValue settings.LoadSeconds
    }
