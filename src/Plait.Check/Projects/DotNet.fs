// Calls of the .NET SDK about projects: MSBuild's evaluation, the compiler's options, and restoring. They build
// nothing. A cancelled token ends every process.
module internal Plait.Check.DotNet

open System
open System.IO
open System.Text.Json
open System.Text.RegularExpressions
open System.Threading

open Plait.Common

/// An item of a project, with its metadata.
type Item = { Identity: string; Metadata: Map<string, string> }

/// MSBuild's evaluation of a project.
type Evaluation =
    {
        Properties: Map<string, string>
        Items: Map<string, Item list>
    }

    /// A property; empty: it is not set.
    member evaluation.Property(name: string) : string =
        evaluation.Properties |> Map.tryFind name |> Option.defaultValue ""

    /// The items of a kind.
    member evaluation.Item(name: string) : Item list =
        evaluation.Items |> Map.tryFind name |> Option.defaultValue []

/// Whether the SDK writes this source: attributes of the assembly, in files of their own.
let isWritten (source: string) : bool =
    source.EndsWith(".AssemblyInfo.fs", StringComparison.Ordinal)
    || source.EndsWith(".AssemblyAttributes.fs", StringComparison.Ordinal)

/// The outcome of a call, and the global.json that it ignored.
type SdkResult<'T> = { Result: Result<'T, DotNetSdk.BuildError>; PassedOver: string option }

let private host =
    match Environment.GetEnvironmentVariable "DOTNET_HOST_PATH", Environment.ProcessPath with
    | NonNull path, _ when File.Exists path -> path
    | _, NonNull path when Path.GetFileNameWithoutExtension path = "dotnet" -> path
    | _ -> "dotnet"

let private run (folder: string) (arguments: string list) (token: CancellationToken) : DotNetSdk.Ended =
    match DotNetSdk.run host folder arguments ignore token with
    | Ok ended -> ended
    | Error reason ->
        raise (
            BadInput
                $"{host} cannot be started ({reason}), and projects are read by the .NET SDK; install it, or put it on the PATH"
        )

let private firstError (ended: DotNetSdk.Ended) : DotNetSdk.BuildError =
    match DotNetSdk.errors ended.Lines with
    | first :: _ -> first
    | [] ->
        let words =
            ended.Lines
            |> List.map _.Trim()
            |> List.tryFind (fun line -> line <> "")
            |> Option.defaultValue "it printed nothing"

        DotNetSdk.uncoded $"dotnet msbuild ended with exit code {ended.Code}: {words.TrimEnd '.'}"

let private noSuchSdk = "A compatible .NET SDK was not found"

let private globalJson = Regex @"^global\.json file:\s*(?<file>.+?)\s*$"

let private isWithoutSdk (ended: DotNetSdk.Ended) : bool =
    ended.Code <> 0 && ended.Lines |> List.exists _.Contains(noSuchSdk)

let private arguments (project: string) (others: string list) =
    "msbuild" :: project :: "-nologo" :: "-v:q" :: "-nodeReuse:false" :: others

/// Runs MSBuild in a folder, whose global.json chooses the SDK. The outcome is in the files that MSBuild writes.
let inFolder (folder: string) (project: string) (others: string list) (token: CancellationToken) : unit =
    run folder (arguments project others) token |> ignore

/// Runs `dotnet msbuild` in the project's folder, under its global.json; if that asks for an SDK that is not installed,
/// in another folder.
let private msbuild
    (project: string)
    (others: string list)
    (token: CancellationToken)
    : DotNetSdk.Ended * string option =
    let folder = ProjectXml.folderOf project
    let arguments = arguments project others
    let ended = run folder arguments token

    if not (isWithoutSdk ended) then
        ended, None
    else
        let file =
            ended.Lines
            |> List.map globalJson.Match
            |> List.tryFind _.Success
            |> Option.map (fun found -> found.Groups["file"].Value)
            |> Option.defaultValue "global.json"

        let elsewhere = Path.GetPathRoot folder |> Option.ofObj |> Option.defaultValue "/"
        let again = run elsewhere arguments token

        if isWithoutSdk again then
            raise (
                BadInput
                    $"{project} cannot be read: this machine has no .NET SDK; install the one that {file} names"
            )

        again, Some file

let private text (value: JsonElement) : string =
    if value.ValueKind = JsonValueKind.String then
        value.GetString() |> string
    else
        value.GetRawText()

