// The table of a run on stdout, coloured on a terminal that wants it.
module internal Plait.Tool.LabTable

open System

open Plait.Report


let private colour (kind: Table.Kind) =
    match kind with
    | Table.Good -> Some ConsoleColor.Green
    | Table.Bad -> Some ConsoleColor.Red
    | Table.Remark
    | Table.Heading
    | Table.Plain -> None

/// Writes the table, the warnings and the paths.
let write (results: Results) (paths: string list) : unit =
    let colours =
        not Console.IsOutputRedirected && isNull (Environment.GetEnvironmentVariable "NO_COLOR")

    let line kind (text: string) =
        match colour kind with
        | Some colour when colours ->
            Console.ForegroundColor <- colour
            Console.Out.WriteLine text
            Console.ResetColor()
        | _ -> Console.Out.WriteLine text

    line Table.Plain ""

    if not results.Rows.IsEmpty then
        for kind, text in Table.lines results do
            line kind text

    for panel in results.Panels do
        match PanelText.lines panel with
        | [] -> ()
        | table ->
            line Table.Plain ""
            line Table.Heading panel.Title

            for text in table do
                line Table.Plain text

            for text in Wrap.lines "" panel.Note do
                line Table.Remark text

    if results.Panels |> List.exists (fun panel -> panel.Kind = "table") then
        line Table.Plain ""

    for warning in results.Warnings do
        for text in Wrap.lines "" $"warning: {warning}" do
            line Table.Remark text

    line Table.Plain ""

    for path in paths do
        line Table.Plain path
