// The files and lines that are staged in git: the projects to check for a commit, and the findings that belong to it.
module internal Plait.Tool.Staged

open System
open System.Collections.Generic
open System.IO
open System.Text.RegularExpressions
open System.Threading

open Plait.Common
open Plait.Check

/// What is staged of a request.
type Changes =
    {
        /// The projects, scripts and source files with staged files.
        Paths: string list
        /// The staged lines of each file, as ranges of the first and the last.
        Lines: Map<string, (int * int) list>
        /// Staged files that differ from the ones in the folder, which are what is checked.
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

let private linesOf (output: string list) : (int * int) list =
    [
        for line in output do
            let found = hunk.Match line

            if found.Success then
                let first = int found.Groups["first"].Value

                let count =
                    if found.Groups["count"].Success then int found.Groups["count"].Value else 1

                if count > 0 then
                    first, first + count - 1
    ]

/// What is staged of the requested paths; None when nothing is.
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

    let names (arguments: string list) =
        git root (arguments @ [ "-z"; "--name-only"; "--diff-filter=ACMR" ]) token
        |> String.concat "\n"
        |> _.Split('\000', StringSplitOptions.RemoveEmptyEntries)
        |> Array.map (fun name -> Path.GetFullPath(Path.Combine(root, name.Trim '\n')))
        |> Array.filter isFSharp
        |> List.ofArray

    match names [ "diff"; "--cached" ] with
    | [] -> None
    | files ->
        let unstaged = names [ "diff" ] |> HashSet
        let staged = Set.ofList files

        match Loading.holding staged paths with
        | [] -> None
        | paths ->
            Some
                {
                    Paths = paths
                    Lines =
                        Map.ofList
                            [
                                for file in files ->
                                    file,
                                    linesOf (
                                        git
                                            root
                                            [
                                                "diff"
                                                "--cached"
                                                "-U0"
                                                "--no-color"
                                                "--no-ext-diff"
                                                "--"
                                                file
                                            ]
                                            token
                                    )
                            ]
                    Differing = files |> List.filter unstaged.Contains
                }

/// The findings in staged lines; a finding is in them if one of its lines is.
let only (changes: Changes) (outcome: CheckResult) : CheckResult =
    let isStaged (finding: Finding) =
        changes.Lines
        |> Map.tryFind finding.Location.File
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
                    $"{Path.GetFileName file} differs from what is staged of it; the file is checked"
            ]
    }