let private parse (lines: string list) : Evaluation =
    let output = String.concat "\n" lines
    use document = JsonDocument.Parse(output.Substring(max 0 (output.IndexOf '{')))
    let root = document.RootElement

    let fields (name: string) =
        match root.TryGetProperty name with
        | true, value -> [ for field in value.EnumerateObject() -> field.Name, field.Value.Clone() ]
        | _ -> []

    let item (element: JsonElement) =
        let metadata =
            Map.ofList [ for field in element.EnumerateObject() -> field.Name, text field.Value ]

        {
            Identity = metadata |> Map.tryFind "Identity" |> Option.defaultValue ""
            Metadata = metadata
        }

    {
        Properties = Map.ofList [ for name, value in fields "Properties" -> name, text value ]
        Items =
            Map.ofList
                [
                    for name, value in fields "Items" ->
                        name, [ for one in value.EnumerateArray() -> item one ]
                ]
    }

let private ask project arguments token : SdkResult<Evaluation> =
    let ended, passedOver = msbuild project arguments token

    {
        Result =
            if ended.Code <> 0 then
                Error(firstError ended)
            else
                try
                    Ok(parse ended.Output)
                with :? JsonException ->
                    Error(firstError ended)
        PassedOver = passedOver
    }

/// The frameworks that a project names: TargetFrameworks, or else TargetFramework.
let frameworks (evaluation: Evaluation) : string list =
    let several = evaluation.Property "TargetFrameworks"
    let named = if several = "" then evaluation.Property "TargetFramework" else several

    [
        for name in named.Split(';', StringSplitOptions.RemoveEmptyEntries) do
            if name.Trim() <> "" then
                name.Trim()
    ]

/// The properties of a project before any target runs.
let evaluate (project: string) (token: CancellationToken) : SdkResult<Evaluation> =
    ask project [ "-getProperty:TargetFramework,TargetFrameworks" ] token

/// The names of the properties in an evaluation.
let propertyNames =
    [
        "TargetFramework"
        "TargetFrameworks"
        "ProjectAssetsFile"
        "IntermediateOutputPath"
        "NETCoreSdkVersion"
    ]

/// The names of the metadata of a reference in an evaluation.
let ofReferences =
    [ "MSBuildSourceProjectFile"; "ReferenceSourceTarget"; "NearestTargetFramework" ]

/// The properties of a build that compiles nothing and ends with the compiler's options.
let designTime =
    [
        "DesignTimeBuild=true"
        "SkipCompilerExecution=true"
        "ProvideCommandLineArgs=true"
        "BuildProjectReferences=false"
        // the file never exists: otherwise MSBuild would skip the step as up to date and give no arguments
        "NonExistentFile=__none__/none"
    ]

/// The compiler's options. Without a restore they look complete and lack every package: see `isRestored`. `framework`:
/// for a project of several frameworks. `missingPackages`: whether to go on without the packages that a restore did not
/// find.
let compilation project (framework: string option) (missingPackages: bool) token : SdkResult<Evaluation> =
    let arguments =
        [
            "-t:Compile"
            for property in designTime do
                $"-p:{property}"
            if missingPackages then
                "-p:EmitAssetsLogMessages=false"
            match framework with
            | Some framework -> $"-p:TargetFramework={framework}"
            | None -> ()
            "-getItem:FscCommandLineArgs,ReferencePathWithRefAssemblies"
            "-getProperty:" + String.concat "," propertyNames
        ]

    ask project arguments token

/// Whether the project was restored before a moment.
let isRestoredBefore (moment: DateTime) (evaluation: Evaluation) : bool =
    match evaluation.Property "ProjectAssetsFile" with
    | "" -> true
    | file -> File.Exists file && File.GetLastWriteTimeUtc file <= moment

/// Whether the project was restored at some time.
let isRestored: Evaluation -> bool = isRestoredBefore DateTime.MaxValue

/// Whether an error means that the project has several frameworks and needs one of them.
let wantsFramework (trouble: DotNetSdk.BuildError) : bool = trouble.Code = "MSB4057"

/// Whether an error means that the project cannot be evaluated: a missing import or SDK, or broken XML. A restore would
/// fail in the same way.
let isOfEvaluation (trouble: DotNetSdk.BuildError) : bool =
    List.contains trouble.Code [ "MSB4019"; "MSB4024"; "MSB4025"; "MSB4236" ]

/// Restores a project and its references. Only one call at a time: two would write the same files.
let restore (project: string) (token: CancellationToken) : SdkResult<unit> =
    let ended, passedOver = msbuild project [ "-t:Restore" ] token

    {
        Result = if ended.Code = 0 then Ok() else Error(firstError ended)
        PassedOver = passedOver
    }
