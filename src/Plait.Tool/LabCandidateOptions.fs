// The options that say which candidates fizzbuzz compares: names, folders and packages.
module internal Plait.Tool.LabCandidateOptions

open System
open System.CommandLine
open System.IO

open Plait.Report

open Plait.Lab.Scenarios

let private only =
    LabOptions.only
        "measure these candidates or rows (strand, strand+sync-fn); the base and the A/A control always are"

let private skip = LabOptions.skip "candidates or rows"

let private candidates =
    LabOptions.candidates
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

/// Those that choose by name.
let byName: System.CommandLine.Option list = [ only; skip ]

/// Those that say where candidates come from.
let places: System.CommandLine.Option list = [ candidates; rivals; feed ]

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

/// The folder that the candidates lie in.
let folder (parsed: ParseResult) : string = fst (folderAndNames parsed)

/// The names that were asked for, of candidates or rows.
let names (parsed: ParseResult) : string list =
    Options.value parsed only @ snd (folderAndNames parsed)

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
        @ (known |> List.map (Rival.absent Status.NotAvailable Rival.notAsked))
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
