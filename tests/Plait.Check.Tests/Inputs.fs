// Loading: every kind of path, references, frameworks, what cannot be restored or read, and the ends of it. The projects are made in
// temporary folders and were never restored or built.
namespace Plait.Check.Tests

open System
open System.Collections.Concurrent
open System.Diagnostics
open System.IO
open System.Threading

open Xunit

open Plait.Check
open Plait.Common

module Say =
    /// A sentence that names all of these.
    let names (parts: string list) (sentence: string) =
        for part in parts do
            Assert.Contains(part, sentence)

    let note (parts: string list) (project: LoadedProject) =
        Assert.Contains(project.Notes, fun note -> parts |> List.forall note.Contains)

module ``One project`` =
    [<Fact>]
    let ``a project that was never restored is restored, read without a build, and type-checks`` () =
        use made = new Made()
        let file = made.Library("A", "module A\nlet x = task { return 1 }", [])
        let said = ConcurrentQueue<string>()

        let project =
            Load.withProgress said.Enqueue (Load.request [ file ]) |> Assert.Single

        Checked.isRight project
        Assert.Equal("A", project.Name)
        Assert.Equal(file, project.File)
        Assert.Equal(Some "net10.0", project.Framework)
        Assert.Contains(made.Path "A/A.fs", project.Options.SourceFiles)
        Assert.Empty project.Notes
        Assert.Contains("restoring A", said)
        Assert.Contains("reading A", said)
        Assert.Empty(Directory.GetFiles(made.Path "A", "A.dll", SearchOption.AllDirectories))

        // nothing is left to restore
        said.Clear()
        Load.withProgress said.Enqueue (Load.request [ file ]) |> ignore
        Assert.Equal<string>([ "reading A" ], said)

    [<Fact; Trait("run", "more")>]
    let ``a project for several frameworks is read for the newest, with a note`` () =
        use made = new Made()
        made.Write("M/A.fs", "module A\nlet x = 1") |> ignore

        let file =
            made.Project("M", "netstandard2.0;net10.0", [ "<Compile Include=\"A.fs\" />" ])

        let project = Load.one file
        Assert.Equal(Some "net10.0", project.Framework)
        project |> Say.note [ "net10.0"; "netstandard2.0"; "--framework" ]
        Checked.isRight project

        let chosen =
            Load.withProgress ignore { Load.request [ file ] with Framework = Some "netstandard2.0" }
            |> Assert.Single

        Assert.Equal(Some "netstandard2.0", chosen.Framework)
        Assert.Contains("--define:NETSTANDARD2_0", chosen.Options.OtherOptions)
        Checked.isRight chosen

        Load.refusal { Load.request [ file ] with Framework = Some "net10.1" }
        |> Say.names [ "--framework"; "net10.1"; "did you mean net10.0?" ]

    /// F# 11 has a warning here that F# 10 has not.
    [<Theory>]
    [<InlineData "latest">]
    [<InlineData("", Traits = [| "run"; "more" |])>]
    [<InlineData("9.0", Traits = [| "run"; "more" |])>]
    let ``a project is read in the language version that it names, or in the version of its SDK``
        (version: string)
        =
        use made = new Made()
        File.Copy(Path.Combine(Repository.root, "global.json"), made.Path "global.json")

        made.Write(
            "L/L.fs",
            "module L\nlet name (file: string) = nonNull (System.IO.Path.GetFileName file)\n"
        )
        |> ignore

        let named = if version = "" then "" else $"<LangVersion>{version}</LangVersion>"

        let file =
            made.Write(
                "L/L.fsproj",
                $"""<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    {named}
  </PropertyGroup>
  <ItemGroup><Compile Include="L.fs" /></ItemGroup>
</Project>
"""
            )

        let project = Load.one file
        Checked.isRight project

        let versions =
            project.Options.OtherOptions |> Array.filter _.StartsWith("--langversion:")

        // of the SDK in global.json
        let expected = if version = "9.0" then version else "10.0"
        Assert.Equal<string>([ $"--langversion:{expected}" ], versions)

    [<Fact>]
    let ``a project with syntax errors is loaded, so that the checker reports them`` () =
        use made = new Made()
        let project = Load.one (made.Library("S", "module S\nlet = (", []))
        Assert.NotEmpty(Checked.errors project)

    [<Fact>]
    let ``a project without sources is refused`` () =
        use made = new Made()
        let file = made.Project("Empty", "net10.0", [])
        Load.refused file |> Say.names [ file; "no source files" ]

    [<Fact>]
    let ``a project without a framework is refused with the reason`` () =
        use made = new Made()

        let file =
            made.Write("N/N.fsproj", "<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup /></Project>")

        Load.refused file |> Say.names [ file; "--degraded" ]

    [<Fact>]
    let ``a project that is not XML is refused with the place`` () =
        use made = new Made()
        let file = made.Write("X/X.fsproj", "<Project>\n<oops")
        Load.refused file |> Say.names [ file; "Line 2" ]

    [<Fact>]
    let ``an unreadable or missing source file is named, and degraded mode goes on without it`` () =
        use made = new Made()
        made.Write("U/A.fs", "module A\nlet x = 1") |> ignore
        made.Write("U/Folder.fs/keep.txt", "") |> ignore

        let file =
            made.Project(
                "U",
                "net10.0",
                [
                    "<Compile Include=\"Folder.fs\" />"
                    "<Compile Include=\"Gone.fs\" />"
                    "<Compile Include=\"A.fs\" />"
                ]
            )

        Load.refused file |> Say.names [ made.Path "U/Folder.fs"; file; "--degraded" ]

        let project = Load.degraded file
        project |> Say.note [ "Folder.fs"; "Gone.fs"; "left out" ]
        Assert.DoesNotContain(made.Path "U/Gone.fs", project.Options.SourceFiles)
        Checked.isRight project

    [<Fact; Trait("run", "more")>]
    let ``a project whose global.json names a missing SDK is read with another one, with a note`` () =
        use made = new Made()
        let file = made.Library("G", "module G\nlet x = 1", [])

        made.Write("global.json", """{ "sdk": { "version": "9.9.999", "rollForward": "disable" } }""")
        |> ignore

        let project = Load.one file
        project |> Say.note [ made.Path "global.json"; "not installed" ]
        Checked.isRight project

