// Pure: a table as lines of text, each column as wide as its widest cell.
module Plait.Report.Aligned

open System

/// A column: its heading, and whether its cells stand on the right.
type Heading = { Title: string; Right: bool }

/// A column of texts.
let left (title: string) : Heading = { Title = title; Right = false }

/// A column of numbers.
let right (title: string) : Heading = { Title = title; Right = true }

/// The lines: headings, a rule, and a line for each row. Every row has a cell for each column.
let lines (headings: Heading list) (rows: string list list) : string list =
    let widths =
        headings
        |> List.mapi (fun index heading ->
            rows
            |> List.fold (fun widest row -> max widest (List.item index row).Length) heading.Title.Length)

    let line (cells: string list) =
        List.map3
            (fun heading (width: int) (cell: string) ->
                if heading.Right then cell.PadLeft width else cell.PadRight width)
            headings
            widths
            cells
        |> String.concat "  "
        |> _.TrimEnd()

    [
        line (headings |> List.map _.Title)
        line (widths |> List.map (fun width -> String('-', width)))
        yield! rows |> List.map line
    ]

/// Lines of cells with two spaces between the columns.
let columns (rows: string list list) : string list =
    let width at =
        rows
        |> List.map (fun row -> if at + 1 < row.Length then row[at].Length else 0)
        |> List.max

    let widths =
        [ for at in 0 .. (rows |> List.map _.Length |> List.max) - 1 -> width at ]

    rows
    |> List.map (fun row ->
        row
        |> List.mapi (fun at cell -> if at + 1 < row.Length then cell.PadRight(widths[at] + 2) else cell)
        |> String.concat ""
        |> _.TrimEnd())
