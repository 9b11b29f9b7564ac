// The output of the verbs of the doctor: a diagnosis on the terminal and in files, and the exit codes of verdicts.
module internal Plait.Tool.DoctorOutput

open System
open System.CommandLine

open Plait.Common
open Plait.Report

open Plait.Doctor

/// The pool starves or stands before a lock, a thread hangs, or the program that was started has failed.
let private sick = Endings.failure

/// Nobody can tell.
let private unknown = Endings.badInput

let json = Options.json "the diagnosis"

let html = Options.text "--html" "FILE" "write a page of the diagnosis to this file"

/// The exit code of a verdict.
let exitCode (verdict: Verdict) : int =
    match verdict with
    | Verdict.Starved
    | Verdict.LockConvoy
    | Verdict.Hung
    | Verdict.Failed -> sick
    | Verdict.NoAnswer -> unknown
    | Verdict.Healthy
    | Verdict.CpuBound
    | Verdict.Late -> Endings.success

/// Tries the files of the options before anything is looked at.
let trial (parsed: ParseResult) : unit =
    for name, file in [ "--json", Options.value parsed json; "--html", Options.value parsed html ] do
        file |> Option.iter (Files.trial name)

/// Shows a diagnosis on the terminal.
let show (diagnosis: Diagnosis) : unit =
    DiagnosisText.lines (Wrap.width ()) diagnosis |> TerminalLines.write

/// Whether the JSON goes to standard output, which nothing else may go to then.
let takesStandardOutput (parsed: ParseResult) : bool =
    Options.value parsed json = Some Files.standardOutput

let private writePage (file: string) (diagnosis: Diagnosis) =
    let results =
        DiagnosisPage.results (CommandLine.given ()) diagnosis.Evidence.Readings diagnosis

    Files.writing file (fun () -> Page.write file results)
    Console.Out.WriteLine $"page: {file}"

/// Runs `action`, which prints and returns a diagnosis, and writes the files of the options. Returns the diagnosis.
/// Without one, the files stay as they are.
let writing (parsed: ParseResult) (action: unit -> Diagnosis) : Diagnosis =
    let file = Options.value parsed json
    let diagnosis = Options.besideJson file action

    Options.withJson
        file
        (fun () -> Options.value parsed html |> Option.iter (fun page -> writePage page diagnosis))
        (fun () -> DiagnosisJson.write diagnosis)

    diagnosis

/// Runs a verb so that whatever keeps it from a verdict ends in the exit code for that. `verb` returns the exit code.
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
