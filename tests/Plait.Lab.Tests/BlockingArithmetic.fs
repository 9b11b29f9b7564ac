// The scenario blocking, as far as it is arithmetic: loads, floors, limits, the order of modes, and
// what the panels show of observations.
module Plait.Lab.Tests.BlockingArithmetic

open System
open Xunit

open Plait.Lab
open Plait.Lab.BlockingFigures
open Plait.Report
open Plait.Tests.Support

[<Theory;
  InlineData(1000, 500, 2, 250.0);
  InlineData(1000, 500, 3, 167.0);
  InlineData(1000, 500, 1000, 0.5);
  InlineData(100, 500, 101, 0.5);
  InlineData(1, 20, 1, 0.02)>]
let ``the floor is a sleep for every round of as many as wait at once``
    jobs
    milliseconds
    atOnce
    (seconds: float)
    =
    Assert.Equal(seconds, Mode.floor jobs milliseconds atOnce, 9)

[<Fact>]
let ``jobs and threads are scaled together, and there is always one`` () =
    let scaled scale : Workload =
        { Scale = scale; SleepMilliseconds = 500 }

    Assert.Equal((1000, 100), ((scaled 1.0).Jobs, (scaled 1.0).Scaled 100))
    Assert.Equal((100, 10), ((scaled 0.1).Jobs, (scaled 0.1).Scaled 100))
    Assert.Equal((1, 1), ((scaled 0.0001).Jobs, (scaled 0.0001).Scaled 100))
    let threads = (Mode.find "min-threads-100" |> Option.get).LeastThreads
    Assert.Equal(Some 10, threads (scaled 0.1))

    Assert.Equal(
        "Thread.Sleep, MinThreads 100",
        (Mode.find "min-threads-1000" |> Option.get).Label(scaled 0.1)
    )

[<Fact>]
let ``the threads of Blocking.run are scaled with the jobs, and the floor uses their number`` () =
    let load: Workload = { Scale = 0.1; SleepMilliseconds = 500 }

    for name, label, threads, seconds in
        [
            "blocking-run-1000", "Thread.Sleep, Blocking.run 100", 100, 0.5
            "blocking-run-100", "Thread.Sleep, Blocking.run 10", 10, 5.0
        ] do
        let mode = Mode.find name |> Option.get
        Assert.Equal((label, Some threads), (mode.Label load, mode.Width load))
        Assert.Equal(seconds, Mode.floor load.Jobs load.SleepMilliseconds threads, 9)
        // The thread pool is left as it is.
        Assert.Equal(None, mode.LeastThreads load)

[<Fact>]
let ``the doctor looks at short jobs at their start, and at others when the pool has filled`` () =
    let load: Workload = { Scale = 1.0; SleepMilliseconds = 500 }

    for name, seconds in
        [
            "async-sleep", 0.0
            "long-running", 0.0
            "blocking-run-1000", 0.0
            "min-threads-1000", 0.0
            "blocking-run-100", 1.0
            "degree-100", 1.0
            "thread-sleep", 1.0
            "result", 1.0
        ] do
        Assert.Equal(seconds, DelayedLook.after (Mode.find name |> Option.get) load 2)

    // Two jobs on two cores.
    Assert.Equal(0.0, DelayedLook.after ThreadSleep { load with Scale = 0.002 } 2)

[<Fact>]
let ``the modes are those of the contract, with the published times of two`` () =
    Assert.Equal<(string * float option) list>(
        [
            "async-sleep", Some 0.558
            "thread-sleep", Some 28.0
            "degree-100", None
            "task-run", None
            "long-running", None
            "min-threads-100", None
            "min-threads-1000", None
            "new-thread", None
            "blocking-run-100", None
            "blocking-run-1000", None
            "run-synchronously", None
            "result", None
        ],
        Mode.all |> List.map (fun mode -> mode.Name, mode.Published)
    )

let private quick = BlockingCases.quick

[<Fact>]
let ``limits of modes shrink with the time that is left, and stay above zero`` () =
    let budget = quick.BudgetSeconds.Value
    Assert.Equal(quick.LimitSeconds, BlockingCases.limit quick 0.0 9)
    Assert.Equal(budget - 130.0 - 10.0, BlockingCases.limit quick 130.0 5, 9)
    Assert.Equal(2.0, BlockingCases.limit quick 1000.0 0)
    Assert.Equal(180.0, BlockingCases.limit BlockingCases.full 1e6 9)

