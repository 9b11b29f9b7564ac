// Budgets: the file with exact errors, the judging of results, and the verb as CI runs it.
module Plait.Lab.Tests.Budgets

open System
open System.IO
open Xunit

open Plait.Common
open Plait.Report
open Plait.Lab

open Plait.Tests.Support
open Plait.Tests.Support.MadeRows

let private blank = { RandomResults.sample with Controls = [] }

let private row id bytes cpu = row id (Some bytes) cpu

let private results rows : Results =
    { blank with Scenario = "fizzbuzz"; Base = "sync"; Rows = rows }

let private overBase (bytes: float) (row: Row) =
    { row with
        Figures = Map.add Figures.bytesOverBase.Key (Measured.Plain bytes) row.Figures
    }

let private measured =
    results
        [
            row "sync" 1000.0 (Some(ratio 1.0 1.0 1.0))
            row "strand" 1040.0 (Some(ratio 1.2 1.15 1.25)) |> overBase 40.0
            { row "broken" 1.0 None with Status = Status.Failed; Reason = Some "it broke" }
        ]

let private budget rows =
    Budget.read "b.json" $"""{{"schema":"plait-budget/1","scenario":"fizzbuzz","rows":{{{rows}}}}}"""

/// The rows of a budget, and the words that the last column has for them.
let private verdicts =
    [
        "\"strand\":{\"bytesOverBase\":40}", [ "kept" ]
        "\"strand\":{\"bytesOverBase\":39.9}", [ "EXCEEDED" ]
        "\"strand\":{\"bytesPerOperation\":1040,\"cpuRatio\":1.25}", [ "kept"; "kept" ]
        "\"strand\":{\"cpuRatio\":1.14}", [ "EXCEEDED" ]
        "\"strand\":{\"cpuRatio\":1.2}", [ "UNRESOLVED" ]
        "\"strand\":{\"cpuRatio\":1.2,\"unresolved\":\"pass\"}", [ "unresolved, which passes" ]
        "\"strand\":{\"httpCpuRatio\":1.2}", [ "NOT MEASURED" ]
        "\"broken\":{\"bytesPerOperation\":9}", [ "NOT MEASURED" ]
        "\"gone\":{\"bytesPerOperation\":9}", [ "NOT MEASURED" ]
    ]

[<Fact>]
let ``a limit is kept, exceeded, unresolved or not measured`` () =
    for rows, words in verdicts do
        let findings = BudgetFindings.judge (budget rows) measured
        let lines = BudgetFindings.lines findings |> List.skip 2
        Assert.Equal(words.Length, lines.Length)

        for line, word in List.zip lines words do
            Assert.EndsWith(word, line)

        let isGood =
            words |> List.forall (fun word -> word = "kept" || word.EndsWith "passes")

        Assert.Equal(isGood, List.forall BudgetFindings.isGood findings)
        Assert.Equal(isGood, (BudgetFindings.complaints findings).IsEmpty)

[<Fact>]
let ``a complaint has the figure with its interval, the budget, and by how much`` () =
    let sentence rows =
        BudgetFindings.judge (budget rows) measured
        |> BudgetFindings.complaints
        |> List.exactlyOne

    Assert.Equal(
        "strand: cpuRatio is 1.20 (1.15-1.25), the budget is <= 1.10: 0.10 above",
        sentence "\"strand\":{\"cpuRatio\":1.1}"
    )

    Assert.Equal(
        "strand: bytesOverBase is 40, the budget is <= 8: 32 above",
        sentence "\"strand\":{\"bytesOverBase\":8}"
    )

    // Figures have as many decimals as what they miss the budget by.
    let close = results [ row "strand" 4.5131 (Some(ratio 1.2345 1.2311 1.2379)) ]

    Assert.Equal<string list>(
        [
            "strand: bytesPerOperation is 4.5131, the budget is <= 4: 0.5131 above"
            "strand: cpuRatio is 1.2345 (1.2311-1.2379), the budget is <= 1.23: 0.0045 above"
        ],
        BudgetFindings.judge (budget "\"strand\":{\"bytesPerOperation\":4,\"cpuRatio\":1.23}") close
        |> BudgetFindings.complaints
    )

    Assert.Contains("lies inside that interval", sentence "\"strand\":{\"cpuRatio\":1.2}")
    Assert.Contains("the row is failed: it broke", sentence "\"broken\":{\"bytesPerOperation\":9}")
    Assert.Contains("no such row", sentence "\"gone\":{\"bytesPerOperation\":9}")