module ``References`` =
    [<Fact>]
    let ``references to unbuilt F# projects are checked from source, through several projects, and a reference to an unbuilt C# project is a note``
        ()
        =
        use made = new Made()
        made.Library("A", "module A\nlet x = 1", []) |> ignore
        made.Library("B", "module B\nlet y = A.x + 1", [ "A" ]) |> ignore

        made.Write(
            "Cs/Cs.csproj",
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"
        )
        |> ignore

        made.Write("C/C.fs", "module C\nlet z : int = B.y + A.x") |> ignore

        let last =
            made.Project(
                "C",
                "net10.0",
                [
                    "<Compile Include=\"C.fs\" />"
                    "<ProjectReference Include=\"../B/B.fsproj\" />"
                    "<ProjectReference Include=\"../Cs/Cs.csproj\" />"
                ]
            )

        let project = Load.one last

        // but for the file that the C# project would be built to
        Assert.All(Checked.errors project, (fun error -> Assert.Contains("Cs.dll", error)))
        Assert.Equal(2, project.Options.ReferencedProjects.Length)
        Assert.Single project.Notes |> Say.names [ "Cs.csproj"; "not built" ]
        Assert.Empty(Directory.GetFiles(made.Path "A", "A.dll", SearchOption.AllDirectories))

    [<Fact; Trait("run", "more")>]
    let ``a reference to a project for several frameworks reads it for the nearest one`` () =
        use made = new Made()
        made.Write("M/M.fs", "module M\n#if NETSTANDARD2_0\nlet x = 1\n#endif") |> ignore

        made.Project("M", "net472;netstandard2.0", [ "<Compile Include=\"M.fs\" />" ]) |> ignore

        let project =
            Load.one (made.Library("User", "module User\nlet y : int = M.x", [ "M" ]))

        Checked.isRight project

    [<Fact>]
    let ``references in a circle are refused, and the error names the circle`` () =
        use made = new Made()
        made.Library("A", "module A", [ "B" ]) |> ignore
        made.Library("B", "module B", [ "C" ]) |> ignore
        let file = made.Library("C", "module C", [ "A" ])

        Load.refused file |> Say.names [ file; "C.fsproj -> A.fsproj -> B.fsproj -> C.fsproj" ]

