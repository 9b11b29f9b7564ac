// From a request to projects that can be type-checked, references to other F# projects included. Nothing has to be
// built; a project that was never restored is restored.
namespace Plait.Check

open System
open System.Collections.Generic
open System.Threading

open Plait.Common

/// Loading of projects.
module Loading =
    // A word about the frameworks that are not read.
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

    let private ofProjects progress (token: CancellationToken) (request: LoadRequest) (roots: string list) =
        Cycles.refuse roots
        let reader = ProjectReader(progress, token, request)
        let compilations, read = ProjectGraph.readAll reader request token roots
        demandFramework request compilations
        let make = ProjectGraph.toOptions read

        // a note of another project is not repeated
        let said = HashSet<string>()

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

    /// Loads the requested projects, each once, for one framework. `progress` gets a line for every project that is
    /// restored or read, from one thread at a time. Raises BadInput, with one sentence, for a project that cannot be
    /// loaded, and OperationCanceledException once `token` is cancelled, when every process that was started has
    /// ended.
    let load
        (progress: string -> unit)
        (token: CancellationToken)
        (request: LoadRequest)
        : LoadedProject list =
        let inputs = Inputs.ofPaths request.Paths

        let projects =
            inputs.Inputs
            |> List.choose (function
                | ProjectFile file -> Some file
                | _ -> None)

        let loaded =
            [
                yield! ofProjects progress token request projects

                for input in inputs.Inputs do
                    token.ThrowIfCancellationRequested()

                    match input with
                    | Script file ->
                        progress $"reading {ProjectXml.nameOf file}"
                        Scripts.ofScript request token file
                    | SourceFiles files ->
                        let names = files |> List.map ProjectXml.nameOf |> String.concat ", "
                        progress $"reading {names}"
                        Scripts.ofSources token files
                    | ProjectFile _ -> ()
            ]

        match loaded with
        | first :: rest -> { first with Notes = inputs.Notes @ first.Notes } :: rest
        | [] -> []
