// The panels of the scenario blocking: its key figures, the table, the times, and the effect of the published way.
module Plait.Lab.BlockingPanels

open Plait.Lab.BlockingFigures
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

let private times settings (runs: (CaseRun * Figures) list) =
    let load = settings.Load

    Panel.bars
        "wall"
        "Time until all jobs have ended"
        $"{load.Jobs} jobs that each wait {load.SleepMilliseconds} ms. The line is the ideal: all wait at the same time. Outlined: published, for 1,000 jobs of 500 ms on 8 cores."
        (Panel.linear "time (s)" |> Panel.rounded 2)
        (Some(float load.SleepMilliseconds / 1000.0))
        (Some "published: 1,000 jobs, 8 cores")
        [
            for run, figures in runs do
                match shown run figures with
                | None -> ()
                | Some seconds ->
                    let isSeveral = run.Observations.Length > 1

                    { Item.Of(run.Case.Label settings.Load, Family.Other, seconds) with
                        Low = if isSeveral then figures.Low else None
                        High = if isSeveral then figures.High else None
                        Other = run.Case.Published
                        // An ordinary end needs no note.
                        Note =
                            if run.Observations |> List.forall _.Ending.IsEnded then
                                None
                            else
                                Some(statusOf settings run)
                    }
        ]

let private examinations (run: CaseRun) =
    run.Observations |> List.choose _.Examination

let private distinct (words: string list) =
    match List.distinct words with
    | [] -> Panel.nothing
    | words -> Panel.text (String.concat "; " words)

let private lineOf (examination: Examination) =
    match examination.Found with
    | Ok examined -> examined.Line
    | Error _ -> None

let private table (settings: BlockingSettings) (runs: (CaseRun * Figures) list) =
    let isExamined = settings.Examine.IsSome

    let seen (run: CaseRun) (value: float) =
        if run.Observations.IsEmpty then Panel.nothing else Panel.number value

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
            if isExamined then
                Column.words "doctor"
                Column.words "line"
            Column.words "status"
        ]
        [
            for run, figures in runs ->
                [
                    Panel.text (run.Case.Label settings.Load)
                    Panel.optional figures.Wall
                    Panel.optional run.Case.Published
                    Panel.optional figures.Floor
                    seen run (float figures.AtOnce)
                    seen run (float figures.PoolThreads)
                    seen run (float figures.Threads)
                    seen run (float figures.Queue)
                    for percent in [ 50.0; 99.0; 100.0 ] do
                        Panel.optional (figures.Delay percent)
                    if isExamined then
                        distinct (examinations run |> List.map Examination.words)
                        distinct (examinations run |> List.choose lineOf)
                    Panel.text (statusOf settings run)
                ]
        ]

/// The diagnoses of the processes, a row for each look.
let private doctor (settings: BlockingSettings) (runs: (CaseRun * Figures) list) =
    if settings.Examine.IsNone then
        []
    else
        [
            Panel.table
                "doctor"
                "Diagnoses of the doctor"
                "The run looked at each process once while its jobs ran, as 'plait doctor' does: counters for about a second, stacks for a tenth of a second. The look takes processor time and changes the times of the run. line: the line that holds most workers. workers: the number of threads of the pool that it holds; it does harm only while work waits for them. from, to: seconds since the jobs began; the look may end after the jobs."
                [
                    Column.words "mode"
                    Column.words "verdict"
                    Column.words "line"
                    Column.figure "workers" 0
                    Column.figure "from s" 1
                    Column.figure "to s" 1
                ]
                [
                    for run, _ in runs do
                        for examination in examinations run do
                            [
                                Panel.text (run.Case.Label settings.Load)
                                Panel.text (Examination.words examination)
                                Panel.textOrNothing (lineOf examination)
                                match examination.Found with
                                | Ok examined -> Panel.number (float examined.Workers)
                                | Error _ -> Panel.nothing
                                Panel.number examination.FromSeconds
                                Panel.number examination.ToSeconds
                            ]
                ]
        ]

let private switchOf (case: Case) =
    match case.Variant with
    | Variant.NoProbe -> "no probe"
    | Variant.EightProcessors -> "8 processors"
    | _ when case.InSameProcess -> "both, and behind Thread.Sleep in one process"
    | _ -> "both: as published"

