// What is wrong with a plan, before anything is sent.
module internal Plait.Load.Check

open Plait.Report

open System


let private refuse sentence = raise (BadInput sentence)

let private rate (perSecond: float) =
    if not (Double.IsFinite perSecond) || perSecond <= 0.0 || perSecond > 10_000_000.0 then
        refuse $"the rate is {perSecond} requests/s; it must be more than 0 and at most 10000000"

let private connections (count: int) =
    if count < 1 || count > 65_536 then
        refuse $"there are to be {count} connections; there must be 1 to 65536"

let private ask (ask: Ask) =
    let isToken (text: string) =
        text <> ""
        && text
           |> Seq.forall (fun letter -> Char.IsAsciiLetterOrDigit letter || "!#$%&'*+-.^_`|~".Contains letter)

    if not (isToken ask.Method) then
        refuse $"'{ask.Method}' is no method of HTTP; write one like GET or POST"

    if
        not ask.Url.IsAbsoluteUri
        || (ask.Url.Scheme <> Uri.UriSchemeHttp && ask.Url.Scheme <> Uri.UriSchemeHttps)
    then
        refuse $"{ask.Url} is no URL of HTTP; write one like http://127.0.0.1:8080/path"

    for name, value in ask.Headers do
        if not (isToken name) then
            refuse $"'{name}' is no name of a header; write it as 'Name: value'"

        if value |> Seq.exists (fun letter -> letter = '\r' || letter = '\n' || letter = '\000') then
            refuse $"the value of the header {name} has a line break or a zero in it; a header is one line"

/// Raises BadInput when a plan cannot be run.
let plan (plan: Plan) : unit =
    if plan.Asks.IsEmpty then
        refuse "there is nothing to send: the plan has no request"

    List.iter ask plan.Asks

    match plan.Model with
    | Open(Constant perSecond, count)
    | Open(Poisson perSecond, count) ->
        rate perSecond
        connections count
    | Open(Ramp(from, until), count) ->
        if from <> 0.0 then
            rate from

        rate until
        connections count
    | Closed count -> connections count

    if plan.Duration <= TimeSpan.Zero || plan.Duration > TimeSpan.FromDays 7. then
        refuse $"the duration is {plan.Duration}; it must be more than 0 and at most 7 days"

    if plan.WarmUp < TimeSpan.Zero || plan.WarmUp > TimeSpan.FromDays 1. then
        refuse $"the warm-up is {plan.WarmUp}; it must be 0 to 1 day"

    if plan.Timeout < TimeSpan.FromMilliseconds 1. || plan.Timeout > TimeSpan.FromHours 1. then
        refuse $"the timeout is {plan.Timeout}; it must be 1 ms to 1 hour"
