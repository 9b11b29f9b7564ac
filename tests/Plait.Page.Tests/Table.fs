// Under test: the table of all rows. Grouped heads, sorting, intervals in one cell, and what its columns mean.
namespace Plait.Page.Tests

open Microsoft.Playwright
open Xunit

open Plait.Page.Tests.Samples

type Table(browser: Browser) =
    let names (page: IPage) =
        page.EvaluateAsync<string[]>(
            """() => [...document.querySelectorAll("#panel-rows tbody th")].map(h => h.firstChild.textContent)"""
        )

    let head (page: IPage) title =
        page
            .Locator("#panel-rows thead th[aria-sort]")
            .Filter(
                LocatorFilterOptions(
                    Has = page.GetByRole(AriaRole.Button, PageGetByRoleOptions(Name = title, Exact = true))
                )
            )
            .First

    let sortedBy figure =
        rows (results "full")
        |> List.sortBy (fun row -> number row?figures?(figure)?value)
        |> List.map (fun row -> string row?label)

    [<Fact>]
    member _.``the table holds every row in the order of the panel, under heads that are grouped by place``
        ()
        =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! shown = names opened.Page
            Assert.Equal<string list>(sortedBy "cpuRatio", List.ofArray shown)
            let! groups = opened.Texts "#panel-rows th.group"
            Assert.Equal<string list>([ "in process"; "over HTTP"; "about" ], List.ofSeq groups)
        }

    [<Fact>]
    member _.``a column title sorts by keyboard, one way and then the other, and alone is marked as sorted``
        ()
        =
        task {
            use! opened = browser.Open("full", View.Desk)
            let column = head opened.Page "Requests/s"
            do! column.GetByRole(AriaRole.Button).FocusAsync()
            do! opened.Page.Keyboard.PressAsync "Enter"
            let! order = column.GetAttributeAsync "aria-sort"
            Assert.Equal("ascending", order)
            let! shown = names opened.Page
            let expected = sortedBy "httpRequestsPerSecond"
            Assert.Equal<string list>(expected, List.ofArray shown)
            do! opened.Page.Keyboard.PressAsync "Space"
            let! order = column.GetAttributeAsync "aria-sort"
            Assert.Equal("descending", order)
            let! shown = names opened.Page
            Assert.Equal<string list>(List.rev expected, List.ofArray shown)
            do! (head opened.Page "B").GetByRole(AriaRole.Button).ClickAsync()

            let! sorting =
                opened.Page
                    .Locator("#panel-rows th[aria-sort=ascending], #panel-rows th[aria-sort=descending]")
                    .AllInnerTextsAsync()

            Assert.Equal<string list>([ "B" ], sorting |> Seq.map _.Trim() |> List.ofSeq)
        }

    [<Fact>]
    member _.``absent figures are dashes and stay last, whichever way is sorted``() =
        task {
            use! opened = browser.Open("failed", View.Desk)

            let absent = Set [ "async { }"; "uply { } (Ply)"; "TaskOrValue + sync-fn" ]

            let last (names: string[]) =
                names |> Array.skip (names.Length - 3) |> Set

            let button = (head opened.Page "CPU ratio").GetByRole AriaRole.Button
            do! button.ClickAsync()
            let! ascending = names opened.Page
            Assert.Equal<Set<string>>(absent, last ascending)
            do! button.ClickAsync()
            let! descending = names opened.Page
            Assert.Equal<Set<string>>(absent, last descending)
            Assert.Equal("async { } + sync-fn", descending[0])

            let! cells =
                opened.Page
                    .Locator("#panel-rows tbody tr")
                    .Filter(LocatorFilterOptions(HasText = "failed"))
                    .Locator("td.number")
                    .AllInnerTextsAsync()

            Assert.Equal(7, cells.Count)
            Assert.All(cells, fun cell -> Assert.Equal("–", cell))
        }

    [<Fact>]
    member _.``an interval has one cell beside its figure, in the column's decimals, aligned right``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let row = opened.Page.Locator("#panel-rows tbody tr").Last
            let! cells = row.Locator("td").AllInnerTextsAsync()
            Assert.Contains("976,592", cells)
            Assert.Contains("4.85 (4.78–4.86)", cells)

            let! align =
                row.Locator("td.number").First.EvaluateAsync<string> "e => getComputedStyle(e).textAlign"

            Assert.Equal("right", align)
        }

    [<Fact>]
    member _.``the best of a column is marked, in words too``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! best = opened.Page.Locator("#panel-rows td.best").AllTextContentsAsync()
            Assert.NotEmpty best
            Assert.All(best, fun text -> Assert.EndsWith("(best)", text))
        }

    [<Fact>]
    member _.``the meaning of a column is in the tip of its title, and in a list of all columns that opens on demand``
        ()
        =
        task {
            use! opened = browser.Open("full", View.Desk)
            let button = (head opened.Page "ns per wrapper").GetByRole AriaRole.Button
            let! tip = button.GetAttributeAsync "title"
            let! first = opened.Page.Locator("#panel-rows .meanings dt").First.IsVisibleAsync()
            Assert.False first
            do! opened.Page.GetByText("Meaning of the columns").PressAsync "Enter"

            let entry =
                opened.Page
                    .Locator("#panel-rows .meanings dl > div")
                    .Filter(LocatorFilterOptions(HasText = "in process: ns per wrapper"))

            let! said = entry.Locator("dd").InnerTextAsync()
            Assert.StartsWith("CPU beyond the base's", said)
            Assert.Equal(tip, said)
        }

    [<Fact>]
    member _.``a table that is wider than its box has a note until its end is in view``() =
        task {
            use! opened = browser.Open("full", View.Phone)
            let word = opened.Page.Locator "#panel-rows .more-columns"
            do! word.WaitForAsync()
            let! said = word.InnerTextAsync()
            Assert.Contains("scroll sideways", said)
            let box = opened.Page.Locator "#panel-rows .scroll"

            let wait (state: string) =
                opened.Page.Locator($"#panel-rows .scroll{state}").WaitForAsync()

            do! wait ".more-right:not(.more-left)"

            do! box.EvaluateAsync("e => { e.scrollLeft = 40 }") :> System.Threading.Tasks.Task
            do! wait ".more-right.more-left"

            do! box.EvaluateAsync("e => { e.scrollLeft = e.scrollWidth }") :> System.Threading.Tasks.Task

            do! wait ".more-left:not(.more-right)"
            // One that fits says nothing.
            use! narrow = browser.Open("runs", View.Desk)
            let! shown = narrow.Page.Locator("#panel-figures .more-columns").IsVisibleAsync()
            Assert.False shown
        }
