// Several projects of one request: read by one process of the SDK, as each would be read alone.
namespace Plait.Check.Tests

open System
open System.Collections.Concurrent
open System.IO
open System.Threading

open FSharp.Compiler.CodeAnalysis
open Xunit

open Plait.Check

module ``A folder of projects`` =
    let private made () =
        let made = new Made()
        made.Library("A", "module A\nlet x = 1", []) |> ignore
        made.Library("B", "module B\nlet y = A.x", [ "A" ]) |> ignore
        made.Write("With space/of; own.fs", "module Own\nlet o = 1") |> ignore
        made.Write("M (own)/M.fs", "module M\nlet z = B.y") |> ignore

        made.Project(
            "M (own)",
            "netstandard2.1;net10.0",
            [
                "<Compile Include=\"../With space/of%3B own.fs\" />"
                "<Compile Include=\"M.fs\" />"
                "<ProjectReference Include=\"../B/B.fsproj\" Condition=\"'$(TargetFramework)' == 'net10.0'\" />"
                "</ItemGroup><PropertyGroup><DefineConstants>$(DefineConstants);OWN;TWO</DefineConstants></PropertyGroup><ItemGroup>"
            ]
        )
        |> ignore

        made

    let rec private described (options: FSharpProjectOptions) =
        [
            options.ProjectFileName
            yield! options.SourceFiles
            yield! options.OtherOptions

            for reference in options.ReferencedProjects do
                match reference with
                | FSharpReferencedProject.FSharpReference(assembly, inner) ->
                    assembly
                    yield! described inner
                | _ -> failwith "a reference that is not from source"
        ]

    [<Fact>]
    let ``a project that is restored as the reference of an earlier one is read with its packages`` () =
        use made = new Made()
        made.Write("Standard/S.fs", "module S\nlet x = 1") |> ignore

        let standard =
            made.Project("Standard", "netstandard2.0", [ "<Compile Include=\"S.fs\" />" ])

        let user = made.Library("User", "module User\nlet y = S.x", [ "Standard" ])
        let other = made.Library("Other", "module Other\nlet y = S.x", [ "Standard" ])

        for project in Load.paths [ user; other; standard ] do
            Checked.isRight project

    [<Fact>]
    let ``projects that were never restored are restored together, and one that cannot be restored gives its reason``
        ()
        =
        use made = made ()
        made.Write("Lone/Lone.fs", "module Lone\nlet x = 1") |> ignore

        made.Project(
            "Lone",
            "net10.0",
            [
                "<Compile Include=\"Lone.fs\" />"
                "<PackageReference Include=\"Plait.No.Such\" Version=\"1.0.0\" />"
            ]
        )
        |> ignore

        let said = ConcurrentQueue<string>()

        let loaded =
            Loading.load None said.Enqueue CancellationToken.None (Load.request [ made.Folder ])

        Assert.Equal<string list>(
            [ "restoring 4 projects"; "restoring Lone" ],
            said |> Seq.filter _.StartsWith("restoring") |> List.ofSeq
        )

        for project in loaded.Projects do
            Checked.isRight project

        Assert.Equal<string list>([ "A"; "B"; "M (own)" ], loaded.Projects |> List.map _.Name |> List.sort)
        let file, why = Assert.Single loaded.Unloaded
        Assert.EndsWith("Lone.fsproj", file)
        Assert.Contains("Plait.No.Such", why)

    [<Fact; Trait("run", "more")>]
    let ``projects of a folder are read together, each with the options that it has alone`` () =
        use made = made ()
        // the first look restores them
        Load.paths [ made.Folder ] |> ignore
        let said = ConcurrentQueue<string>()
        let together = Load.withProgress said.Enqueue (Load.request [ made.Folder ])
        Assert.Equal<string list>([ "A"; "B"; "M (own)" ], together |> List.map _.Name |> List.sort)
        // three as they are, and one again for its framework: nobody was asked alone
        Assert.Equal(4, said.Count)
        Assert.All(said, (fun line -> Assert.Matches(@"^reading (A|B|M \(own\)) \(\d of [13]\)$", line)))

        // a second load takes the answers of the first, as long as the projects are as they were
        let cache = Some(Cache(made.Path "cache", 1L <<< 30))

        let again () =
            said.Clear()

            let loaded =
                Loading.load cache said.Enqueue CancellationToken.None (Load.request [ made.Folder ])

            loaded.Projects |> List.map (fun project -> described project.Options), said.Count

        let first, asked = again ()
        Assert.Equal(4, asked)
        let second, asked = again ()
        Assert.Equal(0, asked)
        Assert.Equal<string list list>(first, second)

        let props = File.ReadAllText(made.Path "Directory.Build.props")

        made.Write(
            "Directory.Build.props",
            props.Replace("<NuGetAudit>", "<DefineConstants>MORE</DefineConstants><NuGetAudit>")
        )
        |> ignore

        let third, asked = again ()
        made.Write("Directory.Build.props", props) |> ignore
        Assert.Equal(4, asked)
        Assert.Contains("--define:MORE", List.concat third)

        // each change has the projects asked again, and their answers kept again
        let isAskedAfter (what: string) (change: unit -> unit) =
            again () |> ignore
            Assert.True((snd (again ()) = 0), $"asked without a change, before {what}")
            change ()
            let options, asked = again ()
            Assert.True((asked > 0), $"not asked after {what}")
            Assert.All(List.concat options |> List.filter _.EndsWith(".fs"), File.Exists >> Assert.True)

        let append (file: string) (text: string) =
            File.AppendAllText(made.Path file, text)

        isAskedAfter "a change of a project file" (fun () -> append "A/A.fsproj" "<!-- more -->")
        isAskedAfter "a change of an assets file" (fun () -> append "B/obj/project.assets.json" " ")

        isAskedAfter "a generated source is gone" (fun () ->
            File.Delete(made.Path "A/obj/Debug/net10.0/A.AssemblyInfo.fs"))

        // the SDK names it, in other letters
        let variable, secret = "VERSIONSUFFIX", "plait-secret-value"

        isAskedAfter "a change of a variable" (fun () -> Environment.SetEnvironmentVariable(variable, secret))

        for file in Directory.GetFiles(made.Path "cache") do
            Assert.DoesNotContain(secret, File.ReadAllText file)

        Environment.SetEnvironmentVariable(variable, null)

        // an edit while the SDK reads is kept by nobody
        let during = made.Path "A/A.fsproj"
        append "A/A.fsproj" "<!-- and more -->"

        Loading.load
            cache
            (fun _ -> File.SetLastWriteTimeUtc(during, DateTime.UtcNow))
            CancellationToken.None
            (Load.request [ made.Folder ])
        |> ignore

        Assert.True(snd (again ()) > 0)

        // which files a pattern names is not known, however it is written
        let project = File.ReadAllText(made.Path "A/A.fsproj")

        for items in
            [
                "<ItemGroup><Own Include='*.fs' /></ItemGroup>"
                "<PropertyGroup><Own>more/**/?.fs</Own></PropertyGroup>"
            ] do
            made.Write("A/A.fsproj", project.Replace("</Project>", items + "</Project>")) |> ignore

            again () |> ignore
            Assert.True(snd (again ()) > 0)

        made.Write("A/A.fsproj", project) |> ignore

        for project in together do
            let alone = Load.one project.File
            Assert.Equal(alone.Framework, project.Framework)
            Assert.Equal<string list>(described alone.Options, described project.Options)
            Assert.Equal<string list>(alone.Notes, project.Notes)

    [<Fact>]
    let ``a folder with a project that is not XML is read without it, with the place`` () =
        use made = made ()
        let file = made.Write("Broken/Broken.fsproj", "<Project>\n<oops")

        let loaded =
            Loading.load None ignore CancellationToken.None (Load.request [ made.Folder ])

        Assert.Equal<string list>([ "A"; "B"; "M (own)" ], loaded.Projects |> List.map _.Name |> List.sort)
        let project, why = Assert.Single loaded.Unloaded
        Assert.Equal(file, project)
        why |> Say.names [ file; "Line 2" ]

    [<Fact>]
    let ``projects that reference each other, and those that reference them, are left out with the cycle; the others are read``
        ()
        =
        use made = new Made()
        made.Library("A", "module A\nlet x = 1", []) |> ignore

        let cyclic =
            [
                made.Library("B", "module B", [ "C" ])
                made.Library("C", "module C", [ "A"; "B" ])
                made.Library("D", "module D", [ "C" ])
            ]

        let loaded =
            Loading.load None ignore CancellationToken.None (Load.request [ made.Folder ])

        Assert.Equal("A", Assert.Single(loaded.Projects).Name)
        Assert.Equal<string list>(cyclic, loaded.Unloaded |> List.map fst)

        for _, why in loaded.Unloaded do
            why |> Say.names [ "B.fsproj"; "C.fsproj"; " -> " ]

        // a commit of the others is checked
        let staged = Set.ofList [ Path.Combine(made.Folder, "A", "A.fs") ]
        made.Write("Broken/Broken.fsproj", "<Project>\n<oops") |> ignore
        Assert.True(Loading.holds staged [ made.Folder ])

    [<Fact>]
    let ``a folder with a project that cannot be loaded is read without it, with the reason, and in degraded mode with its sources``
        ()
        =
        use made = made ()

        let file =
            made.Write(
                "Broken/Broken.fsproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><Import Project=\"gone.props\" /></Project>"
            )

        let loaded =
            Loading.load None ignore CancellationToken.None (Load.request [ made.Folder ])

        Assert.Equal<string list>([ "A"; "B"; "M (own)" ], loaded.Projects |> List.map _.Name |> List.sort)
        let project, why = Assert.Single loaded.Unloaded
        Assert.Equal(file, project)
        why |> Say.names [ file; "MSB4019"; "gone.props"; "--degraded" ]
        made.Write("Broken/B.fs", "module Broken") |> ignore

        made.Write(
            "Broken/Broken.fsproj",
            "<Project Sdk=\"Microsoft.NET.Sdk\"><Import Project=\"gone.props\" /><ItemGroup><Compile Include=\"B.fs\" /></ItemGroup></Project>"
        )
        |> ignore

        let names =
            Load.withProgress ignore { Load.request [ made.Folder ] with Degraded = true }
            |> List.map _.Name

        for name in [ "A"; "B"; "M (own)" ] do
            Assert.Contains(name, names)
