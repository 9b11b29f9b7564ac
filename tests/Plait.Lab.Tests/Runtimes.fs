// The comparison over runtimes: which rows it has, what its table says, and one candidate published for real with the
// oldest runtime (skipped with the reason where its packs cannot be had).
module Plait.Lab.Tests.Runtimes

open System
open System.Threading
open Xunit

open Plait.Report

open Plait.Lab

let private real name =
    Built.candidates.Value |> List.find (fun candidate -> candidate.Name = name)

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
let ``the answer says what the newest runtime brings`` () =
    let answer =
        (RuntimeMatrix.scenario FizzBuzz.scenario [ "net8.0"; "net10.0" ]).Answer

    Assert.Equal("From .NET 8 to .NET 10 a core serves: sync +25 %, task +100 %.", answer rows)
    Assert.Equal("", (RuntimeMatrix.scenario FizzBuzz.scenario [ "net10.0" ]).Answer rows)

[<Fact>]
let ``the table has a line for each runtime, what they bring, and the published ones`` () =
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

[<Fact; OfProcesses; Trait("run", "more")>]
let ``a candidate is published with its runtime and runs on it`` () =
    let published, runtime =
        RuntimeBuild.publish Built.root None [ real "sync", "net8.0" ] ignore CancellationToken.None
        |> List.exactlyOne

    match published.Absence with
    | Some absence -> Assert.Skip absence.Reason
    | None -> ()

    use running =
        CandidateProcess.Start(
            "sync@net8.0",
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
