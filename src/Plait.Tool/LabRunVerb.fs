// The verb that runs a user's own scenario: reads the file, runs it, shows the table, writes the files.
module internal Plait.Tool.LabRunVerb

open System
open System.CommandLine
open System.Globalization
open System.IO

open Plait.Report

open Plait.Lab.Scenarios

let private scenarioFile =
    Argument<string>("FILE.json", Description = "the scenario; docs/own-scenario.md describes it")

let private quick =
    LabOptions.quick
        "one launch, two pairs of half a second and a short warm-up: whether the file works, not what it costs"

let private width =
    LabOptions.width "in place of what the file says: make launches until every interval is at most this wide"

let private budget =
    Options.duration "--budget" "in place of what the file says: the time that launches may take"

let private margin =
    LabOptions.margin "in place of what the file says: the difference that counts"

let private launches =
    LabOptions.launches "in place of what the file says: fresh processes of every candidate and of the base"

let private out =
    Options.text "--out" "DIR" "the folder to write to; default: artifacts/lab/<name>-<time>"

let private checkOnly =
    Options.flag "--check" "read the file, say which rows it has, and run nothing"

let private settings (parsed: ParseResult) (file: ScenarioFile) : Settings =
    let given = file.Settings
    let least (value: int) (most: int) = min value most

    let given =
        if Options.value parsed quick then
            { given with
                Launches = 1
                Width = None
                Pairs = 2
                SliceMilliseconds = least given.SliceMilliseconds 500
                HttpWarmUp =
                    {
                        FloorMilliseconds = least given.HttpWarmUp.FloorMilliseconds 800
                        LimitMilliseconds = least given.HttpWarmUp.LimitMilliseconds 3000
                    }
            }
        else
            given

    { StopRule.ask (Options.value parsed width) (Options.value parsed launches) given with
        BudgetSeconds = Options.value parsed budget |> Option.orElse given.BudgetSeconds
        Margin = Options.valueOr given.Margin parsed margin
    }

let private folder (parsed: ParseResult) (name: string) : Folder =
    let path =
        Options.value parsed out
        |> Option.defaultWith (fun () ->
            let time = DateTime.UtcNow.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture)
            Path.Combine("artifacts", "lab", $"{name}-{time}"))

    Folder.Create(Path.GetFullPath path, None)

let private show (file: ScenarioFile) =
    for service in file.Services do
        Console.Out.WriteLine $"service    {service.Name}"

    for row in UserScenarioRows.rows file do
        let role =
            if row = file.Base then " (base)"
            elif row = UserScenarioRows.control file then " (A/A control)"
            else ""

        Console.Out.WriteLine $"row        {row}{role}"

let private execute (parsed: ParseResult) (file: ScenarioFile) : int =
    let output = folder parsed file.Name
    use stop = new StopSignal.StopSignal()
    let current = Directory.GetCurrentDirectory()

    let ending, results =
        LabProgress.run (fun tell ->
            UserScenario.run
                { file with Settings = settings parsed file }
                (CommandLine.selfAs CommandLine.attackWorkerVerb)
                (CommandLine.given ())
                (Candidate.repository current |> Option.defaultValue current)
                tell
                output.WriteJson
                stop.Token)

    LabOutput.finish output None ending results

let private run (parsed: ParseResult) : int =
    let path = parsed.GetRequiredValue scenarioFile
    let file = ScenarioReader.read path (LabFiles.read "a scenario" path)

    if Options.value parsed checkOnly then
        show file
        Endings.success
    else
        execute parsed file

/// plait lab run
let command () : Command =
    Verb.make
        "run"
        "Run a scenario of your own from a file: programs are started, loaded in pairs against a base, and reported by CPU and bytes for a request, latency, threads and queue."
        [ scenarioFile ]
        [ quick; checkOnly; width; budget; margin; launches; out ]
        run
