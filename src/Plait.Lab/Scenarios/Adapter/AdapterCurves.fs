// Pure: the latencies of cells as curves, over percentiles and over time. Cells that the engine does not vouch for have
// none.
module internal Plait.Lab.Scenarios.AdapterCurves

open System
open Plait.Load
open Plait.Report

let private milliseconds (nanoseconds: int64) = Math.Round(float nanoseconds / 1e6, 4)

/// The percentiles of a histogram as far as it has values for them, ten for each decade of 1/(1-p), and the longest.
let percentiles (histogram: Histogram) : float[][] =
    [|
        if histogram.Count > 0L then
            for step in 0 .. int (10.0 * log10 (float histogram.Count)) do
                let percent = 100.0 * (1.0 - 10.0 ** (-float step / 10.0))
                [| Math.Round(percent, 6); milliseconds (histogram.Percentile percent) |]

            [| 100.0; milliseconds histogram.Max |]
    |]

/// The longest latency in each of `count` parts of the time, at the middle of the part in seconds.
let longest (count: int) (duration: TimeSpan) (samples: Sample[]) : float[][] =
    let width = duration.TotalSeconds / float count

    samples
    |> Array.filter (fun sample -> sample.Fate = Fate.Right)
    |> Array.groupBy (fun sample -> min (count - 1) (int (float sample.Intended / 1e9 / width)))
    |> Array.sortBy fst
    |> Array.map (fun (part, samples) ->
        [|
            Math.Round((float part + 0.5) * width, 3)
            samples
            |> Array.map (fun sample -> sample.Done - sample.Intended)
            |> Array.max
            |> milliseconds
        |])

let private seriesOf (style: Style) (row: RowPlan) (points: float[][]) (count: int) : Series =
    {
        Label = row.Id
        Family = row.Candidate.Family
        Points = points
        Of = count
        Style = if row.Candidate.Family = Family.Control then Style.Dashed else style
    }

let private validOf (rows: RowPlan list) (cells: AdapterCell list) load =
    [
        for row in rows do
            for cell in cells do
                if cell.Load = load && cell.Route = row.Id && cell.IsValid && cell.Outcome.Right > 0L then
                    row, cell
    ]

/// The panel of percentile curves of a load; None where nothing of it is valid.
let percentilePanel capacity (rows: RowPlan list) (cells: AdapterCell list) load : Panel option =
    match validOf rows cells load with
    | [] -> None
    | valid ->
        let words = AdapterCell.words capacity load

        Panel.percentiles
            $"percentiles-{AdapterCell.anchor load}"
            $"Latency, {words}"
            "Latency from the intended start to the last byte; in a closed load it is from the sending, and stalls of the server are seen less. What a tail shows here is luck as well: base-again is the base once more."
            (Panel.log "latency (ms)")
            [
                for row, cell in valid do
                    let points = percentiles cell.Outcome.Intended
                    seriesOf Style.Line row points points.Length
            ]
        |> Some

/// Parts of the time on a panel over time.
let private parts = 60

/// The panel of the longest latencies over time; None where nothing of the load is valid.
let timePanel capacity (rows: RowPlan list) (cells: AdapterCell list) load : Panel option =
    match validOf rows cells load with
    | [] -> None
    | valid ->
        Panel.lines
            $"time-{AdapterCell.anchor load}"
            $"Latency over time, {AdapterCell.words capacity load}"
            $"The longest latency by the intended clock in each of {parts} parts of the run."
            (Panel.linear "time (s)")
            (Panel.log "latency (ms)")
            [
                for row, cell in valid do
                    let samples = cell.Outcome.Samples
                    let points = longest parts cell.Outcome.Elapsed samples
                    seriesOf Style.Line row points samples.Length
            ]
        |> Some
