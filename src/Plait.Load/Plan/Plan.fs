// A load run as it is asked for: what is sent, when, and which answers are right.
namespace Plait.Load

open System
open System.Text
open System.Text.Json.Serialization

open Plait.Report

/// One kind of request.
type HttpRequest =
    {
        /// GET, POST and so on.
        Method: string
        /// Where to: http or https.
        Url: Uri
        /// Headers besides Host, Content-Length and what the body needs.
        Headers: (string * string) list
        /// The body; empty for none.
        Body: byte[]
    }

    /// A GET without headers of its own.
    static member Get(url: string) : HttpRequest =
        { Method = "GET"; Url = Uri url; Headers = []; Body = [||] }

/// A load run as it was asked for. Names here are names in its JSON, where times are seconds.
type Plan =
    {
        /// What is sent, in turn.
        [<JsonPropertyName "asks">]
        Requests: HttpRequest list
        Model: Model
        [<JsonPropertyName "durationSeconds">]
        Duration: TimeSpan
        /// Load before the duration that is not counted.
        [<JsonPropertyName "warmUpSeconds">]
        WarmUp: TimeSpan
        /// How long one response may take from its actual sending.
        [<JsonPropertyName "timeoutSeconds">]
        Timeout: TimeSpan
        /// The statuses that count as right; empty: 200 to 399.
        ExpectStatus: int list
        /// The exact body of a right response; None: any.
        ExpectBody: byte[] option
        /// Seeds the random arrivals.
        Seed: int
        /// Whether a server's certificate may be one that nobody vouches for.
        Insecure: bool
    }

/// What plans are in words, and what must be true of them.
module Plan =
    /// One request over and over for a second, whose right response is status 200 with this body within ten seconds.
    let ofOne (request: HttpRequest) (body: string) (model: Model) : Plan =
        {
            Requests = [ request ]
            Model = model
            Duration = TimeSpan.FromSeconds 1.
            WarmUp = TimeSpan.Zero
            Timeout = TimeSpan.FromSeconds 10.
            ExpectStatus = [ 200 ]
            ExpectBody = Some(Encoding.UTF8.GetBytes body)
            Seed = 1
            Insecure = false
        }

    /// When requests are due, and for how long, in a few words.
    let words (plan: Plan) : string =
        let warmUp =
            if plan.WarmUp > TimeSpan.Zero then
                $", after {Duration.showSpan plan.WarmUp} of warm-up"
            else
                ""

        $"{Arrivals.words plan.Model}, for {Duration.showSpan plan.Duration}{warmUp}"

    /// What is asked, in a few words.
    let target (plan: Plan) : string =
        match plan.Requests with
        | [] -> "nothing"
        | [ request ] -> $"{request.Method} {request.Url.OriginalString}"
        | request :: rest -> $"{request.Method} {request.Url.OriginalString} and {rest.Length} more"

    /// Whether requests go over TLS, at least some of them.
    let isSecure (plan: Plan) : bool =
        plan.Requests |> List.exists (fun request -> request.Url.Scheme = Uri.UriSchemeHttps)

    let private refuse sentence = raise (BadInput sentence)

    let private isToken (text: string) =
        text <> ""
        && text
           |> Seq.forall (fun letter -> Char.IsAsciiLetterOrDigit letter || "!#$%&'*+-.^_`|~".Contains letter)

    let private checkRequest (request: HttpRequest) =
        if not (isToken request.Method) then
            refuse $"'{request.Method}' is not an HTTP method; write one like GET or POST"

        if
            not request.Url.IsAbsoluteUri
            || (request.Url.Scheme <> Uri.UriSchemeHttp && request.Url.Scheme <> Uri.UriSchemeHttps)
        then
            refuse $"{request.Url} is not an HTTP URL; write one like http://127.0.0.1:8080/path"

        for name, value in request.Headers do
            if not (isToken name) then
                refuse $"'{name}' is not the name of a header; write it as 'Name: value'"

            if value |> Seq.exists (fun letter -> letter = '\r' || letter = '\n' || letter = '\000') then
                refuse
                    $"the value of the header {name} has a line break or a zero in it; a header is one line"

    let private checkTime name (least: TimeSpan) (most: TimeSpan) allowed (time: TimeSpan) =
        if time < least || time > most then
            refuse $"the {name} is {Duration.showSpan time}; it must be {allowed}"

    /// Raises BadInput when a plan cannot be run.
    let check (plan: Plan) : unit =
        if plan.Requests.IsEmpty then
            refuse "there is nothing to send: the plan has no request"

        List.iter checkRequest plan.Requests

        plan.Duration
        |> checkTime
            "duration"
            (TimeSpan.FromTicks 1L)
            (TimeSpan.FromDays 7.)
            "more than 0 and at most 7 days"

        plan.WarmUp |> checkTime "warm-up" TimeSpan.Zero (TimeSpan.FromDays 1.) "0 to 1 day"

        plan.Timeout
        |> checkTime "timeout" (TimeSpan.FromMilliseconds 1.) (TimeSpan.FromHours 1.) "1 ms to 1 hour"

        Arrivals.check plan.Duration plan.Model
