// From the user's paths to the projects and source files. It runs and builds nothing; an error names its file or
// folder.
namespace Plait.Check

open System
open System.IO
open System.Text.Json
open System.Text.RegularExpressions

open Plait.Common

/// The request to load.
type LoadRequest =
    {
        /// Projects (.fsproj), solutions (.slnx, .sln) and their filters (.slnf), folders, scripts (.fsx), and source files (.fs). All the source
        /// files are one program, in this order.
        Paths: string list
        /// The framework, as in net10.0. None: the newest of each project.
        Framework: string option
        /// Whether to read a project that cannot be restored or evaluated, as far as possible.
        Degraded: bool
    }

/// A project, a script or source files, by whole paths.
type internal Input =
    | ProjectFile of string
    | Script of string
    | SourceFiles of string list

/// The inputs of the paths, in order and without duplicates.
type internal Inputs =
    {
        Inputs: Input list
        /// The ignored paths, and the reasons.
        Notes: string list
    }

module internal Inputs =
    let private fail sentence : 'a = raise (BadInput sentence)

    let private hasEnding (ending: string) (file: string) =
        file.EndsWith(ending, StringComparison.OrdinalIgnoreCase)

    let private isProject (file: string) =
        let ending = Path.GetExtension file |> string
        hasEnding "proj" ending && ending.Length > 5

    /// Raises BadInput if a file does not exist or cannot be opened.
    let demand (what: string) (file: string) : unit =
        Files.read what file (fun file -> using (File.OpenRead file) ignore)

    // Project("{kind}") = "name", "path", "{id}"
    let private slnLine =
        Regex(
            "^\\s*Project\\(\"[^\"]*\"\\)\\s*=\\s*\"[^\"]*\"\\s*,\\s*\"(?<path>[^\"]+)\"",
            RegexOptions.Compiled
        )

    /// The paths in a solution file.
    let private namesIn (solution: string) : string list =
        if hasEnding ".slnx" solution then
            ProjectXml.load "a solution" solution
            |> ProjectXml.elements "Project"
            |> List.choose (ProjectXml.attribute "Path")
        else
            [
                for line in (Files.text "a solution" solution).Split('\n') do
                    let found = slnLine.Match line

                    if found.Success then
                        found.Groups["path"].Value
            ]

    /// The projects that a solution filter names.
    let private filtered (filter: string) : string list =
        let options =
            JsonDocumentOptions(CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true)

        try
            use document = JsonDocument.Parse(Files.text "a solution filter" filter, options)
            let chosen = document.RootElement.GetProperty "solution"
            let text (element: JsonElement) = element.GetString() |> string

            let folder =
                ProjectXml.path (ProjectXml.folderOf filter) (text (chosen.GetProperty "path"))
                |> ProjectXml.folderOf

            [
                for project in chosen.GetProperty("projects").EnumerateArray() do
                    ProjectXml.path folder (text project)
            ]
        with
        | :? JsonException
        | :? InvalidOperationException
        | :? Collections.Generic.KeyNotFoundException ->
            fail
                $"{filter} is no solution filter, which has the path of a solution and its projects; name the solution instead"

    let private projectsOf (solution: string) : string list =
        if hasEnding ".slnf" solution then
            filtered solution
        else
            namesIn solution |> List.map (ProjectXml.path (ProjectXml.folderOf solution))

    let private ofSolution (solution: string) : Inputs =
        // a .sln names its folders as projects too
        let projects =
            projectsOf solution |> List.filter isProject |> List.map ProjectXml.located

        let ours, others = projects |> List.partition (hasEnding ".fsproj")

        if ours.IsEmpty then
            fail $"{solution} has no F# project; name a solution with one, or an .fsproj"

        {
            Inputs = ours |> List.map ProjectFile
            Notes =
                if others.IsEmpty then
                    []
                else
                    let names = others |> List.map ProjectXml.nameOf |> String.concat ", "
                    [ $"{ProjectXml.nameOf solution}: left out because they are not F#: {names}" ]
        }

    // Folders of build output, and of other people's code.
    let private passedOver = set [ "bin"; "obj"; "artifacts"; "node_modules" ]

    let rec private projectsBelow (folder: string) : string list =
        Files.guarded
            (fun why -> BadInput $"{folder} cannot be read as a folder of projects: {why}")
            (fun () ->
                [
                    yield! Directory.GetFiles(folder, "*.fsproj") |> Array.sort

                    for below in Directory.GetDirectories folder |> Array.sort do
                        let name = ProjectXml.nameOf below

                        // a link may lead back to its own folder
                        if
                            not (passedOver.Contains(name.ToLowerInvariant()))
                            && not (name.StartsWith '.')
                            && isNull (DirectoryInfo(below).LinkTarget)
                        then
                            yield! projectsBelow below
                ])

    let private ofFolder (folder: string) : Inputs =
        let solutions =
            Files.guarded
                (fun why -> BadInput $"{folder} cannot be read as a folder of projects: {why}")
                (fun () ->
                    [
                        yield! Directory.GetFiles(folder, "*.slnx") |> Array.sort
                        yield! Directory.GetFiles(folder, "*.sln") |> Array.sort
                    ])

        // a solution may be there in both formats
        match solutions |> List.distinctBy ProjectXml.baseNameOf with
        | [ solution ] -> ofSolution solution
        | [] ->
            match projectsBelow folder with
            | [] ->
                fail
                    $"{folder} has neither a solution nor an .fsproj, in its subfolders either; name a project, a solution, or source files"
            | projects -> { Inputs = projects |> List.map ProjectFile; Notes = [] }
        | several ->
            let names = several |> List.map ProjectXml.nameOf |> String.concat ", "
            fail $"{folder} holds several solutions ({names}); name the one to check"

    let private ofPath (path: string) : Inputs =
        if String.IsNullOrWhiteSpace path then
            fail "an empty path was named; name a project, a solution, a folder, or source files"

        let whole =
            Files.guarded (fun why -> BadInput $"'{path}' is not a path: {why}") (fun () ->
                let whole = Path.GetFullPath path

                if Directory.Exists whole then Files.resolved whole else ProjectXml.located whole)

        let one input = { Inputs = [ input ]; Notes = [] }

        if Directory.Exists whole then
            ofFolder whole
        elif not (File.Exists whole) then
            fail $"there is no file or folder {whole}; name a project, a solution, a folder, or source files"
        elif [ ".slnx"; ".sln"; ".slnf" ] |> List.exists (fun ending -> hasEnding ending whole) then
            ofSolution whole
        elif hasEnding ".fsproj" whole then
            one (ProjectFile whole)
        elif hasEnding ".fsx" whole then
            demand "a script" whole
            one (Script whole)
        elif hasEnding ".fs" whole then
            demand "a source file" whole
            one (SourceFiles [ whole ])
        else
            fail
                $"{whole} is nothing that can be checked; name an .fsproj, .slnx, .sln, .slnf, .fsx or .fs file, or a folder"

    /// The inputs of the paths. Raises BadInput for a path without one.
    let ofPaths (paths: string list) : Inputs =
        if paths.IsEmpty then
            fail "nothing to check was named; name a project, a solution, a folder, or source files"

        let found = paths |> List.map ofPath
        let all = found |> List.collect _.Inputs |> List.distinct

        let sources =
            all
            |> List.collect (function
                | SourceFiles files -> files
                | _ -> [])

        {
            Inputs =
                [
                    for input in all do
                        match input with
                        | SourceFiles _ -> ()
                        | other -> other

                    if not sources.IsEmpty then
                        SourceFiles sources
                ]
            Notes = found |> List.collect _.Notes
        }
