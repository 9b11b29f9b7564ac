// Fixes of findings: the fixes after which the code still type-checks, the new texts of files, and writing them. A fix
// is all or nothing: all its edits are applied, or none.
namespace Plait.Check

open System
open System.Collections.Generic
open System.IO

open FSharp.Compiler.CodeAnalysis

open Plait.Common

/// The outcome of a finding with a fix.
type FixOutcome =
    /// The new texts have its fix.
    | Applied of Finding
    /// The new texts do not have its fix. `why`: half a sentence, as in "code in B.fs does not type-check with it".
    | NotApplied of Finding * why: string

/// A fix with its place in the file. Equal edits of several findings are one fix: a file may be in several projects.
type private Candidate = { Findings: Finding list; File: string; Replacements: Replacement list }

/// Applying fixes.
module Fixing =
    let private conflict (a: Replacement) (b: Replacement) =
        if a.From = a.To || b.From = b.To then
            // an insertion at the edge of another edit may belong inside of it
            a.From <= b.To && b.From <= a.To
        else
            a.From < b.To && b.From < a.To

    let private overlap (a: Candidate) (b: Candidate) =
        a.File = b.File
        && a.Replacements |> List.exists (fun one -> b.Replacements |> List.exists (conflict one))

    let private isConsistent (replacements: Replacement list) =
        replacements
        |> List.sortBy (fun one -> one.From, one.To)
        |> List.pairwise
        |> List.forall (fun (a, b) -> a.To <= b.From)

    let rec private dependsOn (files: Set<string>) (options: FSharpProjectOptions) : bool =
        options.SourceFiles |> Array.exists files.Contains
        || options.ReferencedProjects
           |> Array.exists (function
               | FSharpReferencedProject.FSharpReference(_, inner) -> dependsOn files inner
               | _ -> false)

    /// The new text of each changed file, by whole path, and the outcome of each finding with a fix. Writes nothing. A
    /// fix is kept only if no file of the loaded projects has more type errors with it. Of overlapping fixes the first
    /// in the file is kept. Meanwhile, other uses of the compiler service in the process see the fixed files.
    let plan
        (checker: FSharpChecker)
        (projects: LoadedProject list)
        (findings: Finding list)
        : (string * string) list * FixOutcome list =
        let outcomes = List<FixOutcome>()

        let left why (findings: Finding list) =
            for finding in findings do
                outcomes.Add(NotApplied(finding, why))

        let texts = Dictionary<string, FileText>()

        let textOf (file: string) =
            match texts.TryGetValue file with
            | true, found -> found
            | _ ->
                let read = FileText(FileEncoding.read file)
                texts[file] <- read
                read

        let known =
            projects
            |> List.collect (fun project -> List.ofArray project.Options.SourceFiles)
            |> Set.ofList

        let candidates =
            [
                for (file, edits), same in
                    findings
                    |> List.filter _.Fix.IsSome
                    |> List.groupBy (fun finding -> finding.Location.File, finding.Fix.Value.Edits) do
                    if not (known.Contains file) then
                        same |> left "its file is in none of the loaded projects"
                    elif edits.IsEmpty || edits |> List.exists (fun edit -> edit.Location.File <> file) then
                        same |> left "its edits are not in the file of the finding"
                    else
                        match
                            (try
                                Ok(textOf file)
                             with :? BadInput as trouble ->
                                 Error trouble.Message)
                        with
                        | Error why -> same |> left why
                        | Ok text ->
                            let located = edits |> List.map text.Locate

                            if located |> List.exists Option.isNone then
                                same |> left "the file has changed since it was checked"
                            elif not (isConsistent (List.choose id located)) then
                                same |> left "its own edits overlap"
                            else
                                { Findings = same; File = file; Replacements = List.choose id located }
            ]
            |> List.sortBy (fun one -> one.File, (one.Replacements |> List.map _.From |> List.min))

        let apart =
            (([]: Candidate list), candidates)
            ||> List.fold (fun kept one ->
                match kept |> List.tryFind (overlap one) with
                | None -> one :: kept
                | Some other ->
                    let first = other.Findings.Head
                    one.Findings |> left $"it overlaps the fix of {first.Rule} at line {first.Location.Line}"
                    kept)
            |> List.rev

        let changed (chosen: Candidate list) : Map<string, string> =
            chosen
            |> List.groupBy _.File
            |> List.map (fun (file, these) -> file, (textOf file).Apply(these |> List.collect _.Replacements))
            |> Map.ofList

        let affected =
            let files = apart |> List.map _.File |> Set.ofList
            projects |> List.filter (fun project -> dependsOn files project.Options)

        let errors = lazy TypeErrors(checker, affected)

        let trouble (chosen: Candidate list) : (string * string) option = errors.Value.Risen(changed chosen)

        // It tries all fixes together, else file by file, else one by one from the top. Each trial has the fixes that
        // were kept before.
        let keep (kept: Candidate list) (more: Candidate list) : Candidate list =
            let one (kept: Candidate list) (next: Candidate) =
                match trouble (kept @ [ next ]) with
                | None -> kept @ [ next ]
                | Some(file, message) ->
                    let where = Path.GetFileName file
                    let said = message.ReplaceLineEndings(" ").TrimEnd '.'
                    next.Findings |> left $"code in {where} would not type-check with it: {said}"
                    kept

            match more with
            | [ single ] -> one kept single
            | _ when (trouble (kept @ more)).IsNone -> kept @ more
            | _ -> more |> List.fold one kept

        let chosen =
            match apart with
            | [] -> []
            | [ single ] -> keep [] [ single ]
            | several ->
                match several |> List.groupBy _.File with
                | [ _ ] -> keep [] several
                | _ when (trouble several).IsNone -> several
                | files -> files |> List.fold (fun kept (_, these) -> keep kept these) []

        for one in chosen do
            for finding in one.Findings do
                outcomes.Add(Applied finding)

        let order (outcome: FixOutcome) =
            match outcome with
            | Applied finding
            | NotApplied(finding, _) -> finding.Location.File, finding.Location.Line, finding.Location.Column

        Map.toList (changed chosen), outcomes |> List.ofSeq |> List.sortBy order

    // A link stays a link: its target is written.
    let private target (file: string) : string =
        match File.ResolveLinkTarget(file, true) with
        | null -> file
        | found -> found.FullName

    /// Writes new texts to existing files. Each keeps its encoding, its byte order mark and its permissions, and has
    /// the old or the new text at any time. Raises RunFailed with the files that could not be written; it writes the
    /// others.
    let write (texts: (string * string) list) : unit =
        texts
        |> List.map (fun (file, text) ->
            fun () ->
                Files.writing file (fun () ->
                    let file = target file
                    let encoding, _ = FileEncoding.ofBytes (File.ReadAllBytes file)
                    // without this, the rename would replace a file that must not be written
                    using (File.OpenWrite file) ignore

                    Files.replacing file (fun beside ->
                        File.WriteAllBytes(beside, FileEncoding.bytes encoding text)

                        if not (OperatingSystem.IsWindows()) then
                            File.SetUnixFileMode(beside, File.GetUnixFileMode file))))
        |> Files.each
