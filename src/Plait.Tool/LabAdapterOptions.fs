// The options of the scenario adapter, and what they come to.
module internal Plait.Tool.LabAdapterOptions

open System
open System.CommandLine
open System.Globalization
open System.IO

open Plait.Lab
open Plait.Lab.Cards
open Plait.Lab.Scenarios

let private ranges = Settings.ranges

let private quick =
    Options.flag "--quick" "under three minutes: fewer launches and pairs, shorter loads, wider intervals"

let private only =
    Options.names "--only" "measure these routes; the base and the A/A control always are"

let private skip = Options.names "--skip" "leave these routes out"

let private rate =
    Options.names
        "--rate"
        "requests/s of the evenly spaced loads, instead of 500 and 1000; with it, no other open load is made"

let private duration =
    Options.number "--duration" [] "S" AdapterSettings.ranges.Seconds "seconds of each load"

let private noLoads =
    Options.flag "--no-loads" "measure pairs alone: bytes and CPU for a request, no latencies"

let private delay =
    Options.text "--delay" "D" $"how the card service takes its time: {Delay.forms}; default: none"

let private errorRate =
    Options.text "--error-rate" "SHARE" "the share of requests that the card service fails, 0 to 0.5"

let private client =
    Options.text "--client" "LIFE" "singleton (the default) or per-request: how long an HttpClient lives"

let private asPublished =
    Options.flag "--as-published" "turn all defects of the original on, and measure the effect of each"

let private defects =
    let known = Defect.all |> List.map Defect.name |> String.concat ", "
    Options.names "--defects" $"turn these defects of the original on, and measure their effects: {known}"

let private seed =
    Options.number "--seed" [] "N" ranges.Seed "seed of every random choice, and of the cards"

let private launches =
    Options.number "--launches" [] "N" ranges.Launches "fresh processes of every route and of the base"

let private pairs =
    Options.number "--pairs" [ "--rounds" ] "N" ranges.Pairs "pairs of slices, route and base, in a launch"

let private slice =
    Options.number "--slice" [] "MS" ranges.SliceMilliseconds "milliseconds of one slice"

let private warmUp =
    Options.number
        "--warm-up"
        []
        "MS"
        ranges.WarmUpMilliseconds
        "milliseconds of CPU that each process has before its pairs are measured, at least"

let private connections =
    Options.number "--connections" [] "N" ranges.Connections "keep-alive connections while pairs are measured"

let private out =
    Options.text
        "--out"
        "DIR"
        "the folder to write to; default: artifacts/lab/adapter-<time>, with a copy in artifacts/lab/adapter-latest"

let private json =
    Options.text "--json" "FILE" "write results.json to this file as well"

let private candidates =
    Options.text "--candidates" "DIR" "the folder that the built candidates lie in"

let private patience =
    Options.number
        "--patience"
        []
        "MS"
        ranges.PatienceMilliseconds
        "milliseconds that a process may take to answer before it counts as hanging"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
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
        seed
        launches
        pairs
        slice
        warmUp
        connections
        out
        json
        candidates
        patience
    ]

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

let private delayOf (parsed: ParseResult) : Delay =
    match Options.value parsed delay with
    | None -> Immediate
    | Some text ->
        match Delay.parse text with
        | Some delay -> delay
        | None ->
            raise (
                BadInput
                    $"--delay takes {Delay.forms}, at most {Delay.longest:F0} ms (a stall shorter than what it comes in), and '{text}' is none; write log-normal:2:0.5"
            )

let private errorRateOf (parsed: ParseResult) : float =
    match Options.value parsed errorRate with
    | None -> 0.0
    | Some text ->
        match Double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) with
        | true, value when value >= 0.0 && value <= 0.5 -> value
        | _ ->
            raise (
                BadInput
                    $"--error-rate takes a share from 0 to 0.5, and '{text}' is none; write 0.01 for 1 %%"
            )

let private defectsOf (parsed: ParseResult) : Defect list =
    let named =
        Options.value parsed defects
        |> List.map (fun name ->
            match Defect.all |> List.tryFind (fun defect -> Defect.name defect = name) with
            | Some defect -> defect
            | None ->
                let known = Defect.all |> List.map Defect.name

                let hint =
                    match NearestName.find known name with
                    | Some near -> $"did you mean {near}?"
                    | None -> $"""known are {String.concat ", " known}"""

                raise (BadInput $"--defects: there is no defect '{name}'; {hint}"))

    if Options.value parsed asPublished then Defect.all else List.distinct named

/// How to measure. Raises BadInput when something cannot be asked for.
let settings (parsed: ParseResult) : AdapterSettings =
    let preset =
        if Options.value parsed quick then AdapterSettings.quick else AdapterSettings.full

    let value (option: Option<int option>) fallback =
        Options.value parsed option |> Option.defaultValue fallback

    // Whoever says how much is to be measured gets all of it, however long that takes.
    let isOrdered =
        [ launches; pairs; slice ]
        |> List.exists (fun option -> (Options.value parsed option).IsSome)

    let defects = defectsOf parsed

    let perRequest =
        match Options.value parsed client with
        | None
        | Some "singleton" -> false
        | Some "per-request" -> true
        | Some other ->
            raise (
                BadInput
                    $"--client takes singleton or per-request, and '{other}' is neither; leave it out for singleton"
            )

    let loads =
        match rates parsed with
        | _ when Options.value parsed noLoads -> []
        | None -> preset.Loads
        | Some rates ->
            let closed =
                preset.Loads
                |> List.filter (function
                    | ClosedBy _ -> true
                    | _ -> false)

            (rates |> List.distinct |> List.map AsPublished) @ closed

    let seconds = Options.value parsed duration

    { preset with
        Pairs =
            { preset.Pairs with
                BudgetSeconds = if isOrdered then None else preset.Pairs.BudgetSeconds
                Width = if isOrdered then None else preset.Pairs.Width
                Seed = value seed preset.Pairs.Seed
                Launches = value launches preset.Pairs.Launches
                Pairs = value pairs preset.Pairs.Pairs
                SliceMilliseconds = value slice preset.Pairs.SliceMilliseconds
                HttpWarmUp =
                    Options.value parsed warmUp
                    |> Option.map Settings.warmedFor
                    |> Option.defaultValue preset.Pairs.HttpWarmUp
                Connections = value connections preset.Pairs.Connections
                PatienceMilliseconds = value patience preset.Pairs.PatienceMilliseconds
            }
        Delay = delayOf parsed
        ErrorRate = errorRateOf parsed
        Defects = if perRequest then List.distinct (ClientPerRequest :: defects) else defects
        Effects = not defects.IsEmpty
        Loads = loads
        LoadSeconds = seconds |> Option.map float |> Option.defaultValue preset.LoadSeconds
        BudgetSeconds = if isOrdered || seconds.IsSome then None else preset.BudgetSeconds
    }

/// The folder that the candidates, and with them the routes, lie in.
let folder (parsed: ParseResult) : string =
    Options.value parsed candidates
    |> Option.defaultWith (fun () ->
        Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory()))

/// The routes to measure, the base and the control among them. Raises BadInput for names that are not known.
let rows (routes: Candidate list) (parsed: ParseResult) : RowPlan list =
    Selection.choose
        [ AdapterRoutes.theBase; AdapterRoutes.control ]
        (Options.value parsed only)
        (Options.value parsed skip)
        routes

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option = Options.value parsed json
