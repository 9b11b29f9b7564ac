// What the terminal shows of a run: the answer first, a ranked table that fits, and what the reader must know below it.
module Plait.Report.Tests.Tables

open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Report

open Plait.Tests.Support
open Plait.Tests.Support.MadeRows

let private hundredths low high =
    Gen.choose (low, high) |> Gen.map (fun value -> float value / 100.0)

/// Figures that a slow candidate on a slow machine may have.
let private plausible (figure: Figure) =
    match figure.Unit with
    | "x" ->
        gen {
            let! median = hundredths 1 9999
            let! width = hundredths 0 100
            return ratio median (max 0.0 (median - width / 2.0)) (median + width)
        }
    | "%" -> Gen.choose (1, 999) |> Gen.map (float >> Measured.Plain)
    | "B" -> Gen.choose (0, 9_999_999) |> Gen.map (float >> Measured.Plain)
    | _ -> hundredths -9999 9_999_999 |> Gen.map Measured.Plain

let private rows: Gen<Row> =
    let idLetters = Gen.elements [ 'a'; '-'; '+'; 'z' ]

    gen {
        let! row = RandomResults.rows
        let! letters = Gen.listOf idLetters
        let! figures = Figures.all |> List.map plausible |> Gen.collectToList id

        let! words =
            Gen.listOf (Gen.elements [ "the"; "process"; "ended"; "unexpectedly"; "with"; "exit"; "3" ])

        return
            { row with
                Id = System.String(Array.ofList ('x' :: List.truncate 30 letters))
                Reason = (if words.IsEmpty then None else Some(String.concat " " words))
                Figures =
                    List.zip Figures.all figures
                    |> List.filter (fun (figure, _) -> row.Figures.ContainsKey figure.Key)
                    |> List.map (fun (figure, measured) -> figure.Key, measured)
                    |> Map.ofList
                Published = row.Published |> List.map (fun figure -> { figure with PercentOfSync = 97.1 })
            }
    }

let private results rows =
    { RandomResults.sample with
        Rows = rows
        Base = "sync"
        Margin = 0.03
        Complete = true
        Invalid = false
        Answer = ""
        Controls = []
        Stopping = None
        Panels = []
        Warnings = []
    }

let private texts width rows =
    ResultsText.rows width (results rows) |> List.map snd

let private words (lines: string list) =
    (String.concat " " lines).Split(' ', System.StringSplitOptions.RemoveEmptyEntries)
    |> String.concat " "

[<Fact>]
let ``the table fits the terminal, however narrow`` () =
    for width in [ 40; 60; 80; 120; 200 ] do
        Laws.forEach 80 (Gen.listOf rows) (fun rows ->
            match texts width rows |> List.tryFind (fun line -> line.Length > width) with
            | Some line -> failwith $"{line.Length} columns: {line}"
            | None -> true)

[<Fact>]
let ``every measured row has a line, and every other row a reason`` () =
    Laws.forEach 100 (Gen.listOf rows) (fun rows ->
        let all = words (texts 120 rows)

        rows
        |> List.forall (fun row ->
            (row.Status = Status.NotAvailable
             || all.Contains(row.Id.Substring(0, min 25 row.Id.Length)))
            && row.Reason |> Option.forall all.Contains))

[<Fact>]
let ``rows are ranked by the ratio in process, then over HTTP, and rows without a ratio are last`` () =
    Laws.forEach 100 (Gen.listOf rows) (fun rows ->
        let key (row: Row) =
            match row.Value Figures.cpuRatio, row.Value Figures.httpCpuRatio with
            | Some ratio, _ -> 0, ratio
            | None, Some ratio -> 1, ratio
            | None, None -> 2, 0.0

        let ranked = ResultsText.rank rows |> List.map key
        ranked = List.sort ranked && ranked.Length = rows.Length)

/// Every figure, of a candidate and of its base.
let private full =
    let figures ratioOf =
        Figures.all
        |> List.map (fun figure ->
            figure, Some(if figure.Unit = "x" then ratioOf else Measured.Plain 12345.0))

    [
        made "sync" (figures (ratio 1.0 1.0 1.0))
        made "pooled-value-task+sync-fn" (figures { ratio 1.27 1.25 1.29 with Verdict = Some Slower })
    ]

