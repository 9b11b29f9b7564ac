// A check as JSON, for programs. The records are the description of the format: their fields are its keys, an option that
// is None is left out, and a union is its case in lower case. An added key keeps the version; a changed one raises it.
namespace Plait.Check

open System.Text.Json

open Plait.Common
// Its places are those of source files.
open Plait.Check

/// A place: lines and columns count from one, columns in UTF-16 code units; the end is after the last character.
type PlaceJson =
    {
        /// Relative to the root, with slashes; the whole path if it is outside.
        File: string
        Line: int
        Column: int
        EndLine: int
        EndColumn: int
    }

/// A step of the path to a finding.
type StepJson = { Place: PlaceJson; Says: string }

/// A replacement of a place by a text.
type EditJson = { Place: PlaceJson; Text: string }

/// A fix: its edits belong together.
type FixJson = { Says: string; Edits: EditJson list }

/// A finding.
type FindingJson =
    {
        Rule: string
        Severity: Severity
        Place: PlaceJson
        Message: string
        Path: StepJson list
        Advice: string
        Fix: FixJson option
        /// Why a comment suppresses it.
        Reason: string option
    }

/// A fix that was not applied.
type UnappliedFixJson = { Rule: string; Place: PlaceJson; Why: string }

/// A project that could not be loaded.
type UnloadedJson = { File: string; Why: string }

/// The whole of a check.
type CheckJson =
    {
        /// The format and its version: plait-check/1.
        Schema: string
        /// The folder that paths are relative to.
        Root: string
        /// The exit code of `plait check`: 0 nothing found, 1 something found, 2 not all could be analysed.
        ExitCode: int
        Rules: RuleInfo list
        Findings: FindingJson list
        Suppressed: FindingJson list
        /// Findings that are in the baseline.
        Known: FindingJson list
        /// The number of baseline entries without a finding.
        Gone: int
        /// The number of findings below the least severity; they are not listed.
        Hidden: int
        /// The number of applied fixes.
        Fixed: int
        NotFixed: UnappliedFixJson list
        Coverage: Coverage
        Unloaded: UnloadedJson list
        /// The check was stopped: the findings are those so far, and these projects were not read.
        Stopped: bool
        Unread: string list
        Notes: string list
        /// All waits included.
        Milliseconds: float
    }

/// Writing it.
module FindingsJson =
    /// The format and its version.
    [<Literal>]
    let Schema = "plait-check/1"

    let private options = UnionJson.options [] true false

    let private place root (place: Location) : PlaceJson =
        {
            File = Locations.shown root place.File
            Line = place.Line
            Column = place.Column
            EndLine = place.EndLine
            EndColumn = place.EndColumn
        }

    let private finding root (reason: string option) (finding: Finding) : FindingJson =
        {
            Rule = finding.Rule
            Severity = finding.Severity
            Place = place root finding.Location
            Message = finding.Message
            Path = [ for step in finding.Path -> { Place = place root step.Location; Says = step.Says } ]
            Advice = finding.Advice
            Fix =
                finding.Fix
                |> Option.map (fun fix ->
                    {
                        Says = fix.Says
                        Edits =
                            [
                                for edit in fix.Edits ->
                                    { Place = place root edit.Location; Text = edit.Text }
                            ]
                    })
            Reason = reason
        }

    /// The text, with a line feed at the end. Paths are relative to `root`.
    let write (root: string) (exitCode: int) (outcome: CheckResult) : string =
        let left =
            outcome.Fixes
            |> List.choose (function
                | Applied _ -> None
                | NotApplied(finding, why) ->
                    Some { Rule = finding.Rule; Place = place root finding.Location; Why = why })

        let json =
            {
                Schema = Schema
                Root = root
                ExitCode = exitCode
                Rules = outcome.Rules
                Findings = outcome.Findings |> List.map (finding root None)
                Suppressed =
                    outcome.Suppressed |> List.map (fun (one, reason) -> finding root (Some reason) one)
                Known = outcome.Known |> List.map (finding root None)
                Gone = outcome.Gone
                Hidden = outcome.Hidden.Length
                Fixed = outcome.Fixes.Length - left.Length
                NotFixed = left
                Coverage = outcome.Coverage
                Unloaded =
                    [ for file, why in outcome.Unloaded -> { File = Locations.shown root file; Why = why } ]
                Stopped = outcome.IsStopped
                Unread = outcome.Unread |> List.map (Locations.shown root)
                Notes = outcome.Notes
                Milliseconds = outcome.Time.TotalMilliseconds
            }

        JsonSerializer.Serialize(json, options) + "\n"
