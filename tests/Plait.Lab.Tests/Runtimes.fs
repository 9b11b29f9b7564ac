// The comparison over runtimes: which rows it has, what its table says, and candidates published for real: one with the oldest
// runtime, and those that only .NET 11 has (skipped with the reason where a runtime cannot be had).
module Plait.Lab.Tests.Runtimes

open System.IO
open System.Threading
open Xunit

open Plait.Report

open Plait.Lab
open Plait.Tests.Support

let private real name =
    Fleet.candidates.Value |> List.find (fun candidate -> candidate.Name = name)

[<Fact>]
let ``runtimes are taken oldest first, once each`` () =
    Assert.Equal<string list>(
        [ "net8.0"; "net10.0" ],
        RuntimeBuild.oldestFirst [ "net10.0"; "net8.0"; "net10.0" ]
    )

[<Fact>]
let ``every candidate has a row for every runtime, and the control one on the newest`` () =
    let candidates = [ real "sync"; real "sync-again"; real "task" ]
    let runtimes = [ "net8.0"; "net10.0" ]

    let rows =
        RuntimeMatrix.wanted "sync-again" runtimes candidates
        |> List.map (RuntimeMatrix.row "net10.0")

    Assert.Equal<string list>(
        [ "sync@net10.0"; "sync-again@net10.0"; "task@net10.0"; "sync@net8.0"; "task@net8.0" ],
        rows |> List.map _.Id
    )

    // One base, on the newest.
    Assert.Equal<string list>(
        [ "sync@net10.0" ],
        rows |> List.filter (fun row -> row.Candidate.Family = Family.Base) |> List.map _.Id
    )

    let scenario = RuntimeMatrix.scenario FizzBuzz.scenario runtimes
    Assert.Equal(("sync@net10.0", "sync-again@net10.0"), (scenario.Base, scenario.Control))

let private row id candidate family median =
    { MadeRows.row id None (Some(MadeRows.ratio median median median)) with
        Candidate = candidate
        Family = family
    }

let private rows =
    [
        row "sync@net10.0" "sync" Family.Base 1.0
        row "task@net10.0" "task" Family.FSharp 2.0
        row "sync-again@net10.0" "sync-again" Family.Control 1.01
        row "sync@net8.0" "sync" Family.Other 1.25
        row "task@net8.0" "task" Family.FSharp 4.0
    ]

[<Fact>]
let ``the answer gives the gain of the newest runtime`` () =
    let answer =
        (RuntimeMatrix.scenario FizzBuzz.scenario [ "net8.0"; "net10.0" ]).Answer

    Assert.Equal("From .NET 8 to .NET 10 a core serves: sync +25 %, task +100 %.", answer rows)
    Assert.Equal("", (RuntimeMatrix.scenario FizzBuzz.scenario [ "net10.0" ]).Answer rows)

[<Fact>]
let ``the table has a line for each runtime with its gain, and the published ones`` () =
    let panels =
        RuntimeMatrix.panels [ "net8.0", ".NET 8"; "net10.0", ".NET 10" ] "sync-again" rows

    let table = panels |> List.find (fun panel -> panel.Kind = "table")
    Assert.Equal<string list>([ "runtime"; "sync"; "task" ], table.Columns |> List.map _.Title)

    let shown =
        table.Rows
        |> List.map (fun cells ->
            cells.Head.AsText, cells.Tail |> List.map (fun cell -> cell.AsNumber |> Option.map round))

    Assert.Equal((Some ".NET 8", [ Some 80.0; Some 25.0 ]), shown[0])
    Assert.Equal((Some ".NET 10", [ Some 100.0; Some 50.0 ]), shown[1])
    Assert.Equal((Some ".NET 8 to .NET 10, %", [ Some 25.0; Some 100.0 ]), shown[2])
    // 21674 / 22572, and no figure for F# 6's task on .NET 5.
    Assert.Equal((Some "published: .NET 5, F# 5", [ Some 96.0; None ]), shown[3])
    Assert.Equal((Some "published: .NET 6, F# 6", [ Some 100.0; Some 71.0 ]), shown[5])

    let lines = panels |> List.find (fun panel -> panel.Kind = "lines")
    Assert.Equal<float[]>([| 8.0; 25.0 |], lines.Series[1].Points[0])

    for text in ResultsText.panel 120 table do
        Assert.True(text.Length <= 120, text)

