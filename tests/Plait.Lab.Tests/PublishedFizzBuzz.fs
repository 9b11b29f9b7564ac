// The published figures of fizzbuzz beside ours.
module Plait.Lab.Tests.PublishedFizzBuzz

open Xunit

open Plait.Report

open Plait.Lab
open Plait.Tests.Support

let private cell (panel: Panel) (row: Cell list) column =
    let at =
        panel.Columns
        |> List.indexed
        |> List.filter (fun (_, one) -> $"{one.Group} {one.Title}" = column || one.Title = column)
        |> List.map fst

    row[List.head at]

[<Fact>]
let ``every published row is in the table with its figures`` () =
    let panel = FizzBuzzPublished.table []
    Assert.Equal(21, panel.Rows.Length)

    let rate row =
        (cell panel row "req/s theirs").AsNumber

    let variant row = (cell panel row "variant").AsText

    for row in panel.Rows do
        Assert.NotEqual(None, (cell panel row "% of sync theirs").AsNumber)
        // Nothing was measured.
        Assert.Equal(None, (cell panel row "% of sync ours").AsNumber)
        Assert.Equal(None, (cell panel row "% of sync ours, in process").AsNumber)

    // What is published as a percentage agrees with what is published as a rate.
    for _, rows in panel.Rows |> List.groupBy (fun row -> (cell panel row "publication").AsText) do
        let sync = rows |> List.find (fun row -> variant row = Some "sync") |> rate

        for row in rows do
            match rate row, sync, (cell panel row "% of sync theirs").AsNumber with
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
        |> List.map (fun figure -> figure.PercentOfSync, not figure.Factors.IsEmpty)

    Assert.Equal<(float * bool) list>([ 53.5, false; 44.0, false; 51.0, true ], beside "ply-task")
    Assert.Equal<(float * bool) list>([ 70.6, false ], beside "task")
    Assert.Equal<(float * bool) list>([ 88.0, false ], beside "hidden-task")
    Assert.Empty(beside "sync")
    Assert.Empty(beside "strand")

[<Fact>]
let ``measured figures stand beside the published rows of the same style`` () =
    let measured = MadeRows.row "task" None (Some(MadeRows.ratio 2.0 1.9 2.1))

    let panel = FizzBuzzPublished.table [ measured ]

    for width in [ 60; 80; 120 ] do
        let text = ResultsText.panel width panel
        // What travels between machines, theirs and ours, of the rows that were measured; the page has the others.
        Assert.Matches("% of sync theirs +% of sync ours, in process", text[0])
        Assert.Matches("^F# 6 task +70.6 +50.0", text[2])
        Assert.Equal("20 published rows without a figure of ours: on the page.", List.last text)
        Assert.DoesNotContain(text, fun line -> line.Contains "Ply")
        Assert.All(text, fun line -> Assert.True(line.Length <= width, line))

    Assert.Equal<string list>(
        [ "21 published rows without a figure of ours: on the page." ],
        ResultsText.panel 80 (FizzBuzzPublished.table [])
    )

    let task =
        panel.Rows |> List.find (fun row -> (cell panel row "variant").AsText = Some "F# 6 task")

    Assert.Equal(Some 50.0, (cell panel task "% of sync ours, in process").AsNumber)
    Assert.Equal(Some 15937.0, (cell panel task "req/s theirs").AsNumber)
