// Pure: a panel as lines of text, for the terminal. Tables have all of it; plots are for the page.
module Plait.Report.PanelText

open System
open System.Globalization

let private show (column: Column) (cell: Cell) =
    match cell.Text, cell.Number with
    | Some text, _ -> text
    | None, Some number ->
        number.ToString("F" + string (Option.defaultValue 0 column.Digits), CultureInfo.InvariantCulture)
    | None, None -> "-"

/// A title in parts, broken behind hyphens and at spaces.
let private broken (title: string) =
    title.Replace("-", "-\n").Replace(' ', '\n').Split('\n', StringSplitOptions.RemoveEmptyEntries)
    |> List.ofArray

/// The lines of a table, without its title; [] for a panel of another kind. Texts are set left, numbers right. A text in
/// the last column that goes beyond the width of the terminal stands on a line of its own below its row.
let lines (panel: Panel) : string list =
    if panel.Kind <> "table" then
        []
    else
        let cells = panel.Rows |> List.map (List.map2 show panel.Columns)

        let isText = (List.last panel.Columns).Digits.IsNone

        let widthsOf (titles: string list list) =
            titles
            |> List.mapi (fun index title ->
                let widest =
                    title |> List.fold (fun widest part -> max widest (String.length part)) 0

                cells |> List.fold (fun widest row -> max widest row[index].Length) widest)

        let roomOf (widths: int list) =
            max 0 (Wrap.width - (List.sumBy (fun width -> width + 2) widths - List.last widths - 2))

        let whole = panel.Columns |> List.map (fun column -> [ column.Title ])

        // Titles take several lines where one line would be too long; a text in the last column has its own lines then.
        let titles =
            let widths = widthsOf whole

            let last =
                if isText then (List.last panel.Columns).Title.Length else List.last widths

            if last <= roomOf widths then
                whole
            else
                panel.Columns |> List.map (fun column -> broken column.Title)

        let widths = widthsOf titles
        let height = titles |> List.fold (fun highest title -> max highest title.Length) 1
        let room = roomOf widths
        let widths = widths[.. widths.Length - 2] @ [ min room (List.last widths) ]

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
                line (texts[.. texts.Length - 2] @ [ "" ]) :: Wrap.lines "    " last
            else
                [ line texts ]

        [
            for i in 0 .. height - 1 do
                // At the bottom of the heading, above its figures.
                titles
                |> List.map (fun title ->
                    let own = i - (height - title.Length)
                    if own < 0 then "" else title[own])
                |> line
            line (widths |> List.map (fun width -> String('-', width)))
            yield! List.collect row cells
        ]
