// Scripts and single source files: they have no project, and get the SDK's references for scripts.
module internal Plait.Check.Scripts

open System
open System.IO
open System.Threading

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics
open FSharp.Compiler.Text

open Plait.Common

// The SDK's references for scripts.
let private scriptOptions (checker: FSharpChecker) (file: string) (text: string) (token: CancellationToken) =
    Async.RunSynchronously(
        checker.GetProjectOptionsFromScript(
            file,
            SourceText.ofString text,
            useFsiAuxLib = true,
            useSdkRefs = true,
            assumeDotNetFramework = false
        ),
        cancellationToken = token
    )

let private demandReferences (file: string) (options: FSharpProjectOptions) =
    let isReference (option: string) =
        option.StartsWith("-r:", StringComparison.Ordinal)

    if not (Array.exists isReference options.OtherOptions) then
        raise (
            BadInput
                $"{file} cannot be checked: the compiler found no references for it, and even FSharp.Core is missing; install a .NET SDK"
        )

/// A script with the files that it loads. Raises BadInput if one of them does not exist.
let ofScript (request: LoadRequest) (token: CancellationToken) (file: string) : LoadedProject =
    let checker = FSharpChecker.Create()

    let options, diagnostics =
        scriptOptions checker file (Files.text "a script" file) token

    let errors =
        diagnostics |> List.filter (fun one -> one.Severity = FSharpDiagnosticSeverity.Error)

    match errors with
    | first :: _ when not request.Degraded ->
        raise (
            BadInput
                $"{file} cannot be loaded: line {first.StartLine}: {first.Message.TrimEnd '.'}; mend that, or use --degraded, which analyses the rest"
        )
    | _ -> ()

    demandReferences file options

    {
        Name = ProjectXml.baseNameOf file
        File = file
        Framework = None
        Options = options
        Notes =
            [
                for error in errors ->
                    $"{ProjectXml.nameOf file} is analysed in degraded mode: line {error.StartLine}: {error.Message.TrimEnd '.'}"
            ]
    }

/// Source files as one program, in their order.
let ofSources (token: CancellationToken) (files: string list) : LoadedProject =
    let checker = FSharpChecker.Create()
    let last = List.last files
    // only the references are needed: the sources are read as files of a project, not as scripts
    let options, _ =
        scriptOptions checker ((Path.ChangeExtension(last, ".fsx") |> string)) "" token

    demandReferences last options

    {
        Name = ProjectXml.baseNameOf last
        File = last
        Framework = None
        Options =
            { options with
                ProjectFileName = last + ".fsproj"
                SourceFiles = Array.ofList files
                UseScriptResolutionRules = false
                OriginalLoadReferences = []
                UnresolvedReferences = None
            }
        Notes = []
    }
