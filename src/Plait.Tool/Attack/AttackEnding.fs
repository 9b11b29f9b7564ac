// How a load run ends: its exit code, and a sentence for each reason why that is not 0.
module internal Plait.Tool.AttackEnding

open System

open Plait.Common
open Plait.Load

/// A run without rules fails if a smaller share of its requests succeeds.
let private leastSuccess = 0.5

/// A run without rules prints the number of failures if a smaller share of its requests succeeds.
let private usualSuccess = 0.99

/// The reason why a run was ended in which no request was answered.
let private unanswered (outcome: Outcome) : string =
    let time =
        match int (Math.Round outcome.AttackTime.TotalSeconds) with
        | 0
        | 1 -> "a second"
        | seconds -> $"{seconds} seconds"

    let had (result: RequestResult) = outcome.Results.ContainsKey result

    if had RequestResult.Closed || had RequestResult.Reset then
        $"the server ended every connection before the head of a response{Outcome.why outcome}; the run was ended after {time}: check the port, http or https, and --http2"
    else
        $"no server takes connections{Outcome.why outcome}; the run was ended after {time}, and --wait 30s waits for the server"

/// The reasons why a run does not end well, with the exit code of each.
let private troubles (isUnanswered: bool) (outcome: Outcome) : (int * string) list =
    if isUnanswered then
        [ Endings.failure, unanswered outcome ]
    elif outcome.Requests = 0L then
        let why =
            if outcome.Stopped then
                "stopped before a request was counted"
            elif outcome.Counts.AllowedStreams = Some 0 then
                Validity.noStreams
            else
                $"no request was made in {Duration.showSpan outcome.Plan.Duration}; give it a longer --duration"

        [ Endings.failure, why ]
    else
        [
            if outcome.IsCutShort then
                Endings.failure, "the run was stopped before its end; the report has the figures until then"

            if not outcome.Invalid.IsEmpty then
                Endings.failure, "the run is invalid, for the reason in the report"

            let broken = Rule.complaint outcome.Verdicts

            match broken with
            | Some sentence -> Endings.brokenRule, sentence
            | None -> ()

            match Rule.undecided outcome.Verdicts with
            // A broken rule decides the exit code, also if another rule has no answer.
            | Some sentence when broken.IsSome -> Endings.brokenRule, sentence
            | Some sentence -> Endings.failure, sentence
            | None -> ()

            if outcome.Plan.Rules.IsEmpty then
                match Outcome.noneRight outcome with
                | Some sentence -> Endings.failure, sentence
                | None when outcome.Judged > 0L && outcome.Success < leastSuccess ->
                    Endings.failure,
                    $"only {outcome.Right} of {outcome.Judged} requests succeeded{Outcome.why outcome}"
                | None -> ()
        ]

/// Prints how a run ended, and returns its exit code. `isUnanswered`: the run was ended because no request was answered;
/// `failedOutputs`: a sentence for each output that failed.
let conclude (isForCrank: bool) (isUnanswered: bool) (failedOutputs: string list) (outcome: Outcome) : int =
    match
        [
            yield! failedOutputs |> List.map (fun why -> Endings.failure, why)
            yield! troubles isUnanswered outcome
        ]
    with
    | [] when Streams.lostErrors () -> Endings.failure
    | [] ->
        if outcome.Plan.Rules.IsEmpty && outcome.Success < usualSuccess && outcome.Judged > 0L then
            Streams.say
                $"note: {outcome.Judged - outcome.Right} of {outcome.Judged} requests failed{Outcome.why outcome}"

        Endings.success
    | troubles ->
        troubles |> List.map snd |> String.concat "; " |> Endings.complain

        // Crank drops the figures of a job that fails; the figures have the reason with them.
        if isForCrank && failedOutputs.IsEmpty && outcome.Right > 0L && not outcome.IsCutShort then
            Endings.success
        else
            // Of several reasons the lowest code counts: a failure before a broken rule, which is no verdict in an unreliable run.
            troubles |> List.map fst |> List.min
