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
        /// The staged lines of each file, as ranges of the first and the last.
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

// the lines of the new text: @@ -a,b +first,count @@
let private hunk =
    Regex(@"^@@ -\S+ \+(?<first>\d+)(,(?<count>\d+))? @@", RegexOptions.Compiled)

// +++ b/src/A.fs, quoted as in C where a name has a quote or a character of control; a tab ends a name with spaces
let private named (line: string) : string =
    let text = line.Substring("+++ ".Length).TrimEnd '\t'

    let text = if text.StartsWith '"' then Regex.Unescape(text.Trim '"') else text

    if text.StartsWith("b/", StringComparison.Ordinal) then text.Substring 2 else text

/// The staged lines of each file that a diff has.
let private linesOf (output: string list) : (string * (int * int)) list * string list =
    let lines = List<string * (int * int)>()
    let files = List<string>()
    // a line of the file may look like one of a head
    let mutable isHead = false

    for line in output do
        let found = hunk.Match line

        if line.StartsWith("diff --git ", StringComparison.Ordinal) then
            isHead <- true
        elif isHead && line.StartsWith("+++ ", StringComparison.Ordinal) then
            files.Add(named line)
        elif found.Success && files.Count > 0 then
            isHead <- false
            let first = int found.Groups["first"].Value

            let count =
                if found.Groups["count"].Success then int found.Groups["count"].Value else 1

            if count > 0 then
                lines.Add(files[files.Count - 1], (first, first + count - 1))

    List.ofSeq lines, List.ofSeq files

// With any settings of the user.
let private diff (others: string list) : string list =
    [ "-c"; "core.quotePath=false"; "diff" ]
    @ others
    @ [ "--no-color"; "--no-ext-diff"; "--no-textconv"; "--no-relative"; "--diff-filter=ACMR" ]

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

    let whole (name: string) =
        Files.resolved (Path.Combine(root, name))

    let lines, files =
        git
            root
            (diff [ "--cached"; "-U0"; "--inter-hunk-context=0"; "-M"; "--src-prefix=a/"; "--dst-prefix=b/" ])
            token
        |> linesOf

    match files |> List.filter isFSharp |> List.map whole with
    | [] -> None
    | files when not (Loading.holds (Set.ofList files) paths) -> None
    | files ->
        let unstaged =
            git root (diff [ "-z"; "--name-only" ]) token
            |> String.concat "\n"
            |> _.Split('\000', StringSplitOptions.RemoveEmptyEntries)
            |> Array.map (fun name -> whole (name.Trim '\n'))
            |> HashSet

        Some
            {
                Lines =
                    lines
                    |> List.groupBy fst
                    |> List.map (fun (name, ranges) -> whole name, List.map snd ranges)
                    |> Map.ofList
                Differing = files |> List.filter unstaged.Contains
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
