// Candidates from packages: what their folders say, what a build that fails is turned into, and, for those whose package
// can be had here (PLAIT_FEED names a folder of packages), what they are made of and what they answer.
module Plait.Lab.Tests.PackagedCandidates

open System
open System.IO
open System.Threading
open Xunit

open Plait.Common
open Plait.Report

open Plait.Lab
open Plait.Tests.Support

let private all = lazy PackagedCandidate.discover Built.root

let private feed = Environment.GetEnvironmentVariable "PLAIT_FEED" |> Option.ofObj

/// Built once, for all tests that need them.
let private built =
    lazy (PackagedCandidate.build Built.root feed all.Value ignore CancellationToken.None)

let names = TheoryData<string>(all.Value |> List.map _.Candidate.Name)

let private candidate (name: string) =
    let candidate = built.Value |> List.find (fun candidate -> candidate.Name = name)

    match candidate.Absence with
    | Some absence when absence.Status = Status.NotAvailable -> Assert.Skip absence.Reason
    | Some absence -> Assert.Fail absence.Reason
    | None -> ()

    candidate

[<Fact>]
let ``the libraries that others wrote are there`` () =
    let packages = all.Value |> List.map _.Package |> List.distinct

    for package in [ "Ply"; "TaskBuilder.fs"; "IcedTasks"; "FsToolkit.ErrorHandling"; "PooledAwait" ] do
        Assert.Contains(package, packages)

    for packaged in all.Value do
        Assert.True(fst (Version.TryParse packaged.Version), $"{packaged.Project} pins {packaged.Version}")
        Assert.Equal(Some packaged.Package, packaged.Candidate.Library)
        // With the factor behind it the name still fits its column.
        Assert.True((packaged.Candidate.Name + "+sync-fn").Length <= 25, packaged.Candidate.Name)
        Assert.Equal(Family.Package, packaged.Candidate.Family)

[<Fact>]
let ``no two candidates have the same name`` () =
    let all =
        Fleet.candidates.Value
        @ (RuntimeBuild.known |> List.collect (RuntimeBuild.own Built.root))
        @ (all.Value |> List.map _.Candidate)

    Assert.Equal(all.Length, all |> List.distinctBy _.Name |> List.length)

[<Theory; MemberData(nameof names)>]
let ``a candidate from a package references that library and no other`` (name: string) =
    let candidate = candidate name
    CandidateReferences.check candidate
    CandidateReferences.checkFolder candidate

[<Theory; MemberData(nameof names)>]
let ``a candidate from a package answers rightly, with and without the factor`` (name: string) =
    let candidate = candidate name

    for arguments in [ []; [ "--sync-fn" ] ] do
        use running =
            CandidateProcess.Start(
                name,
                candidate.Assembly,
                arguments,
                [],
                None,
                int Within.limit.TotalMilliseconds
            )

        Assert.Equal(FizzBuzz.expected, running.Body())

        let pinned = all.Value |> List.find (fun packaged -> packaged.Candidate.Name = name)

        Assert.Equal(Some pinned.Version, running.Introduction.LibraryVersion)

/// A line, and what it says: code, text, project.
let private lines =
    [
        "/r/ply/ply.fsproj : error NU1101: Unable to find package Ply. No packages exist with this id in source(s): /usr/share/dotnet/sdk/10.0.401/FSharp/library-packs, nuget.org, /tmp/feed",
        Some(
            "NU1101",
            "Unable to find package Ply. No packages exist with this id in source(s): nuget.org, /tmp/feed",
            Some "/r/ply/ply.fsproj"
        )
        "/r/x/Effect.fs(14,18): error FS0039: The value 'y' is not defined. [/r/x/x.fsproj]",
        Some("FS0039", "The value 'y' is not defined", Some "/r/x/x.fsproj")
        "/r/x/Start.cs(3,1): error CS0103: The name 'y' does not exist [/r/x/x.csproj::TargetFramework=net8.0]",
        Some("CS0103", "The name 'y' does not exist", Some "/r/x/x.csproj")
        "/sdk/NuGet.targets(198,5): error : Access to the path '/r/x/obj' is denied. [/r/x/x.fsproj]",
        Some("", "Access to the path '/r/x/obj' is denied", Some "/r/x/x.fsproj")
        "  Failed to restore /r/ply/ply.fsproj (in 4 sec).", None
        "/r/x/x.fsproj : warning NU1603: X 4.2.3 depends on Y", None
        "  x -> /r/artifacts/x.dll", None
    ]

[<Fact>]
let ``the errors of a build are read line by line`` () =
    for line, expected in lines do
        let found =
            DotNetSdk.errors [ line ]
            |> List.tryHead
            |> Option.map (fun trouble -> trouble.Code, trouble.Text, trouble.Project)

        Assert.Equal(expected, found)

[<Fact>]
let ``a feed is a folder that holds packages`` () =
    use folder = new Built.Folder()

    let refusal path =
        Assert.Throws<BadInput>(Action(fun () -> PackagedCandidate.feed path |> ignore)).Message

    Assert.Contains($"no .nupkg file lies in {folder.Path}", refusal folder.Path)
    Assert.Contains("there is no folder", refusal (folder.File "absent"))
    File.WriteAllText(folder.File "a.nupkg", "")
    Assert.Contains("is a file", refusal (folder.File "a.nupkg"))
    Assert.Equal(folder.Path, PackagedCandidate.feed folder.Path)
