// Files and folders that users name: every trouble with one is a sentence that names it.
module Plait.Report.Files

open System
open System.IO
open System.Security

/// Does something with a file; what goes wrong is raised as what `failure` makes of the reason.
let guarded (failure: string -> exn) (action: unit -> 'T) : 'T =
    try
        action ()
    with
    | :? ArgumentException
    | :? IOException
    | :? NotSupportedException
    | :? SecurityException
    | :? UnauthorizedAccessException as trouble -> raise (failure (trouble.Message.TrimEnd '.'))

/// Reads a file with `read`. Raises BadInput when it cannot be read; `what` says what it should be: "a budget".
let read (what: string) (file: string) (read: string -> 'T) : 'T =
    if Directory.Exists file then
        raise (BadInput $"{file} cannot be read as {what}: it is a folder; name a file in it")

    guarded (fun why -> BadInput $"{file} cannot be read as {what}: {why}") (fun () -> read file)

/// The text of a file, as `read`.
let text (what: string) (file: string) : string = read what file File.ReadAllText

/// The name that stands for standard output.
let standardOutput = "-"

/// Writes a file with `action`, and makes its folder when there is none. Raises RunFailed when that does not go.
let writing (file: string) (action: unit -> unit) : unit =
    guarded (fun why -> RunFailed $"{file} cannot be written: {why}") (fun () ->
        match Path.GetDirectoryName(Path.GetFullPath file) with
        | null
        | "" -> ()
        | folder -> Directory.CreateDirectory folder |> ignore

        action ())

/// Writes a text, to a file or to standard output. Raises RunFailed when that does not go.
let write (file: string) (text: string) : unit =
    if file = standardOutput then
        Console.Out.Write text
    else
        writing file (fun () -> File.WriteAllText(file, text))

/// Writes several files: all of them, also where some do not go. Raises RunFailed with the reasons of those.
let each (writings: (unit -> unit) list) : unit =
    let failures =
        writings
        |> List.choose (fun write ->
            try
                write ()
                None
            with :? RunFailed as trouble ->
                Some trouble.Message)

    if not failures.IsEmpty then
        raise (RunFailed(String.concat "; " failures))

/// Tries a file that the user named with `option` and that is written at the end of a long run. Raises BadInput when that
/// would not go; what is in it stays. Standard output and devices are not tried.
let trial (option: string) (file: string) : unit =
    if file <> standardOutput && not (file.StartsWith("/dev/", StringComparison.Ordinal)) then
        try
            writing file (fun () ->
                let isNew = not (File.Exists file)
                using (File.Open(file, FileMode.OpenOrCreate, FileAccess.Write)) ignore

                if isNew then
                    File.Delete file)
        with :? RunFailed as trouble ->
            raise (BadInput $"{option}: {trouble.Message}; name another file")
