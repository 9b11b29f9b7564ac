// One run over real candidates, in process and over HTTP, as short as it can be: everything is there. What the figures
// are is not asked; a single pair on a busy machine says nothing.
module Plait.Lab.Tests.RunForReal

open System.IO
open Xunit

open Plait.Report

open Plait.Lab
open Plait.Tests.Support

[<Fact; Trait("run", "more")>]
let ``--quick measures its rows, and --json - writes the results to standard output`` () =
    use folder = new Built.Folder()

    let ended =
        ToolRun.run (
            [ "lab"; "fizzbuzz"; "--no-http"; "--pairs"; "1" ]
            @ Fakes.short
            @ [ "--out"; folder.File "out"; "--json"; "-" ]
        )

    ToolRun.endsMeasured ended
    let results = ResultsJson.read "standard output" ended.Out
    Assert.Equal(Fakes.results (folder.File "out"), results)
    let measured = results.Rows |> List.filter (fun row -> row.Status = Status.Measured)

    Assert.Equal<string list>(
        FizzBuzz.quickRows,
        measured
        |> List.map _.Id
        |> List.sortBy (fun id -> List.findIndex ((=) id) FizzBuzz.quickRows)
    )

    Assert.Contains("page:", ended.Err)

[<Fact; Trait("run", "more")>]
let ``a run over real candidates measures everything and writes it down`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"
    let copy = folder.File "copy.json"

    let ended =
        ToolRun.run (
            Fakes.tiny Built.candidatesFolder out
            @ [ "--only"; "strand"; "--pairs"; "1"; "--json"; copy ]
        )

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.True results.Complete

    Assert.Equal<string list>(
        [ "sync"; "sync-again"; "strand"; "strand+sync-fn" ],
        results.Rows |> List.map _.Id
    )

    for row in results.Rows do
        Assert.Equal((Status.Measured, None, Some true), (row.Status, row.Reason, row.Correct))
        Assert.True((row.Find Figures.cpuRatio).IsSome && (row.Find Figures.cpuMicroseconds).IsSome)
        // The 100 texts and the lists around them alone are more.
        Assert.True(Option.get (row.Value Figures.bytesPerOperation) > 50000.0)
        Assert.True(Option.get (row.Value Figures.bytesPerOperationNoEscape) > 50000.0)
        // Rows with a factor are not loaded under --quick.
        Assert.Equal(row.Factors.IsEmpty, (row.Find Figures.httpCpuRatio).IsSome)

    let strand = Fakes.row "strand" results
    Assert.Equal(Some "Plait", strand.Library)
    Assert.True strand.LibraryVersion.IsSome
    Assert.True((strand.Find Figures.nanosecondsPerWrapper).IsSome)
    Assert.True(results.Environment.Packages.ContainsKey "Plait")
    Assert.Equal(File.ReadAllText(Path.Combine(out, "results.json")), File.ReadAllText copy)
    Assert.Equal(5, (File.ReadAllLines(Path.Combine(out, "results.csv"))).Length)
    let page = File.ReadAllText(Path.Combine(out, "page.html"))
    Assert.Equal(RowPanels.addTo results, ResultsJson.read "page.html" (ReadBack.page page))
