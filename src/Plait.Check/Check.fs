// A whole check: loads, analyses, applies suppressions and the baseline, and fixes. The one door for programs that use
// the checker as a library; the tool maps options to it, and prints and writes its results.
namespace Plait.Check

open System
open System.Diagnostics
open System.IO
open System.Threading
open FSharp.Compiler.CodeAnalysis

/// The request for a check.
type CheckRequest =
    {
        Load: LoadRequest
        /// The folder of the cache, for results of earlier runs and of this one.
        Cache: Cache option
        /// The codes of the rules to run; empty: all.
        Rules: string list
        /// Files of effects beyond the built-in ones.
        Tables: string list
        /// The file of known findings.
        Baseline: string option
        /// Make the text of a new baseline instead of comparing with the old one.
        WriteBaseline: bool
        /// Findings below it are counted, and not listed.
        Least: Severity
        /// Apply the fixes of findings, and check again.
        Fix: bool
        /// Try the fixes without applying them. Findings lose a fix after which the code does not type-check.
        TryFixes: bool
    }

/// The outcome of a check. Each finding is in one of its four lists.
type CheckResult =
    {
        /// The rules of this run, and the rules about suppressions.
        Rules: RuleInfo list
        /// The reported findings, in order of file, line and column.
        Findings: Finding list
        /// Findings below the least severity.
        Hidden: Finding list
        /// Findings that comments suppress, with their reasons.
        Suppressed: (Finding * string) list
        /// Findings that are in the baseline.
        Known: Finding list
        /// The number of baseline entries without a finding.
        Gone: int
        /// The outcome of each fix; the places are those before the fixes.
        Fixes: FixOutcome list
        /// The text of the new baseline, if the request asks for one.
        NewBaseline: string option
        Coverage: Coverage
        /// Projects that could not be loaded, with the reasons.
        Unloaded: (string * string) list
        /// The check was stopped before its end: the findings are those so far.
        IsStopped: bool
        /// The projects that the check did not read before the stop.
        Unread: string list
        Notes: string list
        Time: TimeSpan
    }

