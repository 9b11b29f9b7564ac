// Every figure of every row in two runs of one scenario, with a verdict. Pure.
module Plait.Report.Changes


/// A figure of a row in both runs.
type Change =
    {
        Row: string
        Label: string
        Family: string
        Metric: Metric
        Old: Measured option
        New: Measured option
        /// New over old, with the widest interval that both allow.
        Ratio: Measured option
        /// "lower", "higher", "same", "unresolved", "only old" or "only new".
        Verdict: string
        /// Whether the two intervals have something in common; None: there are none.
        Overlap: bool option
    }

// A count of bytes repeats but for what counting itself costs.
let private bytesVerdict (old: float) (fresh: float) =
    let slack = max 16.0 (0.001 * abs old)

    if fresh > old + slack then "higher"
    elif fresh < old - slack then "lower"
    else "same"

let private ends (measured: Measured) =
    measured.Interval |> Option.defaultValue (measured.Value, measured.Value)

let private quotient (old: Measured) (fresh: Measured) : Measured option =
    if old.Value <= 0.0 || fresh.Value <= 0.0 then
        None
    else
        let interval =
            match old.Interval, fresh.Interval with
            | Some(oldLow, oldHigh), Some(newLow, newHigh) when oldLow > 0.0 ->
                Some(newLow / oldHigh, newHigh / oldLow)
            | Some _, Some _ -> Some(0.0, infinity)
            | _ -> None

        Some { Value = fresh.Value / old.Value; Interval = interval }

let private verdict
    (margin: float)
    (metric: Metric)
    (old: Measured)
    (fresh: Measured)
    (ratio: Measured option)
    =
    match ratio |> Option.bind _.Interval with
    | _ when metric.IsBytes -> bytesVerdict old.Value fresh.Value
    | None -> "unresolved"
    | Some(low, high) ->
        match Verdict.ofInterval margin low high with
        | Verdict.Faster -> "lower"
        | Verdict.Slower -> "higher"
        | Verdict.Same -> "same"
        | Verdict.Unresolved -> "unresolved"

let private change (old: Results) (fresh: Results) (row: Row) (metric: Metric) : Change option =
    let read (results: Results) =
        results.Rows
        |> List.tryFind (fun other -> other.Id = row.Id)
        |> Option.bind (metric.Read results)

    let make before after ratio verdict overlap =
        Some
            {
                Row = row.Id
                Label = row.Label
                Family = row.Family
                Metric = metric
                Old = before
                New = after
                Ratio = ratio
                Verdict = verdict
                Overlap = overlap
            }

    match read old, read fresh with
    | None, None -> None
    | before, None -> make before None None "only old" None
    | None, after -> make None after None "only new" None
    | Some before, Some after ->
        let ratio = quotient before after

        let overlap =
            if before.Interval.IsSome && after.Interval.IsSome then
                let (oldLow, oldHigh), (newLow, newHigh) = ends before, ends after
                Some(oldLow <= newHigh && newLow <= oldHigh)
            else
                None

        make (Some before) (Some after) ratio (verdict fresh.Margin metric before after ratio) overlap

/// The figures that are compared. The base's ratio to itself says nothing, and what is over the base follows from the rest.
let compared =
    [
        "bytesPerOperation"
        "bytesPerOperationNoEscape"
        "cpuRatio"
        "httpCpuRatio"
        "httpBytesPerRequest"
    ]
    |> List.choose Metric.find

/// Every figure of every row of either run, in the order of the new one. Raises BadInput when they are not of one
/// scenario and base.
let between (old: Results) (fresh: Results) : Change list =
    if old.Scenario <> fresh.Scenario || old.Base <> fresh.Base then
        raise (
            BadInput
                $"these results cannot be compared: the old ones are of '{old.Scenario}' against '{old.Base}', the new ones of '{fresh.Scenario}' against '{fresh.Base}'"
        )

    let gone =
        old.Rows
        |> List.filter (fun row -> fresh.Rows |> List.forall (fun other -> other.Id <> row.Id))

    [
        for metric in compared do
            for row in fresh.Rows @ gone do
                if metric.IsBytes || row.Id <> fresh.Base then
                    match change old fresh row metric with
                    | Some change -> change
                    | None -> ()
    ]
