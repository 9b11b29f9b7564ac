// When requests are due. The whole description of each shape stands here: its texts, and the segments that it
// consists of. The rest follows from the segments: checks, the highest rate, due times, figures of steps, and the
// texts of exporters. A new shape is a case below, with its texts and its segments, and its text in
// docs/scenario.schema.json.
namespace Plait.Load

open System
open System.Globalization

open Plait.Common

/// When requests are due in the open model, whether or not earlier ones were answered.
type Arrivals =
    /// Evenly spaced, so many a second.
    | Constant of perSecond: float
    /// At random, so many a second on average, with exponential gaps.
    | Poisson of perSecond: float
    /// Evenly spaced at every moment, from one rate to another over the duration.
    | Ramp of from: float * until: float
    /// Evenly spaced, one rate after the other, each for so long.
    | Steps of perSecond: float list * each: TimeSpan

/// A part of the arrivals: the rate changes evenly from one to another, or holds where the two are the same.
type Segment =
    {
        From: float
        Until: float
        /// None: it takes as long as the run, whose only segment it is.
        Length: TimeSpan option
    }

    /// The rate does not change.
    member this.Holds = this.From = this.Until

/// Who decides when a request starts.
type Model =
    /// The arrivals do. At most `connections` requests are in flight. A request that finds no free connection waits for one; its latency
    /// from the intended start includes the wait, its latency from send does not.
    | Open of Arrivals * connections: int
    /// Each connection sends its next request when it has the answer to the one before.
    | Closed of connections: int

    /// The connections of either.
    member this.Connections: int =
        match this with
        | Closed connections
        | Open(_, connections) -> connections

/// The option of the command line for a shape of arrivals.
type ArrivalsOption =
    {
        /// The option, with its two dashes.
        Name: string
        /// The placeholder of its value in the help.
        Hint: string
        Description: string
        /// The values that it takes, for sentences: "two rates like 100:2000".
        Takes: string
        /// The arrivals of a value; None for any other text.
        Parse: string -> Arrivals option
    }

/// The arguments of a command line that make these arrivals.
type ArrivalsArguments =
    {
        /// The option, without its dashes.
        Option: string
        Value: string
        /// The unit behind the value.
        Suffix: string
        /// Further options, without a value.
        Flags: string list
    }

