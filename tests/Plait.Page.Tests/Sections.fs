// Under test: which sections a page has, in what order, and where a measure whose control failed is marked.
namespace Plait.Page.Tests

open Xunit

open Plait.Page.Tests.Samples

type Sections(browser: Browser) =
    let sections (opened: Opened) =
        opened.Page.EvaluateAsync<string[]>
            "() => [...document.querySelectorAll('main > section')].map(s => s.id)"

    [<Fact>]
    member _.``a page of panels alone has no sections about rows, but key figures, command, environment and data``
        ()
        =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! shown = sections opened

            let expected =
                [
                    "panel-latency-over-time"
                    "facts"
                    "panel-requests"
                    "panel-percentiles"
                    "panel-in-flight"
                    "panel-results"
                    "panel-latency-table"
                    "panel-routes"
                    "panel-wall"
                    "reading-guide"
                    "reproduce"
                    "environment"
                ]

            Assert.Equal<string list>(expected, List.ofArray shown)

            let! links =
                opened.Page.Locator("nav a").EvaluateAllAsync<string[]>
                    "all => all.map(a => a.getAttribute('href').slice(1))"

            Assert.Equal<string list>(expected, List.ofArray links)
            let! command = opened.Text "#command"
            Assert.StartsWith("plait attack", command)
            let! json = opened.Count "#download-json"
            Assert.Equal(1, json)
        }

    [<Fact>]
    member _.``the answer is the heading, and each key figure a tile after the first plot``() =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! answer = opened.Text "#answer"
            Assert.StartsWith("1,000 requests a second for 30 s", answer)
            let! tiles = opened.Texts ".fact dt"

            Assert.Equal<string list>(
                [ "Requests"; "p50"; "p99"; "Maximum"; "Generator"; "Run" ],
                List.ofSeq tiles
            )

            let! figure = opened.Page.Locator(".fact strong").Nth(1).InnerTextAsync()
            Assert.Equal("1.31 ms", figure)
        }

    [<Fact>]
    member _.``the rows' plots come first, then the panels, then the table of all figures``() =
        task {
            use! opened = browser.Open("in-process", View.Desk)
            let! shown = sections opened

            Assert.Equal<string list>(
                [
                    "panel-cpu-in-process"
                    "panel-bytes"
                    "panel-threads"
                    "panel-wall"
                    "panel-rows"
                    "facts"
                    "reading-guide"
                    "reproduce"
                    "environment"
                ],
                List.ofArray shown
            )

            let! text = opened.Text "body"
            Assert.DoesNotContain("request", text)
            Assert.DoesNotContain("FizzBuzz", text)
        }

    [<Fact>]
    member _.``a long text on the task of the run is opened on demand``() =
        task {
            use! opened = browser.Open("over-http", View.Desk)
            let text = opened.Page.Locator "#summary p"
            let! before = text.IsVisibleAsync()
            Assert.False before
            do! opened.Page.Locator("#summary summary").PressAsync "Enter"
            let! said = text.InnerTextAsync()
            Assert.StartsWith("A library in F#", said)
        }

    [<Theory>]
    [<InlineData("control-failed", 1280)>]
    [<InlineData("control-failed", 390)>]
    [<InlineData("nothing-judged", 1280)>]
    member _.``a measure whose control failed is marked at its plots and in its columns, and nowhere else``
        (sample: string, width: int)
        =
        task {
            use! opened = browser.Open(sample, { View.Desk with Width = width })
            let marks = opened.Page.Locator ".not-judged"

            let! marked =
                marks.EvaluateAllAsync<string[]> "all => all.map(e => e.closest('section').id)"

            let panels =
                (results sample)?panels.AsArray()
                |> Seq.choose Option.ofObj
                |> Seq.filter (fun panel -> not (isNull panel["notJudged"]))
                |> List.ofSeq

            Assert.Equal<string list>(
                panels |> List.map (fun panel -> "panel-" + string panel?id),
                List.ofArray marked
            )

            let! said = marks.AllInnerTextsAsync()

            for panel, said in Seq.zip panels said do
                Assert.Contains(string panel?notJudged, said)

            let! colour =
                marks.First.EvaluateAsync<string> "e => getComputedStyle(e).borderLeftColor"

            Assert.Equal("rgb(179, 38, 30)", colour)

            let! trust = opened.Text "#trust"

            for control in (results sample)?controls.AsArray() |> Seq.choose Option.ofObj do
                let mark = if control?held.GetValue<bool>() then "" else ", not judged"
                Assert.Contains($"{string control?ratio} {string control?measure}{mark}", trust)

            let! groups = opened.Texts "#panel-rows th.group"
            Assert.Contains("over HTTP, not judged", groups)
            Assert.Equal((sample = "nothing-judged"), Seq.contains "in process, not judged" groups)

            // What held is judged: with its answer, its verdicts and the best of its columns.
            let! answers = opened.Count "#answer"
            Assert.Equal((if sample = "control-failed" then 1 else 0), answers)

            let! badge = opened.Text "#badge"
            Assert.Equal((if sample = "control-failed" then "complete" else "nothing is judged"), badge)

            let! labels =
                opened.Page.Locator("[role=img]").EvaluateAllAsync<string[]>
                    "all => all.map(e => e.closest('section').id + ' ' + e.getAttribute('aria-label'))"

            for label in labels |> Array.filter _.StartsWith("panel-cpu-in-process ") do
                Assert.Equal((sample = "control-failed"), label.Contains "slower")

            for label in labels |> Array.filter _.StartsWith("panel-cpu-over-http ") do
                Assert.Contains("not judged", label)

                for word in [ "slower"; "faster"; "unresolved" ] do
                    Assert.DoesNotContain(word, label)
        }

    [<Fact>]
    member _.``the reason for the run's length, and the dropped pairs, are in the section about the machine``
        ()
        =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! said = opened.Text "#environment"
            Assert.Contains("every interval is at most 5.0 % wide after 3 launches", said)
            Assert.Contains("task 2", said)
            Assert.DoesNotContain("strand 0", said)
            Assert.Contains("0.04", said)
            Assert.DoesNotContain("0.037", said)
        }

    [<Fact>]
    member _.``rows with fewer launches than others are named``() =
        task {
            let short = results "full"
            let task = items "cpu-in-process" short |> List.last
            let launches = task?launches.AsArray()

            while launches.Count > 1 do
                launches.RemoveAt(launches.Count - 1)

            use! opened = browser.OpenText(pageWith (short.ToJsonString()), View.Desk)
            let! facts = opened.Text "#facts"
            Assert.Contains("up to 3 launches", facts)
            use! even = browser.Open("full", View.Desk)
            let! facts = even.Text "#facts"
            Assert.DoesNotContain("up to", facts)
        }

    [<Theory>]
    [<InlineData("full", "Ratio|Interval|A/A control|Verdict|+ sync-fn|Order of trust")>]
    [<InlineData("attack", "Ratio|Interval|Verdict|Percentile axis|Thinned points")>]
    [<InlineData("control-failed", "Ratio|Interval|A/A control|Verdict|+ sync-fn|Order of trust")>]
    [<InlineData("nothing-judged", "Ratio|Interval|A/A control|+ sync-fn|Order of trust")>]
    member _.``the words that a page uses are explained on it, and no others``
        (sample: string, words: string)
        =
        task {
            use! opened = browser.Open(sample, View.Desk)
            let! terms = opened.Texts "#reading-guide dt"
            Assert.Equal<string list>(List.ofArray (words.Split '|'), List.ofSeq terms)
        }

    [<Fact>]
    member _.``a link to a panel opens the page at that panel``() =
        task {
            use! opened = browser.Open("attack", View.Desk)

            do!
                opened.Page.EvaluateAsync("() => { location.hash = '#panel-wall'; location.reload() }")
                :> System.Threading.Tasks.Task

            do!
                opened.Page.WaitForFunctionAsync(
                    "() => { const s = document.getElementById('panel-wall'); return s && Math.abs(s.getBoundingClientRect().top) < 300 }"
                )
                :> System.Threading.Tasks.Task
        }
