// Projects of the tests' own: source files with the references of this runtime, checked together by one checker.
namespace Plait.Check.Tests

open System
open System.IO
open System.Runtime.InteropServices
open System.Threading
open FSharp.Compiler.CodeAnalysis

open Plait.Check

module Snippets =

    /// The files of a framework: its reference assemblies beside the SDK, or else the ones that programs run on.
    let private framework (name: string) : string list =
        let runtime = DirectoryInfo(RuntimeEnvironment.GetRuntimeDirectory())
        let root = Path.Combine(runtime.FullName, "..", "..", "..")
        let major = string Environment.Version.Major

        let newest (folder: string) =
            if Directory.Exists folder then
                Directory.GetDirectories folder
                |> Seq.filter (fun version -> (Path.GetFileName version |> string).StartsWith(major + "."))
                |> Seq.sortByDescending (fun version ->
                    let number = (Path.GetFileName version |> string).Split '-'
                    Version.Parse number[0], version)
                |> Seq.tryHead
            else
                None

        let beside =
            newest (Path.Combine(root, "packs", $"{name}.Ref"))
            |> Option.map (fun version -> Path.Combine(version, "ref", $"net{major}.0"))
            |> Option.filter Directory.Exists

        match beside |> Option.orElseWith (fun () -> newest (Path.Combine(root, "shared", name))) with
        | None -> failwith $"The framework {name} {major} is not beside the runtime in {root}."
        | Some folder ->
            // a runtime's folder holds native libraries too
            let managed (file: string) =
                try
                    Reflection.AssemblyName.GetAssemblyName file |> ignore
                    true
                with :? BadImageFormatException ->
                    false

            Directory.GetFiles(folder, "*.dll") |> Seq.filter managed |> Seq.sort |> List.ofSeq

    let private references =
        lazy
            (framework "Microsoft.NETCore.App"
             @ framework "Microsoft.AspNetCore.App"
             @ [
                 typeof<list<int>>.Assembly.Location
                 typeof<Plait.Strand<int>>.Assembly.Location
                 typeof<Plait.BlockingPool>.Assembly.Location
             ])

    /// A project of these files in this order.
    let project (name: string) (files: string list) : LoadedProject =
        let file = Path.Combine(AppContext.BaseDirectory, $"{name}.fsproj")

        let options: FSharpProjectOptions =
            {
                ProjectFileName = file
                ProjectId = None
                SourceFiles = Array.ofList files
                OtherOptions =
                    [|
                        "--noframework"
                        "--simpleresolution"
                        "--targetprofile:netcore"
                        "--target:library"
                        "--langversion:latest"
                        yield! references.Value |> Seq.map (fun file -> $"-r:{file}")
                    |]
                ReferencedProjects = [||]
                IsIncompleteTypeCheckEnvironment = false
                UseScriptResolutionRules = false
                LoadTime = DateTime.MinValue
                UnresolvedReferences = None
                OriginalLoadReferences = []
                Stamp = None
            }

        {
            Name = name
            File = file
            Framework = Some $"net{Environment.Version.Major}.0"
            Options = options
            Notes = []
        }

    /// One checker for all: it reads the references once.
    let checker: Lazy<FSharpChecker> = lazy Analysis.createChecker ()

    /// The findings of all rules.
    let check (project: LoadedProject) : Report =
        let rules = Rules.all |> List.map _.Code
        Analysis.run ignore checker.Value None rules [] ignore CancellationToken.None [ project ]

    /// The errors of the type checker, one a line.
    let typeErrors (project: LoadedProject) : string list = Checked.errorsBy checker.Value project
