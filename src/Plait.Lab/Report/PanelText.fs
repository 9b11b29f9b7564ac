// Pure: a panel as lines of text, for the terminal. Tables have all of it; plots are for the page.
module Plait.Lab.Report.PanelText

open System
open System.Globalization

let private show (column: Column) (cell: Cell) =
    match cell.Text, cell.Number with
    | Some text, _ -> text
    | None, Some number ->
        number.ToString("F" + string (Option.defaultValue 0 column.Digits), CultureInfo.InvariantCulture)
    | None, None -> "-"

/// The lines of a table, without its title; [] for a panel of another kind. Texts are set left, numbers right.
let lines (panel: Panel) : string list =
    if panel.Kind <> "table" then
        []
    else
        let cells = panel.Rows |> List.map (List.map2 show panel.Columns)

        let widths =
            panel.Columns
            |> List.mapi (fun index column ->
                cells |> List.fold (fun widest row -> max widest row[index].Length) column.Title.Length)

        let line (texts: string list) =
            List.map3
                (fun (column: Column) width (text: string) ->
                    if column.Digits.IsSome then text.PadLeft width else text.PadRight width)
                panel.Columns
                widths
                texts
            |> String.concat "  "
            |> _.TrimEnd()

        [
            line (panel.Columns |> List.map _.Title)
            line (widths |> List.map (fun width -> String('-', width)))
            yield! List.map line cells
        ]
