// A candidate made by the tool: what it refuses to make, and that what it makes compiles and answers rightly as it is.
module Plait.Lab.Tests.NewCandidates

open System
open System.IO
open System.Threading
open Xunit

open Plait.Common
open Plait.Report

open Plait.Lab
open Plait.Tests.Support

/// The sources that candidates are built from, without what was built of them.
let private copyTo (target: string) =
    let rec copy (from: string) (into: string) =
        Directory.CreateDirectory into |> ignore

        for file in Directory.GetFiles from do
            File.Copy(file, Path.Combine(into, nonNull (Path.GetFileName file)))

        for folder in Directory.GetDirectories from do
            let name = nonNull (Path.GetFileName folder)

            if name <> "bin" && name <> "obj" then
                copy folder (Path.Combine(into, name))

    for file in
        [
            "Directory.Build.props"
            "Directory.Build.targets"
            "Directory.Packages.props"
            "global.json"
            "Plait.slnx"
        ] do
        File.Copy(Path.Combine(Built.root, file), Path.Combine(target, file))

    copy (Path.Combine(Built.root, "candidates")) (Path.Combine(target, "candidates"))

let private answer (name: string) (assembly: string) =
    use running =
        CandidateProcess.Start(name, assembly, [ "--sync-fn" ], [], None, int Within.limit.TotalMilliseconds)

    running.Body()

[<Fact; Trait("run", "more")>]
let ``a new candidate compiles and answers rightly before it is edited`` () =
    use folder = new Built.Folder()
    copyTo folder.Path
    let candidates = folder.File "candidates"
    let ended = ToolRun.run [ "lab"; "new-candidate"; "my-task"; "--in"; candidates ]
    Assert.True((ended.Code = 0), ended.Err)
    Assert.Contains("Effect.fs", ended.Out)
    Assert.Contains("plait lab fizzbuzz --quick --only my-task", ended.Out)

    let built =
        DotNetBuild.run
            folder.Path
            [
                "build"
                Path.Combine(candidates, "Candidate.fsproj")
                "-p:Candidate=my-task"
                "-c"
                "Release"
                "-v"
                "q"
                "-nodeReuse:false"
            ]
            ignore
            CancellationToken.None

    let lines =
        built |> Option.map _.Lines |> Option.defaultValue [] |> String.concat "\n"

    Assert.True((built |> Option.map _.Code) = Some 0, lines)
    let place = Path.Combine(folder.Path, "artifacts", "bin", "candidates")
    Assert.Equal(FizzBuzz.expected, answer "my-task" (Path.Combine(place, "my-task", "my-task.dll")))

    // Found by the lab as it lies there.
    let found = Candidate.discover place |> List.exactlyOne
    Assert.Equal(("my-task", [ Candidate.syncFn ]), (found.Name, found.Factors))
    CandidateReferences.check found

    // The name is taken now.
    ToolRun.run [ "lab"; "new-candidate"; "my-task"; "--in"; candidates ]
    |> ToolRun.endsBadly 2 [ "'my-task' is taken"; candidates ]

[<Fact; Trait("run", "more")>]
let ``a new candidate with a package is built on request, and its error names a missing package`` () =
    use folder = new Built.Folder()
    copyTo folder.Path

    let make name id version =
        let ended =
            ToolRun.run
                [
                    "lab"
                    "new-candidate"
                    name
                    "--package"
                    id
                    "--version"
                    version
                    "--in"
                    folder.File "candidates"
                ]

        Assert.True((ended.Code = 0), ended.Err)

    make "mine" "FsToolkit.ErrorHandling" "4.3.0"
    make "nobodys" "Plait.Tests.NoSuchPackage" "1.2.3"

    let asked =
        PackagedCandidate.discover folder.Path
        |> List.filter (fun packaged -> List.contains packaged.Candidate.Name [ "mine"; "nobodys" ])

    Assert.Equal<(string * string) list>(
        [ "FsToolkit.ErrorHandling", "4.3.0"; "Plait.Tests.NoSuchPackage", "1.2.3" ],
        asked |> List.map (fun packaged -> packaged.Package, packaged.Version)
    )

    let built =
        PackagedCandidate.build folder.Path None asked ignore CancellationToken.None

    // Without a network the sentence is another one.
    match built[1].Absence with
    | Some absence ->
        Assert.Equal(Status.NotAvailable, absence.Status)
        Assert.Contains("the package Plait.Tests.NoSuchPackage 1.2.3 cannot be had: NU", absence.Reason)
    | None -> Assert.Fail "A package that does not exist was restored."

    match built[0].Absence with
    | None -> Assert.Equal(FizzBuzz.expected, answer "mine" built[0].Assembly)
    | Some absence -> Assert.Skip absence.Reason

/// What is asked for, and words of the refusal.
let private refusals =
    [
        "My_Thing", None, [ "'My_Thing'"; "like 'my-thing'" ]
        "1st", None, [ "begins with a letter"; "like 'st'" ]
        "a--b", None, [ "single hyphens" ]
        "ä", None, [ "like 'my-task'" ]
        String('a', 41), None, [ "41 letters" ]
        "shared", None, [ "'shared'" ]
        "task", None, [ "taken"; "candidates/task" ]
        "ply-uply", None, [ "taken"; "packages/ply-uply" ]
        "mine", Some("My Package", "1.0.0"), [ "--package"; "'My Package'" ]
        "mine", Some("Ply", "1.*"), [ "--version"; "'1.*'"; "one exact version" ]
        "ply", Some("Ply", "0.3.1"), [ "name of the package itself"; "ply-task" ]
    ]

[<Fact>]
let ``a folder that cannot be a candidate is refused with the reason`` () =
    let candidates = Path.Combine(Built.root, "candidates")

    for name, package, words in refusals do
        let package =
            package
            |> Option.map (fun (id, version) -> { NewCandidate.Id = id; NewCandidate.Version = version })

        Refused.says "" words (fun () -> NewCandidate.files candidates name package)

[<Fact>]
let ``a package without a version and a folder of another kind are refused`` () =
    let refuse (action: unit -> unit) =
        Assert.Throws<BadInput>(Action action).Message

    Assert.Contains(
        "--package Ply needs --version",
        refuse (fun () -> NewCandidate.package (Some "Ply") None |> ignore)
    )

    Assert.Contains(
        "--version 1.0 needs --package",
        refuse (fun () -> NewCandidate.package None (Some "1.0") |> ignore)
    )

    Assert.Contains(
        "no Candidate.fsproj",
        refuse (fun () -> NewCandidate.files Built.root "mine" None |> ignore)
    )
