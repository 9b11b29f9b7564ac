// The rule of the A/A control, which each measure has for itself: what held is judged, and what did not is marked where it
// stands, in every form that results have.
module Plait.Lab.Tests.Controls

open System.IO
open Xunit

open Plait.Common
open Plait.Report
open Plait.Lab

open Plait.Tests.Support
open Plait.Tests.Support.MadeRows

/// The ratio of the control, and whether it holds with a margin of 3 % and a limit of 10 %.
let private cases =
    [
        ratio 1.0 0.99 1.01, true
        ratio 1.03 1.0 1.05, true
        ratio 1.04 1.03 1.05, false
        ratio 0.96 0.95 0.97, false
        ratio 1.0 0.94 1.05, false
        ratio 1.0 0.95 1.04, true
        ratio 2.28 1.76 3.04, false
        // One pair has no interval.
        { ratio 1.0 1.0 1.0 with Low = None; High = None; Pairs = Some 1 }, false
    ]

let private judge = ControlRule.judge 0.03 (fun _ -> 0)

let private held = ratio 1.0 0.99 1.01
let private missed = ratio 0.97 0.88 1.07

let private slower median =
    { ratio median (median - 0.02) (median + 0.02) with Verdict = Some Slower }

/// Rows with a control that came out so in process and over HTTP; None: that is not measured.
let private rowsOf (inProcess: Measured option) (http: Measured option) =
    let ratios (measured: Measured) =
        [
            Figures.cpuRatio, inProcess |> Option.map (fun _ -> measured)
            Figures.httpCpuRatio,
            http |> Option.map (fun _ -> { (measured: Measured) with Value = measured.Value - 0.1 })
        ]

    let candidate id cost bytes =
        made
            id
            (ratios (slower cost)
             @ [
                 Figures.bytesPerOperation, Some(Measured.Plain bytes)
                 Figures.bytesOverBase, Some(Measured.Plain bytes)
                 if http.IsSome then
                     Figures.httpBytesPerRequest, Some(Measured.Plain 200.0)
                     Figures.httpBytesOverBase, Some(Measured.Plain 100.0)
                     Figures.httpCapacityPercent, Some(Measured.Plain 80.0)
             ])

    // Not in the order of any ratio.
    [
        candidate "task" 2.4 5000.0
        made "sync" (ratios (ratio 1.0 1.0 1.0))
        made "sync-again" [ Figures.cpuRatio, inProcess; Figures.httpCpuRatio, http ]
        candidate "strand" 1.27 100.0
    ]

let private run inProcess http : Results =
    let rows = rowsOf inProcess http
    let controls = judge rows
    let rows = ControlRule.apply controls rows

    { RandomResults.sample with
        Scenario = "fizzbuzz"
        Base = "sync"
        Margin = 0.03
        Complete = true
        Invalid = false
        Warnings = []
        Panels = []
        Stopping = None
        Controls = controls
        Answer = Answer.ofRows [ "strand"; "task" ] "plain code" rows |> Answer.among controls
        Rows = rows
        Figures = RowFigures.described rows
    }

/// All held, HTTP missed, in process missed, all missed.
let private good, private noHttp, private onlyHttp, private bad =
    run (Some held) (Some held),
    run (Some held) (Some missed),
    run (Some missed) (Some held),
    run (Some missed) (Some missed)

let private all = [ good; noHttp; onlyHttp; bad ]

let private measures (results: Results) =
    results.Controls |> List.map (fun control -> control.Measure, control.Held)

[<Fact>]
let ``a control holds when its median is within the margin and its interval within the limit`` () =
    for control, held in cases do
        Assert.Equal<(Measure * bool) list>([ Measure.InProcess, held ], measures (run (Some control) None))

