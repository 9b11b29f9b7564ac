// Under test: many points. What was thinned says so and shows its maximum; what was not costs no element a point.
namespace Plait.Page.Tests

open System.Text
open Xunit

open Plait.Page.Tests.Samples

type Thinned(browser: Browser) =
    // The height of the highest point of a series' paths above the floor, as a value of the linear axis.
    let highest =
        """id => { const s = document.querySelector(`#${id} svg.curves`);
            const ys = [...s.querySelectorAll(".series path")].flatMap(p => [...p.getAttribute("d").matchAll(/[ML][-\d.]+,([-\d.]+)/g)].map(m => Number(m[1])));
            const t = [...s.querySelectorAll(".ticks-y text")].map(t => [Number(t.textContent.replaceAll(",", "")), t.transform.baseVal.consolidate().matrix.f]);
            const [[a, ya], [b, yb]] = [t[0], t.at(-1)];
            return a + (Math.min(...ys) - ya) / (yb - ya) * (b - a); }"""

    [<Fact>]
    member _.``a million requests are thinned to the visible points, and the slowest is among them``() =
        task {
            use! opened = browser.Open("million", View.Desk)
            let! said = opened.Text "#panel-requests .thinned"
            Assert.Equal("12,346 of 1,000,000 points drawn in each series, maxima kept.", said)
            let! top = opened.Page.EvaluateAsync<float>(highest, "panel-requests")
            Assert.InRange(top, 772.0, 782.0)

            let! told =
                opened.Page.Locator("#panel-requests svg[role=img]").GetAttributeAsync "aria-label"

            Assert.Contains("highest 777\u202fms at 39.2593\u202fs", told)

            Assert.InRange(
                Encoding.UTF8.GetByteCount(pageWith (compact (text "million"))),
                100_000,
                1_500_000
            )

            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``fifty thousand points are few elements, and zoom separates points that a wide view draws on one another``
        ()
        =
        task {
            use! opened = browser.Open("crowd", View.Desk)
            let elements () = opened.Count "*"

            let points () =
                opened.Page.Locator("#panel-crowd .series-0 path").EvaluateAsync<int>
                    "p => p.getAttribute('d').split('L').length"

            let! before = elements ()
            Assert.InRange(before, 50, 400)
            let! wide = points ()
            Assert.InRange(wide, 1000, 6000)
            let box = opened.Page.Locator ".zoomable"

            for _ in 1..7 do
                do! box.PressAsync "+"

            do! opened.Settle()
            let! near = points ()
            // A 128th of 50,000, and the neighbours at the ends.
            Assert.InRange(near, 385, 400)
            let! after = elements ()
            Assert.InRange(after, 50, 400)
            Assert.Empty opened.Errors
        }
