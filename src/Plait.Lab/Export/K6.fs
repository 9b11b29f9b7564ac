// Pure: the load of a scenario as a script of k6. Its executors match ours: constant-arrival-rate is the open model,
// ramping-arrival-rate one whose rate changes, constant-vus the closed one.
module Plait.Lab.K6

open System.Globalization
open System.Text.Json

open Plait.Common
open Plait.Load

let private literal (text: string) = JsonSerializer.Serialize text

let private evenly (rate: float) (duration: string) (connections: int) : string list =
    let unit, show = Portable.unitOf [ rate ]

    [
        "      executor: \"constant-arrival-rate\","
        $"      rate: {show rate},"
        $"      timeUnit: \"{unit}\","
        $"      duration: {duration},"
        $"      preAllocatedVUs: {connections},"
        $"      maxVUs: {connections},"
    ]

let private closed (duration: string) (connections: int) : string list =
    [
        "      executor: \"constant-vus\","
        $"      vus: {connections},"
        $"      duration: {duration},"
    ]

// Stages: the rate that each goes to, and how long it takes.
let private ramping (from: float) (stages: (float * string) list) (connections: int) : string list =
    let unit, show = Portable.unitOf (from :: List.map fst stages)

    let stages =
        [ for rate, duration in stages -> $"{{ target: {show rate}, duration: {duration} }}" ]

    [
        "      executor: \"ramping-arrival-rate\","
        $"      startRate: {show from},"
        $"      timeUnit: \"{unit}\","
        $"""      stages: [{String.concat ", " stages}],"""
        $"      preAllocatedVUs: {connections},"
        $"      maxVUs: {connections},"
    ]

let private executor (file: ScenarioFile) : string list =
    match file.Model with
    | Closed connections -> closed "duration" connections
    | Open(arrivals, connections) ->
        match Arrivals.segments arrivals with
        | [ { Length = None } as only ] when only.Holds -> evenly only.From "duration" connections
        | segments ->
            connections
            |> ramping
                segments.Head.From
                [
                    for segment in segments do
                        match segment.Length with
                        | None -> segment.Until, "duration"
                        | Some length ->
                            // The first of the two jumps to the rate with which it begins.
                            segment.From, "\"0s\""
                            segment.Until, $"\"{int64 length.TotalMilliseconds}ms\""
                ]

// At the rate with which the load begins.
let private warmUp (file: ScenarioFile) : string list =
    match file.Model with
    | Closed connections -> closed "warmUp" connections
    | Open(arrivals, connections) -> evenly (Arrivals.segments arrivals).Head.From "warmUp" connections

let private isAboutRate (rule: Rule) = rule.Figure = RightPerSecond

/// The metric of k6 that a rule is about, and its condition.
let private threshold (rule: Rule) : string * string =
    let condition figure (bound: string) =
        let sign = (if rule.IsBelow then "<" else ">") + (if rule.OrEqual then "=" else "")
        figure + sign + bound

    let milliseconds = LoadArguments.number (rule.Bound / 1e6)

    let quoted text = $"\"{text}\""

    match rule.Figure with
    | Latency 100.0 -> "http_req_duration", condition "max" milliseconds |> quoted
    | Latency percent ->
        "http_req_duration", condition $"p({LoadArguments.number percent})" milliseconds |> quoted
    | MeanLatency -> "http_req_duration", condition "avg" milliseconds |> quoted
    | Success -> "checks", LoadArguments.number rule.Bound |> condition "rate" |> quoted
    // The rate of a counter is over the time of the whole run; the rule is about the number in the time of this
    // scenario.
    | RightPerSecond ->
        let count = $"${{{LoadArguments.number rule.Bound} * seconds}}"
        "right", "`" + condition "count" count + "`"

// The summary of k6 is over everything, and it shows the figures of one scenario where a threshold names them, also one
// without a condition.
let private thresholds (file: ScenarioFile) : string list =
    let rules = file.Rules |> List.map threshold

    [
        "http_req_duration"
        "http_req_failed"
        "http_reqs"
        "checks"
        if List.exists isAboutRate file.Rules then
            "right"
    ]
    |> List.map (fun metric ->
        let measured = literal $"{metric}{{scenario:{file.Name}}}"

        let conditions =
            rules
            |> List.filter (fun (about, _) -> about = metric)
            |> List.map snd
            |> String.concat ", "

        $"    {measured}: [{conditions}],")