module ``Degraded`` =
    let private missing =
        "<PackageReference Include=\"No.Such.Package.Anywhere\" Version=\"1.2.3\" />"

    [<Fact>]
    let ``degraded mode reads a project without its missing package`` () =
        use made = new Made()
        made.Write("P/A.fs", "module A\nlet x = 1") |> ignore
        made.Write("P/B.fs", "module B\nlet y = A.x\nlet z = No.Such.thing") |> ignore

        let file =
            made.Project(
                "P",
                "net10.0",
                [ "<Compile Include=\"A.fs\" />"; "<Compile Include=\"B.fs\" />"; missing ]
            )

        Load.refused file
        |> Say.names [ file; "NU1101"; "No.Such.Package.Anywhere"; "--degraded" ]

        let project = Load.degraded file
        project |> Say.note [ "P.fsproj"; "degraded"; "No.Such.Package.Anywhere" ]
        Assert.StartsWith("B.fs(3)", Assert.Single(Checked.errors project))

    [<Fact; Trait("run", "more")>]
    let ``degraded mode reads projects with missing imports through a wrapper, references included`` () =
        use made = new Made()
        let import = "<Import Project=\"../.paket/Paket.Restore.targets\" />"

        let write name items =
            made.Write(
                $"{name}/{name}.fsproj",
                $"<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><DefineConstants>EXTRA</DefineConstants></PropertyGroup><ItemGroup>{items}</ItemGroup>{import}</Project>"
            )

        made.Write("A/Second.fs", "module Second\n#if EXTRA\nlet y = First.x\n#endif") |> ignore
        made.Write("A/First.fs", "module First\nlet x = 1") |> ignore

        write
            "A"
            "<Compile Include=\"First.fs\" /><Compile Include=\"Second.fs\" /><Compile Include=\"*.gen.fs\" />"
        |> ignore

        // of this run: an aborted one leaves its folder
        let last = $"B{Guid.NewGuid():N}"
        made.Write($"{last}/B.fs", "module B\nlet z : int = Second.y") |> ignore

        let file =
            write last "<Compile Include=\"B.fs\" /><ProjectReference Include=\"..\\A\\A.fsproj\" />"

        Load.refused file |> Say.names [ file; "MSB4019"; "--degraded" ]

        let temporary () =
            Directory.GetDirectories(Path.GetTempPath(), "plait-check-*")
            |> Array.filter (fun folder -> not (folder.Contains "plait-check-test-"))
            |> Array.filter (fun folder -> File.Exists(Path.Combine(folder, $"{last}.fsproj")))

        let project = Load.degraded file
        project |> Say.note [ $"{last}.fsproj"; "degraded"; "MSB4019" ]
        project |> Say.note [ "A.fsproj"; "*.gen.fs" ]
        Checked.isRight project
        Assert.Empty(temporary ())

    [<Fact; Trait("run", "more")>]
    let ``degraded mode refuses a project without sources`` () =
        use made = new Made()

        let file =
            made.Write(
                "E/E.fsproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup><Import Project=\"gone.targets\" /></Project>"
            )

        Assert.Throws<BadInput>(fun () -> Load.degraded file |> ignore).Message
        |> Say.names [ file; "degraded" ]

