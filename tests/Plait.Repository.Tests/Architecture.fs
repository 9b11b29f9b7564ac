// Under test: the direction of dependencies, which is one way. Tool -> Lab -> Load -> Report -> Common; Tool -> Doctor -> Report; Tool -> Check -> Common;
// tests, bench, samples and candidates -> Plait; ThreadPool -> Plait; Plait -> nothing. A new edge is a decision: it is written into `mayUse`, with the design in
// mind.
module Plait.Repository.Tests.Architecture

open System.Collections.Generic
open System.IO
open System.Text.Json
open Mono.Cecil
open Xunit
open Plait.Repository.Tests.Projects

/// What each project may use. One that is not here may use nothing.
let private mayUse (project: Project) =
    let testPrograms =
        [ "Plait"; "Plait.Stress"; "Plait.Tests.Oracle"; "Plait.Tests.Programs" ]

    match project.Name with
    // src
    | "Plait"
    | "Plait.Common"
    | "Plait.Http2" -> []
    | "Plait.Report" -> [ "Plait.Common" ]
    // of the library its public members alone, so that each may be of another version; and the source of its events
    | "Plait.ThreadPool" -> [ "Plait" ]
    // by the import of what F# 11 needs, which stands beside its compiler
    | "Plait.RuntimeAsync" -> [ "Plait"; "Fsc" ]
    | "Plait.Load" -> [ "Plait.Report"; "Plait.Http2" ]
    | "Plait.Lab.Contracts" -> [ "Plait.Common" ]
    | "Plait.Lab" -> [ "Plait.Load"; "Plait.Lab.Contracts" ]
    | "Plait.Check" -> [ "Plait.Common" ]
    | "Plait.Doctor" -> [ "Plait.Report" ]
    | "Plait.Tool" -> [ "Plait.Lab"; "Plait.Check"; "Plait.Doctor" ]

    // tests
    | "Plait.Tests.Oracle" -> []
    | "Plait.Tests.Programs" -> [ "Plait"; "Plait.Tests.Oracle" ]
    | "Plait.Tests" -> testPrograms
    // its C# is the judge of both packages
    | "Plait.Tests.CSharp" -> "Plait.ThreadPool" :: testPrograms
    // they wait as the tests of the library do
    | "Plait.ThreadPool.Tests" -> [ "Plait.ThreadPool"; "Plait.Tests" ]
    // the programs and their tests, compiled once more
    | "Plait.RuntimeAsync.Tests" ->
        [
            "Plait.RuntimeAsync"
            "Fsc"
            "Plait.Repository.Tests"
            "Plait.Tests"
            "Plait.Tests.Oracle"
            "Plait.Tests.Programs"
            "Plait.Tests.Support"
        ]
    | "Plait.Repository.Tests" -> [ "Plait.Tests.Support" ]
    // the same sources, with another shim for their atomics
    | "Plait.Explorer" -> [ "Plait" ]
    // what is promised in bytes is what the benchmark measures: the same gates and loops
    | "Plait.Allocation.Tests" -> "Plait.Benchmarks.CSharp" :: testPrograms
    | "Plait.Stress" -> [ "Plait"; "Plait.Tests.Oracle"; "Plait.Tests.Programs" ]
    | "Plait.Lab.FakeWorker" -> [ "Plait.Lab.Language" ]
    // one for each project of src, and what they share; programs of the Release build are started, and not referenced
    | "Plait.Tests.Support" -> [ "Plait.Load" ]
    | "Plait.Report.Tests" -> [ "Plait.Report"; "Plait.Tests.Support" ]
    | "Plait.Load.Tests"
    | "Plait.Tool.Tests" -> [ "Plait.Load"; "Plait.Tests.Support" ]
    | "Plait.Lab.Tests" ->
        [
            "Plait.Lab"
            "Plait.Lab.Language"
            "Plait.Lab.Contracts"
            "Plait.Lab.CardAdapter"
            "Plait.Tests.Support"
        ]
    // the libraries are what its data are compiled against
    | "Plait.Check.Tests" -> [ "Plait"; "Plait.ThreadPool"; "Plait.Check"; "Plait.Tests.Support" ]
    | "Plait.Doctor.Tests" ->
        [ "Plait.Doctor"; "Plait.Tests.Support"; "Plait.Samples.Sick"; "Plait.Samples.Sick.CSharp" ]
    // its pages are made of the load engine's own outcomes
    | "Plait.Page.Tests" -> [ "Plait.Lab" ]

    // the same sick programs, and those of .NET 11
    | "Plait.RuntimeAsync.Doctor.Tests" -> [ "Plait.Doctor"; "Plait.Doctor.Tests"; "Plait.Tests.Support" ]

    | "Plait.Samples.Sick.FSharp11" -> [ "Plait.RuntimeAsync"; "Fsc"; "Plait.Samples.Sick" ]
    | "Plait.Samples.Sick.CSharp11" -> [ "Fsc"; "Plait.Samples.Sick.CSharp" ]

    // candidates: the interpreted language and its host, then the adapter, its services and the program that uses it
    // by the import of what builds a candidate for a runtime, and of what F# 11 needs for that
    | "Plait.Lab.Language" -> [ "Candidate"; "Fsc" ]
    | "Plait.Lab.Host" -> [ "Plait.Lab.Language"; "Candidate"; "Fsc" ]
    | "Plait.Lab.CardAdapter" -> [ "Plait" ]
    // by the import of the props of their folder, which is that of the candidates
    | "Plait.Lab.CardService" -> [ "Plait.Lab.Contracts"; "Candidate" ]
    | "Plait.Lab.CardWeb" -> [ "Plait.Lab.Contracts"; "Plait.Lab.CardAdapter"; "Candidate" ]
    // the jobs are in the contract, which references no library that is measured: this program brings it
    | "Plait.Lab.BlockingJobs" -> [ "Plait.ThreadPool"; "Plait.Lab.Contracts" ]
    | _ when (Repository.shown project.File).StartsWith "candidates/" ->
        [
            "Plait"
            "Plait.RuntimeAsync"
            "Plait.Lab.Language"
            "Plait.Lab.Host"
            "Plait.Lab.Yields.CSharp"
            "Candidate"
            "Fsc"
        ]

    // bench
    // measured as the kernels are: by the same sources
    | "Plait.Breadth.Benchmarks"
    | "Plait.Locks.Benchmarks" -> [ "Plait"; "Plait.Benchmarks" ]
    | "Plait.Streams.Benchmarks" -> [ "Plait"; "Plait.Benchmarks"; "Plait.Benchmarks.CSharp" ]
    | "Plait.RuntimeAsync.Benchmarks" ->
        [
            "Plait.RuntimeAsync"
            "Fsc"
            "Plait.Benchmarks"
            "Plait.Benchmarks.CSharp"
            "Plait.Benchmarks.Programs"
            "Plait.RuntimeAsync.Benchmarks.CSharp"
        ]
    | _ when (Repository.shown project.File).StartsWith "bench/" ->
        [ "Plait"; "Plait.Lab.Language"; "Plait.Benchmarks.CSharp"; "Plait.Benchmarks.Programs" ]
    | _ -> []

