// Under test: what each kind of panel draws, and the figures behind it.
namespace Plait.Page.Tests

open System.IO
open System.Threading.Tasks
open Microsoft.Playwright
open Xunit

open Plait.Page.Tests.Samples

type Panels(browser: Browser) =
    let drawn (opened: Opened) (selector: string) =
        opened.Page.Locator(selector).AllTextContentsAsync()

    [<Fact>]
    member _.``lines have a path a series, in its style, and say how many points are left``() =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! paths = opened.Count "#panel-latency-over-time .series path"
            let! dashed = opened.Count "#panel-latency-over-time .series[stroke-dasharray] path"
            Assert.Equal(4, paths)
            Assert.Equal(1, dashed)
            let! said = opened.Texts "#panel-requests .thinned"
            Assert.Equal<string list>([ "6,000 of 30,000 points drawn, maxima kept." ], List.ofSeq said)
            let! notThinned = opened.Count "#panel-latency-over-time .thinned"
            Assert.Equal(0, notThinned)
            // A staircase is made of level and upright strokes alone.
            let! slanted =
                opened.Page
                    .Locator("#panel-in-flight .series path")
                    .EvaluateAsync<int>(
                        """e => { const p = e.getAttribute("d").slice(1).split("L").map(t => t.split(",").map(Number));
                        return p.filter(([x, y], i) => i > 0 && x !== p[i - 1][0] && y !== p[i - 1][1]).length }"""
                    )

            Assert.Equal(0, slanted)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``percentiles stand on an axis on which 90, 99 and 99,9 are equally far apart``() =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! labels = drawn opened "#panel-percentiles .ticks-x text"

            Assert.Equal<string list>(
                [ "50\u202f%"; "90\u202f%"; "99\u202f%"; "99.9\u202f%"; "99.99\u202f%" ],
                List.ofSeq labels
            )

            let! places =
                opened.Page.Locator("#panel-percentiles .ticks-x text").EvaluateAllAsync<float[]>
                    "all => all.map(t => t.transform.baseVal.consolidate().matrix.e)"

            for apart in Seq.pairwise places[1..] |> Seq.map (fun (a, b) -> b - a) do
                Assert.Equal(places[2] - places[1], apart, 0.01)
        }

    [<Fact>]
    member _.``a forest has a dot and a whisker an item, hollow marks for the second figure, and the line of reference``
        ()
        =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! values = opened.Count "#panel-routes .values > *"
            let! whiskers = opened.Count "#panel-routes .whiskers > line"
            let! others = opened.Count "#panel-routes .others > *"
            let! launches = opened.Count "#panel-routes .launches > *"
            Assert.Equal(2, launches)
            let! reference = opened.Count "#panel-routes .base-line > line"
            Assert.Equal<int list>([ 5; 5; 3; 1 ], [ values; whiskers; others; reference ])
            let! box = opened.Page.Locator("#panel-routes .plot > svg").BoundingBoxAsync()
            let box = box |> Option.ofObj |> Option.get
            do! opened.Page.Locator("#panel-routes .plot").ScrollIntoViewIfNeededAsync()
            // The pointer on the last line: its note stands in the tooltip.
            do!
                opened.Page
                    .Locator("#panel-routes .plot > svg")
                    .HoverAsync(
                        LocatorHoverOptions(Position = Position(X = box.Width * 0.6f, Y = box.Height - 20f))
                    )

            do!
                opened.Page
                    .Locator("#panel-routes [aria-label=tip]")
                    .GetByText("the pool starved")
                    .WaitForAsync()
        }

    [<Fact>]
    member _.``the band of the margin hides no interval``() =
        task {
            use! opened = browser.Open("attack", View.Desk)

            let! order =
                opened.Page
                    .Locator("#panel-routes svg :is(.margin-band, .base-line, .whiskers, .values)")
                    .EvaluateAllAsync<string[]>("all => all.map(e => e.getAttribute('class'))")

            Assert.Equal<string list>(
                [ "margin-band"; "base-line"; "whiskers"; "values" ],
                order |> Array.distinct |> List.ofArray
            )
        }

    [<Fact>]
    member _.``bars begin at one line, with outlines for the second figure, on a logarithmic axis where it is wanted``
        ()
        =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! bars = opened.Count "#panel-wall .bars > rect"
            let! outlined = opened.Count "#panel-wall .outlined-bars > rect"
            Assert.Equal(4, bars)
            Assert.Equal(2, outlined)
            let! reference = opened.Count "#panel-wall .reference > line"
            Assert.Equal(1, reference)
            let! text = opened.Page.Locator("#panel-wall .plot > svg").TextContentAsync()
            Assert.Contains("logarithmic", text)

            let! starts =
                opened.Page.Locator("#panel-wall .bars > rect").EvaluateAllAsync<string[]>
                    "all => all.map(r => r.getAttribute('x'))"

            Assert.Single(Array.distinct starts) |> ignore
        }

    [<Fact>]
    member _.``a table sorts by mouse and by keyboard, aligns numbers, and marks the best of a column``() =
        task {
            use! opened = browser.Open("runs", View.Desk)
            let table = opened.Page.Locator "#panel-figures table"

            let first () =
                table.Locator("tbody tr th").AllInnerTextsAsync()

            let head =
                table.GetByRole(AriaRole.Button, LocatorGetByRoleOptions(Name = "p50 (ms)"))

            do! head.ClickAsync()
            let! ascending = first ()
            Assert.Equal<string list>([ "base, 500/s"; "task, 500/s"; "async, 500/s" ], List.ofSeq ascending)
            do! head.PressAsync "Enter"
            let! descending = first ()
            Assert.Equal<string list>(List.ofSeq ascending |> List.rev, List.ofSeq descending)
            let! order = table.Locator("th[aria-sort=descending]").AllInnerTextsAsync()
            Assert.Equal<string list>([ "p50 (ms)" ], order |> Seq.map _.Trim() |> List.ofSeq)
            // Most requests a second are best, and the lowest of either percentile.
            let! best = table.Locator("td.best").AllTextContentsAsync()
            Assert.Equal(3, best.Count)
            Assert.All(best, fun text -> Assert.EndsWith("(best)", text))

            let! align =
                table.Locator("tbody td").First.EvaluateAsync<string> "e => getComputedStyle(e).textAlign"

            Assert.Equal("right", align)

            let! wrap =
                table.Locator("tbody td.words").First.EvaluateAsync<string>
                    "e => getComputedStyle(e).whiteSpace"

            Assert.Equal("normal", wrap)
        }

    [<Fact>]
    member _.``every panel hands out its figures: a table behind a disclosure, and a CSV with every one of them``
        ()
        =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let details = opened.Page.Locator "#panel-percentiles details"
            do! details.Locator("summary").PressAsync "Enter"
            // the table is made when the browser tells of the opening
            do! details.Locator("tbody th").First.WaitForAsync()
            let! series = details.Locator("table").First.Locator("tbody th").AllInnerTextsAsync()

            Assert.Equal<string list>(
                [ "from intended start"; "from actual sending"; "lag of the generator" ],
                List.ofSeq series
            )

            for id in [ "percentiles"; "latency-over-time"; "routes"; "wall"; "latency-table" ] do
                let section = opened.Page.Locator $"#panel-{id}"

                do!
                    section.Locator("details").EvaluateAllAsync("all => all.forEach(d => d.open = true)")
                    :> Task

                let! got =
                    opened.Page.RunAndWaitForDownloadAsync(fun () ->
                        section.GetByText("Download CSV").ClickAsync())

                Assert.Equal($"{id}.csv", got.SuggestedFilename)
                let! path = got.PathAsync()
                let lines = File.ReadAllLines path
                let plot = (panel id (results "attack"))?plot

                let expected =
                    match string plot?kind with
                    | "table" -> plot?rows.AsArray().Count
                    | "forest"
                    | "bars" -> plot?items.AsArray().Count
                    | _ ->
                        plot?series.AsArray()
                        |> Seq.choose Option.ofObj
                        |> Seq.sumBy (fun series -> series?points.AsArray().Count)

                Assert.Equal(expected + 1, lines.Length)

            Assert.Empty opened.Errors
            Assert.Empty opened.Requests
        }

    [<Fact>]
    member _.``a label has one colour in all panels, and no two series of a panel share one``() =
        task {
            use! opened = browser.Open("runs", View.Desk)

            let colours (id: string) =
                opened.Page.Locator($"#{id} .of-series").EvaluateAllAsync<string[]>
                    "all => all.map(b => b.textContent + ' ' + b.querySelector('path').getAttribute('stroke'))"

            let! first = colours "panel-percentiles"
            let! second = colours "panel-p99"
            Assert.Equal<string[]>(first, second)

            Assert.Equal(
                3,
                first
                |> Array.map (fun text -> text.Split(' ') |> Array.last)
                |> Array.distinct
                |> Array.length
            )
        }