[<Fact>]
let ``the order comes from the seed, and cases of one process stay together`` () =
    let settings = { quick with AsPublished = true }

    let ids seed launch =
        BlockingCases.order { settings with Seed = seed } launch |> List.map (List.map _.Id)

    Assert.Equal<string list list>(ids 1 1, ids 1 1)
    Assert.NotEqual<string list list>(ids 1 1, ids 2 1)
    Assert.NotEqual<string list list>(ids 1 1, ids 1 2)

    for groups in [ ids 1 1; ids 2 1; ids 3 2 ] do
        Assert.Equal<string list>(
            BlockingCases.cases settings |> List.map _.Id |> List.sort,
            List.concat groups |> List.sort
        )

        Assert.Contains([ "thread-sleep+as-published"; "async-sleep+as-published" ], groups)

let private moment seconds threads pool queue ended : Moment =
    { Seconds = seconds; Threads = threads; PoolThreads = pool; Queue = queue; Ended = ended }

let private observation outcome : Observation =
    {
        Ending = outcome
        AtOnce = 4
        Done = 9
        Moments = [ moment 0.0 9 2 100L 0; moment 1.0 14 4 50L 5; moment 2.0 12 3 0L 9 ]
        Probes =
            [
                { QueuedSeconds = 0.0; DelaySeconds = 1.5; Ran = true }
                { QueuedSeconds = 0.5; DelaySeconds = 0.25; Ran = true }
                { QueuedSeconds = 1.0; DelaySeconds = 1.0; Ran = false }
            ]
        Examination = None
    }

let private load: Workload = { Scale = 0.01; SleepMilliseconds = 500 }

[<Fact>]
let ``figures are the maximum of the samples and the median of the times`` () =
    let runs =
        [ observation (Ended 3.0); observation (Ended 2.0); observation (TimedOut 9.0) ]

    let figures = figures load runs
    Assert.Equal((Some 2.5, Some 2.0, Some 3.0), (figures.Wall, figures.Low, figures.High))
    Assert.Equal((4, 14, 4, 100L), (figures.PoolThreads, figures.Threads, figures.AtOnce, figures.Queue))
    Assert.Equal(Some 1.5, figures.Floor)

    Assert.Equal(
        (9L, 250_000_000L, 1_500_000_000L),
        (figures.Delays.Count, figures.Delays.Min, figures.Delays.Max)
    )

    Assert.Equal(1000.0, figures.Delay 50.0 |> Option.get, 0)

let private panels (settings: BlockingSettings) cases =
    cases
    |> List.map (fun run -> run, BlockingFigures.figures settings.Load run.Observations)
    |> BlockingPanels.panels settings []

let private cell (panel: Panel) row title =
    let column = panel.Columns |> List.findIndex (fun column -> column.Title = title)
    panel.Rows[row][column]

let private looked found (observation: Observation) =
    { observation with
        Examination = Some { FromSeconds = 1.0; ToSeconds = 2.5; Found = found }
    }

let private starved: PoolDiagnosis =
    { Verdict = "STARVED"; Line = Some "Jobs.block (Jobs.fs:7)"; Workers = 17 }

[<Fact>]
let ``the doctor's findings are a table, and two columns of the first one`` () =
    let settings =
        { quick with
            Load = load
            Modes = [ ThreadSleep; TaskResult; NewThread ]
            Examine = Some(fun _ -> starved)
        }

    let healthy: PoolDiagnosis = { Verdict = "HEALTHY"; Line = None; Workers = 0 }

    let observations =
        [
            [ observation (Ended 2.0) |> looked (Ok starved); observation (Ended 2.0) |> looked (Ok healthy) ]
            [ observation (Ended 2.0) |> looked (Error "it is gone") ]
            []
        ]

    let runs =
        List.map2
            (fun case observations -> { Case = case; Observations = observations })
            (BlockingCases.cases settings)
            observations

    let panels = panels settings runs
    let modes = List.head panels
    let text row title = (cell modes row title).AsText

    Assert.Equal<string option list>(
        [ Some "STARVED; HEALTHY"; Some "could not be looked at"; None ],
        [ for row in 0..2 -> text row "doctor" ]
    )

    Assert.Equal<string option list>([ starved.Line; None; None ], [ for row in 0..2 -> text row "line" ])

    let doctor = panels |> List.find (fun panel -> panel.Id = "doctor")
    Assert.Equal("Diagnoses of the doctor", doctor.Title)

    // Every look has a row of its own.
    Assert.Equal<(string option * string option * string option * float option) list>(
        [
            Some "Thread.Sleep", Some "STARVED", starved.Line, Some 17.0
            Some "Thread.Sleep", Some "HEALTHY", None, Some 0.0
            Some ".Result of Task.Delay", Some "could not be looked at", None, None
        ],
        [
            for row in 0 .. doctor.Rows.Length - 1 ->
                (cell doctor row "mode").AsText,
                (cell doctor row "verdict").AsText,
                (cell doctor row "line").AsText,
                (cell doctor row "workers").AsNumber
        ]
    )

    Assert.Equal((Some 1.0, Some 2.5), ((cell doctor 0 "from s").AsNumber, (cell doctor 0 "to s").AsNumber))

