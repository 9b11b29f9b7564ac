// Under test: the page of a load run as the tool makes it, from a million requests: thinned, and filled into the template.
namespace Plait.Page.Tests

open System
open System.Text
open Xunit

open Plait.Load
open Plait.Report

type LoadRun(browser: Browser) =
    let requests = 1_000_000
    let seconds = 60
    // One request, about in the middle, took far longer than all others; a few failed.
    let slowest = 654_321
    let slow = 777_000_000L

    let sample (random: Random) at : Sample =
        let intended = int64 at * 1_000_000_000L * int64 seconds / int64 requests

        let latency =
            if at = slowest then slow else 900_000L + int64 (random.Next 1_200_000)

        let failed = at % 50_000 = 7

        {
            Intended = intended
            Sent = intended + 20_000L
            Done = intended + latency
            Status = if failed then 503 else 200
            Result = if failed then RequestResult.WrongStatus else RequestResult.Right
            Request = 0
            BodySent = 0L
            BodyBytes = 2L
            HasWaited = false
        }

    let outcome =
        let random = Random 1
        let samples = Array.init requests (sample random)

        let right =
            samples |> Array.filter (fun sample -> sample.Result = RequestResult.Right)

        let failed = int64 (samples.Length - right.Length)

        let histogram (samples: Sample seq) read =
            let histogram = Histogram()
            samples |> Seq.iter (fun (sample: Sample) -> histogram.Record(read sample: int64))
            histogram

        let intended (sample: Sample) = sample.Done - sample.Intended
        let actual (sample: Sample) = sample.Done - sample.Sent
        let lag (sample: Sample) = sample.Sent - sample.Intended

        let second (at: int, samples: Sample[]) : Second =
            {
                At = at
                Seconds = 1
                Due = int64 samples.Length
                Right = int64 samples.Length
                Failed = 0L
                Failures = Map.empty
                InFlight = 20
                Latency = histogram samples intended
                Actual = histogram samples actual
            }

        {
            Plan =
                { Plan.ofRequests
                      [ HttpRequest.Get "http://127.0.0.1:5000/" ]
                      (Open(Constant(float requests / float seconds), 64)) with
                    Duration = TimeSpan.FromSeconds(float seconds)
                }
            StartedUtc = DateTime(2026, 11, 21, 5, 0, 0, DateTimeKind.Utc)
            Elapsed = TimeSpan.FromSeconds(float seconds)
            AttackTime = TimeSpan.FromSeconds(float seconds)
            Results = Map [ RequestResult.Right, right.LongLength; RequestResult.WrongStatus, failed ]
            Statuses = Map [ 200, right.LongLength; 503, failed ]
            Counts =
                { RunCounts.Zero with
                    Connections = 64
                    BytesOut = 1L
                    BytesIn = 1L
                    Intended = histogram right intended
                    Actual = histogram right actual
                    Lag = histogram samples lag
                    GeneratorLag = histogram samples lag
                }
            Steps = []
            Dates = []
            Addresses = []
            Seconds =
                right
                |> Array.groupBy (fun sample -> int (sample.Done / 1_000_000_000L))
                |> Array.map second
                |> Array.toList
            Samples = samples
            Busy = 0.2
            Capacity = None
            Invalid = []
            Complaints = Map.empty
            Stopped = false
        }

    let recording =
        {
            Name = "million"
            Command = "plait attack http://127.0.0.1:5000/ --rate 16667/s --duration 60s"
            Outcome = outcome
            Warnings = []
            Environment = None
        }

    [<Fact>]
    member _.``an invalid run is not called complete, and the clocks of each of several runs share a colour``
        ()
        =
        task {
            let short name invalid =
                { recording with
                    Name = name
                    Outcome =
                        { outcome with Samples = Array.truncate 1000 outcome.Samples; Invalid = invalid }
                }

            let bad = short "bad" [ "the generator was late" ]
            let page = Page.fill (Files.page ()) (AttackReport.results bad)
            use! opened = browser.OpenText(page, View.Desk)
            let! badge = opened.Text "#badge"
            Assert.Equal("invalid: see the warnings", badge)
            let! made = opened.Text ".kicker"
            Assert.StartsWith("plait · attack · ", made)
            let! said = opened.Text "#warnings summary"
            Assert.Contains("trust in this run: none (compare nothing here)", said)

            let sources =
                [
                    for one in [ bad; short "good" [] ] ->
                        { File = one.Name; Name = one.Name; Content = Attack one }
                ]

            let compared =
                Page.fill (Files.page ()) (RunComparison.results "plait report" sources)

            use! both = browser.OpenText(compared, View.Desk)
            let! badge = both.Text "#badge"
            Assert.Equal("invalid: see the warnings", badge)

            // The swatches of the legend: bad by both clocks, good by both.
            let! colours =
                both.Page.EvaluateAsync<string[]>(
                    """() => [...document.querySelectorAll("#panel-percentiles .legend path")].map(e => e.getAttribute("stroke"))"""
                )

            Assert.Equal(4, colours.Length)
            Assert.All(colours, fun colour -> Assert.NotEqual<string>("", colour))
            Assert.Equal((colours[0], colours[2]), (colours[1], colours[3]))
            Assert.NotEqual<string>(colours[0], colours[2])
            Assert.Empty both.Errors
        }

    [<Fact>]
    member _.``the page of two runs begins with their differences, in one colour a run and over one time``() =
        task {
            // The second run is slower by a fifth and ends earlier.
            let slower (histogram: Histogram) =
                let slower = Histogram()

                for bucket in histogram.Buckets do
                    slower.Record(bucket.Lowest * 6L / 5L, bucket.Count)

                slower

            let other =
                { outcome with
                    Elapsed = TimeSpan.FromSeconds 40.0
                    AttackTime = TimeSpan.FromSeconds 40.0
                    Counts.Intended = slower outcome.Counts.Intended
                    Counts.Actual = slower outcome.Counts.Actual
                    Seconds =
                        outcome.Seconds
                        |> List.truncate 40
                        |> List.map (fun second ->
                            { second with Latency = slower second.Latency; Actual = slower second.Actual })
                }

            let sources =
                [
                    for name, outcome in [ "before", outcome; "after", other ] ->
                        {
                            File = name
                            Name = name
                            Content =
                                Attack
                                    { recording with Name = name; Outcome = { outcome with Samples = [||] } }
                        }
                ]

            let page = Page.fill (Files.page ()) (RunComparison.results "plait report" sources)
            use! opened = browser.OpenText(page, View.Desk)
            let! answer = opened.Text "#answer"
            Assert.StartsWith("At 99 % after is higher than before: ", answer)
            let! first = opened.Page.Locator("main > section").First.GetAttributeAsync "id"
            Assert.Equal("panel-differences", first)

            let! bottom =
                opened.Page
                    .Locator(".plot svg[role=img]")
                    .First.EvaluateAsync<float>("e => e.getBoundingClientRect().bottom")

            Assert.InRange(bottom, 200.0, 800.0)

            let! whiskers = opened.Count "#panel-differences .whiskers > line"

            Assert.Equal(5, whiskers)

            // Every line of a legend by its run, and the marks of the differences.
            let! strokes =
                opened.Page.EvaluateAsync<string[]>(
                    """() => [...document.querySelectorAll(".of-series")].map(b =>
                        b.textContent.split(":")[0] + " " + b.querySelector("path").getAttribute("stroke"))"""
                )

            let! mark =
                opened.Page.EvaluateAsync<string>(
                    """() => document.querySelector("#panel-differences .values").firstChild.getAttribute("fill")"""
                )

            Assert.Equal(2, strokes |> Array.distinct |> Array.length)
            Assert.Contains($"after {mark}", strokes)

            // The last tick of time stands in the same place in all plots over it.
            let! ticks =
                opened.Page.EvaluateAsync<string[]>(
                    """() => ["latency-over-time", "rate-over-time", "in-flight"].map(id =>
                        [...document.querySelectorAll(`#panel-${id} .ticks-x text`)].map(t => t.textContent).join(" "))"""
                )

            Assert.Equal(1, ticks |> Array.distinct |> Array.length)
            Assert.Contains("50", ticks[0])
            Assert.Empty opened.Errors
        }

    [<Fact>]
    member _.``a million requests make a page under 1,5 MB that says how many are drawn and shows the slowest``
        ()
        =
        task {
            let page = Page.fill (Files.page ()) (AttackReport.results recording)
            Assert.InRange(Encoding.UTF8.GetByteCount page, 300_000, 1_500_000)
            use! opened = browser.OpenText(page, View.Desk)
            let! said = opened.Text "#panel-latency-over-time .thinned"
            Assert.Matches(@"right responses 4,000 of 999,980\b", said)
            Assert.Contains("maxima kept", said)
            let panel = opened.Page.Locator "#panel-latency-over-time"
            let! told = panel.Locator("svg[role=img]").GetAttributeAsync "aria-label"
            Assert.Contains("highest 777\u202fms at 39.2593\u202fs", told)
            // The dot of the slowest request is drawn: no other is anywhere near so high.
            let! height =
                panel.EvaluateAsync<float>(
                    """p => { const f = p.querySelector(".floor line").getAttribute("y1");
                        const ys = [...p.querySelectorAll(".series-0 path")].flatMap(e => [...e.getAttribute("d").matchAll(/M[-\d.]+,([-\d.]+)h0/g)].map(m => Number(m[1]))).sort((a, b) => a - b);
                        return (ys[1] - ys[0]) / f; }"""
                )

            Assert.InRange(height, 0.4, 1.0)
            Assert.Empty opened.Errors
            Assert.Empty opened.Requests
        }

    [<Fact>]
    member _.``requests in flight that are always zero have an axis of whole requests``() =
        task {
            let still =
                { recording with
                    Outcome =
                        { outcome with
                            Seconds = outcome.Seconds |> List.map (fun second -> { second with InFlight = 0 })
                        }
                }

            let page = Page.fill (Files.page ()) (AttackReport.results still)
            use! opened = browser.OpenText(page, View.Desk)

            let! ticks =
                opened.Page.Locator("#panel-in-flight .ticks-y text").AllTextContentsAsync()

            Assert.Equal((0.0, 1.0), (float (Seq.head ticks), float (Seq.last ticks)))
            Assert.Empty opened.Errors
        }