/// Two projects that several tests read.
type TwoProjects() =
    let made = new Made()

    do
        made.Library("A", "module A\nlet x = 1", []) |> ignore
        made.Library("B", "module B\nlet y = A.x", [ "A" ]) |> ignore

    member _.Made = made

    interface IDisposable with
        member _.Dispose() = (made :> IDisposable).Dispose()

type ``Several projects``(two: TwoProjects) =
    let made = two.Made
    let namesOf (projects: LoadedProject list) = projects |> List.map _.Name

    interface IClassFixture<TwoProjects>

    [<Fact>]
    member _.``the projects of a folder are the ones of its slnx in its order, with a note about projects that are not F#``
        ()
        =
        made.Write(
            "slnx/All.slnx",
            "<Solution><Folder Name=\"/src/\"><Project Path=\"..\\B\\B.fsproj\" /><Project Path=\"../A/A.fsproj\" /><Project Path=\"C/C.csproj\" /></Folder></Solution>"
        )
        |> ignore

        let projects = Load.paths [ made.Path "slnx" ]
        Assert.Equal<string list>([ "B"; "A" ], namesOf projects)
        projects.Head |> Say.note [ "All.slnx"; "C.csproj" ]
        projects |> List.iter Checked.isRight

    [<Fact; Trait("run", "more")>]
    member _.``the projects of a sln are read, and its folders are no projects``() =
        let solution =
            made.Write(
                "sln/All.sln",
                "Microsoft Visual Studio Solution File, Format Version 12.00\r\n"
                + "Project(\"{2150E333-8FDC-42A3-9474-1A3956D46DE8}\") = \"src\", \"src\", \"{1}\"\r\nEndProject\r\n"
                + "Project(\"{6EC3EE1D-3C4E-46DD-8F32-0CC8E7565705}\") = \"A\", \"..\\A\\A.fsproj\", \"{2}\"\r\nEndProject\r\n"
                + "Project(\"{F2A71F9B-5D33-465A-A702-920D77279786}\") = \"B\", \"..\\B\\B.fsproj\", \"{3}\"\r\nEndProject\r\n"
            )

        Assert.Equal<string list>([ "A"; "B" ], namesOf (Load.paths [ solution ]))

    [<Fact>]
    member _.``the projects of a solution filter are read, by paths from the folder of the solution``() =
        let filter =
            made.Write(
                "filters/near/Some.slnf",
                "{ // of Visual Studio\n \"solution\": { \"path\": \"..\\\\..\\\\All.slnx\", \"projects\": [ \"B\\\\B.fsproj\", ] } }"
            )

        Assert.Equal<string list>([ "B" ], namesOf (Load.paths [ filter ]))

    [<Fact>]
    member _.``a folder with several solutions is refused``() =
        for name in [ "All"; "Other" ] do
            made.Write($"several/{name}.slnx", "<Solution />") |> ignore

        Load.refused (made.Path "several")
        |> Say.names [ made.Path "several"; "All.slnx"; "Other.slnx" ]

    [<Fact>]
    member _.``the projects of a folder without a solution are all projects below it, once each, without the output of builds``
        ()
        =
        for passedOver in [ "A/bin"; "A/obj"; "artifacts"; "node_modules/x"; ".hidden" ] do
            made.Write($"{passedOver}/Copy.fsproj", "<Project />") |> ignore

        let paths = [ made.Path "A/../B/B.fsproj"; made.Folder ]
        Assert.Equal<string list>([ "B"; "A" ], namesOf (Load.paths paths))

module ``Frameworks`` =
    [<Fact; Trait("run", "more")>]
    let ``projects without the requested framework are read for their own, with a note`` () =
        use made = new Made()
        made.Library("A", "module A\nlet x = 1", []) |> ignore
        made.Write("S/S.fs", "module S\nlet x = 1") |> ignore

        made.Project("S", "netstandard2.0", [ "<Compile Include=\"S.fs\" />" ]) |> ignore

        let projects =
            Load.withProgress ignore { Load.request [ made.Folder ] with Framework = Some "netstandard2.0" }

        Assert.Equal<string option list>(
            [ Some "net10.0"; Some "netstandard2.0" ],
            projects |> List.map _.Framework
        )

        projects.Head |> Say.note [ "A.fsproj"; "netstandard2.0"; "net10.0" ]

