// What a load run is written as: the page's document, and the files of its folder.
module Plait.Lab.Report.AttackReport

open System
open System.Globalization
open System.IO
open System.Security

open Plait.Lab
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
    let ms = Duration.show
    let percentile (histogram: Histogram) percent = ms (histogram.Percentile percent)

    let perSecond (value: float) =
        value.ToString("F1", CultureInfo.InvariantCulture) + " /s"

    let verdict =
        if not outcome.Invalid.IsEmpty then
            "The figures are not to be relied on: see the notices."
        elif outcome.Requests = 0L then
            "No request was made."
        elif failed = 0L then
            "Every request was answered rightly."
        else
            $"{failed} of {outcome.Requests} requests were not answered rightly."

    Panel.facts
        $"{target outcome.Plan}: {plan outcome.Plan}. {verdict}"
        [
            "99 % within",
            percentile outcome.Intended 99.0,
            $"from the intended start; half within {percentile outcome.Intended 50.0}"
            "longest", ms outcome.Intended.Max, $"from the intended start; from send {ms outcome.Actual.Max}"
            "right responses",
            perSecond (AttackText.throughput outcome),
            $"{outcome.Right} of {outcome.Requests}"
            "own lag, 99 %",
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
        AttackPanels.percentileTable
            [
                "from intended start", outcome.Intended
                "from send", outcome.Actual
                "lag", outcome.Lag
                "own lag", outcome.OwnLag
            ]
        AttackPanels.fates outcomes
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

/// Writes with a function, and says what went wrong in a sentence.
let writing (path: string) (action: unit -> unit) : unit =
    try
        action ()
    with
    | :? IOException
    | :? UnauthorizedAccessException
    | :? SecurityException
    | :? ArgumentException
    | :? NotSupportedException as trouble ->
        raise (RunFailed $"{path} cannot be written: {trouble.Message.TrimEnd '.'}")

/// Writes a text file, whose folder is made when there is none. Raises RunFailed when that cannot be done.
let writeText (path: string) (text: string) : unit =
    writing path (fun () ->
        match Path.GetDirectoryName(Path.GetFullPath path) with
        | null
        | "" -> ()
        | folder -> Directory.CreateDirectory folder |> ignore

        File.WriteAllText(path, text))

/// Writes the samples of one run as CSV.
let writeCsv (path: string) (recording: Recording) : unit =
    writing path (fun () ->
        use target = new StreamWriter(path)
        AttackCsv.write target recording.Outcome)

/// Writes all files of one run into a folder: attack.json, attack.txt, attack.hlog, intended.hgrm, actual.hgrm,
/// samples.csv, and page.html where this build holds a page. Returns their paths.
let writeFolder (folder: string) (recording: Recording) : string list =
    let outcome = recording.Outcome
    let path (name: string) = Path.Combine(folder, name)

    [
        "attack.json", AttackJson.write recording
        "attack.txt", AttackText.write outcome
        "attack.hlog", hlog recording
        "intended.hgrm", Hgrm.write outcome.Intended
        "actual.hgrm", Hgrm.write outcome.Actual
    ]
    |> List.iter (fun (name, text) -> writeText (path name) text)

    writeCsv (path "samples.csv") recording
    let page = Page.template ()

    match page with
    | Some _ -> writing (path "page.html") (fun () -> Page.write (path "page.html") (results recording))
    | None -> ()

    [
        "attack.json"
        "attack.txt"
        "attack.hlog"
        "intended.hgrm"
        "actual.hgrm"
        "samples.csv"
        if page.IsSome then
            "page.html"
    ]
    |> List.map path
