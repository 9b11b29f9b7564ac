// Under test: header and plots of an ordinary run. Every row has its marks, in the order of its figures.
namespace Plait.Page.Tests

open Microsoft.Playwright
open Xunit

open Plait.Page.Tests.Samples

type Plots(browser: Browser) =
    let ratio place row = number (cpuRatio place row)?median

    let ranking place =
        rows (results "full") |> List.sortBy (ratio place) |> List.map name

    // The names stand in two groups, plain and bold; their height on the plot is their rank.
    let namesByHeight (page: IPage) figure =
        page.EvaluateAsync<string[]>(
            """id => [...document.querySelectorAll(`#${id} .row-name text`)]
                .map(t => [t.getBoundingClientRect().top, t.textContent])
                .sort((a, b) => a[0] - b[0]).map(t => t[1])""",
            figure
        )

    let countOf (opened: Opened) (selector: string) =
        opened.Page.Locator(selector).CountAsync()

    [<Fact>]
    member _.``the title, the reading and the badge say what was run and how it ended``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            let text (selector: string) =
                opened.Page.Locator(selector).InnerTextAsync()

            let! title = text "h1"
            let! reading = text "#reading"
            let! badge = text "#badge"
            Assert.Equal(string (results "full")?title, title)
            Assert.Equal("complete", badge)
            // The base and the control are no candidates, whatever their ratio.
            Assert.Contains("the least of 18 candidates", reading)
            Assert.StartsWith("strand { } (bare) + sync-fn costs 1.03", reading)
        }

    [<Theory>]
    [<InlineData("ratio-in-process", "inProcess")>]
    [<InlineData("ratio-http", "http")>]
    member _.``every row has its line, ranked by its ratio``(figure: string, place: string) =
        task {
            use! opened = browser.Open("full", View.Desk)
            do! opened.Page.Locator($"#show-{place}").ClickAsync()
            do! opened.Page.Locator($"#{figure} .medians").First.WaitForAsync()
            let! names = namesByHeight opened.Page figure
            Assert.Equal<string list>(ranking place, List.ofArray names)
        }

    [<Fact>]
    member _.``every row has its median, its whisker and a dot for each launch``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! medians = countOf opened "#ratio-in-process .medians > *"
            let! whiskers = countOf opened "#ratio-in-process .whiskers > line"
            let! launches = countOf opened "#ratio-in-process .launches > *"
            let! margin = countOf opened "#ratio-in-process .margin-band > rect"
            Assert.Equal(20, medians)
            Assert.Equal(20, whiskers)
            Assert.Equal(19 * 3, launches)
            Assert.Equal(1, margin)
        }

    [<Fact>]
    member _.``the whisker of a row spans its interval and no more``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            // The axis is logarithmic here, so equal ratios of figures are equal distances.
            let! spans =
                opened.Page.EvaluateAsync<float[]>(
                    """() => [...document.querySelectorAll("#ratio-in-process .whiskers > line")]
                        .map(l => l.getAttribute("x2") - l.getAttribute("x1"))"""
                )

            let expected =
                rows (results "full")
                |> List.sortBy (ratio "inProcess")
                |> List.map (fun row ->
                    let of' = cpuRatio "inProcess" row
                    log (number of'?high / number of'?low))

            Assert.Equal(20, spans.Length)
            let scale = Array.sum spans / List.sum expected

            for span, wanted in Seq.zip spans expected do
                Assert.Equal(wanted * scale, span, 0.5)
        }

    [<Fact>]
    member _.``only one of the two ratio plots is shown at a time``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            let shown (id: string) =
                opened.Page.Locator($"#{id}").IsVisibleAsync()

            let! inProcess = shown "ratio-in-process"
            let! http = shown "ratio-http"
            Assert.True inProcess
            Assert.False http
            do! opened.Page.Locator("#show-http").PressAsync "Enter"
            let! inProcess = shown "ratio-in-process"
            let! http = shown "ratio-http"
            Assert.False inProcess
            Assert.True http
        }

    [<Fact>]
    member _.``the legend names every family of the rows, each in a colour of its own``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            let! families =
                opened.Page.Locator("#cpu .legend[aria-label=Colours] li").EvaluateAllAsync<string[]>
                    "all => all.map(li => li.textContent + ' ' + getComputedStyle(li.firstChild).backgroundColor)"

            let names =
                families |> Array.map (fun text -> text.Substring(0, text.IndexOf " rgb"))

            Assert.Equal<string list>(
                [ "Plait"; "F#"; "C#"; "Other packages"; "As published"; "Base"; "A/A control" ],
                List.ofArray names
            )

            let colours =
                families |> Array.map (fun text -> text.Substring(text.IndexOf " rgb"))

            Assert.Equal(7, colours |> Array.distinct |> Array.length)
        }

    [<Fact>]
    member _.``every row has its bar and its outlined bar``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! bars = countOf opened "#bytes-plot .bars > rect"
            let! outlined = countOf opened "#bytes-plot .outlined-bars > rect"
            Assert.Equal(20, bars)
            Assert.Equal(20, outlined)
        }

    [<Fact>]
    member _.``capacity shows every row of ours and every published figure``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! ours = countOf opened "#capacity-plot .ours > *"
            let! published = countOf opened "#capacity-plot .published > *"
            Assert.Equal(20, ours)
            Assert.Equal((results "full")?published.AsArray().Count, published)
        }

    [<Fact>]
    member _.``a published figure stands once, on the line of the row that is written in its way``() =
        task {
            let annotated = results "full"

            for row in rows annotated do
                for figure in row?published.AsArray() |> Seq.choose Option.ofObj do
                    figure["note"] <- System.Text.Json.Nodes.JsonValue.Create(string figure?note + ", .NET 6")

            let published = annotated?published.AsArray()
            let ofBase = published[0] |> Option.ofObj |> Option.get |> _.DeepClone()
            ofBase["variant"] <- System.Text.Json.Nodes.JsonValue.Create(string annotated?``base``)
            published.Add ofBase

            use! opened = browser.OpenText(pageWith (annotated.ToJsonString()), View.Desk)
            let! published = countOf opened "#capacity-plot .published > *"
            Assert.Equal(annotated?published.AsArray().Count, published)
            let! names = namesByHeight opened.Page "capacity-plot"
            Assert.NotEmpty names
            // What was published of the base has no line of its own.
            Assert.DoesNotContain(string annotated?``base``, names)
        }

    [<Theory>]
    [<InlineData("full", true)>]
    [<InlineData("close", false)>]
    member _.``the ratio axis is logarithmic only where ratios differ by more than four times``
        (sample: string, logarithmic: bool)
        =
        task {
            use! opened = browser.Open(sample, View.Desk)
            let! text = opened.Page.Locator("#ratio-in-process svg").TextContentAsync()
            Assert.Equal(logarithmic, (text |> Option.ofObj |> Option.get).Contains "logarithmic")
        }
