// What candidates are made of: FSharp.Core, the shared framework, and the library they are named after. A candidate
// that referenced more would compare something else than its name says.
module Plait.Lab.Tests.CandidateReferences

open System.IO
open System.Reflection.Metadata
open System.Reflection.PortableExecutable
open Xunit

open Plait.Lab

let private references (file: string) : string list =
    use stream = File.OpenRead file
    use image = new PEReader(stream)
    let metadata = image.GetMetadataReader()

    [
        for handle in metadata.AssemblyReferences ->
            metadata.GetString((metadata.GetAssemblyReference handle).Name)
    ]

let private folder (candidate: Candidate) =
    nonNull (Path.GetDirectoryName candidate.Assembly)

/// What a candidate may reference of that which lies beside it.
let private allowed (candidate: Candidate) =
    [
        "FSharp.Core"
        yield! Option.toList candidate.Library

        // F# candidates compile language and host into themselves; C# cannot.
        if
            Fleet.described "evaluator" candidate
            |> Option.exists (fun kind -> kind.GetString() = "CSharp")
        then
            "Plait.Lab.Language"
            "Plait.Lab.Host"
    ]

let private isFramework (name: string) =
    name.StartsWith "System." || name.StartsWith "Microsoft." || name = "netstandard"

/// Fails unless the candidate references the framework, FSharp.Core and its own library only, itself and through it.
let check (candidate: Candidate) : unit =
    let allowed = allowed candidate

    let isOurs reference =
        File.Exists(Path.Combine(folder candidate, reference + ".dll"))

    let rec check (seen: Set<string>) (file: string) =
        (seen, references file)
        ||> List.fold (fun seen reference ->
            let fine =
                List.contains reference allowed || (isFramework reference && not (isOurs reference))

            Assert.True(fine, $"{Path.GetFileName file} references {reference}")

            if isOurs reference && not (seen.Contains reference) then
                check (seen.Add reference) (Path.Combine(folder candidate, reference + ".dll"))
            else
                seen)

    let reached = check Set.empty candidate.Assembly

    for library in Option.toList candidate.Library do
        Assert.True(
            reached.Contains library,
            $"{candidate.Name} does not reference {library}, which it is named after"
        )

/// Fails if an assembly lies beside the candidate that it does not need.
let checkFolder (candidate: Candidate) : unit =
    let unexpected =
        [
            for file in Directory.GetFiles(folder candidate, "*.dll") do
                let found = nonNull (Path.GetFileNameWithoutExtension file)

                if found <> candidate.Name && not (List.contains found (allowed candidate)) then
                    found
        ]

    Assert.Equal<string list>([], unexpected)

let names = Fleet.names

let private candidate name =
    Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = name)

[<Theory; MemberData(nameof names)>]
let ``a candidate references the framework, FSharp.Core and its own library only`` (name: string) =
    check (candidate name)

[<Theory; MemberData(nameof names)>]
let ``the folder of a candidate has only the assemblies that it uses`` (name: string) =
    checkFolder (candidate name)
