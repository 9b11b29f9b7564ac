// Projects of F# 11 for .NET 11, with the real builders of Plait.RuntimeAsync. `make dotnet11` tells an older SDK what they need;
// where it was not run, these tests are skipped.
namespace Plait.Check.Tests

open System.IO
open System.Threading
open FSharp.Compiler.Symbols
open Xunit

open Plait.Check

[<Trait("run", "more")>]
module ``F# 11`` =
    let private inRepository (path: string) = Path.Combine(Repository.root, path)

    let private assembly (name: string) =
        inRepository $"artifacts/bin/Plait.RuntimeAsync/release/{name}.dll"

    let private needDotnet11 () =
        Assert.SkipUnless(
            File.Exists(inRepository "artifacts/dotnet11/toolchain.props")
            && File.Exists(assembly "Plait.RuntimeAsync"),
            "not available: Plait.RuntimeAsync is not built; make test-dotnet11 builds it"
        )

    /// A project of F# 11 that uses the builders.
    let private project (made: Made) (source: string) : LoadedProject =
        made.Write("Eleven/Eleven.fs", source) |> ignore

        let file =
            made.Write(
                "Eleven/Eleven.fsproj",
                $"""<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net11.0</TargetFramework>
    <LangVersion>preview</LangVersion>
  </PropertyGroup>
  <ItemGroup>
    <Compile Include="Eleven.fs" />
    <PackageReference Update="FSharp.Core" Version="11.0.101" />
    <Reference Include="{assembly "Plait.RuntimeAsync"}" />
    <Reference Include="{assembly "Plait"}" />
  </ItemGroup>
  <Import Project="{inRepository "build/fsharp11/FSharp11.props"}" />
</Project>
"""
            )

        Load.withProgress ignore (Load.request [ file ])
        |> List.find (fun project -> project.File = file)

    let private check (projects: LoadedProject list) : Report =
        Analysis.run
            ignore
            (Analysis.createChecker ())
            None
            (Rules.all |> List.map _.Code)
            []
            ignore
            CancellationToken.None
            projects

    [<Fact>]
    let ``a project of LangVersion preview for net11.0 is checked with the builders of runtime async`` () =
        needDotnet11 ()
        use made = new Made()

        let project =
            project
                made
                """module Eleven
open System.Threading
open System.Threading.Tasks
open Plait.RuntimeAsync

let number (key: string) = task { return key.Length }
let price (key: string) = valueTask { return key.Length }

let right (key: string) =
    task {
        let job = number key
        let! first = job
        let! second = job
        let! all = [ key; key ] |> List.mapAsync (fun key -> step { return! price key })
        return first + second + all.Length
    }

let wrong (job: Task<int>) =
    valueTask {
        let once = price "a"
        let! first = once
        let! second = once
        let! all = [ 1 ] |> List.mapAsync (fun wait -> step { Thread.Sleep wait })
        return first + second + all.Length + job.Result
    }

let before (key: string) =
    let upper = key.ToUpperInvariant()
    Guarded.task { return! price upper }

let ofResults (key: string) (job: Task<int>) =
    taskResult {
        let once = price key
        let! first = once
        let! second = once
        do! if job.Result > 0 then Ok() else Error "none"
        let! third = Task.FromResult(Ok 1: Result<int, string>)
        and! fourth = valueTaskResult { return! price key }
        Thread.Sleep third
        return first + second + fourth
    }

let beforeResults (key: string) =
    let upper = key.ToUpperInvariant()
    NonAffine.valueTaskResult { return! price upper }
"""

        Assert.Equal(Some "net11.0", project.Framework)
        Checked.isRight project

        let report = check [ project ]
        Assert.Equal(0, report.Coverage.LostLines)

        Assert.Equal<(int * string * Severity) list>(
            [
                22, "PLT101", Severity.Warning
                23, "PLT201", Severity.Warning
                24, "PLT201", Severity.Warning
                28, "PLT404", Severity.Info
                35, "PLT101", Severity.Warning
                36, "PLT201", Severity.Warning
                38, "PLT404", Severity.Info
                39, "PLT201", Severity.Warning
                44, "PLT404", Severity.Info
            ],
            [
                for finding in report.Findings do
                    if finding.Severity > Severity.Hint then
                        finding.Location.Line, finding.Rule, finding.Severity
            ]
        )

    [<Fact>]
    let ``the sources of Plait.RuntimeAsync, which only F# 11 can type, are read to the last line`` () =
        needDotnet11 ()
        let file = inRepository "src/Plait.RuntimeAsync/Plait.RuntimeAsync.fsproj"
        let request = Load.request [ file ]

        let report =
            Load.withProgress ignore request
            |> List.filter (fun project -> project.File = file)
            |> check

        Assert.Equal(1, report.Coverage.Projects)
        Assert.True(report.Coverage.Declarations > 100)
        Assert.Equal(0, report.Coverage.TypeErrors)
        Assert.Equal(0, report.Coverage.LostLines)

    [<Fact>]
    let ``the members of Plait.RuntimeAsync in the table exist`` () =
        needDotnet11 ()

        use made = new Made()
        let project = project made "module Eleven\nlet x = 1\n"
        Checked.isRight project

        let results =
            Checked.checker.Value.ParseAndCheckProject project.Options |> Async.RunSynchronously

        let rec names (entity: FSharpEntity) : string list =
            let name = (entity.TryFullName |> Option.defaultValue "").Split('`')[0]

            name
            :: name + "."
            :: [
                for symbol in entity.MembersFunctionsAndValues do
                    $"{name}.{symbol.CompiledName}"

                for inner in entity.NestedEntities do
                    yield! names inner
            ]

        let there =
            results.ProjectContext.GetReferencedAssemblies()
            |> Seq.filter (fun assembly -> assembly.SimpleName = "Plait.RuntimeAsync")
            |> Seq.collect _.Contents.Entities
            |> Seq.collect names
            |> Set.ofSeq

        let named =
            File.ReadAllLines(inRepository "src/Plait.Check/Flow/effects.txt")
            |> Array.filter _.StartsWith("Plait.RuntimeAsync.")
            |> Array.map (fun line -> line.Split(' ')[0])

        Assert.NotEmpty named
        Assert.Equal<string>([], named |> Seq.filter (there.Contains >> not))
