// The options of the comparison fizzbuzz, and what they come to.
module internal Plait.Tool.LabFizzBuzzOptions

open System
open System.CommandLine
open System.IO

open Plait.Lab
open Plait.Lab.Scenarios

let private ranges = Settings.ranges

let private quick =
    Options.flag "--quick" "a few minutes: fewer launches and pairs, shorter slices, wider intervals"

let private all =
    Options.flag "--all" "with --quick: measure rows with a factor (+sync-fn) over HTTP as well"

let private only =
    Options.names
        "--only"
        "measure these candidates or rows (strand, strand+sync-fn); the base and the A/A control always are"

let private skip = Options.names "--skip" "leave these candidates or rows out"

let private seed =
    Options.number "--seed" [] "N" ranges.Seed "seed of every random choice"

let private launches =
    Options.number "--launches" [] "N" ranges.Launches "fresh processes of every candidate and of the base"

let private pairs =
    Options.number
        "--pairs"
        [ "--rounds" ]
        "N"
        ranges.Pairs
        "pairs of slices, candidate and base, in a launch"

let private slice =
    Options.number "--slice" [] "MS" ranges.SliceMilliseconds "milliseconds of one slice"

let private warmUp =
    Options.number
        "--warm-up"
        []
        "MS"
        ranges.WarmUpMilliseconds
        "milliseconds of CPU that each process has before its pairs are measured, at least"

let private connections =
    Options.number "--connections" [] "N" ranges.Connections "keep-alive connections of the load client"

let private width =
    LabOptions.fraction
        "--width"
        "W"
        ranges.Width
        "make launches until every interval is at most this wide, as a share of its median (0.05: from 2.5 % below to 2.5 % above), or the budget ends; at least --launches of them (5)"

let private budget =
    LabOptions.duration
        "--budget"
        "the time that launches may take: no other one begins that would end later. Without --width: rows are measured shorter to end in time"

let private margin =
    LabOptions.fraction "--margin" "M" ranges.Margin "the difference that counts: verdicts are against it"

let private noHttp = Options.flag "--no-http" "measure in process only"
let private noInProcess = Options.flag "--no-in-process" "measure over HTTP only"

let private out =
    Options.text
        "--out"
        "DIR"
        "the folder to write to; default: artifacts/lab/fizzbuzz-<time>, with a copy in artifacts/lab/fizzbuzz-latest"

let private json =
    Options.texts
        "--json"
        "FILE"
        "write results.json to this file as well; the words indented and compact are the form of the answers instead"

let private runtimes =
    Options.names
        "--runtimes"
        "measure on these versions of .NET, each with its own runtime: net8.0,net9.0,net10.0"

let private asPublished =
    Options.flag
        "--as-published"
        "measure with the defects of the published benchmark (the five switches below), and what each of them does"

let private logging =
    Options.flag "--logging" "switch: every server logs to the console at level Debug"

let private table =
    Options.text "--fn-table" "per-request|once" "switch: when the table of functions is made"

let private beside =
    Options.flag "--client-on-server-cores" "switch: the load client shares the core of the server"

let private traced =
    Options.flag
        "--traced"
        "switch: functions that only compute are recorded call by call in a file (measured alone, on the base)"

let private candidates =
    Options.text
        "--candidates"
        "DIR"
        "the folder that the candidates lie in, a folder each (or a list of names, as --only)"

let private rivals =
    Options.flag
        "--rivals"
        "fetch, build and measure the candidates from packages too (without it, those that --only names)"

let private feed =
    Options.text
        "--feed"
        "DIR"
        "a folder of .nupkg files to take those packages from, besides the configured sources; implies --rivals"

let private port =
    Options.number
        "--port"
        []
        "N"
        ranges.Port
        "port of the base's server, the candidate's is the next; 0: the system's choice"

let private patience =
    Options.number
        "--patience"
        []
        "MS"
        ranges.PatienceMilliseconds
        "milliseconds that a process may take to answer before it counts as hanging"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        quick
        all
        only
        skip
        seed
        launches
        pairs
        slice
        warmUp
        connections
        width
        budget
        margin
        noHttp
        noInProcess
        out
        json
        candidates
        rivals
        feed
        runtimes
        asPublished
        logging
        table
        beside
        traced
        port
        patience
        yield! LabFizzBoomOptions.all'
    ]

/// How to measure. Raises BadInput when options contradict each other.
let settings (parsed: ParseResult) : Settings =
    let preset = if Options.value parsed quick then Settings.quick else Settings.full

    let value (option: Option<int option>) fallback =
        Options.value parsed option |> Option.defaultValue fallback

    if
        Options.value parsed noHttp
        && Options.value parsed noInProcess
        && not (LabFizzBoomOptions.isAsked parsed)
    then
        raise (
            BadInput "--no-http and --no-in-process together leave nothing to measure; leave one of them out"
        )

    // Whoever says how much is to be measured gets all of it, however long that takes.
    let isOrdered =
        Options.value parsed all
        || [ launches; pairs; slice; warmUp ]
           |> List.exists (fun option -> (Options.value parsed option).IsSome)

    // Who says how many launches gets as many; who says how wide, as many as that takes.
    let asked =
        match Options.value parsed width with
        | Some width -> Some width
        | None when (Options.value parsed launches).IsSome -> None
        | None -> preset.Width

    let warmed (usual: WarmUp) =
        Options.value parsed warmUp |> Option.map Settings.warmedFor |> Option.defaultValue usual

    let least = if asked.IsSome then Stopping.leastLaunches else preset.Launches

    { preset with
        BudgetSeconds =
            Options.value parsed budget
            |> Option.orElse (if isOrdered && asked.IsNone then None else preset.BudgetSeconds)
        Seed = value seed preset.Seed
        Launches = value launches least
        Width = asked
        Margin = Options.value parsed margin |> Option.defaultValue preset.Margin
        Pairs = value pairs preset.Pairs
        SliceMilliseconds = value slice preset.SliceMilliseconds
        WarmUp = warmed preset.WarmUp
        HttpWarmUp = warmed preset.HttpWarmUp
        Connections = value connections preset.Connections
        InProcess = not (Options.value parsed noInProcess)
        Http = not (Options.value parsed noHttp)
        HttpForFactors = preset.HttpForFactors || Options.value parsed all
        Port = value port preset.Port
        PatienceMilliseconds = value patience preset.PatienceMilliseconds
    }

