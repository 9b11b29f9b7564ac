// The one writer of tables for the terminal: plain lines of text, each column as wide as its widest cell. Where there is
// no room, columns are left out by rank; no word is ever broken.
module Plait.Common.TextTable

open System

/// A column: its heading, whether its cells are aligned to the right, and its rank. A narrow table leaves out columns of the highest
/// rank first, and keeps columns of rank 0.
type Heading = { Title: string; Right: bool; Rank: int }

/// A column of texts, which stays.
let left (title: string) : Heading =
    { Title = title; Right = false; Rank = 0 }

/// A column of numbers, which stays.
let right (title: string) : Heading = { left title with Right = true }

/// The column, to be left out by rank.
let ranked (rank: int) (heading: Heading) : Heading = { heading with Rank = rank }

let private gap = 2

let private widthOf (columns: (Heading * string list) list) =
    columns
    |> List.sumBy (fun (heading, cells) ->
        cells |> List.fold (fun widest cell -> max widest cell.Length) heading.Title.Length)
    |> (+) (gap * (columns.Length - 1))

let rec private fitting width (columns: (Heading * string list) list) =
    let worst =
        columns |> List.fold (fun worst (heading, _) -> max worst heading.Rank) 0

    if worst = 0 || widthOf columns <= width then
        columns
    else
        // Of the columns of one rank the last one is left out first.
        let index = columns |> List.findIndexBack (fun (heading, _) -> heading.Rank = worst)
        fitting width (List.removeAt index columns)

/// The lines of a table for `width` columns (headings, a rule, a line for each row), and the headings that were left out
/// for lack of width. Columns of a rank in which all cells are empty are left out as well. If the last column does not fit, its
/// text is below its row; if the first column does not fit, it is cut.
let within (width: int) (headings: Heading list) (rows: string list list) : string list * string list =
    let all =
        headings |> List.mapi (fun at heading -> heading, rows |> List.map (List.item at))

    let used =
        all
        |> List.filter (fun (heading, cells) ->
            heading.Rank = 0
            || cells.IsEmpty
            || cells |> List.exists (fun cell -> cell <> "" && cell <> "-"))

    let lastHeading, lastCells = List.last used
    let hasText = used.Length > 1 && not lastHeading.Right

    // A long text at the end has lines of its own, so that it takes no figure's room.
    let isBelow =
        hasText
        && widthOf used > width
        && lastCells |> List.exists (fun cell -> cell.Length > lastHeading.Title.Length + 12)

    let body = if isBelow then List.removeAt (used.Length - 1) used else used
    let shown = fitting width body

    let widths =
        shown
        |> List.map (fun (heading, cells) ->
            cells |> List.fold (fun widest cell -> max widest cell.Length) heading.Title.Length)

    let widths =
        match widths with
        | first :: rest ->
            let over = first + List.sumBy ((+) gap) rest - width
            (if over > 0 then max 8 (first - over) else first) :: rest
        | [] -> []

    let line (cells: string list) =
        List.map3
            (fun (heading: Heading, _) (width: int) (cell: string) ->
                let cell = if cell.Length > width then cell.Substring(0, width - 1) + "~" else cell
                if heading.Right then cell.PadLeft width else cell.PadRight width)
            shown
            widths
            cells
        |> String.concat (String(' ', gap))
        |> _.TrimEnd()

    let leftOut =
        body
        |> List.map fst
        |> List.filter (fun heading -> shown |> List.forall (fun (other, _) -> other <> heading))

    [
        line (shown |> List.map (fun (heading, _) -> heading.Title))
        line (widths |> List.map (fun width -> String('-', width)))

        for at in 0 .. rows.Length - 1 do
            line (shown |> List.map (fun (_, cells) -> cells[at]))

            if isBelow && lastCells[at] <> "" then
                yield! Wrap.within width "    " lastCells[at]
    ],
    leftOut |> List.map _.Title

/// The line about columns that did not fit; none if all fit. `elsewhere`: the place that has them.
let omission (width: int) (elsewhere: string) (leftOut: string list) : string list =
    match leftOut with
    | [] -> []
    | leftOut ->
        let names = String.concat ", " leftOut
        Wrap.within width "" $"Left out for lack of width{elsewhere}: {names}."

/// The end of a note about rows that only the page of a run has.
let onThePage = ", and on the page"

/// The lines of a table for the terminal, and a line about the columns that did not fit.
let lines (headings: Heading list) (rows: string list list) : string list =
    let width = Wrap.width ()
    let lines, leftOut = within width headings rows
    lines @ omission width "" leftOut

// The least room for descriptions behind their names.
let private leastRoom = 12

/// Names with their descriptions, in a column behind the longest name, in which they wrap: the lines of each. Where there is no
/// room for such a column, each description stands below its name.
let describedEach (width: int) (named: (string * string) list) : string list list =
    let widest = named |> List.fold (fun widest (name, _) -> max widest name.Length) 0

    let indent = String(' ', widest + gap)

    [
        for name, words in named do
            if width - indent.Length < leastRoom then
                let start = String(' ', name.Length - name.TrimStart().Length)
                Wrap.within width start name @ Wrap.within width (start + "    ") words
            else

                let lines = Wrap.within width indent words
                name.PadRight indent.Length + lines.Head.Substring indent.Length :: lines.Tail
    ]

/// The same, all lines.
let described (width: int) (named: (string * string) list) : string list =
    describedEach width named |> List.concat

/// Lines of cells without headings, two spaces between the columns; the last cell of a line is as long as it is.
let columns (rows: string list list) : string list =
    let widthAt at =
        rows
        |> List.fold (fun widest row -> if at + 1 < row.Length then max widest row[at].Length else widest) 0

    let widths =
        [ for at in 0 .. (rows |> List.map _.Length |> List.max) - 1 -> widthAt at ]

    rows
    |> List.map (fun row ->
        row
        |> List.mapi (fun at cell -> if at + 1 < row.Length then cell.PadRight(widths[at] + gap) else cell)
        |> String.concat ""
        |> _.TrimEnd())
