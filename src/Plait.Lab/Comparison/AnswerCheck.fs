// Checks the answer of a candidate, in process and over HTTP: one that is not the expected answer, byte for byte, is never
// timed.
module internal Plait.Lab.AnswerCheck

open System
open System.Net.Http

open Plait.Common

// Each question is alone on its connection: a later server may listen on the same port. The body, and whether its length was
// stated.
let private ask (patience: int) (url: string) =
    use client = new HttpClient(Timeout = TimeSpan.FromMilliseconds(float patience))
    client.DefaultRequestHeaders.ConnectionClose <- true

    use response =
        client.GetAsync(url, HttpCompletionOption.ResponseHeadersRead).Result.EnsureSuccessStatusCode()

    let isStated = response.Content.Headers.ContentLength.HasValue
    response.Content.ReadAsStringAsync().Result, isStated

// Where errors are part of the experiment, a right answer comes after some tries.
let rec private askAgain patience url tries =
    try
        ask patience url
    with :? HttpRequestException as trouble when tries > 1 && trouble.StatusCode.HasValue ->
        askAgain patience url (tries - 1)

/// Where two texts begin to differ, as a sentence.
let difference (expected: string) (actual: string) : string =
    let common =
        Seq.zip expected actual |> Seq.takeWhile (fun (a, b) -> a = b) |> Seq.length

    let excerpt (text: string) =
        text.Substring(common, min 20 (text.Length - common))

    $"at character {common} it has '{excerpt actual}' instead of '{excerpt expected}' ({actual.Length} characters, {expected.Length} expected)"

let private judge (scenario: Scenario) (run: MeasuredRow) (where: string) (body: string) =
    let expected = scenario.BodyOf run.Plan.Id
    let right = String.Equals(body, expected, StringComparison.Ordinal)
    run.Correct <- Some right

    if not right then
        raise (
            WorkerFailed(
                run.Plan.Id,
                $"the answer of {run.Plan.Id} {where} is wrong, so it is not timed: {difference expected body}"
            )
        )

/// Asks the process for one answer. Raises WorkerFailed when it is not the expected one.
let inProcess (scenario: Scenario) (run: MeasuredRow) (candidate: CandidateProcess) : unit =
    candidate.Body() |> judge scenario run "in process"

/// Starts the process's server and asks it once. Returns the url. Raises WorkerFailed when the answer is not the
/// expected one, or does not come within `patience` milliseconds.
let overHttp (scenario: Scenario) (patience: int) (run: MeasuredRow) (candidate: CandidateProcess) : string =
    let url = $"http://127.0.0.1:{candidate.Serve 0}{scenario.Path}"

    let body, isStated =
        try
            if scenario.ToleratesErrors then askAgain patience url 30 else ask patience url
        with
        | :? AggregateException
        | :? HttpRequestException as trouble ->
            let why =
                match trouble.GetBaseException() with
                | :? TimeoutException -> $"no answer within {patience} ms (--patience)"
                | other -> other.Message

            raise (WorkerFailed(run.Plan.Id, $"{run.Plan.Id} does not answer {url}: {why}"))

    judge scenario run "over HTTP" body

    if not isStated then
        raise (
            WorkerFailed(
                run.Plan.Id,
                $"{run.Plan.Id} answers without a Content-Length (perhaps in chunks), so its answers cost the server more or less than those of other rows, and the lab does not time it"
            )
        )

    url
