// A rule that a run has to keep: a figure and its bound; its text, which is the same in options, scenarios and JSON;
// and judging by it. Pure.
namespace Plait.Load

open System
open System.Globalization

open Plait.Common

/// The figure that a rule is about.
type RuleFigure =
    /// A percentile of the latency from the intended start, in nanoseconds; 100: the longest.
    | Latency of percent: float
    /// The mean of that latency, in nanoseconds.
    | MeanLatency
    /// The share of requests that were answered rightly, 0 to 1.
    | Success
    /// Right responses a second.
    | RightPerSecond

/// A rule.
type Rule =
    {
        Figure: RuleFigure
        /// The figure must be below the bound; false: above it.
        IsBelow: bool
        /// The bound itself is good.
        OrEqual: bool
        /// In the unit of the figure.
        Bound: float
    }

/// The verdict on a rule. Names here are names in the JSON of load runs.
type RuleVerdict =
    {
        Rule: Rule
        /// In the unit of the rule's figure; None: the run has no such figure, and so the rule is broken.
        Figure: float option
        /// It is kept, by the latencies from the intended start and by those from send.
        Kept: bool
        /// The same figure by the latencies from send, where they change the answer; None: they do not.
        FigureFromSend: float option
    }

    /// The rule is kept with the lag of requests and broken without it, or the other way round: it has no answer.
    member this.IsUndecided = this.FigureFromSend.IsSome

    /// It is broken, with the lag of requests and without it.
    member this.IsBroken = not this.Kept && not this.IsUndecided