module ``Files`` =
    [<Fact>]
    let ``one source file alone type-checks`` () =
        use made = new Made()
        let file = made.Write("Alone.fs", "module Alone\nlet x = task { return 1 }")
        let project = Load.one file
        Assert.Equal(None, project.Framework)
        Assert.Equal<string>([ file ], project.Options.SourceFiles)
        Checked.isRight project

    [<Fact>]
    let ``several source files are one program in their order`` () =
        use made = new Made()
        let first = made.Write("Z.fs", "module Z\nlet x = 1")
        let second = made.Write("A.fs", "module A\nlet y = Z.x")
        let project = Assert.Single(Load.paths [ first; second ])
        Assert.Equal<string>([ first; second ], project.Options.SourceFiles)
        Checked.isRight project

    [<Fact>]
    let ``a script is read with the files that it loads`` () =
        use made = new Made()
        let loaded = made.Write("part.fs", "module Part\nlet x = 1")
        let file = made.Write("run.fsx", "#load \"part.fs\"\nprintfn \"%d\" Part.x")
        let project = Load.one file
        Assert.Equal<string>([ loaded; file ], project.Options.SourceFiles)
        Checked.isRight project

    [<Fact>]
    let ``a script that loads a missing file is refused with the name, or degraded`` () =
        use made = new Made()
        let file = made.Write("run.fsx", "#load \"gone.fs\"\nlet x = 1")
        Load.refused file |> Say.names [ file; "gone.fs"; "--degraded" ]
        Load.degraded file |> Say.note [ "run.fsx"; "gone.fs" ]

    [<Fact; Trait("run", "more")>]
    let ``a script that references a missing package is refused with the package and the code of the error``
        ()
        =
        use made = new Made()

        made.Write(
            "nuget.config",
            "<configuration><packageSources><clear /><add key=\"here\" value=\".\" /></packageSources></configuration>"
        )
        |> ignore

        let file =
            made.Write("run.fsx", "#r \"nuget: No.Such.Package.Plait, 1.0.0\"\nlet x = 1")

        let why = Load.refused file
        Assert.Matches(@"run\.fsx cannot be loaded: line 1: NU1\d\d\d: .*No\.Such\.Package\.Plait", why)
        Assert.DoesNotContain("Project.fsproj", why)

    [<Fact>]
    let ``a script that cannot be loaded is left out with the reason, and the others are read`` () =
        use made = new Made()
        let bad = made.Write("bad.fsx", "#load \"gone.fs\"\nlet x = 1")
        let good = made.Write("good.fsx", "let x = 1")

        let loaded =
            Loading.load None ignore CancellationToken.None (Load.request [ bad; good ])

        Assert.Equal(good, Assert.Single(loaded.Projects).File)
        let file, why = Assert.Single loaded.Unloaded
        Assert.Equal(bad, file)
        why |> Say.names [ "line 1"; "gone.fs" ]

    [<Fact>]
    let ``a script that references a missing assembly is refused with the name, or degraded`` () =
        use made = new Made()
        let file = made.Write("run.fsx", "let x = 1\n#r \"gone/Missing.dll\"\n")
        Load.refused file |> Say.names [ file; "line 2"; "Missing.dll"; "--degraded" ]
        Load.degraded file |> Say.note [ "run.fsx"; "Missing.dll" ]

    [<Fact>]
    let ``a script has every assembly of the framework`` () =
        use made = new Made()

        let lines =
            [
                "open System.IO"
                "open System.Text.Json"
                "let read (file: Stream) = JsonSerializer.DeserializeAsync<int> file"
                "let pipe = System.IO.Pipelines.Pipe()"
                "let channel = System.Threading.Channels.Channel.CreateUnbounded<int>()"
            ]

        Checked.isRight (Load.one (made.Write("run.fsx", String.Join('\n', lines))))

    [<Fact>]
    let ``a script has the fsi of its session`` () =
        use made = new Made()
        Checked.isRight (Load.one (made.Write("run.fsx", "printfn \"%A\" fsi.CommandLineArgs")))

    [<Fact>]
    let ``a script whose global.json names a missing SDK type-checks`` () =
        use made = new Made()

        made.Write("global.json", """{ "sdk": { "version": "9.9.999", "rollForward": "disable" } }""")
        |> ignore

        Checked.isRight (Load.one (made.Write("run.fsx", "let x = task { return 1 }")))

    [<Theory>]
    [<InlineData("gone.fs", "there is no file or folder")>]
    [<InlineData("gone.fsproj", "there is no file or folder")>]
    [<InlineData("C.csproj", "nothing that can be checked")>]
    [<InlineData("Directory.Build.props", "nothing that can be checked")>]
    [<InlineData("none", "has neither a solution nor an .fsproj")>]
    [<InlineData("empty.sln", "has no F# project; name a solution with one")>]
    [<InlineData("wrong.slnf", "is no solution filter")>]
    [<InlineData("broken.slnf", "is no solution filter")>]
    let ``inputs without F# code are refused by name`` (name: string) (why: string) =
        use made = new Made()
        made.Write("C.csproj", "<Project />") |> ignore
        made.Write("none/readme.txt", "") |> ignore
        made.Write("empty.sln", "") |> ignore
        made.Write("wrong.slnf", """{ "solution": [ "A.fsproj" ] }""") |> ignore
        made.Write("broken.slnf", "{") |> ignore

        Load.refused (made.Path name) |> Say.names [ name; why ]

    [<Fact>]
    let ``a missing project of a solution is refused by its path`` () =
        use made = new Made()

        let solution =
            made.Write("bad.slnx", "<Solution><Project Path=\"gone/gone.fsproj\" /></Solution>")

        Load.refused solution |> Say.names [ made.Path "gone/gone.fsproj" ]

    [<Fact>]
    let ``a check without paths is refused`` () =
        Load.refusal (Load.request []) |> Say.names [ "nothing to check was named" ]

