// Answers of the SDK of earlier runs. They hold as long as every file that MSBuild imported for them, every file of the kind that it
// would import, the variables that those name and the list of installed SDKs are as they were.
module internal Plait.Check.KeptAnswers

open System
open System.Collections
open System.IO
open System.IO.Compression
open System.Text.RegularExpressions

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

let private stateOf (kind: string) (name: string) : string =
    match kind with
    | "file" -> Key.ofFile name
    | "variable" -> Environment.GetEnvironmentVariable name |> string
    | _ ->
        try
            Directory.GetFileSystemEntries name |> Array.sort |> Key.ofTexts
        with
        | :? IOException
        | :? UnauthorizedAccessException -> "absent"

let private input kind name =
    { Kind = kind; Name = name; State = stateOf kind name }

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
    cache.Find key
    |> Option.bind (fun bytes ->
        try
            Some(Binary.read<Kept> bytes)
        with
        | :? IOException
        | :? InvalidDataException -> None)
    |> Option.filter (fun kept ->
        kept.Inputs |> List.forall (fun one -> stateOf one.Kind one.Name = one.State))
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

// Which files a pattern names is not known without a look at the folders.
let private pattern =
    Regex(@"<(Compile|ProjectReference|Reference)\s[^>]*Include\s*=\s*""[^""]*\*", RegexOptions.Compiled)

let private variable = Regex(@"\$\((\w+)\)", RegexOptions.Compiled)

/// Keeps the answers to a question. `archive`: the imports of the run of MSBuild; files below `temporary` are its own.
let keep
    (cache: Cache)
    (key: string)
    (archive: string)
    (temporary: string)
    (answers: (string * DotNet.Answer) list)
    : unit =
    let files =
        if File.Exists archive then
            imported archive
            |> List.filter (fun file -> not (file.StartsWith(temporary, StringComparison.Ordinal)))
        else
            []

    let sdk =
        files
        |> List.tryFind (fun file -> Path.GetFileName file = "Microsoft.Common.CurrentVersion.targets")
        |> Option.map (ProjectXml.folderOf >> ProjectXml.folderOf)

    match sdk with
    | Some sdks when files |> List.forall File.Exists ->
        let own =
            files |> List.filter (fun file -> not (file.StartsWith(sdks, StringComparison.Ordinal)))

        let texts = own |> List.map File.ReadAllText

        if not (texts |> List.exists pattern.IsMatch) then
            let named =
                texts
                |> List.collect (fun text -> [ for found in variable.Matches text -> found.Groups[1].Value ])
                |> List.distinct

            let around =
                [
                    for project, answer in answers do
                        project + ".user"

                        match answer.Property "ProjectAssetsFile" with
                        | "" -> ()
                        | assets -> assets
                ]
                @ [
                    for folder in
                        answers
                        |> List.map (fst >> ProjectXml.folderOf)
                        |> List.collect folders
                        |> List.distinct do
                        for name in ofFolders do
                            Path.Combine(folder, name)
                ]

            let kept =
                {
                    Inputs =
                        [
                            input "folder" sdks

                            for file in List.distinct (files @ around) do
                                input "file" file

                            for name in named do
                                input "variable" name
                        ]
                    Answers =
                        [
                            for project, answer in answers ->
                                {
                                    Project = project
                                    Properties = Map.toList answer.Properties
                                    Items =
                                        [
                                            for name, items in Map.toList answer.Items ->
                                                name,
                                                [
                                                    for item in items ->
                                                        {
                                                            Identity = item.Identity
                                                            Metadata = Map.toList item.Metadata
                                                        }
                                                ]
                                        ]
                                }
                        ]
                }

            cache.Keep(key, Binary.write kept)
    | _ -> ()
