// Pure: judges results by a budget.
namespace Plait.Lab.Scenarios

open Plait.Report


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

/// Judging.
module BudgetFindings =
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
