// Pure: the rows of the terminal's table, ranked, with the columns that their cells stand in.
module internal Plait.Report.TableRow

open System.Globalization

let private invariant = CultureInfo.InvariantCulture

/// A number with so many decimals.
let fixed' (digits: int) (value: float) =
    value.ToString("F" + string digits, invariant)

let private show (digits: int) (value: float option) =
    value |> Option.map (fixed' digits) |> Option.defaultValue "-"

/// "1.23 1.21-1.25": the median and the interval.
let ratio (value: RatioResult) : string =
    $"{fixed' 2 value.Median} {fixed' 2 value.Low}-{fixed' 2 value.High}"

/// A column of the table.
type Column = { Title: string; Width: int; Right: bool }

/// All columns; `operation`: what bytes are counted for.
let columns (operation: string) nameWidth =
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

/// A line of the table.
let line (columns: Column list) (cells: string list) =
    List.map2
        (fun column (cell: string) ->
            if column.Right then cell.PadLeft column.Width
            elif cell.Length > column.Width then cell.Substring(0, column.Width)
            else cell.PadRight column.Width)
        columns
        cells
    |> String.concat " "
    |> _.TrimEnd()

/// Rows as the table ranks them: by the ratio in process (over HTTP where that is all there is), cheapest first; rows
/// without a ratio come last.
let rank (rows: Row list) : Row list =
    rows
    |> List.sortBy (fun row ->
        match row.CpuRatio, row.Http with
        | Some ratio, _ -> 0, ratio.Median
        | None, Some part -> 1, part.CpuRatio.Median
        | None, None -> 2, 0.0)

/// The cells of a row, one for each column.
let cells (row: Row) =
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