module ``Cancelling`` =
    // every process that works in the folder, or has it among its arguments
    let private processesOf (folder: string) =
        [
            for one in Directory.GetDirectories "/proc" do
                let facts =
                    try
                        let worksIn = DirectoryInfo(Path.Combine(one, "cwd")).LinkTarget
                        $"{worksIn} " + File.ReadAllText(Path.Combine(one, "cmdline"))
                    with
                    | :? IOException
                    | :? UnauthorizedAccessException -> ""

                if facts.Contains folder then
                    facts.Replace('\000', ' ')
        ]

    [<Fact>]
    let ``cancelling ends every process that the check started`` () =
        Assert.SkipUnless(Directory.Exists "/proc", "processes are looked up in /proc")
        use made = new Made()
        // commands that take several projects work in the folder that has it
        made.Write("global.json", "{}") |> ignore
        made.Library("A", "module A\nlet x = 1", []) |> ignore
        made.Library("B", "module B\nlet x = 1", []) |> ignore
        use stop = new CancellationTokenSource()
        let said = ConcurrentQueue<string>()

        let watcher =
            Thread(fun () ->
                let clock = Stopwatch.StartNew()

                while (said.IsEmpty || (processesOf made.Folder).IsEmpty)
                      && clock.Elapsed < TimeSpan.FromMinutes 2. do
                    Thread.Sleep 5

                stop.Cancel())

        watcher.Start()

        Assert.Throws<OperationCanceledException>(fun () ->
            Loading.load None said.Enqueue stop.Token (Load.request [ made.Folder ]) |> ignore)
        |> ignore

        watcher.Join()
        Assert.NotEmpty said
        Assert.Empty(processesOf made.Folder)
