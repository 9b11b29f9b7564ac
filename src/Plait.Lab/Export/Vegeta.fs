// Pure: the requests of a scenario as targets of vegeta, and the command that goes with them.
module Plait.Lab.Vegeta

open System
open System.Text.Encodings.Web
open System.Text.Json

open Plait.Common
open Plait.Load

let private options =
    JsonSerializerOptions(Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping)

let private hasBodies (file: ScenarioFile) =
    file.Requests |> List.exists (fun request -> request.Body <> "")

let private json (target: string) (request: ScenarioRequest) : string =
    JsonSerializer.Serialize(
        {|
            method = request.Method
            url = target + request.Path
            header =
                request.Headers
                |> List.groupBy fst
                |> List.map (fun (name, values) -> name, List.map snd values)
                |> Map.ofList
            body = Convert.ToBase64String(ScenarioFile.bytes request.Body)
        |},
        options
    )

let private http (target: string) (request: ScenarioRequest) : string =
    [
        $"{request.Method} {target}{request.Path}"
        for name, value in request.Headers do
            $"{name}: {value}"
        ""
    ]
    |> String.concat "\n"

/// The text of the targets: vegeta's own format, or its JSON format where a request has a body. Raises BadInput for a
/// scenario that vegeta cannot run.
let write (target: string) (file: ScenarioFile) : string =
    Portable.refuseVaried "vegeta" file

    if not file.Rules.IsEmpty then
        let rules = file.Rules |> List.map Rule.text |> String.concat ", "

        raise (
            BadInput
                $"the scenario has rules ({rules}), and vegeta keeps none; export it for k6 or crank, or take 'require' out of it"
        )

    let one = if hasBodies file then json target else http target
    (file.Requests |> List.map one |> String.concat "\n").TrimEnd '\n' + "\n"

/// The differences of vegeta's run from the scenario, one sentence each.
let notes (file: ScenarioFile) : string list =
    [
        match file.Model with
        | Open(arrivals, _) when Arrivals.isRandom arrivals ->
            "vegeta sends evenly, and not at random as the scenario does"
        | _ -> ()

        if not file.Checks.Status.IsEmpty then
            let statuses = file.Checks.Status |> List.map string |> String.concat ", "
            $"vegeta takes every status from 200 to 399 for success, and no other; the scenario takes {statuses}"

        if file.Checks.Body.IsSome then
            "vegeta compares no body, and the scenario does"
    ]

/// The commands that attack these targets as the scenario does: vegeta has no warm-up, so an attack without a report
/// comes before the one that counts.
let command (file: ScenarioFile) (targets: string) : string =
    let format = if hasBodies file then " -format=json" else ""

    let model =
        match file.Model with
        // Rate 0 is vegeta's closed loop.
        | Closed connections -> $"-rate=0 -max-workers={connections}"
        | Open(arrivals, connections) ->
            match Arrivals.segments arrivals with
            | [ { Length = None } as only ] when only.Holds ->
                let unit, show = Portable.unitOf [ only.From ]
                // A request beyond waits for a connection, and its latency counts the wait.
                $"-rate={show only.From}/{unit} -max-connections={connections}"
            | _ ->
                raise (
                    BadInput
                        "the scenario's rate changes while it runs, and vegeta attacks at one rate; export it for k6 or crank, or write a scenario for each rate"
                )

    // Without redirects vegeta calls a redirect an error, except with -1.
    let redirects = if Portable.redirects = 0 then -1 else Portable.redirects

    let attack seconds =
        $"vegeta attack{format} -targets={targets} {model} -redirects={redirects} -timeout={int (1000.0 * file.TimeoutSeconds)}ms -duration={seconds}s"

    $"{attack (Portable.warmUpSeconds file)} > /dev/null && {attack Portable.durationSeconds} | vegeta report"
