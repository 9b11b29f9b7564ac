// The type errors of projects with other texts of some files. It checks a project again only if one of its own files
// changes, or the signature of one of its references.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics

open Plait.Check.ProjectNodes

/// The result of checking a project: for each file the number of errors and the last error; and the signature, if other
/// projects reference it.
type private TypeCheckResult = { Errors: Map<string, int * string>; Signature: string option }

/// Tries texts for these projects.
type internal TypeErrors(checker: FSharpChecker, projects: LoadedProject list) =
    let nodes = ordered projects
    let wanted = nodes |> List.filter _.IsWanted
    let referenced = referenced nodes

    let check (signatureOf: ProjectNode -> string option) (node: ProjectNode) : TypeCheckResult =
        let results =
            checker.ParseAndCheckProject(alone signatureOf node) |> Async.RunSynchronously

        {
            Errors =
                results.Diagnostics
                |> Array.filter (fun one -> one.Severity = FSharpDiagnosticSeverity.Error)
                |> Array.groupBy _.FileName
                |> Array.map (fun (file, errors) -> file, (errors.Length, errors[errors.Length - 1].Message))
                |> Map.ofArray
            Signature =
                if referenced.Contains node then
                    SignatureAssembly.ofResults results |> Option.map (kept node)
                else
                    None
        }

    let before = Dictionary<ProjectNode, TypeCheckResult>(HashIdentity.Reference)

    let rec was (node: ProjectNode) : TypeCheckResult =
        match before.TryGetValue node with
        | true, known -> known
        | _ ->
            let made = check signatureWas node
            before[node] <- made
            made

    and signatureWas (node: ProjectNode) : string option =
        remembered node |> Option.orElseWith (fun () -> (was node).Signature)

    /// The projects that are checked again with other texts of files, and their results.
    let again (isChanged: string -> bool) : (ProjectNode * TypeCheckResult) list =
        let after = Dictionary<ProjectNode, TypeCheckResult option>(HashIdentity.Reference)

        let rec result (node: ProjectNode) : TypeCheckResult option =
            match after.TryGetValue node with
            | true, known -> known
            | _ ->
                // projects read a reference without a signature as source
                let isOther (other: ProjectNode) =
                    match result other with
                    | None -> false
                    | Some now -> now.Signature.IsNone || now.Signature <> signatureWas other

                let isAgain =
                    node.Options.SourceFiles |> Array.exists isChanged
                    || node.References |> List.exists (snd >> isOther)

                let made = if isAgain then Some(check signatureIs node) else None
                after[node] <- made
                made

        and signatureIs (node: ProjectNode) : string option =
            match result node with
            | Some now -> now.Signature
            | None -> signatureWas node

        [
            for node in wanted do
                match result node with
                | Some now -> node, now
                | None -> ()
        ]

    /// The first file of any project that has more errors with these texts, and one of its errors.
    member _.Risen(texts: Map<string, string>) : (string * string) option =
        // before the new texts are in place
        for node in nodes do
            if referenced.Contains node then
                signatureWas node |> ignore

        let checkedAgain = Overlay.during texts (fun () -> again texts.ContainsKey)

        checkedAgain
        |> List.tryPick (fun (node, now) ->
            let earlier = (was node).Errors

            now.Errors
            |> Map.toList
            |> List.tryPick (fun (file, (count, message)) ->
                let known = earlier |> Map.tryFind file |> Option.map fst |> Option.defaultValue 0
                if count > known then Some(file, message) else None))
