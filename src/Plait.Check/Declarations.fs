// The declarations of a check, project by project: interprets each, interprets those again that later declarations
// change, and makes findings of the events.
namespace Plait.Check

open System.Collections.Generic
open System.Threading

open FSharp.Compiler.CodeAnalysis

/// A project: the files that it compiles, and the projects that it references, directly or not.
[<ReferenceEquality>]
type internal Owner = { Files: HashSet<string>; References: HashSet<Owner> }

/// A declaration with its summary and its findings so far.
[<ReferenceEquality>]
type private Entry =
    {
        Declaration: Declaration
        Owner: Owner
        /// The file that declares it.
        File: string
        mutable Summary: Summary option
        mutable IsRunning: bool
        mutable IsDone: bool
        mutable Turns: int
        /// It was too large.
        mutable IsGivenUp: bool
        /// It calls an abstract member: later projects may have more implementations.
        mutable IsOpen: bool
        /// The entries that used the summary, or asked for it too early: functions may call each other in a circle.
        Dependents: HashSet<Entry>
        Findings: Dictionary<struct (string * Location), Finding>
        Seen: Dictionary<Location, bool>
        mutable Sites: OperationSite list
    }

/// Interprets declarations. `files`: all files of the check.
type internal Declarations(rules: Rule list, files: string list, token: CancellationToken) =
    let entries = Dictionary<string, List<Entry>>()
    // by project file: a reference may have another framework than the one that is checked
    let owners = Dictionary<string, Owner>()
    let order = List<Entry>()
    let again = Queue<Entry>()
    // the implementations of an abstract member, by its name
    let implementing = Dictionary<string, List<Entry>>()
    // those of a class, by the names of both members
    let implementingOf = Dictionary<struct (string * string), List<Entry>>()
    // the declarations that asked for those of all classes
    let askedFor = Dictionary<string, HashSet<Entry>>()
    let own = HashSet<string>()
    // the reported findings, which stay
    let reported = Dictionary<struct (string * Location), Finding>()

    let add (findings: Dictionary<struct (string * Location), Finding>) (finding: Finding) =
        let key = struct (finding.Rule, finding.Location)

        match findings.TryGetValue key with
        | true, known when known.Severity >= finding.Severity -> ()
        | _ -> findings[key] <- finding

    let keep (known: Dictionary<'Key, List<Entry>>) (key: 'Key) (entry: Entry) =
        match known.TryGetValue key with
        | true, others -> others.Add entry
        | _ -> known[key] <- List [ entry ]

    let proposals = FixProposals(Sources(), files)

    let see (seen: Dictionary<Location, bool>) (place: Location) (hasEscaped: bool) =
        seen[place] <-
            match seen.TryGetValue place with
            | true, hadEscaped -> hadEscaped || hasEscaped
            | _ -> hasEscaped

    /// The declarations that code of a project means: those of the project itself, else those of its references, and of no
    /// other project, because modules of several projects may have one name.
    let seenBy (owner: Owner) (all: Entry seq) : Entry list =
        let isReferenced (entry: Entry) =
            owner.References.Contains entry.Owner
            || owner.References |> Seq.exists _.Files.Contains(entry.File)

        match
            [
                for entry in all do
                    if owner.Files.Contains entry.File then
                        entry
            ]
        with
        | [] -> all |> Seq.filter isReferenced |> List.ofSeq
        | own -> own

    /// The declaration that code of a project means by a key. Two such declarations: none.
    let meant (owner: Owner) (key: string) : Entry option =
        match entries.TryGetValue key with
        | true, all ->
            match seenBy owner all with
            | [ one ] -> Some one
            | _ -> None
        | _ -> None

    let rec interpret (entry: Entry) =
        token.ThrowIfCancellationRequested()
        let before = entry.Summary
        entry.IsRunning <- true
        entry.Turns <- entry.Turns + 1
        entry.Findings.Clear()
        entry.Seen.Clear()

        // an awaiter's GetResult is only called after the operation has completed
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

        let implementations (name: string) : Entry list =
            match askedFor.TryGetValue name with
            | true, asking -> asking.Add entry |> ignore
            | _ -> askedFor[name] <- HashSet [ entry ]

            match implementing.TryGetValue name with
            | true, these -> List.ofSeq these
            | _ -> []

        let summaryOf = meant entry.Owner >> Option.bind (summary entry)

        let overrides (name: string) (ofClass: string) (parameters: string) =
            let key = ofClass + parameters

            match summaryOf key, implementingOf.TryGetValue(struct (name, ofClass)) with
            // the types of its parameters are others in a class that implements a generic interface
            | None, (true, these) ->
                match seenBy entry.Owner these with
                | [] -> [ key, None ]
                | several -> several |> List.map (fun one -> one.Declaration.Key, summary entry one)
            | found, _ -> [ key, found ]

        try
            let declared =
                {
                    Summary = summaryOf
                    Implementations = implementations >> List.map (summary entry)
                    Overrides = overrides
                }

            let found = Interpretation.run emitted declared entry.Declaration

            entry.IsGivenUp <- found.Summary.IsNone
            entry.IsOpen <- found.IsOpen

            if found.Summary.IsSome then
                entry.Summary <- found.Summary

            for struct (at, hasEscaped) in found.SingleUse do
                see entry.Seen (Location.ofRange at) hasEscaped

            if entry.Declaration.IsJudged then
                entry.Sites <- found.Sites
        finally
            entry.IsRunning <- false
            entry.IsDone <- true

        if entry.Summary <> before then
            Seq.iter again.Enqueue entry.Dependents

    and summary (asking: Entry) (entry: Entry) : Summary option =
        if not entry.IsDone && not entry.IsRunning then
            interpret entry

        entry.Dependents.Add asking |> ignore
        entry.Summary

    let isTold (finding: Finding) =
        reported.ContainsKey(struct (finding.Rule, finding.Location))

    /// A later project may change it: a caller there decides whether the code may await.
    let maySettle (entry: Entry) (finding: Finding) =
        not entry.IsOpen && (finding.Fix.IsNone || finding.Rule <> Blocking.rule.Info.Code)

    /// Files that declare single-use types.
    member _.AddOwn(files: string seq) = own.UnionWith files

    /// The project with these options, added after its references.
    member _.Begin(options: FSharpProjectOptions, files: string seq) : Owner =
        let owner = { Files = HashSet files; References = HashSet HashIdentity.Reference }

        let seen = HashSet<FSharpProjectOptions>(HashIdentity.Reference)

        let rec reference (options: FSharpProjectOptions) =
            for other in options.ReferencedProjects do
                match other with
                | FSharpReferencedProject.FSharpReference(_, inner) when seen.Add inner ->
                    match owners.TryGetValue inner.ProjectFileName with
                    | true, known ->
                        owner.References.Add known |> ignore
                        owner.References.UnionWith known.References
                    | _ -> reference inner
                | _ -> ()

        reference options
        owners[options.ProjectFileName] <- owner
        owner

    /// A declaration of a file of that project.
    member _.Add(owner: Owner, file: string, declaration: Declaration) =
        let entry =
            {
                Declaration = declaration
                Owner = owner
                File = file
                Summary = None
                IsRunning = false
                IsDone = false
                Turns = 0
                IsGivenUp = false
                IsOpen = false
                Dependents = HashSet()
                Findings = Dictionary()
                Seen = Dictionary()
                Sites = []
            }

        order.Add entry

        for name in declaration.Implements do
            keep implementing name entry

            keep
                implementingOf
                (struct (name, declaration.Key.Substring(0, declaration.Key.IndexOf '(')))
                entry

            match askedFor.TryGetValue name with
            | true, asking ->
                for other in asking do
                    other.IsDone <- false
            | _ -> ()

        keep entries declaration.Key entry

    /// Interprets the new and the changed declarations, and those again that used summaries of a circle of functions
    /// before the circle was complete.
    member _.Interpret() =
        for entry in order do
            entry.Turns <- 0

        for entry in order do
            if not entry.IsDone then
                interpret entry

        while again.Count > 0 do
            let entry = again.Dequeue()

            if entry.Turns < 3 then
                interpret entry

    /// The number of declarations that were too large.
    member _.GivenUp: int = order |> Seq.filter _.IsGivenUp |> Seq.length

    /// The findings that no later project changes, without those that were reported before.
    member _.Settled() : Finding list =
        let fresh = Dictionary()

        for entry in order do
            for finding in entry.Findings.Values do
                if maySettle entry finding && not (isTold finding) then
                    add fresh finding

        for KeyValue(key, finding) in fresh do
            reported[key] <- finding

        Findings.sorted fresh.Values

    /// The sites of the operation at a place of a declaration: a block there, or the declaration's result, also through
    /// operations that await it.
    member private _.SitesOf(entry: Entry, place: Location) : (SiteKind * string * Location) list =
        let returning = HashSet<Entry>()

        let rec reach (entry: Entry) =
            if entry.Declaration.Body.Kind <> Kind.Plain && returning.Add entry then
                Seq.iter reach entry.Dependents

        reach entry

        let isReturning (owner: Owner) (key: string) =
            meant owner key |> Option.exists returning.Contains

        [
            for entry in order do
                for site in entry.Sites do
                    if
                        site.Call <> place
                        && (site.Functions |> Set.exists (isReturning entry.Owner)
                            || site.Blocks |> Set.exists (fun block -> Location.isIn block place))
                    then
                        site.Kind, entry.Declaration.Name, site.Call
        ]
        |> List.distinct
        |> List.sortBy (fun (_, _, place) -> place.File, place.Line, place.Column)

    /// All findings, after the last project.
    member declarations.Findings: Finding list =
        let all = Dictionary reported
        let obstacles = FixObstacles [ for entry in order -> entry.Declaration ]

        let judged (entry: Entry) (finding: Finding) =
            if finding.Rule = Blocking.rule.Info.Code && finding.Fix.IsSome then
                match obstacles.Of(entry.Declaration, finding.Location) with
                | Some why -> Blocking.leaving why finding
                | None -> Blocking.naming (declarations.SitesOf(entry, finding.Location)) finding
            else
                finding

        for entry in order do
            entry.Findings.Values |> Seq.map (judged entry) |> Seq.iter (add all)

        Findings.sorted all.Values

    /// The number of single-use values, and the number of those that the analysis followed to their end.
    member _.Values: int * int =
        let all = Dictionary()

        for entry in order do
            for KeyValue(place, hasEscaped) in entry.Seen do
                see all place hasEscaped

        all.Count, all.Values |> Seq.filter not |> Seq.length