/// The texts of arrivals, and their checks.
module Arrivals =
    /// A number, or one of thousands: 500, 1.5k.
    let private number (text: string) : float option =
        let digits, unit' =
            if text.EndsWith('k') then text.Substring(0, text.Length - 1), 1000.0 else text, 1.0

        match Double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) with
        | true, value when Double.IsFinite value -> Some(value * unit')
        | _ -> None

    /// A rate in requests a second: a number, or a number per time like 500/s, 10k/s, 30/m or 1/10s; None for any other text.
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

    let private parseRamp (rate: string -> float option) (text: string) : Arrivals option =
        match text.Split ':' with
        | [| from; until |] -> Option.map2 (fun from until -> Ramp(from, until)) (rate from) (rate until)
        | _ -> None

    let private parseSteps (rate: string -> float option) (text: string) : Arrivals option =
        match text.LastIndexOf 'x' with
        | -1 -> None
        | cross ->
            let rates = text.Substring(0, cross).Split ',' |> List.ofArray |> List.map rate

            match Duration.tryParse (text.Substring(cross + 1)) with
            | Some each when rates |> List.forall Option.isSome ->
                Some(Steps(List.map Option.get rates, each))
            | _ -> None

    /// The options for arrivals; no two of them go together.
    let options: ArrivalsOption list =
        [
            {
                Name = "--rate"
                Hint = "R"
                Description =
                    "open model: requests are due at this rate, at even intervals, also while the server answers none: 500/s, 30/m, 500 (default: 50/s, unless --connections is given alone)"
                Takes = "a rate above 0 like 500/s, 30/m or 500"
                Parse = rate >> Option.filter (fun rate -> rate > 0.0) >> Option.map Constant
            }
            {
                Name = "--ramp"
                Hint = "A:B"
                Description =
                    "open model: the rate changes evenly from A to B requests a second over the duration"
                Takes = "two rates like 100:2000, the second above 0"
                Parse =
                    parseRamp rate
                    >> Option.filter (function
                        | Ramp(_, until) -> until > 0.0
                        | _ -> true)
            }
            {
                Name = "--steps"
                Hint = "A,B,CxTIME"
                Description =
                    "open model: the rates A, B and C in turn, each for TIME, with figures of each step: 100,200,400x10s; the duration is the sum of the steps"
                Takes = "rates and how long each holds, like 100,200,400x10s"
                Parse = parseSteps rate
            }
        ]

    /// The same shape with every rate times a factor.
    let scaled (factor: float) (arrivals: Arrivals) : Arrivals =
        match arrivals with
        | Constant rate -> Constant(factor * rate)
        | Poisson rate -> Poisson(factor * rate)
        | Ramp(from, until) -> Ramp(factor * from, factor * until)
        | Steps(rates, each) -> Steps(rates |> List.map (fun rate -> factor * rate), each)

    /// The arrivals of two loads together; None: their shapes differ.
    let sum (one: Arrivals) (other: Arrivals) : Arrivals option =
        match one, other with
        | Constant rate, Constant more -> Some(Constant(rate + more))
        | Poisson rate, Poisson more -> Some(Poisson(rate + more))
        | Ramp(from, until), Ramp(more, most) -> Some(Ramp(from + more, until + most))
        | Steps(rates, each), Steps(more, other) when each = other && rates.Length = more.Length ->
            Some(Steps(List.map2 (+) rates more, each))
        | _ -> None

    /// The segments of arrivals, one after the other. There is one at least.
    let segments (arrivals: Arrivals) : Segment list =
        match arrivals with
        | Constant rate
        | Poisson rate -> [ { From = rate; Until = rate; Length = None } ]
        | Ramp(from, until) -> [ { From = from; Until = until; Length = None } ]
        | Steps(rates, each) -> [ for rate in rates -> { From = rate; Until = rate; Length = Some each } ]

    /// Requests are due at random, and not evenly.
    let isRandom (arrivals: Arrivals) : bool =
        match arrivals with
        | Poisson _ -> true
        | Constant _
        | Ramp _
        | Steps _ -> false

    /// The arguments of a command line for arrivals. `number` writes a rate.
    let arguments (number: float -> string) (arrivals: Arrivals) : ArrivalsArguments =
        let by option value suffix flags =
            { Option = option; Value = value; Suffix = suffix; Flags = flags }

        match arrivals with
        | Constant rate -> by "rate" (number rate) "/s" []
        | Poisson rate -> by "rate" (number rate) "/s" [ "--poisson" ]
        | Ramp(from, until) -> by "ramp" $"{number from}:{number until}" "" []
        | Steps(rates, each) ->
            let rates = rates |> List.map number |> String.concat ","
            by "steps" $"{rates}x{Duration.showSpan each}" "" []

    let private segmentsOf (model: Model) : Segment list =
        match model with
        | Open(arrivals, _) -> segments arrivals
        | Closed _ -> []

    /// The segments with a length of their own, and that length. Each of them has figures of its own.
    let steps (model: Model) : (Segment * TimeSpan) list =
        segmentsOf model
        |> List.choose (fun segment -> segment.Length |> Option.map (fun length -> segment, length))

    /// The duration that the steps add up to; None: the model has no steps, and lasts for the duration of its plan.
    let span (model: Model) : TimeSpan option =
        match steps model with
        | [] -> None
        | steps -> Some(TimeSpan.FromTicks(steps |> List.sumBy (fun (_, length) -> length.Ticks)))

    /// The highest rate; None: the closed model, which has none.
    let peak (model: Model) : float option =
        match segmentsOf model with
        | [] -> None
        | segments -> segments |> List.map (fun segment -> max segment.From segment.Until) |> List.max |> Some

    /// The rate changes over the duration of the run, so that this must have an end.
    let needsEnd (model: Model) : bool =
        segmentsOf model
        |> List.exists (fun segment -> segment.Length.IsNone && not segment.Holds)

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

    /// The allowed texts, for sentences.
    let texts = "closed, constant R, poisson R, ramp A:B and steps A,BxTIME"

    /// The model of such a text; None for any other text.
    let parse (connections: int) (text: string) : Model option =
        let opened arrivals = Open(arrivals, connections)

        match text.Split ' ' with
        | [| "closed" |] -> Some(Closed connections)
        | [| "constant"; rate |] -> exactly rate |> Option.map (Constant >> opened)
        | [| "poisson"; rate |] -> exactly rate |> Option.map (Poisson >> opened)
        | [| "ramp"; rates |] -> parseRamp exactly rates |> Option.map opened
        | [| "steps"; rates |] -> parseSteps exactly rates |> Option.map opened
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
        for segment in segmentsOf model do
            if segment.From <> 0.0 then
                checkRate segment.From

            checkRate segment.Until

        let lengths = steps model |> List.map snd

        for each in lengths do
            if each < TimeSpan.FromMilliseconds 1. then
                refuse $"each step holds for {Duration.showSpan each}; it must hold for 1ms at least"

        if not lengths.IsEmpty && span model <> Some duration then
            let each =
                lengths |> List.distinct |> List.map Duration.showSpan |> String.concat ", "

            refuse
                $"{lengths.Length} steps of {each} do not make {Duration.showSpan duration}; leave the duration out"

        match model with
        | Open(_, count)
        | Closed count ->
            if count < 1 || count > 65_536 then
                refuse $"the number of connections is {count}; it must be 1 to 65536"

/// The step of the arrivals at a time.
type internal StepClock(model: Model) =
    // When each ends, in nanoseconds.
    let ends =
        Arrivals.steps model
        |> List.scan (fun time (_, length) -> time + length.Ticks * 100L) 0L
        |> List.tail
        |> List.toArray

    /// The index of the step at a time; behind the last step, or without steps: the number of steps.
    member _.At(time: int64) : int =
        match Array.BinarySearch(ends, time) with
        | found when found >= 0 -> found + 1
        | between -> ~~~between

/// The intended starts of a run in rising order, in nanoseconds from the start of the counted part; a start in the warm-up is
/// negative. The same arguments give the same starts.
type internal Schedule(arrivals: Arrivals, warmUp: TimeSpan, duration: TimeSpan, seed: int) =
    let until = float duration.Ticks * 100.0
    let lead = float warmUp.Ticks * 100.0
    let random = Random seed

    let isRandom = Arrivals.isRandom arrivals
    let mutable left = Arrivals.segments arrivals

    // The index of the next request in the current segment. It is negative in the warm-up, whose rate is that of the beginning.
    let mutable index =
        if isRandom then 0L else -(int64 (Math.Floor(lead * left.Head.From / 1e9)))

    let mutable last = -lead
    // The beginning of the current segment.
    let mutable began = 0.0

    // The time after which a ramp has made so many requests.
    let onRamp (segment: Segment) (length: float) (count: float) =
        let slope = (segment.Until - segment.From) / (length / 1e9)
        let root = segment.From * segment.From + 2.0 * slope * count

        if count = 0.0 then 0.0
        elif root < 0.0 then Double.PositiveInfinity
        else 2.0 * count / (segment.From + Math.Sqrt root) * 1e9

    // In the current segment, or at the beginning of the next one.
    let onSegments () =
        match left with
        | [] -> Double.PositiveInfinity
        | segment :: rest ->
            let length =
                match segment.Length with
                | Some length -> float length.Ticks * 100.0
                | None -> until

            let time =
                if segment.Holds || index < 0L then
                    began + float index * 1e9 / segment.From
                else
                    began + onRamp segment length (float index)

            if time < began + length then
                time
            else
                left <- rest
                began <- began + length
                index <- 0L
                if rest.IsEmpty then Double.PositiveInfinity else began

    let compute () : int64 =
        let time =
            if isRandom then
                last <- last - Math.Log(1.0 - random.NextDouble()) * 1e9 / left.Head.From
                last
            else
                onSegments ()

        if time >= until then Int64.MaxValue else int64 time

    let mutable next = compute ()

    /// The next intended start; Int64.MaxValue: there is none.
    member _.Next = next

    /// Goes on to the start after it.
    member _.Advance() : unit =
        index <- index + 1L
        next <- compute ()
