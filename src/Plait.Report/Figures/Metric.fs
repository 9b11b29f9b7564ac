// Pure: the figures of a row by name, as budgets and comparisons speak of them.
namespace Plait.Report

open System.Globalization

/// A figure, with its interval where it has one.
type Measured = { Value: float; Interval: (float * float) option }

/// A figure that a row may have.
type Metric =
    {
        /// As in a budget file.
        Name: string
        /// Decimals that it is shown with.
        Digits: int
        /// Whether less is better.
        LessIsBetter: bool
        /// Whether it is a count of bytes, which has no noise worth an interval.
        IsBytes: bool
        /// Reads it; None: the row does not have it.
        Read: Results -> Row -> Measured option
    }

    /// The figure as text, with its interval behind it.
    member this.Show(measured: Measured) : string =
        let show (value: float) =
            // Minus nothing is nothing.
            let text = value.ToString("F" + string this.Digits, CultureInfo.InvariantCulture)
            if text.TrimStart('-').Trim('0', '.') = "" then text.TrimStart '-' else text

        match measured.Interval with
        | Some(low, high) -> $"{show measured.Value} ({show low}-{show high})"
        | None -> show measured.Value

/// The figures there are.
module Metric =
    let private plain (value: float option) =
        value |> Option.map (fun value -> { Value = value; Interval = None })

    // One pair has no interval: it may not pass for one of no width.
    let private ratio (value: RatioResult option) =
        value
        |> Option.map (fun value ->
            let interval = if value.Pairs < 2 then (0.0, infinity) else (value.Low, value.High)

            { Value = value.Median; Interval = Some interval })

    let private overBase (read: Row -> float option) (results: Results) (row: Row) =
        let ground =
            results.Rows |> List.tryFind (fun row -> row.Id = results.Base) |> Option.bind read

        Option.map2 (-) (read row) ground |> plain

    let private make name digits isBytes read =
        { Name = name; Digits = digits; LessIsBetter = true; IsBytes = isBytes; Read = read }

    let private httpBytes (row: Row) =
        row.Http |> Option.bind _.BytesPerRequest

    /// All of them, in the order of trust.
    let all: Metric list =
        [
            make "bytesPerOperation" 1 true (fun _ row -> plain row.BytesPerOperation)
            make "bytesOverBase" 1 true (overBase _.BytesPerOperation)
            make "bytesPerOperationNoEscape" 1 true (fun _ row -> plain row.BytesPerOperationNoEscape)
            make "bytesOverBaseNoEscape" 1 true (overBase _.BytesPerOperationNoEscape)
            make "cpuRatio" 3 false (fun _ row -> ratio row.CpuRatio)
            make "httpCpuRatio" 3 false (fun _ row -> row.Http |> Option.map _.CpuRatio |> ratio)
            make "httpBytesPerRequest" 0 true (fun _ row -> httpBytes row |> plain)
            make "httpBytesOverBase" 0 true (overBase httpBytes)
            {
                Name = "httpRequestsPerSecondPercent"
                Digits = 1
                LessIsBetter = false
                IsBytes = false
                Read =
                    fun _ row ->
                        row.Http
                        |> Option.map (fun part ->
                            {
                                Value = part.RequestsPerSecondPercent.Median
                                Interval =
                                    Some(
                                        part.RequestsPerSecondPercent.Low,
                                        part.RequestsPerSecondPercent.High
                                    )
                            })
            }
        ]

    /// The one of that name.
    let find (name: string) : Metric option =
        all |> List.tryFind (fun metric -> metric.Name = name)
