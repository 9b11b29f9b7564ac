// Reads one project by the SDK: its framework, whether it is restored, and the compiler's options. A project without
// sources or references is an error, never an empty success.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO
open System.Threading

open Plait.Common

/// References in a circle: the SDK would crash on them.
module internal Cycles =
    /// Those of `roots` that reference themselves through other projects, or a project that does, as their XML names the
    /// references; each with the reason.
    let among (roots: string list) : (string * string) list =
        let known = Dictionary<string, string option>()

        let rec cycleFrom (way: string list) (file: string) : string option =
            if List.contains file way then
                let cycle = file :: List.takeWhile ((<>) file) way @ [ file ]
                let names = cycle |> List.rev |> List.map ProjectXml.nameOf |> String.concat " -> "

                Some
                    $"{file} references itself through other projects: {names}; take out one of these references"
            else
                match known.TryGetValue file with
                | true, why -> why
                | _ ->
                    let why =
                        ProjectXml.tryLoad file
                        |> Option.map (ProjectXml.references file)
                        |> Option.defaultValue []
                        |> List.tryPick (cycleFrom (file :: way))

                    known[file] <- why
                    why

        roots |> List.choose (fun root -> cycleFrom [] root |> Option.map (fun why -> root, why))

/// The choice of one of several frameworks.
module internal Frameworks =
    // net10.0 before net8.0 before netcoreapp3.1 before netstandard2.1 before net48; those of a platform come last, as
    // they need more than the SDK
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

/// Reads projects for one load, on several threads; only one thread restores at a time.
type internal ProjectReader
    (progress: string -> unit, cache: Cache option, token: CancellationToken, request: LoadRequest) =
    // with the moments before them
    let prepared =
        Dictionary<DesignTimeBuilds.EvaluationRequest, DotNet.Evaluation * DateTime>()

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

    // The framework for the request; None: the project has only one.
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

    /// The compiler's options for a project, or the error.
    let ask
        (project: string)
        (wanted: string option)
        : Result<DotNet.Evaluation * string list, DotNetSdk.BuildError * DotNet.Evaluation option> =
        let notes = List<string>()

        let called (call: DotNet.SdkResult<'T>) =
            notes.AddRange(passedOverNote call.PassedOver)
            call.Result

        let ofSeveral (evaluation: DotNet.Evaluation) =
            if evaluation.Property "TargetFrameworks" = "" then
                None
            else
                choose project (DotNet.frameworks evaluation) wanted

        let several () =
            called (DotNet.evaluate project token) |> Result.map ofSeveral

        let compile missing (framework: string option) =
            let suffix =
                framework |> Option.map (fun name -> $" ({name})") |> Option.defaultValue ""

            say $"reading {nameOf project}{suffix}"
            called (DotNet.compilation project framework missing token)

        let compileFor (framework: string option) =
            compile false framework |> Result.map (fun evaluation -> framework, evaluation)

        // only the evaluation tells whether it has several frameworks
        let afresh () =
            match compileFor None with
            | Error trouble when DotNet.wantsFramework trouble -> several () |> Result.bind compileFor
            | other -> other

        /// The evaluation, and the moment before it.
        let first () =
            let now = DateTime.UtcNow

            match prepared.TryGetValue((project, None)) with
            | true, (evaluation, _) ->
                let framework = ofSeveral evaluation

                match prepared.TryGetValue((project, framework)) with
                | true, (evaluation, moment) -> Ok(framework, evaluation), moment
                | _ -> compileFor framework, now
            | _ -> afresh (), now

        let restore () =
            alone (fun () ->
                say $"restoring {nameOf project}"
                called (DotNet.restore project token))

        let settled evaluation =
            Ok(evaluation, List.distinct (List.ofSeq notes))

        let first, moment = first ()

        match first with
        // a restore of another project during or after the evaluation may have restored this one too
        | Ok(_, evaluation) when DotNet.isRestoredBefore moment evaluation -> settled evaluation
        | Error trouble when DotNet.isOfEvaluation trouble -> Error(trouble, None)
        | before ->
            let framework =
                match before with
                | Ok(framework, _) -> framework
                | Error _ -> None

            // another project that references this one may have been restored meanwhile, and this one with it
            let restored =
                match before with
                | Ok(_, evaluation) when alone (fun () -> DotNet.isRestored evaluation) -> Ok()
                | _ -> restore ()

            match restored with
            | Ok() ->
                match (if framework.IsSome then compileFor framework else afresh ()) with
                | Ok(_, evaluation) when DotNet.isRestored evaluation -> settled evaluation
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
                        | Ok evaluation when DotNet.isRestored evaluation -> Some evaluation
                        | _ -> None

                Error(trouble, partial)
            | Error trouble -> Error(trouble, None)

    let demandContent (evaluation: DotNet.Evaluation) (compilation: Compilation) =
        let file = compilation.File

        if (CompilerArguments.written evaluation compilation).IsEmpty then
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

    /// Evaluates several projects together, those that were never restored after a restore, and stores the results for
    /// `Read`.
    member _.Prepare(projects: (string * string option) list) : unit =
        let ask asked =
            let now = DateTime.UtcNow

            for asked, evaluation in DesignTimeBuilds.ask say cache token asked do
                prepared[asked] <- (evaluation, now)

        match projects |> List.map fst |> List.distinct |> List.filter File.Exists with
        | []
        | [ _ ] -> ()
        | several -> ask [ for project in several -> project, None ]

        // a project of several frameworks has their names now, and is evaluated for one of them
        ask
            [
                for project, wanted in projects do
                    match prepared.TryGetValue((project, None)) with
                    | true, (evaluation, _) when evaluation.Property "TargetFrameworks" <> "" ->
                        project, choose project (DotNet.frameworks evaluation) wanted
                    | _ -> ()
            ]

        let files = projects |> List.map fst |> HashSet

        let unrestored =
            [
                for KeyValue((project, wanted), (evaluation, _)) in prepared do
                    if files.Contains project && not (DotNet.isRestored evaluation) then
                        project, wanted
            ]

        match unrestored |> List.map fst |> List.distinct with
        | []
        | [ _ ] -> ()
        | several ->
            say $"restoring {several.Length} projects"
            alone (fun () -> DesignTimeBuilds.restore token several)

            for asked in unrestored do
                prepared.Remove asked |> ignore

            ask unrestored

    /// Reads one project. Raises BadInput if it cannot be read.
    member _.Read (project: string) (wanted: string option) : Compilation =
        Inputs.demand "a project" project
        let document = ProjectXml.load "a project" project

        let compilation =
            match ask project wanted with
            | Ok(evaluation, notes) ->
                let compilation = CompilerArguments.ofEvaluation project evaluation
                demandContent evaluation compilation
                { compilation with Notes = notes }
            | Error(trouble, _) when not request.Degraded ->
                raise (
                    BadInput
                        $"{project} cannot be loaded: {DotNetSdk.describe trouble}; mend that, or use --degraded, which analyses the rest"
                )
            | Error(trouble, Some evaluation) ->
                let compilation = CompilerArguments.ofEvaluation project evaluation
                demandContent evaluation compilation

                { compilation with
                    Notes =
                        [
                            $"{ProjectXml.nameOf project} is analysed in degraded mode, without the packages that were not found: {DotNetSdk.describe trouble}"
                        ]
                }
            | Error(trouble, None) ->
                Wrapper.compilation project document (DotNetSdk.describe trouble) alone token

        demandSources compilation
