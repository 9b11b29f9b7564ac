// Pure: load runs of several generators on one server, as one run. Counts and histograms are added, so that percentiles are of all
// requests. Seconds are put together by the clock of the first run's machine.
module Plait.Load.WholeRun

open System

open Plait.Common

/// The plan of all runs together; an error: why there is none.
let private plan (plans: Plan list) : Result<Plan, string> =
    let first = plans.Head
    let shares = plans |> List.map _.Share

    let isWhole =
        shares |> List.forall (fun share -> share.Of = plans.Length)
        && (List.distinct shares).Length = plans.Length
        && plans |> List.forall (ShareDifferences.ofPlans first >> List.isEmpty)

    let added (one: Model option) (other: Model option) : Model option =
        match one, other with
        | Some(Closed count), Some(Closed more) -> Some(Closed(count + more))
        | Some(Open(arrivals, count)), Some(Open(more, most)) ->
            Arrivals.sum arrivals more |> Option.map (fun sum -> Open(sum, count + most))
        | _ -> None

    let model =
        if isWhole then
            match first.Model with
            | Open(arrivals, _) -> Some(Open(arrivals, plans |> List.sumBy Plan.connections))
            | Closed count -> Some(Closed count)
        else
            plans |> List.map (Plan.ownModel >> Some) |> List.reduce added

    let same (read: Plan -> 'Part) (other: 'Part) =
        if plans |> List.forall (fun plan -> read plan = read first) then read first else other

    match model with
    | None -> Error "their loads are of different shapes"
    | Some model ->
        Ok
            { first with
                Requests = plans |> List.collect _.Requests |> List.distinct
                Model = model
                Duration = plans |> List.map _.Duration |> List.max
                Share = Share.Whole
                StartAt = same _.StartAt None
                Threads = plans |> List.sumBy _.Threads
                MaxRequests =
                    if isWhole then
                        first.MaxRequests
                    elif plans |> List.forall (fun plan -> plan.MaxRequests.IsSome) then
                        plans |> List.choose Plan.mostRequests |> List.sum |> Some
                    else
                        None
                // One that only some runs were given judges all of them.
                MaxLag = plans |> List.choose _.MaxLag |> List.sort |> List.tryHead
                Rules = plans |> List.collect _.Rules |> List.distinct
            }

/// Which shares are missing; None: none is, or the runs are no shares.
let private missing (plans: Plan list) : string option =
    match plans |> List.map _.Share.Of |> List.distinct with
    | [ 1 ] -> None
    | [ count ] ->
        let there = plans |> List.map _.Share.Index |> set

        match [ for index in 0 .. count - 1 -> index ] |> List.filter (there.Contains >> not) with
        | [] -> None
        | absent ->
            let numbers =
                absent |> List.map (fun index -> $"{index + 1}/{count}") |> String.concat ", "

            Some $"shares are missing: {numbers}"
    | several ->
        let counts = several |> List.map string |> String.concat " and "
        Some $"they are shares of different loads: of {counts} generators"

let private sameShare (runs: (string * Recording) list) : string option =
    runs
    |> List.map (fun (name, recording) -> name, recording.Outcome.Plan.Share)
    |> List.filter (fun (_, share) -> share <> Share.Whole)
    |> List.groupBy snd
    |> List.tryPick (fun (share, same) ->
        match same with
        | (one, _) :: (other, _) :: _ ->
            Some
                $"{one} and {other} are both share {share.Index + 1}/{share.Of}: its requests would be counted twice"
        | _ -> None)

/// The outcome by the clock of the whole run, which began earlier by `offset`.
let private moved (offset: TimeSpan) (requests: HttpRequest list) (outcome: Outcome) : Outcome =
    let nanoseconds = offset.Ticks * 100L
    let seconds = int (Math.Round offset.TotalSeconds)

    let placeOf =
        [| for request in outcome.Plan.Requests -> requests |> List.findIndex ((=) request) |]

    { outcome with
        Elapsed = outcome.Elapsed + offset
        AttackTime = outcome.AttackTime + offset
        Seconds = outcome.Seconds |> List.map (fun second -> { second with At = second.At + seconds })
        Dates = outcome.Dates |> ServerDate.moved nanoseconds
        Samples =
            outcome.Samples
            |> Array.map (fun sample ->
                { sample with
                    Intended = sample.Intended + nanoseconds
                    Sent = sample.Sent + nanoseconds
                    Done = sample.Done + nanoseconds
                    Request = if sample.Request < placeOf.Length then placeOf[sample.Request] else 0
                })
    }

