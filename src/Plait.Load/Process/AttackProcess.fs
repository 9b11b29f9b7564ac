// The process of the load engine, typed: a plan goes in, its outcome comes back exactly.
namespace Plait.Load

open System
open System.Text.Json
open System.Text.Json.Nodes
open System.Threading

open Plait.Common

/// A running load generator. Raises WorkerFailed, with the subject "the load generator", when it does not do as it should.
/// Not for use from two threads at once.
type AttackProcess private (worker: LineProcess, patience: int) =
    let mutable lastSession = 0

    // A limit for a server that hangs must not end the generator, which is not measured.
    static let least = 60000
    let patience = max patience least

    let ask (doing: string) (limit: int) (request: (string * JsonNode) list) : JsonElement =
        let node = JsonObject()

        for name, value in request do
            node[name] <- value

        worker.Ask(doing, node.ToJsonString(), limit)

    let text (value: string) : JsonNode = nonNull (JsonValue.Create value)
    let whole (value: int) : JsonNode = JsonValue.Create value

    /// The subject of its failures.
    static member Subject = "the load generator"

    /// Starts one. `command`: the executable and arguments of the generator; `core`: its core; `patience`: the milliseconds
    /// that it may take to answer, if they are more than a minute.
    static member Start(command: string list, core: int option, patience: int) : AttackProcess =
        let worker, _ =
            LineProcess.Start(
                {
                    Subject = AttackProcess.Subject
                    File = command.Head
                    Arguments = command.Tail
                    // Without the call-counting delay and without a profile the generator's code is optimized in a third of the
                    // time, and is no slower.
                    Variables = [ "DOTNET_TC_CallCountingDelayMs", "0"; "DOTNET_TieredPGO", "0" ]
                    Core = core
                },
                max patience least
            )

        new AttackProcess(worker, patience)

    /// Runs a plan there. `tell` is given every second of the counted part when it is over; `stop` ends the run
    /// early, and the outcome is of the part that ran.
    member _.Run(plan: Plan, tell: Second -> unit, stop: CancellationToken) : Outcome =
        ask "beginning a load run" patience [ "do", text "begin"; "plan", OutcomeJson.part plan ]
        |> ignore

        // While connections are opened, in the warm-up and before the last responses there is no message.
        let quiet = plan.WarmUp + plan.Timeout + plan.Timeout + TimeSpan.FromSeconds 5.
        let limit = patience + int (min quiet.TotalMilliseconds 1e9)
        let mutable outcome = None

        while outcome.IsNone do
            let reply =
                ask
                    "loading a server"
                    limit
                    [ "do", text "next"; "stop", JsonValue.Create stop.IsCancellationRequested ]

            match reply.TryGetProperty "second", reply.TryGetProperty "outcome" with
            | (true, second), _ -> tell (OutcomeJson.ofPart second)
            | _, (true, value) -> outcome <- Some(OutcomeJson.ofPart value)
            | _ ->
                raise (
                    WorkerFailed(
                        AttackProcess.Subject,
                        $"{AttackProcess.Subject} answered with neither a second nor an outcome"
                    )
                )

        outcome.Value

    /// Opens the connections of a plan, for slices of its load.
    member _.Open(plan: Plan) : AttackSlices =
        lastSession <- lastSession + 1
        let session = lastSession

        [ "do", text "open"; "session", whole session; "plan", OutcomeJson.part plan ]
        |> ask "connecting" (patience + int plan.Timeout.TotalMilliseconds)
        |> ignore

        let run milliseconds =
            [ "do", text "slice"; "session", whole session; "milliseconds", whole milliseconds ]
            |> ask "loading a server" (patience + milliseconds + 2 * int plan.Timeout.TotalMilliseconds)
            |> _.GetProperty("outcome")
            |> OutcomeJson.ofPart<Outcome>

        let close () =
            try
                [ "do", text "close"; "session", whole session ]
                |> ask "closing connections" patience
                |> ignore
            with :? WorkerFailed ->
                // A generator that cannot close fails again, with the same sentence, at its next slice.
                ()

        new AttackSlices(run, close)

    interface IDisposable with
        member _.Dispose() = (worker :> IDisposable).Dispose()

/// Open connections of a load generator; disposing closes them.
and AttackSlices internal (run: int -> Outcome, close: unit -> unit) =
    /// Loads the server for so long; over when the last response is there. The outcome holds neither single requests nor
    /// seconds.
    member _.Run(milliseconds: int) : Outcome = run milliseconds

    interface IDisposable with
        member _.Dispose() = close ()
