// Evaluations by the SDK in earlier runs. A cached evaluation is valid while the imported files, the files that MSBuild
// would import, the variables in them and the list of installed SDKs are unchanged, and the files in the evaluation
// exist. If an evaluation may depend on more, the cache does not store it.
module internal Plait.Check.EvaluationCache

open System
open System.Collections
open System.IO
open System.IO.Compression
open System.Text.RegularExpressions
open System.Xml
open System.Xml.Linq

/// A dependency of evaluations, and its state then.
type private Dependency = { Kind: string; Name: string; State: string }

type private CachedItem = { Identity: string; Metadata: (string * string) list }

type private CachedEvaluation =
    {
        Project: string
        Properties: (string * string) list
        Items: (string * CachedItem list) list
    }

type private CacheEntry = { Dependencies: Dependency list; Evaluations: CachedEvaluation list }

/// The environment variables, by their names in lower case: MSBuild reads a property $(Name) from a variable NAME.
let private variables () : Map<string, string list> =
    [
        for entry in Environment.GetEnvironmentVariables() |> Seq.cast<DictionaryEntry> ->
            (string entry.Key).ToLowerInvariant(), $"{entry.Key}={entry.Value}"
    ]
    |> List.groupBy fst
    |> List.map (fun (name, same) -> name, same |> List.map snd |> List.sort)
    |> Map.ofList

/// The state of a dependency. Values of variables may be secrets: the cache stores their hash.
let private stateOf (variables: Map<string, string list>) (kind: string) (name: string) : string =
    match kind with
    | "file" -> Key.ofFile name
    | "there" -> if File.Exists name then "there" else "absent"
    | "variable" ->
        match variables.TryFind name with
        | Some values -> Key.ofTexts values
        | None -> "absent"
    | _ ->
        try
            Directory.GetFileSystemEntries name |> Array.sort |> Key.ofTexts
        with
        | :? IOException
        | :? UnauthorizedAccessException -> "absent"

/// The key of requests: the projects, the working folder, and the variables that MSBuild and NuGet read.
let keyOf (folder: string) (requests: (string * string option) list) : string =
    let variables =
        [
            for entry in Environment.GetEnvironmentVariables() |> Seq.cast<DictionaryEntry> do
                let name = string entry.Key

                if
                    Regex.IsMatch(
                        name,
                        "^(MSBUILD|DOTNET_|NUGET_|Configuration$|Platform$)",
                        RegexOptions.IgnoreCase
                    )
                then
                    $"{name}={entry.Value}"
        ]

    Key.ofTexts
        [
            "answers"
            string typeof<Cache>.Module.ModuleVersionId
            folder

            for project, framework in requests do
                project
                string framework

            yield! List.sort variables
        ]

/// The evaluations under a key, by project.
let find (cache: Cache) (key: string) : (string * DotNet.Evaluation) list option =
    Binary.find<CacheEntry> cache key
    |> Option.filter (fun kept ->
        let variables = variables ()

        kept.Dependencies
        |> List.forall (fun one -> stateOf variables one.Kind one.Name = one.State))
    |> Option.map (fun kept ->
        [
            for evaluation in kept.Evaluations ->
                evaluation.Project,
                ({
                    Properties = Map.ofList evaluation.Properties
                    Items =
                        Map.ofList
                            [
                                for name, items in evaluation.Items ->
                                    name,
                                    [
                                        for item in items ->
                                            ({
                                                Identity = item.Identity
                                                Metadata = Map.ofList item.Metadata
                                            }
                                            : DotNet.Item)
                                    ]
                            ]
                }
                : DotNet.Evaluation)
        ])

