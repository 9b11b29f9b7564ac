// Under test: that everybody can read and use the page. Contrast, keyboard, words for the plots, narrow and printed.
namespace Plait.Page.Tests

open Microsoft.Playwright
open Xunit

/// The colour of the page's background, waited for: a busy browser draws a change of theme when it gets to it.
module private Ground =
    let light = "rgb(253, 253, 251)"
    let dark = "rgb(22, 24, 27)"

    let reaches (opened: Opened) (colour: string) =
        opened.Page.WaitForFunctionAsync(
            "colour => getComputedStyle(document.body).backgroundColor === colour",
            colour
        )
        :> System.Threading.Tasks.Task

type Access(browser: Browser) =
    // The contrast of every text in the document, by the formula of WCAG 2, that falls below 4.5; the background is
    // that of the nearest ancestor that has one. The formula excepts what is switched off.
    let weak =
        """() => {
          const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const rgba = c => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = c; pen.fillRect(0, 0, 1, 1); return pen.getImageData(0, 0, 1, 1).data; };
          const light = c => { const [r, g, b] = [...rgba(c)].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgba(c)[3] > 0) return c; } return "white"; };
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found = [];
          for (let n = walk.nextNode(); n; n = walk.nextNode()) {
            const e = n.parentElement;
            if (!n.textContent.trim() || !e.checkVisibility() || e.closest("script, .skip, :disabled")) continue;
            const style = getComputedStyle(e);
            const ink = e.closest("svg") ? style.fill : style.color;
            const [a, b] = [light(ink), light(ground(e))].sort((x, y) => y - x);
            const contrast = (a + 0.05) / (b + 0.05);
            if (contrast < 4.5) found.push(`${contrast.toFixed(2)} ${e.tagName}: ${n.textContent.slice(0, 40)}`);
          }
          return found;
        }"""

    [<Theory>]
    [<InlineData("full", ColorScheme.Light)>]
    [<InlineData("full", ColorScheme.Dark)>]
    [<InlineData("failed", ColorScheme.Light)>]
    [<InlineData("failed", ColorScheme.Dark)>]
    [<InlineData("control-failed", ColorScheme.Light)>]
    [<InlineData("control-failed", ColorScheme.Dark)>]
    [<InlineData("attack", ColorScheme.Light)>]
    [<InlineData("attack", ColorScheme.Dark)>]
    [<InlineData("doctor", ColorScheme.Light)>]
    [<InlineData("doctor", ColorScheme.Dark)>]
    member _.``every text stands out from its ground by 4.5 or more``(sample: string, scheme: ColorScheme) =
        task {
            use! opened = browser.Open(sample, { View.Desk with Scheme = scheme })
            let! found = opened.Page.EvaluateAsync<string[]> weak
            Assert.Empty found
        }

    [<Theory>]
    [<InlineData(ColorScheme.Light, "Dark theme")>]
    [<InlineData(ColorScheme.Dark, "Light theme")>]
    member _.``the theme follows the system until it is chosen, and the choice is remembered``
        (scheme: ColorScheme, offered: string)
        =
        task {
            use! opened = browser.Open("full", { View.Desk with Scheme = scheme })
            let button = opened.Page.Locator "#theme"

            let own, other =
                if scheme = ColorScheme.Dark then Ground.dark, Ground.light else Ground.light, Ground.dark

            do! Ground.reaches opened own
            let! label = button.InnerTextAsync()
            Assert.Equal(offered, label)
            do! button.ClickAsync()
            do! Ground.reaches opened other
            // A browser writes what is stored when it gets to it, so what the page kept is handed to the next one.
            let! kept =
                opened.Page.EvaluateAsync<string> "() => JSON.stringify({ ...localStorage })"

            let! _ = opened.Page.AddInitScriptAsync $"Object.assign(localStorage, {kept})"
            do! opened.Open()
            do! Ground.reaches opened other
        }

    [<Fact>]
    member _.``the first stop of the keyboard is a visible link that skips to the figures``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            do! opened.Page.Keyboard.PressAsync "Tab"
            let! box = opened.Page.Locator("a.skip:focus").BoundingBoxAsync()
            let box = box |> Option.ofObj |> Option.get
            Assert.InRange(box.X, 0f, 200f)
            do! opened.Page.Keyboard.PressAsync "Enter"
            let! focused = opened.Page.EvaluateAsync<string> "() => document.activeElement.id"
            Assert.Equal("main", focused)
        }

    [<Theory>]
    [<InlineData("full")>]
    [<InlineData("attack")>]
    member _.``every stop of the keyboard shows that it has the focus``(sample: string) =
        task {
            use! opened = browser.Open(sample, View.Desk)
            let mutable stops = 0
            let mutable around = false

            while not around do
                do! opened.Page.Keyboard.PressAsync "Tab"

                let! outline =
                    opened.Page.EvaluateAsync<string>(
                        """() => { const e = document.activeElement; const s = getComputedStyle(e);
                            return e === document.body ? "body" : s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2 ? e.outerHTML.slice(0, 80) : "" }"""
                    )

                around <- outline = "body"

                if not around then
                    stops <- stops + 1
                    Assert.Equal("", outline)

            Assert.InRange(stops, 30, 120)
        }

    [<Fact>]
    member _.``every plot is named for those who do not see it, and has its figures as a table``() =
        task {
            use! opened = browser.Open("full", View.Desk)

            for id in [ "cpu-in-process"; "cpu-over-http"; "bytes"; "capacity" ] do
                let plot = opened.Page.Locator $"#panel-{id} .plot > svg[role=img]"
                do! plot.WaitForAsync(LocatorWaitForOptions(State = WaitForSelectorState.Attached))
                let! label = plot.GetAttributeAsync "aria-label"
                Assert.Contains("pooledValueTask { } + sync-fn", label)
                do! opened.Page.Locator($"#panel-{id} summary").PressAsync "Enter"
                let rows = opened.Page.Locator $"#panel-{id} details tbody tr"
                do! rows.Nth(18).WaitForAsync()
                let! rows = rows.CountAsync()
                Assert.Equal(19, rows)
        }

    [<Fact>]
    member _.``every control has a name, and every curve a description in words``() =
        task {
            use! opened = browser.Open("attack", View.Desk)

            let! nameless =
                opened.Page.EvaluateAsync<string[]>(
                    """() => [...document.querySelectorAll("button, a, summary, [role=application], [role=img], [role=group]")]
                        .filter(e => !(e.getAttribute("aria-label") ?? e.textContent).trim()).map(e => e.outerHTML.slice(0, 90))"""
                )

            Assert.Empty nameless
            // No two controls of the page have the same name, but for the links to their own titles.
            let! names =
                opened.Page.EvaluateAsync<string[]>(
                    """() => [...document.querySelectorAll(".tools button, .zoomable, .downloads button")].map(e => e.getAttribute("aria-label") ?? e.textContent)"""
                )

            Assert.Equal(Array.length (Array.distinct names), names.Length)

            let! told =
                opened.Page.Locator("#panel-percentiles svg[role=img]").GetAttributeAsync "aria-label"

            Assert.Contains("from intended start: 50\u202f% at 1.", told)
            Assert.Contains("from actual sending: 50\u202f% at 1.", told)

            let! help =
                opened.Page.Locator("#panel-percentiles .zoomable").GetAttributeAsync "aria-describedby"

            let! keys = opened.Page.Locator($"#{help}").TextContentAsync()
            Assert.Contains("0 shows all", keys)
        }

    [<Fact>]
    member _.``at phone width the plots fit, and only the tables scroll``() =
        task {
            use! opened = browser.Open("full", View.Phone)

            let! widths =
                opened.Page.EvaluateAsync<float[]>(
                    "() => [...document.querySelectorAll('.plot > svg')].map(s => s.getBoundingClientRect().right)"
                )

            Assert.Equal(4, widths.Length)
            Assert.All(widths, fun right -> Assert.InRange(right, 300.0, 360.0))

            let! scrolls =
                opened.Page.EvaluateAsync<bool>(
                    "() => { const box = document.querySelector('#panel-rows .scroll'); return box.scrollWidth > box.clientWidth }"
                )

            Assert.True scrolls
        }

    [<Fact>]
    member _.``the plots redraw when the window changes its width``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            do! opened.Page.SetViewportSizeAsync(400, 900)
            do! opened.Page.Locator("#panel-cpu-in-process svg[width='368']").WaitForAsync()
        }

    [<Fact>]
    member _.``print is light, shows every plot, and no buttons``() =
        task {
            use! opened = browser.Open("full", { View.Desk with Scheme = ColorScheme.Dark })
            do! opened.Page.EmulateMediaAsync(PageEmulateMediaOptions(Media = Media.Print))
            do! opened.Page.Locator("#panel-cpu-over-http svg").WaitForAsync()
            do! opened.Page.Locator("#panel-cpu-in-process svg").WaitForAsync()
            do! Ground.reaches opened Ground.light

            let! buttons =
                opened.Page.Locator("#copy, #theme, nav, .tools, .more-columns").EvaluateAllAsync<bool>
                    "all => all.some(b => b.checkVisibility())"

            Assert.False buttons
        }
