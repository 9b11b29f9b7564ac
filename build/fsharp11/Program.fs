// The command line of F# 11's compiler, where the SDK has an older one: arguments go to FSharp.Compiler.Service, and
// diagnostics come out in the form that MSBuild reads. MSBuild calls it as it calls `fsc`: with one response file.
module Fsc11

open System
open System.IO
open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics

/// Arguments as the compiler wants them: MSBuild quotes a path with a space, and writes a quote of the argument as \".
let private unquoted (argument: string) =
    argument.Replace("\\\"", "\000").Replace("\"", "").Replace("\000", "\"")

let private expanded (arguments: string[]) =
    [|
        "fsc"
        // the manifest of Windows stands beside the compiler of an SDK
        "--nowin32manifest"
        for argument in arguments do
            if argument.StartsWith '@' then
                for line in File.ReadAllLines(argument.Substring 1) do
                    if not (String.IsNullOrWhiteSpace line) then
                        unquoted (line.Trim())
            else
                argument
    |]

let private text (diagnostic: FSharpDiagnostic) =
    let kind =
        match diagnostic.Severity with
        | FSharpDiagnosticSeverity.Error -> "error"
        | FSharpDiagnosticSeverity.Warning -> "warning"
        | FSharpDiagnosticSeverity.Info
        | FSharpDiagnosticSeverity.Hidden -> "info"

    let place =
        match diagnostic.FileName with
        | ""
        | "unknown"
        | "startup" -> "FSC"
        | file ->
            $"{Path.GetFullPath file}({diagnostic.StartLine},{diagnostic.StartColumn + 1},\
              {diagnostic.EndLine},{diagnostic.EndColumn + 1})"

    let message = diagnostic.Message.ReplaceLineEndings " "
    $"{place}: {kind} {diagnostic.ErrorNumberText}: {message}"

[<EntryPoint>]
let main arguments =
    let checker = FSharpChecker.Create()

    let diagnostics, error =
        checker.Compile(expanded arguments) |> Async.RunSynchronously

    for diagnostic in diagnostics do
        if diagnostic.Severity <> FSharpDiagnosticSeverity.Hidden then
            eprintfn $"{text diagnostic}"

    match error with
    | Some error when diagnostics |> Array.forall (fun d -> d.Severity <> FSharpDiagnosticSeverity.Error) ->
        eprintfn $"FSC: error FS0193: {error}"
    | _ -> ()

    if error.IsSome then
        1
    elif diagnostics |> Array.exists (fun d -> d.Severity = FSharpDiagnosticSeverity.Error) then
        1
    else
        0
