// Under test: which sections a page has. Rows alone, panels alone, both, one place of measuring or two.
namespace Plait.Page.Tests

open System.Text.Json.Nodes
open Xunit

open Plait.Page.Tests.Samples

type Sections(browser: Browser) =
    let sections (opened: Opened) =
        opened.Page.EvaluateAsync<string[]>
            "() => [...document.querySelectorAll('main > section')].map(s => s.id)"

    let count (opened: Opened) (selector: string) =
        opened.Page.Locator(selector).CountAsync()

    [<Fact>]
    member _.``a page of panels alone has no sections about rows, but header, command, environment and data``
        ()
        =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! shown = sections opened

            let expected =
                [
                    "panel-latency-over-time"
                    "panel-requests"
                    "panel-percentiles"
                    "panel-in-flight"
                    "panel-fates"
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
            let! command = opened.Page.Locator("#command").InnerTextAsync()
            Assert.StartsWith("plait attack", command)
            let! json = count opened "#download-json"
            let! csv = count opened "#download-csv"
            Assert.Equal(1, json)
            Assert.Equal(0, csv)
        }

    [<Fact>]
    member _.``the facts are the heading: their sentence, and a tile for each figure``() =
        task {
            use! opened = browser.Open("attack", View.Desk)
            let! reading = opened.Page.Locator("#reading").InnerTextAsync()
            Assert.StartsWith("1,000 requests a second for 30 s", reading)
            let! tiles = opened.Page.Locator(".fact dt").AllInnerTextsAsync()

            Assert.Equal<string list>(
                [ "Requests"; "p50"; "p99"; "Maximum"; "Generator"; "Run" ],
                List.ofSeq tiles
            )

            let! figure = opened.Page.Locator(".fact strong").Nth(1).InnerTextAsync()
            Assert.Equal("1.31 ms", figure)
        }

    [<Fact>]
    member _.``rows and panels are both shown, the panels after the plots of the rows``() =
        task {
            let both = results "full"
            both["panels"] <- (results "attack")?panels.DeepClone()
            use! opened = browser.OpenText(pageWith (both.ToJsonString()), View.Desk)
            let! shown = sections opened

            Assert.Equal<string list>(
                [ "cpu"; "bytes"; "capacity"; "panel-latency-over-time" ],
                List.ofArray shown[..3]
            )

            Assert.Equal<string list>(
                [ "panel-wall"; "reading-guide"; "table"; "reproduce"; "environment" ],
                List.ofArray shown[10..]
            )

            let! csv = count opened "#download-csv"
            Assert.Equal(1, csv)
        }

    [<Fact>]
    member _.``without HTTP there is no capacity, no choice of place, and no word of requests``() =
        task {
            use! opened = browser.Open("in-process", View.Desk)
            let! shown = sections opened

            Assert.Equal<string list>(
                [ "cpu"; "bytes"; "panel-threads"; "panel-wall" ],
                List.ofArray shown[..3]
            )

            let! choices = count opened "#cpu .choice"
            Assert.Equal(0, choices)
            let! heads = opened.Page.Locator("#full-table .group").AllInnerTextsAsync()
            Assert.Equal<string list>([ "Row"; "Bytes"; "In process"; "About" ], List.ofSeq heads)
            let! text = opened.Page.Locator("body").InnerTextAsync()
            Assert.DoesNotContain("request", text)
            Assert.DoesNotContain("FizzBuzz", text)
            Assert.DoesNotContain("escape analysis", text)
            Assert.Contains("per operation in process", text)
        }

    [<Fact>]
    member _.``without figures in process there are no bytes, and capacity without a word of publications``
        ()
        =
        task {
            use! opened = browser.Open("over-http", View.Desk)
            let! shown = sections opened
            Assert.Equal<string list>([ "cpu"; "capacity"; "panel-percentiles" ], List.ofArray shown[..2])
            let! reading = opened.Page.Locator("#reading").InnerTextAsync()
            Assert.Contains("per request over HTTP", reading)
            let! capacity = opened.Page.Locator("#capacity").InnerTextAsync()
            Assert.DoesNotContain("publish", capacity)
        }

    [<Fact>]
    member _.``what was published stays where there is nothing of ours beside it``() =
        task {
            let only = results "full"

            for row in rows only do
                row["http"] <- null

            use! opened = browser.OpenText(pageWith (only.ToJsonString()), View.Desk)
            let! published = count opened "#capacity-plot .published > *"
            Assert.Equal(only?published.AsArray().Count, published)
        }

    [<Fact>]
    member _.``why the run measured as long as it did, and which pairs it dropped, stands with the machine``
        ()
        =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! said = opened.Page.Locator("#environment").InnerTextAsync()
            Assert.Contains("every interval is at most 5.0 % wide after 3 launches", said)
            Assert.Contains("task 2", said)
            Assert.DoesNotContain("strand 0", said)
        }

    [<Fact>]
    member _.``the result in one sentence doubts itself where the base against itself is not 1``() =
        task {
            let doubtful = results "full"
            let figure (row: JsonNode) = row?cpuRatio?median

            for row in rows doubtful do
                if string (row?family) = "control" then
                    (figure row).ReplaceWith 1.4
                elif string (row?id) = "strand-bare+sync-fn" then
                    row["verdict"] <- JsonValue.Create "same"

            (doubtful?environment)["stealPercent"] <- JsonValue.Create 0.037202380952
            use! sure = browser.Open("full", View.Desk)
            let! before = sure.Page.Locator("#reading").InnerTextAsync()
            Assert.Contains(", unresolved)", before)
            Assert.DoesNotContain("against itself", before)
            use! opened = browser.OpenText(pageWith (doubtful.ToJsonString()), View.Desk)
            let! after = opened.Page.Locator("#reading").InnerTextAsync()
            Assert.DoesNotContain("unresolved", after)
            Assert.Contains("The base against itself came out at 1.40", after)
            let! environment = opened.Page.Locator("#environment").InnerTextAsync()
            Assert.Contains("0.04", environment)
            Assert.DoesNotContain("0.037", environment)
        }

    [<Fact>]
    member _.``one launch has no spread, and rows that had fewer launches are told``() =
        task {
            let short = results "full"
            let task = rows short |> List.find (fun row -> string (row?id) = "task")
            let launches = task?cpuRatio?launches.AsArray()

            while launches.Count > 1 do
                launches.RemoveAt(launches.Count - 1)

            use! opened = browser.OpenText(pageWith (short.ToJsonString()), View.Desk)
            let! facts = opened.Page.Locator("header .facts").InnerTextAsync()
            Assert.Contains("up to ", facts)

            let! spreads =
                opened.Page.EvaluateAsync<string[]>(
                    "() => { const heads = [...document.querySelectorAll('#full-table thead tr:last-child th')].map(h => h.innerText.trim()); const at = heads.findIndex(h => h.startsWith('Spread')); return [...document.querySelectorAll('#full-table tbody tr')].filter(r => r.cells[0].innerText.trim() === 'task { }').map(r => r.cells[at].innerText.trim()) }"
                )

            Assert.Equal<string list>([ "–" ], List.ofArray spreads)
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
