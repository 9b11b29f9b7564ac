// Runs of the scenario adapter as they are typed: a small one to its end, one that is stopped, and what is asked wrongly.
[<Xunit.Trait("run", "more")>]
module Plait.Lab.Tests.RunAdapter

open System
open System.IO
open Xunit

open Plait.Report
open Plait.Lab
open Plait.Tests.Support

let private small (out: string) =
    [ "lab"; "adapter" ] @ Fakes.short @ [ "--out"; out ]

let private panel (id: string) (results: Results) =
    match results.Panels |> List.tryFind (fun panel -> panel.Id = id) with
    | Some panel -> panel
    | None -> failwith $"There is no panel {id}."

[<Fact>]
let ``a small run measures costs and latencies, and shows the published ones beside them`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"
    let copy = folder.File "copy.json"

    let ended =
        ToolRun.run (
            small out
            @ [ "--only"; "async"; "--pairs"; "2"; "--rate"; "200"; "--duration"; "1s"; "--json"; copy ]
            @ [ "--margin"; "0.2"; "--delay"; "constant:0.001s"; "--details" ]
        )

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.True results.Complete
    Assert.Equal(0.2, results.Margin)
    Assert.Contains("delay constant:1ms", results.Summary)
    Assert.Equal<string list>([ "base"; "base-again"; "async" ], results.Rows |> List.map _.Id)

    for row in results.Rows do
        Assert.Equal((Status.Measured, None, Some true), (row.Status, row.Reason, row.Correct))
        // three cards and what Kestrel and HttpClient allocate
        let bytes = Option.get (row.Value Figures.httpBytesPerRequest)
        Assert.True(bytes > 1000.0, $"{bytes}")
        let errors = Option.get row.Errors
        Assert.Equal(0L, errors.Status + errors.Length)

    let loads = panel "loads" results
    // 200/s and 16 connections, on three routes
    Assert.Equal(6, loads.Rows.Length)
    Assert.Equal(6, (panel "published-open" results).Rows.Length)
    Assert.Equal(5, (panel "published-closed" results).Rows.Length)
    let plots = RowPanels.plots results
    Assert.Equal<string list>([ "cpu-over-http"; "bytes"; "capacity" ], plots |> List.map _.Id)
    Assert.All(plots, (fun panel -> Assert.Equal(2, panel.Items.Length)))

    // every load has an answer to whether it counts, and only those that do have curves
    let column title =
        loads.Columns |> List.findIndex (fun column -> column.Title = title)

    let curves =
        results.Panels
        |> List.filter (fun panel -> panel.Kind = "percentiles")
        |> List.sumBy _.Series.Length

    let valid =
        loads.Rows
        |> List.filter (fun row -> row[column "valid"].AsText = Some "yes")
        |> List.length

    Assert.Equal(valid, curves)
    Assert.All(loads.Rows, (fun row -> Assert.True(Option.get row[column "right/s"].AsNumber > 0.0)))
    // Nothing was measured at the published rates.
    Assert.Contains("published rows without a figure of ours", ended.Out)
    Assert.Contains("20148", ended.Out)
    Assert.Equal(File.ReadAllText(Path.Combine(out, "results.json")), File.ReadAllText copy)

[<Fact>]
let ``a stopped run keeps its measurements, with the defects and their effects`` () =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "signals are sent by kill")
    use folder = new Built.Folder()
    let out = folder.File "out"

    let running =
        ToolRun.start (
            small out
            @ [
                "--only"
                "async"
                "--pairs"
                "1"
                "--defects"
                "unequal-bodies"
                "--error-rate"
                "0.4"
                "--duration"
                "10m"
            ]
        )

    running.Says "async+unequal-bodies, launch 1, over HTTP"

    running.Interrupt()
    running.Wait() |> ToolRun.endsBadly 1 [ "stopped"; "results.json" ]
    let results = Fakes.results out
    Assert.False results.Complete

    Assert.Equal<Status list>(
        [ Status.Measured; Status.Measured; Status.Measured ],
        results.Rows |> List.map _.Status
    )
    // what the service failed was counted, and was no reason to give up a row
    let failed = results.Rows |> List.sumBy (fun row -> (Option.get row.Errors).Status)

    Assert.True(failed > 0L)
    let effect = (panel "effects" results).Rows |> List.exactlyOne
    Assert.Equal(Some "bodies of unequal length", effect[0].AsText)
    Assert.True(effect[2].AsNumber.IsSome && effect[4].AsNumber.IsSome)

/// Arguments, and words of the sentence.
let private wrong: (string * string list * string list) list =
    [
        "an unknown route", [ "--only"; "tsk" ], [ "tsk"; "did you mean task?" ]
        "a route like no other",
        [ "--only"; "nope" ],
        [ "there is no candidate 'nope'"; "'plait lab adapter --help' shows them all" ]
        "a delay that is none", [ "--delay"; "slow" ], [ "--delay"; "log-normal:MEDIAN:SIGMA"; "'slow'" ]
        "a stall without an end", [ "--delay"; "stall:10ms:10ms" ], [ "--delay"; "stall" ]
        "a delay without a unit", [ "--delay"; "constant:2" ], [ "times with a unit"; "log-normal:2ms:0.5" ]
        "a delay that is too long", [ "--delay"; "constant:1m" ], [ "--delay"; "at most 5s"; "'constant:1m'" ]
        "too many errors", [ "--error-rate"; "0.9" ], [ "--error-rate"; "0 to 0.5" ]
        "an error rate that is none", [ "--error-rate"; "often" ], [ "often" ]
        "a client's life that is none",
        [ "--client"; "transient" ],
        [ "singleton or per-request"; "transient" ]
        "a rate that is none", [ "--rate"; "fast" ], [ "--rate"; "'fast'" ]
        "a rate of nothing", [ "--rate"; "0" ], [ "--rate"; "'0'" ]
        "an unknown defect", [ "--defects"; "console-loging" ], [ "did you mean console-logging?" ]
        "a defect like no other", [ "--defects"; "elephant" ], [ "elephant"; "shared-core" ]
        "a folder without routes", [ "--candidates"; Built.root ], [ "Plait.Lab.CardWeb"; "make build" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``wrong input ends in one sentence and exit code 2`` (name: string) =
    let _, arguments, words = wrong |> List.find (fun (other, _, _) -> other = name)
    Fakes.refuses "adapter" arguments words

[<Fact>]
let ``help names every route that can be chosen`` () =
    let help = (ToolRun.run [ "lab"; "adapter"; "--help" ]).Out

    for name in AdapterRoutes.names do
        Assert.Contains(name, help)
