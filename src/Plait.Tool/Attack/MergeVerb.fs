// The verb that adds several runs, as when several machines loaded one server: their histograms, and from the JSON of load runs
// the whole run.
module internal Plait.Tool.MergeVerb

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Report

open Plait.Load

let private files =
    RunFiles.argument
        "attack.json of load runs or .hlog files: plait merge one/attack.json two/attack.json --json both.json"

let private out =
    Options.text "--out" "FILE" "the .hlog that is written; a .hgrm of each tag goes beside it"

let private tags =
    Options.names "--tag" "only histograms with these tags (default: all, which every file must have)"

let private json = Options.json "the whole run as JSON, like attack.json,"

let private page = Options.text "--page" "FILE" "write the page of the whole run"

let private require =
    Options.each
        "--require"
        "RULE"
        "a rule of the whole run, in the form of --require of plait attack: 'p99<200ms' (default: the rules of all runs)"
        Rule.parse

let private rounded =
    Options.flag "--rounded" "accept logs with fewer than three digits; their sum is not exact"

/// The request of a command line.
type private MergeInput =
    {
        Sources: RunFile list
        /// The log to write, whose name ends with .hlog.
        Log: string option
        Json: string option
        Page: string option
        Rules: Rule list
        /// Only histograms with these tags; empty: all.
        Tags: string list
        /// Logs with fewer than three digits are accepted.
        IsRounded: bool
        /// Files that are not one run are refused.
        NeedsWhole: bool
    }

/// The log to write; None: only the whole run is wanted.
let private logOf (given: string option) (sources: RunFile list) : string option =
    match given with
    | None when sources |> List.forall _.Content.IsAttack -> None
    | None -> raise (BadInput "'merge' needs --out FILE: the .hlog that the sum is written to")
    | Some file ->
        let path =
            match Path.GetExtension file with
            | null
            | "" -> file + ".hlog"
            | ".hlog" -> file
            | other ->
                raise (BadInput $"--out: {file} ends in {other}, and a sum of histograms is written as .hlog")

        Some(Path.GetFullPath path)

/// Raises BadInput when there is an option of the whole run, and one of the files is a log.
let private checkWhole (options: string list) (sources: RunFile list) : unit =
    match options, sources |> List.tryFind _.Content.IsLog with
    | first :: _, Some log ->
        raise (
            BadInput
                $"{first} needs the attack.json of every run, and {log.File} is a log, which has latencies only; give the attack.json of its run, or leave {first} out and name the .hlog of the sum with --out FILE"
        )
    | _ -> ()

/// Raises BadInput when an output is one of the inputs, or another output.
let private checkOutputs (input: MergeInput) : unit =
    let outputs =
        [ "--out", input.Log; "--json", input.Json; "--page", input.Page ]
        |> List.choose (fun (name, file) -> file |> Option.map (fun file -> name, file))

    for name, file in outputs do
        if
            input.Sources
            |> List.exists (fun source -> Path.GetFullPath source.File = Path.GetFullPath file)
        then
            raise (BadInput $"{name}: {file} is one of the files to add; name another")

    Options.checkDistinct outputs

let private request (parsed: ParseResult) : MergeInput =
    let sources = RunFiles.read "merge" files parsed
    let rules = Options.value parsed require

    let ofWhole =
        [
            if not rules.IsEmpty then
                require.Name

            for option in [ json; page ] do
                if Options.isGiven parsed option then
                    option.Name
        ]

    checkWhole ofWhole sources
    let log = logOf (Options.value parsed out) sources

    let input =
        {
            Sources = sources
            Log = log
            Json = Options.value parsed json
            Page = Options.value parsed page
            Rules = rules
            Tags = Options.value parsed tags
            IsRounded = Options.value parsed rounded
            NeedsWhole = log.IsNone || not ofWhole.IsEmpty
        }

    checkOutputs input
    input

