// A budget: what the rows of a scenario may cost at most, as a file that is committed beside the code it guards; and
// judging results by it. Pure.
namespace Plait.Lab.Report

open System.Globalization

open Plait.Lab
open Plait.Lab.Scenarios

/// What one figure of one row may come to: at most, or at least where more is better.
type Limit =
    {
        Row: string
        Metric: Metric
        Bound: float
        /// Whether an interval that the bound lies inside of counts as kept.
        UnresolvedPasses: bool
    }

/// How a scenario is run when there are no results to judge.
type BudgetRun =
    {
        /// "bytes", "inProcess", "http" or "all".
        Measure: string
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

/// What became of a limit.
type Finding =
    /// The figure, with all of its interval, is within the bound.
    | Kept of Measured
    /// The figure, with all of its interval, is beyond the bound.
    | Exceeded of Measured
    /// The bound lies inside the interval.
    | Undecided of Measured
    /// The row does not have the figure; why.
    | Missing of sentence: string

/// Reading budgets, and judging by them.
module Budget =
    /// The version of the format.
    let schema = "plait-budget/1"

    let private run (node: Node option) : BudgetRun =
        match node with
        | None ->
            {
                Measure = "all"
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
                Measure =
                    TypedJson.fallback
                        "measure"
                        (TypedJson.word [ "bytes"; "inProcess"; "http"; "all" ])
                        "all"
                        node
                Quick = TypedJson.fallback "quick" TypedJson.flag true node
                Seed = TypedJson.optional "seed" (TypedJson.whole ranges.Seed) node
                Launches = TypedJson.optional "launches" (TypedJson.whole ranges.Launches) node
                Pairs = TypedJson.optional "pairs" (TypedJson.whole ranges.Pairs) node
                Width = TypedJson.optional "width" (TypedJson.number ranges.Width) node
                Seconds = TypedJson.optional "seconds" (TypedJson.number (1.0, 86400.0)) node
            }

    let private passes (fallback: bool) (node: Node) =
        TypedJson.optional "unresolved" (TypedJson.word [ "fail"; "pass" ]) node
        |> Option.map (fun word -> word = "pass")
        |> Option.defaultValue fallback

    let private limits (passByDefault: bool) (row: string, node: Node) : Limit list =
        let names = Metric.all |> List.map _.Name
        TypedJson.only ("unresolved" :: names) node
        let unresolved = passes passByDefault node

        match
            [
                for metric in Metric.all do
                    match TypedJson.find metric.Name node with
                    | Some value ->
                        {
                            Row = row
                            Metric = metric
                            Bound = TypedJson.number (-1e12, 1e12) value
                            UnresolvedPasses = unresolved
                        }
                    | None -> ()
            ]
        with
        | [] -> TypedJson.refuse node ("no figure is limited here; name one of " + String.concat ", " names)
        | limits -> limits

    /// Reads the text of a budget that lies at `file`. Raises BadInput with the path of what is wrong.
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

    /// The rows that are limited, each once.
    let rows (budget: Budget) : string list =
        budget.Limits |> List.map _.Row |> List.distinct

    let private judgeOne (results: Results) (limit: Limit) : Finding =
        match results.Rows |> List.tryFind (fun row -> row.Id = limit.Row) with
        | None -> Missing "the results have no such row"
        | Some row when row.Status <> "measured" ->
            Missing $"the row is {row.Status}: {Option.defaultValue row.Status row.Reason}"
        | Some row ->
            match limit.Metric.Read results row with
            | None -> Missing "it was not measured"
            | Some measured ->
                let low, high =
                    measured.Interval |> Option.defaultValue (measured.Value, measured.Value)

                if limit.Metric.LessIsBetter then
                    if high <= limit.Bound then Kept measured
                    elif low > limit.Bound then Exceeded measured
                    else Undecided measured
                elif low >= limit.Bound then
                    Kept measured
                elif high < limit.Bound then
                    Exceeded measured
                else
                    Undecided measured

    /// Every limit and what became of it. Raises BadInput when the results are of another scenario.
    let judge (budget: Budget) (results: Results) : (Limit * Finding) list =
        if budget.Scenario <> results.Scenario then
            raise (
                BadInput
                    $"the budget is for the scenario '{budget.Scenario}', and the results are of '{results.Scenario}'; give results of the same one"
            )

        budget.Limits |> List.map (fun limit -> limit, judgeOne results limit)

    /// Whether a limit is as good as kept.
    let isGood (limit: Limit, finding: Finding) : bool =
        match finding with
        | Kept _ -> true
        | Undecided _ -> limit.UnresolvedPasses
        | Exceeded _
        | Missing _ -> false

    let private show (metric: Metric) (value: float) =
        metric.Show { Value = value; Interval = None }

    let private difference (limit: Limit) (measured: Measured) =
        let over = measured.Value - limit.Bound
        let side = if over > 0.0 then "above" else "below"
        $"{show limit.Metric (abs over)} {side}"

    let private bound (limit: Limit) =
        let sign = if limit.Metric.LessIsBetter then "<=" else ">="
        $"{sign} {show limit.Metric limit.Bound}"

    let private word (limit: Limit) (finding: Finding) =
        match finding with
        | Kept _ -> "kept"
        | Exceeded _ -> "EXCEEDED"
        | Undecided _ when limit.UnresolvedPasses -> "unresolved, which passes"
        | Undecided _ -> "UNRESOLVED"
        | Missing _ -> "NOT MEASURED"

    /// The table: the figure with its interval, the bound, and by how much.
    let lines (findings: (Limit * Finding) list) : string list =
        findings
        |> List.map (fun (limit, finding) ->
            let measured, by =
                match finding with
                | Kept measured
                | Exceeded measured
                | Undecided measured -> limit.Metric.Show measured, difference limit measured
                | Missing _ -> "-", "-"

            [ limit.Row; limit.Metric.Name; measured; bound limit; by; word limit finding ])
        |> Aligned.lines
            [
                Aligned.left "row"
                Aligned.left "figure"
                Aligned.right "measured"
                Aligned.right "budget"
                Aligned.right "by"
                Aligned.left ""
            ]

    /// One sentence for each limit that is not as good as kept.
    let complaints (findings: (Limit * Finding) list) : string list =
        findings
        |> List.filter (isGood >> not)
        |> List.map (fun (limit, finding) ->
            let subject = $"{limit.Row}: {limit.Metric.Name}"

            match finding with
            | Missing why -> $"{subject} cannot be judged: {why}"
            | Kept measured
            | Exceeded measured ->
                $"{subject} is {limit.Metric.Show measured}, the budget is {bound limit}: {difference limit measured}"
            | Undecided measured ->
                $"{subject} is {limit.Metric.Show measured}, and the budget {bound limit} lies inside that interval: measure longer, or let \"unresolved\" be \"pass\"")
