// Under test: zoom, scale, legend and reading of the curves, by mouse and by keyboard.
namespace Plait.Page.Tests

open System.Threading.Tasks
open Microsoft.Playwright
open Xunit

type Zooming(browser: Browser) =
    let panel (opened: Opened) =
        opened.Page.Locator "#panel-latency-over-time"

    let box (opened: Opened) = (panel opened).Locator ".zoomable"

    let ticks (opened: Opened) axis =
        task {
            do! opened.Settle()
            return! (panel opened).Locator($".ticks-{axis} text").AllTextContentsAsync()
        }

    let range (opened: Opened) =
        task {
            do! opened.Settle()
            return! (panel opened).Locator(".range").EvaluateAsync<string> "e => e.textContent"
        }

    let control (opened: Opened) (name: string) =
        (panel opened).GetByRole(AriaRole.Button, LocatorGetByRoleOptions(Name = name))

    let open' width =
        task {
            let! opened = browser.Open("attack", { View.Desk with Width = width })

            do!
                opened.Page.AddStyleTagAsync(
                    PageAddStyleTagOptions(Content = "html { scroll-behavior: auto }")
                )
                :> Task

            do! (box opened).ScrollIntoViewIfNeededAsync()
            let! frame = (box opened).BoundingBoxAsync()
            return opened, frame |> Option.ofObj |> Option.get
        }

    [<Fact>]
    member _.``a drag shows the part it crosses, and Reset or a double click shows all again``() =
        task {
            let! opened, frame = open' 1280
            use opened = opened
            let! all = ticks opened "x"
            let mouse = opened.Page.Mouse
            let y = frame.Y + 150f

            let drag (from: float32) (until: float32) =
                task {
                    do! mouse.MoveAsync(frame.X + frame.Width * from, y)
                    do! mouse.DownAsync()
                    do! mouse.MoveAsync(frame.X + frame.Width * until, y, MouseMoveOptions(Steps = 4))
                    let! shown = (box opened).Locator(".brush").IsVisibleAsync()
                    do! mouse.UpAsync()
                    return shown
                }

            let! brushed = drag 0.3f 0.5f
            Assert.True brushed
            let! shown = range opened
            Assert.Matches(@"^\d.* to \d", shown)
            let! part = ticks opened "x"
            Assert.NotEqual<string list>(List.ofSeq all, List.ofSeq part)
            Assert.All(part, fun label -> Assert.InRange(float label, 7.0, 15.0))
            do! (control opened "Show all").ClickAsync()
            let! again = ticks opened "x"
            Assert.Equal<string list>(List.ofSeq all, List.ofSeq again)
            let! _ = drag 0.6f 0.4f
            let! shown = range opened
            Assert.NotEqual<string>("", shown)
            do! mouse.DblClickAsync(frame.X + frame.Width / 2f, y)
            let! shown = range opened
            Assert.Equal("", shown)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``the wheel scrolls the page until the plot has the focus, and then zooms at the pointer``() =
        task {
            let! opened, frame = open' 1280
            use opened = opened
            do! opened.Page.Mouse.MoveAsync(frame.X + frame.Width / 2f, frame.Y + 150f)
            do! opened.Page.Mouse.WheelAsync(0f, 20f)
            let! shown = range opened
            Assert.Equal("", shown)
            do! (box opened).FocusAsync()
            do! (box opened).ScrollIntoViewIfNeededAsync()
            let! before = opened.Page.EvaluateAsync<float> "() => scrollY"
            do! opened.Page.Mouse.WheelAsync(0f, -480f)
            let! shown = range opened
            let! after = opened.Page.EvaluateAsync<float> "() => scrollY"
            Assert.Matches(" to ", shown)
            Assert.Equal(before, after)
        }

    [<Fact>]
    member _.``plus and minus zoom, arrows move, 0 shows all, and the ends are never passed``() =
        task {
            let! opened, _ = open' 1280
            use opened = opened
            let press (key: string) = (box opened).PressAsync key
            // The dots reach farthest: all plots over time show 30 s but for 1.3 ms.
            do! press "+"
            let! shown = range opened
            Assert.Equal("7.4997\u202fs to 22.499\u202fs", shown)
            do! press "ArrowRight"
            let! shown = range opened
            Assert.Equal("10.5\u202fs to 25.499\u202fs", shown)

            for _ in 1..6 do
                do! press "ArrowRight"

            let! shown = range opened
            Assert.Equal("14.999\u202fs to 29.999\u202fs", shown)
            do! press "ArrowLeft"
            let! shown = range opened
            Assert.Equal("12\u202fs to 26.999\u202fs", shown)

            let! said =
                (panel opened).Locator("[role=status]").EvaluateAsync<string> "e => e.textContent"

            Assert.Equal("Shown: 12\u202fs to 26.999\u202fs.", said)
            do! press "-"
            let! shown = range opened
            Assert.Equal("", shown)
            do! press "+"
            do! press "+"
            do! press "0"
            let! shown = range opened
            Assert.Equal("", shown)
            // However long it is pressed, something is left to see.
            for _ in 1..40 do
                do! press "+"

            let! labels = ticks opened "x"
            Assert.InRange(labels.Count, 2, 30)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``plots over the same axis zoom together, and plots over another do not``() =
        task {
            let! opened, _ = open' 1280
            use opened = opened

            let rangeOf (id: string) =
                task {
                    do! opened.Settle()

                    return!
                        opened.Page.Locator($"#panel-{id} .range").EvaluateAsync<string> "e => e.textContent"
                }

            do! (box opened).PressAsync "+"
            let! requests = rangeOf "requests"
            let! inFlight = rangeOf "in-flight"
            let! percentiles = rangeOf "percentiles"
            Assert.Equal("7.4997\u202fs to 22.499\u202fs", inFlight)
            Assert.Equal("7.4997\u202fs to 22.499\u202fs", requests)
            Assert.Equal("", percentiles)
            // Only the one that was zoomed speaks.
            let! spoken =
                opened.Page.Locator("#panel-in-flight [role=status]").EvaluateAsync<string>
                    "e => e.textContent"

            Assert.Equal("", spoken)
            do! opened.Page.Locator("#panel-in-flight .zoomable").PressAsync "0"
            let! first = range opened
            Assert.Equal("", first)
            do! opened.Page.Locator("#panel-percentiles .zoomable").PressAsync "+"
            let! percentiles = rangeOf "percentiles"
            Assert.Matches("% to .*%", percentiles)
            let! first = range opened
            Assert.Equal("", first)
        }

    [<Fact>]
    member _.``the buttons zoom, and buttons without an effect are disabled``() =
        task {
            let! opened, _ = open' 1280
            use opened = opened
            let! off = (control opened "Zoom out").IsDisabledAsync()
            Assert.True off
            do! (control opened "Zoom in").PressAsync "Enter"
            let! shown = range opened
            Assert.Matches(" to ", shown)
            do! (control opened "Zoom out").PressAsync "Space"
            let! shown = range opened
            Assert.Equal("", shown)
        }

    [<Fact>]
    member _.``the scale is switched between linear and logarithmic``() =
        task {
            let! opened, _ = open' 1280
            use opened = opened
            let! log = ticks opened "y"
            Assert.Contains("10", log)
            Assert.Contains("100", log)
            do! (control opened "Linear scale").ClickAsync()
            let! linear = ticks opened "y"
            Assert.Equal("0", linear[0])
            Assert.Contains("400", linear)
            let! pressed = (control opened "Linear scale").GetAttributeAsync "aria-pressed"
            Assert.Equal("true", pressed)
            do! (control opened "Logarithmic scale").PressAsync "Enter"
            let! again = ticks opened "y"
            Assert.Equal<string list>(List.ofSeq log, List.ofSeq again)
        }

    [<Fact>]
    member _.``the legend hides and shows a series, and the axis follows``() =
        task {
            let! opened, _ = open' 1280
            use opened = opened

            let series () =
                (panel opened).Locator("g.series").CountAsync()

            do! (control opened "maximum").ClickAsync()
            do! opened.Settle()
            let! left = series ()
            Assert.Equal(3, left)
            let! pressed = (control opened "maximum").GetAttributeAsync "aria-pressed"
            Assert.Equal("false", pressed)

            for name in [ "p50"; "p90"; "p99" ] do
                do! (control opened name).PressAsync "Space"

            do! opened.Settle()
            let! left = series ()
            Assert.Equal(0, left)
            do! (control opened "p50").PressAsync "Enter"
            do! opened.Settle()
            let! left = series ()
            Assert.Equal(1, left)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``the pointer and the keyboard read the nearest values``() =
        task {
            let! opened, frame = open' 1280
            use opened = opened
            let tip = (box opened).Locator ".tip"
            do! opened.Page.Mouse.MoveAsync(frame.X + frame.Width / 2f, frame.Y + 120f)
            let! lines = tip.Locator("div").AllInnerTextsAsync()
            Assert.Equal(4, lines.Count)
            Assert.All(lines, fun line -> Assert.Matches(@"\d\u202fms$", line))
            // The highest stands first, as it does in the picture.
            Assert.StartsWith("maximum", lines[0])
            do! opened.Page.Mouse.MoveAsync(5f, 5f)
            let! shown = tip.IsVisibleAsync()
            Assert.False shown
            do! (box opened).PressAsync "Shift+ArrowRight"

            let! first =
                (panel opened).Locator("[role=status]").EvaluateAsync<string> "e => e.textContent"

            Assert.Matches(@"^At \d+\u202fs: maximum .*p50 ", first)

            for _ in 1..4 do
                do! (box opened).PressAsync "Shift+ArrowRight"

            let! later =
                (panel opened).Locator("[role=status]").EvaluateAsync<string> "e => e.textContent"

            Assert.NotEqual<string>(first, later)
            do! (box opened).PressAsync "Escape"
            let! shown = tip.IsVisibleAsync()
            Assert.False shown
        }

    [<Fact>]
    member _.``at phone width the same keys and buttons work, and a drag across zooms``() =
        task {
            let! opened, _ = open' 360
            use opened = opened
            do! (box opened).PressAsync "+"
            let! shown = range opened
            Assert.Matches(" to ", shown)

            let! right =
                (panel opened).Locator("svg.curves").EvaluateAsync<float>
                    "e => e.getBoundingClientRect().right"

            Assert.InRange(right, 250.0, 360.0)

            let! touch =
                (box opened).EvaluateAsync<string> "e => getComputedStyle(e).touchAction"

            Assert.Equal("pan-y", touch)
        }
