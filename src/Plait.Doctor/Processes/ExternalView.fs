// The facts about a process without its answer and without stopping it: threads, workers, and processor time.
module internal Plait.Doctor.ExternalView

open System
open System.Diagnostics
open System.Threading

/// The time over which processor time is measured.
let private watched = TimeSpan.FromSeconds 0.2

/// The process's share of its processors, 0 to 100, over a fifth of a second. None: it has ended, or is not ours.
let cpuPercent (facts: ProcessFacts) : float option =
    let clock = Stopwatch.StartNew()
    let before = Processes.processorTime facts.Pid
    Thread.Sleep watched

    match before, Processes.processorTime facts.Pid with
    | Some before, Some after ->
        let share = (after - before).TotalSeconds / clock.Elapsed.TotalSeconds
        Some(100.0 * share / float facts.Processors |> max 0.0 |> min 100.0)
    | _ -> None

/// These facts as a sentence: "From outside it shows 12 threads, ...".
let sentence (facts: ProcessFacts) : string =
    let states =
        (ThreadStates.ThreadWatch.Of facts.Pid).States(fun _ -> false) |> Map.values |> List.ofSeq

    let workers = states |> List.filter _.IsWorker

    let wantProcessor (threads: OsThread list) =
        threads
        |> List.filter (fun thread -> thread.Waiting |> Option.exists (fun share -> share < 0.5))
        |> List.length

    [
        match Processes.threads facts.Pid with
        | Some 1 -> "1 thread"
        | Some count -> $"{count} threads"
        | None -> ()

        if not states.IsEmpty then
            $"{workers.Length} workers of its pool, {wantProcessor workers} of them ready to run"

        match cpuPercent facts with
        | Some percent ->
            let processors =
                if facts.Processors = 1 then "1 processor" else $"{facts.Processors} processors"

            $"{percent:F1} %% of {processors} in use"
        | None -> ()
    ]
    |> String.concat ", "
    |> fun seen -> $"From outside it shows {seen}, but not why a thread waits"
