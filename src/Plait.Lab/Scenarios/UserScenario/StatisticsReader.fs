// Reads how a scenario file wants to be measured; what it does not say is as usual.
module internal Plait.Lab.Scenarios.StatisticsReader

open Plait.Report

let private milliseconds (least: float, most: float) (node: Node) =
    int (1000.0 * TypedJson.number (least, most) node)

/// The settings that come of it; `connections`: those of the load.
let statistics (connections: int) (node: Node option) : Settings =
    let ranges = Settings.ranges

    let usual =
        { Settings.full with
            Launches = 3
            Width = None
            Pairs = 6
            SliceMilliseconds = 1000
            InProcess = false
            BudgetSeconds = None
            Connections = connections
        }

    match node with
    | None -> usual
    | Some node ->
        TypedJson.only
            [
                "seed"
                "launches"
                "pairs"
                "sliceSeconds"
                "width"
                "budgetSeconds"
                "margin"
                "warmUpLeastSeconds"
                "warmUpMostSeconds"
                "patienceSeconds"
            ]
            node

        let width = TypedJson.optional "width" (TypedJson.number ranges.Width) node
        let launches = TypedJson.optional "launches" (TypedJson.whole ranges.Launches) node

        { StopRule.ask width launches usual with
            Seed = TypedJson.fallback "seed" (TypedJson.whole ranges.Seed) usual.Seed node
            Pairs = TypedJson.fallback "pairs" (TypedJson.whole ranges.Pairs) usual.Pairs node
            SliceMilliseconds =
                TypedJson.fallback "sliceSeconds" (milliseconds (0.1, 600.0)) usual.SliceMilliseconds node
            BudgetSeconds = TypedJson.optional "budgetSeconds" (TypedJson.number (1.0, 86400.0)) node
            Margin = TypedJson.fallback "margin" (TypedJson.number ranges.Margin) usual.Margin node
            PatienceMilliseconds =
                TypedJson.fallback
                    "patienceSeconds"
                    (milliseconds (0.1, 600.0))
                    usual.PatienceMilliseconds
                    node
            HttpWarmUp =
                {
                    FloorMilliseconds =
                        TypedJson.fallback
                            "warmUpLeastSeconds"
                            (milliseconds (0.0, 600.0))
                            usual.HttpWarmUp.FloorMilliseconds
                            node
                    LimitMilliseconds =
                        TypedJson.fallback
                            "warmUpMostSeconds"
                            (milliseconds (0.0, 3600.0))
                            usual.HttpWarmUp.LimitMilliseconds
                            node
                }
        }
