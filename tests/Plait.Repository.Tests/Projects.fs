// The project files of the tree, as far as they say who uses whom. A project uses another by a project reference, and
// also by importing its props or compiling its files.
module Plait.Repository.Tests.Projects

open System
open System.IO
open System.Xml.Linq

type Project = { File: string; Name: string; Folder: string }

let private projectAt (file: string) =
    {
        File = file
        Name = string (Path.GetFileNameWithoutExtension file)
        Folder = string (Path.GetDirectoryName file)
    }

/// Every project of the tree.
let all =
    lazy
        [
            for folder in [ "src"; "tests"; "bench"; "candidates"; "samples"; "docs"; "build" ] do
                for ending in [ ".fsproj"; ".csproj" ] do
                    for file in Repository.files ending folder -> projectAt file
        ]

let private attributes (elementName: string) (attributeName: string) (file: string) =
    [
        for element in XDocument.Load(file).Descendants() do
            if element.Name.LocalName = elementName then
                match element.Attribute(XName.Get attributeName) with
                | null -> ()
                | attribute -> yield! attribute.Value.Split(';', StringSplitOptions.RemoveEmptyEntries)
    ]

/// The path that a project file means; none where it depends on a property.
let private resolved (file: string) (value: string) =
    let folder = string (Path.GetDirectoryName file)

    let value =
        value.Replace("$(MSBuildThisFileDirectory)", folder + "/").Replace('\\', '/').Trim()

    if value.Contains "$(" || value = "" then
        None
    else
        Some(Path.GetFullPath(Path.Combine(folder, value)))

/// The project whose folder is the nearest one around the file.
let private owner (file: string) =
    all.Value
    |> List.filter (fun project -> file.StartsWith(project.Folder + string Path.DirectorySeparatorChar))
    |> List.sortByDescending _.Folder.Length
    |> List.tryHead

/// The names of the packages that a project references itself.
let packages (project: Project) =
    attributes "PackageReference" "Include" project.File

/// A file, and what it imports from the tree, at any depth.
let rec private withImports (file: string) : string list =
    [
        file
        for value in attributes "Import" "Project" file do
            match resolved file value with
            | Some imported when imported.EndsWith ".props" && File.Exists imported ->
                yield! withImports imported
            | _ -> ()
    ]

/// The names of the projects that a project uses, by whatever means.
let uses (project: Project) =
    let files = withImports project.File

    let meant element attribute =
        files
        |> List.collect (fun file -> attributes element attribute file |> List.choose (resolved file))

    let referenced =
        meant "ProjectReference" "Include" |> List.map (fun file -> (projectAt file).Name)

    let taken =
        [
            ("Import", "Project")
            ("Compile", "Include")
            ("EmbeddedResource", "Include")
            ("Reference", "Include")
        ]
        |> List.collect (fun (element, attribute) -> meant element attribute)
        |> List.choose owner
        |> List.map _.Name

    referenced @ taken |> List.distinct |> List.except [ project.Name ] |> List.sort

/// The projects of the solution, from the root.
let solution () =
    attributes "Project" "Path" (Repository.path [ "Plait.slnx" ])
