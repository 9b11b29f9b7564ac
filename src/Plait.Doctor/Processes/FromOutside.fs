// The facts about a process that does not answer, without stopping it and without its help: threads, workers, and how
// busy it is.
module internal Plait.Doctor.FromOutside

open System
open System.Diagnostics
open System.Threading

/// For which processor time is measured.
let private watched = TimeSpan.FromSeconds 0.2

/// The share that a process takes of the processors it may use, 0 to 100, over a fifth of a second. None: it has ended, or is not
/// ours.
let cpuPercent (facts: ProcessFacts) : float option =
    let clock = Stopwatch.StartNew()
    let before = Processes.processorTime facts.Pid
    Thread.Sleep watched

    match before, Processes.processorTime facts.Pid with
    | Some before, Some after ->
        let share = (after - before).TotalSeconds / clock.Elapsed.TotalSeconds
        Some(100.0 * share / float facts.Processors |> max 0.0 |> min 100.0)
    | _ -> None

/// All of it as a sentence: "From outside it shows 12 threads, ...".
let sentence (facts: ProcessFacts) : string =
    let states =
        (ThreadStates.Watched.Of facts.Pid).States(fun _ -> false) |> Map.values |> List.ofSeq

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
        | Some percent -> $"{percent:F1} %% of {facts.Processors} processors in use"
        | None -> ()
    ]
    |> String.concat ", "
    |> fun seen -> $"From outside it shows {seen}, but not why a thread waits"
