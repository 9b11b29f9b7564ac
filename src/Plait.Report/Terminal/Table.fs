// Pure: the ranked table that the terminal shows, 120 columns at most, as lines of text.
module Plait.Report.Table

open System

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
        $", spread between launches {TableRow.fixed' 1 (100.0 * ratio.Spread)} %%"

/// The line about the A/A control: the base against itself, which shows what differences mean nothing.
let controlLine (rows: Row list) : string option =
    rows
    |> List.tryFind (fun row -> row.Family = "control")
    |> Option.map (fun row ->
        let one name (part: (RatioResult * string) option) =
            part
            |> Option.map (fun (value, verdict) ->
                $"{name} {TableRow.ratio value} ({verdict}){spread value}")

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

    let ranked =
        TableRow.rank results.Rows |> List.map (fun row -> row, TableRow.cells row)

    // A column without a figure is left out, and its room goes to the names.
    let isShown index =
        index = 0
        || ranked.IsEmpty
        || ranked |> List.exists (fun (_, cells) -> cells[index] <> "-" && cells[index] <> "")

    let shown (items: 'T list) =
        items |> List.indexed |> List.filter (fun (index, _) -> isShown index) |> List.map snd

    let all = TableRow.columns (if isLoaded then "B/req" else "B/op")

    // Ten columns are kept for figures that are wider than they should be.
    let room =
        let rest = shown (all 0) |> List.tail
        Wrap.width - 10 - List.sumBy (fun (column: TableRow.Column) -> column.Width + 1) rest

    let nameWidth =
        results.Rows |> List.fold (fun widest row -> max widest row.Id.Length) 9 |> min room

    let columns = shown (all nameWidth)

    [
        Heading, TableRow.line columns (columns |> List.map _.Title)
        Heading, TableRow.line columns (columns |> List.map (fun column -> String('-', column.Width)))

        for row, cells in ranked do
            kind row, TableRow.line columns (shown cells)

        for (status, reason), rows in results.Rows |> List.groupBy (fun row -> row.Status, row.Reason) do
            match reason with
            | Some reason ->
                let names = rows |> List.map _.Id |> String.concat ", "

                for text in Wrap.lines "  " $"{names} ({status}): {reason}" do
                    Bad, text
            | None -> ()

        match controlLine results.Rows with
        | Some text ->
            for text in Wrap.lines "" text do
                Remark, text
        | None -> ()

        let operation = if isLoaded then "a request" else "an operation"

        let legend =
            [
                $"Ratios are CPU for {operation} over {results.Base}'s; verdicts are against a margin of {TableRow.fixed' 0 (100.0 * results.Margin)} %%."
                if isLoaded then
                    "cap%: requests/s that the same core would serve, 100 / HTTP CPU ratio."
                if results.Rows |> List.exists (fun row -> not row.Published.IsEmpty) then
                    "pub%: published, percent of sync."
            ]
            |> String.concat " "

        for text in Wrap.lines "" legend do
            Remark, text

        match results.Stopping with
        | Some stopping when stopping.Reason <> "" ->
            for text in Wrap.lines "" $"Launches: {stopping.Rule}; {stopping.Reason}." do
                Remark, text
        | _ -> ()

        if
            results.Rows |> List.exists (fun row -> row.Http.IsSome)
            && results.Rows |> List.exists isInProcessOnly
        then
            Remark, "Rows with +sync-fn were measured in process only; --all measures them over HTTP as well."
    ]
