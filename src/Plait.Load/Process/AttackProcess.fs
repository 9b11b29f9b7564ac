// The process of the load engine, typed: a plan goes in, its outcome comes back exactly.
namespace Plait.Load

open Plait.Report

open System
open System.Text.Json.Nodes
open System.Threading


/// A running load generator. Raises WorkerFailed, with the subject "the load generator", when it does not do as it should.
/// Not for use from two threads at once.
type AttackProcess private (worker: LineProcess, patience: int) =
    /// The subject of its failures.
    static member Subject = "the load generator"

    /// Starts one. `command`: the executable and arguments that become the generator; `core`: the core it is bound to;
    /// `patience`: the milliseconds that it may take to answer.
    static member Start(command: string list, core: int option, patience: int) : AttackProcess =
        let worker, _ =
            LineProcess.Start(
                {
                    Subject = AttackProcess.Subject
                    File = command.Head
                    Arguments = command.Tail
                    Variables = []
                    Core = core
                },
                patience
            )

        new AttackProcess(worker, patience)

    /// Runs a plan there. `tell` is given every second of the counted part when it is over; `stop` ends the run early, and
    /// the outcome is that of what was done.
    member _.Run(plan: Plan, tell: Second -> unit, stop: CancellationToken) : Outcome =
        let request = JsonObject()
        request["do"] <- JsonValue.Create "begin"
        request["plan"] <- PlanJson.write plan
        worker.Ask("beginning a load run", request.ToJsonString(), patience) |> ignore

        // Opening the connections, the warm-up and the last responses bring no news.
        let quiet = plan.WarmUp + plan.Timeout + plan.Timeout + TimeSpan.FromSeconds 5.
        let limit = patience + int (min quiet.TotalMilliseconds 1e9)
        let mutable outcome = None

        while outcome.IsNone do
            let isToStop = if stop.IsCancellationRequested then "true" else "false"

            let reply =
                worker.Ask("loading a server", $"""{{"do":"next","stop":{isToStop}}}""", limit)

            match reply.TryGetProperty "second", reply.TryGetProperty "outcome" with
            | (true, second), _ -> tell (OutcomeJson.readSecond second)
            | _, (true, value) -> outcome <- Some(OutcomeJson.read value)
            | _ ->
                raise (
                    WorkerFailed(
                        AttackProcess.Subject,
                        $"{AttackProcess.Subject} answered with neither a second nor an outcome"
                    )
                )

        outcome.Value

    interface IDisposable with
        member _.Dispose() = (worker :> IDisposable).Dispose()
