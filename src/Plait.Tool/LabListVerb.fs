// The verb that lists the candidates.
module internal Plait.Tool.LabListVerb

open System
open System.CommandLine
open System.IO

open Plait.Lab.Report
open Plait.Lab.Scenarios

let private show (candidates: Candidate list) =
    let widest = candidates |> List.map _.Name.Length |> List.max
    let indent = String(' ', widest + 2)

    for candidate in candidates do
        let library =
            candidate.Library |> Option.map (fun library -> $" [{library}]") |> Option.defaultValue ""

        let factor = if candidate.HasSyncFn then " Also with +sync-fn." else ""

        let text =
            $"{candidate.Label}{library}: {candidate.Description.TrimEnd '.'}.{factor}"

        match Table.wrap indent text with
        | first :: rest ->
            Console.Out.WriteLine(candidate.Name.PadRight(widest + 2) + first.Substring indent.Length)

            for line in rest do
                Console.Out.WriteLine line
        | [] -> ()

/// plait lab list
let command () : Command =
    let folder =
        Options.text "--candidates" "DIR" "the folder that the candidates lie in, a folder each"

    let command = Command("list", "List the candidates that can be compared.")
    command.Options.Add folder

    command.SetAction(fun (parsed: ParseResult) ->
        Endings.guard (fun () ->
            Options.value parsed folder
            |> Option.defaultWith (fun () ->
                Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory()))
            |> Candidate.discover
            |> show

            Endings.success))

    command
