// The options that say which candidates fizzbuzz compares: names, folders and packages.
module internal Plait.Tool.LabCandidateOptions

open System
open System.CommandLine
open System.IO

open Plait.Common
open Plait.Report

open Plait.Lab

let private only =
    LabOptions.only
        "measure only these candidates or rows, and always the base and the A/A control; strand names the rows strand and strand+sync-fn"

let private skip = LabOptions.skip "candidates or rows"

let private all =
    Options.flag "--all" "with --quick: measure every row in process and over HTTP, without the limit of time"

let private candidates =
    LabOptions.candidates
        "the folder of the candidates, which has a folder for each; or names of candidates, as in --only"

let private packages =
    Options.flag
        "--packages"
        "fetch, build and measure all candidates from packages too (without it: only those named by --only)"

let private feed =
    Options.text
        "--feed"
        "DIR"
        "take these packages also from this folder of .nupkg files; implies --packages"

/// The options that choose by name.
let byName: System.CommandLine.Option list = [ all; only; skip ]

/// The options that name the sources of candidates.
let places: System.CommandLine.Option list = [ candidates; packages; feed ]

/// The request.
type Choice =
    {
        /// The rows; those of candidates from packages with the reason why they are not run as they are.
        Rows: RowPlan list
        /// The candidates from packages among the chosen ones.
        Packages: PackagedCandidate list
        /// The folder of packages, if the user names one.
        Feed: string option
        /// The folder that the candidates lie in.
        Folder: string
        /// Whether candidates or rows are named.
        HasNames: bool
        /// Whether every row is to be measured in every way.
        IsAll: bool
    }

// A folder when it looks like one, else names.
let private folderAndNames (parsed: ParseResult) : string option * string list =
    match Options.value parsed candidates with
    | None -> None, []
    | Some text when text.IndexOfAny [| '/'; '\\' |] >= 0 || Directory.Exists text -> Some text, []
    | Some text ->
        match text.Split(',', StringSplitOptions.RemoveEmptyEntries ||| StringSplitOptions.TrimEntries) with
        | [||] -> raise (BadInput "--candidates has no name in it; write names like strand,task or a folder")
        | names -> None, List.ofArray names

/// Refuses the name of a candidate that runs on another runtime than the one that is asked for.
let private checkRuntime (root: string) (runtime: string option) (names: string list) =
    for other in RuntimeBuild.known |> List.filter (fun other -> Some other <> runtime) do
        for candidate in RuntimeBuild.own root other do
            for name in names do
                if RowPlan.namesOf candidate |> List.contains name then
                    raise (
                        BadInput
                            $"'{name}' runs on {RuntimeBuild.shown other} alone; give --runtime {RuntimeBuild.version other} with it"
                    )

/// The rows to measure, with the rows of `always`; a short run (`isQuick`) has only FizzBuzz.quick. `root`: the
/// repository that the sources of candidates from packages lie in. `runtime`: the rows are built for it, and its own
/// candidates are among them; None: they are run as they are built. Raises BadInput for names that are not known, and for
/// a folder of packages that is not one.
let choose
    (always: string list)
    (root: string)
    (isQuick: bool)
    (runtime: string option)
    (parsed: ParseResult)
    : Choice =
    let given, named = folderAndNames parsed

    if given.IsSome && runtime.IsSome then
        raise (
            BadInput
                "--runtime builds the candidates of the repository, and --candidates DIR names built ones; leave one of them out"
        )

    let folder =
        given
        |> Option.defaultWith (fun () ->
            Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory()))

    let only = Options.value parsed only @ named
    checkRuntime root runtime (only @ Options.value parsed skip)

    let own = runtime |> Option.map (RuntimeBuild.own root) |> Option.defaultValue []
    let isAll = Options.value parsed all
    let feed = Options.value parsed feed |> Option.map PackagedCandidate.feed
    let allPackages = Options.value parsed packages || feed.IsSome

    // A folder of the user's own is compared as it is, unless an option names more rows.
    let known =
        PackagedCandidate.discover root
        |> List.map (fun packaged ->
            { packaged with Candidate = FizzBuzzPublished.beside packaged.Candidate })
        |> List.filter (fun packaged ->
            allPackages
            || RowPlan.namesOf packaged.Candidate |> List.exists (fun name -> List.contains name only)
            || given.IsNone)

    let isKnown (row: RowPlan) (packages: PackagedCandidate list) =
        packages |> List.exists (fun packaged -> packaged.Candidate.Name = row.Candidate.Name)

    let isShort = isQuick && not isAll
    // Rows that the user chose are measured as they are.
    let isChosen (row: RowPlan) =
        not only.IsEmpty || given.IsSome || isKnown row known

    let isOwn (row: RowPlan) =
        own |> List.exists (fun candidate -> candidate.Name = row.Id)

    let isWanted (row: RowPlan) =
        not isShort || isChosen row || isOwn row || List.contains row.Id FizzBuzz.quickRows

    let withHttp (row: RowPlan) =
        { row with
            SkipsHttp =
                isShort
                && (not row.Factors.IsEmpty
                    || not (isChosen row || isOwn row || List.contains row.Id FizzBuzz.quickHttpRows))
        }

    let rows =
        (Candidate.discover folder @ own
         |> List.sortBy (fun candidate -> candidate.Order, candidate.Name)
         |> List.map FizzBuzzPublished.beside)
        @ (known |> List.map (_.Candidate >> Candidate.absent Status.NotAvailable Row.NotAsked))
        |> RowPlan.choose always only (Options.value parsed skip)
        |> List.filter isWanted
        |> List.map withHttp

    let asked, rest =
        known
        |> List.partition (fun packaged ->
            (allPackages || not only.IsEmpty)
            && rows |> List.exists (fun row -> row.Candidate.Name = packaged.Candidate.Name))

    {
        // One row has the reason; the factor would repeat it.
        Rows = rows |> List.filter (fun row -> row.Factors.IsEmpty || not (isKnown row rest))
        Packages = asked
        Feed = feed
        Folder = folder
        HasNames = not only.IsEmpty
        IsAll = isAll
    }
