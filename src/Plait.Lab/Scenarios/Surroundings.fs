// What stands around the figures of a run: the environment, and the warnings that a reader must have seen.
module Plait.Lab.Scenarios.Surroundings

open System
open System.Collections.Generic
open System.IO
open System.Text.Json

open Plait.Lab.Measure
open Plait.Lab.Report

/// What is looked at once, before anything is measured.
type Before =
    {
        Started: DateTime
        Placement: Affinity.Placement
        Cores: int
        Ticks: Machine.Ticks option
        Load: float option
        Git: (string * bool) option
        Sdk: string option
    }

/// Looks at the machine and at `repository`.
let look (repository: string) : Before =
    let allowed = Affinity.allowed ()

    {
        Started = DateTime.UtcNow
        Placement = Affinity.place (OperatingSystem.IsLinux()) allowed
        Cores = if allowed.IsEmpty then Environment.ProcessorCount else allowed.Length
        Ticks = Machine.ticks ()
        Load = Machine.loadAverage ()
        Git = Machine.git repository
        Sdk = Machine.sdk repository
    }

/// With the load client on the server's core where that is asked for.
let share (isShared: bool) (before: Before) : Before =
    if isShared then
        { before with
            Placement =
                { before.Placement with
                    Client = before.Placement.Server
                    Description = before.Placement.Description + ", the load client on the server's core"
                    Warning =
                        Some
                            "the load client shares the server's core, as was asked for: requests/s is that of both together"
                }
        }
    else
        before

/// A switch of the base's process, from the file beside its assembly that configures its runtime.
let private configured (rows: RowRun list) (name: string) : bool option =
    try
        rows
        |> List.tryFind (fun row -> row.Plan.Candidate.Family = "base")
        |> Option.map (fun row ->
            nonNull (Path.ChangeExtension(row.Plan.Candidate.Assembly, ".runtimeconfig.json")))
        |> Option.filter File.Exists
        |> Option.bind (fun file ->
            use document = JsonDocument.Parse(File.ReadAllText file)

            match
                document.RootElement
                    .GetProperty("runtimeOptions")
                    .GetProperty("configProperties")
                    .TryGetProperty
                    name
            with
            | true, value when value.ValueKind = JsonValueKind.True -> Some true
            | true, value when value.ValueKind = JsonValueKind.False -> Some false
            | _ -> None)
    with
    | :? IOException
    | :? JsonException
    | :? KeyNotFoundException -> None

/// A variable of the environment goes before what is configured.
let private switch (rows: RowRun list) (variables: Map<string, string>) variable name fallback =
    match Map.tryFind variable variables with
    | Some value -> value <> "0"
    | None -> configured rows name |> Option.defaultValue fallback

let private runtime (introductions: Introduction list) =
    match introductions with
    | said :: _ when Char.IsDigit said.Runtime[0] -> ".NET " + said.Runtime
    | said :: _ -> said.Runtime
    | [] -> $".NET {Environment.Version}"

/// The environment of the results.
let environment (before: Before) (rows: RowRun list) : RunEnvironment =
    let introductions = rows |> List.choose _.Introduction

    let variables =
        Start.variables
        |> List.fold (fun all (name, value) -> Map.add name value all) (Machine.runtimeVariables ())

    let concurrent =
        switch rows variables "DOTNET_gcConcurrent" "System.GC.Concurrent" true

    let versions =
        rows
        |> List.choose (fun row ->
            match row.Plan.Candidate.Library, row.Introduction |> Option.bind _.LibraryVersion with
            | Some library, Some version -> Some(library, version)
            | _ -> None)

    {
        Os = Machine.os ()
        Kernel = Machine.kernel ()
        Architecture = Machine.architecture ()
        Cpu = Machine.cpu ()
        Cores = before.Cores
        Runtime = runtime introductions
        Sdk = before.Sdk
        Gc =
            (if introductions |> List.exists _.ServerGc then "server" else "workstation")
            + (if concurrent then ", concurrent" else ", non-concurrent")
        TieredPgo = switch rows variables "DOTNET_TieredPGO" "System.Runtime.TieredPGO" true
        Git = before.Git |> Option.map fst
        Dirty = before.Git |> Option.exists snd
        ServerCore = before.Placement.Server
        ClientCore = before.Placement.Client
        Pinning = before.Placement.Description
        LoadAverage = before.Load
        StealPercent = Machine.stealPercent before.Ticks (Machine.ticks ())
        Packages = Map.ofList versions
        Variables = variables
    }

/// That the control is not the same as its base, where it is measured and is not.
let controlWarnings (control: Row option) : string list =
    let warn where (ratio: RatioResult) verdict =
        if verdict = "same" then
            None
        else
            Some
                $"the A/A control came out {Table.ratio ratio} {where} instead of the same: differences of that size mean nothing in this run"

    [
        control
        |> Option.bind (fun row -> Option.map2 (warn "in process") row.CpuRatio row.Verdict)
        |> Option.flatten
        control
        |> Option.bind _.Http
        |> Option.bind (fun part -> warn "over HTTP" part.CpuRatio part.Verdict)
    ]
    |> List.choose id

/// What a reader must know of the machine during the run, one sentence each.
let machineWarnings (environment: RunEnvironment) : string list =
    [
        match environment.LoadAverage with
        | Some load when load > 0.7 ->
            $"other programs were running when the measuring began (load average {load:F1}): expect wider intervals"
        | _ -> ()

        match environment.StealPercent with
        | Some steal when steal > 1.0 ->
            $"the hypervisor gave {steal:F1} %% of the time to other machines: expect wider intervals"
        | _ -> ()
    ]

/// The warnings, each one sentence. `clientBusy`: shares of the client's core in use, slice by slice; `rows`: the
/// rows as results hold them.
let warnings
    (settings: Settings)
    (before: Before)
    (environment: RunEnvironment)
    (pace: Pace)
    (ended: Stopping.Ended)
    (control: string)
    (clientBusy: float list)
    (runs: RowRun list)
    (rows: Row list)
    : string list =
    let notFlat = runs |> List.filter (fun row -> row.NotFlat > 0) |> List.map _.Plan.Id

    [
        match before.Placement.Warning with
        | Some warning -> warning
        | None -> ()

        yield! machineWarnings environment

        let launches =
            runs |> List.fold (fun most row -> max most row.Launches.Count) settings.Launches

        if launches < 3 && not settings.BytesOnly then
            let counted = if launches = 1 then "one launch" else $"{launches} launches"

            $"{counted} of every process: the interval over launches is coarse, take more with --launches before you rely on small differences"

        match settings.BudgetSeconds with
        | Some budget when settings.Width.IsNone && pace.Shortened > 0 ->
            $"the machine was slow: to end within {budget:F0} s, {pace.Shortened} of {pace.Rows} launches of rows were measured in fewer pairs or warmed shorter; leave --quick out for the full measure"
        | _ -> ()

        yield! Stopping.warnings settings runs ended

        if not notFlat.IsEmpty then
            let names = String.concat ", " notFlat

            $"warm-up ended at its limit before CPU per request was flat, in at least one launch of: {names}"

        if not clientBusy.IsEmpty && Statistics.median clientBusy > 0.6 then
            $"the load client used {100.0 * Statistics.median clientBusy:F0} %% of its core: requests/s may be the client's limit (CPU per request is not touched by it)"

        yield! rows |> List.tryFind (fun row -> row.Id = control) |> controlWarnings
    ]
