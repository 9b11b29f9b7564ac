// The rule of the A/A control: a run whose control did not come out as its base judges nothing, and says so.
module Plait.Lab.Tests.Controls

open System.IO
open Xunit

open Plait.Report
open Plait.Lab

open Plait.Lab.Tests.MadeRows

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

let private judge = ControlRule.judge 0.03

let private rowsWith control =
    [
        made "sync" [ Figures.cpuRatio, Some(ratio 1.0 1.0 1.0) ]
        made "sync-again" [ Figures.cpuRatio, Some { control with Verdict = Some Slower } ]
        made
            "strand"
            [
                Figures.bytesPerOperation, Some(Measured.Plain 100.0)
                Figures.httpBytesPerRequest, Some(Measured.Plain 200.0)
                Figures.cpuRatio, Some { ratio 1.27 1.25 1.29 with Verdict = Some Slower }
            ]
    ]

[<Fact>]
let ``the control holds when its median is within the margin and its interval within the limit`` () =
    for control, held in cases do
        Assert.Equal(Some held, judge (rowsWith control) |> Option.map _.Held)

[<Fact>]
let ``a control must hold in process and over HTTP`` () =
    let both http =
        [
            made "sync-again" [ Figures.cpuRatio, Some(ratio 1.0 0.99 1.01); Figures.httpCpuRatio, Some http ]
        ]

    Assert.True (judge (both (ratio 1.0 0.99 1.01))).Value.Held
    let missed = (judge (both (ratio 1.5 1.4 1.6))).Value
    Assert.False missed.Held
    Assert.Contains("1.00 (0.99-1.01) in process, 1.50 (1.40-1.60) over HTTP", missed.Sentence)
    Assert.Contains("measure again", missed.Sentence)

[<Fact>]
let ``without a control, or without any ratio, there is no word about one`` () =
    Assert.Equal(None, judge [ made "strand" [ Figures.cpuRatio, Some(ratio 1.3 1.2 1.4) ] ])
    Assert.Equal(None, judge [ made "sync-again" []; made "strand" [] ])

[<Fact>]
let ``a control that could not be measured where another row was does not hold`` () =
    let good = Some(ratio 1.0 0.99 1.01)

    let missing =
        [
            [], [ Figures.cpuRatio, good ], "in process"
            [ Figures.cpuRatio, good ], [ Figures.cpuRatio, good; Figures.httpCpuRatio, good ], "over HTTP"
        ]

    for control, other, place in missing do
        let failed = { made "sync-again" control with Reason = Some "it ended" }
        let control = judge [ failed; made "strand" other ]
        Assert.False control.Value.Held

        Assert.Contains(
            $"was not measured {place} (it ended), so this run judges nothing",
            control.Value.Sentence
        )

let private run control : Results =
    let rows = rowsWith control
    let found = judge rows

    { RandomResults.sample with
        Scenario = "fizzbuzz"
        Base = "sync"
        Margin = 0.03
        Complete = true
        Invalid = false
        Warnings = []
        Panels = []
        Stopping = None
        Control = found
        Answer = found |> Option.map _.Sentence |> Option.defaultValue ""
        Rows = ControlRule.apply found rows
        Figures = RowResult.described rows
    }

let private held, private missed =
    run (ratio 1.0 0.99 1.01), run (ratio 2.28 1.76 3.04)

let private verdicts = [ "faster"; "slower"; "same"; "unresolved" ]

[<Fact>]
let ``a run whose control missed has no verdict anywhere, and its first lines say what to do`` () =
    let lines = ResultsText.lines 120 false missed
    let kind, first = lines.Head
    Assert.Equal(LineKind.Bad, kind)
    Assert.StartsWith("NOT JUDGED: The A/A control sync-again", first)
    let text = lines |> List.map snd |> String.concat "\n"

    for word in verdicts do
        Assert.DoesNotContain(word, text.Split([| ' '; '\n' |]))

    Assert.DoesNotContain(lines, fun (kind, _) -> kind = LineKind.Good)
    let page = RowPanels.addTo missed
    Assert.All(page.Panels, fun panel -> Assert.All(panel.Items, fun item -> Assert.Equal(None, item.Word)))
    Assert.Contains("slower", ResultsText.lines 120 false held |> List.map snd |> String.concat "\n")

[<Fact>]
let ``a run whose control missed ranks nothing: its rows stand in their own order`` () =
    let inOrder = missed.Rows |> List.rev
    let missed = { missed with Rows = inOrder }

    let ids =
        ResultsText.rows 120 missed
        |> List.map (fun (_, line) -> line.Split(' ')[0])
        |> List.filter (fun word -> inOrder |> List.exists (fun row -> row.Id = word))

    Assert.Equal<string list>(inOrder |> List.map _.Id, ids)

    let shown = (RowPanels.addTo missed).Panels.Head.Items |> List.map _.Label

    Assert.Equal<string list>(
        inOrder |> List.map _.Label |> List.filter (fun label -> List.contains label shown),
        shown
    )

[<Fact>]
let ``of a run that judges nothing budgets and comparisons judge the bytes in process alone`` () =
    let read limits =
        Budget.read
            "b.json"
            $"""{{"schema":"plait-budget/1","scenario":"fizzbuzz","rows":{{"strand":{{{limits}}}}}}}"""

    let findings limits results =
        BudgetFindings.judge (read limits) results

    let bytes, cpu = "\"bytesPerOperation\":100", "\"cpuRatio\":2"
    Assert.True(findings bytes missed |> List.forall BudgetFindings.isGood)
    Assert.True(findings cpu held |> List.forall BudgetFindings.isGood)
    Assert.True(BudgetFindings.isNotJudged (findings cpu missed))
    Assert.EndsWith("NOT JUDGED", findings cpu missed |> BudgetFindings.lines |> List.last)

    let words old fresh =
        Changes.between old fresh
        |> List.filter (fun change -> change.Row = "strand")
        |> List.map (fun change -> change.Figure, change.Verdict)

    for old, fresh in [ missed, held; held, missed ] do
        Assert.Equal<(Figure * Changes.ChangeVerdict) list>(
            [
                Figures.bytesPerOperation, Changes.Unchanged
                Figures.cpuRatio, Changes.NotJudged
                Figures.httpBytesPerRequest, Changes.NotJudged
            ],
            words old fresh
        )

[<Fact>]
let ``the verbs end with 3 where nothing is judged`` () =
    use folder = new Built.Folder()

    let write name results =
        let file = folder.File name
        File.WriteAllText(file, ResultsJson.write results)
        file

    let held, missed = write "held.json" held, write "missed.json" missed
    let budget = folder.File "budget.json"

    let check limits file =
        File.WriteAllText(
            budget,
            $"""{{"schema":"plait-budget/1","scenario":"fizzbuzz","rows":{{"strand":{{{limits}}}}}}}"""
        )

        (ToolRun.run [ "lab"; "check"; budget; file ]).Code

    Assert.Equal(0, check "\"cpuRatio\":2" held)
    Assert.Equal(3, check "\"cpuRatio\":2" missed)
    Assert.Equal(0, check "\"bytesPerOperation\":100" missed)
    Assert.Equal(1, check "\"bytesPerOperation\":99,\"cpuRatio\":2" missed)

    let compare more =
        ToolRun.run ([ "lab"; "compare"; held; missed ] @ more)

    let told = compare []
    Assert.Equal(0, told.Code)
    Assert.Contains("NOT JUDGED", told.Out)
    Assert.Contains("not judged", told.Out)
    Assert.Equal(3, (compare [ "--fail-on"; "higher" ]).Code)
