// The options that say how much a scenario measures, where it measures pairs of slices.
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
    }

/// In the order in which help shows them.
let all' (effort: Effort) : Option list =
    [ effort.Seed; effort.Launches; effort.Pairs; effort.Slice; effort.WarmUp ]

/// Whether any of them was given but the seed: whoever says how much is to be measured gets all of it, however long that
/// takes.
let isOrdered (effort: Effort) (parsed: ParseResult) : bool =
    [ effort.Launches; effort.Pairs; effort.Slice; effort.WarmUp ]
    |> List.exists (fun option -> (Options.value parsed option).IsSome)

/// The settings with what was given of them, and with the patience.
let into (effort: Effort) (parsed: ParseResult) (settings: Settings) : Settings =
    let warmed (usual: WarmUp) =
        Options.value parsed effort.WarmUp
        |> Option.map Settings.warmedFor
        |> Option.defaultValue usual

    { settings with
        Seed = Options.valueOr settings.Seed parsed effort.Seed
        Launches = Options.valueOr settings.Launches parsed effort.Launches
        Pairs = Options.valueOr settings.Pairs parsed effort.Pairs
        SliceMilliseconds = Options.valueOr settings.SliceMilliseconds parsed effort.Slice
        WarmUp = warmed settings.WarmUp
        HttpWarmUp = warmed settings.HttpWarmUp
        PatienceMilliseconds = Options.valueOr settings.PatienceMilliseconds parsed LabOptions.patience
    }
