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
    member _.``the JSON handed out is the JSON put in``(sample: string) =
        task {
            use! opened = browser.Open(sample, View.Desk)
            let! name, content = download opened "#download-json"
            Assert.EndsWith("-results.json", name)
            Assert.Equal(compact (text sample), compact content)
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``the CSV holds every row, with unrounded figures and empty cells for absent ones``() =
        task {
            use! opened = browser.Open("failed", View.Desk)
            let! name, content = download opened "#download-csv"
            Assert.Equal("fizzbuzz-results.csv", name)
            let lines = content.TrimEnd().Split "\r\n"
            Assert.Equal(21, lines.Length)
            let columns = lines[0].Split ','

            let cell (id: string) column =
                let line = lines |> Array.find (fun line -> line.StartsWith(id + ","))
                (line.Split ',')[Array.findIndex ((=) column) columns]

            let strand =
                rows (results "failed") |> List.find (fun row -> string row?id = "strand")

            Assert.Equal(number strand?cpuRatio?median, float (cell "strand" "cpuRatioMedian"))
            Assert.Equal(number strand?cpuRatio?high, float (cell "strand" "cpuRatioHigh"))
            Assert.Equal(number strand?nanosecondsPerWrapper, float (cell "strand" "nanosecondsPerWrapper"))

            for of' in [ "Median"; "Low"; "High" ] do
                Assert.Equal(
                    number strand?http?requestsPerSecondPercent?(of'.ToLowerInvariant()),
                    float (cell "strand" $"httpRequestsPerSecondPercent{of'}")
                )

            Assert.Equal("", cell "async" "cpuRatioMedian")
            Assert.Equal("failed", cell "async" "status")
        }

    [<Fact>]
    member _.``text that looks like a formula is no formula in the CSV``() =
        task {
            use! opened = browser.Open("hostile", View.Desk)
            let! _, content = download opened "#download-csv"
            Assert.Contains("\"'=HYPERLINK(\"\"x\"\")", content)
            Assert.DoesNotMatch("(^|,)\"?=", content)
        }
