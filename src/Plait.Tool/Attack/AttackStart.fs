// The start of a run at a time that was named: the wait for it, and the time that each step before it left.
module internal Plait.Tool.AttackStart

open System
open System.Collections.Generic
open System.Threading

open Plait.Common
open Plait.Load

/// The time until the load begins, warm-up included; None: it begins at once.
let private left (plan: Plan) : TimeSpan option =
    plan.StartAt |> Option.map (fun time -> time - plan.WarmUp - DateTime.UtcNow)

/// The steps before a run with a time of its own, and the time that was left behind each.
type Steps(plan: Plan) =
    let ended = List<StartLateness.Step * TimeSpan>()

    /// A step has ended.
    member _.End(step: StartLateness.Step) : unit =
        left plan |> Option.iter (fun left -> ended.Add((step, left)))

    /// In their order.
    member _.Ended: (StartLateness.Step * TimeSpan) list = List.ofSeq ended

/// Waits until it is nearly time to begin.
let wait (plan: Plan) (stop: CancellationToken) : unit =
    match left plan with
    | Some time when time > StartLateness.preparing ->
        Console.Error.WriteLine $"note: the run begins in {Duration.showSpan time}"

        if stop.WaitHandle.WaitOne(time - StartLateness.preparing) then
            raise (OperationCanceledException())
    | _ -> ()
