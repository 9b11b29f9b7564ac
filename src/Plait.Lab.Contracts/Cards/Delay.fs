// How long the card service takes for a request, and which requests it fails: all from a seed, the index of the request
// and the time since the service began.
namespace Plait.Lab.Cards

open System
open System.Globalization

/// How long answers take.
type Delay =
    /// As fast as can be.
    | Immediate
    /// So many milliseconds each.
    | Constant of milliseconds: float
    /// Log-normal around a median, with the deviation of the logarithm.
    | LogNormal of median: float * sigma: float
    /// The service stands still for the last `milliseconds` of every `every`.
    | Stall of milliseconds: float * every: float

/// Reading, showing and drawing delays.
module Delay =
    /// The longest delay that may be asked for, in milliseconds.
    let longest = 5000.0

    let private number (text: string) =
        match Double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) with
        | true, value when value >= 0.0 -> Some value
        | _ -> None

    /// The allowed texts, for sentences.
    let forms = "none, constant:TIME, log-normal:MEDIAN:SIGMA or stall:TIME:EVERY"

    /// Reads a delay, whose times are in milliseconds: constant:2.5ms; None: the text is none.
    let parse (text: string) : Delay option =
        let within limit value = value <= limit

        let time limit (text: string) =
            if text.EndsWith("ms", StringComparison.Ordinal) then
                number (text.Substring(0, text.Length - 2)) |> Option.filter (within limit)
            else
                None

        match text.Split ':' |> List.ofArray with
        | [ "none" ] -> Some Immediate
        | [ "constant"; wait ] -> time longest wait |> Option.map Constant
        | [ "log-normal"; median; sigma ] ->
            match time longest median, number sigma |> Option.filter (within 3.0) with
            | Some median, Some sigma -> Some(LogNormal(median, sigma))
            | _ -> None
        | [ "stall"; wait; every ] ->
            match time longest wait, time 600000.0 every with
            | Some time, Some every when time < every -> Some(Stall(time, every))
            | _ -> None
        | _ -> None

    let private shown (value: float) =
        value.ToString("0.######", CultureInfo.InvariantCulture)

    /// The text that is read as this delay.
    let show (delay: Delay) : string =
        match delay with
        | Immediate -> "none"
        | Constant time -> $"constant:{shown time}ms"
        | LogNormal(median, sigma) -> $"log-normal:{shown median}ms:{shown sigma}"
        | Stall(time, every) -> $"stall:{shown time}ms:{shown every}ms"

    /// How long the request at `index` takes that comes in `elapsed` after the service began.
    let wait (delay: Delay) (seed: int) (index: int64) (elapsed: TimeSpan) : TimeSpan =
        match delay with
        | Immediate -> TimeSpan.Zero
        | Constant time -> TimeSpan.FromMilliseconds time
        | LogNormal(median, sigma) ->
            median * exp (sigma * Draw.normal seed 11 index)
            |> min longest
            |> TimeSpan.FromMilliseconds
        | Stall(time, every) ->
            let into = elapsed.TotalMilliseconds % every
            if into < every - time then TimeSpan.Zero else TimeSpan.FromMilliseconds(every - into)

    /// Whether the request at `index` fails when the share `rate` of them does.
    let fails (rate: float) (seed: int) (index: int64) : bool =
        rate > 0.0 && Draw.unit seed 12 index < rate
