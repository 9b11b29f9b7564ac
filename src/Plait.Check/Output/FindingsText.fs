// A check as text for the terminal: the findings by file, with their source lines, paths and remedies; a table by rule;
// and always the amount of checked code.
module Plait.Check.FindingsText

open System

open Plait.Common
// Its places are those of source files.
open Plait.Check

let private kindOf (severity: Severity) =
    match severity with
    | Severity.Warning -> LineKind.Bad
    | Severity.Info -> LineKind.Doubtful
    | Severity.Hint -> LineKind.Plain

/// The columns of a source line that fit, with column `at` (from 0) among them.
let private from (room: int) (length: int) (at: int) =
    if length <= room || at < room - 8 then
        0
    else
        min (at - room / 2) (length - room) |> max 0

let private sourceLines width (sources: Sources) (place: Location) =
    let text = sources.Line(place.File, place.Line) |> Printable.line |> _.TrimEnd()

    if text.Trim() = "" then
        []
    else
        let number = string place.Line
        let gutter = $"    {number} | "
        let room = max 16 (width - gutter.Length)
        let start = min (place.Column - 1) text.Length
        let first = from room text.Length start
        let shown = text.Substring(first, min room (text.Length - first))

        let ends =
            if place.EndLine > place.Line then
                text.Length
            else
                min place.EndColumn (text.Length + 1) - 1

        // At least one, also under an insertion and behind the end of the line.
        let carets = max 1 (min (ends - start) (room - (start - first)))

        [
            LineKind.Plain, gutter + shown
            LineKind.Faint,
            String(' ', gutter.Length - 2) + "| " + String(' ', start - first) + String('^', carets)
        ]

/// Lines after a label; the later ones are indented below its text.
let private labelled width (label: string) (text: string) =
    Wrap.within width (String(' ', label.Length)) (Printable.line text)
    |> List.mapi (fun at line -> if at = 0 then label + line.Substring label.Length else line)

let private finding width root (sources: Sources) (finding: Finding) =
    let place = finding.Location

    [
        for line in
            labelled
                width
                $"  {place.Line}:{place.Column} "
                $"{Word.ofCase finding.Severity} {finding.Rule}: {finding.Message}" do
            kindOf finding.Severity, line

        yield! sourceLines width sources place

        for step in finding.Path do
            let where =
                if step.Location.File = place.File then
                    $"line {step.Location.Line}"
                else
                    $"{Locations.shown root step.Location.File}:{step.Location.Line}"

            for line in labelled width "    path: " $"{where}, {step.Says}" do
                LineKind.Faint, line

        let applied = if finding.Fix.IsSome then " (--fix tries it)" else ""

        if finding.Advice <> "" then
            for line in labelled width "    fix: " (finding.Advice + applied) do
                LineKind.Plain, line
    ]

/// The lines of findings, by file.
let findings
    (width: int)
    (root: string)
    (sources: Sources)
    (findings: Finding list)
    : (LineKind * string) list =
    [
        for file, findings in findings |> List.groupBy _.Location.File do
            LineKind.Heading, Printable.line (Locations.shown root file)
            LineKind.Plain, ""

            for one in findings do
                yield! finding width root sources one
                LineKind.Plain, ""
    ]

let private count (severity: Severity) (findings: Finding list) =
    findings |> List.filter (fun finding -> finding.Severity = severity) |> _.Length

/// The table of findings by rule and severity.
let private table width (outcome: CheckResult) =
    let number count =
        if count = 0 then "-" else string<int> count

    let rows =
        [
            for rule in outcome.Rules do
                let found =
                    outcome.Findings |> List.filter (fun finding -> finding.Rule = rule.Code)

                if not found.IsEmpty then
                    [
                        rule.Code
                        number (count Severity.Warning found)
                        number (count Severity.Info found)
                        number (count Severity.Hint found)
                        rule.Title
                    ]
        ]

    if rows.IsEmpty then
        []
    else
        let lines, leftOut =
            TextTable.within
                width
                [
                    TextTable.left "rule"
                    TextTable.right "warning" |> TextTable.ranked 1
                    TextTable.right "info" |> TextTable.ranked 2
                    TextTable.right "hint" |> TextTable.ranked 3
                    TextTable.left "what"
                ]
                rows

        [
            for line in lines @ TextTable.omission width "" leftOut do
                LineKind.Plain, line

            for line in
                Wrap.within
                    width
                    ""
                    "A warning is all but certain, an info is likely, a hint costs time alone." do
                LineKind.Faint, line
        ]

/// A sentence for a project that could not be loaded. Most reasons begin with its path, which the sentence has already.
let unloaded (root: string) (file: string) (why: string) : string =
    let reason =
        if why.StartsWith(file + " ", StringComparison.Ordinal) then
            "it" + why.Substring file.Length
        else
            why

    $"{Locations.shown root file} was not checked: {reason}"

/// The number of projects that were not checked.
let private unchecked (outcome: CheckResult) : int =
    outcome.Unloaded.Length + outcome.Unread.Length

