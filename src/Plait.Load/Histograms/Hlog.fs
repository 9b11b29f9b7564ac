// Histograms over time as a log (.hlog): HdrHistogram's interval log, one line for each interval, with histograms in its
// compressed encoding V2. We write logs of the two clocks of a load run, and read logs of other programs as well.
module Plait.Load.Hlog

open System
open System.Collections.Generic
open System.Globalization
open System.Text

open Plait.Common

/// The durations of a stretch of time.
type Interval =
    {
        /// The clock of the histogram: "intended", "actual", or the tag of another program; None: no tag.
        Tag: string option
        /// Seconds from the log's start.
        Start: float
        /// Its length in seconds.
        Length: float
        Histogram: Histogram
    }

/// A log that was read.
type LogFile =
    {
        /// When it began; None: the log names no start.
        StartedUtc: DateTime option
        Intervals: Interval list
        /// The conversions, one sentence each.
        Notes: string list
    }

let private invariant = CultureInfo.InvariantCulture

let private legend =
    "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""

let private number (value: float) = value.ToString("F3", invariant)

/// The text of a log. Interval_Max is in milliseconds.
let write (startedUtc: DateTime) (intervals: Interval seq) : string =
    let text = StringBuilder()

    let line (content: string) =
        text.Append(content).Append('\n') |> ignore

    let epoch = (startedUtc - DateTime.UnixEpoch).TotalSeconds
    line "#[Logged with plait]"
    line "#[Histogram log format version 1.3]"
    let shown = startedUtc.ToString("ddd MMM dd HH:mm:ss 'UTC' yyyy", invariant)
    line $"#[StartTime: {number epoch} (seconds since epoch), {shown}]"
    line "#[Values are in nanoseconds, Interval_Max in milliseconds]"
    line legend

    for interval in intervals do
        let tag =
            match interval.Tag with
            | Some tag when tag.IndexOfAny [| ','; ' '; '\r'; '\n' |] >= 0 ->
                raise (
                    BadInput
                        $"the tag '{tag}' cannot stand in a .hlog: no comma, space or line break may be in it"
                )
            | Some tag -> $"Tag={tag},"
            | None -> ""

        let longest = number (float interval.Histogram.Max / 1e6)

        line
            $"{tag}{number interval.Start},{number interval.Length},{longest},{CompressedHistogram.encode interval.Histogram}"

    text.ToString()

/// The number in a comment such as "#[StartTime: 12.5 (seconds since epoch), ...".
let private stated (name: string) (line: string) =
    let opening = $"#[{name}:"

    if line.StartsWith(opening, StringComparison.Ordinal) then
        let word = line.Substring(opening.Length).TrimStart().Split([| ' '; ']'; ',' |])[0]

        match Double.TryParse(word, NumberStyles.Float, invariant) with
        | true, value when abs value < 1e11 -> Some value
        | _ -> None
    else
        None

let private secondsOf (where: string) (name: string) (text: string) =
    match Double.TryParse(text, NumberStyles.Float, invariant) with
    | true, value when Double.IsFinite value -> value
    | _ -> raise (BadInput $"{where}: {name} is '{text}' instead of a number of seconds")

/// One interval, and whether its histogram had to be converted.
let private interval (where: string) (unit: int64) (line: string) : Interval * string option =
    let tag, fields =
        match List.ofArray (line.Split ',') with
        | first :: rest when first.StartsWith("Tag=", StringComparison.Ordinal) ->
            Some(first.Substring 4), rest
        | fields -> None, fields

    match fields with
    | [ start; length; _longest; payload ] ->
        match CompressedHistogram.decode unit (payload.Trim()) with
        | Error reason -> raise (BadInput $"{where}: the histogram {reason}")
        | Ok decoded ->
            {
                Tag = tag
                Start = secondsOf where "the start" start
                Length = secondsOf where "the length" length
                Histogram = decoded.Histogram
            },
            decoded.Coarser
    | fields ->
        let count = if fields.Length = 1 then "1 field" else $"{fields.Length} fields"

        raise (
            BadInput
                $"{where}: {count} instead of start, length, maximum and histogram; the log is cut off here, or it is no .hlog"
        )

/// Times in a log may be absolute. HdrHistogram's readers recognize that by a base time, or by the distance of the first time from
/// the start. Returns the number to add to a time for the seconds from the start.
let private shift (startTime: float option) (baseTime: float option) (first: float) =
    let start = Option.defaultValue first startTime
    let year = 365.0 * 24.0 * 3600.0

    match baseTime with
    | Some zero -> zero - start
    | None when first < start - year -> 0.0
    | None -> -start

/// Reads the text of a log. `file`: its name in sentences; `unit`: the nanoseconds of one unit of its values. Raises BadInput with
/// the line that is wrong.
let read (file: string) (unit: int64) (content: string) : LogFile =
    let mutable startTime = None
    let mutable baseTime = None
    let mutable added = None
    let intervals = ResizeArray<Interval>()
    let notes = HashSet<string>()
    let lines = content.ReplaceLineEndings("\n").Split '\n'

    for at in 0 .. lines.Length - 1 do
        let line = lines[at].Trim()

        if line.StartsWith '#' then
            startTime <- startTime |> Option.orElse (stated "StartTime" line)
            baseTime <- baseTime |> Option.orElse (stated "BaseTime" line)
        elif line <> "" && not (line.StartsWith("\"StartTimestamp\"", StringComparison.Ordinal)) then
            let read, coarser = interval $"{file}, line {at + 1}" unit line

            let add =
                added |> Option.defaultWith (fun () -> shift startTime baseTime read.Start)

            added <- Some add
            intervals.Add { read with Start = read.Start + add }

            match coarser with
            | Some classes ->
                notes.Add
                    $"{file} was recorded with {classes}: its values count as the largest of their class, and percentiles are no finer than that"
                |> ignore
            | None -> ()

    if added.IsNone then
        raise (BadInput $"{file} holds no interval; a .hlog has lines such as 0.000,1.000,2.769,HISTFAAA...")

    {
        StartedUtc = startTime |> Option.map DateTime.UnixEpoch.AddSeconds
        Intervals = List.ofSeq intervals
        Notes = List.ofSeq notes
    }