[<Fact>]
let ``every measure is judged by its own control`` () =
    Assert.Equal<(Measure * bool) list>([ Measure.InProcess, true; Measure.OverHttp, true ], measures good)
    Assert.Equal<(Measure * bool) list>([ Measure.InProcess, true; Measure.OverHttp, false ], measures noHttp)

    Assert.Equal<(Measure * bool) list>(
        [ Measure.InProcess, false; Measure.OverHttp, true ],
        measures onlyHttp
    )

    Assert.Equal<string list>(
        [ "A/A control sync-again: 1.00 (0.99-1.01) in process, 1.00 (0.99-1.01) over HTTP." ],
        ControlRule.sentences good.Controls
    )

    match ControlRule.sentences noHttp.Controls with
    | [ first; second ] ->
        Assert.Equal("A/A control sync-again: 1.00 (0.99-1.01) in process.", first)
        Assert.StartsWith("Over HTTP nothing is judged: the A/A control sync-again", second)
        Assert.Contains("came out 0.97 (0.88-1.07) instead of 1.00 within 3 %", second)
        Assert.Contains("measure again", second)
    | other -> Assert.Fail $"{other}"

[<Fact>]
let ``the answer has a sentence about the control only if it has a ratio`` () =
    Assert.Empty(judge [ made "strand" [ Figures.cpuRatio, Some(ratio 1.3 1.2 1.4) ] ])
    Assert.Empty(judge [ made "sync-again" []; made "strand" [] ])

[<Fact>]
let ``a control that was not measured does not hold for a measure that other rows have`` () =
    let good = Some held

    let missing =
        [
            [], [ Figures.cpuRatio, good ], [ Measure.InProcess, false ]
            [ Figures.cpuRatio, good ],
            [ Figures.cpuRatio, good; Figures.httpCpuRatio, good ],
            [ Measure.InProcess, true; Measure.OverHttp, false ]
        ]

    for control, other, expected in missing do
        let failed = { made "sync-again" control with Reason = Some "it ended" }
        let controls = judge [ failed; made "strand" other ]
        let found = controls |> List.map (fun control -> control.Measure, control.Held)
        Assert.Equal<(Measure * bool) list>(expected, found)
        Assert.Contains("was not measured (it ended)", (List.last controls).Sentence)

[<Fact>]
let ``launches that a missed control added are part of its sentence`` () =
    let added place =
        if place = Measure.OverHttp then 2 else 0

    match ControlRule.judge 0.03 added (rowsOf (Some held) (Some held)) with
    | [ inProcess; http ] ->
        Assert.Equal((0, 2), (inProcess.Added, http.Added))

        Assert.Equal<string list>(
            [
                "A/A control sync-again: 1.00 (0.99-1.01) in process, 1.00 (0.99-1.01) over HTTP after 2 more launches."
            ],
            ControlRule.sentences [ inProcess; http ]
        )
    | other -> Assert.Fail $"{other}"

    let missed =
        ControlRule.judge 0.03 added (rowsOf (Some held) (Some missed)) |> List.last

    Assert.Contains("came out 0.97 (0.88-1.07) after 2 more launches instead of 1.00", missed.Sentence)

let private marked (results: Results) (figure: Figure) =
    results.Rows
    |> List.filter (fun row -> row.Id = "strand")
    |> List.exists (fun row -> (row.Find figure).Value.IsNotJudged)

[<Fact>]
let ``figures of a measure whose control missed are marked, except bytes`` () =
    for results, inProcess, http in
        [ good, false, false; noHttp, false, true; onlyHttp, true, false; bad, true, true ] do
        Assert.Equal(inProcess, marked results Figures.cpuRatio)
        Assert.False(marked results Figures.bytesPerOperation)
        Assert.Equal(http, marked results Figures.httpCpuRatio)
        Assert.Equal(http, marked results Figures.httpBytesPerRequest)
        Assert.Equal(http, marked results Figures.httpCapacityPercent)
        // and so they are read again
        Assert.Equal(results, ResultsJson.read "x" (ResultsJson.write results))

[<Fact>]
let ``the answer is of the first measure that is judged, and names the others`` () =
    Assert.Equal("strand costs 1.27 x plain code, task 2.4 x.", good.Answer)
    Assert.Equal("strand costs 1.27 x plain code, task 2.4 x; over HTTP nothing is judged.", noHttp.Answer)

    Assert.Equal(
        "strand costs 1.17 x plain code, task 2.3 x in CPU for a request over HTTP; in process nothing is judged.",
        onlyHttp.Answer
    )

    Assert.Equal("", bad.Answer)

