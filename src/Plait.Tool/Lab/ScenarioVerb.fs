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

/// --out, --json, --details, --warnings and --require.
type OutputOptions =
    {
        Out: Option<string option>
        Json: Option<string option>
        Details: Option<bool>
        Warnings: Option<bool>
        Require: Option<bool>
    }

/// Where a run writes, and how it ends.
type Output =
    {
        /// The folder to write to; None: the usual one.
        Folder: string option
        /// A further file of the results, `-` for standard output.
        Json: string option
        End: LabOutput.OutputRequest
    }

/// `scenario`: its name, as in the usual folder.
let output (scenario: string) : OutputOptions =
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
let outputOptions (options: OutputOptions) : Option list =
    [ options.Out; options.Json; options.Details; options.Warnings; options.Require ]

/// The output of a command line.
let read (options: OutputOptions) (parsed: ParseResult) : Output =
    {
        Folder = Options.value parsed options.Out
        Json = Options.value parsed options.Json
        End =
            {
                Details = Options.value parsed options.Details
                Warnings = Options.value parsed options.Warnings
                Require = Options.value parsed options.Require
            }
    }

/// Runs a scenario and returns the exit code. `name`: that of the usual folder; `root`: the folder whose SDK and commit are
/// noted.
let run (name: string) (root: string) (output: Output) (work: Work) : int =
    output.Json |> Option.iter (Files.trial "--json")
    let folder = LabOutput.folder name output.Folder root
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

    Options.withJson output.Json (fun () -> LabOutput.finish output.End folder ending results) (fun () ->
        ResultsJson.write results)

/// The verb of a scenario that is built in. `work` gets the command line and the repository, and refuses wrong options before
/// anything is written.
let make
    (name: string)
    (description: string)
    (options: Option list)
    (work: ParseResult -> string -> Work)
    : Command =
    let output = output name

    Verb.make name description [] (options @ outputOptions output) (fun parsed ->
        let root = LabOutput.root ()
        run name root (read output parsed) (work parsed root))
