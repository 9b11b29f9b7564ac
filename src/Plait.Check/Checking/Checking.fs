// Type-checks the projects of a check, each against the signatures of those that it references, so that no project stays in memory
// and two can be checked at a time. Projects whose sources, options and references are those of an earlier run come from the cache.
module internal Plait.Check.Checking

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Runtime.ExceptionServices
open System.Threading

open FSharp.Compiler.CodeAnalysis

open Plait.Common

/// Projects that are checked at once. Each needs a core and the memory of the assemblies that it references.
let private atOnce = 2

// Assemblies of signatures, for the life of the process: the compiler service reads references from files.
let private folder =
    lazy
        (let folder = Directory.CreateTempSubdirectory("plait-check-signatures-").FullName

         let delete _ =
             try
                 Directory.Delete(folder, true)
             with
             | :? IOException
             | :? UnauthorizedAccessException -> ()

         AppDomain.CurrentDomain.ProcessExit.Add delete
         folder)

/// Bodies nest as deep as the source does, and a computation expression nests at each let!.
[<Literal>]
let StackBytes = 0x20000000

/// The programs that make what is kept.
let private makers =
    [ typeof<Declaration>; typeof<FSharpChecker>; typeof<list<int>> ]
    |> List.map (fun one -> string one.Module.ModuleVersionId)

/// A project that is checked: one of the request, or one that another references.
[<ReferenceEquality>]
type private Node =
    {
        Options: FSharpProjectOptions
        Name: string
        /// It is in the request: its code is looked at.
        IsWanted: bool
        /// The projects that it references, with the paths behind -r: that stand for them.
        References: (string * Node) list
        mutable Checked: CheckedProject option
        mutable Signature: string option
    }

/// The projects with those that they reference, each behind its references.
let private ordered (projects: LoadedProject list) : Node list =
    let wanted = HashSet<FSharpProjectOptions>(HashIdentity.Reference)

    for project in projects do
        wanted.Add project.Options |> ignore

    let nodes = Dictionary<FSharpProjectOptions, Node>(HashIdentity.Reference)
    let order = List<Node>()

    let rec node (options: FSharpProjectOptions) : Node =
        match nodes.TryGetValue options with
        | true, found -> found
        | _ ->
            let references =
                [
                    for reference in options.ReferencedProjects do
                        match reference with
                        | FSharpReferencedProject.FSharpReference(assembly, inner) -> assembly, node inner
                        | _ -> ()
                ]

            let made =
                {
                    Options = options
                    Name = ProjectXml.baseNameOf options.ProjectFileName
                    IsWanted = wanted.Contains options
                    References = references
                    Checked = None
                    Signature = None
                }

            nodes[options] <- made
            order.Add made
            made

    for project in projects do
        node project.Options |> ignore

    List.ofSeq order

/// The options of a project that references signatures in place of projects.
let private alone (node: Node) : FSharpProjectOptions =
    let signatures =
        dict
            [
                for assembly, other in node.References do
                    match other.Signature with
                    | Some file -> "-r:" + assembly, file
                    | None -> ()
            ]

    if signatures.Count = 0 then
        node.Options
    else
        let options =
            { node.Options with
                OtherOptions =
                    node.Options.OtherOptions
                    |> Array.map (fun option ->
                        match signatures.TryGetValue option with
                        | true, file -> "-r:" + file
                        | _ -> option)
                ReferencedProjects =
                    node.Options.ReferencedProjects
                    |> Array.filter (function
                        | FSharpReferencedProject.FSharpReference(assembly, _) ->
                            not (signatures.ContainsKey("-r:" + assembly))
                        | _ -> true)
            }

        // the compiler service knows options by their stamps: the same references, the same stamp
        let stamp =
            Key.ofTexts (string node.Options.Stamp :: List.ofArray options.OtherOptions)

        { options with Stamp = Some(Convert.ToInt64(stamp[..15], 16)) }

/// The key of a project in the cache; None where its types may depend on more than files.
let private keyOf
    (identity: string -> string * bool)
    (isReferenced: Node -> bool)
    (tables: string list)
    (node: Node)
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

/// Writes the assembly of a signature, once, in a folder that has the hash of the content as its name.
let private kept (node: Node) (bytes: byte[]) : string =
    let below = Path.Combine(folder.Value, Key.ofBytes bytes)
    let name = ProjectXml.baseNameOf node.Options.ProjectFileName

    let name =
        node.Options.OtherOptions
        |> Array.tryPick (fun option ->
            if option.StartsWith("-o:", StringComparison.Ordinal) then
                Path.GetFileNameWithoutExtension(option.Substring 3) |> Option.ofObj
            else
                None)
        |> Option.defaultValue name

    let file = Path.Combine(below, name + ".dll")

    if not (File.Exists file) then
        Directory.CreateDirectory below |> ignore
        Files.replacing file (fun beside -> File.WriteAllBytes(beside, bytes))

    file

