// Projects and their references: reads all of them, several at a time, and gives each the compiler service's options,
// with the options of its references inside.
module internal Plait.Check.ProjectGraph

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Runtime.ExceptionServices
open System.Threading
open System.Threading.Tasks

open FSharp.Compiler.CodeAnalysis

open Plait.Common

// The number of processes of the SDK at a time; each is busy on one core.
let private atOnce = 2

/// Does the work for all, several at a time. If it raises BadInput, the result is the sentence; other exceptions are
/// raised.
let private together
    (token: CancellationToken)
    (work: 'T list)
    (action: 'T -> 'R)
    : ('T * Result<'R, string>) list =
    let results = ConcurrentDictionary<int, Result<'R, exn>>()

    let one index item =
        results[index] <-
            try
                Ok(action item)
            with trouble ->
                Error trouble

    Parallel.ForEach(
        List.indexed work,
        ParallelOptions(MaxDegreeOfParallelism = atOnce),
        fun (index, item) -> one index item
    )
    |> ignore

    token.ThrowIfCancellationRequested()

    [
        for index, item in List.indexed work do
            match results[index] with
            | Ok result -> item, Ok result
            | Error(:? BadInput as trouble) -> item, Error trouble.Message
            | Error trouble -> ExceptionDispatchInfo.Throw trouble
    ]

type private Key = string * string option

/// Reads the roots, then their references, and so on. Returns the compilation of every readable root, all compilations
/// by their key, and the other projects with the reasons.
let readAll (reader: ProjectReader) (request: LoadRequest) (token: CancellationToken) (roots: string list) =
    let known = Dictionary<Key, Compilation>()
    let unread = List<string * string>()
    let mutable wave = roots |> List.map (fun root -> root, request.Framework)

    let read (wave: Key list) =
        reader.Prepare wave

        [
            for (file, wanted), result in together token wave (fun (file, wanted) -> reader.Read file wanted) do
                match result with
                | Ok compilation -> (file, wanted), compilation
                | Error why -> unread.Add(file, why)
        ]

    let first = read wave |> List.map snd

    for compilation in first do
        known[(compilation.File, compilation.Framework)] <- compilation

    let absent () =
        [
            for compilation in List.ofSeq known.Values do
                for reference in compilation.Projects do
                    let key = reference.Project, reference.Framework

                    let isRead =
                        known.ContainsKey key
                        || known.Values
                           |> Seq.exists (fun other ->
                               other.File = reference.Project
                               && (other.IsWrapper || reference.Framework.IsNone))
                        || unread |> Seq.exists (fun (file, _) -> file = reference.Project)

                    if CompilerArguments.isFSharp reference.Project && not isRead then
                        key
        ]
        |> List.distinct

    wave <- absent ()

    while not wave.IsEmpty do
        for (file, wanted), compilation in read wave do
            known[(file, compilation.Framework)] <- compilation
            // under the requested framework too, so that it is not read again
            known[(file, wanted)] <- compilation

        wave <- absent ()

    first, known, List.ofSeq unread

// An assembly of another language that was built in Release only.
let private builtElsewhere (assembly: string) : string option =
    let swap (debug: string) (release: string) =
        let separator = Path.DirectorySeparatorChar
        assembly.Replace($"{separator}{debug}{separator}", $"{separator}{release}{separator}")

    [ swap "Debug" "Release"; swap "debug" "release" ]
    |> List.tryFind (fun other -> other <> assembly && File.Exists other)

/// The options of every compilation, with the options of its references inside, and the notes for the user.
let toOptions (read: Dictionary<Key, Compilation>) =
    let finished =
        Dictionary<string * string option, FSharpProjectOptions * string list>()

    let find (reference: ProjectReference) : Compilation option =
        match read.TryGetValue((reference.Project, reference.Framework)) with
        | true, found -> Some found
        | _ -> read.Values |> Seq.tryFind (fun other -> other.File = reference.Project)

    // a wrapper has only its direct references
    let rec closure (compilation: Compilation) : ProjectReference list =
        if compilation.IsWrapper then
            [
                for reference in compilation.Projects do
                    match find reference with
                    | Some other ->
                        yield! closure other
                        reference
                    | None -> ()
            ]
            |> List.distinctBy _.Project
        else
            compilation.Projects

    let rec make (way: string list) (compilation: Compilation) : FSharpProjectOptions * string list =
        let key = compilation.File, compilation.Framework

        match finished.TryGetValue key with
        | true, made -> made
        | _ ->
            if List.contains compilation.File way then
                raise (
                    BadInput
                        $"{compilation.File} references itself through other projects; take out one of these references"
                )

            let references = closure compilation

            // the notes of references come first: their errors have effects here
            let notes = List<string>()

            let referenced =
                [
                    for reference in references do
                        match find reference with
                        | Some other when CompilerArguments.isFSharp reference.Project ->
                            let options, said = make (compilation.File :: way) other
                            notes.AddRange said
                            reference.Assembly, options
                        | _ -> ()
                ]

            notes.AddRange compilation.Notes
            let fromSource = referenced |> List.map fst |> HashSet

            let option (option: string) =
                if not (option.StartsWith("-r:", StringComparison.Ordinal)) then
                    option
                else
                    let assembly = option.Substring 3

                    if fromSource.Contains assembly || File.Exists assembly then
                        option
                    else
                        match builtElsewhere assembly with
                        | Some other -> "-r:" + other
                        | None ->
                            let owner =
                                references
                                |> List.tryFind (fun reference -> reference.Assembly = assembly)
                                |> Option.map (fun reference ->
                                    let name = ProjectXml.nameOf reference.Project

                                    if CompilerArguments.isFSharp reference.Project then
                                        $"{name} cannot be loaded, and was not built; code that uses it is not analysed"
                                    else
                                        $"{name} was not built, and only F# is checked from source; build it, or code that uses it is not analysed")
                                |> Option.defaultValue "code that uses it is not analysed"

                            notes.Add
                                $"{ProjectXml.nameOf compilation.File}: the reference {assembly} does not exist: {owner}"

                            option

            let options = compilation.Options |> List.map option
            let present = options |> HashSet

            // a wrapper's options do not name the projects
            let added =
                [
                    for assembly, _ in referenced do
                        if not (present.Contains("-r:" + assembly)) then
                            "-r:" + assembly
                ]

            let made =
                CompilerArguments.toOptions referenced { compilation with Options = options @ added },
                List.ofSeq notes

            finished[key] <- made
            made

    make []
