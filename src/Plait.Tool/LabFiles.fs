// Files that the lab's verbs are given and write: each trouble with one is a sentence that names it.
module internal Plait.Tool.LabFiles

open System
open System.IO

open Plait.Report


/// The text of a file. Raises BadInput when it cannot be read; `what` says what it should be: "a budget".
let read (what: string) (file: string) : string =
    if Directory.Exists file then
        raise (BadInput $"{file} cannot be read as {what}: it is a folder; name a file in it")

    try
        File.ReadAllText file
    with
    | :? IOException
    | :? ArgumentException
    | :? UnauthorizedAccessException as trouble ->
        raise (BadInput $"{file} cannot be read as {what}: {trouble.Message.TrimEnd '.'}")

/// The results in a file, or in the results.json of a folder.
let results (path: string) : Results =
    let file =
        if Directory.Exists path then Path.Combine(path, "results.json") else path

    ResultsJson.read file (read "results.json" file)

/// Tries a file that the user named with `option` and that is written at the end of a long run. Raises BadInput when that
/// would not go; what is in it stays.
let check (option: string) (file: string option) : unit =
    match file with
    | None -> ()
    | Some file ->
        try
            let isNew = not (File.Exists file)
            using (File.Open(file, FileMode.OpenOrCreate, FileAccess.Write)) ignore

            if isNew then
                File.Delete file
        with
        | :? ArgumentException
        | :? IOException
        | :? UnauthorizedAccessException as trouble ->
            raise (
                BadInput
                    $"{option}: {file} cannot be written: {trouble.Message.TrimEnd '.'}; name another file"
            )

/// Writes a file that the user named with `option`. Raises RunFailed when that does not go.
let write (option: string) (file: string) (action: string -> unit) : unit =
    try
        action file
    with
    | :? ArgumentException
    | :? IOException
    | :? UnauthorizedAccessException as trouble ->
        raise (RunFailed $"{option}: {file} cannot be written: {trouble.Message.TrimEnd '.'}")
