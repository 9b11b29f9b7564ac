// FizzBoom: FizzBuzz that waits six times, one after the other, for a slow service. Its settings, and its run: a closed load
// while the service tells how many waits are in flight.
namespace Plait.Lab

open System
open System.Collections.Generic
open System.Diagnostics
open System.Net.Http
open System.Threading
open System.Threading.Tasks

open Plait.Report
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

/// What a candidate did under FizzBoom.
type FizzBoomRow =
    {
        Row: RowPlan
        /// Whether it held the one thread that it had while it waited, as it was asked without load.
        Holds: bool option
        Outcome: Outcome option
        /// Seconds from the start of the load, and the most waits in flight since the reading before.
        InFlight: (float * int) list
        /// Why it is not, or not wholly, measured.
        Trouble: string option
    }

/// What may be expected of FizzBoom, and its run.
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

    /// Requests a second that nobody can exceed: each connection waits for most of its time.
    let ceiling (settings: FizzBoomSettings) : float =
        float settings.Connections / leastSeconds settings

    /// Seconds that a candidate takes, about, with all that surrounds its load.
    let secondsEach (settings: FizzBoomSettings) : float =
        1.5 + 5.0 * leastSeconds settings + max settings.Seconds (2.0 * leastSeconds settings)

    /// The rows that take part: candidates that wait, without factors, and the base, which blocks, as the negative control.
    let rowsOf (theBase: string) (rows: RowPlan list) : RowPlan list =
        rows
        |> List.filter (fun row ->
            not row.SyncFn
            && row.Candidate.Absence.IsNone
            && (row.Id = theBase || not row.Candidate.Blocks))

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

    let private gate (expected: string) (row: RowPlan) (patience: int) (url: string) =
        use client = new HttpClient(Timeout = TimeSpan.FromMilliseconds(float patience))
        client.DefaultRequestHeaders.ConnectionClose <- true

        let body =
            try
                client.GetStringAsync(url).Result
            with :? AggregateException as trouble ->
                raise (
                    WorkerFailed(
                        row.Id,
                        $"{row.Id} does not answer {url}: {trouble.GetBaseException().Message}"
                    )
                )

        if body <> expected then
            raise (
                WorkerFailed(
                    row.Id,
                    $"the answer of {row.Id} to FizzBoom is wrong, so it is not timed: {AnswerCheck.difference expected body}"
                )
            )

    let private plan (settings: FizzBoomSettings) (expected: string) (patience: int) (url: string) : Plan =
        let least = leastSeconds settings

        { Plan.ofOne (HttpRequest.Get url) expected (Closed settings.Connections) with
            Duration = TimeSpan.FromSeconds(max settings.Seconds (2.0 * least))
            WarmUp = TimeSpan.FromSeconds(1.5 * least)
            Timeout = TimeSpan.FromSeconds(max (float patience / 1000.0) (3.0 * least))
        }

    let private readEvery = TimeSpan.FromMilliseconds 100.0

    // The load runs elsewhere, so that this thread can read how many waits there are.
    let private load (generator: AttackProcess) (upstream: CandidateProcess) plan (stop: CancellationToken) =
        let clock = Stopwatch.StartNew()
        upstream.TakeMostInFlight() |> ignore
        let running = Task.Run(fun () -> generator.Run(plan, ignore, stop))
        let seen = List<float * int>()

        while not (running.Wait readEvery) do
            seen.Add(clock.Elapsed.TotalSeconds, upstream.TakeMostInFlight())

        running.Result, List.ofSeq seen

    let private one
        (settings: FizzBoomSettings)
        expected
        core
        patience
        (upstream: CandidateProcess)
        url
        generator
        stop
        (row: RowPlan)
        =
        use candidate =
            CandidateProcess.Start(
                row.Id,
                row.Candidate.Assembly,
                row.Arguments,
                CandidateProcess.Variables,
                core,
                patience
            )

        candidate.FetchFrom url
        let isHeld = holds settings candidate row
        let address = $"http://127.0.0.1:{candidate.Serve 0}/fizzboom"
        gate expected row (patience + 2 * waits * settings.DelayMilliseconds) address

        let outcome, inFlight =
            load generator upstream (plan settings expected patience address) stop

        {
            Row = row
            Holds = Some isHeld
            Outcome = Some outcome
            InFlight = inFlight
            Trouble = None
        }

    /// Runs it on all rows, a step each that the caller has announced. `folder`: that of the candidates;
    /// `expected`: the body of a right answer.
    let run
        (settings: FizzBoomSettings)
        (folder: string)
        (expected: string)
        (rows: RowPlan list)
        (request: Request)
        (tell: Progress -> unit)
        (stop: CancellationToken)
        : Ending * FizzBoomRow list =
        let done' = List<FizzBoomRow>()

        try
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

            for row in rows do
                stop.ThrowIfCancellationRequested()
                tell (Doing(row.Id, 0, "FizzBoom"))

                let measured =
                    try
                        one
                            settings
                            expected
                            placement.Server
                            patience
                            upstream
                            (url.TrimEnd '/')
                            generator
                            stop
                            row
                    with :? WorkerFailed as trouble when trouble.Subject = row.Id ->
                        if stop.WaitHandle.WaitOne 200 then
                            stop.ThrowIfCancellationRequested()

                        tell (Noticed $"{row.Id} is not measured under FizzBoom: {trouble.Message}")

                        {
                            Row = row
                            Holds = None
                            Outcome = None
                            InFlight = []
                            Trouble = Some trouble.Message
                        }

                done'.Add measured
                tell (Did(row.Id, 0, "FizzBoom", None))

            (if stop.IsCancellationRequested then Stopped else Completed), List.ofSeq done'
        with
        | :? OperationCanceledException -> Stopped, List.ofSeq done'
        | :? WorkerFailed when stop.WaitHandle.WaitOne 200 -> Stopped, List.ofSeq done'
        | :? WorkerFailed as trouble -> Ending.Broken trouble.Message, List.ofSeq done'
        | :? AggregateException when stop.WaitHandle.WaitOne 200 -> Stopped, List.ofSeq done'
        | :? AggregateException as trouble ->
            Ending.Broken(trouble.GetBaseException().Message), List.ofSeq done'
