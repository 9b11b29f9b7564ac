// The name of a program: of `dotnet X.dll` it is X.
[<RequireQualifiedAccess>]
module internal Plait.Doctor.ProgramName

open System
open System.IO

// Options of `dotnet` with a value after them; the value is no program.
let private hostOptions =
    [
        "--additionalprobingpath"
        "--additional-deps"
        "--depsfile"
        "--fx-version"
        "--roll-forward"
        "--runtimeconfig"
    ]

// "dotnet exec --depsfile X.deps.json /app/MyApp.dll --port 80" is MyApp.
let rec private started (arguments: string list) =
    match arguments with
    | option :: _ :: rest when List.contains option hostOptions -> started rest
    | file :: _ when file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ->
        Some(string (Path.GetFileNameWithoutExtension file))
    | word :: rest when word = "exec" || word.StartsWith '-' -> started rest
    | _ -> None

/// By its executable and arguments; by the kernel's short name where neither is known.
let ofCommand (executable: string option) (arguments: string list) (shortName: string) : string =
    let program =
        executable
        |> Option.orElse (List.tryHead arguments)
        |> Option.map (fun file -> string (Path.GetFileName file))
        |> Option.defaultValue shortName

    // a program that was replaced while it runs is "MyApp (deleted)"
    let plain = program.Replace(" (deleted)", "")

    if plain = "dotnet" || plain = "dotnet.exe" then
        started (List.truncate 64 arguments |> List.skip (min 1 arguments.Length))
        |> Option.defaultValue plain
    elif plain.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) then
        plain[.. plain.Length - 5]
    else
        plain

/// Of a process, without its answer. On Linux.
let ofProcess (pid: int) : string =
    ofCommand (ProcFiles.executable pid) (ProcFiles.commandLine pid) (ProcFiles.shortName pid)
