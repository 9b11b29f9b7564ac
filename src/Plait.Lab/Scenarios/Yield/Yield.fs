// The scenario yield: two yields, then a return, by every builder. It is PooledAwait's table, measured in process, on one
// core and one thread.
module Plait.Lab.Yield

open Plait.Report

let private publication = "PooledAwait, .NET Core 3"
let private theBase = "csharp-task-t"

let private figures (rows: Row list) =
    [
        for known in YieldRows.all do
            match known.Published, rows |> List.tryFind (fun row -> row.Id = known.Name) with
            | Some published, Some row -> known, published, row
            | _ -> ()
    ]

/// The time of the published base.
let publishedBase =
    YieldRows.all
    |> List.pick (fun row -> if row.Name = theBase then row.Published |> Option.map _.Microseconds else None)

let private beside (rows: Row list) =
    Panel.table
        "published"
        "Beside the published figures"
        "PooledAwait's table of two yields and a return, on .NET Core 3, and the same ways of writing here. Its pooled rows are its own types, ours are Plait's of the same names. Bytes carry over to other machines; of the times only the ratio does. On .NET Framework the table has 336 to 352 B, against 182 B (pooled task) and 100 B (pooled value task)."
        [
            Column.words "row"
            Column.lessIsBetter "B/op" 0
            Column.figure "B/op" 0 |> Column.under "theirs"
            Column.lessIsBetter "CPU ratio" 2
            Column.figure "ratio" 2 |> Column.under "theirs"
            Column.figure "us" 3 |> Column.under "theirs"
            Column.words "published as"
        ]
        [
            for known, published, row in figures rows ->
                [
                    Panel.text known.Label
                    Panel.optional (row.Value Figures.bytesPerOperation)
                    Panel.number published.Bytes
                    Panel.measured (row.Find Figures.cpuRatio)
                    Panel.number (published.Microseconds / publishedBase)
                    Panel.number published.Microseconds
                    Panel.text published.Variant
                ]
        ]

let private bytes (rows: Row list) =
    Panel.bars
        "bytes-published"
        "Bytes for an operation, then and now"
        "Filled: measured here. Outlined: published for the same way of writing on .NET Core 3."
        (Panel.linear "bytes for an operation (B)"
         |> Panel.rounded Figures.bytesPerOperation.Decimals)
        None
        (Some publication)
        [
            for known, published, row in figures rows do
                match row.Value Figures.bytesPerOperation with
                | None -> ()
                | Some bytes ->
                    { Item.Of(known.Label, known.Family, bytes) with Other = Some published.Bytes }
        ]

/// The published figures beside those of `rows`.
let panels (rows: Row list) : Panel list = [ beside rows; bytes rows ]

/// The scenario.
let scenario: Scenario =
    {
        Name = "yield"
        Title = "Two yields, then a return, by every builder"
        Base = theBase
        Control = "csharp-task-t-again"
        Path = ""
        Expected = "2 yields, then the result"
        ExpectedOf = Map.empty
        ToleratesErrors = false
        Factors = []
        Wrappers = None
        Answer =
            Answer.ofRows [ "strand"; "pooled-value-task"; "fsharp-task"; "fsharp-async" ] "C# async Task<T>"
        Panels = panels
    }

/// Slices are as long as in the other comparisons; a process is warm sooner, because it has little code.
let settings (quick: bool) : Settings =
    if quick then
        { Settings.quickOfMany with
            Http = false
            WarmUp = { FloorMilliseconds = 400; LimitMilliseconds = 1000 }
        }
    else
        { Settings.full with
            Http = false
            WarmUp = { FloorMilliseconds = 800; LimitMilliseconds = 3000 }
        }
