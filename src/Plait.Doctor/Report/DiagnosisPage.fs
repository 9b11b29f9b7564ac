// A diagnosis as results, for a page of Plait.Report: the lines that block workers, the folded stacks as a flame graph, and the
// pool over time. Pure.
namespace Plait.Doctor

open System

open Plait.Common
open Plait.Report
// Its verdicts and frames are those of a process.
open Plait.Doctor

/// The page of a diagnosis.
module DiagnosisPage =
    open DiagnosisWords

    /// The largest number of points of a curve: about two for each column of pixels of a wide window.
    let private mostPoints = 4000

    /// The lowest and the highest point of each interval, so that no peak is lost.
    let private thinned (points: float[][]) =
        if points.Length <= mostPoints then
            points
        else
            points
            |> Array.splitInto (mostPoints / 2)
            |> Array.collect (fun stretch ->
                [| Array.minBy (Array.item 1) stretch; Array.maxBy (Array.item 1) stretch |]
                |> Array.distinct
                |> Array.sortBy (Array.item 0))

    let private overTime
        id
        title
        note
        label
        unit'
        (value: PoolReading -> float)
        (readings: PoolReading list)
        =
        let points =
            [|
                for reading in readings do
                    let x, y = reading.AtMilliseconds / 1000.0, value reading

                    if Double.IsFinite x && Double.IsFinite y then
                        [| Math.Round(x, 3); Math.Round(y, 3) |]
            |]

        let series =
            { Panel.series Style.Step label Family.Other (thinned points) with Of = points.Length }

        // A single point is a number among the key figures.
        if points.Length < 2 then
            []
        else
            [ Panel.lines id title note (Panel.linear "time (s)") (Panel.linear unit') [ series ] ]

    let private pool (readings: PoolReading list) =
        [
            yield!
                overTime
                    "queue"
                    "Work that waits"
                    "Work items in the queue of the pool. In a healthy process it is near zero, and a peak ends at once."
                    "queue"
                    "work items"
                    (fun reading -> float reading.Queue)
                    readings
            yield!
                overTime
                    "threads"
                    "Threads of the pool"
                    "A staircase that rises by a thread or two a second is the pool's answer to threads that are blocked: far too slow for a queue that grows by hundreds."
                    "threads"
                    "threads"
                    (fun reading -> float reading.Threads)
                    readings
            yield!
                overTime
                    "completed"
                    "Work that is done"
                    "Work items completed a second."
                    "completed"
                    "work items (1/s)"
                    (fun reading -> reading.CompletedPerSecond |> Option.defaultValue 0.0)
                    (readings |> List.filter _.CompletedPerSecond.IsSome)
        ]

    let private blockingLines (diagnosis: Diagnosis) =
        let note =
            [
                yield! Option.toList diagnosis.Cost
                "Each line holds that many workers of the pool; the lines for which most others wait come first, then those with most workers."
            ]
            |> String.concat " "

        let explained text (column: Column) = { column with Explanation = text }

        let columns =
            [
                Column.words "Function"
                Column.words "Line"
                Column.figure "Workers" 0 |> explained "threads of the pool that this line holds"
                Column.words "Held by"
                Column.words "Instead" |> explained "the remedy that frees the thread while it waits"
                Column.words "plait check" |> explained "the rule that finds it in source"
                Column.words "Pool grows"
                |> explained
                    "for some waits the runtime adds a first few threads at once and then up to forty a second, ever fewer, down to four; for the others, one or two a second"
            ]

        if diagnosis.BlockingLines.IsEmpty then
            []
        else
            [
                Panel.table
                    "blame"
                    "Lines that hold workers"
                    note
                    columns
                    [
                        for blockingLine in diagnosis.BlockingLines ->
                            [
                                Panel.text (Printable.line blockingLine.Function)
                                Panel.textOrNothing (Option.map place blockingLine.Place)
                                Panel.number (float blockingLine.Workers)
                                Panel.text (held blockingLine)
                                Panel.text blockingLine.Remedy
                                Panel.textOrNothing blockingLine.Rule
                                Panel.text (if blockingLine.Compensated then "at once" else "slowly")
                            ]
                    ]
            ]

    let private computing (diagnosis: Diagnosis) =
        let columns =
            [
                Column.words "Function"
                Column.words "Line"
                Column.figure "% of samples" 0
                Column.figure "Threads outside" 0
                Column.words "Mostly"
            ]

        if diagnosis.Computing.IsEmpty then
            []
        else
            [
                Panel.table
                    "computing"
                    "Functions that compute"
                    "% of samples: the share of the samples of running threads. Threads outside: the number of threads outside of the pool that compute there; 0: workers do. Mostly: set if most of these samples throw or catch an exception, or ask for a condition by Thread.Sleep(0), Thread.Yield or SpinWait."
                    columns
                    [
                        for found in diagnosis.Computing ->
                            [
                                Panel.text (Printable.line found.Function)
                                Panel.textOrNothing (Option.map place found.Place)
                                Panel.number (100.0 * found.Share)
                                Panel.number (float found.Outside)
                                Panel.text (
                                    if found.IsThrowing then "throws exceptions"
                                    elif found.IsPolling then "asks again and again"
                                    else ""
                                )
                            ]
                    ]
            ]

    let private waiters (diagnosis: Diagnosis) =
        let columns =
            [
                Column.words "Thread"
                Column.words "Waits"
                Column.words "Function"
                Column.words "Line"
                Column.words "Context"
                Column.figure "Seconds" 1
            ]

        if diagnosis.Waiters.IsEmpty then
            []
        else
            [
                Panel.table
                    "waiters"
                    (heading diagnosis.Waiters)
                    "Context: the thread's SynchronizationContext. Seconds: since the thread last ran, if the doctor could read it."
                    columns
                    [
                        for waiter in diagnosis.Waiters ->
                            [
                                Panel.text (if waiter.IsMain then "main" else string waiter.Thread)
                                Panel.text (kind waiter.Kind)
                                Panel.text (Printable.line waiter.Function)
                                Panel.textOrNothing (Option.map place waiter.Place)
                                Panel.textOrNothing waiter.Context
                                Panel.optional waiter.WaitsForSeconds
                            ]
                    ]
            ]

    let rec private frame (depth: int) (stack: FoldedStack) : FlameFrame =
        let own = stack.Samples - (stack.Children |> List.sumBy _.Samples)

        let tone, word =
            match stack.Kind with
            | Some blocked -> Tone.Trouble, Some(kind blocked)
            | None when stack.Children.IsEmpty -> Tone.Work, Some "runs"
            | None -> Tone.None, None

        let note =
            [
                yield! stack.Place |> Option.map place |> Option.toList
                yield! Option.toList word

                if word.IsNone && own > 0 then
                    $"""runs here itself in {counted own "sample"}"""
            ]
            |> String.concat ", "

        {
            Name = Printable.line stack.Function
            Value = float stack.Samples
            Note = if note = "" then None else Some note
            Tone = tone
            Word = word
            Children = if depth >= deepest then [] else stack.Children |> List.map (frame (depth + 1))
        }

    let private stacks (diagnosis: Diagnosis) =
        match diagnosis.Folded with
        | [] -> []
        | folded ->
            [
                Panel.flame
                    "stacks"
                    "Stacks of the workers"
                    "Stacks of the workers, the user's functions alone: the outermost at the bottom, the functions that it called on it. Warm colours are blocked, blue runs; workers that wait for work are left out."
                    (Panel.linear "samples")
                    (folded |> List.map (frame 1))
            ]

    let private facts (diagnosis: Diagnosis) : Fact list =
        let numbers = diagnosis.Numbers

        let processors = "of " + counted diagnosis.Evidence.Process.Processors "processor"

        [
            match numbers.Queue with
            | Some queue -> { Title = "Queue"; Figure = whole queue; Words = "work items that wait" }
            | None -> ()

            match numbers.CompletedPerSecond with
            | Some completed ->
                {
                    Title = "Completed"
                    Figure = $"{VerdictSentences.number completed} /s"
                    Words =
                        numbers.WaitSeconds
                        |> Option.map (fun wait -> $"one queued now waits {seconds wait}")
                        |> Option.defaultValue "work items"
                }
            | None -> ()

            {
                Title = "Blocked"
                Figure = $"{numbers.Blocked} of {numbers.Workers}"
                Words = $"workers; {numbers.Running} running, {numbers.Idle} idle"
            }

            match numbers.CpuPercent with
            | Some percent ->
                { Title = "CPU"; Figure = $"{VerdictSentences.number percent} %%"; Words = processors }
            | None -> ()
        ]

    /// The route of the look, and its notes. The command line of the process is not among them: people send pages around, and
    /// command lines contain passwords.
    let private summary (evidence: Evidence) =
        [
            if evidence.Milliseconds > 0.0 then
                $"""Read by {route evidence.Route} in {seconds (evidence.Milliseconds / 1000.0)}: {counted evidence.Readings.Length "reading"} of the pool, {counted evidence.Samples.Length "sample"} of stacks."""
            yield! evidence.Notes
        ]
        |> String.concat " "

    /// The results of a diagnosis, for `Page.write`. `command`: the typed command, to look again. `readings`: the
    /// pool over time, of one look or of a long watch.
    let results (command: string) (readings: PoolReading list) (diagnosis: Diagnosis) : Results =
        let evidence = diagnosis.Evidence

        let last =
            readings
            |> List.fold (fun last reading -> max last reading.AtMilliseconds) evidence.Milliseconds

        { Results.Empty with
            Scenario = "doctor"
            Title = Printable.line $"{evidence.Process.Name}, process {evidence.Process.Pid}"
            Command = command
            StartedUtc = Results.Stamp evidence.At
            EndedUtc = Results.Stamp(evidence.At.AddMilliseconds last)
            Environment =
                { RunEnvironment.Unknown with
                    Cores = evidence.Process.Processors
                    Runtime =
                        evidence.Process.Runtime
                        |> Option.map (fun version -> $".NET {version}")
                        |> Option.defaultValue RunEnvironment.Unknown.Runtime
                }
            Answer = $"{verdict diagnosis.Verdict}: {diagnosis.Why}"
            Summary = summary evidence
            Facts = facts diagnosis
            Panels =
                [
                    yield! blockingLines diagnosis
                    yield! computing diagnosis
                    yield! waiters diagnosis
                    yield! stacks diagnosis
                    yield! pool readings
                ]
        }