/// The files in the archive of MSBuild's binary log; their names have backslashes, and drives have no colon.
let private imported (archive: string) : string list =
    use zip = ZipFile.OpenRead archive

    [
        for entry in zip.Entries do
            if OperatingSystem.IsWindows() then
                Regex.Replace(entry.FullName, @"^(\w)\\", @"$1:\")
            else
                let path = entry.FullName.Replace('\\', '/')
                if path.StartsWith '/' then path else "/" + path
    ]

// Files that MSBuild imports if they exist.
let private ofFolders =
    [
        "Directory.Build.props"
        "Directory.Build.targets"
        "Directory.Build.rsp"
        "Directory.Packages.props"
        "global.json"
        "NuGet.Config"
        "nuget.config"
    ]

let rec private folders (folder: string) : string list =
    folder
    :: (match Path.GetDirectoryName folder with
        | null -> []
        | above -> folders above)

/// A file of a NuGet package, which never changes; only an item in it may be a pattern over other files.
let private isOfPackage (file: string) : bool =
    folders (ProjectXml.folderOf file)
    |> List.exists (fun folder -> File.Exists(Path.Combine(folder, ".nupkg.metadata")))

let private isWild (text: string) = text.IndexOfAny [| '*'; '?' |] >= 0

/// Whether an item is a pattern over files: only the folders tell its files. Versions of packages have patterns too;
/// project.assets.json has their results.
let private hasPattern (file: string) (text: string) : bool =
    let isOfPackage = isOfPackage file

    let isSource (element: XElement) =
        List.contains
            element.Name.LocalName
            [ "Compile"; "CompileBefore"; "CompileAfter"; "Reference"; "ProjectReference" ]

    let isVersion (element: XElement) =
        List.contains
            element.Name.LocalName
            [ "PackageReference"; "PackageVersion"; "GlobalPackageReference" ]

    let isRead (attribute: XAttribute) =
        not (List.contains attribute.Name.LocalName [ "Condition"; "Text"; "Version"; "VersionOverride" ])

    XDocument.Parse(text).Descendants()
    |> Seq.exists (fun element ->
        (isSource element || not isOfPackage && not (isVersion element))
        && (element.Attributes() |> Seq.exists (fun one -> isRead one && isWild one.Value)
            || not element.HasElements && isWild element.Value))

/// The SDK has patterns of its own if a project asks for them.
let private asksForPattern (text: string) =
    text.Contains("EnableDefaultCompileItems", StringComparison.OrdinalIgnoreCase)

let private variable =
    Regex(
        @"\$\(\s*([\w-]+)|GetEnvironmentVariable\(\s*['""`]?\s*([\w.-]+)",
        RegexOptions.Compiled ||| RegexOptions.IgnoreCase
    )

let private namedIn (text: string) : string list =
    [
        for found in variable.Matches text do
            for group in List.ofSeq found.Groups |> List.tail do
                if group.Success then
                    group.Value.ToLowerInvariant()
    ]

let private arguments (evaluation: DotNet.Evaluation) : string list =
    evaluation.Item "FscCommandLineArgs" |> List.map _.Identity

/// The sources and the references of an evaluation, as whole paths.
let private filesOf (project: string) (evaluation: DotNet.Evaluation) : string list * string list =
    let whole (path: string) =
        Path.GetFullPath(Path.Combine(ProjectXml.folderOf project, path))

    [
        for argument in arguments evaluation do
            if not (argument.StartsWith '-') then
                whole argument
    ],
    [
        for argument in arguments evaluation do
            if argument.StartsWith("-r:", StringComparison.Ordinal) then
                whole (argument.Substring 3)
    ]

// Generated from the project and its imports alone, like the attributes of the assembly.
let private isOfImports (source: string) =
    DotNet.isWritten source
    || source.EndsWith("SelfRegisteredExtensions.fs", StringComparison.Ordinal)

/// A source that a target of the build makes; only the target knows its inputs.
let private isGenerated (project: string) (evaluation: DotNet.Evaluation) (source: string) : bool =
    match evaluation.Property "IntermediateOutputPath" with
    | "" -> false
    | folder ->
        let below =
            Path.GetFullPath(Path.Combine(ProjectXml.folderOf project, folder.Replace('\\', '/')))

        source.StartsWith(below, StringComparison.Ordinal) && not (isOfImports source)

/// Whether it may have changed since MSBuild read it.
let private isNewer (started: DateTime) (dependency: Dependency) : bool =
    match dependency.Kind with
    | "file" -> File.Exists dependency.Name && File.GetLastWriteTimeUtc dependency.Name >= started
    | "folder" -> Directory.GetLastWriteTimeUtc dependency.Name >= started
    | _ -> false

let private cachedEvaluation (project: string, evaluation: DotNet.Evaluation) : CachedEvaluation =
    let item (item: DotNet.Item) =
        { Identity = item.Identity; Metadata = Map.toList item.Metadata }

    {
        Project = project
        Properties = Map.toList evaluation.Properties
        Items = [ for name, items in Map.toList evaluation.Items -> name, List.map item items ]
    }

/// The dependencies of evaluations; None: they cannot be listed.
let private dependenciesOf
    (files: string list)
    (evaluations: (string * DotNet.Evaluation) list)
    : Dependency list option =
    let sdk =
        files
        |> List.tryFind (fun file -> Path.GetFileName file = "Microsoft.Common.CurrentVersion.targets")
        |> Option.map (ProjectXml.folderOf >> ProjectXml.folderOf)

    match sdk with
    | Some sdks when files |> List.forall File.Exists ->
        let texts = [ for file in files -> file, File.ReadAllText file ]

        let isUnknown =
            texts
            |> List.exists (fun (file, text) ->
                // dotnet's folder has the manifests of workloads too; project.assets.json is beside the imports
                not (file.StartsWith(ProjectXml.folderOf sdks, StringComparison.Ordinal))
                && text.TrimStart().StartsWith '<'
                && (asksForPattern text || hasPattern file text))
            || evaluations
               |> List.exists (fun (project, evaluation) ->
                   fst (filesOf project evaluation) |> List.exists (isGenerated project evaluation))

        if isUnknown then
            None
        else
            let around =
                [
                    for project, evaluation in evaluations do
                        project + ".user"

                        match evaluation.Property "ProjectAssetsFile" with
                        | "" -> ()
                        | assets -> assets

                    for folder in
                        evaluations
                        |> List.map (fst >> ProjectXml.folderOf)
                        |> List.collect folders
                        |> List.distinct do
                        for name in ofFolders do
                            Path.Combine(folder, name)
                ]

            let named =
                [
                    for project, evaluation in evaluations do
                        let sources, references = filesOf project evaluation
                        yield! sources
                        yield! references
                ]

            let variables = variables ()

            let dependency kind name =
                { Kind = kind; Name = name; State = stateOf variables kind name }

            Some
                [
                    dependency "folder" sdks

                    for file in List.distinct (files @ around) do
                        dependency "file" file

                    for file in named |> List.distinct |> List.filter File.Exists do
                        dependency "there" file

                    for name in texts |> List.collect (snd >> namedIn) |> List.distinct do
                        dependency "variable" name
                ]
    | _ -> None

/// Stores evaluations, if no dependency changed since `started`, before MSBuild read them. `archive`: the imports of
/// the run of MSBuild, without the files below `temporary`, which are the run's own.
let store
    (cache: Cache)
    (key: string)
    (started: DateTime)
    (archive: string)
    (temporary: string)
    (evaluations: (string * DotNet.Evaluation) list)
    : unit =
    try
        if File.Exists archive then
            let files =
                imported archive
                |> List.filter (fun file -> not (file.StartsWith(temporary, StringComparison.Ordinal)))

            match dependenciesOf files evaluations with
            | Some dependencies when not (dependencies |> List.exists (isNewer started)) ->
                Binary.store
                    cache
                    key
                    { Dependencies = dependencies; Evaluations = List.map cachedEvaluation evaluations }
            | _ -> ()
    with
    // a file was deleted, or the archive is cut: store nothing
    | :? IOException
    | :? UnauthorizedAccessException
    | :? InvalidDataException
    | :? XmlException -> ()