/// The seconds of all runs. Where some are joined to longer stretches, all are, to stretches of that length.
let private seconds (outcomes: Outcome list) : Second list =
    let all = outcomes |> List.collect _.Seconds

    if all.IsEmpty then
        []
    else
        let length = all |> List.map _.Seconds |> List.max

        // The seconds of one run in one stretch. The requests in flight at its end are those of its last second.
        let stretches (outcome: Outcome) =
            outcome.Seconds
            |> List.groupBy (fun second -> second.At / length * length)
            |> List.map (fun (at, parts) ->
                { OutcomeSum.second parts with
                    At = at
                    Seconds = length
                    InFlight = (List.last parts).InFlight
                })

        outcomes
        |> List.collect stretches
        |> List.groupBy _.At
        |> List.sortBy fst
        |> List.map (snd >> OutcomeSum.second)

/// Runs that are shares, but not of the load of which the first one is. Their requests are not one schedule. `clocks`: how the
/// machines stand to that of the first run.
let private foreign
    (clocks: MachineClocks.ClockComparison list)
    (runs: (string * Recording) list)
    : string list =
    let first, recording = runs.Head
    let plan = recording.Outcome.Plan

    [
        if plan.Share <> Share.Whole then
            for clock, (name, other) in List.zip clocks runs do
                let differences =
                    [
                        yield! ShareDifferences.ofPlans plan other.Outcome.Plan
                        if not (ShareDifferences.isOneStart clock plan other.Outcome.Plan) then
                            "--start-at"
                    ]

                if not differences.IsEmpty then
                    let what = String.concat ", " differences
                    $"{first} and {name} are shares of different loads: they differ in {what}"
    ]

/// Whole runs with other options than the first one, a sentence for each. Their requests are added all the same.
let private different (runs: (string * Recording) list) : string list =
    let first, recording = runs.Head
    let plans = runs |> List.map (fun (_, other) -> other.Outcome.Plan)

    [
        if plans |> List.forall (fun plan -> plan.Share = Share.Whole) then
            for (name, _), plan in List.zip runs plans do
                match ShareDifferences.ofWholes recording.Outcome.Plan plan with
                | [] -> ()
                | differences ->
                    let what = String.concat ", " differences
                    $"{first} and {name} differ in {what}; the whole has the requests of both"
    ]

/// Runs that were not judged by the limit of own lag of the whole, and are above it.
let private late (whole: Plan) (runs: (string * Recording) list) : string list =
    [
        for name, recording in runs do
            let outcome = recording.Outcome

            if outcome.Plan.MaxLag <> whole.MaxLag then
                let judged = { outcome with Plan = { outcome.Plan with MaxLag = whole.MaxLag } }

                for sentence in Option.toList (Validity.lateness judged) do
                    $"{name}: {sentence}"
    ]

let private invalid
    (whole: Plan)
    (clocks: MachineClocks.ClockComparison list)
    (runs: (string * Recording) list)
    : string list =
    [
        for name, recording in runs do
            for sentence in recording.Outcome.Invalid do
                $"{name}: {sentence}"

            if recording.Outcome.IsCutShort then
                $"{name}: it was stopped before its end"

        yield! late whole runs

        match missing (runs |> List.map (fun (_, recording) -> recording.Outcome.Plan)) with
        | Some sentence -> sentence
        | None -> yield! foreign clocks runs
    ]

