// Pure: the first screen of a run, 80 columns by 24 lines: the answer, the outcome of the controls, and a line for
// each row with its ratio, a bar and its bytes. Everything else is behind --details and on the page.
module Plait.Report.FirstScreen

open System
open System.Globalization
open Plait.Common

/// A line of the ranking.
type private Line =
    {
        Kind: LineKind
        Name: string
        /// The figure, with its interval.
        Figure: string
        /// How long its bar is; None: it has none.
        Length: float option
        /// The text in place of a bar.
        Word: string
        /// The last column: bytes.
        Last: string
        /// Whether it is shown even where there is no room for all.
        Stays: bool
    }

/// A table: the heads of the figure and of the last column, and its lines.
type private Ranking = { Heads: string * string; Lines: Line list }

let private gap = "  "
let private mostName = 30

let private kind (row: Row) (ratio: Measured option) =
    match ratio |> Option.bind _.Verdict with
    | _ when row.Status <> Status.Measured -> LineKind.Bad
    | Some Faster -> LineKind.Good
    | Some Same when row.Family = Family.Plait -> LineKind.Good
    | _ -> LineKind.Plain

let private whole (value: float) =
    let text = value.ToString("N0", CultureInfo.InvariantCulture)
    if text = "-0" then "0" else text

/// The rows by the first judged ratio that some row has, or else by the first ratio. A row that has only another
/// ratio shows it without a bar.
let private ofRows (results: Results) : Ranking option =
    let has figure =
        results.Rows |> List.exists (fun row -> (row.Find figure).IsSome)

    let there = Figures.ratios |> List.filter has

    let isJudged figure =
        (ControlRule.missedOf results.Controls figure).IsNone

    there
    |> List.tryFind isJudged
    |> Option.orElse (List.tryHead there)
    |> Option.map (fun figure ->
        // Bytes without escape analysis are the bytes of the code, before the compiler saves some in this program.
        let bytes =
            match figure.Measure with
            | Measure.InProcess when has Figures.bytesOverBaseNoEscape -> Figures.bytesOverBaseNoEscape
            | Measure.InProcess -> Figures.bytesOverBase
            | Measure.OverHttp -> Figures.httpBytesOverBase

        let rows =
            ResultsText.rank results.Rows
            |> List.choose (fun row ->
                figure :: there
                |> List.tryPick (fun one -> row.Find one |> Option.map (fun ratio -> row, one, ratio)))

        let hasBytes = rows |> List.exists (fun (row, _, _) -> (row.Find bytes).IsSome)

        {
            Heads =
                $"CPU over {results.Base}, {Word.ofCase figure.Measure}",
                (if hasBytes then $"bytes over {results.Base}" else "")
            Lines =
                [
                    for row, one, ratio in rows do
                        let isBase = row.Family = Family.Base
                        let isRanked = one = figure && not ratio.IsNotJudged

                        let words =
                            [
                                if one <> figure then
                                    Word.ofCase one.Measure
                                if ratio.IsNotJudged then
                                    Verdict.word NotJudged
                            ]

                        {
                            Kind = if isBase then LineKind.Plain else kind row (Some ratio)
                            Name = row.Id
                            Figure = if isBase then "1.00 (base)" else one.Show ratio
                            Length = if isRanked then Some ratio.Value else None
                            Word = if isBase then "" else String.concat ", " words
                            Last =
                                match row.Value bytes with
                                | _ when isBase || not hasBytes -> ""
                                | Some value -> whole value
                                | None -> "-"
                            Stays = isBase
                        }
                ]
        })

/// Where there are no rows with ratios: the first plot of single figures.
let private ofPanel (results: Results) : Ranking option =
    results.Panels
    |> List.tryPick (fun panel ->
        match panel.Plot with
        | Forest(axis, _, _, _, items)
        | Bars(axis, _, _, items) when not items.IsEmpty ->
            let show (value: float) =
                value.ToString(
                    "F" + string (Option.defaultValue 2 axis.Decimals),
                    CultureInfo.InvariantCulture
                )

            Some
                {
                    Heads = axis.Label, ""
                    Lines =
                        [
                            for item in items do
                                let isJudged = panel.NotJudged.IsNone

                                {
                                    Kind = if item.Note.IsNone then LineKind.Plain else LineKind.Bad
                                    Name = item.Label
                                    Figure =
                                        match item.Low, item.High with
                                        | Some low, Some high ->
                                            $"{show item.Value} ({show low}-{show high})"
                                        | _ -> show item.Value
                                    Length = if isJudged then Some item.Value else None
                                    Word = Verdict.word NotJudged
                                    Last = Option.defaultValue "" item.Note
                                    Stays = false
                                }
                        ]
                }
        | _ -> None)

