// The graph of the projects of a check. Each is type-checked against the signatures of its references: no project stays
// in memory, and two can be checked at a time.
module internal Plait.Check.ProjectNodes

open System
open System.Collections.Generic
open System.IO
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading

open FSharp.Compiler.CodeAnalysis

open Plait.Common

/// The number of projects that are checked at a time. Each needs a core and the memory of its references.
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

/// A project of the request, or one that another project references.
[<ReferenceEquality>]
type ProjectNode =
    {
        Options: FSharpProjectOptions
        Name: string
        /// It is in the request: its code is interpreted.
        IsWanted: bool
        /// Its references, each with its path in the options -r:.
        References: (string * ProjectNode) list
        mutable Checked: CheckedProject option
        mutable Signature: string option
    }

/// The projects and their references, each after its own references, and after a project of the request that is such a
/// reference for another framework.
let ordered (projects: LoadedProject list) : ProjectNode list =
    let wanted = HashSet<FSharpProjectOptions>(HashIdentity.Reference)
    let wantedOf = Dictionary<string, FSharpProjectOptions>()

    for project in projects do
        wanted.Add project.Options |> ignore
        wantedOf[project.Options.ProjectFileName] <- project.Options

    let begun = HashSet<FSharpProjectOptions>(HashIdentity.Reference)
    let nodes = Dictionary<FSharpProjectOptions, ProjectNode>(HashIdentity.Reference)
    let order = List<ProjectNode>()

    let rec node (options: FSharpProjectOptions) : ProjectNode =
        match nodes.TryGetValue options with
        | true, found -> found
        | _ ->
            begun.Add options |> ignore

            let references =
                [
                    for reference in options.ReferencedProjects do
                        match reference with
                        | FSharpReferencedProject.FSharpReference(assembly, inner) ->
                            match wantedOf.TryGetValue inner.ProjectFileName with
                            | true, same when not (begun.Contains same) -> node same |> ignore
                            | _ -> ()

                            assembly, node inner
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

/// The projects that others among these reference.
let referenced (nodes: ProjectNode list) : HashSet<ProjectNode> =
    HashSet<ProjectNode>(nodes |> Seq.collect (_.References >> Seq.map snd), HashIdentity.Reference)

/// The options of a project with signatures in place of referenced projects.
let alone (signatureOf: ProjectNode -> string option) (node: ProjectNode) : FSharpProjectOptions =
    let signatures =
        dict
            [
                for assembly, other in node.References do
                    match signatureOf other with
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

        // the compiler service compares options by their stamps: the same references need the same stamp
        let stamp =
            Key.ofTexts (string node.Options.Stamp :: List.ofArray options.OtherOptions)

        { options with Stamp = Some(Convert.ToInt64(stamp[..15], 16)) }

/// Writes the assembly of a signature once, to a folder with the hash of the content as its name.
let kept (node: ProjectNode) (bytes: byte[]) : string =
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

let private signatures = ConditionalWeakTable<FSharpProjectOptions, string>()

/// Remembers the signature of a project for as long as it is loaded; without a signature it forgets the old one.
let remember (node: ProjectNode) : unit =
    match node.Signature with
    | Some file -> signatures.AddOrUpdate(node.Options, file)
    | None -> signatures.Remove node.Options |> ignore

/// The signature of a project at its last check.
let remembered (node: ProjectNode) : string option =
    match signatures.TryGetValue node.Options with
    | true, file -> Some file
    | _ -> None

/// Calls `work` for each of these after its references, several at a time, each on a thread with a deep stack. If the
/// token is cancelled, it starts no further work.
let inOrder
    (token: CancellationToken)
    (work: ProjectNode -> (unit -> unit) -> unit)
    (nodes: ProjectNode list)
    : unit =
    let gate = obj ()
    let waiting = List<ProjectNode>(nodes)
    let ready = HashSet<ProjectNode>(HashIdentity.Reference)
    let trouble: ExceptionDispatchInfo option ref = ref None

    let stop (error: exn) =
        lock gate (fun () ->
            if trouble.Value.IsNone then
                trouble.Value <- Some(ExceptionDispatchInfo.Capture error)

            Monitor.PulseAll gate)

    let isOver () =
        waiting.Count = 0 || trouble.Value.IsSome || token.IsCancellationRequested

    /// The next project with all references ready; None: nothing is left.
    let rec next () : ProjectNode option =
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
    // stopped work is left out
    | Some trouble when
        not (trouble.SourceException :? OperationCanceledException && token.IsCancellationRequested)
        ->
        trouble.Throw()
    | _ -> ()