/// Rules, and limits of own lag, that only some of the runs were given, a sentence for each.
let private partial (whole: Plan) (runs: (string * Recording) list) : string list =
    let named (has: Plan -> bool) (what: string) =
        let having, lacking =
            runs |> List.partition (fun (_, recording) -> has recording.Outcome.Plan)

        let names runs =
            runs |> List.map fst |> String.concat ", "

        if lacking.IsEmpty then
            None
        else
            Some $"only {names having} had {what}, and {names lacking} did not: it is judged for the whole"

    [
        for rule in whole.Rules do
            yield!
                Option.toList (
                    named (fun plan -> List.contains rule plan.Rules) $"--require '{Rule.text rule}'"
                )

        match whole.MaxLag with
        | Some most ->
            yield!
                Option.toList (
                    named (fun plan -> plan.MaxLag = whole.MaxLag) $"--max-lag {Duration.showSpan most}"
                )
        | None -> ()
    ]

/// When the runs began by one clock, if that is not the same; None: within a tenth of a second.
let private starts (runs: (string * Outcome) list) : string option =
    let ordered = runs |> List.sortBy (fun (_, outcome) -> outcome.StartedUtc)
    let first, last = List.head ordered, List.last ordered
    let apart = (snd last).StartedUtc - (snd first).StartedUtc

    if apart.Ticks * 100L > MachineClocks.mostUnnamed then
        Some
            $"{fst last} began {Duration.showSpan apart} after {fst first}; the seconds of the whole are counted from the first start"
    else
        None

/// Runs of at least one generator, each with its name, as one. An error: why they are not one run. `rules`: judged for the
/// whole; empty: the rules of all runs. Raises BadInput for a share that is there twice.
let ofRuns
    (rules: Rule list)
    (command: string)
    (runs: (string * Recording) list)
    : Result<Recording, string> =
    match sameShare runs with
    | Some sentence -> raise (BadInput $"{sentence}; leave one of them out")
    | None -> ()

    let recordings = runs |> List.map snd
    let first = recordings.Head.Outcome

    let offsets =
        recordings |> List.map (fun recording -> MachineClocks.clock first recording.Outcome)

    // By the clock of the first run's machine.
    let outcomes =
        List.map2
            (fun (recording: Recording) offset ->
                { recording.Outcome with
                    StartedUtc =
                        recording.Outcome.StartedUtc - TimeSpan.FromTicks(MachineClocks.ahead offset / 100L)
                })
            recordings
            offsets

    let names = runs |> List.map fst
    let started = outcomes |> List.map _.StartedUtc |> List.min

    let endOf (outcome: Outcome) = outcome.StartedUtc + outcome.AttackTime
    let named = List.zip names outcomes
    let firstOver, over = named |> List.minBy (snd >> endOf)
    let lastBegun, begun = named |> List.maxBy (fun (_, outcome) -> outcome.StartedUtc)

    if begun.StartedUtc >= endOf over then
        Error
            $"they did not load at the same time: {lastBegun} began {Duration.showSpan (begun.StartedUtc - endOf over)} after {firstOver} had ended"
    else
        plan (outcomes |> List.map _.Plan)
        |> Result.map (fun plan ->
            let notes = partial (if rules.IsEmpty then plan else { plan with Rules = [] }) runs
            let plan = if rules.IsEmpty then plan else { plan with Rules = rules }

            let parts =
                outcomes
                |> List.map (fun outcome -> moved (outcome.StartedUtc - started) plan.Requests outcome)

            let whole = OutcomeSum.outcome parts

            {
                Name = recordings |> List.map _.Name |> List.distinct |> String.concat ", "
                Command = command
                Warnings =
                    [
                        yield! MachineClocks.sentences first names.Head (List.zip names offsets |> List.tail)
                        yield! Option.toList (starts named)
                        yield! different runs
                        yield! notes
                        for name, recording in runs do
                            for warning in recording.Warnings do
                                $"{name}: {warning}"
                    ]
                Environment = None
                Outcome =
                    { whole with
                        Plan = plan
                        Seconds = seconds parts
                        Steps =
                            List.mapi
                                (fun at (step: Step) ->
                                    { step with
                                        PerSecond =
                                            parts |> List.sumBy (fun part -> part.Steps[at].PerSecond)
                                    })
                                whole.Steps
                        Busy = parts |> List.map _.Busy |> List.max
                        Capacity =
                            if parts |> List.forall _.Capacity.IsSome then
                                parts |> List.sumBy (fun part -> Option.get part.Capacity) |> Some
                            else
                                None
                        Invalid = invalid plan offsets runs
                    }
            })
