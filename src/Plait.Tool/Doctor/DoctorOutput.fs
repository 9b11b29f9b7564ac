// The output of the verbs of the doctor: a diagnosis on the terminal and in files, and the exit codes of verdicts.
module internal Plait.Tool.DoctorOutput

open System
open System.CommandLine

open Plait.Common
open Plait.Report

open Plait.Doctor

/// The pool starves or stands before a lock, a thread hangs, or the program that was started has failed.
let private sick = Endings.failure

/// There is no verdict.
let private unknown = Endings.badInput

let json = Options.json "the diagnosis"

let html = Options.text "--html" "FILE" "write a page of the diagnosis to this file"

/// The files that a diagnosis is written to, `-` for standard output.
type Outputs =
    {
        Json: string option
        Html: string option
    }

    /// Whether the JSON goes to standard output, which then has the JSON alone.
    member this.TakesStandardOutput = this.Json = Some Files.standardOutput

/// The files of a command line. Raises BadInput for a file that cannot be written, before the process is examined.
let requested (parsed: ParseResult) : Outputs =
    let outputs = { Json = Options.value parsed json; Html = Options.value parsed html }

    for name, file in [ "--json", outputs.Json; "--html", outputs.Html ] do
        file |> Option.iter (Files.trial name)

    outputs

let private exitCode (verdict: Verdict) : int =
    match verdict with
    | Verdict.Starved
    | Verdict.LockConvoy
    | Verdict.Hung
    | Verdict.Failed -> sick
    | Verdict.NoAnswer -> unknown
    | Verdict.Healthy
    | Verdict.CpuBound
    | Verdict.Late -> Endings.success

/// Shows a diagnosis on the terminal.
let show (diagnosis: Diagnosis) : unit =
    DiagnosisText.lines (Wrap.width ()) diagnosis |> TerminalLines.write

let private writePage (file: string) (diagnosis: Diagnosis) =
    let results =
        DiagnosisPage.results (CommandLine.given ()) diagnosis.Evidence.Readings diagnosis

    Files.writing file (fun () -> Page.write file results)
    Console.Out.WriteLine $"page: {file}"

/// Runs `action`, which shows a diagnosis and returns it, and writes the files. Returns the exit code of the verdict.
/// Where there is no diagnosis, the files stay as they are.
let writing (outputs: Outputs) (action: unit -> Diagnosis) : int =
    let diagnosis = Options.besideJson outputs.Json action

    Options.withJson
        outputs.Json
        (fun () -> outputs.Html |> Option.iter (fun page -> writePage page diagnosis))
        (fun () -> DiagnosisJson.write diagnosis)

    exitCode diagnosis.Verdict

/// Runs a verb so that every failure before its verdict ends in the exit code for that. `verb` returns the exit code.
let guarded (verb: unit -> int) : int =
    let mutable code = unknown

    Endings.guard (fun () ->
        try
            code <- verb ()
            code
        with
        | :? CannotAttach as trouble ->
            Endings.complain trouble.Message
            unknown
        | :? RunFailed as trouble ->
            Endings.complain trouble.Message
            code <- sick
            sick)
    |> ignore

    code
