// FizzBoom as a part of the comparison: who takes part, what may be expected, a run, and what is asked wrongly.
module Plait.Lab.Tests.RunFizzBoom

open System.IO
open Xunit

open Plait.Report

open Plait.Lab
open Plait.Tests.Support

[<Fact>]
let ``the ceiling is the rate of connections that wait six times for each request`` () =
    Assert.Equal(500.0 / 6.0, FizzBoom.ceiling FizzBoom.full, 9)

    Assert.Equal(100.0, FizzBoom.ceiling { FizzBoom.quick with DelayMilliseconds = 50; Connections = 30 }, 9)

[<Fact>]
let ``a budget shortens the load until all rows end in it, and the warm-up with it`` () =
    let quick = FizzBoom.quick
    Assert.Equal(FizzBoom.full, FizzBoom.full |> FizzBoom.within 10_000.0 8)

    let shorter =
        { FizzBoom.full with DelayMilliseconds = 100 } |> FizzBoom.within 150.0 8

    Assert.InRange(8.0 * FizzBoom.secondsEach shorter, 120.0, 150.0)
    Assert.InRange(shorter.Seconds, 9.0, 12.0)

    // a load is never shorter than that of --quick, and a shorter budget is refused before
    Assert.Equal(quick.Seconds, (FizzBoom.full |> FizzBoom.within 1.0 8).Seconds)
    Assert.Equal(8.0 * FizzBoom.secondsEach quick, FizzBoom.leastOf 8 { quick with Seconds = 30.0 }, 9)

[<Fact>]
let ``candidates that wait take part, without factors, and the base as the negative control`` () =
    let rows = RowPlan.ofCandidates Fleet.candidates.Value
    let taking = FizzBoom.rowsOf FizzBuzz.scenario.Base rows |> List.map _.Id
    let first = taking |> List.find (fun id -> id <> "sync")
    Assert.Equal(FizzBoom.again first, List.last taking)
    Assert.Contains("sync", taking)
    Assert.Contains("strand", taking)
    Assert.DoesNotContain("sync-again", taking)
    Assert.DoesNotContain(taking, (fun id -> id.EndsWith "+sync-fn"))

[<Fact; Trait("run", "more")>]
let ``code that waits has a wait in flight for every connection, code that blocks a few`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    let ended =
        ToolRun.run
            [
                "lab"
                "fizzbuzz"
                "--fizzboom"
                "--quick"
                "--no-http"
                "--no-in-process"
                "--only"
                "strand"
                "--delay"
                "50ms"
                "--connections"
                "20"
                "--out"
                out
            ]

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.True results.Complete
    Assert.Empty results.Rows

    // of the candidates, which have Plait and the lab's variables, and not of the tool
    Assert.Equal<string list>([ "Plait" ], results.Environment.Packages |> Map.keys |> List.ofSeq)

    for name, value in CandidateProcess.Variables do
        Assert.Equal(Some value, results.Environment.Variables |> Map.tryFind name)

    let panel id =
        results.Panels |> List.find (fun panel -> panel.Id = id)

    let table = panel "fizzboom"

    let figure title name =
        let column = table.Columns |> List.findIndex (fun column -> column.Title = title)
        (table.Rows |> List.find (fun row -> row[0].AsText = Some name))[column]

    Assert.Equal(Some 20.0, (figure "waits in flight" "strand").AsNumber)
    Assert.True(Option.get (figure "requests/s" "strand").AsNumber > 0.0)
    Assert.InRange(Option.get (figure "% of ceiling" "strand").AsNumber, 1.0, 101.0)
    Assert.Equal(Some "yes", (figure "holds a thread" "sync").AsText)
    Assert.True(Option.get (figure "waits in flight" "sync").AsNumber < 20.0)

    // the control: the same candidate a second time
    Assert.True(Option.get (figure "CPU us" "strand again").AsNumber > 0.0)

    Assert.Equal<string list>(
        [ "sync"; "strand"; "strand again" ],
        (panel "fizzboom-in-flight").Series |> List.map _.Label
    )

    Assert.Contains("% of ceiling", ended.Out)

[<Fact; Trait("run", "more")>]
let ``with switches on, the expected answer is the one that the switches produce`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    ToolRun.run (
        Fakes.tiny Built.candidatesFolder out
        @ [ "--only"; "strand"; "--no-in-process"; "--pairs"; "1" ]
        @ [ "--answers"; "indented"; "--fizzboom"; "--delay"; "20ms" ]
    )
    |> ignore

    let results = Fakes.results out

    Assert.DoesNotContain(results.Warnings, (fun warning -> warning.StartsWith "FizzBoom"))
    let table = results.Panels |> List.find (fun panel -> panel.Id = "fizzboom")

    Assert.Equal<string option list>(
        [ Some "sync"; Some "strand"; Some "strand again" ],
        table.Rows |> List.map _.Head.AsText
    )

[<Fact; Trait("run", "more")>]
let ``a candidate that skips waits is not timed, and the others are`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    let candidates =
        Fakes.folder (folder.File "candidates") [] [ "hasty", [ "--mode"; "skips-waits" ] ]

    Directory.CreateSymbolicLink(
        Path.Combine(candidates, "adapter"),
        Path.Combine(Built.candidatesFolder, "adapter")
    )
    |> ignore

    ToolRun.run (
        Fakes.tiny candidates out
        @ [ "--no-http"; "--no-in-process"; "--fizzboom"; "--delay"; "10ms" ]
    )
    |> ignore

    let results = Fakes.results out

    Assert.Contains("FizzBoom: hasty waited 3 times instead of 6, so it is not timed", results.Warnings)

    let table = results.Panels |> List.find (fun panel -> panel.Id = "fizzboom")

    let rate =
        table.Columns |> List.findIndex (fun column -> column.Title = "requests/s")

    let isTimed name =
        let row = table.Rows |> List.find (fun row -> row.Head.AsText = Some name)
        row[rate].AsNumber.IsSome

    Assert.Equal((true, false), (isTimed "sync", isTimed "hasty"))

/// Arguments, and words of the sentence.
let private wrong: (string * string list * string list) list =
    [
        "a delay without FizzBoom", [ "--delay"; "100ms" ], [ "--delay"; "--fizzboom" ]
        "a delay that is too short", [ "--fizzboom"; "--delay"; "1ms" ], [ "--delay"; "10ms to 5s" ]
        "a budget that FizzBoom alone exceeds",
        [ "--fizzboom"; "--no-http"; "--no-in-process"; "--budget"; "2s" ],
        [ "--budget"; "FizzBoom of"; "at least" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``wrong input ends in one sentence and exit code 2`` (name: string) =
    let _, arguments, words = wrong |> List.find (fun (other, _, _) -> other = name)
    ToolRun.run ([ "lab"; "fizzbuzz" ] @ arguments) |> ToolRun.endsBadly 2 words
