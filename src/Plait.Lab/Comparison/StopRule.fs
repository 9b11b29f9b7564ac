// When a run has measured enough. The rule looks at the width of intervals, never at their place: a run that went on
// until something is "faster" would find it sooner or later by luck. It is asked between rounds only, and not before
// the least number of launches, because a few launches may agree by luck and make a narrow interval that is wrong.
module Plait.Lab.StopRule

open Plait.Common
open Plait.Report

/// Launches before the width is asked for: with four, all lie on one side of the truth once in eight runs, with five
/// once in sixteen; an interval made of fewer says too little.
let leastLaunches = 5

/// The settings with the user's options: `--launches` gets that number, `--width` as many launches as the width
/// takes, and at least as many as make an interval.
let ask (width: float option) (launches: int option) (settings: Settings) : Settings =
    match width, launches with
    | None, None -> settings
    | None, Some count -> { settings with Width = None; Launches = count }
    | Some _, _ ->
        { settings with
            Width = width
            Launches = max leastLaunches (launches |> Option.defaultValue settings.Launches)
        }

/// How the rounds ended.
type Ended =
    {
        /// Why, as a sentence; "" while they go on.
        Reason: string
        /// The time ended them, not the width.
        ByBudget: bool
        /// The launches that were added because controls missed, each with its measures.
        Added: Measure list list
    }

/// The rounds go on.
let goingOn = { Reason = ""; ByBudget = false; Added = [] }

/// The width of an interval, as a share of its median; None: it has none.
let width (ratio: Measured) : float option =
    Option.map2 (fun high low -> (high - low) / ratio.Value) ratio.High ratio.Low

/// The width that counts of a row: that of its CPU ratio in process, or over HTTP in a run that has no other. None
/// without pairs.
let widthOf (settings: Settings) (row: MeasuredRow) : float option =
    let id = row.Plan.Id

    if settings.InProcess then
        RowFigures.launchesOf _.InProcess row
        |> RowFigures.cpuRatio settings id
        |> Option.bind width
    else
        RowFigures.launchesOf _.Http row
        |> RowFigures.httpCpuRatio settings id
        |> Option.bind width

/// The widest of the rows that count, and whose it is.
let widest (settings: Settings) (rows: MeasuredRow list) : (string * float) option =
    match
        rows
        |> List.filter (fun row -> row.Trouble.IsNone)
        |> List.choose (fun row -> widthOf settings row |> Option.map (fun width -> row.Plan.Id, width))
    with
    | [] -> None
    | widths -> Some(List.maxBy snd widths)

let private percent (share: float) = $"{100.0 * share:F1} %%"

/// Whether to go on after `launches` rounds that took `seconds`; `widest`: the widest interval.
let decide (settings: Settings) (launches: int) (seconds: float) (widest: (string * float) option) : Ended =
    let asked = Option.defaultValue 0.0 settings.Width

    let beyond =
        match settings.BudgetSeconds with
        | Some budget -> seconds + seconds / float launches > budget
        | None -> false

    let ended byBudget reason =
        { Reason = reason; ByBudget = byBudget; Added = [] }

    let counted = if launches = 1 then "1 launch" else $"{launches} launches"

    match settings.Width, widest with
    | None, _ when launches >= settings.Launches -> ended false $"as many as were asked for ({counted})"
    | None, _ -> goingOn
    | Some _, None -> ended false $"no row is left to be measured after {counted}"
    | Some width, Some(_, found) when found <= width && launches >= settings.Launches ->
        ended false $"every interval is at most {percent width} wide after {counted}"
    | Some width, Some(row, found) when launches >= Settings.mostLaunches ->
        ended
            true
            $"a run has at most {counted}; {row} is {percent found} wide, more than the {percent width} of --width"
    | Some width, Some(row, found) when beyond ->
        ended
            true
            $"the time budget has no room for another launch after {counted}; {row} is {percent found} wide, more than the {percent width} of --width"
    | Some _, Some _ -> goingOn

/// Whether a measure whose control missed is given another launch, which takes `next` seconds, about: the run has a time, the
/// launch ends within it, and no more are added than were made. It looks at the control alone, whose true value is known, and
/// never at other rows. `rows`: all of them, whose bytes are still to be counted; `launches`: the number that was made before.
let measuresOn
    (settings: Settings)
    rows
    (launches: int)
    (ended: Ended)
    (seconds: float)
    (next: float)
    : bool =
    let added = ended.Added.Length

    not ended.ByBudget
    && added < launches
    && launches + added < Settings.mostLaunches
    && TimeBudget.timed settings rows |> Option.exists (fun budget -> seconds + next <= budget)

/// With a launch of these measures.
let add (measures: Measure list) (ended: Ended) : Ended =
    { ended with Added = ended.Added @ [ measures ] }

/// How many launches of a measure were added.
let added (ended: Ended) (measure: Measure) : int =
    ended.Added |> List.filter (List.contains measure) |> List.length

let private reason (ended: Ended) =
    let more =
        [
            for measure in ended.Added |> List.concat |> List.distinct do
                $"{added ended measure} more {Word.ofCase measure}"
        ]

    match more with
    | [] -> ended.Reason
    | more ->
        let more = String.concat " and " more
        $"{ended.Reason}, and {more}, because the A/A control missed"

/// Marks the rows that need no further launch.
let settle (settings: Settings) (launches: int) (rows: MeasuredRow list) : unit =
    match settings.Width with
    | Some asked when launches >= settings.Launches ->
        for row in rows do
            match widthOf settings row with
            | Some width when width <= asked -> row.Settled <- true
            | _ -> ()
    | _ -> ()

/// Warnings: time that ended the run, and pairs that were dropped.
let warnings (settings: Settings) (rows: MeasuredRow list) (ended: Ended) : string list =
    let dropped = rows |> List.sumBy _.StolenPairs

    [
        if ended.ByBudget then
            $"the run ended before its intervals were as narrow as asked: {ended.Reason}"

        if dropped > 0 then
            let pairs =
                if dropped = 1 then "1 pair, which was" else $"{dropped} pairs, which were"

            $"the hypervisor took more than {100.0 * settings.StealLimit:F0} %% of the server's core from {pairs} dropped and taken again"
    ]

/// The same for results.
let result (settings: Settings) (rows: MeasuredRow list) (ended: Ended) : Stopping =
    let widest = if settings.BytesOnly then None else widest settings rows

    {
        Rule =
            match settings.Width with
            | Some width ->
                $"launches go on until every interval is at most {percent width} wide, at least {settings.Launches} of them"
            | None when settings.Launches = 1 -> "one launch"
            | None -> $"{settings.Launches} launches"
        Width = settings.Width
        Widest = widest |> Option.map snd
        WidestRow = widest |> Option.map fst
        BudgetSeconds = settings.BudgetSeconds
        Launches = rows |> List.fold (fun most row -> max most row.Launches.Count) 0
        Reason = reason ended
        StealLimit = settings.StealLimit
        DroppedPairs =
            Map.ofList
                [
                    for row in rows do
                        if row.StolenPairs > 0 then
                            row.Plan.Id, row.StolenPairs
                ]
    }
