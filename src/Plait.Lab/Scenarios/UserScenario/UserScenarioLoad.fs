// Loading a server of a user's scenario: one slice is one run of the load generator, and what the server used meanwhile.
module internal Plait.Lab.Scenarios.UserScenarioLoad

open System

open Plait.Report

open Plait.Load
open Plait.Lab.Measure

let private toHttp (file: ScenarioFile) (served: RunningProgram) (request: ScenarioRequest) : HttpRequest =
    {
        Method = request.Method
        Url = Uri(served.Address + request.Path)
        Headers = request.Headers
        Body = ScenarioFile.bytes request.Body
    }

/// The load of a slice. With one request its body is checked in every response; with several only once, by the gate.
let plan (file: ScenarioFile) (expected: ExpectedAnswer) (served: RunningProgram) (milliseconds: int) : Plan =
    {
        Requests = file.Requests |> List.map (toHttp file served)
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

let private bytesOf (served: RunningProgram) from until (before: float option) (after: float option) =
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
    (expected: ExpectedAnswer)
    (served: RunningProgram)
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
        let why = Outcome.complaint outcome |> Option.defaultValue "no response came"

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
        Errors = HttpSlice.errors outcome
        ClientBusy = outcome.Busy
        Counters = Map.empty
    },
    outcome
