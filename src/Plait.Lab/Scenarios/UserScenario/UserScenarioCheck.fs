// Whether a server of a user's scenario answers rightly: every request is asked for once, before anything is measured.
module internal Plait.Lab.Scenarios.UserScenarioCheck

open System
open System.Net.Http

open Plait.Report


/// What is right: the body of the first request to the base, once it is known.
type Expected() =
    /// None: not asked yet, or bodies do not matter.
    member val Body: string option = None with get, set

let private isRight (file: ScenarioFile) (status: int) =
    if file.Checks.Status.IsEmpty then
        status >= 200 && status < 400
    else
        List.contains status file.Checks.Status

/// Asks a server for every request once. Raises WorkerFailed when an answer is not right: by its status, by the body the
/// scenario names, or by the base's body.
let check (file: ScenarioFile) (patience: int) (row: RowRun) (expected: Expected) (served: RunningProgram) : unit =
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
            | Some right when right <> body -> fail $"answers {what} wrongly: {AnswerCheck.difference right body}"
            | _ -> body)

    let all = String.concat "\n" bodies

    match file.Checks.Body, expected.Body with
    | Some _, _ -> expected.Body <- Some all
    | None, None when file.Checks.SameBody -> expected.Body <- Some all
    | None, Some right when file.Checks.SameBody && right <> all ->
        fail $"does not answer as the base does: {AnswerCheck.difference right all}"
    | _ -> ()

    row.Correct <- Some true