/// How many seconds the scenario takes, in JavaScript.
let private seconds (file: ScenarioFile) : string list =
    match Arrivals.span file.Model with
    | _ when not (List.exists isAboutRate file.Rules) -> []
    | Some span -> [ $"const seconds = {span.TotalSeconds.ToString CultureInfo.InvariantCulture};" ]
    | None ->
        [
            "const units = { ms: 0.001, s: 1, m: 60, h: 3600 };"
            "const seconds = [...duration.matchAll(/([\\d.]+)(ms|s|m|h)/g)].reduce((sum, [, count, unit]) => sum + count * units[unit], 0);"
        ]

let private request (file: ScenarioFile) (request: ScenarioRequest) : string list =
    let body = if request.Body = "" then "null" else literal request.Body

    let headers =
        request.Headers
        |> List.map (fun (name, value) -> $"{literal name}: {literal value}")
        |> String.concat ", "

    let status =
        match file.Checks.Status with
        | [] -> "r.status >= 200 && r.status < 400"
        | statuses ->
            let list = statuses |> List.map string |> String.concat ", "
            $"[{list}].includes(r.status)"

    let right =
        match file.Checks.Body with
        | Some body -> $"{status} && r.body === {literal body}"
        | None -> status

    [
        $"  response = http.request({literal request.Method}, target + {literal request.Path}, {body}, {{"
        $"    headers: {{ {headers} }},"
        $"    timeout: \"{int (1000.0 * file.TimeoutSeconds)}ms\","
        "  });"
        // One check for each request, so that its rate is the share of requests.
        let check = $"check(response, {{ \"right\": (r) => {right} }})"

        if List.exists isAboutRate file.Rules then
            $"  if ({check}) right.add(1);"
        else
            $"  {check};"
    ]

let private isRandom (file: ScenarioFile) =
    match file.Model with
    | Open(arrivals, _) -> Arrivals.isRandom arrivals
    | Closed _ -> false

/// The text of the script. Raises BadInput for a scenario that k6 cannot run.
let write (file: ScenarioFile) : string =
    Portable.refuseVaried "k6" file

    [
        $"// {Printable.line file.Title}, for k6. Made by 'plait lab export --to k6'."
        "// TARGET=http://server:5000 WARM_UP=15s DURATION=60s k6 run FILE"
        $"// Read the lines of {{ scenario:{file.Name} }}: the others include the warm-up,"
        "// and so does the time that the rate of http_reqs is divided by."
        if isRandom file then
            "// k6 has no random arrivals: it sends at the scenario's rate, evenly spaced."
        if not file.Rules.IsEmpty then
            "// The rules of the scenario are thresholds. k6 counts from send and leaves out requests that it never sent (dropped_iterations),"
            "// where the scenario counts from when a request was due."
        "import http from \"k6/http\";"
        "import { check } from \"k6\";"
        if List.exists isAboutRate file.Rules then
            "import { Counter } from \"k6/metrics\";"
        if file.Requests.Length > 1 then
            "import exec from \"k6/execution\";"
        ""
        $"const warmUp = __ENV.WARM_UP || \"{Portable.warmUpSeconds file}s\";"

        if (Arrivals.span file.Model).IsNone then
            $"const duration = __ENV.DURATION || \"{Portable.durationSeconds}s\";"

        yield! seconds file

        if List.exists isAboutRate file.Rules then
            "const right = new Counter(\"right\");"

        ""
        "export const options = {"
        "  scenarios: {"
        $"    \"{file.Name}-warm-up\": {{"
        yield! warmUp file
        "    },"
        $"    {literal file.Name}: {{"
        yield! executor file
        "      startTime: warmUp,"
        "    },"
        "  },"
        "  thresholds: {"
        yield! thresholds file
        "  },"
        $"  maxRedirects: {Portable.redirects},"
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
