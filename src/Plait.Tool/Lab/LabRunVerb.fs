// The verb that runs a user's own scenario from a file.
module internal Plait.Tool.LabRunVerb

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Lab

let private scenarioFile =
    Argument<string>("FILE.json", Description = "the scenario; docs/own-scenario.md describes it")

let private quick =
    LabOptions.quick
        "one launch, two pairs of half a second and a short warm-up: it tries the file; its figures are too rough to use"

let private stopping: LabOptions.Stopping =
    {
        Launches =
            LabOptions.launches
                "how often every candidate and the base are started anew and measured, in place of the file's number"
        Width = LabOptions.widthOr "the file's, or none"
        Margin = LabOptions.marginOr "the file's, or 0.03"
    }

let private checkOnly =
    Options.flag "--check" "read the file, list its rows, and run nothing"

let private output = ScenarioVerb.output "<name>"

let private settings (parsed: ParseResult) (given: Settings) : Settings =
    let preset =
        if Options.value parsed quick then
            { given with
                Launches = 1
                Width = None
                BudgetSeconds = None
                Pairs = 2
                SliceMilliseconds = min given.SliceMilliseconds 500
                HttpWarmUp =
                    {
                        FloorMilliseconds = min given.HttpWarmUp.FloorMilliseconds 800
                        LimitMilliseconds = min given.HttpWarmUp.LimitMilliseconds 3000
                    }
            }
        else
            given

    LabOptions.stopping stopping parsed preset

let private show (file: ScenarioFile) =
    [
        for service in file.Services do
            [ "service"; service.Name ]

        for row in UserScenarioRows.rows file do
            let role =
                if row = file.Base then " (base)"
                elif row = UserScenarioRows.control file then " (A/A control)"
                else ""

            [ "row"; row + role ]
    ]
    |> TextTable.columns
    |> List.iter Console.Out.WriteLine

let private run (parsed: ParseResult) : int =
    let path = parsed.GetRequiredValue scenarioFile
    let file = UserScenarioReader.read path (Files.text "a scenario" path)

    if Options.value parsed checkOnly then
        show file
        Endings.success
    else
        let current = Directory.GetCurrentDirectory()
        let root = Candidate.repository current |> Option.defaultValue current
        let file = { file with Settings = settings parsed file.Settings }

        ScenarioVerb.run file.Name root (ScenarioVerb.read output parsed) (fun session tell ->
            UserScenario.run
                file
                (CommandLine.selfAs CommandLine.attackWorkerVerb)
                session.Command
                root
                tell
                session.Save
                session.Stop)

/// plait lab run
let command () : Command =
    Verb.make
        "run"
        "Run a scenario of your own from a file: start its programs, load each in pairs with a base, and report CPU and bytes for a request, latency, threads and queue. Options override the file."
        [ scenarioFile ]
        ([
            quick :> System.CommandLine.Option
            checkOnly
            stopping.Launches
            stopping.Width
            LabOptions.budget
            stopping.Margin
         ]
         @ ScenarioVerb.outputOptions output)
        run
