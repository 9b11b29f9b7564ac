// The options that say when requests of a load run are due.
module internal Plait.Tool.AttackModelOptions

open System.CommandLine

open Plait.Report

open Plait.Load

let private rate =
    Options.text
        "--rate"
        "R"
        "open model: so many requests are due, evenly, whatever becomes of those before: 500/s, 30/m, 500 (default: 50/s, unless --connections is given alone)"

let private poisson =
    Options.flag "--poisson" "with --rate: due at random, so many on average, with exponential gaps"

let private ramp =
    Options.text "--ramp" "A:B" "open model: the rate goes evenly from A to B a second over the duration"

let private connections =
    Options.number
        "--connections"
        []
        "N"
        (1, 65536)
        "requests in flight at most; without --rate or --ramp the closed model: each connection sends its next request when it has the answer (default with --rate: 64)"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list = [ rate; poisson; ramp; connections ]

let private refuse sentence = raise (BadInput sentence)

let private rateOf (name: string) (text: string) : float =
    match Quantities.rate text with
    | Some perSecond when perSecond > 0.0 -> perSecond
    | _ -> refuse $"{name} takes a rate like 500/s, 30/m or 500, and '{text}' is none"

/// Open or closed. Raises BadInput when options contradict each other.
let model (parsed: ParseResult) : Model =
    let count = Options.value parsed connections
    let most = defaultArg count 64
    let isRandom = Options.value parsed poisson

    match Options.value parsed rate, Options.value parsed ramp with
    | Some _, Some _ -> refuse "--rate and --ramp are two models; leave one of them out"
    | None, Some _ when isRandom ->
        refuse "--poisson goes with --rate, not with --ramp; leave one of them out"
    | None, None when isRandom && count.IsSome ->
        refuse
            "--poisson needs a --rate; without one, --connections is the closed model, where nothing is due at random"
    | Some text, None ->
        let perSecond = rateOf "--rate" text
        Open((if isRandom then Poisson perSecond else Constant perSecond), most)
    | None, Some text ->
        match Quantities.ramp text with
        | Some(from, until) when until > 0.0 -> Open(Ramp(from, until), most)
        | Some _ ->
            refuse $"--ramp: '{text}' ends at no requests at all; end it at a rate above 0, like 100:1"
        | _ -> refuse $"--ramp takes two rates like 100:2000, and '{text}' is none"
    | None, None when count.IsSome -> Closed most
    | None, None -> Open((if isRandom then Poisson 50.0 else Constant 50.0), most)
