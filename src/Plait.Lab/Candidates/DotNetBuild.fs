// Builds of candidates by the .NET SDK: one target of a project.
module Plait.Lab.DotNetBuild

open System.IO
open System.Threading

open Plait.Common

/// Runs `dotnet` in `folder`. `line` gets every line of its output; `stop` ends it. None: there is no `dotnet` here.
let run
    (folder: string)
    (arguments: string list)
    (line: string -> unit)
    (stop: CancellationToken)
    : DotNetSdk.Ended option =
    DotNetSdk.run CandidateProcess.Host folder arguments line stop |> Result.toOption

/// Runs one target of a project, Release, its properties as given, with short messages and on both cores.
let target (root: string) (project: string) (target: string) (properties: (string * string) list) line stop =
    let escape (value: string) =
        value.Replace("%", "%25").Replace(";", "%3B")

    run
        root
        [
            "msbuild"
            project
            $"-t:{target}"
            "-p:Configuration=Release"
            for name, value in properties do
                $"-p:{name}={escape value}"
            "-v:minimal"
            "-m:2"
            "-nologo"
            "-nodeReuse:false"
        ]
        line
        stop

/// The first error of a project.
let first (project: string) (troubles: DotNetSdk.BuildError list) : DotNetSdk.BuildError option =
    troubles |> List.tryFind (fun trouble -> trouble.Project = Some project)

/// Whether an error is one of fetching packages.
let isOfPackages (trouble: DotNetSdk.BuildError) : bool = trouble.Code.StartsWith "NU"

/// Whether an assembly is there, and is not older than any of the files that it is made of.
let isUpToDate (assembly: string) (inputs: string list) : bool =
    File.Exists assembly
    && (let built = File.GetLastWriteTimeUtc assembly
        inputs |> List.forall (fun file -> File.GetLastWriteTimeUtc file <= built))
