// From loaded projects to findings: type-checks each, lowers its declarations, interprets them, and passes the events
// to the rules.
module Plait.Check.Analysis

open System
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Threading
open System.Threading.Tasks

open FSharp.Compiler.CodeAnalysis

/// The compiler service that projects are checked with; one serves many checks.
let createChecker () : FSharpChecker =
    FSharpChecker.Create(
        keepAssemblyContents = true,
        // Each project is checked against the signatures of the others, and is needed no more when it is lowered. The last ones stay
        // for a check that is done again and again.
        projectCacheSize = 3,
        keepAllBackgroundResolutions = false,
        keepAllBackgroundSymbolUses = false
    )

/// The declarations that wait to be interpreted, and the summaries and findings so far.
[<ReferenceEquality>]
type private Entry =
    {
        Declaration: Declaration
        mutable Summary: Summary option
        mutable IsRunning: bool
        mutable IsDone: bool
        mutable Turns: int
        /// Those that used the summary, or would have. Of functions that call each other in a circle some ask too early.
        AskedBy: HashSet<Entry>
        Findings: Dictionary<struct (string * Location), Finding>
        Seen: Dictionary<Location, bool>
        mutable Handled: Handled list
    }

type private Run(rules: Rule list, own: HashSet<string>, files: string list, token: CancellationToken) =
    let entries = Dictionary<string, Entry>()
    let order = List<Entry>()
    let again = Queue<Entry>()
    // the members that implement an abstract one, by the name of that
    let implementing = Dictionary<string, List<string>>()
    let mutable given = 0

    let add (findings: Dictionary<struct (string * Location), Finding>) (finding: Finding) =
        let key = struct (finding.Rule, finding.Location)

        match findings.TryGetValue key with
        | true, known when known.Severity >= finding.Severity -> ()
        | _ -> findings[key] <- finding

    let proposals = FixProposals(Sources(), files)

    let see (seen: Dictionary<Location, bool>) (place: Location) (isLost: bool) =
        seen[place] <-
            match seen.TryGetValue place with
            | true, wasLost -> wasLost || isLost
            | _ -> isLost

    let rec interpret (entry: Entry) =
        token.ThrowIfCancellationRequested()
        let isFirst = entry.Turns = 0
        let before = entry.Summary
        entry.IsRunning <- true
        entry.Turns <- entry.Turns + 1
        entry.Findings.Clear()
        entry.Seen.Clear()

        // an awaiter's GetResult is only called when the operation behind it is complete
        let isOwn =
            own.Contains entry.Declaration.At.FileName || entry.Declaration.Name.EndsWith ".GetResult"

        let emitted (event: Event) =
            match event with
            | _ when not entry.Declaration.IsJudged -> ()
            | Stored _
            | ReadEarly _ when isOwn -> ()
            | event ->
                for rule in rules do
                    rule.Judge proposals event |> Option.iter (add entry.Findings)

        try
            let declared =
                {
                    Summary = summary entry
                    Implementations =
                        fun name ->
                            match implementing.TryGetValue name with
                            | true, keys -> keys |> Seq.map (summary entry) |> List.ofSeq
                            | _ -> []
                }

            let found = Interpretation.run emitted declared entry.Declaration

            match found.Summary with
            | Some _ -> entry.Summary <- found.Summary
            | None when isFirst -> given <- given + 1
            | None -> ()

            for struct (at, isLost) in found.SingleUse do
                see entry.Seen (Ranges.location at) isLost

            if entry.Declaration.IsJudged then
                entry.Handled <- found.Handled
        finally
            entry.IsRunning <- false
            entry.IsDone <- true

        if entry.Summary <> before then
            Seq.iter again.Enqueue entry.AskedBy

    and summary (asking: Entry) (key: string) : Summary option =
        match entries.TryGetValue key with
        | true, entry ->
            if not entry.IsDone && not entry.IsRunning then
                interpret entry

            entry.AskedBy.Add asking |> ignore
            entry.Summary
        | _ -> None

    member _.Add(declaration: Declaration) =
        let entry =
            {
                Declaration = declaration
                Summary = None
                IsRunning = false
                IsDone = false
                Turns = 0
                AskedBy = HashSet()
                Findings = Dictionary()
                Seen = Dictionary()
                Handled = []
            }

        order.Add entry

        for name in declaration.Implements do
            match implementing.TryGetValue name with
            | true, keys -> keys.Add declaration.Key
            | _ -> implementing[name] <- List [ declaration.Key ]

        // two declarations of one key: neither is known
        if not (entries.TryAdd(declaration.Key, entry)) then
            entries[declaration.Key] <- { entry with IsDone = true }

    /// Interprets all, and again the ones that used summaries of a circle of functions before the circle was done.
    member _.Interpret() =
        for entry in order do
            if not entry.IsDone then
                interpret entry

        while again.Count > 0 do
            let entry = again.Dequeue()

            if entry.Turns < 3 then
                interpret entry

    member _.GivenUp = given

    /// The calls that handle code at a place of a declaration: a block there, or the declaration's result, also through
    /// operations that await it.
    member private _.Handling(entry: Entry, place: Location) : (Handling * string * Location) list =
        let returning = HashSet<Entry>()

        let rec reach (entry: Entry) =
            if entry.Declaration.Body.Kind <> Kind.Plain && returning.Add entry then
                Seq.iter reach entry.AskedBy

        reach entry
        let keys = returning |> Seq.map _.Declaration.Key |> Set.ofSeq

        [
            for entry in order do
                for handled in entry.Handled do
                    if
                        handled.Call <> place
                        && (handled.Functions |> Set.exists keys.Contains
                            || handled.Blocks |> Set.exists (fun block -> Ranges.isIn block place))
                    then
                        handled.How, entry.Declaration.Name, handled.Call
        ]
        |> List.distinct
        |> List.sortBy (fun (_, _, place) -> place.File, place.Line, place.Column)

    member run.Findings: Finding list =
        let all = Dictionary()
        let hindrances = Hindrances [ for entry in order -> entry.Declaration ]

        let judged (entry: Entry) (finding: Finding) =
            if finding.Rule = Blocking.rule.Info.Code && finding.Fix.IsSome then
                match hindrances.Of(entry.Declaration, finding.Location) with
                | Some why -> Blocking.leaving why finding
                | None -> Blocking.naming (run.Handling(entry, finding.Location)) finding
            else
                finding

        for entry in order do
            entry.Findings.Values |> Seq.map (judged entry) |> Seq.iter (add all)

        List.ofSeq all.Values

    /// The values that may be used once: how many, and how many of them were followed.
    member _.Values: int * int =
        let all = Dictionary()

        for entry in order do
            for KeyValue(place, isLost) in entry.Seen do
                see all place isLost

        all.Count, all.Values |> Seq.filter not |> Seq.length

