// Under test: what the buttons do. Copying the command, and taking the data along as JSON and as CSV.
namespace Plait.Page.Tests

open System.IO
open Xunit

open Plait.Page.Tests.Samples

type Actions(browser: Browser) =
    let download (opened: Opened) (button: string) =
        task {
            let! got =
                opened.Page.RunAndWaitForDownloadAsync(fun () -> opened.Page.Locator(button).ClickAsync())

            let! path = got.PathAsync()
            return got.SuggestedFilename, File.ReadAllText path
        }

    [<Fact>]
    member _.``the copy button copies the command and says so``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            do! opened.Page.Locator("#copy").ClickAsync()
            do! opened.Page.GetByText("Copied.").WaitForAsync()

            let! copied =
                opened.Page.EvaluateAsync<string> "() => navigator.clipboard.readText()"

            Assert.Equal("plait lab fizzbuzz --seed 1", copied)
        }

    [<Theory>]
    [<InlineData("full")>]
    [<InlineData("hostile")>]
    member _.``the JSON of the page is the JSON of the results``(sample: string) =
        task {
            use! opened = browser.Open(sample, View.Desk)
            let! name, content = download opened "#download-json"
            Assert.EndsWith("-results.json", name)
            Assert.Equal(compact (text sample), compact content)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``the CSV of the table holds every row, with unrounded figures and empty cells for absent ones``
        ()
        =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let! name, content = download opened "#panel-rows .downloads button"
            Assert.Equal("rows.csv", name)
            let lines = content.TrimEnd().Split "\r\n"
            Assert.Equal(21, lines.Length)
            let columns = lines[0].Split ','

            let cell (label: string) column =
                let line = lines |> Array.find (fun line -> line.StartsWith(label + ","))
                (line.Split ',')[Array.findIndex ((=) column) columns]

            let strand =
                rows (results "failed") |> List.find (fun row -> string row?id = "strand")

            let expected (figure: string) (end': string) = number strand?figures?(figure)?(end')
            let ratio = "in process: CPU ratio"
            Assert.Equal(expected "cpuRatio" "value", float (cell "strand { }" ratio))
            Assert.Equal(expected "cpuRatio" "low", float (cell "strand { }" (ratio + " low")))
            Assert.Equal(expected "cpuRatio" "high", float (cell "strand { }" (ratio + " high")))

            Assert.Equal(
                expected "nanosecondsPerWrapper" "value",
                float (cell "strand { }" "in process: ns per wrapper")
            )

            Assert.Equal("failed", cell "async { }" "Status")
            Assert.Equal("", cell "async { }" "B")
        }

    [<Fact>]
    member _.``the CSV of a forest holds its launches and verdicts``() =
        task {
            use! opened = browser.Open("full", View.Desk)
            do! opened.Page.Locator("#panel-cpu-in-process summary").ClickAsync()
            let! name, content = download opened "#panel-cpu-in-process .downloads button"
            Assert.Equal("cpu-in-process.csv", name)
            let lines = content.TrimEnd().Split "\r\n"

            Assert.Equal(
                "label,family,CPU over base (x),low,high,launches,second figure,verdict,note",
                lines[0]
            )

            let task =
                items "cpu-in-process" (results "full")
                |> List.find (fun item -> string item?label = "task { }")

            let launches =
                task?launches.AsArray()
                |> Seq.choose Option.ofObj
                |> Seq.map (number >> _.ToString("R"))
                |> String.concat " "

            let line = lines |> Array.find _.StartsWith("task { },")
            Assert.Contains($",{launches},,slower,", line)
        }

    [<Fact>]
    member _.``a text like a formula is escaped in the CSV``() =
        task {
            use! opened = browser.Open("hostile", View.Desk)
            let! _, content = download opened "#panel-rows .downloads button"
            Assert.Contains("\"'=HYPERLINK(\"\"x\"\")", content)
            Assert.DoesNotMatch("(^|,)\"?=", content)
        }
