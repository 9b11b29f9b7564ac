// Rates and times as people write them: 500/s, 30s, 250ms. Pure.
module Plait.Load.Quantities


open System
open System.Globalization

let private number (text: string) : float option =
    match Double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) with
    | true, value when Double.IsFinite value -> Some value
    | _ -> None

let private units = [ "ms", 0.001; "s", 1.0; "m", 60.0; "h", 3600.0 ]

let private inUnits (alone: float option) (text: string) : float option =
    let unit =
        text.TrimStart([| '0' .. '9' |]).TrimStart('.').TrimStart([| '0' .. '9' |])

    let count = text.Substring(0, text.Length - unit.Length)

    let factor =
        if unit = "" then
            Some 1.0
        else
            units |> List.tryFind (fun (name, _) -> name = unit) |> Option.map snd

    match (if count = "" then alone else number count), factor with
    | Some count, Some factor -> Some(count * factor)
    | _ -> None

/// The seconds of several times one behind the other, as Go writes them: 1m30s.
let rec private summed (sum: float) (text: string) : float option =
    let count =
        text |> Seq.takeWhile (fun c -> Char.IsAsciiDigit c || c = '.') |> Seq.length

    let unit =
        text |> Seq.skip count |> Seq.takeWhile Char.IsAsciiLetter |> Seq.toArray |> String

    let known = units |> List.tryFind (fun (name, _) -> name = unit)

    match number (text.Substring(0, count)), known with
    | Some count', Some(_, factor) ->
        let sum = sum + count' * factor
        let rest = text.Substring(count + unit.Length)
        if rest = "" then Some sum else summed sum rest
    | _ -> None

/// A time: a number with ms, s, m or h behind it, several of them (1m30s), or a number of seconds; None: it is none.
let time (text: string) : TimeSpan option =
    let text = text.Trim()

    match inUnits None text |> Option.orElseWith (fun () -> summed 0.0 text) with
    | Some seconds when seconds < 1e9 -> Some(TimeSpan.FromTicks(int64 (Math.Round(seconds * 1e7))))
    | _ -> None

/// A rate in requests a second: a number, or a number per time like 500/s, 30/m or 1/10s; None: it is none.
let rate (text: string) : float option =
    match text.Trim().Split '/' with
    | [| count |] -> number count
    | [| count; per |] ->
        match number (count.Trim()), inUnits (Some 1.0) (per.Trim()) with
        | Some count, Some seconds when seconds > 0.0 && per.Trim() <> "" -> Some(count / seconds)
        | _ -> None
    | _ -> None

/// The rates at the beginning and at the end of a ramp: 100:2000, or 100/s:2000/s; None: it is none.
let ramp (text: string) : (float * float) option =
    match text.Split ':' with
    | [| from; until |] ->
        match rate from, rate until with
        | Some from, Some until -> Some(from, until)
        | _ -> None
    | _ -> None
