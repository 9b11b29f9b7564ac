// The verb that writes a scenario for other tools, which run it on several machines.
module internal Plait.Tool.LabExportVerb

open System
open System.CommandLine
open System.IO

open Plait.Report

open Plait.Lab

let private scenario =
    Argument<string>(
        "SCENARIO",
        Description = "a file of a scenario (docs/own-scenario.md), or fizzbuzz, which is built in",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> "fizzbuzz")
    )

/// The tools that scenarios are written for.
type private Tool =
    | ForCrank
    | ForK6
    | ForVegeta

let private toTool =
    Options.choiceOr
        "write one of them"
        "--to"
        [ "crank", ForCrank; "k6", ForK6; "vegeta", ForVegeta ]
        "for which tool"

let private out =
    Options.text "--out" "FILE" "write to this file; default: to stdout"

let private target =
    Options.text "--target" "URL" "with vegeta: where the server is (default: http://127.0.0.1:5000)"

let private candidates =
    LabOptions.candidates "with fizzbuzz: the folder that the candidates lie in"

let private read (parsed: ParseResult) : ScenarioFile =
    match parsed.GetRequiredValue scenario with
    | "fizzbuzz" when not (File.Exists "fizzbuzz") ->
        let folder = LabOptions.candidatesFolder parsed candidates
        Candidate.discover folder |> Portable.fizzBuzz (Path.GetFullPath folder)
    | path -> UserScenarioReader.read path (Files.text "a scenario" path)

let private run (parsed: ParseResult) : int =
    let file = read parsed
    let output = Options.value parsed out

    let text, hint =
        match Options.value parsed toTool with
        | None ->
            raise (BadInput "'export' needs --to crank, k6 or vegeta: the tool that the scenario is for")
        | Some ForCrank ->
            let tool = Path.TrimEndingDirectorySeparator AppContext.BaseDirectory
            Crank.write tool file, "crank --config FILE --scenario NAME --profile three-machines"
        | Some ForK6 -> K6.write file, "TARGET=http://server:5000 k6 run FILE"
        | Some ForVegeta ->
            let target =
                Options.value parsed target
                |> Option.defaultValue $"http://127.0.0.1:{Portable.serverPort}"

            Vegeta.write (target.TrimEnd '/') file, Vegeta.command file "FILE"

    match output with
    | None -> Console.Out.Write text
    | Some path ->
        Files.write path text
        Console.Out.WriteLine(hint.Replace("FILE", path))

    Endings.success

/// plait lab export
let command () : Command =
    Verb.make
        "export"
        "Write a scenario for a tool that runs it on several machines: a configuration of crank, a script of k6, or targets of vegeta."
        [ scenario ]
        [ toTool; out; target; candidates ]
        run
