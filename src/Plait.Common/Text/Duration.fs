// Durations as text, as vegeta and other Go programs print and read them: 1.803ms, 58.4µs, 1m0.5s.
module Plait.Common.Duration

open System
open System.Globalization
open System.Text.RegularExpressions

let private invariant = CultureInfo.InvariantCulture

/// Nanoseconds of each unit; units of two letters first, because "m" begins "ms".
let private units =
    [
        "ms", 1_000_000L
        "µs", 1_000L
        "us", 1_000L
        "ns", 1L
        "h", 3_600_000_000_000L
        "m", 60_000_000_000L
        "s", 1_000_000_000L
    ]

/// Rounds to the unit below the one that the duration is shown in: 1.803456 ms becomes 1.803 ms.
let private round' (nanoseconds: int64) =
    let steps =
        [ 3_600_000_000_000L; 60_000_000_000L; 1_000_000_000L; 1_000_000L; 1_000L; 1L ]

    match steps |> List.pairwise |> List.tryFind (fun (unit, _) -> nanoseconds >= unit) with
    | Some(_, below) -> (nanoseconds + below / 2L) / below * below
    | None -> nanoseconds

let private decimals (value: decimal) =
    value.ToString("0.#########", invariant)

/// The duration of so many nanoseconds, to the next most precise unit.
let show (nanoseconds: int64) : string =
    let sign = if nanoseconds < 0L then "-" else ""
    let value = round' (abs nanoseconds)

    let text =
        if value = 0L then
            "0s"
        elif value < 1_000L then
            $"{value}ns"
        elif value < 1_000_000L then
            decimals (decimal value / 1_000m) + "µs"
        elif value < 1_000_000_000L then
            decimals (decimal value / 1_000_000m) + "ms"
        else
            let hours = value / 3_600_000_000_000L
            let minutes = value / 60_000_000_000L % 60L
            let seconds = decimals (decimal (value % 60_000_000_000L) / 1_000_000_000m) + "s"

            if hours > 0L then $"{hours}h{minutes}m{seconds}"
            elif minutes > 0L then $"{minutes}m{seconds}"
            else seconds

    sign + text

/// The duration of a time span, to the next most precise unit.
let showSpan (span: TimeSpan) : string = show (span.Ticks * 100L)

/// The same as a user writes it, without parts that are zero: 24h, 1m30s, 500ms.
let brief (span: TimeSpan) : string =
    Regex.Replace(showSpan span, "(?<=[hm])(0m)?0s$", "")

/// The duration to three digits, for a heading: 693 ms, 2.11 ms, 1.21 s.
let rough (nanoseconds: int64) : string =
    let value, unit =
        let size = abs nanoseconds

        if size < 1_000L then decimal nanoseconds, "ns"
        elif size < 999_500L then decimal nanoseconds / 1_000m, "µs"
        elif size < 999_500_000L then decimal nanoseconds / 1_000_000m, "ms"
        else decimal nanoseconds / 1_000_000_000m, "s"

    let format =
        let size = abs value

        if unit = "ns" || size >= 99.95m then "0"
        elif size >= 9.995m then "0.0"
        else "0.00"

    value.ToString(format, invariant) + " " + unit

// The nanoseconds of a text; None for any other text.
let private nanosecondsOf (text: string) : int64 option =
    let rec go (sum: decimal) (rest: string) =
        if rest = "" then
            Some sum
        else
            let digits =
                rest |> Seq.takeWhile (fun c -> Char.IsAsciiDigit c || c = '.') |> Seq.length

            let tail = rest.Substring digits

            match
                units |> List.tryFind (fun (unit, _) -> tail.StartsWith(unit, StringComparison.Ordinal)),
                Decimal.TryParse(rest.Substring(0, digits), NumberStyles.AllowDecimalPoint, invariant)
            with
            | Some(unit, nanoseconds), (true, value) when value < 1e12m ->
                go (sum + value * decimal nanoseconds) (tail.Substring unit.Length)
            | _ -> None

    let nanoseconds =
        match text with
        | "" -> None
        | "0" -> Some 0m
        | text -> go 0m text

    nanoseconds |> Option.filter (fun sum -> sum <= 9e18m) |> Option.map int64

/// The time of a text such as 500us, 1.5s or 1m30s: numbers with a unit behind each, or 0; None for any other text.
let tryParse (text: string) : TimeSpan option =
    nanosecondsOf (text.Trim())
    |> Option.map (fun nanoseconds -> TimeSpan.FromTicks((nanoseconds + 50L) / 100L))

/// The nanoseconds of such a text. `name` is for the sentence of BadInput.
let parse (name: string) (text: string) : int64 =
    match nanosecondsOf (text.Trim()) with
    | Some nanoseconds -> nanoseconds
    | None ->
        raise (
            BadInput
                $"{name}: '{text}' is not a duration; write a number and a unit, such as 500us, 1ms, 1.5s or 1m30s"
        )

/// Milliseconds, for figures.
let milliseconds (nanoseconds: int64) : float = float nanoseconds / 1e6
