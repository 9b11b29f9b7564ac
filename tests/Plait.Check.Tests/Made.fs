// Projects that a test makes in a folder of its own, what loading says about them, and what the compiler service does.
namespace Plait.Check.Tests

open System
open System.IO
open System.Threading

open FSharp.Compiler.CodeAnalysis
open FSharp.Compiler.Diagnostics
open Xunit

open Plait.Check
open Plait.Common

module Repository =
    /// The folder of the repository.
    let root = Plait.Tests.Support.SolutionFolder.path

/// A temporary folder with files. Disposing deletes it.
type Made() =
    let folder = Directory.CreateTempSubdirectory("plait-check-test-").FullName

    do
        File.WriteAllText(
            Path.Combine(folder, "Directory.Build.props"),
            "<Project><PropertyGroup><NuGetAudit>false</NuGetAudit></PropertyGroup></Project>"
        )

        File.WriteAllText(Path.Combine(folder, "Directory.Build.targets"), "<Project />")
        File.WriteAllText(Path.Combine(folder, "Directory.Packages.props"), "<Project />")

    member _.Folder = folder

    member _.Path(name: string) = Path.Combine(folder, name)

    /// Writes a file, and yields its whole path.
    member made.Write(name: string, text: string) : string =
        let file = made.Path name
        let below = Path.GetDirectoryName file |> string
        Directory.CreateDirectory below |> ignore
        File.WriteAllText(file, text)
        file

    /// Writes a project NAME/NAME.fsproj with its lines of items, and yields its whole path.
    member made.Project(name: string, framework: string, items: string list) : string =
        let property =
            if framework.Contains ';' then "TargetFrameworks" else "TargetFramework"

        let lines = String.concat "\n    " items

        made.Write(
            $"{name}/{name}.fsproj",
            $"""<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><{property}>{framework}</{property}></PropertyGroup>
  <ItemGroup>
    {lines}
  </ItemGroup>
</Project>
"""
        )

    /// A project for net10.0 with one source file NAME.fs, and references to other projects by name.
    member made.Library(name: string, source: string, references: string list) : string =
        made.Write($"{name}/{name}.fs", source) |> ignore

        made.Project(
            name,
            "net10.0",
            $"<Compile Include=\"{name}.fs\" />"
            :: [ for other in references -> $"<ProjectReference Include=\"../{other}/{other}.fsproj\" />" ]
        )

    interface IDisposable with
        member _.Dispose() = Directory.Delete(folder, true)

/// Loading, and what it said.
module Load =
    let withProgress progress (request: LoadRequest) : LoadedProject list =
        let loaded = Loading.load None progress CancellationToken.None request

        match loaded.Unloaded with
        | (_, why) :: _ -> raise (BadInput why)
        | [] -> loaded.Projects

    let request (paths: string list) : LoadRequest =
        { Paths = paths; Framework = None; Degraded = false }

    /// Loads paths as they are.
    let paths (paths: string list) : LoadedProject list = withProgress ignore (request paths)

    /// Loads one path that is one project.
    let one (path: string) : LoadedProject = Assert.Single(paths [ path ])

    /// Loads in degraded mode.
    let degraded (path: string) : LoadedProject =
        withProgress ignore { request [ path ] with Degraded = true } |> Assert.Single

    /// The sentence with which loading is refused.
    let refusal (request: LoadRequest) : string =
        Assert.Throws<BadInput>(fun () -> withProgress ignore request |> ignore).Message

    /// The sentence with which a path is refused.
    let refused (path: string) : string = refusal (request [ path ])

/// What the compiler service makes of projects.
module Checked =
    let checker = lazy FSharpChecker.Create(keepAssemblyContents = true)

    /// The errors that a checker finds in a project.
    let errorsBy (checker: FSharpChecker) (project: LoadedProject) : string list =
        let results = checker.ParseAndCheckProject project.Options |> Async.RunSynchronously

        [
            for one in results.Diagnostics do
                if one.Severity = FSharpDiagnosticSeverity.Error then
                    $"{Path.GetFileName one.FileName}({one.StartLine}): {one.Message}"
        ]

    /// Those that the checker of these tests finds.
    let errors (project: LoadedProject) : string list = errorsBy checker.Value project

    /// Fails with the errors of a project that has some.
    let isRight (project: LoadedProject) : unit =
        Assert.Equal<string list>([], errors project)