let private texts lines =
    lines |> List.map snd |> String.concat "\n"

let private details (results: Results) = ResultsText.lines 200 false results

let private lineOf (id: string) (text: string) =
    text.Split '\n' |> Array.find (fun line -> line.StartsWith(id + "  "))

[<Fact>]
let ``the table marks a ratio that is not judged, and has a verdict on the others`` () =
    for results, inProcess, http, verdict in
        [
            good, "1.27 1.25-1.29  ", "1.17 1.25-1.29  ", "slower"
            noHttp, "1.27 1.25-1.29  slower", "1.17 1.25-1.29 not judged", "slower"
            onlyHttp, "1.27 1.25-1.29 not judged", "1.17 1.25-1.29  slower", "slower"
            bad, "1.27 1.25-1.29 not judged", "1.17 1.25-1.29 not judged", ""
        ] do
        let line = lineOf "strand" (texts (details results))
        Assert.Contains(inProcess, line)
        Assert.Contains(http, line)
        Assert.Equal((verdict <> ""), line.Contains "slower")

[<Fact>]
let ``rows are ranked by the judged ratio, and keep their order without one`` () =
    let order (results: Results) =
        (texts (details results)).Split '\n'
        |> Array.map (fun line -> line.Split("  ")[0])
        |> Array.filter (fun word -> results.Rows |> List.exists (fun row -> row.Id = word))
        |> List.ofArray

    let ranked = [ "sync"; "sync-again"; "strand"; "task" ]
    Assert.Equal<string list>(ranked, order good)
    Assert.Equal<string list>(ranked, order noHttp)
    Assert.Equal<string>("task", List.last (order onlyHttp))
    Assert.Equal<string list>(bad.Rows |> List.map _.Id, order bad)

[<Fact>]
let ``the red lines of a report are the sentences about A/A controls whose interval misses 1`` () =
    for results in all do
        let red = details results |> List.filter (fun (kind, _) -> kind = LineKind.Bad)

        let lines =
            results.Missed |> List.collect (fun control -> Wrap.within 200 "" control.Sentence)

        Assert.Equal<string list>(lines, red |> List.map snd)

[<Fact>]
let ``the page marks the panels of a measure that is not judged, and no others`` () =
    for results in all do
        for panel in (RowPanels.addTo results).Panels do
            let place =
                match panel.Id with
                | "cpu-in-process" -> Some Measure.InProcess
                | "cpu-over-http"
                | "capacity" -> Some Measure.OverHttp
                // bytes in process repeat by themselves, and the table has its marks in its cells
                | _ -> None

            let missed =
                results.Missed |> List.tryFind (fun control -> Some control.Measure = place)

            Assert.Equal(missed |> Option.map _.Sentence, panel.NotJudged)

            let words =
                panel.Items |> List.choose _.Word |> List.filter ((=) "not judged") |> List.length

            Assert.Equal((if missed.IsSome then panel.Items.Length else 0), words)

            let isRanked =
                panel.Items |> List.map _.Label = (panel.Items |> List.sortBy _.Value |> List.map _.Label)

            Assert.True(isRanked || missed.IsSome || panel.Id = "capacity", panel.Id)

[<Fact>]
let ``the table of the page names the measure that is not judged, and marks no best row in it`` () =
    let columns results =
        match (RowPanels.table results).Value.Plot with
        | Table(columns, _) -> columns |> List.filter (fun column -> column.Decimals.IsSome)
        | other -> failwith $"{other}"

    for column in columns noHttp do
        let isHttp = column.Group.StartsWith "over HTTP"
        Assert.Equal((if isHttp then "over HTTP, not judged" else "in process"), column.Group)
        Assert.Equal(isHttp, (column.Better = Better.Neither))

    Assert.All(columns good, fun column -> Assert.DoesNotContain("not judged", column.Group))