/// The file beside the log that the distribution of a tag goes to. A tag of another program may hold any character.
let private distribution (target: string) (tag: string option) : string =
    let plain = target.Substring(0, target.Length - ".hlog".Length)

    match tag with
    | None -> plain + ".hgrm"
    | Some tag ->
        let name =
            tag
            |> String.map (fun c -> if Char.IsLetterOrDigit c || "-_+=".Contains c then c else '-')

        $"{plain}.{name}.hgrm"

let private latencies (merged: Merge.Merged) : Latencies list =
    merged.Sums
    |> List.map (fun (tag, sum) ->
        { Run = "sum"; Name = tag |> Option.defaultValue "no tag"; Sum = sum; Parts = [] })

/// The whole run of the files, or the reason why there is none.
let private whole (input: MergeInput) : Result<Recording, string> =
    let runs = RunFile.attacks input.Sources

    if runs.Length < input.Sources.Length then
        Error "a .hlog has latencies only; attack.json has the rest"
    else
        WholeRun.ofRuns input.Rules (CommandLine.given ()) runs

let private writeLog (target: string) (intervals: Hlog.Interval list) (merged: Merge.Merged) : unit =
    let started = merged.StartedUtc |> Option.defaultValue DateTime.UnixEpoch
    Files.write target (Hlog.write started intervals)
    Console.Out.WriteLine()
    Console.Out.WriteLine $"log:     {target}"

    for tag, sum in merged.Sums do
        let path = distribution target tag
        Files.write path (Hgrm.write sum)
        Console.Out.WriteLine $"hgrm:    {path}"

let private show (sources: RunFile list) (merged: Merge.Merged) (whole: Result<Recording, string>) : unit =
    for line in RunComparison.table ((sources |> List.collect RunFile.latencies) @ latencies merged) do
        Console.Out.WriteLine line

    let notes =
        [
            yield! merged.Notes
            match whole with
            | Ok recording -> yield! recording.Warnings
            | Error why -> $"the files are not one run, because {why}: only their latencies are added"
        ]

    for note in notes do
        for line in Wrap.lines "" $"note: {note}" do
            Console.Out.WriteLine line

    match whole with
    | Ok recording ->
        Console.Out.WriteLine()
        let write = if Wrap.isTerminal () then AttackText.show else AttackText.write
        Console.Out.Write(write (Wrap.width ()) recording.Outcome)
    | Error _ -> ()

let private merge (input: MergeInput) : int =
    let merged = Merge.files input.Tags input.IsRounded input.Sources
    let whole = whole input

    match whole with
    | Error why when input.NeedsWhole ->
        raise (BadInput $"the files are not one run, because {why}; --out FILE adds their latencies alone")
    | _ -> ()

    Options.besideJson input.Json (fun () ->
        show input.Sources merged whole

        match input.Log, whole with
        | None, _ -> ()
        | Some log, Ok recording when input.Tags.IsEmpty ->
            writeLog log (Latencies.intervals recording.Outcome) merged
        | Some log, _ -> writeLog log merged.Intervals merged

        match input.Page, whole with
        | Some file, Ok recording ->
            Files.writing file (fun () -> Page.write file (AttackReport.results recording))
            Console.Out.WriteLine $"page:    {file}"
        | _ -> ())

    match input.Json, whole with
    | Some file, Ok recording -> Files.write file (OutcomeJson.write recording)
    | _ -> ()

    match whole with
    | Ok recording -> AttackEnding.conclude false false [] recording.Outcome
    | Error _ -> Endings.success

let private run (parsed: ParseResult) : int = merge (request parsed)

/// plait merge
let command () : Command =
    Verb.make
        "merge"
        "Add several load runs of one server. Histograms are added count by count, so the percentiles are of all requests together. From the JSON of load runs it makes the whole run: requests, rates, results, seconds, rules. The exit code is the one of plait attack for the whole run."
        [ files ]
        [ out; json; page; require; tags; rounded; RunFiles.unit' ]
        run
