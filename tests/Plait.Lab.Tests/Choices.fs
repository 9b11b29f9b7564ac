// Choosing rows and settings.
module Plait.Lab.Tests.Choices

open System
open System.IO
open System.Xml.Linq
open Xunit

open Plait.Common
open Plait.Lab
open Plait.Tests.Support

let private candidate (name: string) hasSyncFn order =
    let flag = if hasSyncFn then "true" else "false"

    Candidate.parse
        $"/c/{name}/candidate.json"
        $"""{{"name":"{name}","family":"plait","order":{order},"syncFn":{flag},"arguments":["--as","{name}"]}}"""

let private all =
    [
        candidate "sync" false 1
        candidate "sync-again" false 2
        candidate "strand" true 3
        candidate "task" true 4
    ]

let private always = [ "sync"; "sync-again" ]

let private chosen only skip =
    RowPlan.choose always only skip all |> List.map _.Id

/// Only, skip, and the rows.
let private choices =
    [
        [], [], [ "sync"; "sync-again"; "strand"; "strand+sync-fn"; "task"; "task+sync-fn" ]
        [ "strand" ], [], [ "sync"; "sync-again"; "strand"; "strand+sync-fn" ]
        [ "strand+sync-fn" ], [], [ "sync"; "sync-again"; "strand+sync-fn" ]
        [ "sync" ], [], [ "sync"; "sync-again" ]
        [], [ "strand" ], [ "sync"; "sync-again"; "task"; "task+sync-fn" ]
        [], [ "task+sync-fn" ], [ "sync"; "sync-again"; "strand"; "strand+sync-fn"; "task" ]
        [ "strand"; "task" ], [ "strand" ], [ "sync"; "sync-again"; "task"; "task+sync-fn" ]
    ]

[<Fact>]
let ``rows are chosen by name, and the base and the control always`` () =
    for only, skip, expected in choices do
        Assert.Equal<string list>(expected, chosen only skip)

[<Fact>]
let ``the factor is an argument after the candidate's own`` () =
    let row = RowPlan.choose always [ "strand+sync-fn" ] [] all |> List.last
    Assert.Equal<string list>([ "--as"; "strand"; "--sync-fn" ], row.Arguments)

[<Fact>]
let ``an unknown name is refused with the nearest known one`` () =
    let refusal only skip =
        Assert.Throws<BadInput>(Action(fun () -> chosen only skip |> ignore)).Message

    Assert.Contains("--only: there is no candidate 'strnd'; did you mean strand?", refusal [ "strnd" ] [])
    Assert.Contains("--skip: there is no candidate 'tusk'; did you mean task?", refusal [] [ "tusk" ])
    Assert.Contains("plait lab list", refusal [ "elephant" ] [])

    for id in always do
        Assert.Contains($"--skip: '{id}' is the base or the A/A control", refusal [] [ "strand"; id ])

    Assert.Contains("sync+sync-fn", refusal [ "sync+sync-fn" ] [])

[<Fact>]
let ``nothing is compared without the base and the control`` () =
    for missing in always do
        let rest = all |> List.filter (fun candidate -> candidate.Name <> missing)

        let trouble =
            Assert.Throws<BadInput>(Action(fun () -> RowPlan.choose always [] [] rest |> ignore))

        Assert.Contains($"'{missing}'", trouble.Message)

[<Fact; Trait("run", "more")>]
let ``the rows of a short run are candidates, the base and the control among them`` () =
    let rows = RowPlan.ofCandidates Fleet.candidates.Value |> List.map _.Id
    Assert.Empty(FizzBuzz.quickRows |> List.except rows)
    Assert.Empty([ FizzBuzz.scenario.Base; FizzBuzz.scenario.Control ] |> List.except FizzBuzz.quickRows)

[<Fact>]
let ``the build for a short run makes exactly its rows`` () =
    let project =
        XDocument.Load(Path.Combine(Built.root, "candidates", "Candidates.proj"))

    let built = project.Descendants(XName.Get "QuickRows") |> Seq.exactlyOne
    Assert.Equal<string list>(FizzBuzz.quickRows, List.ofArray (built.Value.Split ';'))

[<Fact>]
let ``the presets are within the ranges of the options`` () =
    let ranges = Settings.ranges

    for preset in [ Settings.full; Settings.quick; Settings.quickOfMany ] do
        for value, range in
            [
                preset.Seed, ranges.Seed
                preset.Launches, ranges.Launches
                preset.Pairs, ranges.Pairs
                preset.SliceMilliseconds, ranges.SliceMilliseconds
                preset.Connections, ranges.Connections
                preset.PatienceMilliseconds, ranges.PatienceMilliseconds
            ] do
            Assert.InRange(value, fst range, snd range)

        Assert.Equal(0.03, preset.Margin)

        for warmUp in [ preset.WarmUp; preset.HttpWarmUp ] do
            Assert.True(warmUp.FloorMilliseconds < warmUp.LimitMilliseconds)

/// In process, HTTP, the row is measured in process only, and whether it is loaded.
let private loads =
    [
        true, true, false, true
        true, true, true, false
        true, false, false, false
        true, false, true, false
        // Nothing else is measured of it.
        false, true, true, true
        false, true, false, true
    ]

[<Fact>]
let ``a row is loaded over HTTP unless the settings or the row leave that out`` () =
    for inProcess, http, skips, expected in loads do
        let settings = { Settings.full with InProcess = inProcess; Http = http }
        let row = { RowPlan.ofCandidate (candidate "strand" true 1) with SkipsHttp = skips }
        Assert.Equal(expected, Settings.isLoaded settings row)