[<Fact>]
let ``without a look there is neither the table nor its columns`` () =
    let settings = { quick with Load = load; Modes = [ ThreadSleep ] }

    let panels =
        panels
            settings
            [
                {
                    Case = List.head (BlockingCases.cases settings)
                    Observations = [ observation (Ended 2.0) ]
                }
            ]

    Assert.DoesNotContain(panels, fun panel -> panel.Id = "doctor")
    Assert.DoesNotContain((List.head panels).Columns, fun column -> column.Title = "doctor")

[<Fact>]
let ``Async.Sleep alone runs once more, as the control`` () =
    let ids modes =
        BlockingCases.cases { quick with Modes = modes } |> List.map _.Id

    Assert.Equal<string list>([ "async-sleep"; "async-sleep+again" ], ids [ AsyncSleep ])
    Assert.Equal<string list>([ "thread-sleep" ], ids [ ThreadSleep ])

[<Fact>]
let ``the control's time over its mode's is a key figure`` () =
    let settings = { quick with Load = load; Modes = [ AsyncSleep ] }

    let facts control =
        List.map2
            (fun case outcome -> { Case = case; Observations = [ observation outcome ] })
            (BlockingCases.cases settings)
            [ Ended 2.0; control ]
        |> List.map (fun run -> run, BlockingFigures.figures settings.Load run.Observations)
        |> BlockingPanels.facts settings []

    let figure (facts: Fact list) =
        facts
        |> List.tryFind (fun fact -> fact.Title = "The same mode once more")
        |> Option.map _.Figure

    Assert.Equal(Some "1.25 ×", figure (facts (Ended 2.5)))
    Assert.Equal(None, figure (facts (TimedOut 9.0)))

[<Fact>]
let ``a mode that does not end has a status instead of a time, and a bar as long as the observation`` () =
    let settings = { quick with Load = load; Modes = [ ThreadSleep; AsyncSleep ] }

    let runs =
        List.map2
            (fun case observations -> { Case = case; Observations = observations })
            (BlockingCases.cases settings)
            [ [ observation (TimedOut 2.0) ]; []; [] ]

    let panels = panels settings runs
    let table = panels |> List.find (fun panel -> panel.Id = "modes")
    Assert.Equal(None, (cell table 0 "wall s").AsNumber)
    Assert.Equal(Some 28.0, (cell table 0 "published").AsNumber)
    Assert.Equal(Some "did not end within 2 s (9 of 10)", (cell table 0 "status").AsText)
    Assert.Equal(Some "not run", (cell table 1 "status").AsText)
    let bars = panels |> List.find (fun panel -> panel.Id = "wall")
    let bar = List.exactlyOne bars.Items
    Assert.Equal((2.0, Some 28.0), (bar.Value, bar.Other))

    match bars.Plot with
    | Bars(_, reference, _, _) -> Assert.Equal(Some 0.5, reference)
    | _ -> Assert.Fail "bars"

    // A curve for what was run, and none for what was not.
    Assert.All(
        panels |> List.filter (fun panel -> panel.Kind = "lines"),
        fun panel -> Assert.Equal(1, panel.Series.Length)
    )

[<Fact>]
let ``a cell of a table panel has its column's decimals, and an empty one is a dash`` () =
    let panel =
        Panel.table
            "t"
            "T"
            ""
            [ Column.words "mode"; Column.figure "s" 2 ]
            [ [ Panel.text "a long name"; Panel.number 1.005 ]; [ Panel.text "b"; Panel.nothing ] ]

    Assert.Equal<string list>(
        [ "mode            s"; "-----------  ----"; "a long name  1.00"; "b               -" ],
        ResultsText.panel 120 panel
    )

    Assert.Empty(ResultsText.panel 120 (Panel.bars "b" "B" "" (Panel.linear "x") None None []))

[<Fact>]
let ``a status that is too long for the terminal is below its row`` () =
    let name = String('x', 100)
    let long = "did not end within 180 s (281 of 1000)"

    let panel =
        Panel.table
            "t"
            "T"
            ""
            [ Column.words "mode"; Column.words "status" ]
            [ [ Panel.text name; Panel.text long ]; [ Panel.text "b"; Panel.text "ended" ] ]

    let lines = ResultsText.panel 120 panel
    Assert.All(lines, fun line -> Assert.True(line.Length <= 120, line))
    Assert.Equal<string list>([ name; "    " + long ], lines |> List.skip 2 |> List.take 2)
    Assert.EndsWith("  ended", List.last lines)
