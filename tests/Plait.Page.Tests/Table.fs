// Under test: the full table. All rows and figures, sorted at first by ratio, then by whatever title is pressed.
namespace Plait.Page.Tests

open Microsoft.Playwright
open Xunit

open Plait.Page.Tests.Samples

type Table(browser: Browser) =
    let ids (page: IPage) =
        page.EvaluateAsync<string[]>(
            """() => [...document.querySelectorAll("#full-table tbody tr")].map(r => r.dataset.id)"""
        )

    let head (page: IPage) title =
        page
            .Locator("#full-table thead th[aria-sort]")
            .Filter(
                LocatorFilterOptions(
                    Has = page.GetByRole(AriaRole.Button, PageGetByRoleOptions(Name = title, Exact = true))
                )
            )
            .First

    let sortedBy figure sample =
        rows (results sample) |> List.sortBy figure |> List.map (fun row -> string row?id)

    [<Fact>]
    member _.``the table holds every row, cheapest first``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! shown = ids opened.Page

            Assert.Equal<string list>(sortedBy (fun r -> number r?cpuRatio?median) "full", List.ofArray shown)

            let! order = (head opened.Page "Ratio").GetAttributeAsync "aria-sort"
            Assert.Equal("ascending", order)
        }

    [<Fact>]
    member _.``a column title sorts by keyboard, one way and then the other``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let column = head opened.Page "Requests/s"
            let button = column.GetByRole AriaRole.Button
            do! button.FocusAsync()
            do! opened.Page.Keyboard.PressAsync "Enter"
            let! order = column.GetAttributeAsync "aria-sort"
            Assert.Equal("ascending", order)
            let! shown = ids opened.Page
            let expected = sortedBy (fun r -> number r?http?requestsPerSecond) "full"
            Assert.Equal<string list>(expected, List.ofArray shown)
            do! opened.Page.Keyboard.PressAsync "Space"
            let! order = column.GetAttributeAsync "aria-sort"
            Assert.Equal("descending", order)
            let! shown = ids opened.Page
            Assert.Equal<string list>(List.rev expected, List.ofArray shown)
        }

    [<Fact>]
    member _.``only the column that sorts says so``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            do! (head opened.Page "Per request").GetByRole(AriaRole.Button).ClickAsync()

            let! sorting =
                opened.Page.Locator("#full-table th[aria-sort=ascending]").AllInnerTextsAsync()

            Assert.Equal<string list>([ "Per request" ], sorting |> Seq.map _.Trim() |> List.ofSeq)
        }

    [<Fact>]
    member _.``absent figures are dashes and stay last, whichever way is sorted``() =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let absent = Set [ "async"; "ply-uply" ]

            let last (ids: string[]) =
                ids |> Array.skip (ids.Length - 2) |> Set

            let! ascending = ids opened.Page
            Assert.Equal<Set<string>>(absent, last ascending)
            do! (head opened.Page "Ratio").GetByRole(AriaRole.Button).ClickAsync()
            let! descending = ids opened.Page
            Assert.Equal<Set<string>>(absent, last descending)
            Assert.Equal("async+sync-fn", descending[0])
            let! cells = opened.Page.Locator("tr[data-id=async] td.number").AllInnerTextsAsync()
            Assert.All(cells, fun cell -> Assert.Equal("–", cell))
        }

    [<Fact>]
    member _.``figures are written in units people read``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            let! cells = opened.Page.Locator("tr[data-id=sync] td").AllInnerTextsAsync()
            Assert.Contains("135.5\u202fkB", cells)
            Assert.Contains("43.3\u202fµs", cells)
            Assert.Contains("10,764", cells)
        }
