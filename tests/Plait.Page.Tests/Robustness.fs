// Under test: results that are empty, broken, hostile or many. The page always says what is missing, and why.
namespace Plait.Page.Tests

open System.Text.Json.Nodes
open System.Threading.Tasks
open Xunit

open Plait.Page.Tests.Samples

type Robustness(browser: Browser) =
    [<Theory>]
    [<InlineData("full")>]
    [<InlineData("failed")>]
    [<InlineData("control-failed", Traits = [| "run"; "more" |])>]
    [<InlineData("hostile")>]
    [<InlineData("sixty")>]
    [<InlineData("nulls", Traits = [| "run"; "more" |])>]
    [<InlineData("one-launch", Traits = [| "run"; "more" |])>]
    [<InlineData("empty", Traits = [| "run"; "more" |])>]
    [<InlineData("all-failed")>]
    [<InlineData("nothing", Traits = [| "run"; "more" |])>]
    [<InlineData("attack")>]
    [<InlineData("in-process", Traits = [| "run"; "more" |])>]
    [<InlineData("over-http", Traits = [| "run"; "more" |])>]
    [<InlineData("runs")>]
    [<InlineData("million")>]
    [<InlineData("broken")>]
    [<InlineData("earlier", Traits = [| "run"; "more" |])>]
    member _.``a page asks the network for nothing, reports no error, and never scrolls sideways``
        (sample: string)
        =
        task {
            use! opened = browser.Open(sample, View.Desk)

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
    member _.``the page of a run without rows: nothing was measured``() =
        task {
            use! opened = browser.Open("empty", View.Desk)
            let! answer = opened.Text "#answer"
            let! badge = opened.Text "#badge"
            Assert.Equal("Nothing was measured before this run ended.", answer)
            Assert.Equal("incomplete: stopped early", badge)
        }

    [<Fact>]
    member _.``the page of a run whose rows all failed has the reason``() =
        task {
            use! opened = browser.Open("all-failed", View.Desk)
            let! answer = opened.Text "#answer"
            Assert.StartsWith("No row was measured to the end", answer)
            let! lines = opened.Texts "#not-measured li"
            Assert.Equal<string list>([ "20 rows failed: It could not be started." ], List.ofSeq lines)
        }

    [<Fact>]
    member _.``rows without a full result are one line a reason, and the rows of a reason are opened on demand``
        ()
        =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let! lines = opened.Texts "#not-measured li"

            Assert.Equal<string list>(
                [
                    "async { } failed: The process ended with exit code 134 while it was warming up."
                    "TaskOrValue wrong answer: It did not give the expected answer; its figures are not plotted."
                    "2 rows not available: The packages are not restored on this machine: --packages fetches them."
                    "hidden task partial: The run was stopped before its HTTP part."
                ],
                List.ofSeq lines
            )

            do! opened.Page.Locator("#not-measured summary").PressAsync "Enter"
            let! rows = opened.Text "#not-measured details p"
            Assert.Equal("TaskOrValue + sync-fn, uply { } (Ply).", rows)
            // The top of the page says how many, and leads there.
            let! link = opened.Text "#trust a"
            Assert.Equal("5 rows without a full result", link)
        }

    [<Fact>]
    member _.``warnings are one line with a count and a word for trust, and are opened on demand``() =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let! line = opened.Text "#warnings summary"
            Assert.Equal("3 warnings · trust in this run: low (the run is not complete)", line)
            let first = opened.Page.Locator("#warnings li").First
            let! before = first.IsVisibleAsync()
            Assert.False before
            do! opened.Page.Locator("#warnings summary").PressAsync "Enter"
            let! said = opened.Texts "#warnings li"
            Assert.Equal(3, said.Count)
            Assert.StartsWith("The load average was 3.1", said[0])
        }

    [<Theory; InlineData true; InlineData false>]
    member _.``the trust line has the run's own word for trust``(invalid: bool) =
        task {
            let doubtful = results "full"
            doubtful["warnings"] <- JsonArray(JsonValue.Create "one")
            doubtful["invalid"] <- JsonValue.Create invalid
            doubtful["trust"] <- JsonValue.Create "little, the moon was full"
            use! opened = browser.OpenText(pageWith (doubtful.ToJsonString()), View.Desk)
            let! line = opened.Text "#warnings summary"
            Assert.Equal("1 warning · trust in this run: little, the moon was full", line)
            let! badge = opened.Text "#badge"
            Assert.Equal(invalid, badge.StartsWith "invalid")
        }

    [<Fact>]
    member _.``strings with markup stay text``() =
        task {
            use! opened = browser.Open("hostile", View.Desk)
            let! hurt = opened.Page.EvaluateAsync<bool> "() => 'hurt' in window"
            Assert.False hurt

            let! foreign =
                opened.Page
                    .Locator("img, iframe, object, svg[onload], script:not([id]):not(:last-of-type)")
                    .CountAsync()

            Assert.Equal(0, foreign)
            let! title = opened.Text "h1"
            Assert.Equal(string (results "hostile")?title, title)
            let! scripts = opened.Count "script"
            Assert.Equal(2, scripts)
        }

    [<Fact>]
    member _.``sixty rows, some with very long names, are all there``() =
        task {
            use! opened = browser.Open("sixty", View.Desk)
            let! lines = opened.Count "#panel-cpu-in-process .values > *"
            let! rows = opened.Count "#panel-rows tbody tr"
            Assert.Equal(59, lines)
            Assert.Equal(60, rows)

            let! outside =
                opened.Page.EvaluateAsync<int>(
                    """() => { const box = document.querySelector("#panel-cpu-in-process svg").getBoundingClientRect();
                        return [...document.querySelectorAll("#panel-cpu-in-process text")]
                          .map(t => t.getBoundingClientRect())
                          .filter(t => t.width > 0 && (t.left < box.left - 1 || t.right > box.right + 1)).length }"""
                )

            Assert.Equal(0, outside)
        }

    [<Fact>]
    member _.``figures without an interval are drawn without a whisker``() =
        task {
            use! opened = browser.Open("nulls", View.Desk)
            let! medians = opened.Count "#panel-cpu-in-process .values > *"

            let! whiskers = opened.Count "#panel-cpu-in-process .whiskers > line"

            Assert.Equal(18, medians)
            Assert.Equal(1, whiskers)
        }

    [<Theory>]
    [<InlineData("{ not json", "damaged")>]
    [<InlineData("", "damaged")>]
    member _.``damaged results are called damaged``(json: string, word: string) =
        task {
            use! opened = browser.OpenText(pageWith json, View.Desk)
            let! said = opened.Text "main"
            Assert.Contains(word, said)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``a page without results says so``() =
        task {
            use! opened = browser.OpenText(Files.page (), View.Desk)
            let! said = opened.Text "main"
            Assert.Contains("holds no results yet", said)
        }

    [<Theory>]
    [<InlineData("""{"schema":"plait-results/5"}""")>]
    [<InlineData("""{"schema":"plait-results/5","panels":{"kind":"lines"}}""")>]
    [<InlineData("""{"schema":"plait-results/5","rows":[null,3,{}],"margin":"wide","facts":7,"controls":{},"environment":[1],"warnings":{},"answer":3}""")>]
    member _.``values of the wrong kind are taken as absent``(json: string) =
        task {
            use! opened = browser.OpenText(pageWith json, View.Desk)
            let! shown = opened.Count "#environment"
            Assert.Equal(1, shown)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``faulty panels are shown as far as possible, each with its fault``() =
        task {
            use! opened = browser.Open("broken", View.Desk)
            let! said = opened.Text "main"
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

    [<Theory>]
    [<InlineData("""{"schema":"plait-results/2"}""", "are of plait-results/2:")>]
    [<InlineData("""{"schema":"plait-results/9","rows":[],"panels":[]}""", "are of plait-results/9:")>]
    [<InlineData("[]", "are of none:")>]
    [<InlineData("null", "are of none:")>]
    member _.``results of another schema, older or newer, are refused in one sentence``
        (json: string, said: string)
        =
        task {
            use! opened = browser.OpenText(pageWith json, View.Desk)
            let! shown = opened.Text "main p"

            Assert.StartsWith(
                "This page shows results of the schema plait-results/5, and these " + said,
                shown
            )

            Assert.DoesNotContain('\n', shown)
            let! sections = opened.Count "section"
            Assert.Equal(0, sections)
            Assert.Empty opened.Errors
        }
