// The cause if a run began later than --start-at: the first preparation that ended late, and the remedy. Pure.
module Plait.Load.StartLateness

open System

open Plait.Common

/// A preparation for the run.
type Preparation =
    /// Of the program itself.
    | Starting
    /// Of the server, until it takes connections (--wait).
    | Waiting
    /// The capacity of the generator.
    | Measuring
    /// The code of the generator.
    | WarmingUp

/// The time for opening connections, and for measuring how late the generator wakes up, before the run.
let preparing = TimeSpan.FromSeconds 2.

/// A run that begins later is late.
let most = TimeSpan.FromMilliseconds 100.

let private cause (plan: Plan) (ended: (Preparation * TimeSpan) list) : string =
    let what = if plan.WarmUp > TimeSpan.Zero then "the warm-up" else "the load"

    match ended |> List.tryFind (fun (_, left) -> left < TimeSpan.Zero) with
    | Some(preparation, left) ->
        let late = $"{Duration.showSpan -left} after {what} was to begin"

        match preparation with
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

/// A warning for a run that began later than it should; None: it was in time, or had no time of its own. `ended`: its
/// preparations, in their order, each with the time that was left until the load, warm-up included.
let sentence (ended: (Preparation * TimeSpan) list) (outcome: Outcome) : string option =
    outcome.Plan.StartAt
    |> Option.map (fun time -> outcome.StartedUtc - time)
    |> Option.filter (fun late -> late > most)
    |> Option.map (fun late ->
        $"the run began {Duration.showSpan late} after --start-at: {cause outcome.Plan ended}")
