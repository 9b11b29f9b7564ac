// Answers of the SDK of earlier runs. They hold as long as every file that MSBuild imported for them, every file of the kind that it
// would import, the variables that those name and the list of installed SDKs are as they were, and the files that the answers name
// are there. Where an answer may depend on more, nothing is kept.
module internal Plait.Check.KeptAnswers

open System
open System.Collections
open System.IO
open System.IO.Compression
open System.Text.RegularExpressions
open System.Xml
open System.Xml.Linq

/// A thing that answers depend on, and its state then.
type private Input = { Kind: string; Name: string; State: string }

type private KeptItem = { Identity: string; Metadata: (string * string) list }

type private KeptAnswer =
    {
        Project: string
        Properties: (string * string) list
        Items: (string * KeptItem list) list
    }

type private Kept = { Inputs: Input list; Answers: KeptAnswer list }

/// The variables of the environment, by their names in small letters: MSBuild reads a property $(Name) from a variable NAME.
let private variables () : Map<string, string list> =
    [
        for entry in Environment.GetEnvironmentVariables() |> Seq.cast<DictionaryEntry> ->
            (string entry.Key).ToLowerInvariant(), $"{entry.Key}={entry.Value}"
    ]
    |> List.groupBy fst
    |> List.map (fun (name, same) -> name, same |> List.map snd |> List.sort)
    |> Map.ofList

/// The state of an input. Values of variables may be secrets: their hash is kept.
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

/// The key of a question: the projects, the folder that it is asked in, and the variables that MSBuild and NuGet read.
let keyOf (folder: string) (asked: (string * string option) list) : string =
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

            for project, framework in asked do
                project
                string framework

            yield! List.sort variables
        ]

/// The answers of the key, by project.
let find (cache: Cache) (key: string) : (string * DotNet.Answer) list option =
    Binary.find<Kept> cache key
    |> Option.filter (fun kept ->
        let variables = variables ()

        kept.Inputs |> List.forall (fun one -> stateOf variables one.Kind one.Name = one.State))
    |> Option.map (fun kept ->
        [
            for answer in kept.Answers ->
                answer.Project,
                ({
                    Properties = Map.ofList answer.Properties
                    Items =
                        Map.ofList
                            [
                                for name, items in answer.Items ->
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
                : DotNet.Answer)
        ])

/// The files in the archive of imports that MSBuild's binary log writes; its names have backslashes, and a drive has no colon.
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

// Files that are imported where they are there.
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

/// A file of a package of NuGet, which never changes; only an item of its own may be a pattern over other files.
let private isOfPackage (file: string) : bool =
    folders (ProjectXml.folderOf file)
    |> List.exists (fun folder -> File.Exists(Path.Combine(folder, ".nupkg.metadata")))

let private isWild (text: string) = text.IndexOfAny [| '*'; '?' |] >= 0

/// Which files a pattern names is not known without a look at the folders. Versions of packages have patterns too: those are in
/// project.assets.json.
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

/// The SDK has patterns of its own where a project asks for them.
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

let private arguments (answer: DotNet.Answer) : string list =
    answer.Item "FscCommandLineArgs" |> List.map _.Identity

/// The sources and the references of an answer, whole.
let private filesOf (project: string) (answer: DotNet.Answer) : string list * string list =
    let whole (path: string) =
        Path.GetFullPath(Path.Combine(ProjectXml.folderOf project, path))

    [
        for argument in arguments answer do
            if not (argument.StartsWith '-') then
                whole argument
    ],
    [
        for argument in arguments answer do
            if argument.StartsWith("-r:", StringComparison.Ordinal) then
                whole (argument.Substring 3)
    ]

// Generated of nothing but the project and its imports, as the attributes of the assembly are.
let private isOfImports (source: string) =
    DotNet.isWritten source
    || source.EndsWith("SelfRegisteredExtensions.fs", StringComparison.Ordinal)

/// A source that a target of the build makes: of what, only the target has in it.
let private isGenerated (project: string) (answer: DotNet.Answer) (source: string) : bool =
    match answer.Property "IntermediateOutputPath" with
    | "" -> false
    | folder ->
        let below =
            Path.GetFullPath(Path.Combine(ProjectXml.folderOf project, folder.Replace('\\', '/')))

        source.StartsWith(below, StringComparison.Ordinal) && not (isOfImports source)

/// It may have changed since MSBuild read it.
let private isNewer (started: DateTime) (input: Input) : bool =
    match input.Kind with
    | "file" -> File.Exists input.Name && File.GetLastWriteTimeUtc input.Name >= started
    | "folder" -> Directory.GetLastWriteTimeUtc input.Name >= started
    | _ -> false

let private keptAnswer (project: string, answer: DotNet.Answer) : KeptAnswer =
    let item (item: DotNet.Item) =
        { Identity = item.Identity; Metadata = Map.toList item.Metadata }

    {
        Project = project
        Properties = Map.toList answer.Properties
        Items = [ for name, items in Map.toList answer.Items -> name, List.map item items ]
    }

/// What the answers depend on; none where that cannot be told.
let private inputsOf (files: string list) (answers: (string * DotNet.Answer) list) : Input list option =
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
                // the folder of dotnet has the manifests of workloads too; beside the imports is project.assets.json
                not (file.StartsWith(ProjectXml.folderOf sdks, StringComparison.Ordinal))
                && text.TrimStart().StartsWith '<'
                && (asksForPattern text || hasPattern file text))
            || answers
               |> List.exists (fun (project, answer) ->
                   fst (filesOf project answer) |> List.exists (isGenerated project answer))

        if isUnknown then
            None
        else
            let around =
                [
                    for project, answer in answers do
                        project + ".user"

                        match answer.Property "ProjectAssetsFile" with
                        | "" -> ()
                        | assets -> assets

                    for folder in
                        answers
                        |> List.map (fst >> ProjectXml.folderOf)
                        |> List.collect folders
                        |> List.distinct do
                        for name in ofFolders do
                            Path.Combine(folder, name)
                ]

            let named =
                [
                    for project, answer in answers do
                        let sources, references = filesOf project answer
                        yield! sources
                        yield! references
                ]

            let variables = variables ()

            let input kind name =
                { Kind = kind; Name = name; State = stateOf variables kind name }

            Some
                [
                    input "folder" sdks

                    for file in List.distinct (files @ around) do
                        input "file" file

                    for file in named |> List.distinct |> List.filter File.Exists do
                        input "there" file

                    for name in texts |> List.collect (snd >> namedIn) |> List.distinct do
                        input "variable" name
                ]
    | _ -> None

/// Keeps the answers to a question, if nothing that they depend on was changed since `started`, before MSBuild read it. `archive`: the
/// imports of the run of MSBuild; files below `temporary` are its own.
let keep
    (cache: Cache)
    (key: string)
    (started: DateTime)
    (archive: string)
    (temporary: string)
    (answers: (string * DotNet.Answer) list)
    : unit =
    try
        if File.Exists archive then
            let files =
                imported archive
                |> List.filter (fun file -> not (file.StartsWith(temporary, StringComparison.Ordinal)))

            match inputsOf files answers with
            | Some inputs when not (inputs |> List.exists (isNewer started)) ->
                Binary.keep cache key { Inputs = inputs; Answers = List.map keptAnswer answers }
            | _ -> ()
    with
    // a file that is gone, an archive that is cut: nothing is kept
    | :? IOException
    | :? UnauthorizedAccessException
    | :? InvalidDataException
    | :? XmlException -> ()
