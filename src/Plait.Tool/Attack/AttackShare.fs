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

/// Waits until it is nearly time to begin.
let wait (plan: Plan) (stop: System.Threading.CancellationToken) : unit =
    match plan.StartAt with
    | None -> ()
    | Some time ->
        let left = time - plan.WarmUp - preparing - DateTime.UtcNow

        if left > TimeSpan.Zero then
            Console.Error.WriteLine $"note: the run begins in {Duration.showSpan (left + preparing)}"

            if stop.WaitHandle.WaitOne left then
                raise (OperationCanceledException())

/// A warning for a run that began later than it should; None: it was in time.
let lateness (outcome: Outcome) : string option =
    outcome.Plan.StartAt
    |> Option.map (fun time -> outcome.StartedUtc - time)
    |> Option.filter (fun late -> late > TimeSpan.FromMilliseconds 100.)
    |> Option.map (fun late ->
        $"the run began {Duration.showSpan late} after --start-at: measuring the capacity and opening the connections took longer; name a later time, or leave the measuring out (--no-calibration)")
