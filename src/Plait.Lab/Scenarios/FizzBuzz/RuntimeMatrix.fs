// The comparison over runtimes: the same candidates on several versions of .NET, every one a row, measured in turn
// against the synchronous one on the newest; and the gain of each .NET.
module Plait.Lab.RuntimeMatrix

open System.Globalization

open Plait.Report

/// Requests a second as published ("Benchmarking F# 6 Tasks", 2021), by runtime and candidate.
let private published =
    [
        ".NET 5, F# 5",
        [
            "sync", 21674.0
            "async", 7283.0
            "ply-task", 10294.0
            "ply-vtask", 12245.0
            "ply-uvtask", 16872.0
            "ply-uply", 20065.0
        ]
        ".NET 6, F# 5",
        [
            "sync", 21920.0
            "async", 8867.0
            "ply-task", 11793.0
            "ply-vtask", 13388.0
            "ply-uvtask", 19415.0
            "ply-uply", 21648.0
        ]
        ".NET 6, F# 6", FizzBuzzPublished.perSecond
    ]

/// Of the newest published sync row.
let private publishedBase = Map FizzBuzzPublished.perSecond |> Map.find "sync"

/// Candidate and runtime of a row's id.
let private parts (row: Row) =
    match row.Id.Split '@' with
    | [| name; runtime |] -> Some(name, runtime)
    | _ -> None

let private ratio (rows: Row list) name runtime =
    rows |> List.tryFind (fun row -> parts row = Some(name, runtime)) |> Option.bind _.Ratio

let private capacity (rows: Row list) name runtime =
    ratio rows name runtime |> Option.map (fun ratio -> 100.0 / ratio.Value)

/// How much more a core serves on the newest runtime than on the oldest, in percent.
let private gain (runtimes: (string * string) list) rows name =
    Option.map2
        (fun before now -> 100.0 * (now / before - 1.0))
        (capacity rows name (fst runtimes.Head))
        (capacity rows name (fst (List.last runtimes)))

let private version (runtime: string) =
    System.Double.Parse(runtime.Substring 3, CultureInfo.InvariantCulture)

let private note =
    "Requests that one core serves, in percent of sync on the newest .NET of this run (100 / CPU ratio). Down a column: the gain of each .NET. The last rows are published figures (2021, requests/s in percent of sync on .NET 6 with F# 6; the original measured over HTTP)."

/// How much each .NET brings: as a table in the form of the publication that asked it, and as lines. `runtimes`: oldest
/// first; `control`: the candidate that is left out.
let panels (runtimes: (string * string) list) (control: string) (rows: Row list) : Panel list =
    let names =
        rows
        |> List.choose (parts >> Option.map fst)
        |> List.distinct
        |> List.filter ((<>) control)

    let ours =
        [
            for runtime, shown in runtimes ->
                Panel.text shown :: [ for name in names -> Panel.optional (capacity rows name runtime) ]
        ]

    let brought =
        match runtimes with
        | (_, oldest) :: _ :: _ ->
            let newest = snd (List.last runtimes)

            [
                Panel.text $"{oldest} to {newest}, %%"
                :: [ for name in names -> Panel.optional (gain runtimes rows name) ]
            ]
        | _ -> []

    let theirs =
        [
            for title, figures in published ->
                Panel.text ("published: " + title)
                :: [
                    for name in names ->
                        figures
                        |> List.tryFind (fun (other, _) -> other = name)
                        |> Option.map (fun (_, rate) -> 100.0 * rate / publishedBase)
                        |> Panel.optional
                ]
        ]

    let table =
        Panel.table
            "runtimes"
            "How much each .NET brings"
            note
            (Column.words "runtime" :: (names |> List.map (fun name -> Column.figure name 1)))
            (ours @ brought @ theirs)

    let line name : Series option =
        let points =
            [|
                for runtime, _ in runtimes do
                    match capacity rows name runtime with
                    | Some value -> [| version runtime; value |]
                    | None -> ()
            |]

        if points.Length = 0 then
            None
        else
            let family =
                rows
                |> List.tryFind (fun row -> row.Candidate = name)
                |> Option.map _.Family
                |> Option.defaultValue Family.Other

            Some(Panel.series Style.Line name family points)

    [
        table
        if runtimes.Length > 1 then
            Panel.lines
                "runtimes-lines"
                "The same code on each .NET"
                "Higher is better: requests that one core serves, in percent of sync on the newest .NET."
                (Panel.linear "version of .NET")
                (Panel.linear "capacity (% of sync on the newest)")
                (List.choose line names)
    ]

/// "From .NET 8 to .NET 10 a core serves: sync +15 %, strand +18 %."; "" where there is nothing to compare.
let answer (runtimes: (string * string) list) (rows: Row list) : string =
    let isJudged name =
        ratio rows name (fst (List.last runtimes))
        |> Option.exists (fun ratio -> not ratio.IsNotJudged)

    let gains =
        [ "sync"; "strand"; "task"; "async" ]
        |> List.filter isJudged
        |> List.choose (fun name ->
            gain runtimes rows name
            |> Option.map (fun percent ->
                name + " " + percent.ToString("+0;-0;+0", CultureInfo.InvariantCulture) + " %"))
        |> String.concat ", "

    if runtimes.Length < 2 || gains = "" then
        ""
    else
        $"From {snd runtimes.Head} to {snd (List.last runtimes)} a core serves: {gains}."

/// The id of a row.
let id (name: string) (runtime: string) : string = $"{name}@{runtime}"

/// The scenario with its base and its control on the newest runtime.
let scenario (scenario: Scenario) (runtimes: string list) : Scenario =
    let newest = List.last runtimes
    let shown = [ for runtime in runtimes -> runtime, RuntimeBuild.shown runtime ]
    let names = shown |> List.map snd |> String.concat ", "

    { scenario with
        Name = scenario.Name + "-runtimes"
        Title = $"{scenario.Title}, on {names}"
        Base = id scenario.Base newest
        Control = id scenario.Control newest
        // Nanoseconds for a wrapper need a base on the same runtime.
        Wrappers = None
        Answer = answer shown
        Panels = panels shown scenario.Control
    }

/// The programs to publish: every candidate for every runtime, the control for the newest alone. Newest first, so
/// that the environment names that one.
let wanted
    (control: string)
    (runtimes: string list)
    (candidates: Candidate list)
    : (Candidate * string) list =
    let newest = List.last runtimes

    [
        for runtime in List.rev runtimes do
            for candidate in candidates do
                if candidate.Name <> control || runtime = newest then
                    candidate, runtime
    ]

/// The row of a published candidate.
let row (newest: string) (candidate: Candidate, runtime: string) : RowPlan =
    { RowPlan.ofCandidate candidate with
        Id = id candidate.Name runtime
        Candidate =
            { candidate with
                Label = $"{candidate.Label}, {RuntimeBuild.shown runtime}"
                // There is one base and one control, on the newest runtime.
                Family =
                    if candidate.Family = Family.Base && runtime <> newest then
                        Family.Other
                    else
                        candidate.Family
                Published = []
            }
    }
