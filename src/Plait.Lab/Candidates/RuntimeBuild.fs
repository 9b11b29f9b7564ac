// Candidates published with a .NET runtime of their own, one folder for each runtime, when a run asks for them.
module Plait.Lab.RuntimeBuild

open System
open System.IO
open System.Runtime.InteropServices
open System.Threading

open Plait.Report

/// The runtimes that candidates are built for, oldest first.
let known = [ "net8.0"; "net9.0"; "net10.0" ]

/// Some of them, oldest first and once each.
let oldestFirst (names: string list) : string list =
    known |> List.filter (fun name -> List.contains name names)

/// ".NET 8" for "net8.0".
let shown (runtime: string) : string =
    ".NET " + runtime.Substring(3).Replace(".0", "")

/// Where the program of a candidate for a runtime lies.
let program (root: string) (runtime: string) (name: string) : string =
    let file = if OperatingSystem.IsWindows() then name + ".exe" else name
    Path.Combine(root, "artifacts", "bin", "runtimes", runtime, name, file)

let private sources (root: string) (candidate: Candidate) =
    let own =
        [
            Path.Combine(root, "candidates", candidate.Name)
            Path.Combine(Rival.folder root, candidate.Name)
        ]
        |> List.filter Directory.Exists
        |> List.collect (Directory.GetFiles >> List.ofArray)

    let library =
        if candidate.Library = Some "Plait" then
            Directory.GetFiles(Path.Combine(root, "src", "Plait"), "*.fs*", SearchOption.AllDirectories)
        else
            [||]

    Rival.shared root @ own @ List.ofArray library

let private isFresh root (runtime: string) (candidate: Candidate) =
    let program = program root runtime candidate.Name

    let assembly =
        Path.Combine(nonNull (Path.GetDirectoryName program), candidate.Name + ".dll")

    File.Exists program && DotNetBuild.isUpToDate assembly (sources root candidate)

/// Publishes what is not published yet. Returns each pair with its program, or with the reason why there is none.
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
            candidate.Absence.IsNone && not (isFresh root runtime candidate))

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
             @ Rival.source feed)
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
                // A build says where its assembly went, a publication where its folder is.
                match text.TrimEnd().Split " -> " with
                | [| _; path |] when path.EndsWith '/' || path.EndsWith '\\' ->
                    count <- count + 1
                    let name = Path.GetFileName(path.TrimEnd('/', '\\'))
                    tell $"published {name} ({count} of {stale.Length}, {clock.Elapsed.TotalSeconds:F0} s)"
                | _ -> ()

            let lines (ended: DotNetBuild.Ended option) =
                match ended with
                | Some ended -> ended.Lines
                | None -> raise (RunFailed "--runtimes needs the .NET SDK: 'dotnet' cannot be started here")

            let restored = lines (run "Restore" ignore)
            DotNetBuild.errors (restored @ lines (run "Publish" line))

    [
        for candidate, runtime in wanted do
            let program = program root runtime candidate.Name

            let candidate =
                match candidate.Absence with
                | Some _ -> candidate
                | None when File.Exists program -> { candidate with Assembly = program }
                | None ->
                    let why =
                        troubles
                        |> List.tryHead
                        |> Option.map (fun trouble -> $": {trouble.Code}: {trouble.Text}")
                        |> Option.defaultValue ", and the build does not say why"

                    candidate
                    |> Candidate.absent
                        Status.NotAvailable
                        $"it was not published with {shown runtime}, whose runtime packs come from the configured package sources{why}"

            candidate, runtime
    ]
