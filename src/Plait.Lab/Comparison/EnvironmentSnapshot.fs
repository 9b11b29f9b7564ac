// The environment of a run, as results hold it: machine, cores, versions, commit, load and time.
module Plait.Lab.EnvironmentSnapshot

open System
open System.Collections.Generic
open System.IO
open System.Runtime
open System.Text.Json
open System.Threading

open Plait.Load

open Plait.Report

/// The facts that are read once, before anything is measured.
type InitialFacts =
    {
        Started: DateTime
        Placement: Affinity.Placement
        Cores: int
        Ticks: Machine.Ticks option
        /// Cores that other programs kept busy while this one slept.
        BusyCores: float option
        Git: (string * bool) option
        Sdk: string option
    }

/// Looks at the machine and at `repository`.
let look (repository: string) : InitialFacts =
    let allowed = Affinity.allowedAtStart ()
    let asleep = Machine.ticksOfEach allowed
    Thread.Sleep 300
    let busy = Machine.busyCores asleep (Machine.ticksOfEach allowed)

    {
        Started = DateTime.UtcNow
        Placement = Affinity.placement ()
        Cores = if allowed.IsEmpty then Environment.ProcessorCount else allowed.Length
        Ticks = Machine.ticks ()
        BusyCores = busy
        Git = Machine.git repository
        Sdk = Machine.sdk repository
    }

/// With the load generator on the server's core where that is asked for.
let share (isShared: bool) (before: InitialFacts) : InitialFacts =
    if isShared then
        { before with
            Placement =
                { before.Placement with
                    Client = before.Placement.Server
                    Description = before.Placement.Description + ", the load generator on the server's core"
                    Warning =
                        Some
                            "the load generator shares the server's core, as was asked for: requests/s measures both together"
                }
        }
    else
        before

/// A switch of the base's process, from the file beside its assembly that configures its runtime.
let private configured (plans: RowPlan list) (name: string) : bool option =
    try
        plans
        |> List.tryFind (fun plan -> plan.Candidate.Family = Family.Base)
        |> Option.map (fun plan ->
            nonNull (Path.ChangeExtension(plan.Candidate.Assembly, ".runtimeconfig.json")))
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

/// A variable of the environment goes before the configuration.
let private switch (plans: RowPlan list) (variables: Map<string, string>) variable name fallback =
    match Map.tryFind variable variables with
    | Some value -> value <> "0"
    | None -> configured plans name |> Option.defaultValue fallback

// Where no program was started, this process measured, and has the same collector.
let private collector isOwn (workers: Introduction list) isConcurrent =
    let isServer =
        if isOwn then GCSettings.IsServerGC else workers |> List.exists _.ServerGc

    (if isServer then "server" else "workstation")
    + (if isConcurrent then ", concurrent" else ", non-concurrent")

/// The environment with the runtime, its settings and the packages of the programs that were started. None: those of this program,
/// which measured alone.
let ofPrograms (started: (RowPlan * Introduction) list) (environment: RunEnvironment) : RunEnvironment =
    let plans, introductions = List.unzip started
    let isOwn = started.IsEmpty

    // Programs that report their .NET were started by the lab with its variables; servers of users were not.
    let workers =
        introductions |> List.filter (fun said -> Char.IsDigit said.Runtime[0])

    let variables =
        (if workers.IsEmpty then [] else CandidateProcess.Variables)
        |> List.fold (fun all (name, value) -> Map.add name value all) (Machine.runtimeVariables ())

    let concurrent =
        switch
            plans
            variables
            "DOTNET_gcConcurrent"
            "System.GC.Concurrent"
            (not isOwn || GCSettings.LatencyMode <> GCLatencyMode.Batch)

    let versions =
        started
        |> List.choose (fun (plan, said) ->
            Option.map2 (fun library version -> library, version) plan.Candidate.Library said.LibraryVersion)

    { environment with
        Runtime =
            match workers, introductions with
            | said :: _, _ -> ".NET " + said.Runtime
            | [], said :: _ -> said.Runtime
            | [], [] -> $".NET {Environment.Version}"
        Gc =
            if workers.IsEmpty && not isOwn then
                "the one of each server"
            else
                collector isOwn workers concurrent
        TieredPgo = switch plans variables "DOTNET_TieredPGO" "System.Runtime.TieredPGO" true
        Packages = Map.ofList versions
        Variables = variables
    }

/// The environment of the results, with the programs of `rows` that were started.
let environment (before: InitialFacts) (rows: MeasuredRow list) : RunEnvironment =
    { RunEnvironment.Unknown with
        Os = Machine.os ()
        Kernel = Machine.kernel ()
        Architecture = Machine.architecture ()
        Cpu = Machine.cpu ()
        Cores = before.Cores
        Sdk = before.Sdk
        Git = before.Git |> Option.map fst
        Dirty = before.Git |> Option.exists snd
        ServerCore = before.Placement.Server
        ClientCore = before.Placement.Client
        Pinning = before.Placement.Description
        BusyCores = before.BusyCores
        StealPercent = Machine.stealPercent before.Ticks (Machine.ticks ())
    }
    |> ofPrograms (
        rows
        |> List.choose (fun row -> row.Introduction |> Option.map (fun said -> row.Plan, said))
    )
