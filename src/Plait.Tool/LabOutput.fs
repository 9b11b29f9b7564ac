// Where a scenario writes, what the terminal shows of it, and how its verb ends: files, table, sentence and exit code.
module internal Plait.Tool.LabOutput

open System
open System.Globalization
open System.IO

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

/// The sentence and the exit code that an ending deserves.
let private conclude (ending: Ending) (results: Results) : int =
    let broken =
        results.Rows
        // A package that cannot be had is a fact about the machine, and no error of the run.
        |> List.filter (fun row -> row.Status = Status.Partial || row.Status = Status.Failed)
        |> List.map _.Id

    let notMeasured names =
        let names = String.concat ", " names
        Endings.complain $"not wholly measured: {names}; the reasons are above and in results.json"
        Endings.failure

    match ending with
    | Stopped ->
        Endings.complain "stopped; what was measured so far is in results.json"
        Endings.failure
    | Broken sentence ->
        Endings.complain $"{sentence.TrimEnd '.'}; what was measured so far is in results.json"
        Endings.failure
    | Completed when not broken.IsEmpty -> notMeasured broken
    | RulesBroken sentence when not broken.IsEmpty ->
        Endings.complain sentence
        notMeasured broken
    | RulesBroken sentence ->
        Endings.complain sentence
        Endings.brokenRule
    | Completed when not results.Judges ->
        Endings.complain "the A/A control did not hold, so nothing is judged; what to do stands above"
        Endings.notJudged
    | Completed -> Endings.success

/// Prints the table and writes all files; what cannot be written costs neither the table nor the other files.
/// `isAllWarnings`: every warning is shown. Returns the exit code.
let finish (isAllWarnings: bool) (output: Folder) (ending: Ending) (results: Results) : int =
    Console.Out.WriteLine()
    ResultsText.lines (Wrap.width ()) isAllWarnings results |> TerminalLines.write
    Console.Out.WriteLine()

    let writing (line: string) (write: unit -> unit) =
        fun () ->
            write ()
            Console.Out.WriteLine line

    let written =
        try
            Files.each
                [
                    writing $"results: {output.Json}" (fun () -> output.WriteJson results)
                    writing $"csv:     {output.Csv}" (fun () -> output.WriteCsv results)
                    writing $"page:    {output.Page}" (fun () -> output.WritePage results)
                    match output.Latest with
                    | Some latest -> writing $"copy:    {latest}" output.CopyToLatest
                    | None -> ()
                ]

            Ok()
        with :? RunFailed as trouble ->
            Error trouble.Message

    let code = conclude ending results

    match written with
    | Ok() -> code
    | Error sentence ->
        Endings.complain sentence
        Endings.failure
