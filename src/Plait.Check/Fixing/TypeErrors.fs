// The type errors of projects with other texts of some files. A project is checked again only if one of its own files has another text, or if
// the signature of a project that it references differs with them.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics

open Plait.Check.Nodes

/// A project as it was checked: its errors by file, as their number and the last one, and its signature if others reference it.
type private CheckedOnce = { Errors: Map<string, int * string>; Signature: string option }

/// Tries texts for these projects.
type internal TypeErrors(checker: FSharpChecker, projects: LoadedProject list) =
    let nodes = ordered projects
    let wanted = nodes |> List.filter _.IsWanted
    let referenced = referenced nodes

    let check (signatureOf: Node -> string option) (node: Node) : CheckedOnce =
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

    let before = Dictionary<Node, CheckedOnce>(HashIdentity.Reference)

    let rec was (node: Node) : CheckedOnce =
        match before.TryGetValue node with
        | true, known -> known
        | _ ->
            let made = check signatureWas node
            before[node] <- made
            made

    and signatureWas (node: Node) : string option =
        remembered node |> Option.orElseWith (fun () -> (was node).Signature)

    /// The projects that are checked again while files have other texts, and their results.
    let again (isChanged: string -> bool) : (Node * CheckedOnce) list =
        let after = Dictionary<Node, CheckedOnce option>(HashIdentity.Reference)

        let rec result (node: Node) : CheckedOnce option =
            match after.TryGetValue node with
            | true, known -> known
            | _ ->
                // a project without a signature is read by those that reference it
                let isOther (other: Node) =
                    match result other with
                    | None -> false
                    | Some now -> now.Signature.IsNone || now.Signature <> signatureWas other

                let isAgain =
                    node.Options.SourceFiles |> Array.exists isChanged
                    || node.References |> List.exists (snd >> isOther)

                let made = if isAgain then Some(check signatureIs node) else None
                after[node] <- made
                made

        and signatureIs (node: Node) : string option =
            match result node with
            | Some now -> now.Signature
            | None -> signatureWas node

        [
            for node in wanted do
                match result node with
                | Some now -> node, now
                | None -> ()
        ]

    /// The first file that has more errors with these texts than before, in any of the projects, and an error of it.
    member _.Risen(texts: Map<string, string>) : (string * string) option =
        // before the texts are there
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
