// Pure: a panel of the kind "table" as lines of text for the terminal, 120 columns at most.
module Plait.Lab.Report.PanelTable

open System.Globalization

let private shown (column: Column) (cell: Cell) =
    match cell.Text, cell.Number, column.Digits with
    | Some text, _, _ -> text
    | None, Some value, Some digits -> value.ToString("F" + string digits, CultureInfo.InvariantCulture)
    | None, Some value, None -> value.ToString CultureInfo.InvariantCulture
    | None, None, _ -> if column.Digits.IsSome then "-" else ""

/// Breaks a title at hyphens and spaces so that narrow figures need no wide columns.
let private headings (width: int) (title: string) =
    let rec go (lines: string list) (current: string) (pieces: string list) =
        match pieces with
        | [] -> List.rev (current :: lines)
        | piece :: rest when current = "" || current.Length + piece.Length <= width ->
            go lines (current + piece) rest
        | pieces -> go (current :: lines) "" pieces

    title.Replace("-", "-\n").Replace(" ", " \n").Split '\n'
    |> List.ofArray
    |> go [] ""
    |> List.map _.Trim()

/// The lines of a table: its title, its columns, its rows, and its note.
let lines (panel: Panel) : string list =
    let cells = panel.Rows |> List.map (fun row -> List.map2 shown panel.Columns row)

    let needed =
        panel.Columns
        |> List.mapi (fun i _ -> cells |> List.fold (fun widest row -> max widest row[i].Length) 4)

    let titles =
        List.map2 (fun (column: Column) width -> headings (max width 11) column.Title) panel.Columns needed

    let widths =
        List.map2 (fun width title -> title |> List.fold (fun widest line -> max widest (String.length line)) width) needed titles

    let line (texts: string list) =
        List.zip3 panel.Columns widths texts
        |> List.map (fun (column, width, text: string) ->
            if column.Digits.IsSome then text.PadLeft width else text.PadRight width)
        |> String.concat "  "
        |> _.TrimEnd()

    let height = titles |> List.fold (fun highest title -> max highest title.Length) 1

    let headingAt i =
        titles
        |> List.map (fun title ->
            // At the bottom of the heading, above its figures.
            let from = i - (height - title.Length)
            if from < 0 then "" else title[from])

    [
        ""
        panel.Title
        for i in 0 .. height - 1 do
            line (headingAt i)
        line (widths |> List.map (fun width -> String.replicate width "-"))
        for row in cells do
            line row
        yield! Table.wrap "" panel.Note
    ]
