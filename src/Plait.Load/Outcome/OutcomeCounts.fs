// Pure: whether the counts of an outcome fit together, as those of each run do and of runs that were merged. For reading files, which
// may have been changed. Names are those of the JSON.
module Plait.Load.OutcomeCounts

/// A count and its place in the file. Sums of wrong counts may be more than 64 bits hold.
type private Count = { Place: string; Number: bigint }

let private count (place: string) (number: int64) : Count =
    { Place = place; Number = bigint number }

let private sum (place: string) (numbers: int64 seq) : Count =
    { Place = place; Number = numbers |> Seq.sumBy bigint }

let private place (key: string) (result: RequestResult) = $"{key}.{Outcome.resultName result}"

let private of' (results: Map<RequestResult, int64>) (result: RequestResult) : int64 =
    results |> Map.tryFind result |> Option.defaultValue 0L

/// All counts, none of which is negative. Those of a histogram are not: its encoding has none.
let private all (outcome: Outcome) : Count seq =
    seq {
        for KeyValue(result, number) in outcome.Results do
            count (place "results" result) number

        for KeyValue(status, number) in outcome.Statuses do
            count $"statuses.{status}" number

        for name, number in outcome.Counts.Numbers() do
            count name number

        for at, step in List.indexed outcome.Steps do
            count $"steps[{at}].due" step.Due
            count $"steps[{at}].right" step.Right
            count $"steps[{at}].answered" step.Answered

        for at, second in List.indexed outcome.Seconds do
            count $"seconds[{at}].due" second.Due
            count $"seconds[{at}].right" second.Right
            count $"seconds[{at}].failed" second.Failed
            count $"seconds[{at}].inFlight" (int64 second.InFlight)

            for KeyValue(result, number) in second.Failures do
                count (place $"seconds[{at}].failures" result) number
    }

/// Counts of one thing.
let private equal (outcome: Outcome) : (Count * Count) seq =
    let counts, seconds = outcome.Counts, outcome.Seconds
    let requests = sum "the sum of results" outcome.Results.Values
    let right = count "results.right" outcome.Right

    seq {
        right, count "the count of actual" counts.Actual.Count
        right, count "the count of intended" counts.Intended.Count
        count "the count of lag" counts.Lag.Count, count "that of ownLag" counts.GeneratorLag.Count

        for at, step in List.indexed outcome.Steps do
            count $"steps[{at}].right" step.Right, count $"the count of steps[{at}].actual" step.Actual.Count

        for at, second in List.indexed seconds do
            let place = $"seconds[{at}]"
            count $"{place}.right" second.Right, count $"the count of {place}.actual" second.Actual.Count
            count $"{place}.failed" second.Failed, sum $"the sum of {place}.failures" second.Failures.Values

        requests, sum "the sum of seconds[].due" (seconds |> Seq.map _.Due)
        right, sum "the sum of seconds[].right" (seconds |> Seq.map _.Right)

        for result in Outcome.results do
            if result <> RequestResult.Right then
                count (place "results" result) (of' outcome.Results result),
                sum
                    $"""the sum of {place "seconds[].failures" result}"""
                    (seconds |> Seq.map (fun second -> of' second.Failures result))

        count "the count of intended" counts.Intended.Count,
        sum "the sum of those of seconds[].latency" (seconds |> Seq.map _.Latency.Count)
    }

/// Counts of which the first is not above the second.
let private ordered (outcome: Outcome) : (Count * Count) seq =
    let counts = outcome.Counts
    let requests = sum "the sum of results" outcome.Results.Values
    let right = count "results.right" outcome.Right
    let statuses = sum "the sum of statuses" outcome.Statuses.Values

    seq {
        right, statuses
        statuses, requests
        count "the count of waited" counts.Waited.Count, requests
        // It is taken when a request is sent, and some never are.
        count "the count of lag" counts.Lag.Count, requests

        requests,
        sum
            "the count of lag and results.unsent"
            [ counts.Lag.Count; of' outcome.Results RequestResult.Unsent ]

        sum "the sum of steps[].due" (outcome.Steps |> Seq.map _.Due), requests

        for at, step in List.indexed outcome.Steps do
            count $"steps[{at}].right" step.Right, count $"steps[{at}].due" step.Due

            count $"the count of steps[{at}].intended" step.Intended.Count,
            count $"steps[{at}].right" step.Right
    }

/// A stretch of time that begins before the end of the one before, or has no possible length. In a whole run of several parts
/// stretches may be missing, in which no part had a request. Only stretches of hours are longer than a second.
let private gap (outcome: Outcome) : string option =
    let longest = max 1L (int64 outcome.Elapsed.TotalSeconds)

    let tooMuch (place: string) (seconds: int64) =
        Some $"{place} is {seconds}, more than elapsedSeconds, which is {outcome.Elapsed.TotalSeconds}"

    List.indexed outcome.Seconds
    |> List.scan
        (fun (until, _) (at, second) ->
            let begins, length = int64 second.At, int64 second.Seconds

            let why =
                if length < 1L then
                    Some $"seconds[{at}].seconds is {length}"
                elif length > longest then
                    tooMuch $"seconds[{at}].seconds" length
                elif begins < until then
                    Some $"seconds[{at}].at is {begins}, and the seconds before it end at {until}"
                // the clocks of parts are rounded to seconds
                elif begins > longest + 1L then
                    tooMuch $"seconds[{at}].at" begins
                else
                    None

            begins + length, why)
        (0L, None)
    |> List.tryPick snd

/// Which counts contradict each other, as a part of a sentence; None: all fit together.
let contradiction (outcome: Outcome) : string option =
    seq {
        for count in all outcome do
            if count.Number.Sign < 0 then
                $"{count.Place} is {count.Number}"

        for one, other in equal outcome do
            if one.Number <> other.Number then
                $"{one.Place} is {one.Number}, and {other.Place} is {other.Number}"

        for one, other in ordered outcome do
            if one.Number > other.Number then
                $"{one.Place} is {one.Number}, more than {other.Place}, which is {other.Number}"

        yield! Option.toList (gap outcome)
    }
    |> Seq.tryHead