[<Fact>]
let ``one pair has no interval and keeps no budget`` () =
    let once =
        results [ row "strand" 1.0 (Some { ratio 1.0 1.0 1.0 with Pairs = Some 1 }) ]

    let findings = BudgetFindings.judge (budget "\"strand\":{\"cpuRatio\":2}") once
    Assert.False(findings |> List.forall BudgetFindings.isGood)

[<Fact>]
let ``unresolved of a budget applies to every row that has no unresolved of its own`` () =
    let read = Budget.read "b.json"

    let budget =
        read
            """{"schema":"plait-budget/1","scenario":"fizzbuzz","unresolved":"pass",
                "rows":{"a":{"cpuRatio":1},"b":{"cpuRatio":1,"unresolved":"fail"}}}"""

    Assert.Equal<bool list>([ true; false ], budget.Limits |> List.map _.UnresolvedPasses)
    Assert.Equal<string list>([ "a"; "b" ], Budget.rows budget)
    Assert.Equal(BudgetMeasure.Everything, budget.Run.Measure)

/// What is no budget, and the sentence about it.
let private wrong =
    [
        "[]", "b.json: expected an object, found a list of 0"
        "{\n  \"a\" 1", "b.json is not JSON from line 2, column 7 on"
        "{}", "b.json: schema: expected \"plait-budget/1\", found nothing; the key is missing"
        """{"schema":"plait-budget/2"}""",
        "b.json: schema: expected one of \"plait-budget/1\", found the text"
        """{"schema":"plait-budget/1","rows":{}}""",
        "b.json: rows: expected at least one row, found an object"
        """{"schema":"plait-budget/1","scenario":"x","rows":{"a":{}}}""",
        "b.json: rows.a: no figure is limited"
        """{"schema":"plait-budget/1","scenario":"x","rows":{"a":{"cpuRatoi":1}}}""",
        "b.json: rows.a.cpuRatoi: this key is not known; did you mean cpuRatio?"
        """{"schema":"plait-budget/1","scenario":"x","rows":{"a":{"cpuRatio":"1"}}}""",
        "b.json: rows.a.cpuRatio: expected a number from"
        """{"schema":"plait-budget/1","scenario":"x","rows":{"a":{"cpuRatio":1},"a":{"cpuRatio":1}}}""",
        "b.json: rows.a: this key comes twice"
        """{"schema":"plait-budget/1","scenario":"x","run":{"measure":"time"},"rows":{"a":{"cpuRatio":1}}}""",
        "b.json: run.measure: expected one of \"bytes\", \"inProcess\", \"http\", \"all\", found the text \"time\""
        """{"schema":"plait-budget/1","scenario":"x","run":{"pairs":0},"rows":{"a":{"cpuRatio":1}}}""",
        "b.json: run.pairs: expected a whole number from 1 to 1000, found the number 0"
    ]

[<Fact>]
let ``a wrong budget is refused with the path in the file, the expected kind and the one found`` () =
    for content, sentence in wrong do
        Refused.says sentence [] (fun () -> Budget.read "b.json" content)

[<Fact>]
let ``results of another scenario are not judged`` () =
    Refused.says "" [ "'fizzbuzz'"; "'yield'" ] (fun () ->
        BudgetFindings.judge (budget "\"a\":{\"cpuRatio\":1}") { measured with Scenario = "yield" })