[<Theory; InlineData "sync"; InlineData "csharp-value-task"; Trait("run", "more")>]
let ``a candidate is published with its runtime and runs on it`` (name: string) =
    let published, runtime =
        RuntimeBuild.publish Built.root None [ real name, "net8.0" ] ignore CancellationToken.None
        |> List.exactlyOne

    match published.Absence with
    | Some absence when absence.Status = Status.NotAvailable -> Assert.Skip absence.Reason
    | Some absence -> Assert.Fail absence.Reason
    | None -> ()

    use running =
        CandidateProcess.Start(
            $"{name}@net8.0",
            published.Assembly,
            [],
            [],
            None,
            int Within.limit.TotalMilliseconds
        )

    Assert.Equal("net8.0", runtime)
    Assert.StartsWith("8.", running.Introduction.Runtime)
    Assert.Equal(FizzBuzz.expected, running.Body())
    Assert.True(running.Run("being tested", 50).CpuMicroseconds > 0.0)

let private dotnet11 = "net11.0"

[<Fact>]
let ``the candidates of .NET 11 are there, each with a row of its own`` () =
    Assert.Equal<string list>(
        [ "csharp-runtime-task"; "runtime-task"; "runtime-value-task"; "runtime-task-func" ],
        RuntimeBuild.own Built.root dotnet11 |> List.map _.Name
    )

    for other in RuntimeBuild.known |> List.except [ dotnet11 ] do
        Assert.Empty(RuntimeBuild.own Built.root other)

[<Fact>]
let ``without a .NET 11 SDK a candidate is not available, with the reason and the command to run`` () =
    use folder = new Built.Folder()

    let absence () =
        RuntimeBuild.publish folder.Path None [ real "sync", dotnet11 ] ignore CancellationToken.None
        |> List.exactlyOne
        |> fun (candidate, _) -> Option.get candidate.Absence

    Assert.Equal(Status.NotAvailable, (absence ()).Status)
    Assert.Contains("are not made yet: run 'make dotnet11'", (absence ()).Reason)

    // What build/fsharp11/make.sh leaves where it fails.
    let made = Directory.CreateDirectory(folder.File "artifacts/dotnet11").FullName
    let said = "the packs of .NET 11.0.0 (NU1101: Unable to find package X)"
    File.WriteAllText(Path.Combine(made, "unavailable"), $"not available: {said}\n")
    Assert.Contains($"because the package sources lack {said}; 'make dotnet11' tries", (absence ()).Reason)

/// A repository with the tool and the descriptions of candidates, in which .NET 11 was never made.
let private bare (path: string) : string =
    let copy (from: string) (into: string) =
        let into = Directory.CreateDirectory(Path.Combine(path, into)).FullName

        for file in Directory.GetFiles from do
            File.Copy(file, Path.Combine(into, nonNull (Path.GetFileName file)))

    File.WriteAllText(Path.Combine(path, "Plait.slnx"), "")
    copy (nonNull (Path.GetDirectoryName(Built.tool ()))) "tool"

    for name in [ "sync"; "sync-again"; "task" ] do
        let into =
            Directory.CreateDirectory(Path.Combine(path, "artifacts", "bin", "candidates", name)).FullName

        File.Copy(
            Path.Combine(Built.root, "candidates", name, "candidate.json"),
            Path.Combine(into, "candidate.json")
        )

    for candidate in RuntimeBuild.own Built.root dotnet11 do
        copy
            (Path.Combine(Built.root, "candidates", dotnet11, candidate.Name))
            (Path.Combine("candidates", dotnet11, candidate.Name))

    Path.Combine(path, "tool", "plait.dll")

