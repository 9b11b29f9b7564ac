// The options of the load generator, and the plan they come to.
module internal Plait.Tool.AttackOptions

open System
open System.CommandLine

open Plait.Report

open Plait.Load

let private duration =
    Options.duration "--duration" (1, 604_800_000) "how long (default: 10s)"

let private warmUp =
    Options.duration "--warm-up" (0, 86_400_000) "load before it that is not counted (default: none)"

let private timeout =
    Options.duration
        "--timeout"
        (1, 3_600_000)
        "how long a response may take from the sending of its request (default: 30s)"

let private expectStatus =
    Options.names "--expect-status" "the statuses that are right (default: 200 to 399)"

let private expectBody =
    Options.text "--expect-body" "TEXT" "the exact body of a right response, or @FILE"

let private insecure =
    Options.flag "--insecure" "take any certificate of the server"

let private seed =
    Options.number "--seed" [] "N" (0, Int32.MaxValue) "seed of the random arrivals (default: 1)"

let private core =
    Options.number "--core" [] "N" (0, 1023) "the core that the generator runs on (Linux)"

let private noCalibration =
    Options.flag
        "--no-calibration"
        "do not find out first what this generator can do: no rate is refused, and the results say that it was not measured"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        yield! AttackModelOptions.all'
        duration
        warmUp
        yield! AttackAskOptions.all'
        timeout
        expectStatus
        expectBody
        insecure
        seed
        core
        noCalibration
    ]

let private refuse sentence = raise (BadInput sentence)

/// Steps have a duration of their own.
let private durationOf (parsed: ParseResult) (model: Model) : TimeSpan =
    let own =
        match model with
        | Open(arrivals, _) -> Arrivals.span arrivals
        | Closed _ -> None

    match own, Options.value parsed duration with
    | Some own, None -> own
    | Some own, Some _ ->
        refuse $"--duration goes with a rate that holds; the steps last {Duration.showSpan own} by themselves"
    | None, given -> given |> Option.defaultValue (TimeSpan.FromSeconds 10.)

let private statuses (parsed: ParseResult) : int list =
    [
        for text in Options.value parsed expectStatus do
            match Int32.TryParse text with
            | true, status when status >= 100 && status <= 999 -> status
            | _ -> refuse $"--expect-status takes statuses like 200 or 200,404, and '{text}' is none"
    ]

/// What to do. Raises BadInput when an option is wrong, or when options contradict each other.
let plan (parsed: ParseResult) : Plan =
    let model = AttackModelOptions.model parsed

    let plan =
        {
            Asks = AttackAskOptions.asks parsed
            Model = model
            Duration = durationOf parsed model
            WarmUp = Options.valueOr TimeSpan.Zero parsed warmUp
            Timeout = Options.valueOr (TimeSpan.FromSeconds 30.) parsed timeout
            ExpectStatus = statuses parsed
            ExpectBody =
                Options.value parsed expectBody |> Option.map (AttackAskOptions.bytesOf "--expect-body")
            Seed = Options.valueOr 1 parsed seed
            Insecure = Options.value parsed insecure
        }

    Plan.check plan
    plan

/// The core that the generator is to be bound to.
let coreOf (parsed: ParseResult) : int option = Options.value parsed core

/// Whether to find out first what the generator can do.
let isCalibrated (parsed: ParseResult) : bool =
    not (Options.value parsed noCalibration)
