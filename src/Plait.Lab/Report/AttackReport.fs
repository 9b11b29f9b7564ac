// What a page shows of a load run: the document.
module Plait.Lab.Report.AttackReport

open System
open System.Globalization

open Plait.Lab.Load

/// Where nothing is known of where it ran.
let unknownEnvironment: RunEnvironment =
    {
        Os = "not known"
        Kernel = None
        Architecture = "not known"
        Cpu = None
        Cores = 0
        Runtime = "not known"
        Sdk = None
        Gc = "not known"
        TieredPgo = false
        Git = None
        Dirty = false
        ServerCore = None
        ClientCore = None
        Pinning = "not known"
        LoadAverage = None
        StealPercent = None
        Packages = Map.empty
        Variables = Map.empty
    }

/// A document of panels alone: rows of comparisons, and what belongs to them, are empty.
let document
    scenario
    title
    command
    (started: DateTime)
    (ended: DateTime)
    complete
    environment
    warnings
    panels
    : Results =
    let time (value: DateTime) =
        value.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)

    {
        Schema = Results.CurrentSchema
        Scenario = scenario
        Title = title
        StartedUtc = time started
        EndedUtc = time ended
        Complete = complete
        Command = command
        Seed = 0
        Base = ""
        Margin = 0.0
        Settings =
            {
                Launches = 0
                Pairs = 0
                SliceMilliseconds = 0
                WarmUpMilliseconds = 0
                Connections = 0
            }
        Environment = environment
        Warnings = warnings
        Rows = []
        Published = []
        Panels = panels
        Stopping = None
    }

/// What a run asked for, in a few words.
let plan (plan: Plan) : string =
    let rate (value: float) =
        value.ToString("0.##", CultureInfo.InvariantCulture)

    let time (span: TimeSpan) = Duration.showSpan span

    let model =
        match plan.Model with
        | Open(Constant perSecond, connections) ->
            $"{rate perSecond}/s evenly, at most {connections} in flight"
        | Open(Poisson perSecond, connections) ->
            $"{rate perSecond}/s at random, at most {connections} in flight"
        | Open(Ramp(from, until), connections) ->
            $"from {rate from}/s to {rate until}/s, at most {connections} in flight"
        | Closed connections -> $"{connections} connections, each in a closed loop"

    let warmUp =
        if plan.WarmUp > TimeSpan.Zero then $", after {time plan.WarmUp} of warm-up" else ""

    $"{model}, for {time plan.Duration}{warmUp}"

/// What is asked, in a few words.
let target (plan: Plan) : string =
    match plan.Asks with
    | [] -> "nothing"
    | [ ask ] -> $"{ask.Method} {ask.Url.OriginalString}"
    | ask :: rest -> $"{ask.Method} {ask.Url.OriginalString} and {rest.Length} more"

let private facts (outcome: Outcome) : Panel =
    let failed = outcome.Requests - outcome.Right

    let whole (count: int64) =
        count.ToString("N0", CultureInfo.InvariantCulture)

    let known (histogram: Histogram) (nanoseconds: int64) =
        if histogram.Count = 0L then "–" else Duration.rough nanoseconds

    let percentile (histogram: Histogram) percent =
        known histogram (histogram.Percentile percent)

    let longest (histogram: Histogram) = known histogram histogram.Max

    let perSecond (value: float) =
        value.ToString((if value >= 1000.0 then "N0" else "F1"), CultureInfo.InvariantCulture)
        + " /s"

    let verdict =
        if not outcome.Invalid.IsEmpty then
            "The figures are not to be relied on: see the notices."
        elif outcome.Requests = 0L then
            "No request was made."
        elif failed = 0L then
            "Every request was answered rightly."
        else
            $"{whole failed} of {whole outcome.Requests} requests were not answered rightly."

    Panel.facts
        $"{target outcome.Plan}: {plan outcome.Plan}. {verdict}"
        [
            "99 % within",
            percentile outcome.Intended 99.0,
            $"from the intended start; half within {percentile outcome.Intended 50.0}"
            "Longest",
            longest outcome.Intended,
            $"from the intended start; from send {longest outcome.Actual}"
            "Right responses",
            perSecond (AttackText.throughput outcome),
            $"{whole outcome.Right} of {whole outcome.Requests}"
            "Own lag, 99 %",
            percentile outcome.OwnLag 99.0,
            $"the generator used {100.0 * outcome.Busy:F0} %% of its core"
        ]

/// What a reader must have seen: why the run is not to be relied on, that it was stopped, and the rest.
let warnings (recording: Recording) : string list =
    [
        for sentence in recording.Outcome.Invalid do
            $"invalid: {sentence}"

        if recording.Outcome.Stopped then
            "the run was stopped before its time: these are the figures of what was done"

        yield! recording.Warnings
    ]

/// The panels of one run.
let panels (recording: Recording) : Panel list =
    let outcome = recording.Outcome
    let latencies = Latencies.ofOutcome recording.Name outcome
    let outcomes = [ recording.Name, outcome ]

    [
        facts outcome
        AttackPanels.overTime latencies outcomes
        AttackPanels.percentiles latencies
        AttackPanels.rates outcomes
        AttackPanels.inFlight outcomes
        AttackTables.percentiles
            [
                "from intended start", outcome.Intended
                "from send", outcome.Actual
                "lag", outcome.Lag
                "own lag", outcome.OwnLag
            ]
        AttackTables.fates outcomes
        AttackPanels.lag outcomes
    ]

/// The document of one run for the page.
let results (recording: Recording) : Results =
    let outcome = recording.Outcome

    { document
          "attack"
          $"Load: {target outcome.Plan}"
          recording.Command
          outcome.StartedUtc
          (outcome.StartedUtc + outcome.Elapsed)
          (not outcome.Stopped)
          (recording.Environment |> Option.defaultValue unknownEnvironment)
          (warnings recording)
          (panels recording) with
        Seed = outcome.Plan.Seed
    }

/// The log of one run: both clocks, second by second.
let hlog (recording: Recording) : string =
    Hlog.write recording.Outcome.StartedUtc (Latencies.intervals recording.Outcome)
