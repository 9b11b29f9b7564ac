// Under test: a diagnosis as the results of a page. Its answer, key figures and panels; the page itself is tested in Chromium.
module Plait.Doctor.Tests.Page

open Xunit

open Plait.Report
open Plait.Doctor
open Plait.Doctor.Tests.MadeDiagnoses

let private command = "plait doctor 4711 --html page.html"

let private of' (diagnosis: Diagnosis) =
    DiagnosisPage.results command diagnosis.Evidence.Readings diagnosis

let private panel id (results: Results) =
    results.Panels |> List.find (fun panel -> panel.Id = id)

let private frames (results: Results) =
    match (panel "stacks" results).Plot with
    | Flame(_, frames) -> frames
    | plot -> failwith $"the stacks are {plot}"

[<Fact>]
let ``the answer is the verdict with its reason, and the title the process`` () =
    let results = of' starved
    Assert.Equal("doctor", results.Scenario)
    Assert.Equal("Orders.Api, process 4711", results.Title)
    Assert.Equal("STARVED: 994 work items wait, and 17 of 17 workers are blocked.", results.Answer)
    Assert.Equal(command, results.Command)
    Assert.Empty results.Warnings

[<Fact>]
let ``the key figures are queue, completed, blocked workers and CPU`` () =
    Assert.Equal<(string * string) list>(
        [ "Queue", "994"; "Completed", "3.3 /s"; "Blocked", "17 of 17"; "CPU", "4.2 %" ],
        [ for fact in (of' starved).Facts -> fact.Title, fact.Figure ]
    )

[<Fact>]
let ``the lines come first, then the stacks, then the pool over time`` () =
    Assert.Equal<string list>(
        [ "blame"; "stacks"; "queue"; "threads"; "completed" ],
        (of' starved).Panels |> List.map _.Id
    )

[<Fact>]
let ``a line of the table has function, place, workers, kind, remedy and rule`` () =
    match (panel "blame" (of' starved)).Plot with
    | Table(columns, [ first; second ]) ->
        Assert.Equal(columns.Length, first.Length)

        Assert.Equal<Cell list>(
            [
                Cell.Text "Orders.work"
                Cell.Text "src/Orders.fs:10"
                Cell.Number 15.0
                Cell.Text "Thread.Sleep"
                Cell.Text sleeping.Remedy
                Cell.Text "PLT201"
                Cell.Text "slowly"
            ],
            first
        )

        Assert.Equal(Cell.Nothing, second[5])
        Assert.Equal(Cell.Text "at once", second[6])
    | plot -> failwith $"the lines are {plot}"

[<Fact>]
let ``in the flame graph blocked functions are warm, running ones cool, and their callers have no colour``
    ()
    =
    match frames (of' starved) with
    | [ handle; run ] ->
        Assert.Equal(Tone.None, handle.Tone)
        Assert.Equal(1700.0, handle.Value)
        let work = handle.Children.Head
        Assert.Equal((Tone.Trouble, Some "Thread.Sleep"), (work.Tone, work.Word))
        Assert.Equal(Some "src/Orders.fs:10, Thread.Sleep", work.Note)
        Assert.Equal(Some "runs here itself in 10 samples", handle.Children[1].Note)
        let parse = run.Children.Head
        Assert.Equal((Tone.Work, Some "runs"), (parse.Tone, parse.Word))
    | frames -> failwith $"there are {frames.Length} frames"

[<Fact>]
let ``a point of a curve is a reading, in seconds`` () =
    match (panel "queue" (of' starved)).Plot with
    | Lines(_, _, [ series ]) ->
        Assert.Equal<float[][]>([| [| 0.2; 996.0 |]; [| 0.4; 995.0 |]; [| 0.6; 994.0 |] |], series.Points)
    | plot -> failwith $"the queue is {plot}"

[<Fact>]
let ``a healthy look without readings or stacks has no empty panels`` () =
    let results = DiagnosisPage.results command [] healthy
    Assert.Empty results.Panels
    Assert.Equal("HEALTHY: Work is taken up as it comes.", results.Answer)
    Assert.Equal("2026-11-23T08:40:00Z", results.StartedUtc)

[<Fact>]
let ``hours of readings are thinned without losing their peak`` () =
    let first = starved.Evidence.Readings.Head

    let hours =
        [
            for at in 0..35_999 ->
                { first with
                    AtMilliseconds = 200.0 * float at
                    Queue = if at = 20_001 then 5_000L else 3L
                }
        ]

    let results = DiagnosisPage.results command hours starved

    match (panel "queue" results).Plot with
    | Lines(_, _, [ series ]) ->
        Assert.Equal(36_000, series.Of)
        Assert.InRange(series.Points.Length, 1000, 4000)
        Assert.Contains(series.Points, fun point -> point[1] = 5000.0)
        Assert.Equal<float[][]>(series.Points |> Array.sortBy (Array.item 0), series.Points)
    | plot -> failwith $"the queue is {plot}"

    Assert.Equal("2026-11-23T10:39:59Z", results.EndedUtc)

[<Fact>]
let ``the command line of the process is not in the page, for it may hold passwords`` () =
    Assert.DoesNotContain("secret", ResultsJson.write (of' starved))

[<Fact>]
let ``the results can be written and read back, however deep the stacks`` () =
    for diagnosis in [ starved; healthy; byPtrace; hung; computing; failed; recursive ] do
        let results = of' diagnosis
        Assert.Equal(results, ResultsJson.read "results.json" (ResultsJson.write results))

[<Fact>]
let ``the page is written as that of any other results`` () =
    let text = Page.fill $"<html>{Page.marker}</html>" (of' starved)
    Assert.Contains("\"kind\":\"flame\"", text)
