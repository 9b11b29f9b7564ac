// The output of a scenario: its files, its table on the terminal, and the sentence and exit code of its verb.
module internal Plait.Tool.LabOutput

open System
open System.Collections.Generic
open System.Globalization
open System.IO

open Plait.Common
open Plait.Report

open Plait.Lab

/// The folder whose SDK and commit are noted, and below which results are written: the repository that the tool or the
/// current folder lies in, else the current folder.
let root () : string =
    let current = Directory.GetCurrentDirectory()

    Candidate.repository AppContext.BaseDirectory
    |> Option.orElse (Candidate.repository current)
    |> Option.defaultValue current

/// The folder that the user names, or artifacts/lab/NAME-<time> with a copy in NAME-latest.
let folder (name: string) (named: string option) (root: string) : Folder =
    match named with
    | Some path -> Folder.Create(Path.GetFullPath path, None)
    | None ->
        let lab = Path.Combine(root, "artifacts", "lab")
        let time = DateTime.UtcNow.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture)
        Folder.Create(Path.Combine(lab, $"{name}-{time}"), Some(Path.Combine(lab, $"{name}-latest")))

/// The results in a file, or in the results.json of a folder.
let read (path: string) : Results =
    let file =
        if Directory.Exists path then Path.Combine(path, "results.json") else path

    ResultsJson.read file (Files.text "results.json" file)

/// The user's options for the end of a run.
type OutputRequest =
    {
        /// Every figure and table is shown.
        Details: bool
        /// Every warning is shown.
        Warnings: bool
        /// Something must have been judged.
        Require: bool
    }

/// The sentence and the exit code of an ending.
let private conclude (asked: OutputRequest) (ending: Ending) (results: Results) : int =
    let broken =
        results.Rows
        // An unavailable package is a fact about the machine, and no error of the run.
        |> List.filter (fun row -> row.Status = Status.Partial || row.Status = Status.Failed)
        |> List.map _.Id

    let notMeasured names =
        let names = String.concat ", " names
        Endings.complain $"not wholly measured: {names}; the reasons are on the page and in results.json"
        Endings.failure

    match ending with
    | Stopped ->
        Endings.complain "stopped; results.json has the figures so far"
        Endings.failure
    | Broken sentence ->
        Endings.complain $"{sentence.TrimEnd '.'}; results.json has the figures so far"
        Endings.failure
    | Completed when not broken.IsEmpty -> notMeasured broken
    | RulesBroken sentence when not broken.IsEmpty ->
        Endings.complain sentence
        notMeasured broken
    | RulesBroken sentence ->
        Endings.complain sentence
        Endings.brokenRule
    | Completed when asked.Require && not results.Judges ->
        Endings.complain
            "--require: the A/A control of every measure missed, so no measure is judged; the note above names the next step"

        Endings.notJudged
    | Completed -> Endings.success

/// A path as short as it may be from here.
let private near (path: string) : string =
    let fromHere = Path.GetRelativePath(Directory.GetCurrentDirectory(), path)
    if fromHere.StartsWith ".." then path else fromHere

/// The lines of the screen besides the results: empty lines, the two of the files, and the prompt.
let private linesBeside = 5

/// Prints the first screen, or everything, and writes all files; a file that fails stops neither the screen nor the
/// other files. Returns the exit code.
let finish (asked: OutputRequest) (output: Folder) (ending: Ending) (results: Results) : int =
    Console.Out.WriteLine()
    let width = Wrap.width ()

    TerminalLines.write (
        if asked.Details then
            ResultsText.lines width asked.Warnings results
        else
            FirstScreen.lines width (Wrap.height () - linesBeside) asked.Warnings results
    )

    Console.Out.WriteLine()

    let data = List<string>()

    let writing name (write: Results -> unit) =
        fun () ->
            write results
            data.Add name

    let written =
        try
            Files.each
                [
                    fun () ->
                        output.WritePage results
                        Console.Out.WriteLine $"page:    {near output.LastPage}"
                    writing "results.json" output.WriteJson
                    writing "results.csv" output.WriteCsv
                    output.CopyToLatest
                ]

            Ok()
        with :? RunFailed as trouble ->
            Error trouble.Message

    if data.Count > 0 then
        let names = String.concat " and " data
        let more = if asked.Details then "" else "; --details shows all"
        Console.Out.WriteLine $"results: {names} beside it{more}"

    let code = conclude asked ending results

    match written with
    | Ok() -> code
    | Error sentence ->
        Endings.complain sentence
        Endings.failure
