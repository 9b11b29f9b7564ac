// Pure: the ranked table that the terminal shows, 120 columns at most, as lines of text.
module Plait.Lab.Report.Table

open System
open System.Globalization

/// What a line is, so that a terminal may colour it.
type Kind =
    /// The names of the columns, and the rule below them.
    | Heading
    /// A row whose cost is below the base's.
    | Good
    /// A row like any other.
    | Plain
    /// A row that is not measured, or not wholly.
    | Bad
    /// An explanation.
    | Remark

/// The widest line.
let width = 120

let private invariant = CultureInfo.InvariantCulture

let private fixed' (digits: int) (value: float) =
    value.ToString("F" + string digits, invariant)

let private show (digits: int) (value: float option) =
    value |> Option.map (fixed' digits) |> Option.defaultValue "-"

/// "1.23 1.21-1.25": the median and the interval.
let ratio (value: RatioResult) : string =
    $"{fixed' 2 value.Median} {fixed' 2 value.Low}-{fixed' 2 value.High}"

type private Column = { Title: string; Width: int; Right: bool }

let private columns (operation: string) nameWidth =
    [
        { Title = "candidate"; Width = nameWidth; Right = false }
        { Title = operation; Width = 6; Right = true }
        { Title = "no esc"; Width = 6; Right = true }
        { Title = "CPU us"; Width = 6; Right = true }
        { Title = "ns/wr"; Width = 5; Right = true }
        { Title = "CPU ratio 95 %"; Width = 14; Right = true }
        { Title = "verdict"; Width = 10; Right = false }
        { Title = "HTTP CPU ratio"; Width = 14; Right = true }
        { Title = "req/s"; Width = 6; Right = true }
        { Title = "cap%"; Width = 4; Right = true }
        { Title = "pub%"; Width = 4; Right = true }
    ]

let private line (columns: Column list) (cells: string list) =
    List.map2
        (fun column (cell: string) ->
            if column.Right then cell.PadLeft column.Width
            elif cell.Length > column.Width then cell.Substring(0, column.Width)
            else cell.PadRight column.Width)
        columns
        cells
    |> String.concat " "
    |> _.TrimEnd()

/// Breaks a sentence into lines of at most `width`, each behind `indent`.
let wrap (indent: string) (text: string) : string list =
    let rec go (lines: string list) (current: string) (words: string list) =
        match words with
        | [] -> List.rev (current :: lines)
        | word :: rest when current = indent || current.Length + 1 + word.Length <= width ->
            go lines (if current = indent then indent + word else current + " " + word) rest
        | words -> go (current :: lines) indent words

    text.Split(' ', StringSplitOptions.RemoveEmptyEntries) |> List.ofArray |> go [] indent

/// Rows as the table ranks them: by the ratio in process (over HTTP where that is all there is), cheapest first; rows
/// without a ratio come last.
let rank (rows: Row list) : Row list =
    rows
    |> List.sortBy (fun row ->
        match row.CpuRatio, row.Http with
        | Some ratio, _ -> 0, ratio.Median
        | None, Some part -> 1, part.CpuRatio.Median
        | None, None -> 2, 0.0)

let private cells (row: Row) =
    let isBase = row.Family = "base"

    let shownRatio (value: RatioResult option) =
        value
        |> Option.map (fun value -> if isBase then "1.00 (base)   " else ratio value)
        |> Option.defaultValue "-"

    let verdict = row.Verdict |> Option.orElse (row.Http |> Option.map _.Verdict)

    [
        row.Id
        row.BytesPerOperation
        |> Option.orElse (row.Http |> Option.bind _.BytesPerRequest)
        |> show 0
        show 0 row.BytesPerOperationNoEscape
        row.CpuMicroseconds |> show (if row.CpuMicroseconds < Some 10.0 then 3 else 1)
        show 1 row.NanosecondsPerWrapper
        shownRatio row.CpuRatio
        if row.Status = "failed" then "failed"
        elif isBase then ""
        else Option.defaultValue "-" verdict
        row.Http |> Option.map _.CpuRatio |> shownRatio
        row.Http |> Option.map _.RequestsPerSecond |> show 0
        row.Http |> Option.map _.CapacityPercent |> show 0
        row.Published |> List.tryHead |> Option.map _.PercentOfSync |> show 0
    ]

let private kind (row: Row) =
    if row.Status <> "measured" then
        Bad
    else
        match row.Verdict with
        | Some "faster" -> Good
        | Some "same" when row.Family = "plait" -> Good
        | _ -> Plain

// One launch has no spread.
let private spread (ratio: RatioResult) =
    if ratio.Launches.Length < 2 then
        ""
    else
        $", spread between launches {fixed' 1 (100.0 * ratio.Spread)} %%"

/// The line about the A/A control: the base against itself, which shows what differences mean nothing.
let controlLine (rows: Row list) : string option =
    rows
    |> List.tryFind (fun row -> row.Family = "control")
    |> Option.map (fun row ->
        let one name (part: (RatioResult * string) option) =
            part
            |> Option.map (fun (value, verdict) -> $"{name} {ratio value} ({verdict}){spread value}")

        let parts =
            [
                Option.map2 (fun ratio verdict -> ratio, verdict) row.CpuRatio row.Verdict
                |> one "in process"
                row.Http |> Option.map (fun part -> part.CpuRatio, part.Verdict) |> one "over HTTP"
            ]
            |> List.choose id

        if parts.IsEmpty then
            $"A/A control ({row.Id}): not measured"
        else
            $"A/A control ({row.Id}): " + String.concat "; " parts)

let private isInProcessOnly (row: Row) =
    row.Factors.SyncFn && row.Status = "measured" && row.Http.IsNone

/// The table with its remarks.
let lines (results: Results) : (Kind * string) list =
    let isLoaded = results.Rows |> List.exists _.Http.IsSome
    let ranked = rank results.Rows |> List.map (fun row -> row, cells row)

    // A column without a figure is left out, and its room goes to the names.
    let isShown index =
        index = 0
        || ranked.IsEmpty
        || ranked |> List.exists (fun (_, cells) -> cells[index] <> "-" && cells[index] <> "")

    let shown (items: 'T list) =
        items |> List.indexed |> List.filter (fun (index, _) -> isShown index) |> List.map snd

    let all = columns (if isLoaded then "B/req" else "B/op")

    // Ten columns are kept for figures that are wider than they should be.
    let room =
        let rest = shown (all 0) |> List.tail
        width - 10 - List.sumBy (fun column -> column.Width + 1) rest

    let nameWidth =
        results.Rows |> List.fold (fun widest row -> max widest row.Id.Length) 9 |> min room

    let columns = shown (all nameWidth)

    [
        Heading, line columns (columns |> List.map _.Title)
        Heading, line columns (columns |> List.map (fun column -> String('-', column.Width)))

        for row, cells in ranked do
            kind row, line columns (shown cells)

        for (status, reason), rows in results.Rows |> List.groupBy (fun row -> row.Status, row.Reason) do
            match reason with
            | Some reason ->
                let names = rows |> List.map _.Id |> String.concat ", "

                for text in wrap "  " $"{names} ({status}): {reason}" do
                    Bad, text
            | None -> ()

        match controlLine results.Rows with
        | Some text ->
            for text in wrap "" text do
                Remark, text
        | None -> ()

        let operation = if isLoaded then "a request" else "an operation"

        let legend =
            [
                $"Ratios are CPU for {operation} over {results.Base}'s; verdicts are against a margin of {fixed' 0 (100.0 * results.Margin)} %%."
                if isLoaded then
                    "cap%: requests/s that the same core would serve, 100 / HTTP CPU ratio."
                if results.Rows |> List.exists (fun row -> not row.Published.IsEmpty) then
                    "pub%: published, percent of sync."
            ]
            |> String.concat " "

        for text in wrap "" legend do
            Remark, text

        match results.Stopping with
        | Some stopping when stopping.Reason <> "" ->
            for text in wrap "" $"Launches: {stopping.Rule}; {stopping.Reason}." do
                Remark, text
        | _ -> ()

        if
            results.Rows |> List.exists (fun row -> row.Http.IsSome)
            && results.Rows |> List.exists isInProcessOnly
        then
            Remark, "Rows with +sync-fn were measured in process only; --all measures them over HTTP as well."
    ]
