// The list of .NET processes as a table for the terminal.
module Plait.Doctor.ProcessTable

open Plait.Common

let private headings =
    [
        TextTable.right "pid"
        TextTable.left "name"
        TextTable.right "threads"
        TextTable.right "CPU %"
        TextTable.left "command" |> TextTable.ranked 1
    ]

let private orNothing (shown: 'T -> string) (figure: 'T option) =
    figure |> Option.map shown |> Option.defaultValue "-"

/// A command line, shortened to one line in its middle: programs differ at the end, and some command lines fill a screen.
let private command width (line: ProcessLine) : string =
    let text = line.Facts.CommandLine
    let room = max 20 (width - 8)

    if text.Length <= room then
        text
    else
        let first = (room - 5) / 3
        let last = room - 5 - first
        text.Substring(0, first) + " ... " + text.Substring(text.Length - last)

let private cells width (line: ProcessLine) : string list =
    [
        string line.Facts.Pid
        line.Facts.Name
        line.Threads |> orNothing string
        line.CpuPercent |> orNothing (fun percent -> percent.ToString "0.0")
        command width line
    ]

/// The lines for `width` columns: those with most threads first, because a starved pool adds threads.
let lines (width: int) (processes: ProcessLine list) : (LineKind * string) list =
    match processes with
    | [] ->
        [
            LineKind.Plain, "No .NET process of this user runs here."
            LineKind.Faint,
            "Processes of other users are visible to these users and to root; for containers see docs/how-to/doctor-in-containers.md."
        ]
    | processes ->
        let rows =
            processes
            |> List.sortBy (fun line -> -(line.Threads |> Option.defaultValue 0), line.Facts.Pid)
            |> List.map (cells width)

        let table, _ = TextTable.within width headings rows

        [
            for line in table do
                LineKind.Plain, line

            for line in processes do
                match line.Trouble with
                | Some trouble ->
                    for part in Wrap.within width "" $"{line.Facts.Pid}: {trouble}." do
                        LineKind.Faint, part
                | None -> ()
        ]
