// Under test: the flame graph. What it draws, zoom, search, keyboard, the table of the same figures, colours, deep stacks; and
// what a page of a diagnosis does not say, because nothing was run.
namespace Plait.Page.Tests

open System.IO
open System.Threading.Tasks
open Microsoft.Playwright
open Xunit

type FlameGraph(browser: Browser) =
    let graph = "#panel-stacks"

    /// Opens a sample, and waits until its labels are drawn.
    let openSample (sample: string) (view: View) =
        task {
            let! opened = browser.Open(sample, view)

            let! _ =
                opened.Page.WaitForFunctionAsync
                    "() => [...document.querySelectorAll('.flame .frame rect')].some(r => Number(r.getAttribute('width')) > 100)"

            do! opened.Settle()
            return opened
        }

    let said (opened: Opened) (expected: string) : Task =
        opened.Page.Locator($"{graph} .frame-said", PageLocatorOptions(HasText = expected)).WaitForAsync()

    let frame (opened: Opened) (name: string) =
        opened.Page.Locator $"{graph} .frame[name='{name}']"

    /// The names of the frames that have some width.
    let shown (opened: Opened) =
        opened.Page.EvaluateAsync<string[]>(
            """graph => [...document.querySelectorAll(graph + " .frame")].filter(f => Number(f.getAttribute("width")) > 0.5)
                .map(f => f.getAttribute("name"))""",
            graph
        )

    [<Fact>]
    member _.``a frame is as wide as its share, above the one that called it, and has its note on pointing``
        ()
        =
        task {
            use! opened = openSample "doctor" View.Desk
            let! names = shown opened

            Assert.Equal<string list>(
                [
                    "Import.parse"
                    "Import.run"
                    "Orders.handle"
                    "Orders.price"
                    "Orders.work"
                    "Stock.reserve"
                    "all"
                ],
                List.sort (List.ofArray names)
            )

            // Boxes change while the page is laid out: those of one moment are compared.
            let! _ =
                opened.Page.WaitForFunctionAsync(
                    """graph => {
                        const box = name => document.querySelector(`${graph} .frame[name='${name}'] rect`).getBoundingClientRect();
                        const [all, work, handle] = ["all", "Orders.work", "Orders.handle"].map(box);
                        return Math.abs(work.width / all.width - 0.85) < 0.01 && all.y - 60 <= work.y && work.y <= handle.y - 1
                            && handle.y <= all.y - 1;
                    }""",
                    graph
                )

            do! (frame opened "Orders.work").HoverAsync()
            let! tip = opened.Text $"{graph} .tip"
            Assert.Contains("src/Orders.fs:10, sleeps (Thread.Sleep)", tip)
            Assert.Contains("1,700 of 2,000 samples (85\u202f%)", tip)
            Assert.Empty opened.Errors
            Assert.Empty opened.Requests
        }

    [<Fact>]
    member _.``blocked frames are warm, by kind, running ones cool, and the legend names the colours``() =
        task {
            use! opened = openSample "doctor" View.Desk

            let colour (name: string) =
                (frame opened name).Locator("rect").GetAttributeAsync "fill"

            let! work = colour "Orders.work"
            let! reserve = colour "Stock.reserve"
            let! parse = colour "Import.parse"
            let! handle = colour "Orders.handle"

            Assert.Equal<string list>(
                [ "var(--flame-1)"; "var(--flame-2)"; "var(--flame-work)"; "var(--flame-none)" ],
                [ string work; string reserve; string parse; string handle ]
            )

            let! legend = opened.Texts $"{graph} .legend li"

            Assert.Equal<string list>(
                [ "sleeps"; "waits for a lock"; "runs"; "only calls others" ],
                List.ofSeq legend
            )
        }

    [<Fact>]
    member _.``a press zooms, minus goes back out, and reset shows all``() =
        task {
            use! opened = openSample "doctor" View.Desk
            do! (frame opened "Orders.price").ClickAsync()
            do! said opened "Shown: Orders.price"
            let! names = shown opened
            Assert.DoesNotContain("Orders.work", names)
            Assert.Contains("Stock.reserve", names)
            do! opened.Page.Locator($"{graph} [title='Zoom out']").ClickAsync()
            do! said opened "Shown: Orders.handle"
            let! names = shown opened
            Assert.Contains("Orders.work", names)
            Assert.DoesNotContain("Import.run", names)
            do! opened.Page.Locator($"{graph} [title='Show all']").ClickAsync()
            do! (frame opened "Import.run").WaitForAsync()
            let! isOff = opened.Page.Locator($"{graph} [title='Show all']").IsDisabledAsync()
            Assert.True isOff
        }

    [<Fact>]
    member _.``the search marks frames by names and notes, and gives their number of samples``() =
        task {
            use! opened = openSample "doctor" View.Desk
            let search = opened.Page.Locator $"{graph} input[type=search]"
            do! search.FillAsync "STOCK.fs"
            do! said opened "1 frame: 200 of 2,000 samples (10\u202f%)."
            let found = opened.Page.Locator $"{graph} rect[fill='var(--flame-found)']"
            let! count = found.CountAsync()
            Assert.Equal(1, count)
            do! search.FillAsync "("
            do! said opened "1 frame: 1,700 of 2,000 samples"
            do! search.FillAsync "nothing like it"
            do! said opened "No frame has that."
            do! search.FillAsync ""
            let! count = found.CountAsync()
            Assert.Equal(0, count)
        }

    [<Fact>]
    member _.``the keyboard moves from frame to frame, announces each, zooms and resets``() =
        task {
            use! opened = openSample "doctor" View.Desk
            let box = opened.Page.Locator $"{graph} .flame"
            do! box.FocusAsync()
            do! opened.Page.Keyboard.PressAsync "ArrowUp"
            do! said opened "Orders.handle, src/Orders.fs:22: 1,900 of 2,000 samples (95\u202f%)."
            do! opened.Page.Keyboard.PressAsync "ArrowUp"
            do! said opened "Orders.work"
            do! opened.Page.Keyboard.PressAsync "ArrowRight"
            do! said opened "Orders.price"

            let! current =
                opened.Page.Locator($"{graph} .frame.current").GetAttributeAsync "name"

            Assert.Equal("Orders.price", current)
            do! opened.Page.Keyboard.PressAsync "Enter"
            do! said opened "Shown: Orders.price"
            do! opened.Page.Keyboard.PressAsync "0"
            let! names = shown opened
            Assert.Contains("Import.run", names)
            let! help = box.GetAttributeAsync "aria-describedby"
            let! keys = opened.Page.Locator($"#{help}").TextContentAsync()
            Assert.Contains("0 shows all", keys)
        }

    [<Fact>]
    member _.``the graph has a description in words, and its figures under it as a table and as CSV``() =
        task {
            use! opened = openSample "doctor" View.Desk

            let! told =
                opened.Page.Locator($"{graph} svg[role=img]").GetAttributeAsync "aria-label"

            Assert.Contains("Orders.work, sleeps, 1,700 of 2,000 samples (85\u202f%)", told)
            do! opened.Page.Locator($"{graph} details.data summary").PressAsync "Enter"
            let rows = opened.Page.Locator $"{graph} details tbody tr"
            do! rows.Nth(5).WaitForAsync()
            let! second = rows.Nth(1).InnerTextAsync()
            Assert.Contains("Orders.work", second)
            Assert.Contains("1,700", second)

            let! download =
                opened.Page.RunAndWaitForDownloadAsync(fun () ->
                    opened.Page.Locator($"{graph} .downloads button").ClickAsync())

            let! path = download.PathAsync()
            let lines = File.ReadAllLines path
            Assert.Equal("depth,name,note,word,samples", lines[0])
            Assert.Equal("1,Orders.work,\"src/Orders.fs:10, sleeps (Thread.Sleep)\",sleeps,1700", lines[2])
            Assert.Equal(7, lines.Length)
        }

    [<Theory>]
    [<InlineData(ColorScheme.Light)>]
    [<InlineData(ColorScheme.Dark)>]
    member _.``every label stands out from its frame by 4,5 or more, also when it is found``
        (scheme: ColorScheme)
        =
        task {
            use! opened = openSample "doctor" { View.Desk with Scheme = scheme }

            let weak () =
                opened.Page.EvaluateAsync<string[]>
                    """() => {
                      const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
                      const light = c => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = c; pen.fillRect(0, 0, 1, 1);
                        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
                      return [...document.querySelectorAll(".flame .frame")].map(f => {
                        const [a, b] = [getComputedStyle(f.querySelector("rect")).fill, getComputedStyle(f.querySelector("div")).color].map(light).sort((x, y) => y - x);
                        return [(a + 0.05) / (b + 0.05), f.getAttribute("name")] }).filter(([c]) => c < 4.5).map(String);
                    }"""

            let! plain = weak ()
            Assert.Empty plain
            do! opened.Page.Locator($"{graph} input[type=search]").FillAsync "o"
            do! said opened "frames"
            let! found = weak ()
            Assert.Empty found
        }

    [<Fact>]
    member _.``when the window changes its width, the graph fits it and keeps its zoom and its search``() =
        task {
            use! opened = openSample "doctor" View.Desk
            do! opened.Page.Locator($"{graph} input[type=search]").FillAsync "Stock"
            do! (frame opened "Orders.price").ClickAsync()
            do! said opened "Shown: Orders.price"
            do! opened.Page.SetViewportSizeAsync(390, 900)
            do! opened.Page.Locator($"{graph} .flame svg[width='358']").WaitForAsync()
            let! names = shown opened
            Assert.DoesNotContain("Orders.work", names)

            do!
                opened.Page
                    .Locator($"{graph} .frame[name='Stock.reserve'] rect[fill='var(--flame-found)']")
                    .WaitForAsync()
        }

    [<Fact>]
    member _.``a graph three hundred calls deep, with names longer than the page, keeps the width of the page``
        ()
        =
        task {
            use! opened = openSample "deep" View.Phone
            let! drawn = opened.Count ".flame .frame"
            Assert.Equal(302, drawn)

            let! over =
                opened.Page.EvaluateAsync<int>
                    "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

            Assert.Equal(0, over)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``a frame is at least as wide as the frames that it calls, and markup in names is text``() =
        task {
            use! opened = browser.Open("broken", View.Desk)
            let graph = opened.Page.Locator "#panel-fl"
            do! graph.Locator(".frame[name='all']").WaitForAsync()

            let! names =
                graph.Locator(".frame").EvaluateAllAsync<string[]>
                    "all => all.map(f => f.getAttribute('name'))"

            Assert.Equal<string list>(
                [ "</script><b>child</b>"; "all"; "less than its child" ],
                List.sort (List.ofArray names)
            )

            let! bold = graph.Locator("b").CountAsync()
            Assert.Equal(0, bold)
            let! empty = opened.Text "#panel-fl0 .empty"
            Assert.Equal("There are no frames to draw.", empty)
        }

    [<Fact>]
    member _.``a page of a diagnosis has no seed, launches, badge, trust or unknown facts``() =
        task {
            use! opened = openSample "doctor" View.Desk
            let! environment = opened.Texts "#environment dt"
            Assert.Equal<string list>([ "Cores"; "Runtime"; "Seen" ], List.ofSeq environment)
            let! facts = opened.Texts ".fact dt"
            Assert.Equal<string list>([ "Queue"; "Completed"; "Blocked"; "CPU" ], List.ofSeq facts)
            let! badges = opened.Count "#badge"
            Assert.Equal(0, badges)
            let! text = opened.Text "body"

            for word in [ "launch"; "trust"; "seed"; "Seed"; "not known"; "Reproduce"; "measured" ] do
                Assert.DoesNotContain(word, text)

            let! title = opened.Text "#reproduce h2"
            Assert.Equal("Look again", title)
        }
