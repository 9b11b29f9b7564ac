// The verb that runs the scenario adapter: routes of a web service over a card service, in pairs and under loads.
module internal Plait.Tool.LabAdapterVerb

open System
open System.CommandLine
open System.Globalization

open Plait.Common
open Plait.Lab.Cards
open Plait.Lab

let private quick =
    LabOptions.quick "under three minutes: fewer launches and pairs, shorter loads, wider intervals"

let private only =
    let names = String.concat ", " AdapterRoutes.names
    LabOptions.only $"measure only these routes, and always the base and the A/A control: {names}"

let private skip = LabOptions.skip "routes"

let private rate =
    let smallest, largest = AdapterSettings.ranges.Rate

    Options.list
        "--rate"
        "R,R"
        "requests a second of the evenly spaced loads, instead of 500 and 1000; the other open loads are left out"
        (fun text ->
            // "/s" behind it is how a rate is written elsewhere
            let figure = if text.EndsWith "/s" then text.Substring(0, text.Length - 2) else text

            match Int32.TryParse(figure, NumberStyles.None, CultureInfo.InvariantCulture) with
            | true, value when value >= smallest && value <= largest -> float value
            | _ ->
                raise (
                    BadInput
                        $"--rate takes requests/s from {smallest} to {largest}, with commas between several, not '{text}'; write 500 or 500,1000"
                ))

let private duration =
    Options.duration
        "--duration"
        AdapterSettings.ranges.LoadMilliseconds
        "how long each load is; default: 10s"

let private noLoads =
    Options.flag "--no-loads" "measure pairs alone: bytes and CPU for a request, no latencies"

/// With every time in milliseconds, as the card service reads them.
let private inMilliseconds (delay: string) : string =
    delay.Split ':'
    |> Array.map (fun part ->
        match Duration.tryParse part with
        | Some time when Char.IsAsciiLetter part[part.Length - 1] ->
            time.TotalMilliseconds.ToString CultureInfo.InvariantCulture + "ms"
        | _ -> part)
    |> String.concat ":"

let private delay =
    Options.parsed
        "--delay"
        []
        "D"
        $"how the card service takes its time: {Delay.forms}; default: none"
        (fun text ->
            match Delay.parse (inMilliseconds text) with
            | Some delay -> delay
            | None ->
                raise (
                    BadInput
                        $"--delay takes {Delay.forms}, times with a unit and of at most {Delay.longest / 1000.0:F0}s (a stall shorter than its period), not '{text}'; write log-normal:2ms:0.5"
                ))

let private errorRate =
    Options.fraction
        "--error-rate"
        "SHARE"
        (0.0, 0.5)
        "the share of requests that the card service fails: 0.01 for 1 %"

let private client =
    Options.choice
        "--client"
        [ "singleton", false; "per-request", true ]
        "how long an HttpClient lives; default: singleton"

let private asPublished =
    Options.flag "--as-published" "turn all defects of the original on, and measure the effect of each"

let private defects =
    let names = Defect.all |> List.map Defect.name |> String.concat ", "

    Options.choices
        "--defects"
        [ for defect in Defect.all -> Defect.name defect, defect ]
        $"turn these defects of the original on, and measure their effects: {names}"

let private effort =
    LabOptions.effort "route" "every random choice, and of the cards" AdapterSettings.full.Pairs

let private connections =
    LabOptions.connections
        $"keep-alive connections while pairs are measured; default: {AdapterSettings.full.Pairs.Connections}"

let private candidates =
    LabOptions.candidates "the folder that the built candidates lie in"

let private options: System.CommandLine.Option list =
    [
        quick
        only
        skip
        rate
        duration
        noLoads
        delay
        errorRate
        client
        asPublished
        defects
        yield! LabOptions.effortOptions effort
        connections
        candidates
    ]

let private loads (parsed: ParseResult) (usual: AdapterLoad list) : AdapterLoad list =
    match Options.value parsed rate with
    | _ when Options.value parsed noLoads -> []
    | [] -> usual
    | rates ->
        let closed =
            usual
            |> List.filter (function
                | ClosedBy _ -> true
                | _ -> false)

        (rates |> List.distinct |> List.map AsPublished) @ closed

let private settings (parsed: ParseResult) : AdapterSettings =
    let preset =
        if Options.value parsed quick then AdapterSettings.quick else AdapterSettings.full

    let isOrdered = LabOptions.isOrdered effort parsed

    let measured =
        if Options.value parsed asPublished then
            Defect.all
        else
            List.distinct (Options.value parsed defects)

    { preset with
        Pairs =
            { LabOptions.withEffort effort isOrdered parsed preset.Pairs with
                Connections = Options.valueOr preset.Pairs.Connections parsed connections
            }
        Delay = Options.valueOr Immediate parsed delay
        ErrorRate = Options.valueOr 0.0 parsed errorRate
        Defects =
            if Options.valueOr false parsed client then
                List.distinct (ClientPerRequest :: measured)
            else
                measured
        Effects = not measured.IsEmpty
        Loads = loads parsed preset.Loads
        LoadSeconds = Options.secondsOr preset.LoadSeconds parsed duration
        BudgetSeconds = if isOrdered || Options.isGiven parsed duration then None else preset.BudgetSeconds
    }

let private work (parsed: ParseResult) (_: string) : ScenarioVerb.Work =
    let settings = settings parsed
    let folder = LabOptions.candidatesFolder parsed candidates
    let routes = AdapterRoutes.candidates folder

    let rows =
        RowPlan.chooseFrom
            "'plait lab adapter --help'"
            [ AdapterRoutes.theBase; AdapterRoutes.control ]
            (Options.value parsed only)
            (Options.value parsed skip)
            routes

    fun session tell ->
        Adapter.run
            settings
            folder
            (RowPlan.ofCandidates routes)
            (session.Request(settings.Pairs, rows))
            tell
            session.Save
            session.Stop

/// plait lab adapter
let command () : Command =
    ScenarioVerb.make
        Adapter.name
        "Measure the cost of each way of waiting in an F# library over HttpClient: routes of a C# web service, each a process of its own, by bytes and CPU in pairs with the same work inline, and by latency under open and closed loads; beside the published figures."
        options
        work
