// Candidates published with a .NET runtime of their own, one folder for each runtime, when a run asks for them.
module Plait.Lab.RuntimeBuild

open System
open System.IO
open System.Runtime.InteropServices
open System.Threading

open Plait.Common
open Plait.Report

/// The runtimes that candidates are built for, oldest first.
let known = [ "net8.0"; "net9.0"; "net10.0"; "net11.0" ]

// The SDK has neither the runtime nor the compiler of this one.
let private made = "net11.0"

/// Some of them, oldest first and once each.
let oldestFirst (names: string list) : string list =
    known |> List.filter (fun name -> List.contains name names)

/// "8" for "net8.0".
let version (runtime: string) : string = runtime.Substring(3).Replace(".0", "")

/// ".NET 8" for "net8.0".
let shown (runtime: string) : string = ".NET " + version runtime

/// The candidates of a repository that run on this runtime alone, in their order: those of candidates/RUNTIME. There is nothing
/// to run of them until they are published.
let own (root: string) (runtime: string) : Candidate list =
    let folder = Path.Combine(root, "candidates", runtime)
    if Directory.Exists folder then Candidate.discover folder else []

/// Where the program of a candidate for a runtime lies.
let program (root: string) (runtime: string) (name: string) : string =
    let file = if OperatingSystem.IsWindows() then name + ".exe" else name
    Path.Combine(root, "artifacts", "bin", "runtimes", runtime, name, file)

let private sources (root: string) (runtime: string) (candidate: Candidate) =
    let own =
        [
            Path.Combine(root, "candidates", candidate.Name)
            Path.Combine(root, "candidates", runtime, candidate.Name)
            Path.Combine(PackagedCandidate.folder root, candidate.Name)
        ]
        |> List.filter Directory.Exists
        |> List.collect (Directory.GetFiles >> List.ofArray)

    let libraries =
        match candidate.Library with
        | Some "Plait" -> [ "Plait" ]
        | Some "Plait.RuntimeAsync" -> [ "Plait"; "Plait.RuntimeAsync" ]
        | _ -> []
        |> List.collect (fun library ->
            Directory.GetFiles(Path.Combine(root, "src", library), "*.fs*", SearchOption.AllDirectories)
            |> List.ofArray)

    PackagedCandidate.shared root @ own @ libraries

let private isFresh root (runtime: string) (candidate: Candidate) =
    let program = program root runtime candidate.Name

    let assembly =
        Path.Combine(nonNull (Path.GetDirectoryName program), candidate.Name + ".dll")

    File.Exists program && DotNetBuild.isUpToDate assembly (sources root runtime candidate)

// Why nothing can be built for a runtime, and the command to run first.
let private lacking (root: string) (runtime: string) : string option =
    let folder = Path.Combine(root, "artifacts", "dotnet11")
    let unavailable = Path.Combine(folder, "unavailable")

    if runtime <> made || File.Exists(Path.Combine(folder, "toolchain.props")) then
        None
    elif File.Exists unavailable then
        let said =
            (Files.text "the reason" unavailable).Trim().Replace("not available: ", "")

        Some
            $"{shown runtime} could not be made, because the package sources lack {said}; 'make dotnet11' tries again"
    else
        Some
            $"{shown runtime} and its compiler are not made yet: run 'make dotnet11', which makes both in artifacts/dotnet11"

/// Publishes the candidates that are not published yet. Returns each pair with its program, or with the reason why
/// there is none.
let publish
    (root: string)
    (feed: string option)
    (wanted: (Candidate * string) list)
    (tell: string -> unit)
    (stop: CancellationToken)
    : (Candidate * string) list =
    let stale =
        wanted
        |> List.filter (fun (candidate, runtime) ->
            candidate.Absence.IsNone
            && not (isFresh root runtime candidate)
            && (lacking root runtime).IsNone)

    let names =
        stale
        |> List.map (fun (candidate, runtime) -> $"{candidate.Name}@{runtime}")
        |> String.concat ";"

    let run target line =
        DotNetBuild.target
            root
            (Path.Combine(root, "candidates", "Runtimes.proj"))
            target
            ([ "Wanted", names; "CandidateRid", RuntimeInformation.RuntimeIdentifier ]
             @ PackagedCandidate.source feed)
            line
            stop

    let troubles =
        if stale.IsEmpty then
            []
        else
            tell $"publishing {stale.Length} candidates, each with its runtime"
            let clock = Diagnostics.Stopwatch.StartNew()
            let mutable count = 0

            let line (text: string) =
                // A build prints the path of its assembly, a publication its folder.
                match text.TrimEnd().Split " -> " with
                | [| _; path |] when path.EndsWith '/' || path.EndsWith '\\' ->
                    count <- count + 1
                    let name = Path.GetFileName(path.TrimEnd('/', '\\'))
                    tell $"published {name} ({count} of {stale.Length}, {clock.Elapsed.TotalSeconds:F0} s)"
                | _ -> ()

            let lines (ended: DotNetSdk.Ended option) =
                match ended with
                | Some ended -> ended.Lines
                | None ->
                    raise (
                        RunFailed
                            "candidates are built for other runtimes by the .NET SDK, and 'dotnet' cannot be started here"
                    )

            let restored = lines (run "Restore" ignore)
            DotNetSdk.errors (restored @ lines (run "Publish" line))

    [
        for candidate, runtime in wanted do
            let program = program root runtime candidate.Name

            let candidate =
                match candidate.Absence, lacking root runtime with
                | Some _, _ -> candidate
                | None, Some reason when not (isFresh root runtime candidate) ->
                    candidate |> Candidate.absent Status.NotAvailable reason
                // A program that is older than its sources is not the candidate.
                | None, _ when File.Exists program && (troubles.IsEmpty || isFresh root runtime candidate) ->
                    { candidate with Assembly = program }
                | None, _ ->
                    match List.tryHead troubles with
                    | Some trouble when not (DotNetBuild.isOfPackages trouble) ->
                        candidate
                        |> Candidate.absent
                            Status.Failed
                            $"it does not compile for {shown runtime}: {DotNetSdk.describe trouble}"
                    | trouble ->
                        let why =
                            trouble
                            |> Option.map (fun trouble -> $": {DotNetSdk.describe trouble}")
                            |> Option.defaultValue "; the build gave no reason"

                        candidate
                        |> Candidate.absent
                            Status.NotAvailable
                            $"it was not published with {shown runtime}, whose runtime packs come from the configured package sources{why}"

            candidate, runtime
    ]

/// The rows with their candidates as they are published for a runtime, or with the reason why there is nothing to run. Otherwise
/// as publish.
let rows
    (root: string)
    (feed: string option)
    (runtime: string)
    (tell: string -> unit)
    (stop: CancellationToken)
    (rows: RowPlan list)
    : RowPlan list =
    let published =
        publish
            root
            feed
            [ for candidate in rows |> List.map _.Candidate |> List.distinctBy _.Name -> candidate, runtime ]
            tell
            stop
        |> List.map (fun (candidate, _) -> candidate.Name, candidate)
        |> Map.ofList

    rows |> List.map (fun row -> { row with Candidate = published[row.Candidate.Name] })