[<Fact>]
let ``a narrow terminal keeps the ratio and its verdict, and no word is cut`` () =
    let head width = List.head (texts width full)

    for width in [ 60; 80 ] do
        Assert.Contains("CPU ratio", head width)
        Assert.Contains("verdict", head width)

    Assert.DoesNotContain("cap %", head 60)
    Assert.Contains("HTTP ratio", head 120)
    Assert.Contains("ns/wr", head 120)
    // Every word of a narrow head is a whole one of the wide one.
    let parts width = (head width).Split ' ' |> Set.ofArray
    Assert.True(Set.isSubset (parts 80) (parts 200), head 80)
    Assert.Contains("1.27 1.25-1.29  slower", String.concat "\n" (texts 80 full))

[<Fact>]
let ``the words of the heads are explained below, without the omitted columns`` () =
    let wide, narrow = words (texts 200 full), words (texts 60 full)
    Assert.Contains($"ns/wr: {Figures.nanosecondsPerWrapper.Explanation}", wide)
    Assert.DoesNotContain("ns/wr:", narrow)
    let published: RowPublished = { Source = "2020"; PercentOfSync = 97.1; Note = None }

    let withPublished =
        full |> List.map (fun row -> { row with Published = [ published ] })

    Assert.Contains("pub %: published", words (texts 200 withPublished))
    Assert.DoesNotContain("pub %:", words (texts 60 withPublished))

    let factor =
        { Name = "calls"; Value = "sync-fn"; Explanation = "without a wrapper" }

    let withFactor = [ { List.last full with Factors = Map [ "calls", "sync-fn" ] } ]
    let explained = { results withFactor with Factors = [ factor ] }
    Assert.Contains("+sync-fn: without a wrapper.", words (ResultsText.rows 80 explained |> List.map snd))
    // An absolute figure may say the opposite of a ratio.
    Assert.Contains("go by the ratio", wide)

[<Fact>]
let ``the table names the columns that do not fit a narrow terminal`` () =
    let narrow = words (texts 60 full)
    let sentence = narrow.Substring(narrow.IndexOf "Left out for lack of width")

    for figure in Figures.all |> List.filter (fun figure -> figure.Rank < Figures.pageOnly) do
        let isShown = (List.head (texts 60 full)).Contains figure.Short
        Assert.True(isShown || sentence.Contains figure.Short, figure.Short)

    Assert.DoesNotContain("CPU ratio,", sentence)
    Assert.DoesNotContain("Left out", words (texts 400 full))
    // What nothing was measured of is not missed.
    Assert.DoesNotContain(
        "Left out",
        words (texts 60 [ made "x" [ Figures.bytesPerOperation, Some(Measured.Plain 1.0) ] ])
    )

[<Fact>]
let ``rows that were not measured for one reason are one line`` () =
    let absent =
        [
            for at in 1..11 ->
                { made $"package-{at}" [] with
                    Status = Status.NotAvailable
                    Reason = Some "--packages fetches it"
                }
        ]

    let lines = texts 120 (full @ absent)
    Assert.Contains("  11 rows (not available): --packages fetches it", lines)
    Assert.DoesNotContain(lines, fun line -> line.Contains "package-3 " && line.Contains "(not")

[<Fact>]
let ``a sentence is broken between words and keeps them all`` () =
    let words =
        Gen.listOf (Gen.elements [ "a"; "long"; "sentence"; "of"; "interpretation" ])

    Laws.forEach 200 words (fun words ->
        let lines = Wrap.within 40 "  " (String.concat " " words)

        lines |> List.forall (fun line -> line.Length <= 40 && line.StartsWith "  ")
        && (lines |> List.map _.Trim() |> String.concat " " |> _.Trim()) = String.concat " " words)

[<Fact>]
let ``a column without figures is left out`` () =
    let bare = made "x" [ Figures.bytesPerOperation, Some(Measured.Plain 1.0) ]
    let heading = List.head (texts 200 [ bare ])
    Assert.Contains("B/op", heading)

    for title in [ "B no esc"; "ns/wr"; "HTTP ratio"; "req/s"; "cap %"; "pub %"; "B/req"; "verdict" ] do
        Assert.DoesNotContain(title, heading)

    // One row that has a figure brings the column back, for all.
    let loaded = made "y" [ Figures.httpRequestsPerSecond, Some(Measured.Plain 5000.0) ]
    Assert.Contains("req/s", List.head (texts 200 [ bare; loaded ]))

let private shown isAll results =
    ResultsText.lines 80 isAll results |> List.map snd

