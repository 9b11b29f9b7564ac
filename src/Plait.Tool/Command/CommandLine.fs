// How this program is called: by the user, and by itself.
module internal Plait.Tool.CommandLine

open System
open System.IO
open System.Reflection

open Plait.Common

/// The hidden verb of the load generator.
let attackWorkerVerb = "attack-worker"

/// The hidden verb of the server that does nothing.
let nullServerVerb = "null-server"

/// The hidden verb of the process that checks projects.
let checkWorkerVerb = "check-worker"

/// The command as a user would type it again.
let shown (arguments: string seq) : string =
    let quote (text: string) =
        if
            text <> ""
            && text
               |> Seq.forall (fun letter -> Char.IsLetterOrDigit letter || "-_+=.,:/@%".Contains letter)
        then
            text
        else
            "'" + text.Replace("'", "'\\''") + "'"

    Seq.append [ "plait" ] (Seq.map quote arguments) |> String.concat " "

/// The command that this process was started with, as a user would type it again, without passwords and the like.
let given () : string =
    Environment.GetCommandLineArgs() |> Seq.skip 1 |> Seq.map Secrets.withoutSecrets |> shown

// The executable and arguments that start this program again.
let private self () : string list =
    let executable =
        match Environment.ProcessPath with
        | null -> "plait"
        | path -> path

    if
        String.Equals(
            Path.GetFileNameWithoutExtension executable,
            "dotnet",
            StringComparison.OrdinalIgnoreCase
        )
    then
        [ executable; (Assembly.GetExecutingAssembly()).Location ]
    else
        [ executable ]

/// The command that starts this program again, with one of its hidden verbs.
let selfAs (verb: string) : string list = self () @ [ verb ]
