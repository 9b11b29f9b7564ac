// The frame of every verb that runs a scenario: where it writes, its progress, how it is stopped, and how it ends. A
// verb gives its name, its options and the run.
module internal Plait.Tool.ScenarioVerb

open System.CommandLine
open System.IO
open System.Threading

open Plait.Lab
open Plait.Common
open Plait.Report

/// The arguments of a run from the frame.
type ScenarioRun =
    {
        /// The folder whose SDK and commit are noted.
        Root: string
        /// The folder that this run writes to.
        Folder: string
        /// The command as it was typed.
        Command: string
        /// Writes the results so far.
        Save: Results -> unit
        /// Cancelled when the user wants to stop.
        Stop: CancellationToken
    }

    /// The request to the runner of comparisons.
    member this.Request(settings: Settings, rows: RowPlan list) : ComparisonRequest =
        {
            Settings = settings
            Rows = rows
            Generator = CommandLine.selfAs CommandLine.attackWorkerVerb
            Command = this.Command
            Repository = this.Root
        }

/// The run of a verb, with a function for its progress.
type Work = ScenarioRun -> (Progress -> unit) -> Ending * Results

/// Where a run writes, how much the terminal shows of it, and whether it must judge something: --out, --json, --details,
/// --warnings and --require.
type Output =
    {
        Out: Option<string option>
        Json: Option<string option>
        Details: Option<bool>
        Warnings: Option<bool>
        Require: Option<bool>
    }

/// `scenario`: its name, as in the usual folder.
let output (scenario: string) : Output =
    {
        Out =
            Options.text
                "--out"
                "DIR"
                $"the folder to write to; default: artifacts/lab/{scenario}-<time>, with a copy in artifacts/lab/{scenario}-latest"
        Json = Options.json "results.json as well"
        Details =
            Options.flag
                "--details"
                "show every figure, and the scenario's tables with the meaning of their columns; the page always has them"
        Warnings = Options.flag "--warnings" "show every warning instead of their number"
        Require =
            Options.flag
                "--require"
                "end with exit code 3 instead of 0 if the A/A control of every measure misses"
    }

/// In the order in which help shows them.
let outputOptions (output: Output) : Option list =
    [ output.Out; output.Json; output.Details; output.Warnings; output.Require ]

/// Runs a scenario and returns the exit code. `name`: that of the usual folder; `root`: the folder whose SDK and commit are
/// noted; `work` refuses wrong options before anything is written.
let run (name: string) (root: string) (output: Output) (parsed: ParseResult) (work: unit -> Work) : int =
    let json = Options.value parsed output.Json
    let work = work ()
    json |> Option.iter (Files.trial "--json")
    let folder = LabOutput.folder name (Options.value parsed output.Out) root
    use stop = new StopSignal()

    let session =
        {
            Root = root
            Folder = nonNull (Path.GetDirectoryName folder.Json)
            Command = CommandLine.given ()
            Save = folder.WriteJson
            Stop = stop.Token
        }

    let ending, results = LabProgress.run (work session)

    Options.withJson
        json
        (fun () ->
            LabOutput.finish
                {
                    Details = Options.value parsed output.Details
                    Warnings = Options.value parsed output.Warnings
                    Require = Options.value parsed output.Require
                }
                folder
                ending
                results)
        (fun () -> ResultsJson.write results)

/// The verb of a scenario that is built in. `work` gets the command line and the repository, and refuses wrong options.
let make
    (name: string)
    (description: string)
    (options: Option list)
    (work: ParseResult -> string -> Work)
    : Command =
    let output = output name

    Verb.make name description [] (options @ outputOptions output) (fun parsed ->
        let root = LabOutput.root ()
        run name root output parsed (fun () -> work parsed root))
