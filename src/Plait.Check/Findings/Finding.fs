// The results of a check: places in source files, findings with the path that leads to them, and the checked code.
// Every layer of the checker and every output uses these types.
namespace Plait.Check

open System

/// How much a finding weighs.
[<RequireQualifiedAccess>]
type Severity =
    /// The code is right; it could be shorter or faster.
    | Hint
    /// Wrong on some path, or only perhaps wrong.
    | Info
    /// Wrong whenever the code runs.
    | Warning

/// A part of a source file. Lines and columns count from one; the end is behind the last character.
type Location =
    {
        /// The whole path of the file.
        File: string
        Line: int
        Column: int
        EndLine: int
        EndColumn: int
    }

/// One step of the way to a finding: "first used here", "through the else branch".
type PathStep = { Location: Location; Says: string }

/// A text that replaces a part of a file; a place that ends where it begins is an insertion.
type Edit = { Location: Location; Text: string }

/// A way to mend a finding. All its edits belong together and are in the finding's file.
type Fix =
    {
        /// The change of the fix, as an imperative: "await it with do!".
        Says: string
        Edits: Edit list
    }

/// A finding of a rule at a place.
type Finding =
    {
        /// The code of the rule: PLT101.
        Rule: string
        Severity: Severity
        Location: Location
        /// The error, in one sentence without a full stop.
        Message: string
        /// How execution comes there, in order; empty where the place says it all.
        Path: PathStep list
        /// The remedy, in one sentence without a full stop.
        Advice: string
        Fix: Fix option
    }

/// A rule as users see it: its page is docs/rules/CODE.md.
type RuleInfo =
    {
        Code: string
        /// A short name for tables: "single-use value used twice".
        Title: string
        /// One sentence: the error of flagged code.
        Summary: string
        /// The weight of its definite findings.
        Severity: Severity
    }

module Findings =
    /// In order of file, line and column.
    let sorted (findings: Finding seq) : Finding list =
        findings
        |> List.ofSeq
        |> List.sortBy (fun finding ->
            finding.Location.File, finding.Location.Line, finding.Location.Column, finding.Rule)

/// How much was looked at. Figures of several projects are added.
type Coverage =
    {
        Projects: int
        Files: int
        Lines: int
        /// Errors of the type checker, at least: it stops to count at a thousand.
        TypeErrors: int
        /// Lines whose code could not be type-checked, and so was not looked at.
        LostLines: int
        /// Functions, values and members.
        Declarations: int
        /// Of these, the ones that were given up: too large, or not to be converted.
        NotAnalysed: int
        /// Of these, the ones that build state machines by hand and are left out on purpose.
        Skipped: int
        /// Values that may be used only once.
        Seen: int
        /// Of these, the ones that were followed to their last use.
        Tracked: int
    }

    static member Zero =
        {
            Projects = 0
            Files = 0
            Lines = 0
            TypeErrors = 0
            LostLines = 0
            Declarations = 0
            NotAnalysed = 0
            Skipped = 0
            Seen = 0
            Tracked = 0
        }

    static member (+)(a: Coverage, b: Coverage) =
        {
            Projects = a.Projects + b.Projects
            Files = a.Files + b.Files
            Lines = a.Lines + b.Lines
            TypeErrors = a.TypeErrors + b.TypeErrors
            LostLines = a.LostLines + b.LostLines
            Declarations = a.Declarations + b.Declarations
            NotAnalysed = a.NotAnalysed + b.NotAnalysed
            Skipped = a.Skipped + b.Skipped
            Seen = a.Seen + b.Seen
            Tracked = a.Tracked + b.Tracked
        }

/// The results of a check of one or more projects.
type Report =
    {
        /// In order of file, line and column.
        Findings: Finding list
        Coverage: Coverage
        /// Notes about the check itself: a project in degraded mode, the first type errors.
        Notes: string list
        /// It was told to stop before its end.
        IsStopped: bool
        /// The projects that were not read before that.
        Unread: string list
        Time: TimeSpan
    }