[<Fact>]
let ``dependencies run one way`` () =
    Repository.none
        "These uses are not in the design:"
        [
            for project in all.Value do
                for used in uses project |> List.except (mayUse project) do
                    $"{Repository.shown project.File} -> {used}"
        ]

[<Fact>]
let ``the reading of the project files finds the edges that are known to be there`` () =
    let usedBy name =
        all.Value |> List.find (fun project -> project.Name = name) |> uses

    Assert.Contains("Plait.Lab", usedBy "Plait.Tool")
    Assert.Contains("Plait", usedBy "Plait.Benchmarks")
    // by import
    Assert.Contains("Plait.Lab.Language", usedBy "Candidate")

[<Theory; InlineData "Plait"; InlineData "Plait.ThreadPool">]
let ``a library references FSharp.Core and no other package`` (name: string) =
    let library = all.Value |> List.find (fun project -> project.Name = name)
    Assert.Equal<string list>([ "FSharp.Core" ], packages library)

/// What the libraries reference besides the runtime; netstandard stands for it, because FSharp.Core is compiled against that.
let private references =
    [
        for framework in [ "net8.0"; "net10.0" ] do
            ("Plait", framework, [ "FSharp.Core"; "netstandard" ])
            ("Plait.ThreadPool", framework, [ "FSharp.Core"; "netstandard"; "Plait" ])
    ]

let compiled =
    [|
        for name, framework, _ in references do
            let row = TheoryDataRow<string, string>(name, framework)

            if framework = "net8.0" then
                row.Traits["run"] <- HashSet [ "more" ]

            row
    |]

