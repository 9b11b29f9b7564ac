// The files and lines that are staged in git: whether there is something to check for a commit, and the findings that belong to it.
module internal Plait.Tool.Staged

open System
open System.Collections.Generic
open System.IO
open System.Text.RegularExpressions
open System.Threading

open Plait.Common
open Plait.Check

/// The staged part of a request.
type Changes =
    {
        /// The staged lines of each file, as ranges of the first and the last line in the file on disk.
        Lines: Map<string, (int * int) list>
        /// Staged files that differ from the files in the folder, which the check reads.
        Differing: string list
    }

let private git (folder: string) (arguments: string list) (token: CancellationToken) : string list =
    match DotNetSdk.run "git" folder arguments ignore token with
    | Error reason -> raise (BadInput $"--staged asks git, which cannot be started: {reason}")
    | Ok ended when ended.Code <> 0 ->
        let said =
            ended.Lines
            |> List.tryFind (fun line -> line <> "")
            |> Option.defaultValue "it gave no reason"

        raise (BadInput $"--staged asks git, which failed: {said}")
    | Ok ended -> ended.Output

let private isFSharp (file: string) =
    match (Path.GetExtension file |> string).ToLowerInvariant() with
    | ".fs"
    | ".fsi"
    | ".fsx"
    | ".fsproj" -> true
    | _ -> false

// @@ -first,count +first,count @@
let private hunk =
    Regex(@"^@@ -(?<old>\d+)(,(?<lost>\d+))? \+(?<first>\d+)(,(?<count>\d+))? @@", RegexOptions.Compiled)

/// Lines that a diff replaces. Of no lines, First is the line before.
type private Hunk = { Old: int; Lost: int; First: int; Count: int }

// +++ b/src/A.fs, quoted as in C where a name has a quote or a character of control; a tab ends a name with spaces
let private named (line: string) : string =
    let text = line.Substring("+++ ".Length).TrimEnd '\t'

    let text = if text.StartsWith '"' then Regex.Unescape(text.Trim '"') else text

    if text.StartsWith("b/", StringComparison.Ordinal) then text.Substring 2 else text

/// The files of a diff, each with its hunks in order.
let private hunksOf (output: string list) : (string * Hunk list) list =
    let files = List<string * List<Hunk>>()
    // a line of the file may look like one of a head
    let mutable isHead = false

    for line in output do
        let found = hunk.Match line

        let number (name: string) =
            if found.Groups[name].Success then int found.Groups[name].Value else 1

        if line.StartsWith("diff --git ", StringComparison.Ordinal) then
            isHead <- true
        elif isHead && line.StartsWith("+++ ", StringComparison.Ordinal) then
            files.Add(named line, List())
        elif found.Success && files.Count > 0 then
            isHead <- false

            (snd files[files.Count - 1]).Add
                {
                    Old = number "old"
                    Lost = number "lost"
                    First = number "first"
                    Count = number "count"
                }

    [ for name, hunks in files -> name, List.ofSeq hunks ]

/// A range of staged lines in the file on disk, after the hunks of the unstaged changes. A changed line is where its new text is.
let private onDisk (hunks: Hunk list) (first: int, last: int) : int * int =
    // the place of a line of the old text; `changed`: that of one in a hunk
    let place (changed: Hunk -> int) (line: int) =
        hunks
        |> List.tryFindBack (fun hunk -> line >= hunk.Old + (if hunk.Lost = 0 then 1 else 0))
        |> Option.map (fun hunk ->
            // where the text after the hunk begins
            let after (first: int) count =
                if count = 0 then first + 1 else first + count

            if line < after hunk.Old hunk.Lost then
                changed hunk
            else
                line - after hunk.Old hunk.Lost + after hunk.First hunk.Count)
        |> Option.defaultValue line

    place (fun hunk -> if hunk.Count = 0 then hunk.First + 1 else hunk.First) first,
    place (fun hunk -> if hunk.Count = 0 then hunk.First else hunk.First + hunk.Count - 1) last

// With any settings of the user.
let private diff (root: string) (others: string list) token : (string * Hunk list) list =
    let all =
        [ "-c"; "core.quotePath=false"; "diff" ]
        @ others
        @ [
            "-U0"
            "--inter-hunk-context=0"
            "-M"
            "--src-prefix=a/"
            "--dst-prefix=b/"
            "--no-color"
            "--no-ext-diff"
            "--no-textconv"
            "--no-relative"
            "--diff-filter=ACMR"
        ]

    [
        for name, hunks in git root all token |> hunksOf do
            Files.resolved (Path.Combine(root, name)), hunks
    ]

/// The staged part of the requested paths; None when no file is staged.
let changes (token: CancellationToken) (paths: string list) : Changes option =
    let first = Path.GetFullPath paths.Head

    let here =
        if Directory.Exists first then first else Path.GetDirectoryName first |> string

    if not (Directory.Exists here) then
        raise (BadInput $"there is no file or folder {first}")

    let root =
        match git here [ "rev-parse"; "--show-toplevel" ] token with
        | root :: _ when root <> "" -> root
        | _ -> raise (BadInput $"--staged: {here} is in no repository of git")

    let staged = diff root [ "--cached" ] token

    match staged |> List.map fst |> List.filter isFSharp with
    | [] -> None
    | files when not (Loading.holds (Set.ofList files) paths) -> None
    | files ->
        let unstaged = diff root [] token |> Map.ofList

        Some
            {
                Lines =
                    Map.ofList
                        [
                            for file, hunks in staged do
                                let later = unstaged |> Map.tryFind file |> Option.defaultValue []

                                file,
                                [
                                    for hunk in hunks do
                                        if hunk.Count > 0 then
                                            onDisk later (hunk.First, hunk.First + hunk.Count - 1)
                                ]
                        ]
                Differing = files |> List.filter unstaged.ContainsKey
            }

/// The findings in staged lines; a finding is in them if one of its lines is.
let only (changes: Changes) (outcome: CheckResult) : CheckResult =
    let resolved = Dictionary<string, string>()

    let whole (file: string) =
        match resolved.TryGetValue file with
        | true, known -> known
        | _ ->
            resolved[file] <- Files.resolved file
            resolved[file]

    let isStaged (finding: Finding) =
        changes.Lines
        |> Map.tryFind (whole finding.Location.File)
        |> Option.exists (
            List.exists (fun (first, last) ->
                finding.Location.Line <= last && finding.Location.EndLine >= first)
        )

    { outcome with
        Findings = outcome.Findings |> List.filter isStaged
        Hidden = outcome.Hidden |> List.filter isStaged
        Suppressed = outcome.Suppressed |> List.filter (fst >> isStaged)
        Known = outcome.Known |> List.filter isStaged
        Gone = 0
        Notes =
            outcome.Notes
            @ [
                for file in changes.Differing do
                    $"{Path.GetFileName file} differs from its staged version; the file on disk is checked"
            ]
    }
