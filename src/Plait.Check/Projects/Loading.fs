// From a request to projects that can be type-checked, with their references to other F# projects. It builds nothing;
// it restores a project that was never restored.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO
open System.Threading

open Plait.Common

/// Loading of projects.
module Loading =
    // A note about the frameworks that are not read.
    let private frameworkNotes (request: LoadRequest) (compilation: Compilation) : string list =
        let name = ProjectXml.nameOf compilation.File
        let own = compilation.Framework |> Option.defaultValue "?"

        match request.Framework with
        | Some wanted when not (own.Equals(wanted, StringComparison.OrdinalIgnoreCase)) ->
            [ $"{name} does not target {wanted}; it is analysed as {own}" ]
        | _ when compilation.IsWrapper -> []
        | _ ->
            match compilation.Frameworks |> List.filter ((<>) own) with
            | [] -> []
            | others ->
                let list = String.concat ", " others
                [ $"{name} is analysed as {own}, not as {list}; --framework chooses" ]

    let private demandFramework (request: LoadRequest) (compilations: Compilation list) =
        match request.Framework with
        | Some wanted when
            not compilations.IsEmpty
            && compilations
               |> List.forall (fun one ->
                   not (
                       one.Frameworks
                       |> List.exists (fun name -> name.Equals(wanted, StringComparison.OrdinalIgnoreCase))
                   ))
            ->
            let names = compilations |> List.collect _.Frameworks |> List.distinct
            let list = String.concat ", " names
            let hint = wanted |> NearestName.hint names $"they target {list}"
            raise (BadInput $"--framework: none of the projects targets {wanted}; {hint}")
        | _ -> ()

    let private ofProjects
        progress
        cache
        (token: CancellationToken)
        (request: LoadRequest)
        (roots: string list)
        =
        let cyclic = Cycles.among roots
        let roots = roots |> List.except (List.map fst cyclic)
        let reader = ProjectReader(progress, cache, token, request)
        let compilations, read, unread = ProjectGraph.readAll reader request token roots
        demandFramework request compilations
        let make = ProjectGraph.toOptions read

        // a note of another project is not repeated
        let said = HashSet<string>()

        let loaded =
            [
                for compilation in compilations do
                    let options, notes = make compilation
                    let notes = notes @ frameworkNotes request compilation

                    {
                        Name = reader.NameOf compilation.File
                        File = compilation.File
                        Framework = compilation.Framework
                        Options = options
                        Notes = notes |> List.filter said.Add
                    }
            ]

        loaded, cyclic @ unread

    /// Whether a project, script or source file of the request has one of these files (resolved paths): a project has
    /// the files in its XML, and those below its folder.
    let holds (files: Set<string>) (paths: string list) : bool =
        let isAmong (file: string) = files.Contains(Files.resolved file)

        (Inputs.ofPaths paths).Inputs
        |> List.exists (fun input ->
            match input with
            | ProjectFile project ->
                let folder = ProjectXml.folderOf project
                let below = folder + string Path.DirectorySeparatorChar

                let named =
                    ProjectXml.tryLoad project
                    |> Option.map (ProjectXml.elements "Compile")
                    |> Option.defaultValue []
                    |> List.choose (ProjectXml.attribute "Include")
                    |> List.map (ProjectXml.path folder)

                files |> Set.exists (fun file -> file.StartsWith(below, StringComparison.Ordinal))
                || List.exists isAmong named
            | Script file -> isAmong file
            | SourceFiles sources -> List.exists isAmong sources)

    /// Loads the requested projects, each once, for one framework. `cache`: evaluations of earlier runs. `progress`
    /// gets a line for every restored or read project, from one thread at a time. Raises BadInput, with one sentence,
    /// if no project can be loaded, and OperationCanceledException after `token` is cancelled and every process has
    /// ended.
    let load
        (cache: Cache option)
        (progress: string -> unit)
        (token: CancellationToken)
        (request: LoadRequest)
        : LoadResult =
        let inputs = Inputs.ofPaths request.Paths

        let projects =
            inputs.Inputs
            |> List.choose (function
                | ProjectFile file -> Some file
                | _ -> None)

        let ofProjects, unread = ofProjects progress cache token request projects

        let ofSources =
            [
                for input in inputs.Inputs do
                    token.ThrowIfCancellationRequested()

                    match input with
                    | Script file ->
                        progress $"reading {ProjectXml.nameOf file}"

                        try
                            Ok(Scripts.ofScript request token file)
                        with :? BadInput as trouble ->
                            Error(file, trouble.Message)
                    | SourceFiles files ->
                        let names = files |> List.map ProjectXml.nameOf |> String.concat ", "
                        progress $"reading {names}"
                        Ok(Scripts.ofSources token files)
                    | ProjectFile _ -> ()
            ]

        let loaded = ofProjects @ List.choose Result.toOption ofSources

        let unloaded =
            [
                yield! unread

                for one in ofSources do
                    match one with
                    | Ok _ -> ()
                    | Error trouble -> trouble
            ]

        match loaded, unloaded with
        | first :: rest, _ ->
            {
                Projects = { first with Notes = inputs.Notes @ first.Notes } :: rest
                Unloaded = unloaded
            }
        | [], (_, why) :: others ->
            let more = others.Length

            raise (
                BadInput(
                    match more with
                    | 0 -> why
                    | 1 -> $"{why}. The other project cannot be loaded either"
                    | _ -> $"{why}. The {more} other projects cannot be loaded either"
                )
            )
        | [], [] -> { Projects = []; Unloaded = [] }