[<Theory; MemberData(nameof compiled)>]
let ``a compiled library needs the runtime, FSharp.Core, at most the library, and nothing else``
    (name: string, framework: string)
    =
    use assembly = AssemblyDefinition.ReadAssembly(Repository.built name framework)

    let allowed =
        references
        |> List.pick (fun (one, other, allowed) ->
            if (one, other) = (name, framework) then Some allowed else None)

    Repository.none
        $"{name}.dll references:"
        [
            for reference in assembly.MainModule.AssemblyReferences do
                if not (reference.Name.StartsWith "System." || List.contains reference.Name allowed) then
                    reference.Name
        ]

/// The formatting of FSharp.Core builds functions by reflection: NativeAOT warns of it in every program that reaches it.
[<Theory; MemberData(nameof compiled)>]
let ``a compiled library formats no text by printf`` (name: string, framework: string) =
    use assembly = AssemblyDefinition.ReadAssembly(Repository.built name framework)

    Repository.none
        $"{name}.dll calls printf, which F# makes of an interpolated string with more than four parts, or with one that is no string:"
        [
            for kind in assembly.MainModule.GetTypes() do
                for one in kind.Methods do
                    if one.HasBody then
                        for instruction in one.Body.Instructions do
                            match instruction.Operand with
                            | :? MethodReference as called when
                                called.DeclaringType.FullName.StartsWith "Microsoft.FSharp.Core.PrintfFormat"
                                ->
                                one.FullName
                            | _ -> ()
        ]

[<Fact>]
let ``only Plait.RuntimeAsync uses internals of the library`` () =
    use assembly = AssemblyDefinition.ReadAssembly(Repository.library "net10.0")

    let friends =
        [
            for attribute in assembly.CustomAttributes do
                if attribute.AttributeType.Name = "InternalsVisibleToAttribute" then
                    string attribute.ConstructorArguments[0].Value
        ]

    Assert.Equal<string list>([ "Plait.RuntimeAsync" ], friends)

/// Built where there is a .NET 11: by build/fsharp11/test.sh, and by `plait lab fizzbuzz --runtime 11`.
let private needsDotnet11 (file: string) =
    file.StartsWith "build/fsharp11/"
    || file.StartsWith "candidates/net11.0/"
    || file.StartsWith "samples/sick/" && file.Contains "11/"
    || file.Contains "/Plait.RuntimeAsync"

[<Fact>]
let ``every project is in the solution, and the solution has no other`` () =
    let inTree = [ for project in all.Value -> Repository.shown project.File ]

    // a candidate is built by Candidates.proj, with its name as a property
    let isCandidate (file: string) = file.StartsWith "candidates/"

    Repository.none
        "Not in Plait.slnx:"
        (inTree
         |> List.except (solution ())
         |> List.filter (fun file -> not (isCandidate file || needsDotnet11 file)))

    Repository.none "In Plait.slnx, but not in the tree:" (List.except inTree (solution ()))

[<Fact>]
let ``the design names no project that does not exist`` () =
    let source =
        File.ReadAllText(Repository.path [ "tests/Plait.Repository.Tests/Architecture.fs" ])

    // a folder ends with a slash
    let exists (name: string) =
        all.Value
        |> List.exists (fun project ->
            if name.EndsWith '/' then
                (Repository.shown project.File).StartsWith name
            else
                project.Name = name)

    let design = source.Substring(0, source.IndexOf "[<Fact>]")

    let named =
        System.Text.RegularExpressions.Regex.Matches(design, "\"([^\"]+)\"")
        |> Seq.map _.Groups[1].Value
        |> List.ofSeq

    Assert.Contains("candidates/", named)
    Repository.none "No such project:" (named |> List.filter (not << exists) |> List.distinct)

[<Theory; InlineData "Plait"; InlineData "Plait.ThreadPool">]
let ``a library has FSharp.Core and no other direct package`` (name: string) =
    use assets =
        JsonDocument.Parse(
            File.ReadAllText(Repository.path [ "artifacts"; "obj"; name; "project.assets.json" ])
        )

    let direct =
        [
            for framework in
                assets.RootElement.GetProperty("project").GetProperty("frameworks").EnumerateObject() do
                for package in framework.Value.GetProperty("dependencies").EnumerateObject() do
                    if package.Value.GetProperty("target").GetString() = "Package" then
                        package.Name
        ]

    // what trimming and AOT analysis add stays in the build
    Repository.none "Direct packages:" (List.except [ "FSharp.Core"; "Microsoft.NET.ILLink.Tasks" ] direct)
    Assert.Contains("FSharp.Core", direct)
