// Pure: the effects of defects of a published measurement, as a table and a plot of rows that were measured with one
// of them on against the same row without it.
module internal Plait.Lab.EffectPanels

open Plait.Common
open Plait.Report

let private verdict (row: Row) =
    match row.Find Figures.httpCpuRatio with
    | Some { Verdict = Some verdict } -> Verdict.word verdict
    | Some _ -> ""
    | None -> Word.ofCase row.Status

/// The table and the plot; none without rows. `name`: the defect of a row; `columns`: those of the table besides it
/// and the verdict; `about`: further words about a row in the plot.
let all
    (title: string)
    (note: string)
    (name: Row -> string)
    (columns: (Column * (Row -> Cell)) list)
    (about: Row -> string option)
    (rows: Row list)
    : Panel list =
    let columns =
        [
            Column.words "defect", name >> Panel.text
            yield! columns
            Column.words "verdict", verdict >> Panel.text
        ]

    let items =
        rows
        |> List.choose (fun row ->
            row.Find Figures.httpCpuRatio
            |> Option.map (fun ratio -> { Item.Of(name row, row.Family, ratio) with Note = about row }))

    [
        if not rows.IsEmpty then
            Panel.table
                "effects"
                title
                note
                (List.map fst columns)
                [ for row in rows -> [ for _, cell in columns -> cell row ] ]

        if not items.IsEmpty then
            Panel.forest
                "effects-cpu"
                "CPU for a request with a defect on, over off"
                "1 is no difference; an interval that crosses 1 shows none."
                (Panel.log "CPU ratio, on over off" |> Panel.rounded Figures.httpCpuRatio.Decimals)
                None
                None
                items
    ]

/// Why rows are not, or not wholly, measured.
let warnings (rows: Row list) : string list =
    rows
    |> List.choose (fun row -> row.Reason |> Option.map (fun reason -> $"{row.Id}: {reason}"))
