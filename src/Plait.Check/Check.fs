// A whole check: load, analyse, leave out suppressed findings and those of the baseline, mend. The one door for
// programs that use the checker as a library; the tool only maps options to it, and prints and writes its results.
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
        /// Results of earlier runs, and where those of this one are kept.
        Cache: Cache option
        /// The codes of the rules to run; empty: all.
        Rules: string list
        /// Files of effects beyond the built-in ones.
        Tables: string list
        /// The file of known findings.
        Baseline: string option
        /// Make the text of a new baseline instead of comparing with the old one.
        WriteBaseline: bool
        /// Findings below it are counted only.
        Least: Severity
        /// Apply the fixes of findings, and check again.
        Fix: bool
        /// Try the fixes without applying them: those with which the code does not type-check are left out of the findings.
        TryFixes: bool
    }

/// The outcome of a check. A finding is in one of its four lists.
type CheckResult =
    {
        /// The rules that were run, and those about suppressions.
        Rules: RuleInfo list
        /// The reported findings, in order of file, line and column.
        Findings: Finding list
        /// Findings below the least severity.
        Hidden: Finding list
        /// Findings that comments suppress, with their reasons.
        Suppressed: (Finding * string) list
        /// Findings that are in the baseline.
        Known: Finding list
        /// How many findings of the baseline are gone.
        Gone: int
        /// The outcome of each fix; the places are those before the fixes.
        Fixes: FixOutcome list
        /// The text of the new baseline, where one was asked for.
        NewBaseline: string option
        Coverage: Coverage
        /// Projects that could not be loaded, with the reasons.
        Unloaded: (string * string) list
        /// It was told to stop: only the findings so far are there.
        IsStopped: bool
        /// The projects that were not read before that.
        Unread: string list
        Notes: string list
        Time: TimeSpan
    }

/// Checking.
module Check =
    /// All rules that there are, with those about suppressions.
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

    /// Analyses and sorts; nothing is mended yet. `found` gets findings as they come.
    let private look
        (found: (Finding list -> unit) option)
        checker
        tell
        token
        (request: CheckRequest)
        (loaded: Loaded)
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

        // whether a comment is needed is known at the end
        let looked: Suppressions.Looked =
            { Known = Rules.all |> List.map _.Code; Run = codes; Files = files; IsWhole = false }

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
                            // whether its fix type-checks is known at the end
                            && not (request.TryFixes && finding.Fix.IsSome))
                        |> Suppressions.staying sources looked
                    with
                    | [] -> ()
                    | left -> found left

        let report =
            Analysis.run telling checker request.Cache codes request.Tables tell token projects

        let sources = Sources()

        // the code of a project that is outside of the check, or cannot be loaded, may block
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

        let looked =
            { looked with
                IsWhole =
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
            |> Suppressions.apply sources looked

        let run =
            rules
            |> List.filter (fun rule ->
                List.contains rule.Code codes || List.contains rule Suppressions.rules)

        // whether a suppression is needed is only known where all rules were run
        let codes =
            if codes.Length = Rules.all.Length then run |> List.map _.Code else codes

        let paths = files |> List.map fst |> List.distinct

        // A new baseline is made beside an old one, and in place of none.
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
        (loaded: Loaded)
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
                        | Left(finding, _) -> Some finding
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

    // The cache is trimmed behind the check, which writes to it.
    let private wholly found checker tell token (request: CheckRequest) (loaded: Loaded) : CheckResult =
        let result = mended found checker tell token request loaded
        request.Cache |> Option.iter _.Trim()
        result

    /// Checks projects that are loaded; sources that changed since the last time are read again. With `Fix`, the
    /// files are written, and the findings are those that are left after that.
    let loaded
        (checker: FSharpChecker)
        (tell: string -> unit)
        (token: CancellationToken)
        (request: CheckRequest)
        (loaded: Loaded)
        : CheckResult =
        wholly None checker tell token request loaded

    /// Loads and checks. The time of the result has all that was waited for. `found` gets reported findings of a project when it is
    /// done, on another thread. The result has these too, and the findings that later projects may change: those that `Fix` would
    /// replace by an await, and all of a declaration that calls an abstract member. With `TryFixes` every finding with a fix is in the
    /// result alone, and with `Fix` or a baseline every finding. Raises BadInput when there is something that cannot be analysed, and
    /// OperationCanceledException when it is told to stop before anything was checked.
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
