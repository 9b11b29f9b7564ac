// Pure: judges results by a budget.
namespace Plait.Lab

open Plait.Common
open Plait.Report

/// The finding on a limit.
type Finding =
    /// The figure, with all of its interval, is within the bound.
    | Kept of Measured
    /// The figure, with all of its interval, is beyond the bound.
    | Exceeded of Measured
    /// The bound lies inside the interval.
    | Undecided of Measured
    /// The A/A control of its measure did not hold, and the figure does not repeat by itself.
    | NotJudged of Measured
    /// The row does not have the figure; why.
    | Missing of sentence: string

/// Judging.
module BudgetFindings =
    let private judgeOne (results: Results) (limit: Limit) : Finding =
        match results.Rows |> List.tryFind (fun row -> row.Id = limit.Row) with
        | None -> Missing "the results have no such row"
        | Some row when row.Status <> Status.Measured ->
            let status = Word.ofCase row.Status
            Missing $"the row is {status}: {Option.defaultValue status row.Reason}"
        | Some row ->
            match row.Find limit.Figure with
            | None -> Missing "it was not measured"
            | Some measured when measured.IsNotJudged -> NotJudged measured
            | Some measured ->
                let low, high =
                    measured.Interval |> Option.defaultValue (measured.Value, measured.Value)

                if limit.Figure.Better <> Better.Higher then
                    if high <= limit.Bound then Kept measured
                    elif low > limit.Bound then Exceeded measured
                    else Undecided measured
                elif low >= limit.Bound then
                    Kept measured
                elif high < limit.Bound then
                    Exceeded measured
                else
                    Undecided measured

    /// Every limit and its finding. Raises BadInput when the results are of another scenario.
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
        | NotJudged _
        | Missing _ -> false

    /// Whether all that keeps the budget from being kept is that measures are not judged.
    let isNotJudged (findings: (Limit * Finding) list) : bool =
        match findings |> List.filter (isGood >> not) with
        | [] -> false
        | bad ->
            bad
            |> List.forall (fun (_, finding) ->
                match finding with
                | NotJudged _ -> true
                | _ -> false)

    let private difference (limit: Limit) (measured: Measured) =
        let over = measured.Value - limit.Bound
        let side = if over > 0.0 then "above" else "below"
        $"{limit.Figure.ShowExactly(abs over)} {side}"

    let private bound (limit: Limit) =
        let sign = if limit.Figure.Better = Better.Higher then ">=" else "<="
        $"{sign} {limit.Figure.ShowExactly limit.Bound}"

    let private word (limit: Limit) (finding: Finding) =
        match finding with
        | Kept _ -> "kept"
        | Exceeded _ -> "EXCEEDED"
        | Undecided _ when limit.UnresolvedPasses -> "unresolved, which passes"
        | Undecided _ -> "UNRESOLVED"
        | NotJudged _ -> "NOT JUDGED"
        | Missing _ -> "NOT MEASURED"

    /// The table: the figure with its interval, the bound, and by how much.
    let lines (findings: (Limit * Finding) list) : string list =
        findings
        |> List.map (fun (limit, finding) ->
            let measured, by =
                match finding with
                | Kept measured
                | Exceeded measured
                | NotJudged measured
                | Undecided measured -> limit.Figure.ShowExactly measured, difference limit measured
                | Missing _ -> "-", "-"

            [ limit.Row; limit.Figure.Key; measured; bound limit; by; word limit finding ])
        |> TextTable.lines
            [
                TextTable.left "row"
                TextTable.left "figure"
                TextTable.right "measured" |> TextTable.ranked 1
                TextTable.right "budget" |> TextTable.ranked 2
                TextTable.right "by" |> TextTable.ranked 3
                TextTable.left ""
            ]

    /// One sentence for each limit that is not as good as kept.
    let complaints (findings: (Limit * Finding) list) : string list =
        findings
        |> List.filter (isGood >> not)
        |> List.map (fun (limit, finding) ->
            let subject = $"{limit.Row}: {limit.Figure.Key}"

            match finding with
            | Missing why -> $"{subject} cannot be judged: {why}"
            | NotJudged measured ->
                $"{subject} is {limit.Figure.ShowExactly measured}, and is not judged, because the A/A control {Word.ofCase limit.Figure.Measure} missed"
            | Kept measured
            | Exceeded measured ->
                $"{subject} is {limit.Figure.ShowExactly measured}, the budget is {bound limit}: {difference limit measured}"
            | Undecided measured ->
                $"{subject} is {limit.Figure.ShowExactly measured}, and the budget {bound limit} lies inside that interval: measure longer, or let \"unresolved\" be \"pass\"")
