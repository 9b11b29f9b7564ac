// Reading one project by asking the SDK: its framework, whether it is restored, and the options of the compiler. A
// project that comes out without sources or references is an error, never an empty success.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO
open System.Threading

open Plait.Common

/// Refuses references that lead back to where they began, before the SDK falls over them.
module internal Cycles =
    /// Raises BadInput for a cycle among the references of `roots`, as their XML names them.
    let refuse (roots: string list) : unit =
        let finished = HashSet<string>()

        let rec visit (way: string list) (file: string) =
            if List.contains file way then
                let cycle = file :: List.takeWhile ((<>) file) way @ [ file ]
                let names = cycle |> List.rev |> List.map ProjectXml.nameOf |> String.concat " -> "

                raise (
                    BadInput
                        $"{file} references itself through other projects: {names}; take out one of these references"
                )

            if not (finished.Contains file) && File.Exists file then
                let document = ProjectXml.load "a project" file

                for reference in ProjectXml.references file document do
                    visit (file :: way) reference

                finished.Add file |> ignore

        roots |> List.iter (visit [])

/// Which of several frameworks is read.
module internal Frameworks =
    // net10.0 before net8.0 before netcoreapp3.1 before netstandard2.1 before net48; those of a platform need more than the SDK
    let private rank (name: string) : bool * int * Version =
        let plain = not (name.Contains '-')
        let moniker = (Array.head (name.Split '-')).ToLowerInvariant()

        let version (prefix: string) =
            match Version.TryParse(moniker.Substring prefix.Length) with
            | true, NonNull found -> found
            | _ -> Version(0, 0)

        if moniker.StartsWith "netstandard" then plain, 1, version "netstandard"
        elif moniker.StartsWith "netcoreapp" then plain, 2, version "netcoreapp"
        elif moniker.StartsWith "net" && moniker.Contains '.' then plain, 3, version "net"
        else plain, 0, Version(0, 0)

    let newest (names: string list) : string =
        // of equals the first
        names |> List.rev |> List.maxBy rank

