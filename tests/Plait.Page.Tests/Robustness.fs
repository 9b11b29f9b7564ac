// Under test: results that are empty, broken, hostile or many. The page always says what is missing, and why.
namespace Plait.Page.Tests

open System.Text.Json.Nodes
open System.Threading.Tasks
open Microsoft.Playwright
open Xunit

open Plait.Page.Tests.Samples

type Robustness(browser: Browser) =
    let textOf (opened: Opened) (selector: string) =
        opened.Page.Locator(selector).InnerTextAsync()

    [<Theory>]
    [<InlineData("full")>]
    [<InlineData("failed")>]
    [<InlineData("hostile")>]
    [<InlineData("sixty")>]
    [<InlineData("nulls")>]
    [<InlineData("one-launch")>]
    [<InlineData("close")>]
    [<InlineData("empty")>]
    [<InlineData("all-failed")>]
    [<InlineData("nothing")>]
    [<InlineData("attack")>]
    [<InlineData("in-process")>]
    [<InlineData("over-http")>]
    [<InlineData("runs")>]
    [<InlineData("million")>]
    [<InlineData("broken")>]
    [<InlineData("earlier")>]
    member _.``a page asks the network for nothing, reports no error, and never scrolls sideways``
        (sample: string)
        =
        task {
            use! opened = browser.Open(sample, View.Desk)

            do!
                opened.Page.Locator("#show-http").EvaluateAllAsync("all => all.forEach(b => b.click())")
                :> Task

            do!
                opened.Page.Locator("details").EvaluateAllAsync("all => all.forEach(d => d.open = true)")
                :> Task

            for width in [ 1280; 360; 320 ] do
                do! opened.Page.SetViewportSizeAsync(width, 900)
                do! opened.Settle()

                let! inner =
                    opened.Page.EvaluateAsync<int> "() => document.documentElement.scrollWidth"

                Assert.True(inner <= width, $"The page is {inner} px wide in a window of {width} px.")
                Assert.Empty opened.Requests
                Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``a run without rows says that nothing was measured``() =
        task {
            use! opened = browser.Open("empty", View.Desk)
            let! reading = textOf opened "#reading"
            let! badge = textOf opened "#badge"
            let! main = textOf opened "main"
            Assert.Contains("nothing was measured", reading)
            Assert.Contains("incomplete", badge)
            Assert.Contains("There are no rows.", main)
        }

    [<Theory>]
    [<InlineData("async { }", "failed", "The process ended with exit code 134 while it was warming up.")>]
    [<InlineData("uply { } (Ply)", "not available", "The package Ply is not restored on this machine.")>]
    [<InlineData("hidden task", "partial", "The run was stopped before its HTTP part.")>]
    [<InlineData("TaskOrValue",
                 "wrong answer",
                 "It did not give the expected answer; its figures are not plotted.")>]
    member _.``a row without a full result is listed with its reason``
        (name: string, status: string, reason: string)
        =
        task {
            use! opened = browser.Open("failed", View.Desk)

            let entry =
                opened.Page.Locator("#not-measured dl > div").Filter(LocatorFilterOptions(HasText = reason))

            let! title = entry.Locator("dt").InnerTextAsync()
            Assert.Equal($"{name} {status}", title)

            let! cells =
                opened.Page
                    .Locator("#full-table tbody tr")
                    .Filter(LocatorFilterOptions(HasText = status))
                    .CountAsync()

            Assert.Equal(1, cells)
        }

    [<Fact>]
    member _.``a plot names the rows it leaves out``() =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let! said = textOf opened "#ratio-in-process .left-out"
            Assert.EndsWith(": async { }, TaskOrValue, uply { } (Ply).", said)
            let! medians = opened.Page.Locator("#ratio-in-process .medians > *").CountAsync()
            Assert.Equal(17, medians)
        }

    [<Fact>]
    member _.``warnings stand before the figures, those of the run and those that its errors call for``() =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let! said = opened.Page.Locator("#warnings li").AllInnerTextsAsync()
            Assert.Equal(3, said.Count)
            Assert.StartsWith("The load average was 3.1", said[0])
            Assert.StartsWith("task { }: not every HTTP request succeeded (3 timeout", said[2])

            let! first =
                opened.Page.EvaluateAsync<string> "() => document.querySelector('main').firstElementChild.id"

            Assert.Equal("notices", first)
        }

    [<Fact>]
    member _.``hostile strings stay text``() =
        task {
            use! opened = browser.Open("hostile", View.Desk)
            let! hurt = opened.Page.EvaluateAsync<bool> "() => 'hurt' in window"
            Assert.False hurt

            let! foreign =
                opened.Page
                    .Locator("img, iframe, object, svg[onload], script:not([id]):not(:last-of-type)")
                    .CountAsync()

            Assert.Equal(0, foreign)
            let! title = textOf opened "h1"
            Assert.Equal(string (results "hostile")?title, title)
            let! scripts = opened.Page.Locator("script").CountAsync()
            Assert.Equal(2, scripts)
        }

    [<Fact>]
    member _.``sixty rows, some with very long names, are all there``() =
        task {
            use! opened = browser.Open("sixty", View.Desk)
            let! lines = opened.Page.Locator("#ratio-in-process .medians > *").CountAsync()
            let! rows = opened.Page.Locator("#full-table tbody tr").CountAsync()
            Assert.Equal(60, lines)
            Assert.Equal(60, rows)

            let! outside =
                opened.Page.EvaluateAsync<int>(
                    """() => { const box = document.querySelector("#ratio-in-process svg").getBoundingClientRect();
                        return [...document.querySelectorAll("#ratio-in-process text")]
                          .map(t => t.getBoundingClientRect())
                          .filter(t => t.width > 0 && (t.left < box.left - 1 || t.right > box.right + 1)).length }"""
                )

            Assert.Equal(0, outside)
        }

    [<Fact>]
    member _.``figures without an interval are drawn without a whisker``() =
        task {
            use! opened = browser.Open("nulls", View.Desk)
            let! medians = opened.Page.Locator("#ratio-in-process .medians > *").CountAsync()

            let! whiskers =
                opened.Page.Locator("#ratio-in-process .whiskers > line").CountAsync()

            Assert.Equal(19, medians)
            Assert.Equal(2, whiskers)
        }

    [<Theory>]
    [<InlineData("{ not json", "damaged")>]
    [<InlineData("", "damaged")>]
    member _.``damaged results are called damaged``(json: string, word: string) =
        task {
            use! opened = browser.OpenText(pageWith json, View.Desk)
            let! said = textOf opened "main"
            Assert.Contains(word, said)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``a page without results says so``() =
        task {
            use! opened = browser.OpenText(Files.page (), View.Desk)
            let! said = textOf opened "main"
            Assert.Contains("holds no results yet", said)
        }

    [<Theory>]
    [<InlineData("[]")>]
    [<InlineData("null")>]
    [<InlineData("""{"panels":{"kind":"lines"}}""")>]
    [<InlineData("""{"rows":[null,3,{}],"margin":"wide","published":7,"environment":[1],"warnings":{}}""")>]
    member _.``values of the wrong kind are taken as absent``(json: string) =
        task {
            use! opened = browser.OpenText(pageWith json, View.Desk)
            let! shown = opened.Page.Locator("#environment").CountAsync()
            Assert.Equal(1, shown)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``panels with every fault are shown as far as they can be, and each says what is wrong with it``
        ()
        =
        task {
            use! opened = browser.Open("broken", View.Desk)
            let! said = textOf opened "main"
            Assert.Contains("cannot draw a panel of the kind \"pie\"", said)
            Assert.Contains("There are no points to draw.", said)
            Assert.Contains("There are no rows in this table.", said)
            // Two panels of one id have an anchor each.
            let! ids =
                opened.Page.EvaluateAsync<string[]>
                    "() => [...document.querySelectorAll('[id]')].map(e => e.id)"

            Assert.Equal(Array.length (Array.distinct ids), ids.Length)
            Assert.Contains("panel-same", ids)
            let! hurt = opened.Page.EvaluateAsync<bool> "() => 'hurt' in window"
            Assert.False hurt
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``results of the schema before this one are shown without a warning``() =
        task {
            use! opened = browser.Open("earlier", View.Desk)
            let! warned = opened.Page.Locator("#warnings").CountAsync()
            let! lines = opened.Page.Locator("#ratio-in-process .medians > *").CountAsync()
            Assert.Equal(0, warned)
            Assert.Equal(20, lines)
        }

    [<Fact>]
    member _.``results of another schema are shown with a warning``() =
        task {
            let other = results "full"
            other["schema"] <- JsonValue.Create "plait-results/9"
            use! opened = browser.OpenText(pageWith (other.ToJsonString()), View.Desk)
            let! said = textOf opened "#warnings"
            Assert.Contains("plait-results/9", said)
        }
