// When requests are due. All that depends on how they arrive stands here: the texts of each shape, its checks, its highest
// rate and its due times. A new shape is a case below, and a line in each exporter of the lab.
namespace Plait.Load

open System
open System.Globalization

open Plait.Common

/// When requests are due in the open model, whatever becomes of those before.
type Arrivals =
    /// Evenly spaced, so many a second.
    | Constant of perSecond: float
    /// At random, so many a second on average, with exponential gaps.
    | Poisson of perSecond: float
    /// Evenly spaced at every moment, from one rate to another over the duration.
    | Ramp of from: float * until: float
    /// Evenly spaced, one rate after the other, each for so long.
    | Steps of perSecond: float list * each: TimeSpan

/// Who decides when a request starts.
type Model =
    /// The arrivals do. At most `connections` requests are in flight; one that finds no free connection waits, and has no latency
    /// by the intended clock.
    | Open of Arrivals * connections: int
    /// Each connection sends its next request when it has the answer to the one before.
    | Closed of connections: int

/// How a shape of arrivals is asked for by an option of its own.
type ArrivalsOption =
    {
        /// The option, with its two dashes.
        Name: string
        /// What stands for its value in the help.
        Hint: string
        Description: string
        /// What it takes, for sentences: "two rates like 100:2000".
        Takes: string
        /// The arrivals of a value; None for any other text.
        Parse: string -> Arrivals option
    }

/// What arrivals are called, and what must be true of them.
module Arrivals =
    let private number (text: string) : float option =
        match Double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) with
        | true, value when Double.IsFinite value -> Some value
        | _ -> None

    /// A rate in requests a second: a number, or a number per time like 500/s, 30/m or 1/10s; None for any other text.
    let rate (text: string) : float option =
        match text.Trim().Split '/' with
        | [| count |] -> number count
        | [| count; per |] ->
            let per = per.Trim()
            // A unit alone means one of it.
            let period = if per <> "" && Char.IsLetter per[0] then "1" + per else per

            match number (count.Trim()), Duration.tryParse period with
            | Some count, Some period when period > TimeSpan.Zero -> Some(count / period.TotalSeconds)
            | _ -> None
        | _ -> None

    let private ramp (rate: string -> float option) (text: string) : Arrivals option =
        match text.Split ':' with
        | [| from; until |] -> Option.map2 (fun from until -> Ramp(from, until)) (rate from) (rate until)
        | _ -> None

    let private steps (rate: string -> float option) (text: string) : Arrivals option =
        match text.LastIndexOf 'x' with
        | -1 -> None
        | cross ->
            let rates = text.Substring(0, cross).Split ',' |> List.ofArray |> List.map rate

            match Duration.tryParse (text.Substring(cross + 1)) with
            | Some each when rates |> List.forall Option.isSome ->
                Some(Steps(List.map Option.get rates, each))
            | _ -> None

    /// The options that ask for arrivals; no two of them go together.
    let options: ArrivalsOption list =
        [
            {
                Name = "--rate"
                Hint = "R"
                Description =
                    "open model: so many requests are due, evenly, whatever becomes of those before: 500/s, 30/m, 500 (default: 50/s, unless --connections is given alone)"
                Takes = "a rate above 0 like 500/s, 30/m or 500"
                Parse = rate >> Option.filter (fun rate -> rate > 0.0) >> Option.map Constant
            }
            {
                Name = "--ramp"
                Hint = "A:B"
                Description = "open model: the rate goes evenly from A to B a second over the duration"
                Takes = "two rates like 100:2000, the second above 0"
                Parse =
                    ramp rate
                    >> Option.filter (function
                        | Ramp(_, until) -> until > 0.0
                        | _ -> true)
            }
            {
                Name = "--steps"
                Hint = "A,B,CxTIME"
                Description =
                    "open model: one rate after the other, each for TIME, with figures of each: 100,200,400x10s; the duration is that of all steps"
                Takes = "rates and how long each holds, like 100,200,400x10s"
                Parse = steps rate
            }
        ]

    /// The rates of steps, and how long each holds; None: there are no steps.
    let ofSteps (model: Model) : (float list * TimeSpan) option =
        match model with
        | Open(Steps(rates, each), _) -> Some(rates, each)
        | Open _
        | Closed _ -> None

    /// The duration that the model itself has; None: it goes on for as long as it is asked to.
    let span (model: Model) : TimeSpan option =
        ofSteps model |> Option.map (fun (rates, each) -> float rates.Length * each)

    /// The highest rate that is asked for; None: the closed model, which asks for none.
    let peak (model: Model) : float option =
        match model with
        | Open((Constant rate | Poisson rate), _) -> Some rate
        | Open(Ramp(from, until), _) -> Some(max from until)
        | Open(Steps(rates, _), _) -> Some(List.max rates)
        | Closed _ -> None

    // All digits, as JSON needs them.
    let private exact (rate: float) =
        rate.ToString("R", CultureInfo.InvariantCulture)

    let private exactly (text: string) =
        match Double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture) with
        | true, rate -> Some rate
        | _ -> None

    /// The model without its connections as text from which `parse` makes the same again.
    let text (model: Model) : string =
        match model with
        | Open(Constant rate, _) -> $"constant {exact rate}"
        | Open(Poisson rate, _) -> $"poisson {exact rate}"
        | Open(Ramp(from, until), _) -> $"ramp {exact from}:{exact until}"
        | Open(Steps(rates, each), _) ->
            let rates = rates |> List.map exact |> String.concat ","
            let seconds = decimal each.Ticks / decimal TimeSpan.TicksPerSecond
            $"steps {rates}x{seconds.ToString CultureInfo.InvariantCulture}s"
        | Closed _ -> "closed"

    /// The model of such a text; None for any other text.
    let parse (connections: int) (text: string) : Model option =
        let opened arrivals = Open(arrivals, connections)

        match text.Split ' ' with
        | [| "closed" |] -> Some(Closed connections)
        | [| "constant"; rate |] -> exactly rate |> Option.map (Constant >> opened)
        | [| "poisson"; rate |] -> exactly rate |> Option.map (Poisson >> opened)
        | [| "ramp"; rates |] -> ramp exactly rates |> Option.map opened
        | [| "steps"; rates |] -> steps exactly rates |> Option.map opened
        | _ -> None

    /// The model in a few words.
    let words (model: Model) : string =
        let shown (rate: float) =
            rate.ToString("0.##", CultureInfo.InvariantCulture)

        match model with
        | Open(Constant rate, connections) -> $"{shown rate}/s evenly, at most {connections} in flight"
        | Open(Poisson rate, connections) -> $"{shown rate}/s at random, at most {connections} in flight"
        | Open(Ramp(from, until), connections) ->
            $"from {shown from}/s to {shown until}/s, at most {connections} in flight"
        | Open(Steps(rates, each), connections) ->
            let rates = rates |> List.map shown |> String.concat ", "
            $"steps of {rates}/s, {Duration.showSpan each} each, at most {connections} in flight"
        | Closed connections -> $"{connections} connections, each in a closed loop"

    let private refuse sentence = raise (BadInput sentence)

    let private checkRate (perSecond: float) =
        if not (Double.IsFinite perSecond) || perSecond <= 0.0 || perSecond > 10_000_000.0 then
            refuse $"the rate is {perSecond} requests/s; it must be more than 0 and at most 10000000"

    /// Raises BadInput when a model cannot be run for so long.
    let check (duration: TimeSpan) (model: Model) : unit =
        match model with
        | Open((Constant rate | Poisson rate), _) -> checkRate rate
        | Open(Ramp(from, until), _) ->
            if from <> 0.0 then
                checkRate from

            checkRate until
        | Open(Steps(rates, each), _) ->
            List.iter checkRate rates

            if each < TimeSpan.FromMilliseconds 1. then
                refuse $"each step holds for {Duration.showSpan each}; it must hold for 1ms at least"

            if span model <> Some duration then
                refuse
                    $"{rates.Length} steps of {Duration.showSpan each} do not make {Duration.showSpan duration}; leave the duration out"
        | Closed _ -> ()

        match model with
        | Open(_, count)
        | Closed count ->
            if count < 1 || count > 65_536 then
                refuse $"there are to be {count} connections; there must be 1 to 65536"