/// Reads projects for one load. For use from several threads: restores wait for one another.
type internal ProjectReader
    (progress: string -> unit, cache: Cache option, token: CancellationToken, request: LoadRequest) =
    let prepared = Dictionary<DesignTimeBuilds.Asked, DotNet.Answer>()
    let restoring = obj ()
    let saying = obj ()

    let nameOf (project: string) = ProjectXml.baseNameOf project

    let say line = lock saying (fun () -> progress line)

    // One at a time: two restores write the same files.
    let alone (action: unit -> 'T) : 'T =
        lock restoring (fun () ->
            token.ThrowIfCancellationRequested()
            action ())

    let passedOverNote (file: string option) =
        match file with
        | Some file ->
            [
                $"{file} names a .NET SDK that is not installed; its projects are read with the newest SDK of this machine"
            ]
        | None -> []

    // The framework to ask for: None where the project names one only.
    let choose (project: string) (names: string list) (wanted: string option) : string option =
        let matching =
            wanted
            |> Option.bind (fun wanted ->
                names
                |> List.tryFind (fun name -> name.Equals(wanted, StringComparison.OrdinalIgnoreCase)))

        match names, matching with
        | [], _ ->
            raise (
                BadInput
                    $"{project} names no target framework; write one into it, as in <TargetFramework>net10.0</TargetFramework>"
            )
        | _, Some found -> Some found
        | several, None -> Some(Frameworks.newest several)

    /// The compiler's options for a project; the trouble, if they cannot be had.
    let ask
        (project: string)
        (wanted: string option)
        : Result<DotNet.Answer * string list, DotNetSdk.Trouble * DotNet.Answer option> =
        let notes = List<string>()

        let called (call: DotNet.Called<'T>) =
            notes.AddRange(passedOverNote call.PassedOver)
            call.Result

        let ofSeveral (answer: DotNet.Answer) =
            if answer.Property "TargetFrameworks" = "" then
                None
            else
                choose project (DotNet.frameworks answer) wanted

        let several () =
            called (DotNet.evaluate project token) |> Result.map ofSeveral

        let compile missing (framework: string option) =
            let suffix =
                framework |> Option.map (fun name -> $" ({name})") |> Option.defaultValue ""

            say $"reading {nameOf project}{suffix}"
            called (DotNet.compilation project framework missing token)

        let compileFor (framework: string option) =
            compile false framework |> Result.map (fun answer -> framework, answer)

        // whether it names several frameworks is mostly seen only when it is asked
        let afresh () =
            match compileFor None with
            | Error trouble when DotNet.wantsFramework trouble -> several () |> Result.bind compileFor
            | other -> other

        let first () =
            match prepared.TryGetValue((project, None)) with
            | true, answer ->
                let framework = ofSeveral answer

                match prepared.TryGetValue((project, framework)) with
                | true, answer -> Ok(framework, answer)
                | _ -> compileFor framework
            | _ -> afresh ()

        let restore () =
            alone (fun () ->
                say $"restoring {nameOf project}"
                called (DotNet.restore project token))

        let settled answer =
            Ok(answer, List.distinct (List.ofSeq notes))

        match first () with
        | Ok(_, answer) when DotNet.isRestored answer -> settled answer
        | Error trouble when DotNet.isOfEvaluation trouble -> Error(trouble, None)
        | before ->
            let framework =
                match before with
                | Ok(framework, _) -> framework
                | Error _ -> None

            // another project that references this one may have been restored meanwhile, and this one with it
            let restored =
                match before with
                | Ok(_, answer) when alone (fun () -> DotNet.isRestored answer) -> Ok()
                | _ -> restore ()

            match restored with
            | Ok() ->
                match (if framework.IsSome then compileFor framework else afresh ()) with
                | Ok(_, answer) when DotNet.isRestored answer -> settled answer
                | Ok _ ->
                    let missing = "it was restored, but the file that a restore writes is not there"
                    Error(DotNetSdk.uncoded missing, None)
                | Error trouble -> Error(trouble, None)
            | Error trouble when request.Degraded ->
                // some of its packages are better than none
                let partial =
                    match several () with
                    | Error _ -> None
                    | Ok framework ->
                        match compile true framework with
                        | Ok answer when DotNet.isRestored answer -> Some answer
                        | _ -> None

                Error(trouble, partial)
            | Error trouble -> Error(trouble, None)

    let demandContent (answer: DotNet.Answer) (compilation: Compilation) =
        let file = compilation.File

        if (CompilerArguments.written answer compilation).IsEmpty then
            raise (
                BadInput
                    $"{file} has no source files; add <Compile Include=...> lines, or name another project"
            )

        if compilation.Assemblies.IsEmpty then
            raise (
                BadInput
                    $"{file} cannot be checked: MSBuild gives it no references, and even FSharp.Core is missing; run dotnet build to see the error"
            )

    let demandSources (compilation: Compilation) : Compilation =
        let missing =
            compilation.Sources
            |> List.choose (fun file ->
                try
                    Inputs.demand "a source file" file
                    None
                with :? BadInput as trouble ->
                    Some(file, trouble.Message))

        match missing with
        | [] -> compilation
        | (_, first) :: _ when not request.Degraded ->
            raise (
                BadInput
                    $"{first}; {compilation.File} names it: mend that, or use --degraded, which analyses the rest"
            )
        | _ ->
            let files = missing |> List.map fst

            match compilation.Sources |> List.except files with
            | [] ->
                raise (
                    BadInput $"none of the source files of {compilation.File} can be read: {snd missing.Head}"
                )
            | rest ->
                let list = String.concat ", " files

                { compilation with
                    Sources = rest
                    Notes =
                        compilation.Notes
                        @ [
                            $"{nameOf compilation.File}: source files left out because they cannot be read: {list}"
                        ]
                }

    member _.NameOf project = nameOf project

    /// Asks for several projects together, and keeps the answers for `Read`.
    member _.Prepare(projects: (string * string option) list) : unit =
        let ask asked =
            for asked, answer in DesignTimeBuilds.ask say cache token asked do
                prepared[asked] <- answer

        match projects |> List.map fst |> List.distinct |> List.filter File.Exists with
        | []
        | [ _ ] -> ()
        | several -> ask [ for project in several -> project, None ]

        // a project for several frameworks has named them, and is asked for one of them now
        ask
            [
                for project, wanted in projects do
                    match prepared.TryGetValue((project, None)) with
                    | true, answer when answer.Property "TargetFrameworks" <> "" ->
                        project, choose project (DotNet.frameworks answer) wanted
                    | _ -> ()
            ]

    /// Reads one project. Raises BadInput when it cannot be read.
    member _.Read (project: string) (wanted: string option) : Compilation =
        Inputs.demand "a project" project
        let document = ProjectXml.load "a project" project

        let compilation =
            match ask project wanted with
            | Ok(answer, notes) ->
                let compilation = CompilerArguments.ofAnswer project answer
                demandContent answer compilation
                { compilation with Notes = notes }
            | Error(trouble, _) when not request.Degraded ->
                raise (
                    BadInput
                        $"{project} cannot be loaded: {DotNetSdk.describe trouble}; mend that, or use --degraded, which analyses the rest"
                )
            | Error(trouble, Some answer) ->
                let compilation = CompilerArguments.ofAnswer project answer
                demandContent answer compilation

                { compilation with
                    Notes =
                        [
                            $"{ProjectXml.nameOf project} is analysed in degraded mode, without the packages that were not found: {DotNetSdk.describe trouble}"
                        ]
                }
            | Error(trouble, None) ->
                Wrapper.compilation project document (DotNetSdk.describe trouble) alone token

        demandSources compilation