/// Rules as text, and judging by them.
module Rule =
    let private invariant = CultureInfo.InvariantCulture

    let private digits (value: float) =
        (decimal value).ToString("0.###############", invariant)

    /// The comparisons: the longer of two that begin alike first.
    let private comparisons =
        [ "<=", (true, true); ">=", (false, true); "<", (true, false); ">", (false, false) ]

    let private figureText (figure: RuleFigure) =
        match figure with
        | Latency 100.0 -> "max"
        | Latency percent -> $"p{digits percent}"
        | MeanLatency -> "mean"
        | Success -> "success"
        | RightPerSecond -> "rps"

    // All digits, in the largest unit that it has one of.
    let private durationText (nanoseconds: float) =
        let size, unit' =
            [ 1e9, "s"; 1e6, "ms"; 1e3, "us" ]
            |> List.tryFind (fun (size, _) -> nanoseconds >= size)
            |> Option.defaultValue (1.0, "ns")

        digits (float (decimal nanoseconds / decimal size)) + unit'

    let private boundText (rule: Rule) =
        match rule.Figure with
        | Latency _
        | MeanLatency -> durationText rule.Bound
        | Success -> (100m * decimal rule.Bound).ToString("0.###############", invariant) + "%"
        | RightPerSecond -> digits rule.Bound

    /// The rule as text, from which `parse` makes the same again.
    let text (rule: Rule) : string =
        let comparison =
            comparisons |> List.find (fun (_, meant) -> meant = (rule.IsBelow, rule.OrEqual)) |> fst

        figureText rule.Figure + comparison + boundText rule

    let private refuse (text: string) (why: string) : 'T =
        raise (BadInput $"'{text}' is not a rule: {why}; write one like p99<200ms, success>99%% or rps>=950")

    let private number (text: string) : decimal option =
        match Decimal.TryParse(text, NumberStyles.AllowDecimalPoint, invariant) with
        | true, value when value <= 1e15m -> Some value
        | _ -> None

    let private figure (whole: string) (text: string) : RuleFigure =
        let percent = if text.StartsWith 'p' then number (text.Substring 1) else None

        match text, percent with
        | "max", _ -> Latency 100.0
        | "mean", _ -> MeanLatency
        | "success", _ -> Success
        | "rps", _ -> RightPerSecond
        | _, Some percent when percent > 0m && percent <= 100m -> Latency(float percent)
        | _, Some _ ->
            refuse whole $"'{text}' is not a percentile; its number must be above 0 and at most 100"
        | "", None -> refuse whole "it names no figure"
        | _ ->
            refuse
                whole
                $"there is no figure '{text}'; p50, p99.9 and the like, max, mean, success and rps are"

    let private bound (whole: string) (figure: RuleFigure) (text: string) : float =
        let wrong what =
            refuse whole $"the bound of {figureText figure} is {what}, not '{text}'"

        match figure with
        | Latency _
        | MeanLatency ->
            match Duration.tryParse text with
            | Some _ when text.Trim() <> "0" ->
                match Duration.parse "the bound" text with
                | 0L -> wrong "a time above 0"
                | nanoseconds -> float nanoseconds
            | _ -> wrong "a time with its unit, like 200ms or 1.5s"
        | Success ->
            match (if text.EndsWith '%' then number (text.TrimEnd('%').TrimEnd()) else None) with
            | Some percent when percent <= 100m -> float (percent / 100m)
            | _ -> wrong "a share from 0% to 100%, with its sign"
        | RightPerSecond ->
            match Arrivals.rate text with
            | Some rate when rate >= 0.0 && rate < 1e15 -> rate
            | _ -> wrong "a rate like 950, 950/s or 57000/m"

    /// The rule of a text such as "p99 < 200ms". Raises BadInput with the error and the allowed texts.
    let parse (text: string) : Rule =
        let place = text.IndexOfAny [| '<'; '>'; '=' |]

        match
            comparisons
            |> List.tryFind (fun (sign, _) -> place >= 0 && text.IndexOf(sign, place) = place)
        with
        | None -> refuse text "it has none of the comparisons <, <=, > and >="
        | Some(sign, _) when text.IndexOfAny([| '<'; '>' |], place + sign.Length) >= 0 ->
            refuse
                text
                "it has several comparisons, and a rule has one; give each comparison as a rule of its own"
        | Some(sign, (isBelow, orEqual)) ->
            let figure = figure text (text.Substring(0, place).Trim())

            {
                Figure = figure
                IsBelow = isBelow
                OrEqual = orEqual
                Bound = bound text figure (text.Substring(place + sign.Length).Trim())
            }

    /// The figure of a run with so many requests, right responses and seconds, and these latencies from the intended start; None: it
    /// has no such figure.
    let figureOf
        (requests: int64)
        (right: int64)
        (seconds: float)
        (latencies: Histogram)
        (figure: RuleFigure)
        : float option =
        let known isKnown value = if isKnown then Some value else None

        match figure with
        | Latency percent -> known (latencies.Count > 0L) (float (latencies.Percentile percent))
        | MeanLatency -> known (latencies.Count > 0L) latencies.Mean
        | Success -> known (requests > 0L) (float right / float (max 1L requests))
        | RightPerSecond -> known (seconds > 0.0) (float right / seconds)

    /// The verdict on a rule. `read`: reads its figure of latencies; `latencies`: from the intended start; `least`: without the
    /// lag of requests. The latencies of a generator without limits lie between the two, so that a rule has an answer if both have the
    /// same one.
    let judge
        (read: Histogram -> RuleFigure -> float option)
        (latencies: Histogram)
        (least: Histogram)
        (rule: Rule)
        : RuleVerdict =
        let isKept (figure: float option) =
            match figure with
            | Some value when value = rule.Bound -> rule.OrEqual
            | Some value -> (value < rule.Bound) = rule.IsBelow
            | None -> false

        let figure, fromSend = read latencies rule.Figure, read least rule.Figure
        let isSame = isKept figure = isKept fromSend

        {
            Rule = rule
            Figure = figure
            Kept = isSame && isKept figure
            FigureFromSend = if isSame then None else fromSend
        }

    let private inWords (figure: RuleFigure) (value: float) : string =
        match figure with
        | Latency _
        | MeanLatency -> Duration.show (int64 value)
        // Not rounded up to a bound that it did not reach.
        | Success -> (Math.Floor(1e6 * value) / 1e4).ToString("0.####", invariant) + "%"
        | RightPerSecond -> value.ToString("0.##", invariant)

    /// The figure of a verdict, in the unit in which it is read.
    let shown (verdict: RuleVerdict) : string =
        match verdict.Figure with
        | None -> "not measured"
        | Some value -> inWords verdict.Rule.Figure value

    /// The verdict in a word: whether the rule was kept.
    let answer (verdict: RuleVerdict) : string =
        if verdict.Kept then "kept"
        elif verdict.IsUndecided then "OPEN"
        else "BROKEN"

    /// A line for each verdict: the rule, its figure, and whether it was kept.
    let lines (verdicts: RuleVerdict list) : string list =
        verdicts
        |> List.map (fun verdict -> [ text verdict.Rule; shown verdict; answer verdict ])
        |> TextTable.columns

    /// One sentence on the broken rules; None: none is broken.
    let complaint (verdicts: RuleVerdict list) : string option =
        match verdicts |> List.filter _.IsBroken with
        | [] -> None
        | broken ->
            let each =
                broken
                |> List.map (fun verdict -> $"{text verdict.Rule} (it is {shown verdict})")
                |> String.concat ", "

            Some(if broken.Length = 1 then $"a rule is broken: {each}" else $"rules are broken: {each}")

    /// One sentence on the rules that the lag of requests decides; None: there is none.
    let undecided (verdicts: RuleVerdict list) : string option =
        match
            [
                for verdict in verdicts do
                    match verdict.FigureFromSend with
                    | Some fromSend ->
                        $"{text verdict.Rule} (it is {shown verdict}, and {inWords verdict.Rule.Figure fromSend} from send)"
                    | None -> ()
            ]
        with
        | [] -> None
        | each ->
            let each = String.concat ", " each

            let subject =
                if verdicts |> List.filter _.IsUndecided |> List.length = 1 then
                    "a rule has"
                else
                    "rules have"

            Some $"{subject} no answer, because the lag of the requests decides it: {each}"

    /// The sentences on broken and undecided rules.
    let complaints (verdicts: RuleVerdict list) : string list =
        Option.toList (complaint verdicts) @ Option.toList (undecided verdicts)
