// The options of the compiler for many projects by one process of the SDK, which reads what they share once. A project
// without an answer here is asked alone, and then its trouble is told.
module internal Plait.Check.DesignTimeBuilds

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks
open System.Xml.Linq

/// A project, and the framework that it is asked for: None where it is asked as it is.
type Asked = string * string option

// An element with its attributes, and what is inside.
let private element (name: string) (attributes: (string * string) list) (inside: XElement list) : XElement =
    XElement(
        XName.Get name,
        [| for name, value in attributes -> XAttribute(XName.Get name, value) |],
        Array.ofList inside
    )

// Targets that write an answer of lines: its kind, its name, its value and metadata, with tabs between. Of a project for several
// frameworks, which compiles nothing itself, the answer has their names alone.
let private answering (whole: bool) : XElement =
    let line text =
        element "PlaitLine" [ "Include", text ] []

    let property name =
        line $"property\t{name}\t$([MSBuild]::Escape($({name})))"

    let lines =
        if whole then
            List.map property DotNet.asked
            @ [
                line "@(FscCommandLineArgs->'item\tFscCommandLineArgs\t%(Identity)')"
                line (
                    "@(ReferencePathWithRefAssemblies->'item\tReferencePathWithRefAssemblies\t%(Identity)\t"
                    + String.Join('\t', [ for name in DotNet.ofReferences -> $"%%({name})" ])
                    + "')"
                )
            ]
        else
            [ property "TargetFrameworks" ]

    // a project may answer for several of its frameworks
    let file =
        XElement(XName.Get "PlaitFile", "$(PlaitAnswers)/$([System.Guid]::NewGuid())")

    element
        "Project"
        []
        [
            element
                "Target"
                [
                    "Name", "PlaitAnswer"
                    if whole then
                        "DependsOnTargets", "Compile"
                ]
                [
                    element
                        "ItemGroup"
                        []
                        (line "project\t$([MSBuild]::Escape($(MSBuildProjectFullPath)))" :: lines)
                    element "PropertyGroup" [] [ file ]
                    // an answer that is there is complete
                    element "WriteLinesToFile" [ "File", "$(PlaitFile)"; "Lines", "@(PlaitLine)" ] []
                    element
                        "Move"
                        [ "SourceFiles", "$(PlaitFile)"; "DestinationFiles", "$(PlaitFile).answer" ]
                        []
                ]
        ]

// A path as MSBuild takes it literally.
let private escaped (path: string) : string =
    String.collect
        (fun letter -> if "%;*?@$()'".Contains letter then $"%%{int letter:X2}" else string letter)
        path

// A project that asks all of them at once.
let private driver (folder: string) (asked: Asked list) : XElement =
    let folder = escaped folder

    let properties =
        [
            yield! DotNet.designTime
            $"PlaitAnswers={folder}"
            // as a restore of NuGet comes into every project
            $"CustomAfterMicrosoftCommonTargets={folder}/inner.targets"
            $"CustomAfterMicrosoftCommonCrossTargetingTargets={folder}/outer.targets"
        ]

    let one (project: string, framework: string option) =
        element
            "Asked"
            [
                "Include", escaped project
                match framework with
                | Some framework -> "AdditionalProperties", $"TargetFramework={framework}"
                | None -> ()
            ]
            []

    element
        "Project"
        []
        [
            element "ItemGroup" [] (List.map one asked)
            element
                "Target"
                [ "Name", "Ask" ]
                [
                    element
                        "MSBuild"
                        [
                            "Projects", "@(Asked)"
                            "Targets", "PlaitAnswer"
                            "Properties", String.concat ";" properties
                            "BuildInParallel", "true"
                            "SkipNonexistentTargets", "true"
                            "ContinueOnError", "true"
                        ]
                        []
                ]
        ]

let private read (file: string) : string * DotNet.Answer =
    let mutable project = ""
    let properties = Dictionary<string, string>()
    let items = Dictionary<string, List<DotNet.Item>>()

    for line in File.ReadLines file do
        match List.ofArray (line.Split '\t') with
        | [ "project"; path ] -> project <- path
        | [ "property"; name; value ] -> properties[name] <- value
        | "item" :: name :: identity :: metadata ->
            if not (items.ContainsKey name) then
                items[name] <- List()

            items[name].Add
                { Identity = identity; Metadata = Map.ofSeq (Seq.zip DotNet.ofReferences metadata) }
        | _ -> ()

    project,
    {
        Properties = Map.ofSeq [ for KeyValue(name, value) in properties -> name, value ]
        Items = Map.ofSeq [ for KeyValue(name, list) in items -> name, List.ofSeq list ]
    }

// The nearest global.json chooses the SDK, by the folder that the process runs in.
let private sdkFolder (project: string) : string =
    let rec search (folder: string) =
        if File.Exists(Path.Combine(folder, "global.json")) then
            Some folder
        else
            match Path.GetDirectoryName folder with
            | null -> None
            | above -> search above

    search (ProjectXml.folderOf project)
    |> Option.defaultValue (Path.GetPathRoot project |> string)

let private askTogether
    (tell: string -> unit)
    (cache: (Cache * string) option)
    token
    (folder: string)
    (asked: Asked list)
    =
    let answers = Directory.CreateTempSubdirectory "plait-check-answers-"

    try
        let inside (name: string) = Path.Combine(answers.FullName, name)
        let write (name: string) (content: XElement) = content.Save(inside name)
        write "inner.targets" (answering true)
        write "outer.targets" (answering false)
        write "driver.proj" (driver answers.FullName asked)

        let found = Dictionary<string, string * DotNet.Answer>()

        let collect () =
            for file in Directory.EnumerateFiles(answers.FullName, "*.answer") do
                if not (found.ContainsKey file) then
                    let project, answer = read file
                    found[file] <- (project, answer)
                    tell $"reading {ProjectXml.baseNameOf project} ({found.Count} of {asked.Length})"

        let arguments =
            [
                "-t:Ask"
                $"-m:{min Environment.ProcessorCount asked.Length}"
                // beside the log is an archive of the files that were imported
                if cache.IsSome then
                    "-bl:" + inside "all.binlog;ProjectImports=ZipFile"
            ]

        let started = DateTime.UtcNow

        let asking =
            Task.Run((fun () -> DotNet.inFolder folder (inside "driver.proj") arguments token), token)

        while not (asking.Wait 100) do
            collect ()

        collect ()
        let found = List.ofSeq found.Values

        match cache with
        | Some(cache, key) when found.Length = asked.Length ->
            KeptAnswers.keep cache key started (inside "all.ProjectImports.zip") answers.FullName found
        | _ -> ()

        found
    finally
        answers.Delete true

/// The answers about projects, by what they were asked for; those of projects for several frameworks that were asked as they
/// are have the names of the frameworks alone. `tell` gets a sentence for each that is not in the cache.
let ask
    (tell: string -> unit)
    (cache: Cache option)
    (token: CancellationToken)
    (asked: Asked list)
    : (Asked * DotNet.Answer) list =
    [
        for folder, asked in asked |> List.groupBy (fst >> sdkFolder) do
            let cache = cache |> Option.map (fun cache -> cache, KeptAnswers.keyOf folder asked)

            let answers =
                match cache |> Option.bind (fun (cache, key) -> KeptAnswers.find cache key) with
                | Some known -> known
                | None -> askTogether tell cache token folder asked

            for project, answer in answers do
                let framework = Some(answer.Property "TargetFramework")
                let isOfFramework = List.contains (project, framework) asked
                (project, (if isOfFramework then framework else None)), answer
    ]