/// How long the code that was read may be interpreted after the check was told to stop.
let private lastLook = TimeSpan.FromSeconds 20.

let private onDeepStack (action: unit -> 'T) : 'T =
    let work = new Task<'T>(action)
    Thread((fun () -> work.RunSynchronously TaskScheduler.Default), Checking.StackBytes).Start()
    work.GetAwaiter().GetResult()

let private lineCount (file: string) : int =
    try
        File.ReadLines file |> Seq.length
    with
    | :? IOException
    | :? UnauthorizedAccessException -> 0

/// The first type error, for people to see why lines are lost.
let private errorsOf (project: LoadedProject) (lowered: LoweredProject) : string list =
    match lowered.Errors with
    | 0 -> []
    | 1 -> [ $"{project.Name} has a type error: {lowered.FirstError}" ]
    | several -> [ $"{project.Name} has {several} type errors, the first: {lowered.FirstError}" ]

/// Checks projects. `cache`: results of earlier runs. `rules`: the codes of the rules to run. `tables`: files with further effects.
/// `progress` gets the name of each step. When the token is cancelled, the projects that were read are looked at, and the report
/// names the others; without any it raises OperationCanceledException. Raises BadInput for an unknown rule or a wrong table.
let run
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

    let read, unread =
        Checking.run checker cache table tables progress token projects
        |> List.partition (snd >> Option.isSome)

    if read.IsEmpty then
        token.ThrowIfCancellationRequested()

    let own = HashSet<string>()

    let sources =
        projects |> List.collect (fun project -> List.ofArray project.Options.SourceFiles)

    // what was read before it was told to stop is still looked at
    use last = new CancellationTokenSource()
    use _ = token.Register(fun () -> last.CancelAfter lastLook)
    let run = Run(chosen, own, List.distinct sources, last.Token)
    let notes = List<string>()
    let mutable coverage = Coverage.Zero
    let files = HashSet<string>()
    let lost = HashSet<struct (string * int)>()

    for project, lowered in read do
        let lowered = lowered.Value
        notes.AddRange project.Notes
        notes.AddRange(errorsOf project lowered)

        // a file that several projects compile is looked at in the first
        let fresh = lowered.Files |> List.filter (fun file -> files.Add file.File)

        for file in fresh do
            file.Declarations |> List.iter run.Add

            for line in file.Lost do
                lost.Add(struct (file.File, line)) |> ignore

        lost.UnionWith lowered.Lost
        own.UnionWith lowered.Own

        coverage <-
            coverage
            + { Coverage.Zero with
                  Projects = 1
                  Files = fresh.Length
                  Lines = fresh |> List.sumBy (fun file -> lineCount file.File)
                  TypeErrors = lowered.Errors
                  Declarations = fresh |> List.sumBy _.Count
                  Skipped = fresh |> List.sumBy _.Skipped
              }

    let findings =
        onDeepStack (fun () ->
            progress "following values"

            try
                run.Interpret()
            with :? OperationCanceledException when token.IsCancellationRequested ->
                ()

            run.Findings)

    let seen, tracked = run.Values

    {
        Findings =
            findings
            |> List.sortBy (fun finding ->
                finding.Location.File, finding.Location.Line, finding.Location.Column, finding.Rule)
        Coverage =
            { coverage with
                NotAnalysed = run.GivenUp
                LostLines = lost.Count
                Seen = seen
                Tracked = tracked
            }
        Notes = List.ofSeq notes
        IsStopped = token.IsCancellationRequested
        Unread = unread |> List.map (fun (project, _) -> project.File)
        Time = clock.Elapsed
    }
