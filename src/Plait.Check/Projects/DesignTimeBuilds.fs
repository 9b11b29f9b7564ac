// The compiler's options for many projects from one process of the SDK, which reads shared imports once, and their
// restore. A project without a result here is evaluated or restored alone, and its error is reported then.
module internal Plait.Check.DesignTimeBuilds

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks
open System.Xml.Linq

/// A project and a framework; None: the project's own.
type EvaluationRequest = string * string option

// An element with its attributes and its content.
let private element (name: string) (attributes: (string * string) list) (inside: XElement list) : XElement =
    XElement(
        XName.Get name,
        [| for name, value in attributes -> XAttribute(XName.Get name, value) |],
        Array.ofList inside
    )

// Targets that write an evaluation as lines: kind, name, value and metadata, with tabs between. For a project of
// several frameworks, which compiles nothing itself, they write the names of the frameworks alone.
let private answering (whole: bool) : XElement =
    let line text =
        element "PlaitLine" [ "Include", text ] []

    let property name =
        line $"property\t{name}\t$([MSBuild]::Escape($({name})))"

    let lines =
        if whole then
            List.map property DotNet.propertyNames
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

    // a project may have an evaluation for each of several frameworks
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
                    // the rename makes the file complete as soon as it exists
                    element "WriteLinesToFile" [ "File", "$(PlaitFile)"; "Lines", "@(PlaitLine)" ] []
                    element
                        "Move"
                        [ "SourceFiles", "$(PlaitFile)"; "DestinationFiles", "$(PlaitFile).answer" ]
                        []
                ]
        ]

// A path with MSBuild's special characters escaped.
let private escaped (path: string) : string =
    String.collect
        (fun letter -> if "%;*?@$()'".Contains letter then $"%%{int letter:X2}" else string letter)
        path

// A project that evaluates all of them at once.
let private driver (folder: string) (requests: EvaluationRequest list) : XElement =
    let folder = escaped folder

    let properties =
        [
            yield! DotNet.designTime
            $"PlaitAnswers={folder}"
            // projects import it as they import the targets of a NuGet restore
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
            element "ItemGroup" [] (List.map one requests)
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

let private read (file: string) : string * DotNet.Evaluation =
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

// The nearest global.json above the working folder chooses the SDK.
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
    (requests: EvaluationRequest list)
    =
    let evaluations = Directory.CreateTempSubdirectory "plait-check-answers-"

    try
        let inside (name: string) =
            Path.Combine(evaluations.FullName, name)

        let write (name: string) (content: XElement) = content.Save(inside name)
        write "inner.targets" (answering true)
        write "outer.targets" (answering false)
        write "driver.proj" (driver evaluations.FullName requests)

        let found = Dictionary<string, string * DotNet.Evaluation>()

        let collect () =
            for file in Directory.EnumerateFiles(evaluations.FullName, "*.answer") do
                if not (found.ContainsKey file) then
                    let project, evaluation = read file
                    found[file] <- (project, evaluation)
                    tell $"reading {ProjectXml.baseNameOf project} ({found.Count} of {requests.Length})"

        let arguments =
            [
                "-t:Ask"
                $"-m:{min Environment.ProcessorCount requests.Length}"
                // the log has an archive of the imported files beside it
                if cache.IsSome then
                    "-bl:" + inside "all.binlog;ProjectImports=ZipFile"
            ]

        let started = DateTime.UtcNow

        let asking =
            Task.Run(fun () -> DotNet.inFolder folder (inside "driver.proj") arguments token)

        while Task.WaitAny([| asking |], 100) < 0 do
            collect ()

        // Wait would raise an AggregateException in place of its exception
        asking.GetAwaiter().GetResult()
        collect ()
        let found = List.ofSeq found.Values

        match cache with
        | Some(cache, key) when found.Length = requests.Length ->
            EvaluationCache.store
                cache
                key
                started
                (inside "all.ProjectImports.zip")
                evaluations.FullName
                found
        | _ -> ()

        found
    finally
        evaluations.Delete true

/// The evaluations of the requests. A request without a framework for a project of several has the names of the
/// frameworks alone. `tell` gets a sentence for each evaluation that is not in the cache.
let ask
    (tell: string -> unit)
    (cache: Cache option)
    (token: CancellationToken)
    (requests: EvaluationRequest list)
    : (EvaluationRequest * DotNet.Evaluation) list =
    [
        for folder, requests in requests |> List.groupBy (fst >> sdkFolder) do
            let cache =
                cache |> Option.map (fun cache -> cache, EvaluationCache.keyOf folder requests)

            let evaluations =
                match cache |> Option.bind (fun (cache, key) -> EvaluationCache.find cache key) with
                | Some known -> known
                | None -> askTogether tell cache token folder requests

            for project, evaluation in evaluations do
                let framework = Some(evaluation.Property "TargetFramework")
                let isOfFramework = List.contains (project, framework) requests
                (project, (if isOfFramework then framework else None)), evaluation
    ]

/// Restores projects and their references, in one process for each SDK. If that fails for some, their evaluations tell.
let restore (token: CancellationToken) (projects: string list) : unit =
    for folder, projects in projects |> List.groupBy sdkFolder do
        let own = Directory.CreateTempSubdirectory "plait-check-restore-"

        try
            let file = Path.Combine(own.FullName, "restore.proj")

            let roots =
                [
                    for project in projects ->
                        element "RestoreGraphProjectInputItems" [ "Include", escaped project ] []
                ]

            // the targets of a restore, which take their projects from these items
            let targets = element "Import" [ "Project", "$(MSBuildToolsPath)/NuGet.targets" ] []
            (element "Project" [] [ element "ItemGroup" [] roots; targets ]).Save file
            DotNet.inFolder folder file [ "-t:Restore" ] token
        finally
            own.Delete true
