// Scripts and single source files: they have no project, and get the SDK's references for scripts.
module internal Plait.Check.Scripts

open System
open System.IO
open System.Reflection
open System.Threading

open Microsoft.FSharp.Reflection

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics
open FSharp.Compiler.Text

open Plait.Common

let private referenceMark = "-r:"

let private isReference (option: string) =
    option.StartsWith(referenceMark, StringComparison.Ordinal)

let private isManaged (file: string) : bool =
    try
        AssemblyName.GetAssemblyName file |> ignore
        true
    with
    | :? BadImageFormatException
    | :? IOException -> false

let private fileName (path: string) = string (Path.GetFileName path)

let private systemRuntime (references: string list) : string option =
    references |> List.tryFind (fun path -> fileName path = "System.Runtime.dll")

/// The other assemblies of the framework: without the SDK's reference assemblies, the compiler service takes those of
/// a runtime, and only the ones that a core of them needs.
let private restOfFramework (references: string list) : string list =
    let known = references |> List.map fileName |> Set.ofList

    match systemRuntime references with
    | None -> []
    | Some runtime ->
        Directory.GetFiles(string (Path.GetDirectoryName runtime), "*.dll")
        |> Array.filter (fun path -> not (known.Contains(fileName path)) && isManaged path)
        |> Array.sortWith (fun a b -> String.CompareOrdinal(a, b))
        |> List.ofArray

/// The assembly of the value `fsi`, of an SDK beside the framework: the compiler service looks for it in its own folder.
let private session (references: string list) : string option =
    let rec above (path: string | null) =
        match path with
        | null -> None
        | path ->
            let sdks = Path.Combine(path, "sdk")
            if Directory.Exists sdks then Some sdks else above (Path.GetDirectoryName path)

    systemRuntime references
    |> Option.bind above
    |> Option.bind (fun sdks ->
        Directory.GetDirectories sdks
        |> Array.map (fun sdk -> Path.Combine(sdk, "FSharp", "FSharp.Compiler.Interactive.Settings.dll"))
        |> Array.filter File.Exists
        |> Array.sort
        |> Array.tryLast)

// The SDK's references for scripts.
let private scriptOptions (checker: FSharpChecker) (file: string) (text: string) (token: CancellationToken) =
    let options, diagnostics =
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

    let references =
        [
            for option in options.OtherOptions do
                if isReference option then
                    option.Substring referenceMark.Length
        ]

    let more =
        [|
            for path in restOfFramework references @ Option.toList (session references) do
                referenceMark + path

            CompilerArguments.withoutWitnesses
        |]

    { options with OtherOptions = Array.append options.OtherOptions more }, diagnostics

let private demandReferences (file: string) (options: FSharpProjectOptions) =
    if not (Array.exists isReference options.OtherOptions) then
        raise (
            BadInput
                $"{file} cannot be checked: the compiler found no references for it, and even FSharp.Core is missing; install a .NET SDK"
        )

// The compiler service keeps these values to itself.
let private partsOf (union: obj | null) : (obj | null) list =
    match union with
    | null -> []
    | union ->
        [
            for part in snd (FSharpValue.GetUnionFields(union, union.GetType(), true)) do
                part
        ]

/// The `#r` of a script that the compiler service could not resolve, each with its line.
let private unresolved (options: FSharpProjectOptions) : (int * string) list =
    let items (many: obj | null) : obj seq =
        match many with
        | :? System.Collections.IEnumerable as many -> Seq.cast<obj> many
        | _ -> Seq.empty

    [
        for set in Option.toList options.UnresolvedReferences do
            for reference in partsOf set |> Seq.collect items do
                match partsOf reference with
                | name :: places :: _ ->
                    for place in items places do
                        match partsOf place with
                        | (:? range as at) :: _ -> at.StartLine, string name
                        | _ -> ()
                | _ -> ()
    ]
    |> List.distinct

// The error of a package comes from a project that the compiler makes for it.
let private reason (message: string) : string =
    match DotNetSdk.errors (List.ofArray (message.Split '\n')) with
    | first :: _ -> DotNetSdk.describe first
    | [] -> message.TrimEnd '.'

/// A script with the files that it loads. Raises BadInput if one of them does not exist, or an assembly that it
/// references.
let ofScript (request: LoadRequest) (token: CancellationToken) (file: string) : LoadedProject =
    let checker = FSharpChecker.Create()

    let options, diagnostics =
        scriptOptions checker file (Files.text "a script" file) token

    let errors =
        [
            for one in diagnostics do
                if one.Severity = FSharpDiagnosticSeverity.Error then
                    one.StartLine, reason one.Message

            for line, name in unresolved options do
                line, $"there is no assembly '{name}'"
        ]

    match errors with
    | (line, why) :: _ when not request.Degraded ->
        raise (
            BadInput
                $"{file} cannot be loaded: line {line}: {why}; mend that, or use --degraded, which analyses the rest"
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
                for line, why in errors ->
                    $"{ProjectXml.nameOf file} is analysed in degraded mode: line {line}: {why}"
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
