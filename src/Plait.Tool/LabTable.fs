// What the terminal shows of a run, coloured where it wants that: the answer first.
module internal Plait.Tool.LabTable

open System

open Plait.Report

let private colour (kind: ResultsText.Kind) =
    match kind with
    | ResultsText.Good -> Some ConsoleColor.Green
    | ResultsText.Bad -> Some ConsoleColor.Red
    | ResultsText.Heading
    | ResultsText.Plain -> None

/// Writes lines.
let writeLines (lines: (ResultsText.Kind * string) list) : unit =
    let colours =
        not Console.IsOutputRedirected && isNull (Environment.GetEnvironmentVariable "NO_COLOR")

    for kind, text in lines do
        match colour kind with
        | Some colour when colours ->
            Console.ForegroundColor <- colour
            Console.Out.WriteLine text
            Console.ResetColor()
        | _ -> Console.Out.WriteLine text

/// Writes the results and the paths. `isAllWarnings`: every warning, not only how many there are.
let write (isAllWarnings: bool) (results: Results) (paths: string list) : unit =
    Console.Out.WriteLine()
    ResultsText.lines (Wrap.width ()) isAllWarnings results |> writeLines
    Console.Out.WriteLine()

    for path in paths do
        Console.Out.WriteLine path
