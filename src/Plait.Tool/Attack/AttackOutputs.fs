// The output of a load run: its options, the report on stdout, and the files of the options.
module internal Plait.Tool.AttackOutputs

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Report

open Plait.Load
open Plait.Lab

let private report =
    Options.text
        "--report"
        "KIND"
        "the report on stdout: text in the form of vegeta's, json, hist[0,1ms,10ms] for buckets of latency, or none (default: text)"

let private out =
    Options.text
        "--out"
        "DIR"
        "write all files into this folder: attack.json, attack.txt, attack.hlog, intended.hgrm, actual.hgrm, samples.csv, steps.csv, page.html"

let private json = Options.json "the run as JSON, with its histograms,"

let private csv = Options.text "--csv" "FILE" "write the requests one by one as CSV"

let private vegeta =
    Options.text
        "--vegeta-csv"
        "FILE"
        "write the requests as vegeta's CSV, for 'vegeta report' and 'vegeta plot'"

let private hgrm =
    Options.text
        "--hgrm"
        "FILE"
        "write the distribution of latencies from the intended start, for HdrHistogram's plotter"

let private hlog =
    Options.text "--hlog" "FILE" "write the histograms of every second, for 'plait merge'"

let private page = Options.text "--page" "FILE" "write the page"

let private stream =
    Options.text
        "--stream"
        "FILE"
        "write a line of JSON each second, and one for the whole at the end; - writes them to standard output, and everything else to standard error"

let private otlp =
    Options.parsed
        "--otlp"
        []
        "URL"
        "send metrics each second to the OpenTelemetry collector at this URL, as OTLP over HTTP: http://127.0.0.1:4318"
        (fun text ->
            match Uri.TryCreate(text, UriKind.Absolute) with
            | true, url when
                ((nonNull url).Scheme = Uri.UriSchemeHttp || (nonNull url).Scheme = Uri.UriSchemeHttps)
                && (nonNull url).UserInfo = ""
                && (nonNull url).Query = ""
                ->
                nonNull url
            | true, url when (nonNull url).UserInfo <> "" || (nonNull url).Query <> "" ->
                raise (
                    BadInput
                        "--otlp takes no password and no query in its URL; set OTEL_EXPORTER_OTLP_HEADERS=Authorization=... instead"
                )
            | _ -> Options.refuse "--otlp" "the URL of a collector like http://127.0.0.1:4318" text)

let private name =
    Options.text "--name" "NAME" "the name of the run among others (default: the host)"

let private crank =
    Options.flag
        "--crank"
        "print the run's figures last, as crank reads them from a job; an invalid run ends with 0, because crank drops the figures of a job that fails"

/// All of them, in the order in which help shows them.
let all': Option list =
    [ report; out; json; csv; vegeta; hgrm; hlog; page; stream; otlp; name; crank ]

/// The report that is printed at the end.
type Report =
    | Text
    | Json
    | Hist of buckets: int64 list
    | Nothing

/// The output of a run, by the command line: paths of files, `-` for standard output.
type Outputs =
    {
        /// The run's name among others.
        Name: string
        Report: Report
        /// The folder of all files.
        Folder: string option
        Json: string option
        Csv: string option
        Vegeta: string option
        Hgrm: string option
        Hlog: string option
        Page: string option
        /// The file of a line each second.
        Stream: string option
        /// The collector of metrics.
        Collector: Uri option
        /// The run is a job of crank.
        ForCrank: bool
    }

let private reportOf (parsed: ParseResult) =
    match Options.value parsed report with
    | None
    | Some "text" -> Text
    | Some "json" -> Json
    | Some "none" -> Nothing
    | Some text when text.StartsWith("hist", StringComparison.Ordinal) ->
        Hist(HistText.buckets "--report" (text.Substring 4))
    | Some other -> raise (BadInput $"--report takes text, json, hist[0,1ms,10ms] or none, not '{other}'")

/// The outputs of a command line. Raises BadInput when two options contradict each other.
let read (parsed: ParseResult) (plan: Plan) : Outputs =
    let host =
        match plan.Requests with
        | request :: _ -> request.Url.Authority
        | [] -> "attack"

    let outputs =
        {
            Name = Options.valueOr host parsed name
            Report = reportOf parsed
            Folder = Options.value parsed out
            Json = Options.value parsed json
            Csv = Options.value parsed csv
            Vegeta = Options.value parsed vegeta
            Hgrm = Options.value parsed hgrm
            Hlog = Options.value parsed hlog
            Page = Options.value parsed page
            Stream = Options.value parsed stream
            Collector = Options.value parsed otlp
            ForCrank = Options.value parsed crank
        }

    if outputs.Stream = Some Files.standardOutput then
        if outputs.Json = Some Files.standardOutput then
            raise (
                BadInput "--json and --stream cannot both have standard output; write one of them to a file"
            )

        if outputs.ForCrank then
            raise (
                BadInput "--crank and --stream - would both write to standard output; give --stream a file"
            )

    outputs

