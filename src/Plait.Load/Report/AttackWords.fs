// What a load run does, in a few words.
module Plait.Load.AttackWords

open Plait.Report

open System
open System.Globalization


/// What a run asked for, in a few words.
let plan (plan: Plan) : string =
    let rate (value: float) =
        value.ToString("0.##", CultureInfo.InvariantCulture)

    let time (span: TimeSpan) = Duration.showSpan span

    let model =
        match plan.Model with
        | Open(Constant perSecond, connections) ->
            $"{rate perSecond}/s evenly, at most {connections} in flight"
        | Open(Poisson perSecond, connections) ->
            $"{rate perSecond}/s at random, at most {connections} in flight"
        | Open(Ramp(from, until), connections) ->
            $"from {rate from}/s to {rate until}/s, at most {connections} in flight"
        | Closed connections -> $"{connections} connections, each in a closed loop"

    let warmUp =
        if plan.WarmUp > TimeSpan.Zero then $", after {time plan.WarmUp} of warm-up" else ""

    $"{model}, for {time plan.Duration}{warmUp}"

/// What is asked, in a few words.
let target (plan: Plan) : string =
    match plan.Asks with
    | [] -> "nothing"
    | [ ask ] -> $"{ask.Method} {ask.Url.OriginalString}"
    | ask :: rest -> $"{ask.Method} {ask.Url.OriginalString} and {rest.Length} more"
