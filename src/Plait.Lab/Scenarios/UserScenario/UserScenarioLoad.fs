// Loading a server of a user's scenario: one slice is one run of the load generator; and the outcomes and counters
// that the slices of a row gather besides pairs.
module internal Plait.Lab.UserScenarioLoad

open System
open System.Collections.Generic

open Plait.Report

open Plait.Load

/// The data of a row besides pairs.
type RowObservations() =
    /// The latencies of its slices, by both clocks.
    member val Intended = List<Histogram>()
    member val Actual = List<Histogram>()
    /// The counts of its last process.
    member val CounterReadings: CounterReading list = [] with get, set
    /// Why slices are not to be relied on.
    member val Invalid = List<string>()
    member val Slices = 0 with get, set
    /// The results of its requests, and their time altogether.
    member val Requests = 0L with get, set
    member val Right = 0L with get, set
    member val Elapsed = TimeSpan.Zero with get, set
    /// Why its bytes and counters are not known.
    member val NoCounters: string option = None with get, set

/// The shared parts of a run of a user's scenario.
type SharedContext =
    {
        File: ScenarioFile
        Context: Context
        Client: AttackProcess
        Expected: ExpectedAnswer
        Ports: Map<string, int>
        Variants: Map<string, UserScenarioRows.Variant>
        Observations: Map<string, RowObservations>
    }

let private toHttp (file: ScenarioFile) (served: RunningProgram) (request: ScenarioRequest) : HttpRequest =
    {
        Method = request.Method
        Url = Uri(served.Address + request.Path)
        Headers = request.Headers
        Body = ScenarioFile.bytes request.Body
    }

/// The load of a slice, which is as long as its steps where it has some. With one request its body is checked in every
/// response; with several only once, by the gate.
let plan (file: ScenarioFile) (expected: ExpectedAnswer) (served: RunningProgram) (milliseconds: int) : Plan =
    let requests = file.Requests |> List.map (toHttp file served)

    { Plan.ofRequests requests file.Model with
        Duration =
            Arrivals.span file.Model
            |> Option.defaultValue (TimeSpan.FromMilliseconds(float milliseconds))
        Timeout = TimeSpan.FromSeconds file.TimeoutSeconds
        ExpectStatus = file.Checks.Status
        ExpectBody =
            match file.Requests with
            | [ _ ] -> expected.Body |> Option.map ScenarioFile.bytes
            | _ -> None
        Seed = file.Settings.Seed
    }

/// A slice of load on a program.
let slice (shared: SharedContext) (program: RunningProgram) (milliseconds: int) : Slice * Outcome =
    HttpSlice.take program.Usage (fun () ->
        let plan = plan shared.File shared.Expected program milliseconds
        let outcome = shared.Client.Run(plan, ignore, shared.Context.Stop)
        shared.Context.Stop.ThrowIfCancellationRequested()
        outcome)

// By its counters, where it does not tell them itself. A reading behind the slice is worth waiting for.
let private bytesOf (program: RunningProgram) from until (slice: Slice) =
    match program.Counters with
    | Some counters when Double.IsNaN slice.AllocatedBytes && counters.WaitFor(until, 3000) ->
        CounterReading.allocated from until counters.Readings |> Option.defaultValue nan
    | _ -> slice.AllocatedBytes

/// A slice that counts: with the bytes, if they are asked for; its outcome is kept.
let counted (shared: SharedContext) (row: MeasuredRow) program (milliseconds: int) : Slice * Outcome =
    let now () =
        program.Counters |> Option.map _.Now |> Option.defaultValue 0.0

    let from = now ()
    let slice, outcome = slice shared program milliseconds
    let until = now ()
    let observations = shared.Observations[row.Plan.Id]
    observations.Intended.Add outcome.Counts.Intended
    observations.Actual.Add outcome.Counts.Actual
    observations.Slices <- observations.Slices + 1
    observations.Requests <- observations.Requests + outcome.Requests
    observations.Right <- observations.Right + outcome.Right
    observations.Elapsed <- observations.Elapsed + outcome.Elapsed

    match outcome.Doubts with
    | first :: _ -> observations.Invalid.Add first
    | [] -> ()

    let isAsked = List.contains ScenarioMetric.Bytes shared.File.Metrics
    { slice with AllocatedBytes = if isAsked then bytesOf program from until slice else nan }, outcome

/// The verdicts on the rules in each measured row, over all of its slices.
let verdicts
    (file: ScenarioFile)
    (rows: MeasuredRow list)
    (observations: Map<string, RowObservations>)
    : (string * RuleVerdict list) list =
    [
        for row in rows do
            let own = observations[row.Plan.Id]

            if own.Slices > 0 && not file.Rules.IsEmpty then
                let figure = Rule.figureOf own.Requests own.Right own.Elapsed.TotalSeconds

                let judge =
                    Rule.judge figure (Histogram.Sum own.Intended) (Histogram.Sum own.Actual)

                row.Plan.Id, file.Rules |> List.map judge
    ]

/// The rules that were broken, or that the lag of requests decides, by row, in a sentence; None: all were kept.
let broken (verdicts: (string * RuleVerdict list) list) : string option =
    match
        [
            for row, verdicts in verdicts do
                for sentence in Rule.complaints verdicts do
                    $"{row}: {sentence}"
        ]
    with
    | [] -> None
    | sentences -> Some(String.concat "; " sentences)

/// The panels that the scenario asks for.
let panels
    (file: ScenarioFile)
    (rows: MeasuredRow list)
    (observations: Map<string, RowObservations>)
    : Panel list =
    let clocks =
        [
            for row in rows do
                let own = observations[row.Plan.Id]

                if own.Intended.Count > 0 then
                    for name, parts in [ Latencies.intended, own.Intended; Latencies.actual, own.Actual ] do
                        { Run = row.Plan.Id; Name = name; Sum = Histogram.Sum parts; Parts = [] }
        ]

    let isIntended (clock: Latencies) = clock.Name = Latencies.intended

    [
        yield! Option.toList (AttackPanels.rules (verdicts file rows observations))

        if List.contains ScenarioMetric.Latency file.Metrics && not clocks.IsEmpty then
            // A closed loop has one clock: a request is due when it is sent.
            match file.Model with
            | Closed _ -> LatencyPanels.percentiles (clocks |> List.filter isIntended)
            | Open _ -> LatencyPanels.percentiles clocks

            AttackPanels.percentiles
                [
                    for clock in clocks do
                        if isIntended clock then
                            clock.Run, clock.Sum
                ]

        yield!
            CounterPanels.all
                [
                    for row in rows do
                        row.Plan.Id, row.Plan.Candidate.Family, observations[row.Plan.Id].CounterReadings
                ]
    ]

/// The warnings about them.
let warnings (observations: Map<string, RowObservations>) : string list =
    [
        for KeyValue(id, own) in observations do
            if own.Invalid.Count > 0 then
                $"{own.Invalid.Count} of {own.Slices} slices of {id} are unreliable: {own.Invalid[0]}"

            match own.NoCounters with
            | Some sentence -> $"bytes and counters of {id} are missing: {sentence}"
            | None -> ()
    ]
