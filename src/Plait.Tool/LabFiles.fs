// Files that verbs are given and write: each trouble with one is a sentence that names it.
module internal Plait.Tool.LabFiles

open System
open System.IO

open Plait.Report

/// Does something with a file; what goes wrong is what `failure` makes of the reason.
let private using' (failure: string -> exn) (action: unit -> 'T) : 'T =
    try
        action ()
    with
    | :? ArgumentException
    | :? IOException
    | :? NotSupportedException
    | :? UnauthorizedAccessException as trouble -> raise (failure (trouble.Message.TrimEnd '.'))

/// The text of a file. Raises BadInput when it cannot be read; `what` says what it should be: "a budget".
let read (what: string) (file: string) : string =
    if Directory.Exists file then
        raise (BadInput $"{file} cannot be read as {what}: it is a folder; name a file in it")

    using' (fun why -> BadInput $"{file} cannot be read as {what}: {why}") (fun () -> File.ReadAllText file)

/// The results in a file, or in the results.json of a folder.
let results (path: string) : Results =
    let file =
        if Directory.Exists path then Path.Combine(path, "results.json") else path

    ResultsJson.read file (read "results.json" file)

/// The name that stands for standard output.
let standardOutput = "-"

/// Tries a file that the user named with `option` and that is written at the end of a long run. Raises BadInput when that
/// would not go; what is in it stays.
let check (option: string) (file: string option) : unit =
    match file with
    | Some file when file <> standardOutput ->
        using'
            (fun why -> BadInput $"{option}: {file} cannot be written: {why}; name another file")
            (fun () ->
                let isNew = not (File.Exists file)
                using (File.Open(file, FileMode.OpenOrCreate, FileAccess.Write)) ignore

                if isNew then
                    File.Delete file)
    | _ -> ()

/// Writes a file that the user named with `option`. Raises RunFailed when that does not go.
let write (option: string) (file: string) (action: string -> unit) : unit =
    using' (fun why -> RunFailed $"{option}: {file} cannot be written: {why}") (fun () -> action file)
