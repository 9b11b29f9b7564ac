// PooledAwait's way of measuring, beside ours: time on the wall, on all cores, one row after another. Each of its rows is
// measured so, and once more with nothing changed but that its process is bound to one core.
module Plait.Lab.YieldAsPublished

open System
open System.Collections.Generic
open System.Threading

open Plait.Report

open Plait.Load

/// How long it takes: iterations that do not count, iterations that do, and the length of one.
type ShortRun = { WarmUps: int; Iterations: int; Milliseconds: int }

/// The published job is BenchmarkDotNet's short run: one process, three warm-ups, three iterations of half a second.
let full = { WarmUps = 3; Iterations = 3; Milliseconds = 500 }

/// The same with shorter iterations.
let quick = { full with Milliseconds = 200 }

/// The figures of one row: nanoseconds on the wall for an operation, iteration by iteration.
type WallTimes = { Row: string; Bound: float list; Free: float list }

/// The seconds that measuring `rows` rows takes, about.
let private seconds (effort: ShortRun) (rows: int) : float =
    float (2 * rows)
    * (0.3 + float ((effort.WarmUps + effort.Iterations) * effort.Milliseconds) / 1000.0)

/// The rows that were published, the base and its control first among them.
let private isPublished (plan: RowPlan) : bool =
    plan.Candidate.Family = Family.Control
    || YieldRows.all |> List.exists (fun row -> row.Name = plan.Id && row.Published.IsSome)

let private iterations
    (effort: ShortRun)
    (patience: int)
    (plan: RowPlan)
    (core: int option)
    (stop: CancellationToken)
    =
    use started = Start.row patience plan [] core
    AnswerCheck.inProcess Yield.scenario (MeasuredRow plan) started

    let take doing =
        stop.ThrowIfCancellationRequested()
        let slice = started.Run(doing, effort.Milliseconds)
        1000.0 * slice.WallMicroseconds / float slice.Operations

    for _ in 1 .. effort.WarmUps do
        take "warming up as published" |> ignore

    [ for _ in 1 .. effort.Iterations -> take "measuring as published" ]

/// Measures the published ones among `rows`, in their order. When it is stopped, it returns the figures so far.
let private measure
    (effort: ShortRun)
    (settings: Settings)
    (rows: RowPlan list)
    (tell: Progress -> unit)
    (stop: CancellationToken)
    : WallTimes list =
    let core = Affinity.placement().Server
    let rows = rows |> List.filter isPublished
    let timed = List<WallTimes>()
    tell (Began(2 * rows.Length))

    let take (plan: RowPlan) phase core =
        tell (Doing(plan.Id, 0, phase))
        let times = iterations effort settings.PatienceMilliseconds plan core stop
        tell (Did(plan.Id, 0, phase, None))
        times

    try
        for plan in rows do
            let skip sentence =
                tell (Noticed $"{plan.Id} is not measured as published: {sentence}")

            Failures.ofRow stop plan.Id skip (fun () ->
                let bound = take plan "as published, but bound to a core" core
                let free = take plan "as published" None
                timed.Add { Row = plan.Id; Bound = bound; Free = free })
    with :? OperationCanceledException ->
        ()

    List.ofSeq timed

let private mean (values: float list) = List.average values

let private label id =
    YieldRows.all |> List.find (fun row -> row.Name = id) |> _.Label

let private published id =
    YieldRows.all |> List.find (fun row -> row.Name = id) |> _.Published

let private ratios (rows: Row list) (theBase: WallTimes) (timed: WallTimes list) =
    let against = mean theBase.Free

    Panel.forest
        "as-published"
        "As published: time on the wall, on all cores"
        "Filled: time for an operation as a multiple of C# Task<T>'s, from the slowest to the fastest iteration. Hollow: the CPU ratio of the comparison, on one core and in pairs. The published way cannot resolve differences smaller than the distance of the control from 1.00."
        (Panel.linear "time over that of C# Task<T>" |> Panel.rounded 2)
        None
        (Some "CPU ratio, one core, in pairs")
        [
            for one in timed ->
                let row = rows |> List.tryFind (fun row -> row.Id = one.Row)
                let family = row |> Option.map _.Family |> Option.defaultValue Family.Other

                { Item.Of(label one.Row, family, mean one.Free / against) with
                    Low = Some(List.min one.Free / against)
                    High = Some(List.max one.Free / against)
                    Other = row |> Option.bind _.Value(Figures.cpuRatio)
                }
        ]

let private effect (theBase: WallTimes) (timed: WallTimes list) =

    Panel.table
        "as-published-effect"
        "The effect of the published way of measuring"
        "Nanoseconds on the wall for an operation: bound to one core, and on all cores, where a yield may wake a thread of another core (mean, least and most of the iterations); the ratios are to C# Task<T> in the same way. Everything else is the same. Three differences to the publication remain: the time includes the overhead of an empty loop, the run reads the clock every 1,000 operations instead of choosing their number beforehand, and it checks results."
        [
            Column.words "row"
            Column.figure "one core" 0
            Column.figure "all cores" 0
            Column.figure "least" 0
            Column.figure "most" 0
            Column.figure "effect" 2
            Column.figure "ratio one" 2
            Column.figure "ratio all" 2
            Column.figure "published" 2
        ]
        [
            for one in timed ->
                [
                    Panel.text (label one.Row)
                    Panel.number (mean one.Bound)
                    Panel.number (mean one.Free)
                    Panel.number (List.min one.Free)
                    Panel.number (List.max one.Free)
                    Panel.number (mean one.Free / mean one.Bound)
                    Panel.number (mean one.Bound / mean theBase.Bound)
                    Panel.number (mean one.Free / mean theBase.Free)
                    match published one.Row with
                    | Some figure -> Panel.number (figure.Microseconds / Yield.publishedBase)
                    | None -> Panel.nothing
                ]
        ]

/// The panels; none without the base.
let private panels (timed: WallTimes list) (rows: Row list) : Panel list =
    match timed |> List.tryFind (fun one -> one.Row = Yield.scenario.Base) with
    | None -> []
    | Some theBase -> [ effect theBase timed; ratios rows theBase timed ]

/// Runs the scenario: with an effort, the published way first. The comparison has less time by as much.
let run
    (effort: ShortRun option)
    (request: ComparisonRequest)
    (tell: Progress -> unit)
    (save: Results -> unit)
    (stop: CancellationToken)
    : Ending * Results =
    match effort with
    | None -> Comparison.run Yield.scenario request tell save stop
    | Some effort ->
        let timed = measure effort request.Settings request.Rows tell stop
        let taken = request.Rows |> List.filter isPublished |> List.length |> seconds effort

        let settings =
            { request.Settings with
                BudgetSeconds =
                    request.Settings.BudgetSeconds |> Option.map (fun budget -> max 1.0 (budget - taken))
            }

        let scenario =
            { Yield.scenario with Panels = fun rows -> Yield.panels rows @ panels timed rows }

        // Steps are counted from the start of the whole run.
        let tell =
            function
            | Began steps -> tell (Began(2 * timed.Length + steps))
            | other -> tell other

        Comparison.run scenario { request with Settings = settings } tell save stop
