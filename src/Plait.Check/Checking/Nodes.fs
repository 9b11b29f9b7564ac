// The projects of a check as they depend on each other: each is type-checked against the signatures of those that it references, so that
// no project stays in memory and two can be checked at a time.
module internal Plait.Check.Nodes

open System
open System.Collections.Generic
open System.IO
open System.Runtime.CompilerServices
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

/// A project that is checked: one of the request, or one that another references.
[<ReferenceEquality>]
type Node =
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
let ordered (projects: LoadedProject list) : Node list =
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

/// The projects that others among these reference.
let referenced (nodes: Node list) : HashSet<Node> =
    HashSet<Node>(nodes |> Seq.collect (_.References >> Seq.map snd), HashIdentity.Reference)

/// The options of a project that references signatures in place of projects.
let alone (signatureOf: Node -> string option) (node: Node) : FSharpProjectOptions =
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

        // the compiler service knows options by their stamps: the same references, the same stamp
        let stamp =
            Key.ofTexts (string node.Options.Stamp :: List.ofArray options.OtherOptions)

        { options with Stamp = Some(Convert.ToInt64(stamp[..15], 16)) }

/// Writes the assembly of a signature, once, in a folder that has the hash of the content as its name.
let kept (node: Node) (bytes: byte[]) : string =
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

/// Remembers the signature of a project for as long as it is loaded; of one that has none any more, none.
let remember (node: Node) : unit =
    match node.Signature with
    | Some file -> signatures.AddOrUpdate(node.Options, file)
    | None -> signatures.Remove node.Options |> ignore

/// The signature that a project had when it was checked last.
let remembered (node: Node) : string option =
    match signatures.TryGetValue node.Options with
    | true, file -> Some file
    | _ -> None

/// Calls `work` for each of these behind its references, several at a time, each on a thread with a deep stack. Work that is
/// not begun when the token is cancelled is left out.
let inOrder (token: CancellationToken) (work: Node -> (unit -> unit) -> unit) (nodes: Node list) : unit =
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
