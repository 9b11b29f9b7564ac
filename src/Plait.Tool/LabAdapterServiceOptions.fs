// The options of the scenario adapter that say how its services behave: the card service, and the defects of the original.
module internal Plait.Tool.LabAdapterServiceOptions

open System
open System.CommandLine
open System.Globalization

open Plait.Report

open Plait.Lab.Cards
open Plait.Lab.Scenarios

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

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [ delay; errorRate; client; asPublished; defects ]

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

let private isClientPerRequest (parsed: ParseResult) : bool =
    match Options.value parsed client with
    | None
    | Some "singleton" -> false
    | Some "per-request" -> true
    | Some other ->
        raise (
            BadInput
                $"--client takes singleton or per-request, and '{other}' is neither; leave it out for singleton"
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

/// The settings with what was asked for of the services. Raises BadInput when something cannot be asked for.
let into (parsed: ParseResult) (settings: AdapterSettings) : AdapterSettings =
    let defects = defectsOf parsed

    let all =
        if isClientPerRequest parsed then List.distinct (ClientPerRequest :: defects) else defects

    { settings with
        Delay = delayOf parsed
        ErrorRate = errorRateOf parsed
        Defects = all
        Effects = not defects.IsEmpty
    }
