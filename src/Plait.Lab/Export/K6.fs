// Pure: the load of a scenario as a script of k6. Its executors match ours: constant-arrival-rate is the open model,
// ramping-arrival-rate a ramp or steps, constant-vus the closed one.
module Plait.Lab.K6

open System.Globalization
open System.Text.Json

open Plait.Load

let private literal (text: string) = JsonSerializer.Serialize text

let private whole (rate: float) =
    // k6 takes whole numbers for any unit of time.
    if rate = floor rate then
        int64 rate, "1s"
    else
        int64 (System.Math.Round(60.0 * rate)), "1m"

// k6 takes whole rates here.
let private show (rate: float) =
    (System.Math.Round rate).ToString("0", CultureInfo.InvariantCulture)

let private ramping (from: float) (stages: string list) (connections: int) : string list =
    [
        "      executor: \"ramping-arrival-rate\","
        $"      startRate: {show from},"
        "      timeUnit: \"1s\","
        $"""      stages: [{String.concat ", " stages}],"""
        $"      preAllocatedVUs: {connections},"
        $"      maxVUs: {connections},"
    ]

let private executor (file: ScenarioFile) : string list =
    match file.Model with
    | Closed connections ->
        [
            "      executor: \"constant-vus\","
            $"      vus: {connections},"
            "      duration: __ENV.DURATION || \"60s\","
        ]
    | Open((Constant rate | Poisson rate), connections) ->
        let rate, unit = whole rate

        [
            "      executor: \"constant-arrival-rate\","
            $"      rate: {rate},"
            $"      timeUnit: \"{unit}\","
            "      duration: __ENV.DURATION || \"60s\","
            $"      preAllocatedVUs: {connections},"
            $"      maxVUs: {connections},"
        ]
    | Open(Ramp(from, until), connections) ->
        connections
        |> ramping from [ $"{{ target: {show until}, duration: __ENV.DURATION || \"60s\" }}" ]
    | Open(Steps(rates, each), connections) ->
        connections
        |> ramping
            rates.Head
            [
                for rate in rates do
                    // The first of the two jumps to the rate, the second holds it.
                    $"{{ target: {show rate}, duration: \"0s\" }}"
                    $"{{ target: {show rate}, duration: \"{int64 each.TotalMilliseconds}ms\" }}"
            ]

let private request (file: ScenarioFile) (request: ScenarioRequest) : string list =
    let body = if request.Body = "" then "null" else literal request.Body

    let headers =
        request.Headers
        |> List.map (fun (name, value) -> $"{literal name}: {literal value}")
        |> String.concat ", "

    let statuses =
        match file.Checks.Status with
        | [] -> "r.status >= 200 && r.status < 400"
        | statuses ->
            let list = statuses |> List.map string |> String.concat ", "
            $"[{list}].includes(r.status)"

    [
        $"  response = http.request({literal request.Method}, target + {literal request.Path}, {body}, {{"
        $"    headers: {{ {headers} }},"
        $"    timeout: \"{int (1000.0 * file.TimeoutSeconds)}ms\","
        "  });"
        "  check(response, {"
        $"    \"status\": (r) => {statuses},"
        match file.Checks.Body with
        | Some body -> $"    \"body\": (r) => r.body === {literal body},"
        | None -> ()
        "  });"
    ]

let private isPoisson (file: ScenarioFile) =
    match file.Model with
    | Open(Poisson _, _) -> true
    | _ -> false

/// The text of the script.
let write (file: ScenarioFile) : string =
    [
        $"// {file.Title}, for k6. Made by 'plait lab export --to k6'."
        "// TARGET=http://server:5000 DURATION=60s k6 run FILE"
        if isPoisson file then
            "// k6 has no random arrivals: the rate is that of the scenario, evenly spaced."
        "import http from \"k6/http\";"
        "import { check } from \"k6\";"
        if file.Requests.Length > 1 then
            "import exec from \"k6/execution\";"
        ""
        "export const options = {"
        "  scenarios: {"
        $"    {literal file.Name}: {{"
        yield! executor file
        "    },"
        "  },"
        "  summaryTrendStats: [\"med\", \"p(75)\", \"p(90)\", \"p(95)\", \"p(99)\", \"p(99.9)\", \"max\"],"
        "};"
        ""
        $"const target = __ENV.TARGET || \"http://127.0.0.1:{Portable.serverPort}\";"
        ""
        match file.Requests with
        | [ one ] ->
            "export default function () {"
            "  let response;"
            yield! request file one
            "}"
        | several ->
            // An iteration is one request, as a rate counts them.
            "const requests = ["

            for one in several do
                "  () => {"
                "    let response;"

                for line in request file one do
                    "  " + line

                "  },"

            "];"
            ""
            "export default function () {"
            "  requests[exec.scenario.iterationInTest % requests.length]();"
            "}"
        ""
    ]
    |> String.concat "\n"