let private effect settings (runs: (CaseRun * Figures) list) =
    let wall = BlockingFigures.wall runs

    if not settings.AsPublished then
        []
    else
        [
            Panel.table
                "as-published-effect"
                "The effect of the published way"
                "Each switch alone, then all of them. 8 processors: the runtime counts 8, as many as the publication's machine has, so the pool begins with 8 threads; the jobs only sleep and need no further cores."
                [
                    Column.words "switch"
                    Column.words "mode"
                    Column.figure "without (s)" 2
                    Column.figure "with (s)" 2
                    Column.figure "effect" 2
                    Column.figure "published (s)" 2
                ]
                [
                    for case in BlockingCases.published do
                        let usual = { case with Variant = Variant.Usual }

                        [
                            Panel.text (switchOf case)
                            Panel.text (usual.Label settings.Load)
                            Panel.optional (wall usual)
                            Panel.optional (wall case)
                            Panel.optional (Option.map2 (/) (wall case) (wall usual))
                            if case.Variant = Variant.AsPublished then
                                Panel.optional case.Published
                            else
                                Panel.nothing
                        ]
                ]
        ]

/// The task of the run.
let summary (settings: BlockingSettings) (cores: int) : string =
    let load = settings.Load
    let never = Mode.floor load.Jobs load.SleepMilliseconds cores

    $"{load.Jobs} jobs that each wait {load.SleepMilliseconds} ms, on {cores} cores. All at once they take {float load.SleepMilliseconds / 1000.0:F1} s; a pool that stayed at {cores} threads would take {never:F0} s."

let private usual (runs: (CaseRun * Figures) list) =
    runs |> List.filter (fun (run, _) -> run.Case.Variant = Variant.Usual)

/// The fastest and the slowest mode that ended, with their seconds.
let private ends settings (runs: (CaseRun * Figures) list) =
    match
        usual runs
        |> List.choose (fun (run, figures) ->
            figures.Wall |> Option.map (fun wall -> run.Case.Label settings.Load, wall, figures))
    with
    | [] -> None
    | ended ->
        let wall (_, wall: float, _) = wall
        Some(List.minBy wall ended, List.maxBy wall ended)

/// The answer of the run; "" if no mode ended.
let answer settings (runs: (CaseRun * Figures) list) : string =
    match ends settings runs with
    | Some((fast, least, _), (slow, most, figures)) when fast <> slow ->
        $"{fast} took {least:F2} s and {slow} {most:F1} s, because at most {figures.AtOnce} of its jobs waited at once."
    | _ -> ""

/// The key figures; the ones that rank modes only if the control held.
let facts settings (controls: Control list) (runs: (CaseRun * Figures) list) : Fact list =
    let fact title figure words : Fact =
        { Title = title; Figure = figure; Words = words }

    let delays =
        usual runs
        |> List.choose (fun (run, figures) ->
            figures.Delay 50.0 |> Option.map (fun delay -> run.Case.Label settings.Load, delay))

    let milliseconds (value: float) =
        if value < 1000.0 then $"{value:F1} ms" else $"{value / 1000.0:F1} s"

    [
        if controls |> List.forall _.Held then
            match ends settings runs with
            | Some((fast, least, _), (slow, most, figures)) ->
                fact "Fastest" $"{least:F2} s" fast
                fact "Slowest" $"{most:F1} s" $"{slow}, at most {figures.AtOnce} at once"
            | None -> ()

            if not delays.IsEmpty then
                let name, delay = delays |> List.maxBy snd
                fact "Longest wait of other work" (milliseconds delay) $"median delay of a work item: {name}"

        match controlRatio runs with
        | Some ratio -> fact "The same mode once more" $"{ratio:F2} ×" "A/A control, its time over the first"
        | None -> ()
    ]

/// All panels.
let panels
    (settings: BlockingSettings)
    (controls: Control list)
    (runs: (CaseRun * Figures) list)
    : Panel list =
    let why =
        controls |> List.tryFind (fun control -> not control.Held) |> Option.map _.Sentence

    [
        table settings runs
        yield! doctor settings runs
        yield! effect settings runs
        times settings runs |> Panel.notJudged why
        yield! BlockingFigures.curves settings (usual runs)
    ]
