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

/// The lines of a table, without its title; [] for a panel of another kind. Texts are set left, numbers right. A text in
/// the last column that goes beyond the width of the terminal stands on a line of its own below its row.
let lines (panel: Panel) : string list =
    if panel.Kind <> "table" then
        []
    else
        let cells = panel.Rows |> List.map (List.map2 show panel.Columns)

        let widths =
            panel.Columns
            |> List.mapi (fun index column ->
                cells |> List.fold (fun widest row -> max widest row[index].Length) column.Title.Length)

        let before = List.sumBy (fun width -> width + 2) widths - List.last widths - 2
        let room = max 0 (Table.width - before)
        let widths = widths[.. widths.Length - 2] @ [ min room (List.last widths) ]
        let isText = (List.last panel.Columns).Digits.IsNone

        let line (texts: string list) =
            List.map3
                (fun (column: Column) width (text: string) ->
                    if column.Digits.IsSome then text.PadLeft width else text.PadRight width)
                panel.Columns
                widths
                texts
            |> String.concat "  "
            |> _.TrimEnd()

        let row (texts: string list) =
            let last = List.last texts

            if isText && last.Length > room then
                line (texts[.. texts.Length - 2] @ [ "" ]) :: Table.wrap "    " last
            else
                [ line texts ]

        [
            yield! row (panel.Columns |> List.map _.Title)
            line (widths |> List.map (fun width -> String('-', width)))
            yield! List.collect row cells
        ]
