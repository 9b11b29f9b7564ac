// Pure: a budget, which limits the cost of the rows of a scenario. It is a file that is committed beside the code
// that it guards.
namespace Plait.Lab

open Plait.Common
open Plait.Report

/// The limit of one figure of one row: at most, or at least if more is better.
type Limit =
    {
        Row: string
        Figure: Figure
        Bound: float
        /// Whether an interval that the bound lies inside of counts as kept.
        UnresolvedPasses: bool
    }

/// The measures of a budget.
[<RequireQualifiedAccess>]
type BudgetMeasure =
    /// Bytes for a request; nothing is timed.
    | Bytes
    /// Requests in process.
    | InProcess
    /// Requests over HTTP.
    | OverHttp
    /// Both.
    | Everything

/// How a scenario is run when there are no results to judge.
type BudgetRun =
    {
        Measure: BudgetMeasure
        /// Whether by the settings of --quick.
        Quick: bool
        Seed: int option
        Launches: int option
        Pairs: int option
        Width: float option
        Seconds: float option
    }

/// A budget file.
type Budget = { Scenario: string; Run: BudgetRun; Limits: Limit list }

/// Reading budgets.
module Budget =
    /// The version of the format.
    let schema = "plait-budget/1"

    let private measure (node: JsonEntry) : BudgetMeasure =
        match TypedJson.word [ "bytes"; "inProcess"; "http"; "all" ] node with
        | "bytes" -> BudgetMeasure.Bytes
        | "inProcess" -> BudgetMeasure.InProcess
        | "http" -> BudgetMeasure.OverHttp
        | _ -> BudgetMeasure.Everything

    let private run (node: JsonEntry option) : BudgetRun =
        match node with
        | None ->
            {
                Measure = BudgetMeasure.Everything
                Quick = true
                Seed = None
                Launches = None
                Pairs = None
                Width = None
                Seconds = None
            }
        | Some node ->
            TypedJson.only [ "measure"; "quick"; "seed"; "launches"; "pairs"; "width"; "seconds" ] node

            let ranges = Settings.ranges

            {
                Measure = TypedJson.fallback "measure" measure BudgetMeasure.Everything node
                Quick = TypedJson.fallback "quick" TypedJson.flag true node
                Seed = TypedJson.optional "seed" (TypedJson.whole ranges.Seed) node
                Launches = TypedJson.optional "launches" (TypedJson.whole ranges.Launches) node
                Pairs = TypedJson.optional "pairs" (TypedJson.whole ranges.Pairs) node
                Width = TypedJson.optional "width" (TypedJson.number ranges.Width) node
                Seconds = TypedJson.optional "seconds" (TypedJson.number (1.0, 86400.0)) node
            }

    let private passes (fallback: bool) (node: JsonEntry) =
        TypedJson.optional "unresolved" (TypedJson.word [ "fail"; "pass" ]) node
        |> Option.map (fun word -> word = "pass")
        |> Option.defaultValue fallback

    let private limits (passByDefault: bool) (row: string, node: JsonEntry) : Limit list =
        let names = Figures.all |> List.map _.Key
        TypedJson.only ("unresolved" :: names) node
        let unresolved = passes passByDefault node

        match
            [
                for figure in Figures.all do
                    match TypedJson.find figure.Key node with
                    | Some value ->
                        {
                            Row = row
                            Figure = figure
                            Bound = TypedJson.number (-1e12, 1e12) value
                            UnresolvedPasses = unresolved
                        }
                    | None -> ()
            ]
        with
        | [] -> TypedJson.refuse node ("no figure is limited here; name one of " + String.concat ", " names)
        | limits -> limits

    /// Reads the text of a budget that lies at `file`. Raises BadInput with the path of the error.
    let read (file: string) (content: string) : Budget =
        let node = TypedJson.parse file content
        TypedJson.only [ "schema"; "note"; "scenario"; "unresolved"; "run"; "rows" ] node

        TypedJson.required "schema" $"\"{schema}\"" node |> TypedJson.word [ schema ] |> ignore

        let rows = TypedJson.required "rows" "an object with an entry for each row" node
        let entries = TypedJson.entries "rows" rows

        if entries.IsEmpty then
            TypedJson.wrong rows "at least one row"

        {
            Scenario = TypedJson.required "scenario" "the name of a scenario" node |> TypedJson.text
            Run = run (TypedJson.find "run" node)
            Limits = entries |> List.collect (limits (passes false node))
        }

    /// How the scenario of a budget is run.
    let settings (run: BudgetRun) : Settings =
        let preset = if run.Quick then Settings.quick else Settings.full

        { StopRule.ask run.Width run.Launches preset with
            Seed = Option.defaultValue preset.Seed run.Seed
            Pairs = Option.defaultValue preset.Pairs run.Pairs
            BudgetSeconds = run.Seconds |> Option.orElse preset.BudgetSeconds
            InProcess = run.Measure <> BudgetMeasure.OverHttp
            Http = (run.Measure = BudgetMeasure.OverHttp || run.Measure = BudgetMeasure.Everything)
            BytesOnly = (run.Measure = BudgetMeasure.Bytes)
        }

    /// The rows that are limited, each once.
    let rows (budget: Budget) : string list =
        budget.Limits |> List.map _.Row |> List.distinct