[<Fact>]
let ``without .NET 11 every row has a reason why it is not available, and the run fails`` () =
    use folder = new Built.Folder()
    let tool = bare folder.Path
    let out = folder.File "out"

    ToolRun.runFrom tool [ "lab"; "fizzbuzz"; "--runtime"; "11"; "--quick"; "--out"; out ]
    |> ToolRun.endsBadly 1 [ "every comparison needs sync"; "run 'make dotnet11'" ]

    let results = Fakes.results out
    let ids = results.Rows |> List.map _.Id
    Assert.Empty([ "sync"; "task"; "runtime-task"; "csharp-runtime-task" ] |> List.except ids)

    for row in results.Rows do
        Assert.Equal(Status.NotAvailable, row.Status)
        Assert.Contains("run 'make dotnet11'", Option.get row.Reason)

/// The candidates of .NET 11 and some others, on .NET 11.
let private onDotnet11 =
    lazy
        (let wanted =
            RuntimeBuild.own Built.root dotnet11
            @ [ for name in [ "sync"; "strand"; "csharp-value-task" ] -> real name ]

         RuntimeBuild.publish
             Built.root
             None
             [ for candidate in wanted -> candidate, dotnet11 ]
             ignore
             CancellationToken.None
         |> List.map (fun (candidate, _) -> candidate.Name, candidate)
         |> Map.ofList)

let private started (name: string) (arguments: string list) =
    let candidate = onDotnet11.Value[name]

    match candidate.Absence with
    | Some absence when absence.Status = Status.NotAvailable -> Assert.Skip absence.Reason
    | Some absence -> Assert.Fail absence.Reason
    | None -> ()

    CandidateProcess.Start(name, candidate.Assembly, arguments, [], None, int Within.limit.TotalMilliseconds)

let namesOnDotnet11 =
    TheoryData<string>(
        (RuntimeBuild.own Built.root dotnet11 |> List.map _.Name)
        @ [ "sync"; "strand"; "csharp-value-task" ]
    )

[<Theory; MemberData(nameof namesOnDotnet11); Trait("run", "more")>]
let ``a candidate runs on .NET 11 and answers rightly, with and without the factor`` (name: string) =
    let hasLibrary =
        (RuntimeBuild.own Built.root dotnet11 @ Fleet.candidates.Value
         |> List.find (fun candidate -> candidate.Name = name))
            .Library.IsSome

    for arguments in [ []; (if name = "sync" then [] else [ "--sync-fn" ]) ] do
        use running = started name arguments
        Assert.StartsWith("11.", running.Introduction.Runtime)
        Assert.Equal(hasLibrary, running.Introduction.LibraryVersion.IsSome)
        Assert.Equal(FizzBuzz.expected, running.Body())

[<Theory; MemberData(nameof namesOnDotnet11); Trait("run", "more")>]
let ``a candidate on .NET 11 waits for a slow service as often as FizzBoom does`` (name: string) =
    use running = started name []

    let upstream, url =
        CardService.start
            Built.candidatesFolder
            { Seed = 1; Delay = Plait.Lab.Cards.Constant 20.0; ErrorRate = 0.0 }
            None
            (int Within.limit.TotalMilliseconds)

    use _ = upstream
    running.FetchFrom(url.TrimEnd '/')
    let waits, _ = running.Boom(4 * FizzBoom.waits * 20)
    Assert.Equal(FizzBoom.waits, waits)

[<Fact; Trait("run", "more")>]
let ``functions that are held as AsyncFuncs make no Task`` () =
    let bytes name =
        use running = started name []
        // Code that is not compiled again yet allocates more.
        running.Run("warming up", 2000) |> ignore
        running.Run("being counted", 200).BytesPerOperation

    // 602 calls of functions, each with a Task of 72 bytes.
    Assert.True(bytes "runtime-task" - bytes "runtime-task-func" > 40_000.0)
