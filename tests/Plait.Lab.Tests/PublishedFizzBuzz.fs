// The published figures of fizzbuzz beside ours.
module Plait.Lab.Tests.PublishedFizzBuzz

open Xunit

open Plait.Report

open Plait.Lab

let private cell (panel: Panel) (row: Cell list) column =
    let at =
        panel.Columns
        |> List.indexed
        |> List.filter (fun (_, one) -> $"{one.Group} {one.Title}" = column || one.Title = column)
        |> List.map fst

    row[List.head at]

[<Fact>]
let ``every published row stands in the table with its figures`` () =
    let panel = FizzBuzzPublished.table []
    Assert.Equal(21, panel.Rows.Length)

    let rate row =
        (cell panel row "theirs req/s").AsNumber

    let variant row = (cell panel row "variant").AsText

    for row in panel.Rows do
        Assert.NotEqual(None, (cell panel row "theirs % of sync").AsNumber)
        // Nothing was measured.
        Assert.Equal(None, (cell panel row "ours % of sync").AsNumber)
        Assert.Equal(None, (cell panel row "ours % in process").AsNumber)

    // What is published as a percentage agrees with what is published as a rate.
    for _, rows in panel.Rows |> List.groupBy (fun row -> (cell panel row "publication").AsText) do
        let sync = rows |> List.find (fun row -> variant row = Some "sync") |> rate

        for row in rows do
            match rate row, sync, (cell panel row "theirs % of sync").AsNumber with
            | Some rate, Some sync, Some percent ->
                let apart = abs (100.0 * rate / sync - percent)
                Assert.True(apart <= 1.0, $"{variant row}: {apart}")
            | _ -> ()

[<Fact>]
let ``a candidate has the figures that were published for its way of writing`` () =
    let beside name =
        let candidate =
            Candidate.parse "/c/x/candidate.json" $$"""{"name":"{{name}}","family":"fsharp","order":1}"""

        (FizzBuzzPublished.beside candidate).Published
        |> List.map (fun figure -> figure.PercentOfSync, figure.SyncFn)

    Assert.Equal<(float * bool) list>([ 53.5, false; 44.0, false; 51.0, true ], beside "ply-task")
    Assert.Equal<(float * bool) list>([ 70.6, false ], beside "task")
    Assert.Equal<(float * bool) list>([ 88.0, false ], beside "hidden-task")
    Assert.Empty(beside "sync")
    Assert.Empty(beside "strand")

[<Fact>]
let ``ours stand beside the rows that are written in the same way`` () =
    let measured = MadeRows.row "task" None (Some(MadeRows.ratio 2.0 1.9 2.1))

    let panel = FizzBuzzPublished.table [ measured ]

    let task =
        panel.Rows |> List.find (fun row -> (cell panel row "variant").AsText = Some "F# 6 task")

    Assert.Equal(Some 50.0, (cell panel task "ours % in process").AsNumber)
    Assert.Equal(Some 15937.0, (cell panel task "theirs req/s").AsNumber)