/// The checked and the unchecked code, in one sentence.
let coverage (outcome: CheckResult) : string =
    let counted = Locations.counted
    let coverage = outcome.Coverage

    let projects =
        match unchecked outcome with
        | 0 -> counted coverage.Projects "project" "projects"
        | others -> $"{coverage.Projects:N0} of " + counted (coverage.Projects + others) "project" "projects"

    let files = counted coverage.Files "file" "files"
    let lines = counted coverage.Lines "line" "lines"
    let errors = counted coverage.TypeErrors "type error" "type errors"
    let lost = counted coverage.LostLines "line" "lines"
    let declarations = counted coverage.Declarations "declaration" "declarations"
    let values = counted coverage.Seen "single-use value" "single-use values"
    let took = Duration.rough (outcome.Time.Ticks * 100L)

    $"Looked at {projects}, {files}, {lines} in {took}: {errors}, {lost} lost to them; {declarations}, {coverage.NotAnalysed} not analysed, {coverage.Skipped} skipped (hand-written state machines); {coverage.Tracked} of {values} followed."

let private appliedFixes (outcome: CheckResult) : int =
    outcome.Fixes
    |> List.filter (function
        | Applied _ -> true
        | NotApplied _ -> false)
    |> List.length

/// A sentence for each fix that is left.
let private leftFixes root (outcome: CheckResult) : string list =
    [
        for fix in outcome.Fixes do
            match fix with
            | Applied _ -> ()
            | NotApplied(finding, why) ->
                let place = $"{Locations.shown root finding.Location.File}:{finding.Location.Line}"
                $"{place} {finding.Rule} is not fixed, because {why}."
    ]

let private fixes width root (outcome: CheckResult) =
    [
        match appliedFixes outcome with
        | 0 -> ()
        | count ->
            let said = Locations.counted count "fix was" "fixes were"
            let left = if outcome.Findings.IsEmpty then "" else "; the findings above remain"
            LineKind.Good, $"{said} applied{left}."

        for sentence in leftFixes root outcome do
            for line in Wrap.within width "  " sentence do
                LineKind.Doubtful, line
    ]

let private leftOut width (outcome: CheckResult) =
    let findings count =
        Locations.counted count "finding" "findings"

    [
        match outcome.Hidden with
        | [] -> ()
        | hidden ->
            let lowest = hidden |> List.map _.Severity |> List.min |> Word.ofCase
            $"{findings hidden.Length} below the least severity: --min-severity {lowest} shows them."

        if not outcome.Suppressed.IsEmpty then
            $"{findings outcome.Suppressed.Length} suppressed by comments."

        if not outcome.Known.IsEmpty then
            $"{findings outcome.Known.Length} known in the baseline."

        if outcome.Gone > 0 then
            $"{findings outcome.Gone} of the baseline gone: --write-baseline takes them out of it."
    ]
    |> List.collect (fun sentence -> Wrap.within width "" sentence)
    |> List.map (fun line -> LineKind.Plain, line)

/// The lines, of at most `width` columns if words allow it. Paths are relative to `root`. `isShown`: whether a finding
/// was shown before; then it is only counted.
let lines
    (width: int)
    (root: string)
    (sources: Sources)
    (isShown: Finding -> bool)
    (outcome: CheckResult)
    : (LineKind * string) list =
    [
        yield! outcome.Findings |> List.filter (isShown >> not) |> findings width root sources

        match table width outcome with
        | [] ->
            let what = if outcome.Known.IsEmpty then "Nothing found" else "Nothing new found"

            if outcome.Coverage.LostLines > 0 || outcome.IsStopped || not outcome.Unloaded.IsEmpty then
                LineKind.Doubtful, what + " in the code that could be analysed."
            else
                LineKind.Good, what + "."
        | table -> yield! table

        yield! fixes width root outcome
        yield! leftOut width outcome

        for line in Wrap.within width "" (coverage outcome) do
            LineKind.Plain, line
    ]

/// A line for each finding, `FILE:LINE:COLUMN: SEVERITY RULE: MESSAGE`.
let shortFindings (root: string) (findings: Finding list) : (LineKind * string) list =
    [
        for finding in findings do
            let place = finding.Location
            let file = Locations.shown root place.File

            kindOf finding.Severity,
            Printable.line
                $"{file}:{place.Line}:{place.Column}: {Word.ofCase finding.Severity} {finding.Rule}: {finding.Message}"
    ]

/// The same as `lines`, in one line for each finding and for each fix that is left, and one closing line.
let short (root: string) (isShown: Finding -> bool) (outcome: CheckResult) : (LineKind * string) list =
    let counted = Locations.counted
    let coverage = outcome.Coverage

    let closing =
        [
            if outcome.Findings.IsEmpty then
                "nothing found"
            else
                counted outcome.Findings.Length "finding" "findings"

            match appliedFixes outcome with
            | 0 -> ()
            | count -> counted count "fix" "fixes" + " applied"

            counted coverage.Projects "project" "projects" + " checked"

            match unchecked outcome with
            | 0 -> ()
            | others -> $"{others} not checked"

            if coverage.LostLines > 0 then
                counted coverage.LostLines "line" "lines" + " lost to type errors"

            Duration.rough (outcome.Time.Ticks * 100L)
        ]

    [
        yield! outcome.Findings |> List.filter (isShown >> not) |> shortFindings root

        for sentence in leftFixes root outcome do
            LineKind.Doubtful, Printable.line sentence

        LineKind.Plain, "plait check: " + String.concat ", " closing
    ]
