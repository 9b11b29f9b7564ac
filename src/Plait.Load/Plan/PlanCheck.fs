// The checks of a plan, before anything of it is run. Each error names the part that is wrong, and the values that are allowed.
module Plait.Load.PlanCheck

open System
open System.Text

open Plait.Common

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
        refuse $"{RequestUrl.shown request.Url} is not an HTTP URL; write one like http://127.0.0.1:8080/path"

    for name, value in request.Headers do
        if not (isToken name) then
            refuse $"'{name}' is not the name of a header; write it as 'Name: value'"

        if value |> Seq.exists (fun letter -> letter = '\r' || letter = '\n' || letter = '\000') then
            refuse $"the value of the header {name} has a line break or a zero in it; a header is one line"

    for name, value in request.Headers do
        if String.Equals(name, "Content-Length", StringComparison.OrdinalIgnoreCase) then
            if value.Trim() <> string request.Body.Length then
                refuse
                    $"the request's own header Content-Length: {value} contradicts its body, which has {request.Body.Length} bytes; leave the header out"

        if String.Equals(name, "Transfer-Encoding", StringComparison.OrdinalIgnoreCase) then
            if not (value.TrimEnd().EndsWith("chunked", StringComparison.OrdinalIgnoreCase)) then
                refuse
                    $"the request's own header Transfer-Encoding: {value} does not end with 'chunked', so that no server can find the end of the body; leave the header out"

// Headers that a request of HTTP/2 cannot have (RFC 9113, 8.2.2).
let private ofConnections =
    [ "connection"; "keep-alive"; "proxy-connection"; "transfer-encoding"; "upgrade" ]

let private checkHttp2 (plan: Plan) (streams: int) =
    if streams < 1 || streams > 65536 then
        refuse $"the number of streams on each connection is {streams}; it must be 1 to 65536"

    if not plan.Connecting.KeepsAlive then
        refuse
            "a connection for each request goes with HTTP/1.1; HTTP/2 shares each among its streams; leave one of them out"

    for request in plan.Requests do
        if request.Method = "CONNECT" then
            refuse "CONNECT is not sent over HTTP/2; use another method, or HTTP/1.1"

        for name, value in request.Headers do
            if
                List.contains (name.ToLowerInvariant()) ofConnections
                || (String.Equals(name, "TE", StringComparison.OrdinalIgnoreCase)
                    && value.Trim() <> "trailers")
            then
                refuse
                    $"the header {name} is about one connection of HTTP/1.1, and HTTP/2 does not have it; leave it out"

let private checkTime name (least: TimeSpan) (most: TimeSpan) allowed (time: TimeSpan) =
    if time < least || time > most then
        refuse $"the {name} is {Duration.showSpan time}; it must be {allowed}"

/// Raises BadInput when a plan cannot be run.
let check (plan: Plan) : unit =
    if plan.Requests.IsEmpty then
        refuse "there is nothing to send: the plan has no request"

    List.iter checkRequest plan.Requests

    plan.Duration
    |> checkTime "duration" (TimeSpan.FromTicks 1L) (TimeSpan.FromDays 7.) "more than 0 and at most 7 days"

    plan.WarmUp |> checkTime "warm-up" TimeSpan.Zero (TimeSpan.FromDays 1.) "0 to 1 day"

    plan.Timeout
    |> checkTime "timeout" (TimeSpan.FromMilliseconds 1.) (TimeSpan.FromHours 1.) "1 ms to 1 hour"

    Arrivals.check plan.Duration plan.Model

    if
        plan.Share.Of < 1
        || plan.Share.Of > 10_000
        || plan.Share.Index < 0
        || plan.Share.Index >= plan.Share.Of
    then
        refuse $"the share is {plan.Share.Index + 1} of {plan.Share.Of}; it must be one of 1 to 10000 shares"

    match plan.Model with
    | model when Plan.isEndless plan && Arrivals.needsEnd model ->
        refuse "a ramp goes from one rate to the other over the duration; give it a --duration"
    | _ -> ()

    match plan.Data with
    | Some { Order = Once } when plan.WarmUp > TimeSpan.Zero ->
        refuse
            "rows that are used once would be used up by the warm-up, which is not counted; leave --warm-up out, or use the rows in order"
    | _ -> ()

    match plan.Connecting.UnixSocket with
    | Some path when path = "" || Encoding.UTF8.GetByteCount path > 107 ->
        refuse $"'{path}' is not the path of a Unix socket, which has 1 to 107 bytes"
    | _ -> ()

    if plan.Threads < 1 || plan.Threads > 64 then
        refuse $"the number of threads is {plan.Threads}; it must be 1 to 64"

    let connections = Plan.connections plan

    if connections = 0 then
        refuse
            $"share {plan.Share.Index + 1} of {plan.Share.Of} would have no connection; ask for {plan.Share.Of} connections at least"

    if plan.Threads > connections then
        refuse
            $"{plan.Threads} threads cannot share {connections} connections; ask for as many connections at least"

    match Plan.mostRequests plan with
    | Some 0L ->
        refuse
            $"share {plan.Share.Index + 1} of {plan.Share.Of} would have no request; ask for {plan.Share.Of} requests at least"
    | _ -> ()

    match plan.MaxRequests with
    | Some most when most < 1L -> refuse $"the number of requests is {most}; it must be 1 at least"
    | _ -> ()

    match plan.Connecting.Protocol with
    | Http1 -> ()
    | Http2 streams -> checkHttp2 plan streams

    if plan.Connecting.Redirects < 0 || plan.Connecting.Redirects > 100 then
        refuse $"the number of followed redirections is {plan.Connecting.Redirects}; it must be 0 to 100"

    if plan.Connecting.MaxHead < 64 || plan.Connecting.MaxHead > 64 * 1024 * 1024 then
        refuse $"the head of a response may have {plan.Connecting.MaxHead} bytes; it must be 64 to 67108864"
