// Under test: header and ranked plots of an ordinary run. Every item has its marks, in the order of the panel.
namespace Plait.Page.Tests

open Microsoft.Playwright
open Xunit

open Plait.Page.Tests.Samples

type Plots(browser: Browser) =
    let inProcess = items "cpu-in-process" (results "full")

    // The names stand in two groups, plain and bold; their height on the plot is their rank.
    let namesByHeight (page: IPage) panel =
        page.EvaluateAsync<string[]>(
            """id => [...document.querySelectorAll(`#${id} .row-name text`)]
                .map(t => [t.getBoundingClientRect().top, t.textContent])
                .sort((a, b) => a[0] - b[0]).map(t => t[1])""",
            panel
        )

    let bottomOf (opened: Opened) (selector: string) =
        opened.Page.Locator(selector).First.EvaluateAsync<float>("e => e.getBoundingClientRect().bottom")

    [<Fact>]
    member _.``the page begins with title, answer and trust``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            let! title = opened.Text "h1"
            let! answer = opened.Text "#answer"
            let! badge = opened.Text "#badge"
            let! trust = opened.Text "#trust"
            Assert.Equal(string (results "full")?title, title)
            Assert.Equal("strand costs 1.23 x plain code, task 2.15 x, async 4.85 x.", answer)
            Assert.Equal("complete", badge)

            for control in (results "full")?controls.AsArray() |> Seq.choose Option.ofObj do
                Assert.Contains(string control?sentence, trust)
        }

    [<Theory>]
    [<InlineData("full", 1280, 800)>]
    [<InlineData("failed", 1280, 800)>]
    [<InlineData("control-failed", 1280, 800)>]
    [<InlineData("attack", 1280, 800)>]
    [<InlineData("full", 390, 1688)>]
    [<InlineData("control-failed", 390, 1688)>]
    [<InlineData("attack", 390, 1688)>]
    member _.``the first plot lies within the first screen of a desk, and within two of a phone``
        (sample: string, width: int, height: int)
        =
        task {
            use! opened = browser.Open(sample, { View.Desk with Width = width })
            let! bottom = bottomOf opened ".plot svg[role=img]"
            Assert.InRange(bottom, 200.0, float height)
        }

    [<Theory>]
    [<InlineData("cpu-in-process")>]
    [<InlineData("cpu-over-http")>]
    [<InlineData("bytes")>]
    [<InlineData("capacity")>]
    member _.``every item has its line, in the order of the panel``(id: string) =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! names = namesByHeight opened.Page $"panel-{id}"

            Assert.Equal<string list>(
                items id (results "full") |> List.map (fun item -> string item?label),
                List.ofArray names
            )
        }

    [<Fact>]
    member _.``every row has its value, its whisker and a dot for each launch, against a band of the margin``
        ()
        =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! values = opened.Count "#panel-cpu-in-process .values > *"
            let! whiskers = opened.Count "#panel-cpu-in-process .whiskers > line"
            let! launches = opened.Count "#panel-cpu-in-process .launches > *"
            let! margin = opened.Count "#panel-cpu-in-process .margin-band > rect"
            let! reference = opened.Count "#panel-cpu-in-process .base-line > line"

            Assert.Equal<int list>(
                [ 19; 19; 19 * 3; 1; 1 ],
                [ values; whiskers; launches; margin; reference ]
            )
        }

    [<Fact>]
    member _.``the whisker of a row spans its interval and no more``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            // The axis is logarithmic here, so equal ratios of figures are equal distances.
            let! spans =
                opened.Page.EvaluateAsync<float[]>(
                    """() => [...document.querySelectorAll("#panel-cpu-in-process .whiskers > line")]
                        .map(l => l.getAttribute("x2") - l.getAttribute("x1"))"""
                )

            let expected =
                inProcess
                |> List.filter (fun item -> item["low"] <> null)
                |> List.map (fun item -> log (number item?high / number item?low))

            Assert.Equal(19, spans.Length)
            let scale = Array.sum spans / List.sum expected

            for span, wanted in Seq.zip spans expected do
                Assert.Equal(wanted * scale, span, 0.5)
        }

    [<Fact>]
    member _.``the legend names every family of the items, each in a colour of its own``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            let! families =
                opened.Page
                    .Locator("#panel-cpu-in-process .legend[aria-label=Colours] li")
                    .EvaluateAllAsync<string[]>
                    "all => all.map(li => li.textContent + ' ' + getComputedStyle(li.firstChild).backgroundColor)"

            let names =
                families |> Array.map (fun text -> text.Substring(0, text.IndexOf " rgb"))

            Assert.Equal<string list>(
                [ "Plait"; "F#"; "C#"; "Other packages"; "As published"; "A/A control" ],
                List.ofArray names
            )

            let colours =
                families |> Array.map (fun text -> text.Substring(text.IndexOf " rgb"))

            Assert.Equal(6, colours |> Array.distinct |> Array.length)
        }

    [<Fact>]
    member _.``the verdict and the launches of a row stand in its tip and in the table of the plot``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            let! box =
                opened.Page.Locator("#panel-cpu-in-process .plot > svg").BoundingBoxAsync()

            let box = box |> Option.ofObj |> Option.get

            // The last line: async, the dearest.
            do!
                opened.Page
                    .Locator("#panel-cpu-in-process .plot > svg")
                    .HoverAsync(
                        LocatorHoverOptions(Position = Position(X = box.Width * 0.6f, Y = box.Height - 16f))
                    )

            let tip = opened.Page.Locator "#panel-cpu-in-process [aria-label=tip]"
            do! tip.GetByText("slower").WaitForAsync()
            do! tip.GetByText("launches").WaitForAsync()
            do! opened.Page.Locator("#panel-cpu-in-process summary").ClickAsync()
            do! opened.Page.Locator("#panel-cpu-in-process details thead th").Last.WaitForAsync()

            let! heads = opened.Texts "#panel-cpu-in-process details thead th"

            Assert.Equal<string list>(
                [ ""; "CPU over base (x)"; "Low"; "High"; "Launches"; "Verdict"; "Note" ],
                List.ofSeq heads
            )

            let! row =
                opened.Page.Locator("#panel-cpu-in-process details tbody tr").Last.InnerTextAsync()

            Assert.Contains("slower", row)
            Assert.Contains("µs CPU", row)
        }

    [<Fact>]
    member _.``bytes have a bar a row and an outlined one, and are written in B, kB and MB``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! bars = opened.Count "#panel-bytes .bars > rect"
            let! outlined = opened.Count "#panel-bytes .outlined-bars > rect"
            Assert.Equal(19, bars)
            Assert.Equal(19, outlined)

            let! values =
                opened.Page.Locator("#panel-bytes .row-value text").AllTextContentsAsync()

            Assert.Contains("225.4\u202fkB", values)
            // The control is a few thousandths of a byte off, and bytes have no decimals.
            let again =
                items "bytes" (results "full") |> List.find (fun item -> string item?family = "control")

            Assert.NotEqual(0.0, number again?value)
            Assert.Contains("0\u202fB", values)
            do! opened.Page.Locator("#panel-bytes summary").ClickAsync()

            let! row =
                opened.Page
                    .Locator("#panel-bytes details tbody tr")
                    .Filter(LocatorFilterOptions(HasText = string again?label))
                    .InnerTextAsync()

            Assert.Equal("0 7,944", row.Replace(string again?label, "").Trim().Replace("\t", " "))
        }

    [<Fact>]
    member _.``capacity shows every row of ours, and a published figure once, on its row's line``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! ours = opened.Count "#panel-capacity .bars > rect"
            let! published = opened.Count "#panel-capacity .outlined-bars > rect"
            Assert.Equal(19, ours)

            Assert.Equal(
                rows (results "full")
                |> List.filter (fun row -> row?published.AsArray().Count > 0)
                |> List.length,
                published
            )
        }
