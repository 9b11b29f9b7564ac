// From loaded projects to findings: type-checks each project, lowers its declarations, and interprets them during the
// type-checking of the next ones.
module Plait.Check.Analysis

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Threading
open System.Threading.Tasks

open FSharp.Compiler.CodeAnalysis

/// The compiler service of a check; one instance serves many checks.
let createChecker () : FSharpChecker =
    FSharpChecker.Create(
        keepAssemblyContents = true,
        // The service checks each project against the signatures of the others, so it may forget a lowered project. It
        // keeps the last ones for `plait check --watch`.
        projectCacheSize = 3,
        keepAllBackgroundResolutions = false,
        keepAllBackgroundSymbolUses = false
    )

/// The time for the interpretation of the lowered projects after a stop.
let private lastLook = TimeSpan.FromSeconds 20.

let private onDeepStack (action: unit -> 'T) : Task<'T> =
    let work = new Task<'T>(action)
    Thread((fun () -> work.RunSynchronously TaskScheduler.Default), ProjectNodes.StackBytes).Start()
    work

/// Notes about type errors: the first one tells the user why lines are lost.
let private errorsOf (project: LoadedProject) (lowered: LoweredProject) : string list =
    [
        match lowered.Errors with
        | 0 -> ()
        | 1 -> $"{project.Name} has a type error: {lowered.FirstError}"
        | several -> $"{project.Name} has {several} type errors, the first: {lowered.FirstError}"

        for file in lowered.Files do
            if file.IsMissing then
                $"{Path.GetFileName file.File} was not analysed: because of its type errors the compiler has no code of it"
    ]

/// The state of a run: interprets lowered projects and adds up their coverage.
type private AnalysisRun(declarations: Declarations, found: Finding list -> unit) =
    let notes = List<string>()
    let files = HashSet<string>()
    let lost = HashSet<struct (string * int)>()
    let mutable coverage = Coverage.Zero

    /// Interprets one more project, after those that it references. `found` gets the findings that no later project
    /// changes.
    member _.Next(project: LoadedProject, lowered: LoweredProject) =
        notes.AddRange project.Notes
        notes.AddRange(errorsOf project lowered)

        // a file of several projects is interpreted in the first one
        let fresh = lowered.Files |> List.filter (fun file -> files.Add file.File)
        declarations.AddOwn lowered.Own

        let owner =
            declarations.Begin(project.Options, [ for file in lowered.Files -> file.File ])

        for file in fresh do
            for declaration in file.Declarations do
                declarations.Add(owner, file.File, declaration)

        // a project is not counted if the check stops during its interpretation
        declarations.Interpret()

        for file in fresh do
            for line in file.Lost do
                lost.Add(struct (file.File, line)) |> ignore

        lost.UnionWith lowered.Lost

        coverage <-
            coverage
            + { Coverage.Zero with
                  Projects = 1
                  Files = fresh.Length
                  Lines = fresh |> List.sumBy (fun file -> LoweredProject.lineCount file.File)
                  TypeErrors = lowered.Errors
                  Declarations = fresh |> List.sumBy _.Count
                  Skipped = fresh |> List.sumBy _.Skipped
              }

        match declarations.Settled() with
        | [] -> ()
        | settled -> found settled

    member _.Notes = List.ofSeq notes

    member _.Coverage =
        let seen, tracked = declarations.Values

        { coverage with
            NotAnalysed = declarations.GivenUp
            LostLines = lost.Count
            Seen = seen
            Tracked = tracked
        }

/// Checks projects. `cache`: results of earlier runs. `rules`: the codes of the rules to run. `tables`: files with
/// further effects. `progress` gets the name of each step. `found` gets the findings of a project after its
/// interpretation, on another thread, and never after the end; the report alone has the findings that depend on later
/// projects. After `token` is cancelled, the interpretation of the lowered projects goes on until `last` is cancelled
/// too, and the report names the other projects; without a lowered project it raises OperationCanceledException. Raises
/// BadInput for an unknown rule or a wrong table.
let runUntil
    (last: CancellationToken)
    (found: Finding list -> unit)
    (checker: FSharpChecker)
    (cache: Cache option)
    (rules: string list)
    (tables: string list)
    (progress: string -> unit)
    (token: CancellationToken)
    (projects: LoadedProject list)
    : Report =
    let clock = Stopwatch.StartNew()
    let known = Rules.all |> List.map _.Code

    for code in rules do
        if not (List.contains code known) then
            let hint =
                Plait.Common.NearestName.hint known ("the rules are " + String.concat ", " known) code

            raise (Plait.Common.BadInput $"there is no rule {code}; {hint}")

    let chosen =
        Rules.rules |> List.filter (fun rule -> List.contains rule.Info.Code rules)

    let table = EffectTable.load tables

    // with one project nothing comes after it: its findings come together, in order of file and line
    let found =
        match projects with
        | [ _ ] -> ignore
        | _ -> found

    let sources =
        projects |> List.collect (fun project -> List.ofArray project.Options.SourceFiles)

    // an error of the interpretation stops the reading, and the reverse
    use reading = CancellationTokenSource.CreateLinkedTokenSource token
    use ending = CancellationTokenSource.CreateLinkedTokenSource last
    let declarations = Declarations(chosen, List.distinct sources, ending.Token)
    let run = AnalysisRun(declarations, found)
    use read = new BlockingCollection<LoadedProject * LoweredProject>()

    /// The findings, and the projects that were lowered but not fully interpreted.
    let look () : Finding list * LoadedProject list =
        let left = List<LoadedProject>()

        try
            for project, lowered in read.GetConsumingEnumerable() do
                left.Add project
                run.Next(project, lowered)
                left.Clear()
        with
        | :? OperationCanceledException when token.IsCancellationRequested ->
            left.AddRange(read.GetConsumingEnumerable() |> Seq.map fst)
        | _ ->
            reading.Cancel()
            reraise ()

        declarations.Findings, List.ofSeq left

    let looked = onDeepStack look

    let unread =
        try
            try
                Checking.run checker cache table tables progress reading.Token projects (fun one ->
                    read.Add one)
            finally
                read.CompleteAdding()
        with _ ->
            ending.Cancel()
            Task.WaitAny [| looked :> Task |] |> ignore
            reraise ()

    if read.Count > 0 then
        progress "following values"

    let findings, left = looked.GetAwaiter().GetResult()

    if unread.Length = projects.Length then
        token.ThrowIfCancellationRequested()

    {
        Findings = findings
        Coverage = run.Coverage
        Notes = run.Notes
        IsStopped = token.IsCancellationRequested
        Unread = left @ unread |> List.map _.File
        Time = clock.Elapsed
    }

/// The same, with 20 seconds for the interpretation after `token` is cancelled.
let run found checker cache rules tables progress (token: CancellationToken) projects : Report =
    use last = new CancellationTokenSource()
    use _ = token.Register(fun () -> last.CancelAfter lastLook)
    runUntil last.Token found checker cache rules tables progress token projects
