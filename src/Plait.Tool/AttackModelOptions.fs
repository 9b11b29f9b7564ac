// The options that say when requests of a load run are due.
module internal Plait.Tool.AttackModelOptions

open System.CommandLine

open Plait.Report

open Plait.Load

let private arrivals: (ArrivalsOption * Option<string option>) list =
    [
        for option in Arrivals.options -> option, Options.text option.Name option.Hint option.Description
    ]

let private poisson =
    Options.flag "--poisson" "with --rate: due at random, so many on average, with exponential gaps"

let private connections =
    Options.number
        "--connections"
        []
        "N"
        (1, 65536)
        "requests in flight at most; without a rate the closed model: each connection sends its next request when it has the answer (default with a rate: 64)"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        for _, option in arrivals do
            yield option :> System.CommandLine.Option
        yield poisson
        yield connections
    ]

let private refuse sentence = raise (BadInput sentence)

/// Open or closed. Raises BadInput when options contradict each other.
let model (parsed: ParseResult) : Model =
    let count = Options.value parsed connections
    let isRandom = Options.value parsed poisson
    let opened arrivals = Open(arrivals, defaultArg count 64)

    let given =
        arrivals
        |> List.choose (fun (shape, option) ->
            Options.value parsed option |> Option.map (fun text -> shape, text))

    match given with
    | (one, _) :: (other, _) :: _ ->
        refuse $"{one.Name} and {other.Name} are two models; leave one of them out"
    | [ shape, text ] ->
        match shape.Parse text, isRandom with
        | None, _ -> refuse $"{shape.Name} takes {shape.Takes}, and '{text}' is none"
        | Some(Constant perSecond), true -> opened (Poisson perSecond)
        | Some _, true -> refuse $"--poisson goes with --rate, not with {shape.Name}; leave one of them out"
        | Some arrivals, false -> opened arrivals
    | [] when isRandom && count.IsSome ->
        refuse
            "--poisson needs a --rate; without one, --connections is the closed model, where nothing is due at random"
    | [] when count.IsSome -> Closed count.Value
    | [] -> opened (if isRandom then Poisson 50.0 else Constant 50.0)
