// A launch ends after so many pairs, those among them from which the hypervisor took time: the row and the base beside it are
// measured by the pairs that were kept.
module Plait.Lab.Tests.DroppedPairs

open System.Threading
open Xunit

open Plait.Lab
open Plait.Report

let private row id =
    let candidate =
        Candidate.parse "/c/x/candidate.json" """{"name":"x","family":"control","order":1}"""

    MeasuredRow { RowPlan.ofCandidate candidate with Id = id }

let private slice = MadeSlices.slice 10L 1000.0

let private settings =
    { Settings.full with Launches = 1; Pairs = 2; InProcess = false; StealLimit = 1.0 }

/// A launch over HTTP in which `take` measures a slice; the row and the base.
let private launch (settings: Settings) (take: unit -> unit) =
    let row, theBase = row "sync-again", row "sync"

    let own, beside =
        row.Launch [ Measure.OverHttp ], theBase.Launch [ Measure.OverHttp ]

    let context = MeasuredOn.context settings ignore

    let take _ =
        take ()
        slice

    Pairing.pairs context row 1 Measure.OverHttp take (Pairing.keep own.Http beside.Http)
    Pairing.finished context 1 row own beside Measure.OverHttp own.Http
    row, theBase

[<Fact>]
let ``a row and its base are measured by fewer pairs than were asked for`` () =
    // A budget leaves time for one.
    let row, theBase = launch { settings with Pairs = 1 } ignore

    for row in [ row; theBase ] do
        Assert.Equal((Status.Measured, None), RowFigures.status settings row)

[<Fact>]
let ``a row without one kept pair is not measured, and the reason is the hypervisor`` () =
    // Any time at all is more than it may take; the clock of the processors has moved on after 30 ms.
    let row, theBase =
        launch { settings with StealLimit = -1.0 } (fun () -> Thread.Sleep 30)

    Assert.Equal((4, 0), (row.StolenPairs, row.Launches[0].Http.Count))

    for row in [ row; theBase ] do
        let status, reason = RowFigures.status settings row
        Assert.Equal(Status.Failed, status)
        Assert.Contains("the hypervisor took time from all its pairs", Option.get reason)
