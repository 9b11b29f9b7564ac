// Building candidates from packages when a run asks for them. A package that cannot be had makes its candidates not
// available, with the words of NuGet; a candidate that does not compile has failed. Neither is an error of the run.
module Plait.Lab.Scenarios.RivalBuild

open System.IO
open System.Threading

open Plait.Report

open Plait.Lab.Measure

/// A folder of packages as the user names it: it must be there and hold some. Returns its full path.
let feed (path: string) : string =
    let full = Path.GetFullPath path

    if File.Exists full then
        raise (BadInput $"--feed: {full} is a file; name the folder that the .nupkg files lie in")

    if not (Directory.Exists full) then
        raise (BadInput $"--feed: there is no folder {full}; name one that .nupkg files lie in")

    if Seq.isEmpty (Directory.EnumerateFiles(full, "*.nupkg", SearchOption.AllDirectories)) then
        raise (
            BadInput
                $"--feed: no .nupkg file lies in {full}; put the packages there, or leave --feed out for the configured sources alone"
        )

    full

/// What all candidates are compiled from, besides their own folders.
let shared (root: string) : string list =
    let candidates = Path.Combine(root, "candidates")

    [
        yield! Directory.GetFiles(candidates, "*.*proj")
        yield! Directory.GetFiles(candidates, "*.props")
        yield! Directory.GetFiles(Rival.folder root, "*.*")
        yield! Directory.GetFiles(Path.Combine(candidates, "shared"), "*", SearchOption.AllDirectories)
        yield! Directory.GetFiles(Path.Combine(candidates, "csharp-value-task"), "*.cs")
        yield! Directory.GetFiles(Path.Combine(root, "src", "Plait.Lab", "Language"))
    ]

let private isFresh (inputs: string list) (rival: Rival) =
    let own =
        List.ofArray (Directory.GetFiles(nonNull (Path.GetDirectoryName rival.Project)))

    File.Exists rival.Candidate.Assembly
    && (let built = File.GetLastWriteTimeUtc rival.Candidate.Assembly
        inputs @ own |> List.forall (fun file -> File.GetLastWriteTimeUtc file <= built))

/// The properties that make `feed` a source of packages.
let source (feed: string option) : (string * string) list =
    feed
    |> Option.map (fun folder -> "RestoreAdditionalProjectSources", folder)
    |> Option.toList

let private fetched (rival: Rival) (trouble: BuildMessages.Trouble) =
    let remedy =
        match trouble.Code with
        | "NU1101"
        | "NU1102" -> "; --feed DIR adds a folder that holds it"
        | _ -> ""

    rival
    |> Rival.absent
        Status.NotAvailable
        $"the package {rival.Package} {rival.Version} cannot be had: {trouble.Code}: {trouble.Text}{remedy}"

// One that does not compile makes the exit code of all; the others have their assemblies to show.
let private compiled (ended: DotNet.Ended) (troubles: BuildMessages.Trouble list) (rival: Rival) =
    let explained = ended.Code = 0 || not troubles.IsEmpty

    match BuildMessages.first rival.Project troubles with
    | Some trouble when BuildMessages.isOfPackages trouble -> fetched rival trouble
    | Some trouble ->
        rival |> Rival.absent Status.Failed $"it does not compile: {trouble.Code}: {trouble.Text}"
    | None when File.Exists rival.Candidate.Assembly && explained -> rival.Candidate
    | None ->
        rival
        |> Rival.absent Status.Failed $"its build ended with exit code {ended.Code} and no message about it"

/// Builds what is not built yet. `feed`: a folder of packages to ask besides the configured sources; `tell` is told
/// sentences of progress. Returns the candidates as they are now, each ready to run or with the reason why it is not.
let build
    (root: string)
    (feed: string option)
    (rivals: Rival list)
    (tell: string -> unit)
    (stop: CancellationToken)
    : Candidate list =
    let inputs = if rivals.IsEmpty then [] else shared root
    let fresh, stale = rivals |> List.partition (isFresh inputs)

    let run target (rivals: Rival list) line =
        let wanted = rivals |> List.map _.Project |> String.concat ";"

        DotNet.target
            root
            (Path.Combine(Rival.folder root, "Packages.proj"))
            target
            (("Wanted", wanted) :: source feed)
            line
            stop

    let noSdk =
        List.map (
            Rival.absent
                Status.NotAvailable
                "it is built when it is asked for, and there is no SDK here: 'dotnet' cannot be started"
        )

    let built =
        if stale.IsEmpty then
            []
        else
            let packages =
                stale
                |> List.map (fun rival -> $"{rival.Package} {rival.Version}")
                |> List.distinct
                |> String.concat ", "

            tell $"fetching {packages}"

            match run "Restore" stale ignore with
            | None -> noSdk stale
            | Some restored ->
                let troubles = BuildMessages.errors restored.Lines

                let missing, there =
                    stale
                    |> List.map (fun rival -> rival, BuildMessages.first rival.Project troubles)
                    |> List.partition (fun (_, trouble) -> trouble.IsSome)

                let missing =
                    missing |> List.map (fun (rival, trouble) -> fetched rival (Option.get trouble))

                let there = List.map fst there

                if there.IsEmpty then
                    missing
                else
                    let names =
                        there |> List.map (fun (rival: Rival) -> rival.Candidate.Name) |> String.concat ", "

                    tell $"building {names}"

                    let line (text: string) =
                        match text.Split " -> " with
                        | [| name; _ |] -> tell $"built {name.Trim()}"
                        | _ -> ()

                    match run "Build" there line with
                    | None -> noSdk there
                    | Some ended ->
                        let troubles = BuildMessages.errors ended.Lines

                        missing @ List.map (compiled ended troubles) there

    [ yield! fresh |> List.map (fun (rival: Rival) -> rival.Candidate); yield! built ]
    |> List.sortBy (fun candidate -> candidate.Order, candidate.Name)
