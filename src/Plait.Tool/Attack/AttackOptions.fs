// The argument and the options of the load generator, and the plan that they make: the requests, the times at which
// they are due, and the way of the run.
module internal Plait.Tool.AttackOptions

open System
open System.CommandLine
open System.Globalization
open System.IO
open System.Text

open Plait.Common
open Plait.Load

let private refuse sentence = raise (BadInput sentence)

// The requests.

let private url =
    Argument<string option>(
        "URL",
        Description =
            "http://... or https://...: the URL of the requests; with --targets, the host of paths in the file",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> None),
        CustomParser = (fun argument -> Some argument.Tokens[0].Value)
    )

let private method' =
    Options.text "--method" "NAME" "the method (default: GET, or POST with --body)"

let private header =
    Options.texts "--header" [ "-H" ] "LINE" "a header, 'Name: value'; may be given several times"

// A body may begin with "--".
let private bodyText name description =
    Options.parsed name [] "TEXT" description id

let private body = bodyText "--body" "the body, or @FILE; @- is stdin"

let private targets =
    Options.text
        "--targets"
        "FILE"
        "requests to send in turn, in vegeta's format (method and URL, headers, @file of the body, # comments) or one JSON object a line; - is stdin"

let private data =
    Options.text
        "--data"
        "FILE"
        "rows (.csv with names in the first line, or .jsonl) with the values for {{name}} in URL, headers and body; {{uuid}}, {{int A B}}, {{seq}} and {{time}} need no file"

let private dataOrder =
    Options.choice
        "--data-order"
        [ "in-order", InOrder; "random", AtRandom; "once", Once ]
        "the order of the rows; once: in order, and the run ends with the last row (default: in-order)"

/// The argument.
let argument: Argument = url

let private readFile (name: string) (path: string) : byte[] =
    Files.read $"the value of {name}" path File.ReadAllBytes

// Text, or the file behind an @, which may be - for stdin.
let private bytesOf (name: string) (text: string) : byte[] =
    if text = "@-" then Encoding.UTF8.GetBytes(Streams.input ())
    elif text.StartsWith '@' then readFile name (text.Substring 1)
    else Encoding.UTF8.GetBytes text

let private headers (parsed: ParseResult) : (string * string) list =
    [
        for line in Options.value parsed header do
            match line.Split(':', 2) with
            | [| name; value |] when name.Trim() <> "" -> name.Trim(), value.Trim()
            | _ -> refuse $"--header takes a line like 'Accept: text/plain', not '{line}'"
    ]

let private urlOf (text: string) : Uri =
    match ForeignOptions.hint text with
    | Some hint -> refuse $"'attack' has no option '{text}'; {hint}"
    | None -> ()

    // A host without a scheme is HTTP.
    let whole = if text.Contains "://" then text else "http://" + text

    match Uri.TryCreate(whole, UriKind.Absolute) with
    | true, url when (nonNull url).Scheme = Uri.UriSchemeHttp || (nonNull url).Scheme = Uri.UriSchemeHttps ->
        nonNull url
    | _ -> refuse (Targets.noUrl text)