/// The intended starts of a run in rising order, in nanoseconds from the start of the counted part; those of the warm-up are
/// negative. The same arguments give the same starts.
type internal Schedule(arrivals: Arrivals, warmUp: TimeSpan, duration: TimeSpan, seed: int) =
    let until = float duration.Ticks * 100.0
    let lead = float warmUp.Ticks * 100.0
    let random = Random seed

    // How many evenly spaced starts the warm-up holds.
    let before (perSecond: float) =
        int64 (Math.Floor(lead * perSecond / 1e9))

    let mutable index =
        match arrivals with
        | Constant rate -> -(before rate)
        | Ramp(from, _) -> -(before from)
        | Steps(rates, _) -> -(before rates.Head)
        | Poisson _ -> 0L

    let mutable last = -lead
    let mutable ended = 0.0

    let mutable left =
        match arrivals with
        | Steps(rates, _) -> rates
        | _ -> []

    // The time by which the rate, which changes evenly, has summed up to so many requests.
    let onRamp (from: float) (until: float) (count: float) =
        let slope = (until - from) / duration.TotalSeconds
        let root = from * from + 2.0 * slope * count

        if count = 0.0 then 0.0
        elif root < 0.0 then Double.PositiveInfinity
        else 2.0 * count / (from + Math.Sqrt root) * 1e9

    // In the step that goes on, or at the beginning of the next one.
    let onSteps (each: float) =
        match left with
        | [] -> Double.PositiveInfinity
        | rate :: rest ->
            let time = ended + float index * 1e9 / rate

            if time < ended + each then
                time
            else
                left <- rest
                ended <- ended + each
                index <- 0L
                if rest.IsEmpty then Double.PositiveInfinity else ended

    let compute () : int64 =
        let time =
            match arrivals with
            | Constant rate -> float index * 1e9 / rate
            | Ramp(from, _) when index < 0L -> float index * 1e9 / from
            | Ramp(from, until) -> onRamp from until (float index)
            | Steps(_, each) -> onSteps (float each.Ticks * 100.0)
            | Poisson rate ->
                last <- last - Math.Log(1.0 - random.NextDouble()) * 1e9 / rate
                last

        if time >= until then Int64.MaxValue else int64 time

    let mutable next = compute ()

    /// The next intended start; Int64.MaxValue: there is none any more.
    member _.Next = next

    /// Goes on to the one behind it.
    member _.Advance() : unit =
        index <- index + 1L
        next <- compute ()