let private cut (most: int) (text: string) =
    if text.Length <= most then text else text.Substring(0, most - 1) + "~"

/// The rows that fit into so many lines, and the number of the others; rows that must stay replace the last ones.
let private fitting (room: int) (lines: Line list) : Line list * int =
    if lines.Length <= room then
        lines, 0
    else
        let others = room - 1 - (lines |> List.filter _.Stays).Length

        let shown, _ =
            (([], others), lines)
            ||> List.fold (fun (shown, left) line ->
                if line.Stays then line :: shown, left
                elif left > 0 then line :: shown, left - 1
                else shown, left)

        List.rev shown, lines.Length - shown.Length

let private draw (width: int) (room: int) (ranking: Ranking) : (LineKind * string) list =
    let lines, hidden = fitting (max 2 (room - 1)) ranking.Lines
    let figure, last = ranking.Heads

    let widest (heading: string) (read: Line -> string) =
        lines |> List.fold (fun most line -> max most (read line).Length) heading.Length

    let names = min mostName (widest "" _.Name)
    let figures = widest "" _.Figure
    // A long text at the end takes the room of the bar.
    let lasts = min (widest last _.Last) (width / 3)
    let room = max 4 (width - names - figures - lasts - 3 * gap.Length)

    let longest = lines |> List.choose _.Length |> List.fold max 0.0

    let bar (length: float option) word =
        match length with
        | Some length when longest > 0.0 ->
            String('█', max 1 (int (Math.Round(float room * length / longest))))
        | Some _ -> ""
        | None -> cut room word

    let line (name: string) (figure: string) (bar: string) (last: string) =
        [ name.PadRight names; figure.PadRight figures; bar.PadRight room; (cut lasts last).PadLeft lasts ]
        |> String.concat gap
        |> _.TrimEnd()

    // The head of the figure stands over the bar as well.
    let heading =
        let left = String(' ', names) + gap + figure
        let fill = width - left.Length - last.Length
        if fill > 0 then left + String(' ', fill) + last else cut width left

    [
        LineKind.Heading, heading.TrimEnd()

        for one in lines do
            one.Kind, line (cut names one.Name) one.Figure (bar one.Length one.Word) one.Last

        if hidden > 0 then
            let rows = if hidden = 1 then "1 more row" else $"{hidden} more rows"
            LineKind.Faint, $"and {rows}: --details, and the page"
    ]

/// Results with neither: their first table, as much of it as finds room.
let private firstTable (width: int) (room: int) (results: Results) : (LineKind * string) list =
    results.Panels
    |> List.tryPick (fun panel ->
        match panel.Plot with
        | Table _ -> Some(List.truncate room (ResultsText.table width panel))
        | _ -> None)
    |> Option.defaultValue []
    |> List.mapi (fun at line -> (if at = 0 then LineKind.Heading else LineKind.Plain), line)

let private whyNot = "--details and the page say why"

let private notWhole (width: int) (results: Results) : (LineKind * string) list =
    match
        results.Rows
        |> List.filter (fun row -> row.Status = Status.Partial || row.Status = Status.Failed)
        |> List.map _.Id
    with
    | [] -> []
    | ids ->
        let names = if ids.Length <= 3 then String.concat ", " ids else $"{ids.Length} rows"

        Wrap.within width "" $"not wholly measured: {names}; {whyNot}."
        |> List.map (fun line -> LineKind.Bad, line)

/// Rows that were asked for and are not available. Of others --details and the page tell.
let private absent (results: Results) : (LineKind * string) list =
    match
        results.Rows
        |> List.filter (fun row -> row.Status = Status.NotAvailable && not row.IsNotAsked)
        |> List.length
    with
    | 0 -> []
    | 1 -> [ LineKind.Faint, $"1 row is not available here; {whyNot}." ]
    | count -> [ LineKind.Faint, $"{count} rows are not available here; {whyNot}." ]

/// The lines, in `height` of them unless all warnings are asked for or the sentences leave less than three to the rows.
let lines (width: int) (height: int) (isAllWarnings: bool) (results: Results) : (LineKind * string) list =
    let heading = ResultsText.heading width results
    let notWhole = notWhole width results

    let warnings =
        ResultsText.warnings width isAllWarnings results
        |> List.map (fun line -> LineKind.Plain, line)

    let blank = [ LineKind.Plain, "" ]

    let room =
        max 3 (height - heading.Length - notWhole.Length - warnings.Length - blank.Length)

    let ranking =
        match ofRows results |> Option.orElseWith (fun () -> ofPanel results) with
        | Some ranking -> draw width room ranking
        | None -> firstTable width room results

    [
        yield! heading
        if not ranking.IsEmpty then
            yield! blank
            yield! ranking
        yield! notWhole
        if ranking.Length < room then
            yield! absent results
        yield! warnings
    ]
