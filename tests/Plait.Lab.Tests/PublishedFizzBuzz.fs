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
    Assert.Equal(FizzBuzzPublished.rows.Length, panel.Rows.Length)
    Assert.Equal(21, panel.Rows.Length)

    for theirs, row in List.zip FizzBuzzPublished.rows panel.Rows do
        Assert.Equal(Some theirs.PercentOfSync, (cell panel row "theirs % of sync").AsNumber)
        // Nothing was measured.
        Assert.Equal(None, (cell panel row "ours % of sync").AsNumber)
        Assert.Equal(None, (cell panel row "ours % in process").AsNumber)

    // What is published as a percentage agrees with what is published as a rate.
    for source, rows in
        List.zip FizzBuzzPublished.rows panel.Rows
        |> List.groupBy (fun (theirs, _) -> theirs.Source) do
        let rate (_, row) =
            (cell panel row "theirs req/s").AsNumber

        let sync = rows |> List.find (fun (theirs, _) -> theirs.Variant = "sync") |> rate

        for theirs, row in rows do
            match rate (theirs, row), sync with
            | Some rate, Some sync ->
                let apart = abs (100.0 * rate / sync - theirs.PercentOfSync)
                Assert.True(apart <= 1.0, $"{source} {theirs.Variant}: {apart}")
            | _ -> ()

[<Fact>]
let ``ours stand beside the rows that are written in the same way`` () =
    let measured = MadeRows.row "task" None (Some(MadeRows.ratio 2.0 1.9 2.1))

    let panel = FizzBuzzPublished.table [ measured ]

    let task =
        panel.Rows |> List.find (fun row -> (cell panel row "variant").AsText = Some "F# 6 task")

    Assert.Equal(Some 50.0, (cell panel task "ours % in process").AsNumber)
    Assert.Equal(Some 15937.0, (cell panel task "theirs req/s").AsNumber)
