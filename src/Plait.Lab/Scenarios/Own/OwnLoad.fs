// Loading a server of a user's scenario: one slice is one run of the load generator, and what the server used meanwhile.
module internal Plait.Lab.Scenarios.OwnLoad

open System
open System.Net.Http

open Plait.Lab
open Plait.Lab.Load
open Plait.Lab.Measure

/// What is right: the body of the first request to the base, once it is known.
type Expected() =
    /// None: not asked yet, or bodies do not matter.
    member val Body: string option = None with get, set

let private ask (file: ScenarioFile) (served: Served) (request: AskPath) : Ask =
    {
        Method = request.Method
        Url = Uri(served.Address + request.Path)
        Headers = request.Headers
        Body = ScenarioFile.bytes request.Body
    }

/// The load of a slice. With one request its body is checked in every response; with several only once, by the gate.
let plan (file: ScenarioFile) (expected: Expected) (served: Served) (milliseconds: int) : Plan =
    {
        Asks = file.Requests |> List.map (ask file served)
        Model = file.Model
        Duration = TimeSpan.FromMilliseconds(float milliseconds)
        WarmUp = TimeSpan.Zero
        Timeout = TimeSpan.FromSeconds file.TimeoutSeconds
        ExpectStatus = file.Checks.Status
        ExpectBody =
            match file.Requests with
            | [ _ ] -> expected.Body |> Option.map ScenarioFile.bytes
            | _ -> None
        Seed = file.Settings.Seed
        Insecure = false
    }

let private isRight (file: ScenarioFile) (status: int) =
    if file.Checks.Status.IsEmpty then
        status >= 200 && status < 400
    else
        List.contains status file.Checks.Status

/// Asks a server for every request once. Raises WorkerFailed when an answer is not right: by its status, by the body the
/// scenario names, or by the base's body.
let gate (file: ScenarioFile) (patience: int) (row: RowRun) (expected: Expected) (served: Served) : unit =
    use client = new HttpClient(Timeout = TimeSpan.FromMilliseconds(float patience))
    client.DefaultRequestHeaders.ConnectionClose <- true
    row.Correct <- Some false

    let fail sentence =
        raise (WorkerFailed(row.Plan.Id, $"{row.Plan.Id} {sentence}, so it is not measured"))

    let bodies =
        file.Requests
        |> List.map (fun request ->
            use message =
                new HttpRequestMessage(HttpMethod request.Method, served.Address + request.Path)

            if request.Body <> "" then
                message.Content <- new ByteArrayContent(ScenarioFile.bytes request.Body)

            for name, value in request.Headers do
                if
                    not (message.Headers.TryAddWithoutValidation(name, value))
                    && not (isNull message.Content)
                then
                    (nonNull message.Content).Headers.TryAddWithoutValidation(name, value) |> ignore

            let what = $"{request.Method} {request.Path}"

            let status, body =
                try
                    use response = client.Send message
                    int response.StatusCode, response.Content.ReadAsStringAsync().Result
                with
                | :? HttpRequestException as trouble -> fail $"does not answer {what} ({trouble.Message})"
                | :? OperationCanceledException -> fail $"does not answer {what} within {patience} ms"

            if not (isRight file status) then
                fail $"answers {what} by status {status}"

            match file.Checks.Body with
            | Some right when right <> body -> fail $"answers {what} wrongly: {Gate.difference right body}"
            | _ -> body)

    let all = String.concat "\n" bodies

    match file.Checks.Body, expected.Body with
    | Some _, _ -> expected.Body <- Some all
    | None, None when file.Checks.SameBody -> expected.Body <- Some all
    | None, Some right when file.Checks.SameBody && right <> all ->
        fail $"does not answer as the base does: {Gate.difference right all}"
    | _ -> ()

    row.Correct <- Some true

let private count (fates: Fate list) (outcome: Outcome) =
    fates |> List.sumBy (fun fate -> Map.tryFind fate outcome.Fates |> Option.defaultValue 0L)

let private errors (outcome: Outcome) : Errors =
    {
        Status = count [ Fate.WrongStatus ] outcome
        Length = count [ Fate.WrongBody; Fate.Garbage ] outcome
        Connection = count [ Fate.Refused; Fate.Reset; Fate.Closed; Fate.Tls ] outcome
        Timeout = count [ Fate.TimedOut; Fate.Unsent ] outcome
    }

let private bytesOf (served: Served) from until (before: float option) (after: float option) =
    match before, after, served.Counters with
    | Some before, Some after, _ -> after - before
    | _, _, Some counters when counters.WaitFor(until, 3000) ->
        Counted.allocated from until counters.Readings |> Option.defaultValue nan
    | _ -> nan

/// A slice of load on a server. `counts`: it is measured, so bytes are worth waiting for.
let slice
    (context: Context)
    (client: AttackProcess)
    (file: ScenarioFile)
    (expected: Expected)
    (served: Served)
    (counts: bool)
    (milliseconds: int)
    : Slice * Outcome =
    context.Stop.ThrowIfCancellationRequested()
    let cpuBefore, bytesBefore = served.Usage()

    let now () =
        served.Counters |> Option.map _.Now |> Option.defaultValue 0.0

    let from = now ()

    let outcome =
        client.Run(plan file expected served milliseconds, ignore, context.Stop)

    let until = now ()
    context.Stop.ThrowIfCancellationRequested()
    let cpuAfter, bytesAfter = served.Usage()

    if outcome.Right = 0L then
        let why =
            match Map.toList outcome.Complaints with
            | (_, complaint) :: _ -> complaint
            | [] -> "no response came"

        raise (
            WorkerFailed(
                served.Subject,
                $"{served.Subject} answered no request rightly in {milliseconds} ms of load: {why}"
            )
        )

    context.ClientBusy.Add outcome.Busy

    {
        Operations = outcome.Right
        CpuMicroseconds = cpuAfter - cpuBefore
        WallMicroseconds = outcome.Elapsed.TotalMicroseconds
        AllocatedBytes = if counts then bytesOf served from until bytesBefore bytesAfter else nan
        Errors = errors outcome
        ClientBusy = outcome.Busy
    },
    outcome
