// The options that several scenarios of the lab have: their names, values and settings stand here, and a verb adds
// its own words.
module internal Plait.Tool.LabOptions

open System
open System.CommandLine
open System.IO

open Plait.Lab

let private ranges = Settings.ranges

/// --quick; `means`: the parts that are shorter.
let quick (means: string) : Option<bool> = Options.flag "--quick" means

/// --only; `means`: the rows that are measured.
let only (means: string) : Option<string list> = Options.names "--only" means

/// --skip; `what`: the rows that it leaves out.
let skip (what: string) : Option<string list> =
    Options.names "--skip" $"leave these {what} out"

/// --candidates; `means`: the content of the folder.
let candidates (means: string) : Option<string option> = Options.text "--candidates" "DIR" means

/// The folder of candidates that is named, or the usual one.
let candidatesFolder (parsed: ParseResult) (option: Option<string option>) : string =
    Options.value parsed option
    |> Option.defaultWith (fun () ->
        Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory()))

/// --seed; `means`: the random choice that it repeats.
let seed (means: string) : Option<int option> =
    Options.number "--seed" [] "N" ranges.Seed means

/// --launches; `means`: the processes that are launched.
let launches (means: string) : Option<int option> =
    Options.number "--launches" [] "N" ranges.Launches means

/// --connections; `means`: their use.
let connections (means: string) : Option<int option> =
    Options.number "--connections" [] "N" ranges.Connections means

/// --patience
let patience: Option<TimeSpan option> =
    Options.duration
        "--patience"
        ranges.PatienceMilliseconds
        "a process that does not answer within this time counts as hung; default: 60s"

/// --width; `usual`: the words for its default.
let widthOr (usual: string) : Option<float option> =
    Options.fraction
        "--width"
        "W"
        ranges.Width
        $"make launches until every interval is at most this wide, as a share of its median (0.05: from 2.5 %% below to 2.5 %% above), or --budget is used up; at least --launches and at least {StopRule.leastLaunches}; default: {usual}"

/// --width of the scenarios that are built in.
let private width = widthOr "0.05"

/// --budget
let budget: Option<TimeSpan option> =
    Options.duration
        "--budget"
        (1000, 86_400_000)
        "the time for launches: the run begins only launches that end in time. Without --width it shortens the rows to end in time"

/// --margin; `usual`: the words for its default.
let marginOr (usual: string) : Option<float option> =
    Options.fraction
        "--margin"
        "M"
        ranges.Margin
        $"the difference that counts, as a share: 'faster', 'same' and 'slower' compare with it; default: {usual}"

/// --margin of the scenarios that are built in.
let private margin = marginOr "0.03"

/// The options that end a comparison, besides --budget.
type Stopping =
    {
        Launches: Option<int option>
        Width: Option<float option>
        Margin: Option<float option>
    }

/// The options that say how much a scenario measures, where it measures pairs of slices.
type Effort =
    {
        Seed: Option<int option>
        Launches: Option<int option>
        Pairs: Option<int option>
        Slice: Option<TimeSpan option>
        WarmUp: Option<TimeSpan option>
    }

/// `row`: the word for a row of the scenario; `seeds`: the random choice that the seed repeats; `preset`: the settings of a full run.
let effort (row: string) (seeds: string) (preset: Settings) : Effort =
    let warmUp =
        if preset.InProcess then
            preset.WarmUp.FloorMilliseconds
        else
            preset.HttpWarmUp.FloorMilliseconds

    {
        Seed = seed $"seed of {seeds}; default: {preset.Seed}"
        Launches =
            launches
                $"how often every {row} and the base are started anew and measured; default: {preset.Launches} or more"
        Pairs =
            Options.number
                "--pairs"
                []
                "N"
                ranges.Pairs
                $"pairs of slices in a launch, one of the {row} and one of the base; default: {preset.Pairs}"
        Slice =
            Options.duration
                "--slice"
                ranges.SliceMilliseconds
                $"how long one slice is; default: {preset.SliceMilliseconds}ms"
        WarmUp =
            Options.duration
                "--warm-up"
                ranges.WarmUpMilliseconds
                $"the least CPU time of each process before its pairs are measured; default: {warmUp}ms"
    }

/// All of them, in the order in which help shows them.
let effortOptions (effort: Effort) : Option list =
    [
        effort.Seed
        effort.Launches
        effort.Pairs
        effort.Slice
        effort.WarmUp
        width
        budget
        margin
        patience
    ]

/// Whether the user sets how much is measured: then all of it is, without a limit of time.
let isOrdered (effort: Effort) (parsed: ParseResult) : bool =
    Options.isGiven parsed effort.Launches
    || Options.isGiven parsed effort.Pairs
    || Options.isGiven parsed effort.Slice
    || Options.isGiven parsed effort.WarmUp

/// The settings with the width, launches, budget and margin that were given.
let stopping (options: Stopping) (parsed: ParseResult) (settings: Settings) : Settings =
    let asked =
        StopRule.ask (Options.value parsed options.Width) (Options.value parsed options.Launches) settings

    { asked with
        BudgetSeconds =
            Options.value parsed budget
            |> Option.map _.TotalSeconds
            |> Option.orElse settings.BudgetSeconds
        Margin = Options.valueOr settings.Margin parsed options.Margin
    }

/// The settings with the options of the user. `isOrdered`: the user sets how much is measured; then the preset's limit of time does not
/// apply.
let withEffort (effort: Effort) (isOrdered: bool) (parsed: ParseResult) (settings: Settings) : Settings =
    let warmed (usual: WarmUp) =
        match Options.value parsed effort.WarmUp with
        | Some time -> Settings.warmedFor (int time.TotalMilliseconds)
        | None -> usual

    let asked =
        stopping { Launches = effort.Launches; Width = width; Margin = margin } parsed settings

    { asked with
        BudgetSeconds =
            if isOrdered && asked.Width.IsNone && not (Options.isGiven parsed budget) then
                None
            else
                asked.BudgetSeconds
        Seed = Options.valueOr settings.Seed parsed effort.Seed
        Pairs = Options.valueOr settings.Pairs parsed effort.Pairs
        SliceMilliseconds = Options.millisecondsOr settings.SliceMilliseconds parsed effort.Slice
        WarmUp = warmed settings.WarmUp
        HttpWarmUp = warmed settings.HttpWarmUp
        PatienceMilliseconds = Options.millisecondsOr settings.PatienceMilliseconds parsed patience
    }
