// The options of one of several generators that load a server together: its part, and when all of them begin.
module internal Plait.Tool.AttackShare

open System
open System.CommandLine
open System.Globalization

open Plait.Common
open Plait.Load

let private share =
    Options.parsed
        "--share"
        []
        "K/N"
        "this generator is number K of N that load one server: it takes every N-th request of the rate, of --requests and of the rows of --data, and its part of the connections"
        (fun text ->
            match text.Split '/' with
            | [| number; count |] ->
                match Int32.TryParse number, Int32.TryParse count with
                | (true, number), (true, count) when number >= 1 && number <= count && count <= 10_000 ->
                    { Index = number - 1; Of = count }
                | _ -> Options.refuse "--share" "a number and how many there are, like 3/10" text
            | _ -> Options.refuse "--share" "a number and how many there are, like 3/10" text)

let private startAt' =
    Options.parsed
        "--start-at"
        []
        "TIME"
        "begin the counted part at this time of the machine's clock: 2026-11-21T10:00:00Z, or seconds since 1970"
        (fun text ->
            let style =
                DateTimeStyles.AssumeUniversal
                ||| DateTimeStyles.AdjustToUniversal
                ||| DateTimeStyles.AllowWhiteSpaces

            let fraction = NumberStyles.AllowDecimalPoint

            match
                Double.TryParse(text, fraction, CultureInfo.InvariantCulture),
                DateTime.TryParse(text, CultureInfo.InvariantCulture, style)
            with
            | (true, seconds), _ when seconds >= 0.0 && seconds < 1e11 ->
                DateTime.UnixEpoch.AddSeconds seconds
            | _, (true, time) when text.Contains '-' && text.Contains ':' -> time
            | _ ->
                Options.refuse
                    "--start-at"
                    "a time in UTC like 2026-11-21T10:00:00Z, or seconds since 1970"
                    text)

/// Both.
let all': System.CommandLine.Option list = [ share; startAt' ]

/// The part that this generator has.
let of' (parsed: ParseResult) : Share =
    Options.value parsed share |> Option.defaultValue Share.Whole

/// When the counted part begins; None: at once. Raises BadInput for a time that is over, or further away than a day.
let startAt (parsed: ParseResult) : DateTime option =
    match Options.value parsed startAt' with
    | None -> None
    | Some time ->
        let left = time - DateTime.UtcNow

        let shown = time.ToString("yyyy-MM-ddTHH:mm:ss.FFFZ", CultureInfo.InvariantCulture)

        if left < TimeSpan.Zero then
            raise (
                BadInput
                    $"--start-at: {shown} is over by {Duration.showSpan -left}; name a time to come, in UTC"
            )

        if left > TimeSpan.FromDays 1. then
            raise (BadInput $"--start-at: {shown} is more than a day away; check the date")

        Some time

// Connections are opened, and the generator finds out how precisely it wakes up, in so long before.
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
