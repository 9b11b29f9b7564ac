// The options that say how much a scenario measures, and when it has measured enough, where it measures pairs of slices.
module internal Plait.Tool.LabEffort

open System.CommandLine

open Plait.Lab.Scenarios

/// The options, with the words of one scenario.
type Effort =
    {
        Seed: Option<int option>
        Launches: Option<int option>
        Pairs: Option<int option>
        Slice: Option<int option>
        WarmUp: Option<int option>
        Width: Option<float option>
        Budget: Option<float option>
        Margin: Option<float option>
    }

/// `row`: what a row of the scenario is; `aliases`: other names of --pairs; `seeds`: what the seed is of.
let make (row: string) (aliases: string list) (seeds: string) : Effort =
    let ranges = Settings.ranges

    {
        Seed = LabOptions.seed $"seed of {seeds}"
        Launches = LabOptions.launches $"fresh processes of every {row} and of the base"
        Pairs =
            Options.number "--pairs" aliases "N" ranges.Pairs $"pairs of slices, {row} and base, in a launch"
        Slice = Options.number "--slice" [] "MS" ranges.SliceMilliseconds "milliseconds of one slice"
        WarmUp =
            Options.number
                "--warm-up"
                []
                "MS"
                ranges.WarmUpMilliseconds
                "milliseconds of CPU that each process has before its pairs are measured, at least"
        Width =
            LabOptions.width
                $"make launches until every interval is at most this wide, as a share of its median (0.05: from 2.5 %% below to 2.5 %% above), or the budget ends; at least --launches of them, and never fewer than {StopRule.leastLaunches}"
        Budget =
            Options.duration
                "--budget"
                "the time that launches may take: no other one begins that would end later. Without --width: rows are measured shorter to end in time"
        Margin = LabOptions.margin "the difference that counts: verdicts are against it"
    }

/// In the order in which help shows them.
let all' (effort: Effort) : Option list =
    [
        effort.Seed
        effort.Launches
        effort.Pairs
        effort.Slice
        effort.WarmUp
        effort.Width
        effort.Budget
        effort.Margin
    ]

/// Whether any of them was given but the seed: whoever says how much is to be measured gets all of it, however long that
/// takes.
let isOrdered (effort: Effort) (parsed: ParseResult) : bool =
    [ effort.Launches; effort.Pairs; effort.Slice; effort.WarmUp ]
    |> List.exists (fun option -> (Options.value parsed option).IsSome)

/// Whether the time is the user's.
let isTimed (effort: Effort) (parsed: ParseResult) : bool =
    (Options.value parsed effort.Budget).IsSome

/// The settings with what was given of them, and with the patience. `isOrdered`: whether the user says how much is to be
/// measured; then no time that is only the preset's makes it less.
let into (effort: Effort) (isOrdered: bool) (parsed: ParseResult) (settings: Settings) : Settings =
    let warmed (usual: WarmUp) =
        Options.value parsed effort.WarmUp
        |> Option.map Settings.warmedFor
        |> Option.defaultValue usual

    let asked =
        StopRule.ask (Options.value parsed effort.Width) (Options.value parsed effort.Launches) settings

    { asked with
        BudgetSeconds =
            Options.value parsed effort.Budget
            |> Option.orElse (if isOrdered && asked.Width.IsNone then None else settings.BudgetSeconds)
        Margin = Options.valueOr settings.Margin parsed effort.Margin
        Seed = Options.valueOr settings.Seed parsed effort.Seed
        Pairs = Options.valueOr settings.Pairs parsed effort.Pairs
        SliceMilliseconds = Options.valueOr settings.SliceMilliseconds parsed effort.Slice
        WarmUp = warmed settings.WarmUp
        HttpWarmUp = warmed settings.HttpWarmUp
        PatienceMilliseconds = Options.valueOr settings.PatienceMilliseconds parsed LabOptions.patience
    }
