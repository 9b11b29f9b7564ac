// The options of the load generator, and the plan they come to.
module internal Plait.Tool.AttackOptions

open System
open System.CommandLine
open System.IO
open System.Text

open Plait.Lab
open Plait.Lab.Load

let private url =
    Argument<string option>(
        "URL",
        Description =
            "http://... or https://...: what is asked for; with --targets, the host of paths in the file",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> None),
        CustomParser = (fun argument -> Some argument.Tokens[0].Value)
    )

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

let private duration =
    Options.text "--duration" "TIME" "how long, like 30s, 1m30s or 500ms (default: 10s)"

let private warmUp =
    Options.text "--warm-up" "TIME" "load before it that is not counted (default: none)"

let private method' =
    Options.text "--method" "NAME" "the method (default: GET, or POST with --body)"

let private header =
    Options.texts "--header" "LINE" "a header, 'Name: value'; may be given several times"

let private body = Options.text "--body" "TEXT" "the body, or @FILE"

let private targets =
    Options.text
        "--targets"
        "FILE"
        "requests to send in turn, in vegeta's format (method and URL, headers, @file of the body, # comments) or one JSON object a line; - is stdin"

let private timeout =
    Options.text
        "--timeout"
        "TIME"
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
        rate
        poisson
        ramp
        connections
        duration
        warmUp
        targets
        method'
        header
        body
        timeout
        expectStatus
        expectBody
        insecure
        seed
        core
        noCalibration
    ]

/// The argument.
let argument: Argument = url

let private refuse sentence = raise (BadInput sentence)

let private readFile (name: string) (path: string) : byte[] =
    try
        File.ReadAllBytes path
    with
    | :? IOException
    | :? UnauthorizedAccessException
    | :? ArgumentException as trouble ->
        refuse $"{name}: {path} cannot be read: {trouble.Message.TrimEnd '.'}"

/// Text, or the file behind an @.
let private bytesOf (name: string) (text: string) : byte[] =
    if text.StartsWith '@' then
        readFile name (text.Substring 1)
    else
        Encoding.UTF8.GetBytes text

let private time parsed (option: Option<string option>) (fallback: TimeSpan) : TimeSpan =
    match Options.value parsed option with
    | None -> fallback
    | Some text ->
        match Quantities.time text with
        | Some time -> time
        | None -> refuse $"{option.Name} takes a time like 30s, 5m, 1h or 500ms, and '{text}' is none"

let private rateOf (name: string) (text: string) : float =
    match Quantities.rate text with
    | Some perSecond when perSecond > 0.0 -> perSecond
    | _ -> refuse $"{name} takes a rate like 500/s, 30/m or 500, and '{text}' is none"

let private model (parsed: ParseResult) : Model =
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

let private headers (parsed: ParseResult) : (string * string) list =
    [
        for line in Options.value parsed header do
            match line.Split(':', 2) with
            | [| name; value |] when name.Trim() <> "" -> name.Trim(), value.Trim()
            | _ -> refuse $"--header takes a line like 'Accept: text/plain', and '{line}' is none"
    ]

let private urlOf (text: string) : Uri =
    // A host alone is meant to be HTTP.
    let whole = if text.Contains "://" then text else "http://" + text

    match Uri.TryCreate(whole, UriKind.Absolute) with
    | true, url when (nonNull url).Scheme = Uri.UriSchemeHttp || (nonNull url).Scheme = Uri.UriSchemeHttps ->
        nonNull url
    | _ -> refuse $"'{text}' is no URL of HTTP; write one like http://127.0.0.1:8080/path"

let private asks (parsed: ParseResult) : Ask list =
    let headers = headers parsed

    let content =
        Options.value parsed body |> Option.map (bytesOf "--body") |> Option.defaultValue [||]

    match Options.value parsed targets, parsed.GetRequiredValue url |> Option.map urlOf with
    | None, None ->
        refuse "there is nothing to attack; write a URL like http://127.0.0.1:8080/path, or --targets FILE"
    | None, Some address ->
        let usual = if (Options.value parsed body).IsSome then "POST" else "GET"

        [
            {
                Method = Options.value parsed method' |> Option.defaultValue usual
                Url = address
                Headers = headers
                Body = content
            }
        ]
    | Some file, ground ->
        if (Options.value parsed method').IsSome then
            refuse "--method goes with a URL; the targets of a file have their own"

        let defaults: Targets.Defaults =
            { Base = ground; Headers = headers; Body = content; ReadBody = File.ReadAllBytes }

        if file = "-" then
            Targets.read "stdin" defaults (Console.In.ReadToEnd())
        else
            Targets.read file defaults (Encoding.UTF8.GetString(readFile "--targets" file))

let private statuses (parsed: ParseResult) : int list =
    [
        for text in Options.value parsed expectStatus do
            match Int32.TryParse text with
            | true, status when status >= 100 && status <= 999 -> status
            | _ -> refuse $"--expect-status takes statuses like 200 or 200,404, and '{text}' is none"
    ]

/// What to do. Raises BadInput when an option is wrong, or when options contradict each other.
let plan (parsed: ParseResult) : Plan =
    let plan =
        {
            Asks = asks parsed
            Model = model parsed
            Duration = time parsed duration (TimeSpan.FromSeconds 10.)
            WarmUp = time parsed warmUp TimeSpan.Zero
            Timeout = time parsed timeout (TimeSpan.FromSeconds 30.)
            ExpectStatus = statuses parsed
            ExpectBody = Options.value parsed expectBody |> Option.map (bytesOf "--expect-body")
            Seed = Options.value parsed seed |> Option.defaultValue 1
            Insecure = Options.value parsed insecure
        }

    Attack.check plan
    plan

/// The core that the generator is to be bound to.
let coreOf (parsed: ParseResult) : int option = Options.value parsed core

/// Whether to find out first what the generator can do.
let isCalibrated (parsed: ParseResult) : bool =
    not (Options.value parsed noCalibration)