[<Fact>]
let ``the csv has the mark as the verdict of every figure that has it`` () =
    let fields (results: Results) =
        let lines = (Csv.write results).Split '\n'
        let line = lines |> Array.find (fun line -> line.StartsWith "strand,")
        Array.zip (lines[0].Split ',') (line.Split ',') |> Map.ofArray

    let found = fields noHttp
    Assert.Equal("slower", found["cpuRatioVerdict"])
    Assert.Equal("not judged", found["httpCpuRatioVerdict"])
    Assert.Equal("not judged", found["httpCapacityPercentVerdict"])
    Assert.Equal("not judged", (fields onlyHttp)["cpuRatioVerdict"])

let private budget limits =
    Budget.read
        "b.json"
        $"""{{"schema":"plait-budget/1","scenario":"fizzbuzz","rows":{{"strand":{{{limits}}}}}}}"""

[<Fact>]
let ``budgets apply to judged figures, and always to bytes in process`` () =
    let isGood limits results =
        BudgetFindings.judge (budget limits) results |> List.forall BudgetFindings.isGood

    for results, inProcess, http in
        [ good, true, true; noHttp, true, false; onlyHttp, false, true; bad, false, false ] do
        Assert.True(isGood "\"bytesPerOperation\":100" results)
        Assert.Equal(inProcess, isGood "\"cpuRatio\":2" results)
        Assert.Equal(http, isGood "\"httpCpuRatio\":2" results)
        Assert.Equal(http, isGood "\"httpBytesPerRequest\":200" results)

    let findings = BudgetFindings.judge (budget "\"httpCpuRatio\":2") noHttp
    Assert.True(BudgetFindings.isNotJudged findings)
    Assert.EndsWith("NOT JUDGED", findings |> BudgetFindings.lines |> List.last)

    Assert.Contains(
        "because the A/A control over HTTP missed",
        List.exactlyOne (BudgetFindings.complaints findings)
    )

[<Fact>]
let ``comparisons judge only figures that both runs judge`` () =
    let words old fresh =
        Changes.between old fresh
        |> List.filter (fun change -> change.Row = "strand")
        |> List.map (fun change -> change.Figure, change.Verdict)

    for old, fresh in [ noHttp, good; good, noHttp ] do
        Assert.Equal<(Figure * Changes.ChangeVerdict) list>(
            [
                Figures.bytesPerOperation, Changes.Unchanged
                Figures.cpuRatio, Changes.NotCertain
                Figures.httpBytesPerRequest, Changes.NotJudged
                Figures.httpCpuRatio, Changes.NotJudged
            ],
            words old fresh
        )

    Assert.True(Changes.isJudged (Changes.between good noHttp))
    Assert.False(Changes.isJudged (Changes.between onlyHttp noHttp))

[<Fact>]
let ``check and compare end with 3 if a requested figure is not judged`` () =
    use folder = new Built.Folder()

    let write name results =
        let file = folder.File name
        File.WriteAllText(file, ResultsJson.write results)
        file

    let good, noHttp, bad =
        write "good.json" good, write "noHttp.json" noHttp, write "bad.json" bad

    let file = folder.File "budget.json"

    let check limits results =
        File.WriteAllText(
            file,
            $"""{{"schema":"plait-budget/1","scenario":"fizzbuzz","rows":{{"strand":{{{limits}}}}}}}"""
        )

        (ToolRun.run [ "lab"; "check"; file; results ]).Code

    let inProcess, http = "\"cpuRatio\":2", "\"httpCpuRatio\":2"
    Assert.Equal(0, check $"{inProcess},{http}" good)
    Assert.Equal(0, check inProcess noHttp)
    Assert.Equal(3, check $"{inProcess},{http}" noHttp)
    Assert.Equal(0, check "\"bytesPerOperation\":100" bad)
    Assert.Equal(1, check $"\"bytesPerOperation\":99,{inProcess}" bad)

    let compare old fresh more =
        ToolRun.run ([ "lab"; "compare"; old; fresh ] @ more)

    let told = compare good noHttp [ "--fail-on"; "higher" ]
    Assert.Equal((0, ""), (told.Code, told.Err))
    Assert.Contains("The new run: Over HTTP nothing is judged", told.Out)
    Assert.Contains("not judged", told.Out)
    Assert.Equal(0, (compare good bad []).Code)
    compare good bad [ "--fail-on"; "higher" ] |> ToolRun.endsBadly 3 [ "no ratio is judged" ]
