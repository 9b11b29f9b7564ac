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
open FSharp.Compiler.Diagnostics
open FSharp.Compiler.Symbols

/// The compiler service that projects are checked with; one serves many checks.
let createChecker () : FSharpChecker =
    FSharpChecker.Create(
        keepAssemblyContents = true,
        // One that is dropped while others reference it is type-checked again for each of them: with 20, a check of 39 projects did
        // not end in 280 s, and with all of them it takes 89 s.
        projectCacheSize = 1000,
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

/// Bodies nest as deep as the source does, and a computation expression nests at each let!.
let private onDeepStack (action: unit -> 'T) : 'T =
    let work = new Task<'T>(action)
    Thread((fun () -> work.RunSynchronously TaskScheduler.Default), 1 <<< 29).Start()
    work.GetAwaiter().GetResult()

let private lineCount (file: string) : int =
    try
        File.ReadLines file |> Seq.length
    with
    | :? IOException
    | :? UnauthorizedAccessException -> 0

/// The first type errors, for people to see why lines are lost.
let private errorsOf (project: LoadedProject) (errors: FSharpDiagnostic list) : string list =
    match errors with
    | [] -> []
    | first :: _ ->
        let message = first.Message.ReplaceLineEndings " "
        let name = Path.GetFileName first.FileName

        let count =
            if errors.Length = 1 then "a type error" else $"{errors.Length} type errors, the first"

        [
            $"{project.Name} has {count}: {first.ErrorNumberText} in {name}, line {first.StartLine}: {message}"
        ]

/// Checks projects. `rules`: the codes of the rules to run. `tables`: files with further effects. `progress` gets the
/// name of each step. Raises BadInput for an unknown rule or a wrong table, OperationCanceledException when the token
/// is cancelled.
let run
    (checker: FSharpChecker)
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
    let own = HashSet<string>()

    let sources =
        projects |> List.collect (fun project -> List.ofArray project.Options.SourceFiles)

    let run = Run(chosen, own, List.distinct sources, token)
    let notes = List<string>()
    let mutable coverage = Coverage.Zero
    let files = HashSet<string>()
    let lost = HashSet<struct (string * int)>()

    let read (project: LoadedProject) =
        progress $"type-checking {project.Name}"

        let results =
            Async.RunSynchronously(checker.ParseAndCheckProject project.Options, cancellationToken = token)

        let errors =
            results.Diagnostics
            |> Seq.filter (fun diagnostic -> diagnostic.Severity = FSharpDiagnosticSeverity.Error)
            |> List.ofSeq

        notes.AddRange project.Notes
        notes.AddRange(errorsOf project errors)
        progress $"reading the typed trees of {project.Name}"
        let lowering = Lowering table
        let mutable declarations = 0
        let mutable skipped = 0

        let action key at body =
            run.Add(Declaration.OfCode(key, "the code that runs when the file is loaded", at, body))

        let rec declaration (declared: FSharpImplementationFileDeclaration) =
            token.ThrowIfCancellationRequested()

            match declared with
            | FSharpImplementationFileDeclaration.Entity(_, inner) -> List.iter declaration inner
            | FSharpImplementationFileDeclaration.InitAction expression ->
                declarations <- declarations + 1
                action $"init {expression.Range}" expression.Range (lowering.Action expression)
            | FSharpImplementationFileDeclaration.MemberOrFunctionOrValue(symbol, parameters, body) ->
                declarations <- declarations + 1

                match lowering.Declaration(symbol, parameters, body) with
                | Some lowered -> run.Add lowered
                | None -> skipped <- skipped + 1

                List.iter run.Add (lowering.TakeFields())

        // the SDK writes attributes of the assembly into files of their own
        let isWritten (file: string) =
            file.EndsWith(".AssemblyInfo.fs", StringComparison.Ordinal)
            || file.EndsWith(".AssemblyAttributes.fs", StringComparison.Ordinal)

        // a file that several projects compile is looked at in the first
        let fresh =
            results.AssemblyContents.ImplementationFiles
            |> List.filter (fun file -> not (isWritten file.FileName) && files.Add file.FileName)

        for file in fresh do
            List.iter declaration file.Declarations

        lost.UnionWith lowering.Lost

        for error in errors do
            for line in error.StartLine .. error.EndLine do
                lost.Add(struct (error.FileName, line)) |> ignore

        own.UnionWith lowering.Own

        coverage <-
            coverage
            + { Coverage.Zero with
                  Projects = 1
                  Files = fresh.Length
                  Lines = fresh |> List.sumBy (fun file -> lineCount file.FileName)
                  TypeErrors = errors.Length
                  Declarations = declarations
                  Skipped = skipped
              }

    let findings =
        onDeepStack (fun () ->
            List.iter read projects
            progress "following values"
            run.Interpret()
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
        Time = clock.Elapsed
    }
