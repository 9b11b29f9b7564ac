// --json, which means the same in every verb that has it: the result as JSON, in a file or on standard output.
module internal Plait.Tool.JsonOption

open System
open System.CommandLine

open Plait.Report

/// The option; `what` is written.
let make (what: string) : Option<string option> =
    Options.text
        "--json"
        "FILE"
        $"write {what} to this file; - writes it to standard output, and everything else to standard error"

/// Runs `action`, then writes the JSON, also where `action` could not write another file. Where the JSON goes to standard
/// output, whatever `action` prints goes to standard error.
let around (file: string option) (action: unit -> 'T) (json: unit -> string) : 'T =
    let standardOutput = Console.Out

    if file = Some Files.standardOutput then
        Console.SetOut Console.Error

    try
        action ()
    finally
        Console.SetOut standardOutput
        // Last, because the path is the user's: whatever is wrong with that, the results are shown and kept.
        file |> Option.iter (fun file -> Files.write file (json ()))