/// The requests, which are sent in turn. Raises BadInput when there are none, or when one is wrong.
let private requests (parsed: ParseResult) : HttpRequest list =
    let headers = headers parsed

    let content =
        Options.value parsed body |> Option.map (bytesOf "--body") |> Option.defaultValue [||]

    if Options.value parsed body = Some "@-" && Options.value parsed targets = Some "-" then
        refuse "--body @- and --targets - both read stdin; write one of them to a file"

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
    | Some file, theBase ->
        if (Options.value parsed method').IsSome then
            refuse "--method goes with a URL; the targets of a file have their own"

        let defaults: Targets.Defaults =
            { Base = theBase; Headers = headers; Body = content; ReadBody = File.ReadAllBytes }

        // By either name: Streams checks that standard input is not closed.
        if file = "-" || file = "/dev/stdin" then
            Targets.read "stdin" defaults (Streams.input ())
        else
            Targets.read file defaults (Files.decoded file (readFile "--targets" file))

// One of several generators that load a server together: its part, and when all of them begin.

let private share =
    Options.parsed
        "--share"
        []
        "K/N"
        "this generator is number K of N that load one server: it takes every N-th request of the rate, of --requests and of the rows of --data, and its part of the connections"
        (fun text ->
            match text.Split '/' with
            | [| number; count |] ->
                match Int32.TryParse number, Int32.TryParse count with
                | (true, number), (true, count) when number >= 1 && number <= count && count <= 10_000 ->
                    { Index = number - 1; Of = count }
                | _ -> Options.refuse "--share" "a number and how many there are, like 3/10" text
            | _ -> Options.refuse "--share" "a number and how many there are, like 3/10" text)

let private startAt =
    Options.parsed
        "--start-at"
        []
        "TIME"
        "begin the counted part at this time of the machine's clock: 2026-11-21T10:00:00Z, or seconds since 1970"
        (fun text ->
            let style =
                DateTimeStyles.AssumeUniversal
                ||| DateTimeStyles.AdjustToUniversal
                ||| DateTimeStyles.AllowWhiteSpaces

            let fraction = NumberStyles.AllowDecimalPoint

            match
                Double.TryParse(text, fraction, CultureInfo.InvariantCulture),
                DateTime.TryParse(text, CultureInfo.InvariantCulture, style)
            with
            | (true, seconds), _ when seconds >= 0.0 && seconds < 1e11 ->
                DateTime.UnixEpoch.AddSeconds seconds
            | _, (true, time) when text.Contains '-' && text.Contains ':' -> time
            | _ ->
                Options.refuse
                    "--start-at"
                    "a time in UTC like 2026-11-21T10:00:00Z, or seconds since 1970"
                    text)

/// The part that this generator has.
let private shareOf (parsed: ParseResult) : Share =
    Options.value parsed share |> Option.defaultValue Share.Whole

/// When the counted part begins; None: at once. Raises BadInput for a time that is over, or further away than a day.
let private startAtOf (parsed: ParseResult) : DateTime option =
    match Options.value parsed startAt with
    | None -> None
    | Some time ->
        let left = time - DateTime.UtcNow

        let shown = time.ToString("yyyy-MM-ddTHH:mm:ss.FFFZ", CultureInfo.InvariantCulture)

        if left < TimeSpan.Zero then
            raise (
                BadInput
                    $"--start-at: {shown} is over by {Duration.showSpan -left}; name a time to come, in UTC"
            )

        if left > TimeSpan.FromDays 1. then
            raise (BadInput $"--start-at: {shown} is more than a day away; check the date")

        Some time

// When requests are due.

let private arrivals: (ArrivalsOption * Option<string option>) list =
    [
        for option in Arrivals.options -> option, Options.text option.Name option.Hint option.Description
    ]

let private poisson =
    Options.flag
        "--poisson"
        "with --rate: requests are due at random times with exponential gaps; the rate is their mean"

let private threads =
    Options.number "--threads" [] "N" (1, 64) "threads that send, each with its share (default: 1)"

let private requestCount =
    Options.number "--requests" [ "-n" ] "N" (1, Int32.MaxValue) "end after N requests"

let private timeout =
    Options.duration
        "--timeout"
        (1, 3_600_000)
        "the longest time from sending a request to the end of its response (default: 30s)"

let private timeoutOf parsed =
    Options.valueOr (TimeSpan.FromSeconds 30.) parsed timeout

/// The model, and the limit of this machine if it allows fewer connections than the rate needs. Raises BadInput when options
/// contradict each other.
let private model (parsed: ParseResult) : Model * MachineBound option =
    let count = Options.value parsed AttackConnections.connections
    let most = Options.value parsed AttackConnections.maxConnections
    let isRandom = Options.value parsed poisson

    let opened arrivals =
        match count |> Option.orElse most, Arrivals.peak (Open(arrivals, 1)) with
        | Some given, _ -> Open(arrivals, given), None
        // The same with HTTP/2: the server decides how many requests a connection carries, and unneeded connections are not opened.
        | None, peak ->
            // Each share has the ports and files of its own machine.
            let shares = (shareOf parsed).Of

            let connections, bound =
                MachineLimits.connections (Option.get peak / float shares) (timeoutOf parsed)

            Open(arrivals, min 65_536 (shares * connections)), bound

    if count.IsSome && most.IsSome then
        refuse
            "--connections opens so many before the run, and --max-connections as they are needed; leave one of them out"

    let given =
        arrivals
        |> List.choose (fun (shape, option) ->
            Options.value parsed option |> Option.map (fun text -> shape, text))

    match given with
    | (one, _) :: (other, _) :: _ ->
        refuse $"{one.Name} and {other.Name} are two models; leave one of them out"
    | [ shape, text ] ->
        match shape.Parse text, isRandom with
        | None, _ -> refuse $"{shape.Name} takes {shape.Takes}, not '{text}'"
        | Some(Constant perSecond), true -> opened (Poisson perSecond)
        | Some _, true -> refuse $"--poisson goes with --rate, not with {shape.Name}; leave one of them out"
        | Some arrivals, false -> opened arrivals
    | [] when isRandom && count.IsSome ->
        refuse
            "--poisson needs a --rate; --connections alone is the closed model, which has no random arrivals"
    | [] when count.IsSome -> Closed count.Value, None
    | [] when most.IsSome ->
        refuse "--max-connections needs a rate; the closed model uses exactly its --connections"
    | [] -> opened (if isRandom then Poisson 50.0 else Constant 50.0)

// How the run is made.

let private duration =
    Options.duration
        "--duration"
        (0, 604_800_000)
        "how long the run is; 0s: until Ctrl-C (default: 10s; with --requests: until they are sent)"

let private warmUp =
    Options.duration
        "--warm-up"
        (0, 86_400_000)
        "load the server for this time before the counted part (default: no warm-up)"

let private expectStatus =
    Options.list "--expect-status" "a,b" "the statuses that are right (default: 200 to 399)" (fun text ->
        match Int32.TryParse text with
        | true, status when status >= 100 && status <= 999 -> status
        | _ -> Options.refuse "--expect-status" "statuses like 200 or 200,404" text)

let private expectBody =
    bodyText "--expect-body" "the exact body of a right response, or @FILE"

let private require =
    Options.each
        "--require"
        "RULE"
        "a rule of the run; the exit code is 3 if a rule is broken: 'p99<200ms', 'max<=1s', 'mean<20ms', 'success>99%', 'rps>950'; may be given several times"
        Rule.parse

let private maxLag =
    Options.duration
        "--max-lag"
        (1, 3_600_000)
        "the run is invalid if the 99th percentile of the generator's own lag is longer (default: no limit; the report marks each of p50, p90 and p99 that has more than a tenth of lag)"

let private seed =
    Options.number "--seed" [] "N" (0, Int32.MaxValue) "seed of the random arrivals (default: 1)"

let private core =
    Options.number "--core" [] "N" (0, 1023) "the core that the generator runs on (Linux)"

let private noCalibration =
    Options.flag
        "--no-calibration"
        "leave out the measurement of the generator's capacity: every rate is allowed, and the results have no capacity"

/// All of them by subject, in the order in which help shows them.
let groups: (string * System.CommandLine.Option list) list =
    [
        "When requests are due",
        [
            yield! arrivals |> List.map (fun (_, option) -> option :> System.CommandLine.Option)
            poisson
            duration
            requestCount
            warmUp
            seed
        ]
        "The requests", [ method'; header; body; targets; data; dataOrder ]
        "Connections", AttackConnections.all'
        "Right answers", [ timeout; expectStatus; expectBody; require; maxLag ]
        "The generator", [ threads; core; noCalibration; share; startAt ]
    ]

/// Steps have a duration of their own.
let private durationOf (parsed: ParseResult) (model: Model) : TimeSpan =
    match Arrivals.span model, Options.value parsed duration with
    | Some own, None -> own
    | Some own, Some _ ->
        refuse $"--duration goes with a rate that holds; the steps last {Duration.showSpan own} by themselves"
    | None, Some given when given > TimeSpan.Zero -> given
    | None, Some _ -> Plan.endless
    | None, None when (Options.value parsed requestCount).IsSome || Options.value parsed dataOrder = Some Once ->
        Plan.endless
    | None, None -> TimeSpan.FromSeconds 10.

let private dataOf (parsed: ParseResult) : DataSource option =
    match Options.value parsed data, Options.value parsed dataOrder with
    | None, Some _ -> refuse "--data-order is the order of a file's rows; name the file with --data"
    | None, None -> None
    | Some file, order -> Some { File = file; Order = defaultArg order InOrder }

/// The plan of the options. Raises BadInput when an option is wrong, or when options contradict each other.
let plan (parsed: ParseResult) : Plan =
    let model, bound = model parsed

    let plan =
        {
            Requests = requests parsed
            Model = model
            Duration = durationOf parsed model
            WarmUp = Options.valueOr TimeSpan.Zero parsed warmUp
            Timeout = timeoutOf parsed
            ExpectStatus = Options.value parsed expectStatus
            ExpectBody = Options.value parsed expectBody |> Option.map (bytesOf "--expect-body")
            Seed = Options.valueOr 1 parsed seed
            Connecting = AttackConnections.read parsed bound
            Share = shareOf parsed
            StartAt = startAtOf parsed
            Threads = Options.valueOr 1 parsed threads
            MaxRequests = Options.value parsed requestCount |> Option.map int64
            MaxLag = Options.value parsed maxLag
            Data = dataOf parsed
            Rules = Options.value parsed require
        }

    if plan.Threads > 1 && Options.isGiven parsed core then
        refuse "--core has one thread run on one core; leave --threads out, or --core"

    PlanCheck.check plan
    plan

/// The core of the generator; None: it is not bound.
let coreOf (parsed: ParseResult) : int option = Options.value parsed core

/// Whether to measure the generator's capacity first.
let isCalibrated (parsed: ParseResult) : bool =
    not (Options.value parsed noCalibration)