/// Calls `work` for each of these behind its references, several at a time, each on a thread with a deep stack. Work that is
/// not begun when the token is cancelled is left out.
let private inOrder
    (token: CancellationToken)
    (work: Node -> (unit -> unit) -> unit)
    (nodes: Node list)
    : unit =
    let gate = obj ()
    let waiting = List<Node>(nodes)
    let ready = HashSet<Node>(HashIdentity.Reference)
    let trouble: ExceptionDispatchInfo option ref = ref None

    let stop (error: exn) =
        lock gate (fun () ->
            if trouble.Value.IsNone then
                trouble.Value <- Some(ExceptionDispatchInfo.Capture error)

            Monitor.PulseAll gate)

    let isOver () =
        waiting.Count = 0 || trouble.Value.IsSome || token.IsCancellationRequested

    /// The next whose references are ready; none when there is nothing left to do.
    let rec next () : Node option =
        if isOver () then
            None
        else
            match
                waiting
                |> Seq.tryFind (fun node -> node.References |> List.forall (snd >> ready.Contains))
            with
            | Some node ->
                waiting.Remove node |> ignore
                Some node
            | None ->
                Monitor.Wait gate |> ignore
                next ()

    let rec serve () =
        match lock gate next with
        | None -> ()
        | Some node ->
            let isReady () =
                lock gate (fun () ->
                    ready.Add node |> ignore
                    Monitor.PulseAll gate)

            try
                work node isReady
                isReady ()
            with error ->
                stop error

            serve ()

    use _ = token.Register(fun () -> lock gate (fun () -> Monitor.PulseAll gate))

    let threads = [ for _ in 1 .. min atOnce nodes.Length -> Thread(serve, StackBytes) ]

    threads |> List.iter _.Start()
    threads |> List.iter _.Join()

    match trouble.Value with
    // work that was told to stop is left out
    | Some trouble when
        not (trouble.SourceException :? OperationCanceledException && token.IsCancellationRequested)
        ->
        trouble.Throw()
    | _ -> ()

/// Gives each project with its lowered code to `next`, behind those that it references and in the same order each time. Returns those
/// that were not reached before the token was cancelled. `tables`: the files of the table of effects.
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

    let referenced =
        HashSet<Node>(nodes |> Seq.collect (_.References >> Seq.map snd), HashIdentity.Reference)

    let count = ref 0
    let saying = obj ()

    let say (what: string) (node: Node) =
        lock saying (fun () ->
            count.Value <- count.Value + 1
            progress $"{what} {node.Name} ({count.Value} of {nodes.Length})")

    let found (key: string) : CheckedProject option =
        cache |> Option.bind (fun cache -> Binary.find cache key)

    let byOptions =
        Dictionary<FSharpProjectOptions, LoadedProject>(HashIdentity.Reference)

    for project in projects do
        byOptions[project.Options] <- project

    let waiting = Queue<Node>(nodes |> List.filter _.IsWanted)
    let passing = obj ()

    let pass (node: Node) =
        node.Checked
        |> Option.bind _.Lowered
        |> Option.iter (fun lowered -> next (byOptions[node.Options], lowered))

        // its code is needed once
        node.Checked <- None

    let passAlong () =
        lock passing (fun () ->
            while waiting.Count > 0 && (waiting.Peek()).Checked.IsSome do
                pass (waiting.Dequeue()))

    let work (node: Node) (isReady: unit -> unit) =
        let keyNow () =
            if cache.IsSome then keyOf identity referenced.Contains tables node else None

        let key = keyNow ()

        match Option.bind found key with
        | Some known ->
            say "reading from the cache" node
            node.Signature <- known.Signature |> Option.map (kept node)
            node.Checked <- Some known
        | None ->
            say "checking" node
            let options = alone node

            let results =
                Async.RunSynchronously(checker.ParseAndCheckProject options, cancellationToken = token)

            let signature =
                if referenced.Contains node then SignatureAssembly.ofResults results else None

            node.Signature <- signature |> Option.map (kept node)
            // those that wait for it need no more
            isReady ()

            let made =
                {
                    Lowered =
                        if node.IsWanted then Some(LoweredProject.ofResults table token results) else None
                    Signature = signature
                }

            node.Checked <- Some made

            match cache, key with
            // a file that was changed meanwhile may have been read before or after
            | Some cache, Some name when keyNow () = key -> Binary.keep cache name made
            | _ -> ()

        passAlong ()

    inOrder token work nodes
    // the ones behind a project that was not reached
    let reached, unread = waiting |> List.ofSeq |> List.partition _.Checked.IsSome
    List.iter pass reached
    [ for node in unread -> byOptions[node.Options] ]