/// Tries, before anything is measured, to write every file. Raises BadInput if one cannot be written, or if two options name the same
/// one.
let tryFiles (outputs: Outputs) : unit =
    let files =
        [
            json.Name, outputs.Json
            csv.Name, outputs.Csv
            vegeta.Name, outputs.Vegeta
            hgrm.Name, outputs.Hgrm
            hlog.Name, outputs.Hlog
            page.Name, outputs.Page
            stream.Name, outputs.Stream
        ]
        |> List.choose (fun (name, file) -> file |> Option.map (fun file -> name, file))

    for name, file in files do
        Files.trial name file

    let ofFolder =
        [
            for folder in Option.toList outputs.Folder do
                for name in AttackWriting.names do
                    out.Name, Path.Combine(folder, name)
        ]

    Options.checkDistinct (files @ ofFolder)
    outputs.Folder |> Option.iter (fun folder -> Folder.Create(folder, None) |> ignore)

    for name, file in ofFolder do
        Files.trial name file

/// The facts of the machine before the run.
let look () : EnvironmentSnapshot.InitialFacts =
    EnvironmentSnapshot.look (LabOutput.root ())

/// The number of single requests to keep: all, up to 4 million, with --csv or --vegeta-csv.
let kept (outputs: Outputs) (plan: Plan) : int =
    let most = 4_194_304

    let due =
        match Plan.peak plan with
        // Random arrivals may be some more.
        | Some perSecond -> 1.05 * perSecond * plan.Duration.TotalSeconds
        | None -> float most

    let all =
        [ float most; due; yield! Option.toList (Option.map float (Plan.mostRequests plan)) ]
        |> List.min

    if outputs.Csv.IsSome || outputs.Vegeta.IsSome then
        max Attack.usuallyKept (int all)
    else
        Attack.usuallyKept

/// The run with its machine, versions and times. `warnings`: those besides the machine's.
let recording
    (outputs: Outputs)
    (before: EnvironmentSnapshot.InitialFacts)
    (warnings: string list)
    (outcome: Outcome)
    : Recording =
    let environment = EnvironmentSnapshot.environment before []

    {
        Name = outputs.Name
        Command = CommandLine.given ()
        Outcome = outcome
        Warnings = RunWarnings.ofMachine environment @ warnings
        Environment = Some environment
    }

let private print (outputs: Outputs) (recording: Recording) : unit =
    let outcome = recording.Outcome

    match outputs.Report with
    | Text ->
        let write = if Wrap.isTerminal () then AttackText.show else AttackText.write
        Console.Out.Write(write (Wrap.width ()) outcome)
    | Json -> Console.Out.Write(OutcomeJson.write recording)
    | Hist buckets -> Console.Out.Write(HistText.write buckets outcome.Counts.Intended)
    | Nothing -> ()

    // crank looks for the end of the block on the last line
    if outputs.ForCrank then
        Console.Out.Write(CrankStatistics.write outcome)

/// The report and every file except the JSON, each to be written apart from the others.
let private writings (outputs: Outputs) (recording: Recording) : (unit -> unit) list =
    let outcome = recording.Outcome

    if int64 outcome.Samples.Length < outcome.Requests then
        if List.exists Option.isSome [ outputs.Folder; outputs.Csv; outputs.Vegeta ] then
            Streams.say
                $"note: the CSV has {outcome.Samples.Length} of {outcome.Requests} requests, the worst of each group of consecutive ones: its percentiles are too high; the report has the percentiles of all requests"

    let whenGiven (path: string option) (write: string -> unit) =
        path |> Option.map (fun path -> fun () -> write path) |> Option.toList

    [
        [ fun () -> print outputs recording ]
        whenGiven outputs.Hlog (fun file -> Files.write file (AttackReport.hlog recording))
        whenGiven outputs.Hgrm (fun file -> Files.write file (Hgrm.write outcome.Counts.Intended))
        whenGiven outputs.Csv (fun file -> AttackWriting.csv file recording)
        whenGiven outputs.Vegeta (fun file ->
            Files.writing file (fun () ->
                use target = new StreamWriter(file)
                AttackCsv.writeVegeta target true recording.Name outcome))
        whenGiven outputs.Page (fun file ->
            Files.writing file (fun () -> Page.write file (AttackReport.results recording)))
        whenGiven outputs.Folder (fun folder ->
            // stdout may be JSON for another program
            AttackWriting.folder folder recording (fun path -> Streams.say $"note: wrote {path}")

            if Option.isNone (Page.template ()) then
                Streams.say
                    "note: this build holds no page, so page.html was not written; 'make build' makes one that does")
    ]
    |> List.concat

/// Prints the report and writes all files, also if some fail. Raises RunFailed with the reasons of the failures.
let write (outputs: Outputs) (recording: Recording) : unit =
    Files.each
        [
            for write in writings outputs recording do
                fun () -> Options.besideJson outputs.Json write

            match outputs.Json with
            | Some file -> fun () -> Files.write file (OutcomeJson.write recording)
            | None -> ()
        ]
