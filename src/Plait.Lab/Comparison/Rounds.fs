// The rounds of a comparison: in each, every row that has more to measure has one launch. Their order, the effect of a failed row on
// the rest, and the end by the stop rule.
module internal Plait.Lab.Rounds

open Plait.Common
open Plait.Report

/// Runs `measure` and makes a failure of the row's own process the row's trouble. Failures of anything else end
/// the run, because every ratio needs the base and the client.
let private forRow (context: Context) (baseRow: MeasuredRow) (row: MeasuredRow) (measure: unit -> unit) =
    let fail sentence =
        row.Fail sentence
        context.Tell(Noticed $"{row.Plan.Id} is not measured further: {sentence}")

    try
        Failures.ofRow context.Stop row.Plan.Id fail measure
    with :? WorkerFailed as trouble ->
        if trouble.Subject = baseRow.Plan.Id then
            baseRow.Fail trouble.Message

        reraise ()

/// Starts the base for a round, and tells it. If it fails, so does the run.
let startBase (context: Context) (round: int) (baseRow: MeasuredRow) (start: unit -> 'T) : 'T =
    let id, step = baseRow.Plan.Id, "starting the base"

    let fail sentence =
        baseRow.Fail sentence
        raise (RunFailed $"the run cannot go on without its base: {sentence}")

    context.Tell(Doing(id, round, step))
    let started = Failures.ofRow context.Stop id fail start
    context.Tell(Did(id, round, step, None))
    started

/// A round, in the order of rows that belongs to its number. `steps`: how many a row has in its launch; `left`: how many of them
/// one in trouble will not do; `measure` is a launch of a row, and `save` is called after each.
let measureRows
    (context: Context)
    (number: int)
    (baseRow: MeasuredRow)
    (others: MeasuredRow list)
    (steps: MeasuredRow -> int)
    (left: MeasuredRow -> int)
    (save: unit -> unit)
    (measure: MeasuredRow -> unit)
    : unit =
    // A round that was added measures only some rows.
    let asked = others |> List.filter (fun row -> steps row > 0)

    for row in Order.rows context.Settings.Seed number asked do
        context.Stop.ThrowIfCancellationRequested()

        // A row in trouble is not run again: a process that hangs would cost its time-out in every launch.
        // A row whose interval is narrow enough has no more to tell; the control goes on as long as the run does.
        if row.Trouble.IsSome || (row.Settled && row.Plan.Id <> context.Scenario.Control) then
            context.Tell(Dropped(steps row))
        else
            forRow context baseRow row (fun () -> measure row)

            if row.Trouble.IsSome then
                context.Tell(Dropped(left row))

            save ()

/// The measures of `others` whose control has missed so far, each with how it came out. One that could not be measured, or not
/// further, is none that more launches help.
let private missed (context: Context) (others: MeasuredRow list) : Control list =
    let isMeasured id =
        others |> List.exists (fun row -> row.Plan.Id = id && row.Trouble.IsNone)

    RowFigures.rows context.Settings context.Scenario others
    |> ControlRule.judge context.Settings.Margin (fun _ -> 0)
    |> List.filter (fun control -> not control.Held && control.Ratio <> "" && isMeasured control.Id)

/// Rounds until the rule is met; then, within the time that is left, rounds of the measures whose control missed. `steps` are those of
/// rounds that measure so much; `round` is given the context of a round, and its number.
let run
    (context: Context)
    (others: MeasuredRow list)
    (steps: Measure list list -> int)
    (tellEnd: StopRule.Ended -> unit)
    (round: Context -> int -> unit)
    =
    let settings = context.Settings
    let clock = System.Diagnostics.Stopwatch.StartNew()

    let whole rounds = List.replicate rounds context.Measures

    context.Tell(Began(steps (whole settings.Launches)))

    let rec measureOn (rounds: int) (ended: StopRule.Ended) =
        let seconds = clock.Elapsed.TotalSeconds
        let missed = missed context others
        let measures = missed |> List.map _.Measure
        let made = whole rounds @ ended.Added

        let next = seconds * float (steps [ measures ]) / float (steps made)

        if
            missed.IsEmpty
            || not (StopRule.measuresOn settings (others.Length + 1) rounds ended seconds next)
        then
            ended
        else
            let shown =
                missed
                |> List.map (fun control -> $"{control.Ratio} {Word.ofCase control.Measure}")
                |> String.concat ", "

            let places = measures |> List.map Word.ofCase |> String.concat " and "

            context.Tell(
                Noticed
                    $"the A/A control came out {shown} instead of 1.00: there is time for another launch {places}"
            )

            context.Tell(Began(steps (made @ [ measures ])))

            for row in others do
                row.Settled <- false

            let ended = StopRule.add measures ended
            tellEnd ended
            round { context with Measures = measures } (made.Length + 1)
            measureOn rounds ended

    let rec go number =
        round context number
        let asked = settings.Width.IsSome
        let widest = if asked then StopRule.widest settings others else None
        let ended = StopRule.decide settings number clock.Elapsed.TotalSeconds widest

        if ended <> StopRule.goingOn then
            tellEnd ended
            tellEnd (measureOn number ended)
        else
            StopRule.settle settings number others

            match widest with
            | Some(row, width) when number >= settings.Launches ->
                context.Tell(
                    Noticed
                        $"after {number} launches the widest interval is {100.0 * width:F1} %% ({row}): another one"
                )

                context.Tell(Began(steps (whole (number + 1))))
            | _ -> ()

            go (number + 1)

    go 1
