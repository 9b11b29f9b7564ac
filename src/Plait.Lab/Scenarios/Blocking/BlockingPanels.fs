// What the scenario blocking shows: its key figures, the table, the times, and what the published way changes.
module Plait.Lab.Blocking.BlockingPanels

open Plait.Lab.Blocking.BlockingCurves
open Plait.Lab.Blocking.BlockingFigures
open Plait.Report

/// Where a mode did not end, the bar is as long as it was watched.
let private shown (run: CaseRun) (figures: Figures) =
    match figures.Wall, run.Observations with
    | Some seconds, _ -> Some seconds
    | None, observations ->
        observations
        |> List.tryPick (fun one -> one.Moments |> List.tryLast |> Option.map _.Seconds)

let private statusOf settings (run: CaseRun) =
    match run.Observations |> List.map (BlockingRun.word settings) |> List.distinct with
    | [] -> "not run"
    | words -> String.concat "; " words

let private published (run: CaseRun) =
    match run.Case.Processors, run.Case.Switch with
    | Some _, ", 8 processors"
    | None, ", again" -> None
    | _ -> run.Case.Mode.Published

let private times settings (runs: (CaseRun * Figures) list) =
    let load = settings.Load

    { Panel.bars
          "wall"
          "Time until all jobs have ended"
          $"{load.Jobs} jobs that each wait {load.SleepMilliseconds} ms. The line is the ideal: all wait at the same time. Outlined: published, for 1,000 jobs of 500 ms on 8 cores."
          { Label = "time (s)"; Scale = "linear" }
          [
              for run, figures in runs do
                  match shown run figures with
                  | None -> ()
                  | Some seconds ->
                      {
                          Label = label settings run.Case
                          Family = ""
                          Value = seconds
                          Low = if run.Observations.Length > 1 then figures.Low else None
                          High = if run.Observations.Length > 1 then figures.High else None
                          Other = published run
                          Note = Some(statusOf settings run)
                      }
          ] with
        Reference = Some(float load.SleepMilliseconds / 1000.0)
        OtherLabel = Some "published: 1,000 jobs, 8 cores"
    }

let private table settings (runs: (CaseRun * Figures) list) =

    let delay percent (figures: Figures) =
        if figures.Delays.Length = 0 then
            Panel.nothing
        else
            Panel.number (percentile percent figures.Delays)

    Panel.table
        "modes"
        "The modes"
        "published: for 1,000 jobs of 500 ms on 8 cores. at once: the most jobs that waited at the same time; floor: the least time that so many at a time can take. pool, all: the most threads of the pool, and of the process. p50, p99, max: milliseconds that a probe waited for a thread."
        [
            Column.words "mode"
            Column.lessIsBetter "wall s" 2
            Column.figure "published" 2
            Column.figure "floor" 1
            Column.figure "at once" 0
            Column.figure "pool" 0
            Column.figure "all" 0
            Column.figure "queue" 0
            Column.lessIsBetter "p50" 1
            Column.lessIsBetter "p99" 0
            Column.lessIsBetter "max" 0
            Column.words "status"
        ]
        [
            for run, figures in runs ->
                [
                    Panel.text (label settings run.Case)
                    Panel.optional figures.Wall
                    Panel.optional (published run)
                    Panel.optional figures.Floor
                    if run.Observations.IsEmpty then Panel.nothing else Panel.number (float figures.AtOnce)
                    if run.Observations.IsEmpty then
                        Panel.nothing
                    else
                        Panel.number (float figures.PoolThreads)
                    if run.Observations.IsEmpty then Panel.nothing else Panel.number (float figures.Threads)
                    if run.Observations.IsEmpty then Panel.nothing else Panel.number (float figures.Queue)
                    delay 50.0 figures
                    delay 99.0 figures
                    delay 100.0 figures
                    Panel.text (statusOf settings run)
                ]
        ]

let private effect settings (runs: (CaseRun * Figures) list) =
    let wall = BlockingFigures.wall runs

    let pairs =
        [
            "no probe", "thread-sleep+no-probe", "thread-sleep"
            "8 processors", "thread-sleep+8-processors", "thread-sleep"
            "both: as published", "thread-sleep+as-published", "thread-sleep"
            "both, and behind Thread.Sleep in one process", "async-sleep+as-published", "async-sleep"
        ]

    if not settings.AsPublished then
        []
    else
        [
            Panel.table
                "as-published-effect"
                "What the published way does"
                "Each switch alone, then all of them. 8 processors: the runtime is told that it has as many as the publication's machine, so the pool begins with 8 threads; the jobs only sleep, so they need no more cores than there are."
                [
                    Column.words "switch"
                    Column.words "mode"
                    Column.figure "without (s)" 2
                    Column.figure "with (s)" 2
                    Column.figure "effect" 2
                    Column.figure "published (s)" 2
                ]
                [
                    for switch, id, usual in pairs do
                        let mode = Mode.find usual |> Option.get

                        [
                            Panel.text switch
                            Panel.text (mode.Label settings.Load)
                            Panel.optional (wall usual)
                            Panel.optional (wall id)
                            Panel.optional (Option.map2 (/) (wall id) (wall usual))
                            if id.EndsWith "+as-published" then
                                Panel.optional mode.Published
                            else
                                Panel.nothing
                        ]
                ]
        ]

let private summary
    (settings: BlockingSettings)
    (cores: int)
    (control: float option)
    (runs: (CaseRun * Figures) list)
    =
    let load = settings.Load
    let never = Mode.floor load.Jobs load.SleepMilliseconds cores

    let ended =
        runs
        |> List.choose (fun (run, figures) ->
            figures.Wall |> Option.map (fun wall -> label settings run.Case, wall, figures))

    let delays =
        runs
        |> List.filter (fun (_, figures) -> figures.Delays.Length > 0)
        |> List.map (fun (run, figures) -> label settings run.Case, percentile 50.0 figures.Delays)

    let milliseconds (value: float) =
        if value < 1000.0 then $"{value:F1} ms" else $"{value / 1000.0:F1} s"

    Panel.facts
        $"{load.Jobs} jobs that each wait {load.SleepMilliseconds} ms, on {cores} cores. All at once they take {float load.SleepMilliseconds / 1000.0:F1} s; a pool that stayed at {cores} threads would take {never:F0} s."
        [
            if not ended.IsEmpty then
                let name, wall, _ = ended |> List.minBy (fun (_, wall, _) -> wall)
                "Fastest", $"{wall:F2} s", name
                let name, wall, figures = ended |> List.maxBy (fun (_, wall, _) -> wall)
                "Slowest", $"{wall:F1} s", $"{name}, at most {figures.AtOnce} at once"

            if not delays.IsEmpty then
                let name, delay = delays |> List.maxBy snd
                "What others wait, at worst", milliseconds delay, $"median delay of a work item: {name}"

            match control with
            | Some ratio -> "The same mode once more", $"{ratio:F2} ×", "A/A control, its time over the first"
            | None -> ()
        ]

/// All panels.
let panels (settings: BlockingSettings) (cores: int) (runs: (CaseRun * Figures) list) : Panel list =
    let usual = runs |> List.filter (fun (run, _) -> run.Case.Switch = "")

    [
        summary settings cores (controlRatio runs) usual
        table settings runs
        yield! effect settings runs
        times settings runs
        yield! BlockingCurves.panels settings usual
    ]
