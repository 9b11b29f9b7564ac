// The methods of processes in assemblies on disk: opens each assembly once, and compares its GUID with the loaded one's. The
// readers of stacks use it.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.IO
open System.Reflection.PortableExecutable

/// Looks methods up, and keeps the open assemblies until it is disposed.
[<Sealed>]
type internal UserCode() =
    let assemblies = Dictionary<string, AssemblyCode option>()
    let others = HashSet<string>()
    let packages = Packages()

    let openAssembly (file: string) : AssemblyCode option =
        try
            let image = new PEReader(File.OpenRead file)

            if not image.HasMetadata then
                image.Dispose()
                None
            else
                let found, symbols, _ =
                    image.TryOpenAssociatedPortablePdb(
                        file,
                        fun path -> if File.Exists path then File.OpenRead path :> Stream | null else null
                    )

                Some(new AssemblyCode(image, (if found then Option.ofObj symbols else None)))
        with
        | :? ArgumentException
        | :? IOException
        | :? UnauthorizedAccessException
        | :? BadImageFormatException -> None

    let assembly (file: string) =
        match assemblies.TryGetValue file with
        | true, assembly -> assembly
        | _ ->
            let assembly = openAssembly file
            assemblies[file] <- assembly
            assembly

    // None: the assembly cannot be read, or is another build than the loaded one
    let tryRead (method: MethodId) (read: AssemblyCode -> 'T) : 'T option =
        match assembly method.File with
        | None -> None
        | Some assembly when not (assembly.Is method.Build) ->
            others.Add method.File |> ignore
            None
        | Some assembly ->
            try
                Some(read assembly)
            with
            | :? ArgumentException
            | :? InvalidOperationException
            | :? BadImageFormatException -> None

    /// Whether an assembly came in a package.
    member _.IsPackage(file: string) : bool = packages.Has file

    /// The facts about the statement at a position of a method. None: the assembly cannot be read, or is another build than the
    /// loaded one.
    member _.TryFind(method: MethodId, position: Position) : StatementFacts option =
        tryRead method _.Place(method.Token, position)

    /// The name of a method, as the runtime's events have it: "Namespace.Type+Nested.Method". None: likewise.
    member _.TryName(method: MethodId) : string option = tryRead method _.Name(method.Token)

    /// A sentence for each requested assembly that is another build than the loaded one, or that lacks lines.
    member _.Notes: string list =
        [
            for file in others do
                $"{Path.GetFileName file} on disk is another build than the one in the process, so the report has no lines for it; restart the process to get them"

            for file, assembly in Seq.map (|KeyValue|) assemblies do
                match assembly with
                | Some assembly when assembly.WithoutLines > 0 ->
                    let functions =
                        if assembly.WithoutLines = 1 then
                            "1 function on these stacks is"
                        else
                            $"{assembly.WithoutLines} functions on these stacks are"

                    $"{Path.GetFileName file}: {functions} without a line: F# writes no lines for optimised code on runtime async; a Debug build has them"
                | _ -> ()
        ]

    interface IDisposable with
        member _.Dispose() =
            for assembly in assemblies.Values do
                assembly |> Option.iter (fun assembly -> (assembly :> IDisposable).Dispose())
