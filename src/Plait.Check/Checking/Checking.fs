// Type-checks the projects of a check, each against the signatures of its references: no project stays in memory, and
// two can be checked at a time. If sources, options and references are those of an earlier run, the cache has the
// result.
module internal Plait.Check.Checking

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Threading

open FSharp.Compiler.CodeAnalysis

open Plait.Check.ProjectNodes

/// The programs whose results the cache has.
let private makers =
    [ typeof<Declaration>; typeof<FSharpChecker>; typeof<list<int>> ]
    |> List.map (fun one -> string one.Module.ModuleVersionId)

/// The key of a project in the cache; None: its types may depend on more than files.
let private keyOf
    (identity: string -> string * bool)
    (isReferenced: ProjectNode -> bool)
    (tables: string list)
    (node: ProjectNode)
    : string option =
    let references =
        [
            for option in node.Options.OtherOptions do
                if option.StartsWith("-r:", StringComparison.Ordinal) then
                    option.Substring 3
        ]

    let projects = node.References |> List.map fst |> Set.ofList

    let others =
        [
            for file in references do
                if not (projects.Contains file) then
                    file, identity file
        ]

    let isUnknown =
        node.References |> List.exists (fun (_, other) -> other.Signature.IsNone)
        || others |> List.exists (fun (_, (_, isProvider)) -> isProvider)

    if isUnknown then
        None
    else
        Some(
            Key.ofTexts
                [
                    "project"
                    yield! makers
                    string node.IsWanted
                    string (isReferenced node)
                    node.Options.ProjectFileName
                    string node.Options.UseScriptResolutionRules
                    yield! tables

                    for option in node.Options.OtherOptions do
                        option

                    for source in node.Options.SourceFiles do
                        source
                        Key.ofFile source

                    for file, (version, _) in others do
                        file
                        version

                    for assembly, other in node.References do
                        assembly
                        other.Signature |> Option.map (ProjectXml.folderOf >> ProjectXml.nameOf) |> string
                ]
        )

/// Gives `next` each project with its lowered code, after its references and in the same order each time. Returns the
/// projects that were not reached before the token was cancelled. `tables`: the files of the table of effects.
let run
    (checker: FSharpChecker)
    (cache: Cache option)
    (table: EffectTable)
    (tables: string list)
    (progress: string -> unit)
    (token: CancellationToken)
    (projects: LoadedProject list)
    (next: LoadedProject * LoweredProject -> unit)
    : LoadedProject list =
    let nodes = ordered projects
    let tables = List.map Key.ofFile tables
    let identities = ConcurrentDictionary<struct (string * DateTime), string * bool>()

    let identity (file: string) =
        identities.GetOrAdd(
            struct (file, File.GetLastWriteTimeUtc file),
            fun (struct (file, _)) -> AssemblyIdentity.ofFile file
        )

    let referenced = referenced nodes

    let count = ref 0
    let saying = obj ()

    let say (what: string) (node: ProjectNode) =
        lock saying (fun () ->
            count.Value <- count.Value + 1
            progress $"{what} {node.Name} ({count.Value} of {nodes.Length})")

    let found (key: string) : CheckedProject option =
        cache |> Option.bind (fun cache -> Binary.find cache key)

    let byOptions =
        Dictionary<FSharpProjectOptions, LoadedProject>(HashIdentity.Reference)

    for project in projects do
        byOptions[project.Options] <- project

    let waiting = Queue<ProjectNode>(nodes |> List.filter _.IsWanted)
    let passing = obj ()

    let pass (node: ProjectNode) =
        node.Checked
        |> Option.bind _.Lowered
        |> Option.iter (fun lowered -> next (byOptions[node.Options], lowered))

        // its code is needed once
        node.Checked <- None

    let passAlong () =
        lock passing (fun () ->
            while waiting.Count > 0 && (waiting.Peek()).Checked.IsSome do
                pass (waiting.Dequeue()))

    let work (node: ProjectNode) (isReady: unit -> unit) =
        let keyNow () =
            if cache.IsSome then keyOf identity referenced.Contains tables node else None

        let key = keyNow ()

        match Option.bind found key with
        | Some known ->
            say "reading from the cache" node
            node.Signature <- known.Signature |> Option.map (kept node)
            remember node
            node.Checked <- Some known
        | None ->
            say "checking" node
            let options = alone _.Signature node

            let results =
                Async.RunSynchronously(checker.ParseAndCheckProject options, cancellationToken = token)

            let signature =
                if referenced.Contains node then SignatureAssembly.ofResults results else None

            node.Signature <- signature |> Option.map (kept node)
            remember node
            // the projects that wait for it need no more
            isReady ()

            let made =
                {
                    Lowered =
                        if node.IsWanted then
                            Some(LoweredProject.ofResults checker options table token results)
                        else
                            None
                    Signature = signature
                }

            node.Checked <- Some made

            match cache, key with
            // a file that changed meanwhile may have been read before or after
            | Some cache, Some name when keyNow () = key -> Binary.store cache name made
            | _ -> ()

        passAlong ()

    inOrder token work nodes
    // the projects after one that was not reached
    let reached, unread = waiting |> List.ofSeq |> List.partition _.Checked.IsSome
    List.iter pass reached
    [ for node in unread -> byOptions[node.Options] ]
