// The start of a run at a time that was named: the wait for it, and why a run began later.
module internal Plait.Tool.AttackStart

open System

open Plait.Common
open Plait.Load

// The time for opening connections, and for measuring how late the generator wakes up, before the run.
let private preparing = TimeSpan.FromSeconds 2.

/// The time until the load begins, warm-up included; None: it begins at once.
let private left (plan: Plan) : TimeSpan option =
    plan.StartAt |> Option.map (fun time -> time - plan.WarmUp - DateTime.UtcNow)

/// A step before the run.
type Step =
    | Starting
    /// Of the server, until it takes connections (--wait).
    | Waiting
    | Measuring
    | WarmingUp

/// The steps before a run with a time of its own, and the time that was left behind each.
type Steps(plan: Plan) =
    let ended = System.Collections.Generic.List<Step * TimeSpan>()

    /// A step has ended.
    member _.End(step: Step) : unit =
        left plan |> Option.iter (fun left -> ended.Add((step, left)))

    /// In their order.
    member _.Ended: (Step * TimeSpan) list = List.ofSeq ended

/// Waits until it is nearly time to begin.
let wait (plan: Plan) (stop: System.Threading.CancellationToken) : unit =
    match left plan with
    | Some time when time > preparing ->
        Console.Error.WriteLine $"note: the run begins in {Duration.showSpan time}"

        if stop.WaitHandle.WaitOne(time - preparing) then
            raise (OperationCanceledException())
    | _ -> ()

/// Why a run was late, and the remedy. `ended`: the steps before it, each with the time that was left behind it.
let private cause (plan: Plan) (ended: (Step * TimeSpan) list) : string =
    let what = if plan.WarmUp > TimeSpan.Zero then "the warm-up" else "the load"

    match ended |> List.tryFind (fun (_, left) -> left < TimeSpan.Zero) with
    | Some(step, left) ->
        let late = $"{Duration.showSpan -left} after {what} was to begin"

        match step with
        | Starting -> $"the program had started {late}; name a later time"
        | Waiting -> $"the server took connections {late}; name a later time, or start the server before"
        | Measuring ->
            $"measuring the capacity ended {late}; name a later time, or leave the measuring out (--no-calibration)"
        | WarmingUp -> $"the generator was ready {late}; name a later time"
    | None ->
        match List.tryLast ended with
        | Some(_, left) when left < preparing ->
            $"opening the connections took longer than the {Duration.showSpan left} that were left for it; name a later time"
        | _ ->
            $"opening the connections took longer than the {Duration.showSpan preparing} before {what}; ask for fewer (--connections)"

/// A warning for a run that began later than it should; None: it was in time.
let lateness (steps: Steps) (outcome: Outcome) : string option =
    outcome.Plan.StartAt
    |> Option.map (fun time -> outcome.StartedUtc - time)
    |> Option.filter (fun late -> late > TimeSpan.FromMilliseconds 100.)
    |> Option.map (fun late ->
        $"the run began {Duration.showSpan late} after --start-at: {cause outcome.Plan steps.Ended}")