[<Fact>]
let ``the budgets that are committed can be read`` () =
    for file in Directory.GetFiles(Path.Combine(Built.root, "bench"), "*.budget.json") do
        Assert.NotEmpty((Budget.read file (File.ReadAllText file)).Limits)

let private checkWithin columns (folder: Built.Folder) (limit: string) : Ended =
    let budgetFile, resultsFile = folder.File "budget.json", folder.File "results.json"

    File.WriteAllText(
        budgetFile,
        $"""{{"schema":"plait-budget/1","scenario":"fizzbuzz","rows":{{"strand":{{{limit}}}}}}}"""
    )

    File.WriteAllText(resultsFile, ResultsJson.write measured)
    ToolRun.runWithin columns [ "lab"; "check"; budgetFile; resultsFile ]

let private check = checkWithin 120

[<Fact>]
let ``the verb ends with 0, with 1 and the numbers, or with 2 and the path`` () =
    use folder = new Built.Folder()
    let kept = check folder "\"cpuRatio\":1.3"
    Assert.Equal((0, ""), (kept.Code, kept.Err))
    Assert.Contains("1.20 (1.15-1.25)", kept.Out)

    let narrow = checkWithin 40 folder "\"cpuRatio\":1.3"
    Assert.Contains("Left out for lack of width: ", narrow.Out)
    Assert.All(narrow.Out.Split '\n', fun line -> Assert.True(line.Length <= 40, line))

    check folder "\"cpuRatio\":1.1"
    |> ToolRun.endsBadly 1 [ "1.20 (1.15-1.25)"; "<= 1.10"; "0.10 above" ]

    check folder "\"cpuRatoi\":1.1"
    |> ToolRun.endsBadly 2 [ "budget.json: rows.strand.cpuRatoi"; "did you mean cpuRatio?" ]

    ToolRun.run [ "lab"; "check"; folder.File "nothing.json" ]
    |> ToolRun.endsBadly 2 [ "nothing.json"; "cannot be read as a budget" ]

[<Fact>]
let ``the results that were judged go to standard output alone`` () =
    use folder = new Built.Folder()
    let budgetFile, resultsFile = folder.File "budget.json", folder.File "results.json"
    check folder "\"cpuRatio\":1.3" |> ignore
    let ended = ToolRun.run [ "lab"; "check"; budgetFile; resultsFile; "--json"; "-" ]
    Assert.Equal(0, ended.Code)
    Assert.Equal(measured.Title, (ResultsJson.read "standard output" ended.Out).Title)
    Assert.Contains("1.20 (1.15-1.25)", ended.Err)

[<Fact>]
let ``without a results file the scenario is run, for bytes alone if the budget has no other figure`` () =
    use folder = new Built.Folder()

    let candidates =
        Fakes.folder (folder.File "candidates") [] [ "lean", []; "other", [] ]

    let budget, json = folder.File "budget.json", folder.File "run.json"

    File.WriteAllText(
        budget,
        """{"schema":"plait-budget/1","scenario":"fizzbuzz","run":{"measure":"bytes"},
            "rows":{"lean":{"bytesPerOperation":1300,"bytesOverBase":100,"bytesOverBaseNoEscape":100}}}"""
    )

    let ended =
        ToolRun.run [ "lab"; "check"; budget; "--candidates"; candidates; "--json"; json ]

    Assert.True((ended.Code = 0), ended.Err)
    let results = ResultsJson.read json (File.ReadAllText json)
    Assert.Equal<string list>([ "sync"; "lean" ], results.Rows |> List.map _.Id)

    for row in results.Rows do
        Assert.Equal((Status.Measured, Some true), (row.Status, row.Correct))
        // Nothing was timed.
        Assert.True(row.Ratio.IsNone && (row.Find Figures.cpuMicroseconds).IsNone)
        Assert.InRange(Option.get (row.Value Figures.bytesPerOperation), 1000.0, 1200.0)