[<Fact>]
let ``the answer comes first, then the control, then the table`` () =
    let answer = Answer.ofRows [ "strand"; "task" ] "plain code" full

    let run =
        { results full with
            Answer = answer
            Controls = [ control Measure.InProcess true "1.00 (0.99-1.01)" ]
        }

    let lines = shown false run
    Assert.Equal("pooled-value-task+sync-fn costs 1.27 x plain code.", lines[0])
    Assert.Equal("A/A control sync-again: 1.00 (0.99-1.01) in process.", lines[1])
    Assert.StartsWith("candidate", lines[3])
    Assert.Contains("no A/A control", (shown false { run with Controls = [] })[1])

[<Fact>]
let ``the answer names rows by their ids, because one candidate may have several`` () =
    let of' id cost =
        { made id [ Figures.cpuRatio, Some(ratio cost cost cost) ] with Candidate = "old" }

    Assert.Equal(
        "old+size=9 costs 1.05 x small, old+size=99 2.5 x.",
        Answer.ofRows [] "small" [ of' "old+size=99" 2.5; of' "old+size=9" 1.05 ]
    )

[<Fact>]
let ``warnings are one line, and all of them with --warnings`` () =
    let run = { results full with Warnings = [ "first of them"; "second of them" ] }
    let few = words (shown false run)
    Assert.Contains("2 warnings, trust in this run: fair (rely on bytes", few)
    Assert.DoesNotContain("first of them", few)
    let all = words (shown true run)
    Assert.Contains("warning: first of them", all)
    Assert.Contains("warning: second of them", all)

[<Fact>]
let ``the trust in a run follows from its warnings and controls`` () =
    let sound =
        { results full with
            Controls = [ control Measure.InProcess true "1.00" ]
            Warnings = [ "something" ]
        }

    let missed = [ control Measure.InProcess false "1.50" ]
    let half = control Measure.OverHttp true "1.00" :: missed

    for run, word in
        [
            sound, "fair (rely on bytes, and on ratios"
            { sound with Warnings = [] }, "good (rely on bytes, and on ratios"
            { sound with Settings = { sound.Settings with Launches = 2 } }, "low (fewer than three launches"
            { sound with Figures = [ Figures.cpuRatio ] }, "fair (rely on ratios whose intervals are narrow)"
            { sound with
                Figures = [ Figures.cpuRatio ]
                Settings = { sound.Settings with Launches = 2 }
            },
            "low (fewer than three launches)"
            { sound with Rows = [] }, "fair (small differences"
            { sound with Complete = false }, "low (the run is not complete"
            { sound with Controls = missed }, "low (rely on bytes in process"
            { sound with Controls = half }, "fair (nothing is judged in process"
            { sound with Controls = missed; Figures = [ Figures.httpBytesPerRequest ] },
            "none (nothing is judged"
            { sound with Invalid = true }, "none (compare nothing"
        ] do
        Assert.StartsWith(word, run.Trust)
        use written = System.Text.Json.JsonDocument.Parse(ResultsJson.write run)
        Assert.Equal(run.Trust, string (written.RootElement.GetProperty("trust").GetString()))

[<Fact>]
let ``explanations are aligned after the longest name, and no line is too long`` () =
    let lines =
        TextTable.described 30 [ "a", "one two three four five six"; "longer", "x"; "b", "" ]

    Assert.Equal<string list>(
        [ "a       one two three four"; "        five six"; "longer  x"; "b" ],
        lines |> List.map _.TrimEnd()
    )

[<Fact>]
let ``explanations stand below names that leave them no room`` () =
    let lines =
        TextTable.described
            30
            [ "  requests    [retried, redirected]", "0, 0"; "a", "one two three four five six seven" ]

    Assert.Equal<string list>(
        [
            "  requests [retried,"
            "  redirected]"
            "      0, 0"
            "a"
            "    one two three four five"
            "    six seven"
        ],
        lines
    )

[<Fact>]
let ``the table of a panel fits, and names the columns that it omits`` () =
    let columns =
        Column.words "what" :: [ for at in 1..12 -> Column.figure $"figure-{at}" 2 ]

    let rows = [ Panel.text "one" :: [ for at in 1..12 -> Panel.number (float at) ] ]
    let panel = Panel.table "t" "T" "" columns rows

    for width in [ 40; 80; 120 ] do
        let lines = ResultsText.panel width panel
        Assert.All(lines, fun line -> Assert.True(line.Length <= width, line))
        Assert.Contains("Left out for lack of width", words lines)
        Assert.Contains("figure-12", words lines)

    Assert.DoesNotContain("Left out", words (ResultsText.panel 300 panel))
