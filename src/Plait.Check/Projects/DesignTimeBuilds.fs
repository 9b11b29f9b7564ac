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

// Targets that write an answer of lines: its kind, its name, its value and metadata, with tabs between. Of a project for several
// frameworks, which compiles nothing itself, the answer has their names alone.
let private answering (whole: bool) : XElement =
    let element (name: string) (attributes: (string * string) list) (inside: XElement list) =
        XElement(
            XName.Get name,
            [| for name, value in attributes -> XAttribute(XName.Get name, value) :> obj |],
            Array.ofList inside
        )

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

    XElement(
        XName.Get "Project",
        XElement(
            XName.Get "ItemGroup",
            [|
                for project, framework in asked ->
                    XElement(
                        XName.Get "Asked",
                        XAttribute(XName.Get "Include", escaped project),
                        match framework with
                        | Some framework ->
                            [| XAttribute(XName.Get "AdditionalProperties", $"TargetFramework={framework}") |]
                        | None -> [||]
                    )
            |]
        ),
        XElement(
            XName.Get "Target",
            XAttribute(XName.Get "Name", "Ask"),
            XElement(
                XName.Get "MSBuild",
                XAttribute(XName.Get "Projects", "@(Asked)"),
                XAttribute(XName.Get "Targets", "PlaitAnswer"),
                XAttribute(XName.Get "Properties", String.concat ";" properties),
                XAttribute(XName.Get "BuildInParallel", "true"),
                XAttribute(XName.Get "SkipNonexistentTargets", "true"),
                XAttribute(XName.Get "ContinueOnError", "true")
            )
        )
    )

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

let private askTogether (tell: string -> unit) token (folder: string) (asked: Asked list) =
    let answers = Directory.CreateTempSubdirectory "plait-check-answers-"

    try
        let write (name: string) (content: XElement) =
            content.Save(Path.Combine(answers.FullName, name))

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

        let arguments = [ "-t:Ask"; $"-m:{min Environment.ProcessorCount asked.Length}" ]

        let asking =
            Task.Run(
                (fun () ->
                    DotNet.inFolder folder (Path.Combine(answers.FullName, "driver.proj")) arguments token),
                token
            )

        while not (asking.Wait 100) do
            collect ()

        collect ()
        List.ofSeq found.Values
    finally
        answers.Delete true

/// The answers about projects, by what they were asked for; those of projects for several frameworks that were asked as they
/// are have the names of the frameworks alone. `tell` gets a sentence for each.
let ask (tell: string -> unit) (token: CancellationToken) (asked: Asked list) : (Asked * DotNet.Answer) list =
    [
        for folder, asked in asked |> List.groupBy (fst >> sdkFolder) do
            for project, answer in askTogether tell token folder asked do
                match asked |> List.filter (fun (one, _) -> one = project) with
                // asked for one of its frameworks
                | _ when List.contains (project, Some(answer.Property "TargetFramework")) asked ->
                    (project, Some(answer.Property "TargetFramework")), answer
                | _ -> (project, None), answer
    ]
