// FizzBoom: FizzBuzz that waits six times, one after the other, for a slow service. Its settings, and its run: a closed load
// while the service tells how many waits are in flight.
namespace Plait.Lab

open System
open System.Collections.Generic
open System.Diagnostics
open System.Threading
open System.Threading.Tasks

open Plait.Common
open Plait.Load

/// How FizzBoom runs.
type FizzBoomSettings =
    {
        /// Milliseconds that the service takes for each wait.
        DelayMilliseconds: int
        /// Connections of the closed load.
        Connections: int
        /// Seconds of the load.
        Seconds: float
    }

/// The outcome of a candidate under FizzBoom.
type FizzBoomRow =
    {
        Row: RowPlan
        /// Its process's own figures; None: it is not measured.
        Introduction: Introduction option
        /// Whether it held its one thread while it waited, in a request without load.
        Holds: bool option
        Outcome: Outcome option
        /// Seconds from the start of the load, and the most waits in flight since the reading before.
        InFlight: (float * int) list
        /// CPU of its process for a request behind the warm-up, in microseconds; None: it answered none.
        CpuMicroseconds: float option
        /// Why it is not, or not wholly, measured.
        Trouble: string option
    }

/// The ceiling of FizzBoom, and its run.
module FizzBoom =
    /// The waits of a request.
    let waits = 6

    /// As published: a second each, 500 connections.
    let full = { DelayMilliseconds = 1000; Connections = 500; Seconds = 30.0 }

    /// A tenth of the wait, and less of everything.
    let quick = { DelayMilliseconds = 100; Connections = 200; Seconds = 3.0 }

    /// The range of the delay, in milliseconds.
    let delays = (10, 5000)

    /// Seconds that a request takes at least.
    let leastSeconds (settings: FizzBoomSettings) : float =
        float (waits * settings.DelayMilliseconds) / 1000.0

    /// Requests a second that no candidate can exceed: each connection waits for most of its time.
    let ceiling (settings: FizzBoomSettings) : float =
        float settings.Connections / leastSeconds settings

    // the runtime compiles the code that is used most in the first seconds
    let private warmUp (settings: FizzBoomSettings) : float =
        max (1.5 * leastSeconds settings) (min 5.0 (settings.Seconds / 2.0))

    /// Seconds that a candidate takes, about, with all that surrounds its load.
    let secondsEach (settings: FizzBoomSettings) : float =
        1.5
        + 3.5 * leastSeconds settings
        + warmUp settings
        + max settings.Seconds (2.0 * leastSeconds settings)

    /// Seconds that `count` rows take with the shortest load.
    let leastOf (count: int) (settings: FizzBoomSettings) : float =
        float count * secondsEach { settings with Seconds = quick.Seconds }

    /// Settings with the load so much shorter that `count` rows end in `seconds`, as far as the shortest load allows.
    let within (seconds: float) (count: int) (settings: FizzBoomSettings) : FizzBoomSettings =
        let over = secondsEach settings - seconds / float count

        { settings with
            Seconds = min settings.Seconds (max quick.Seconds (settings.Seconds - over))
        }

    /// The id of the row that is `row` a second time, the control.
    let again (row: string) : string = $"{row} again"

    let private waitsIn (row: RowPlan) =
        row.Factors.IsEmpty && not row.Candidate.Blocks

    /// The rows that take part: candidates that wait, without factors, and the base, which blocks, as the negative control. The
    /// first that waits is measured a second time at the end, as the control of the CPU.
    let rowsOf (theBase: string) (rows: RowPlan list) : RowPlan list =
        let present = rows |> List.filter _.Candidate.Absence.IsNone

        let control =
            present
            |> List.tryFind (fun row -> row.Id <> theBase && waitsIn row)
            |> Option.map (fun row -> { row with Id = again row.Id })

        (present |> List.filter (fun row -> row.Id = theBase || waitsIn row))
        @ Option.toList control

    /// The number of rows that take part with the base, where `others` are there beside it.
    let countWith (others: RowPlan list) : int =
        match others |> List.filter waitsIn with
        | [] -> 1
        | waiting -> waiting.Length + 2

    // A busy machine delays a heartbeat as a held thread does, but not every time.
    let private tries = 5

    let private holds (settings: FizzBoomSettings) (candidate: CandidateProcess) (row: RowPlan) : bool =
        let length = 4 * waits * settings.DelayMilliseconds

        let rec ask left =
            let waited, isHeld = candidate.Boom length

            if waited <> waits then
                raise (
                    WorkerFailed(
                        row.Id,
                        $"{row.Id} waited {waited} times instead of {waits}, so it is not timed"
                    )
                )

            isHeld && (left <= 1 || row.Candidate.Blocks || ask (left - 1))

        ask tries

    let private plan (settings: FizzBoomSettings) (expected: string) (patience: int) (url: string) : Plan =
        let least = leastSeconds settings

        { Plan.ofOne (HttpRequest.Get url) expected (Closed settings.Connections) with
            Duration = TimeSpan.FromSeconds(max settings.Seconds (2.0 * least))
            WarmUp = TimeSpan.FromSeconds(warmUp settings)
            Timeout = TimeSpan.FromSeconds(max (float patience / 1000.0) (3.0 * least))
        }

    let private readEvery = TimeSpan.FromMilliseconds 100.0

    // The load runs elsewhere, so that this thread can read the number of waits in flight and, once after the warm-up, call `spent`.
    let private load
        (generator: AttackProcess)
        (upstream: CandidateProcess)
        (plan: Plan)
        (spent: unit -> 'Spent)
        (stop: CancellationToken)
        =
        let clock = Stopwatch.StartNew()
        upstream.TakeMostInFlight() |> ignore
        let running = Task.Run(fun () -> generator.Run(plan, ignore, stop))
        let seen = List<float * int>()
        let mutable warm = None

        while Task.WaitAny([| running :> Task |], readEvery) < 0 do
            seen.Add(clock.Elapsed.TotalSeconds, upstream.TakeMostInFlight())

            if warm.IsNone && clock.Elapsed >= plan.WarmUp then
                warm <- Some(spent ())

        running.GetAwaiter().GetResult(), List.ofSeq seen, warm

    /// Runs it on all rows, a step each that the caller has announced. `folder`: that of the candidates; `scenario`: whose answer
    /// is that of FizzBoom as well.
    let run
        (settings: FizzBoomSettings)
        (folder: string)
        (scenario: Scenario)
        (rows: RowPlan list)
        (request: ComparisonRequest)
        (tell: Progress -> unit)
        (stop: CancellationToken)
        : Ending * FizzBoomRow list =
        let done' = List<FizzBoomRow>()
        let scenario = { scenario with Path = "/fizzboom" }

        let measure () =
            let placement = Affinity.placement ()
            let patience = request.Settings.PatienceMilliseconds

            let upstream, url =
                CardService.start
                    folder
                    {
                        Seed = request.Settings.Seed
                        Delay = Plait.Lab.Cards.Constant(float settings.DelayMilliseconds)
                        ErrorRate = 0.0
                    }
                    placement.Client
                    patience

            use upstream = upstream
            use generator = AttackProcess.Start(request.Generator, placement.Client, patience)

            let one (row: RowPlan) =
                use candidate = Start.row patience row CandidateProcess.Variables placement.Server

                candidate.FetchFrom(url.TrimEnd '/')
                let isHeld = holds settings candidate row

                let address =
                    let patience = patience + 2 * waits * settings.DelayMilliseconds
                    AnswerCheck.overHttp scenario patience (MeasuredRow row) candidate

                // Requests are counted by their waits, at any moment of the load.
                let spent () =
                    candidate.Usage().CpuMicroseconds, float (upstream.Answered()) / float waits

                let outcome, inFlight, warm =
                    load generator upstream (plan settings scenario.Expected patience address) spent stop

                let cpuMicroseconds =
                    match warm, spent () with
                    | Some(cpu, requests), (cpuNow, requestsNow) when
                        outcome.Right > 0L && requestsNow > requests
                        ->
                        Some((cpuNow - cpu) / (requestsNow - requests))
                    | _ -> None

                {
                    Row = row
                    Introduction = Some candidate.Introduction
                    Holds = Some isHeld
                    Outcome = Some outcome
                    InFlight = inFlight
                    CpuMicroseconds = cpuMicroseconds
                    Trouble = None
                }

            for row in rows do
                stop.ThrowIfCancellationRequested()
                tell (Doing(row.Id, 0, "FizzBoom"))

                let skip sentence =
                    tell (Noticed $"{row.Id} is not measured under FizzBoom: {sentence}")

                    {
                        Row = row
                        Introduction = None
                        Holds = None
                        Outcome = None
                        InFlight = []
                        CpuMicroseconds = None
                        Trouble = Some sentence
                    }

                done'.Add(Failures.ofRow stop row.Id skip (fun () -> one row))
                tell (Did(row.Id, 0, "FizzBoom", None))

            if stop.IsCancellationRequested then Stopped else Completed

        let ending = Failures.ending stop measure
        ending, List.ofSeq done'
