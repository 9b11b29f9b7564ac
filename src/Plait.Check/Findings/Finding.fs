// The results of a check: places in source files, findings with the path that leads to them, and the checked code.
// Every layer of the checker and every output uses these types.
namespace Plait.Check

open System

open FSharp.Compiler.Text

/// The severity of a finding.
[<RequireQualifiedAccess>]
type Severity =
    /// The code is right; it could be shorter or faster.
    | Hint
    /// Wrong on some path, or perhaps wrong.
    | Info
    /// Wrong whenever the code runs.
    | Warning

/// A part of a source file. Lines and columns count from one; the end is after the last character.
type Location =
    {
        /// The whole path of the file.
        File: string
        Line: int
        Column: int
        EndLine: int
        EndColumn: int
    }

module internal Location =
    let ofRange (at: range) : Location =
        {
            File = at.FileName
            Line = at.StartLine
            Column = at.StartColumn + 1
            EndLine = at.EndLine
            EndColumn = at.EndColumn + 1
        }

    /// Whether `place` is inside `part`.
    let isIn (part: Location) (place: Location) : bool =
        part.File = place.File
        && (part.Line, part.Column) <= (place.Line, place.Column)
        && (part.EndLine, part.EndColumn) >= (place.EndLine, place.EndColumn)

/// One step of the path to a finding: "first used here", "through the else branch".
type PathStep = { Location: Location; Says: string }

module internal PathStep =
    let at (place: range) (says: string) : PathStep =
        { Location = Location.ofRange place; Says = says }

/// A text that replaces a part of a file; an insertion ends where it begins.
type Edit = { Location: Location; Text: string }

/// A change that removes a finding. All its edits belong together and are in the finding's file.
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
        /// The path of the execution to the place, in order; empty: the place is enough.
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
        /// The severity of its certain findings.
        Severity: Severity
    }

module Findings =
    /// In order of file, line and column.
    let sorted (findings: Finding seq) : Finding list =
        findings
        |> List.ofSeq
        |> List.sortBy (fun finding ->
            finding.Location.File, finding.Location.Line, finding.Location.Column, finding.Rule)

/// The amount of checked code. Figures of several projects are added.
type Coverage =
    {
        Projects: int
        Files: int
        Lines: int
        /// Errors of the type checker; it stops at a thousand.
        TypeErrors: int
        /// Lines that could not be type-checked: the check did not cover them.
        LostLines: int
        /// Functions, values and members.
        Declarations: int
        /// Of these, those without an analysis: too large, or not to be lowered.
        NotAnalysed: int
        /// Of these, those that build state machines by hand: the check leaves them out on purpose.
        Skipped: int
        /// Single-use values.
        Seen: int
        /// Of these, those that the analysis followed to their last use.
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
        /// The check was stopped before its end.
        IsStopped: bool
        /// The projects that the check did not read before the stop.
        Unread: string list
        Time: TimeSpan
    }