/// Checking.
module Check =
    /// All rules, with those about suppressions.
    let rules: RuleInfo list = Suppressions.rules @ Rules.all

    let private definesOf (project: LoadedProject) (file: string) =
        let isScript = file.EndsWith(".fsx", StringComparison.OrdinalIgnoreCase)

        [
            if isScript then "INTERACTIVE" else "COMPILED"

            for option in project.Options.OtherOptions do
                for prefix in [ "--define:"; "-d:" ] do
                    if option.StartsWith(prefix, StringComparison.Ordinal) then
                        option.Substring prefix.Length
        ]

    /// Analyses and sorts, without fixes. `found` gets findings as they come.
    let private look
        (found: (Finding list -> unit) option)
        checker
        tell
        token
        (request: CheckRequest)
        (loaded: LoadResult)
        : CheckResult =
        let projects = loaded.Projects

        let codes =
            if request.Rules.IsEmpty then Rules.all |> List.map _.Code else request.Rules

        let files =
            [
                for project in projects do
                    for file in project.Options.SourceFiles do
                        Path.GetFullPath file, definesOf project file
            ]
            |> List.distinct

        // PLT002 is known at the end only
        let checkedFiles: Suppressions.CheckedFiles =
            {
                KnownRules = Rules.all |> List.map _.Code
                RunRules = codes
                Files = files
                IsComplete = false
            }

        let telling =
            match found with
            | None -> ignore
            | Some found ->
                let sources = Sources()

                fun (findings: Finding list) ->
                    match
                        findings
                        |> List.filter (fun finding ->
                            finding.Severity >= request.Least
                            // the end tells whether the code type-checks with the fix
                            && not (request.TryFixes && finding.Fix.IsSome))
                        |> Suppressions.unsuppressed sources checkedFiles
                    with
                    | [] -> ()
                    | left -> found left

        let report =
            Analysis.run telling checker request.Cache codes request.Tables tell token projects

        let sources = Sources()

        // the code of a project outside of the check, or of one that cannot be loaded, may block
        let isComplete =
            let files = projects |> List.map _.File |> Set.ofList

            loaded.Unloaded.IsEmpty
            && projects
               |> List.forall (fun project ->
                   project.Options.ReferencedProjects
                   |> Array.forall (function
                       | FSharpReferencedProject.FSharpReference(_, other) ->
                           files.Contains other.ProjectFileName
                       | _ -> true))

        let checkedFiles =
            { checkedFiles with
                IsComplete =
                    isComplete
                    && report.Coverage.LostLines = 0
                    && report.Coverage.NotAnalysed = 0
                    && report.Unread.IsEmpty
                    && not report.IsStopped
            }

        let left, suppressed =
            report.Findings
            // A file of two projects is checked in each.
            |> List.distinctBy (fun finding -> finding.Rule, finding.Location, finding.Message)
            |> Suppressions.apply sources checkedFiles

        let run =
            rules
            |> List.filter (fun rule ->
                List.contains rule.Code codes || List.contains rule Suppressions.rules)

        // PLT002 needs all rules
        let codes =
            if codes.Length = Rules.all.Length then run |> List.map _.Code else codes

        let paths = files |> List.map fst |> List.distinct

        // A new baseline is made beside an old one.
        let old =
            request.Baseline
            |> Option.filter (fun file -> not request.WriteBaseline || File.Exists file)
            |> Option.map Baseline.read

        let shown, known, gone, fresh =
            match request.Baseline, old with
            | Some file, _ when request.WriteBaseline ->
                [], left, 0, Some(Baseline.write sources file old codes paths left)
            | Some file, Some old ->
                let shown, known, gone = Baseline.split sources file old codes paths left
                shown, known, gone, None
            | _ -> left, [], 0, None

        let shown, hidden =
            shown |> List.partition (fun finding -> finding.Severity >= request.Least)

        {
            Rules = run
            Findings = shown
            Hidden = hidden
            Suppressed = suppressed
            Known = known
            Gone = gone
            Fixes = []
            NewBaseline = fresh
            Coverage = report.Coverage
            Unloaded = loaded.Unloaded
            IsStopped = report.IsStopped
            Unread = report.Unread
            Notes = List.distinct report.Notes
            Time = report.Time
        }

    let private mended
        found
        checker
        tell
        (token: CancellationToken)
        (request: CheckRequest)
        (loaded: LoadResult)
        : CheckResult =
        let first = look found checker tell token request loaded
        let isAsked = (request.Fix || request.TryFixes) && not first.IsStopped

        if not isAsked || first.Findings |> List.forall _.Fix.IsNone then
            first
        else
            tell "trying fixes"
            let texts, fixes = Fixing.plan checker loaded.Projects first.Findings
            token.ThrowIfCancellationRequested()

            if not request.Fix then
                let left =
                    fixes
                    |> List.choose (function
                        | NotApplied(finding, _) -> Some finding
                        | Applied _ -> None)

                let honest (finding: Finding) =
                    if List.contains finding left then { finding with Fix = None } else finding

                { first with Findings = List.map honest first.Findings }
            elif texts.IsEmpty then
                { first with Fixes = fixes }
            else
                Fixing.write texts
                let second = look None checker tell token request loaded
                { second with Fixes = fixes; Time = first.Time + second.Time }

    // The check writes to the cache, so the cache is trimmed after it.
    let private wholly found checker tell token (request: CheckRequest) (loaded: LoadResult) : CheckResult =
        let result = mended found checker tell token request loaded
        request.Cache |> Option.iter _.Trim()
        result

    /// Checks loaded projects; it reads changed sources again. With `Fix` it writes files, and the result has the
    /// findings that remain.
    let loaded
        (checker: FSharpChecker)
        (tell: string -> unit)
        (token: CancellationToken)
        (request: CheckRequest)
        (loaded: LoadResult)
        : CheckResult =
        wholly None checker tell token request loaded

    /// Loads and checks. The time of the result includes all waits. `found` gets the reported findings of a project
    /// after its interpretation, on another thread. The result has these too, and the findings that later projects may
    /// change: those that `Fix` would replace by an await, and all of a declaration that calls an abstract member. With
    /// `TryFixes` only the result has findings with a fix; with `Fix` or a baseline only the result has findings.
    /// Raises BadInput if some input cannot be analysed, and OperationCanceledException if the check is stopped before
    /// it checked anything.
    let run
        (checker: FSharpChecker)
        (tell: string -> unit)
        (found: Finding list -> unit)
        (token: CancellationToken)
        (request: CheckRequest)
        : CheckResult =
        let clock = Stopwatch.StartNew()

        let found = if request.Baseline.IsSome || request.Fix then None else Some found

        let loaded = Loading.load request.Cache tell token request.Load
        let result = wholly found checker tell token request loaded
        { result with Time = clock.Elapsed }
