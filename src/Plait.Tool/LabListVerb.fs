// The verb that lists the candidates.
module internal Plait.Tool.LabListVerb

open System
open System.CommandLine
open System.IO

open Plait.Report

open Plait.Lab.Scenarios

let private show (candidates: Candidate list) (rivals: Rival list) =
    let pins =
        Map [ for rival in rivals -> rival.Candidate.Name, $" [package {rival.Package} {rival.Version}]" ]

    let candidates = candidates @ (rivals |> List.map _.Candidate)
    let widest = candidates |> List.map _.Name.Length |> List.max
    let indent = String(' ', widest + 2)

    for candidate in candidates do
        let library =
            Map.tryFind candidate.Name pins
            |> Option.orElse (candidate.Library |> Option.map (fun library -> $" [{library}]"))
            |> Option.defaultValue ""

        let factor = if candidate.HasSyncFn then " Also with +sync-fn." else ""

        let text =
            $"{candidate.Label}{library}: {candidate.Description.TrimEnd '.'}.{factor}"

        match Wrap.lines indent text with
        | first :: rest ->
            Console.Out.WriteLine(candidate.Name.PadRight(widest + 2) + first.Substring indent.Length)

            for line in rest do
                Console.Out.WriteLine line
        | [] -> ()

let private folder =
    LabOptions.candidates "the folder that the candidates lie in, a folder each"

let private run (parsed: ParseResult) : int =
    let current = Directory.GetCurrentDirectory()

    match Options.value parsed folder with
    | Some folder -> show (Candidate.discover folder) []
    | None ->
        let root =
            Candidate.repository AppContext.BaseDirectory
            |> Option.orElse (Candidate.repository current)

        show
            (Candidate.discover (Candidate.defaultFolder AppContext.BaseDirectory current))
            (root |> Option.map Rival.discover |> Option.defaultValue [])

    Endings.success

/// plait lab list
let command () : Command =
    Verb.make "list" "List the candidates that can be compared." [] [ folder ] run
