// Writing what is made of load runs: single files, and the folder with all of them.
module Plait.Load.AttackWriting

open System
open System.IO
open System.Security

open Plait.Report

/// Writes with a function, and says what went wrong in a sentence. The file's folder is made when there is none.
let writing (path: string) (action: unit -> unit) : unit =
    try
        match Path.GetDirectoryName(Path.GetFullPath path) with
        | null
        | "" -> ()
        | folder -> Directory.CreateDirectory folder |> ignore

        action ()
    with
    | :? IOException
    | :? UnauthorizedAccessException
    | :? SecurityException
    | :? ArgumentException
    | :? NotSupportedException as trouble ->
        raise (RunFailed $"{path} cannot be written: {trouble.Message.TrimEnd '.'}")

/// Raises BadInput when the file that `option` names cannot be written, before a run is made for it.
let trial (option: string) (path: string) : unit =
    try
        writing path (fun () ->
            let isNew = not (File.Exists path)

            // What is there stays as it is; a device is not tried.
            if not (path.StartsWith("/dev/", StringComparison.Ordinal)) then
                (new FileStream(path, FileMode.OpenOrCreate, FileAccess.Write)).Dispose()

                if isNew then
                    File.Delete path)
    with :? RunFailed as trouble ->
        raise (BadInput $"{option}: {trouble.Message}; name another file")

/// Writes a text file. Raises RunFailed when that cannot be done.
let text (path: string) (text: string) : unit =
    writing path (fun () -> File.WriteAllText(path, text))

/// Writes the samples of one run as CSV.
let csv (path: string) (recording: Recording) : unit =
    writing path (fun () ->
        use target = new StreamWriter(path)
        AttackCsv.write target recording.Outcome)

/// Writes all files of one run into a folder: attack.json, attack.txt, attack.hlog, intended.hgrm, actual.hgrm,
/// samples.csv, steps.csv where there are steps, and page.html where this build holds a page. Returns their paths.
let folder (target: string) (recording: Recording) : string list =
    let outcome = recording.Outcome
    let content (make: unit -> string) (path: string) = text path (make ())

    [
        "attack.json", content (fun () -> OutcomeJson.write recording)
        "attack.txt", content (fun () -> AttackText.write outcome)
        "attack.hlog", content (fun () -> AttackReport.hlog recording)
        "intended.hgrm", content (fun () -> Hgrm.write outcome.Intended)
        "actual.hgrm", content (fun () -> Hgrm.write outcome.Actual)
        "samples.csv", (fun path -> csv path recording)

        if not outcome.Steps.IsEmpty then
            "steps.csv", content (fun () -> StepTable.csv outcome)

        if (Page.template ()).IsSome then
            "page.html", fun path -> writing path (fun () -> Page.write path (AttackReport.results recording))
    ]
    |> List.map (fun (name, write) ->
        let path = Path.Combine(target, name)
        write path
        path)
