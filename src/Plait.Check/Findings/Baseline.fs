// The accepted findings, in a file that the user commits with the code. The key of a finding is its rule, its file, the
// text of its line, and its number among equal ones; line numbers move, so they are no part of it.
namespace Plait.Check

open System
open System.IO
open System.Text.Json

open Plait.Common

/// A finding of the baseline, by its key.
type BaselineEntry =
    {
        Rule: string
        /// Relative to the folder of the baseline, with slashes.
        File: string
        /// The text of its first line, without blanks around it.
        Text: string
        /// Its number among the findings with the same rule, file and text, from the top; from one.
        Nth: int
    }

/// The content of a baseline file.
type Baseline = { Schema: string; Findings: BaselineEntry list }

/// Reading, comparing and writing.
module Baseline =
    /// The format and its version.
    [<Literal>]
    let Schema = "plait-check-baseline/1"

    let private options = UnionJson.options [] true false

    /// Reads a baseline. Raises BadInput if the file cannot be read or is no baseline.
    let read (file: string) : Baseline =
        let content = Files.text "a baseline" file

        let refuse sentence =
            raise (
                BadInput
                    $"{file} is not a baseline of schema '{Schema}': {sentence}; name another file, or delete this one and write it with --write-baseline"
            )

        try
            match JsonSerializer.Deserialize<Baseline>(content, options) with
            | null -> refuse "it holds null"
            | baseline when baseline.Schema <> Schema -> refuse $"it has the schema '{baseline.Schema}'"
            | baseline -> baseline
        with :? JsonException as trouble ->
            refuse (UnionJson.sentence trouble)

    // Without symbolic links, like the files of findings.
    let private folderOf (file: string) =
        Files.resolved (Path.GetDirectoryName(Path.GetFullPath file) |> string)

    let private relative (folder: string) (source: string) =
        Path.GetRelativePath(folder, source).Replace('\\', '/')

    /// The key of each finding in this baseline.
    let private keyed
        (sources: Sources)
        (file: string)
        (findings: Finding list)
        : (Finding * BaselineEntry) list =
        let folder = folderOf file

        findings
        |> List.map (fun finding ->
            finding,
            {
                Rule = finding.Rule
                File = relative folder finding.Location.File
                Text = (sources.Line(finding.Location.File, finding.Location.Line)).Trim()
                Nth = 1
            })
        |> List.groupBy snd
        |> List.collect (fun (_, same) ->
            same
            |> List.sortBy (fun (finding, _) -> finding.Location.Line, finding.Location.Column)
            |> List.mapi (fun at (finding, known) -> finding, { known with Nth = at + 1 }))

    /// Whether a check would have found a baseline's finding if it were still there.
    let private wasLookedFor (file: string) (rules: string list) (checked': string list) =
        let folder = folderOf file
        let files = checked' |> List.map (relative folder) |> Set.ofList

        fun (known: BaselineEntry) ->
            List.contains known.Rule rules
            && (files.Contains known.File || not (File.Exists(Path.Combine(folder, known.File))))

    /// The findings outside of the baseline, the findings in it, and the number of its entries for these rules and
    /// files that have no finding.
    let split
        (sources: Sources)
        (file: string)
        (baseline: Baseline)
        (rules: string list)
        (files: string list)
        (findings: Finding list)
        : Finding list * Finding list * int =
        let known = Set.ofList baseline.Findings
        let keys = keyed sources file findings

        let accepted =
            keys |> List.filter (fun (_, key) -> known.Contains key) |> List.map fst |> set

        let present = keys |> List.map snd |> Set.ofList

        let gone =
            baseline.Findings
            |> List.filter (present.Contains >> not)
            |> List.filter (wasLookedFor file rules files)

        findings |> List.filter (accepted.Contains >> not),
        findings |> List.filter accepted.Contains,
        gone.Length

    /// The text of a baseline that accepts these findings. It keeps the old one's reasons, and the old entries for
    /// rules and files outside of this check.
    let write
        (sources: Sources)
        (file: string)
        (old: Baseline option)
        (rules: string list)
        (files: string list)
        (findings: Finding list)
        : string =
        let kept =
            match old with
            | Some old -> old.Findings |> List.filter (wasLookedFor file rules files >> not)
            | None -> []

        let all =
            (keyed sources file findings |> List.map snd) @ kept
            |> List.distinct
            // Equal findings give equal texts, so a difference shows the changes.
            |> List.sortWith (fun a b ->
                match String.CompareOrdinal(a.File, b.File) with
                | 0 -> compare (a.Rule, a.Text, a.Nth) (b.Rule, b.Text, b.Nth)
                | order -> order)

        JsonSerializer.Serialize({ Schema = Schema; Findings = all }, options) + "\n"