// A folder when it looks like one, else names.
let private folderAndNames (parsed: ParseResult) : string * string list =
    let usual () =
        Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory())

    match Options.value parsed candidates with
    | None -> usual (), []
    | Some text when text.IndexOfAny [| '/'; '\\' |] >= 0 || Directory.Exists text -> text, []
    | Some text ->
        let names =
            text.Split(',', StringSplitOptions.RemoveEmptyEntries ||| StringSplitOptions.TrimEntries)

        if names.Length = 0 then
            raise (BadInput "--candidates names no candidate; give it names like strand,task or a folder")

        usual (), List.ofArray names

/// The rows to measure, and what is still to be built for them.
type Choice =
    {
        /// The rows; those of candidates from packages with the reason why they are not run as they are.
        Rows: RowPlan list
        /// The candidates from packages that are asked for.
        Asked: Rival list
        /// The folder of packages, if the user names one.
        Feed: string option
    }

/// The rows to measure; those of `always` are among them. `root`: the repository that the sources of candidates from
/// packages lie in. Raises BadInput for names that are not known, and for a folder of packages that is none.
let choose (always: string list) (root: string) (parsed: ParseResult) : Choice =
    let folder, named = folderAndNames parsed
    let only = Options.value parsed only @ named
    let feed = Options.value parsed feed |> Option.map RivalBuild.feed
    let all = Options.value parsed rivals || feed.IsSome

    // A folder of the user's own is compared as it is, unless more is said.
    let known =
        Rival.discover root
        |> List.filter (fun rival ->
            let name = rival.Candidate.Name

            all
            || List.contains name only
            || List.contains (name + "+sync-fn") only
            || (Options.value parsed candidates).IsNone
            || not named.IsEmpty)

    let rows =
        Candidate.discover folder
        @ (known |> List.map (Rival.absent "not available" Rival.notAsked))
        |> Selection.choose always only (Options.value parsed skip)

    let isAsked (rival: Rival) =
        (all || not only.IsEmpty)
        && rows |> List.exists (fun row -> row.Candidate.Name = rival.Candidate.Name)

    let asked, rest = known |> List.partition isAsked

    let isRest (row: RowPlan) =
        rest |> List.exists (fun rival -> rival.Candidate.Name = row.Candidate.Name)

    {
        // One row says why; the factor would say it again.
        Rows = rows |> List.filter (fun row -> not (row.SyncFn && isRest row))
        Asked = asked
        Feed = feed
    }

/// The runtimes to compare, oldest first; empty: this one alone.
let runtimesOf (parsed: ParseResult) : string list =
    Options.value parsed runtimes |> RuntimeBuild.choose

/// The names that were asked for, of candidates or rows.
let names (parsed: ParseResult) : string list =
    Options.value parsed only @ snd (folderAndNames parsed)

/// Whether the short preset was asked for.
let isQuick (parsed: ParseResult) : bool = Options.value parsed quick

/// Whether every defect was asked for at once.
let isAsPublished (parsed: ParseResult) : bool = Options.value parsed asPublished

/// Whether the trace store is to be measured.
let isTraced (parsed: ParseResult) : bool =
    Options.value parsed traced || isAsPublished parsed

let private forms = [ "indented"; "compact" ]

/// The defects that every row has. Raises BadInput for a word that is none.
let switches (parsed: ParseResult) : Switches =
    let all = if isAsPublished parsed then Published.asPublished else Switches.none

    let perRequest =
        match Options.value parsed table with
        | None -> all.TablePerRequest
        | Some "per-request" -> true
        | Some "once" -> false
        | Some other ->
            raise (
                BadInput
                    $"--fn-table takes per-request or once, and '{other}' is neither; leave it out for once"
            )

    let indented =
        match Options.value parsed json |> List.filter (fun word -> List.contains word forms) with
        | [] -> all.Indented
        | words -> List.last words = "indented"

    { all with
        Logging = all.Logging || Options.value parsed logging
        TablePerRequest = perRequest
        Indented = indented
        ClientOnServer = all.ClientOnServer || Options.value parsed beside
    }

/// How FizzBoom runs; None: it is not asked for.
let fizzBoom (parsed: ParseResult) : FizzBoomSettings option =
    LabFizzBoomOptions.settings (Options.value parsed quick) (Options.value parsed connections) parsed

/// The folder that the candidates lie in.
let folder (parsed: ParseResult) : string = fst (folderAndNames parsed)

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option =
    Options.value parsed json
    |> List.filter (fun word -> not (List.contains word forms))
    |> List.tryLast
