// Figures: the measures of a row, each described once. The terminal, the CSV, budgets, comparisons, results.json and
// the page take titles, units and decimals from here. The readers of figures stand beside the measuring, in Plait.Lab
// (Comparison/RowFigures.fs).
namespace Plait.Report

open System
open System.Globalization
open System.Text.Json.Serialization

open Plait.Common

/// Which end of a figure is the good one.
[<RequireQualifiedAccess>]
type Better =
    | Lower
    | Higher
    | Neither

/// How a figure is measured.
[<RequireQualifiedAccess>]
type Measure =
    | InProcess
    | [<Word "over HTTP">] OverHttp

/// The verdict of an interval about a difference that counts.
type Verdict =
    /// The whole interval lies below 1 - margin.
    | Faster
    /// The whole interval lies above 1 + margin.
    | Slower
    /// The whole interval lies between 1 - margin and 1 + margin: the difference does not count.
    | Same
    /// The interval crosses 1 - margin or 1 + margin: this run cannot tell.
    | Unresolved
    /// The A/A control of its measure did not hold.
    | NotJudged

/// Judging intervals.
module Verdict =
    /// The verdict on the interval `low` to `high` of a ratio of costs (below 1 is cheaper than the base) against
    /// `margin`, the difference that counts: faster when high < 1 - margin, slower when low > 1 + margin, same when both
    /// ends lie within the margin, otherwise unresolved. The median plays no part.
    let ofInterval (margin: float) (low: float) (high: float) : Verdict =
        if high < 1.0 - margin then Faster
        elif low > 1.0 + margin then Slower
        elif low >= 1.0 - margin && high <= 1.0 + margin then Same
        else Unresolved

    /// The word that is written in results and tables.
    let word (verdict: Verdict) : string = Word.ofCase verdict

/// A figure of a row.
type Measured =
    {
        Value: float
        /// The ends of its 95 % interval; None: it has none, or was measured in one pair.
        Low: float option
        High: float option
        /// The figure of each launch.
        Launches: float list option
        /// (largest - smallest) / median of the launches.
        Spread: float option
        /// Pairs of slices in all; None: it is not made of pairs.
        Pairs: int option
        /// None: the figure needs none. NotJudged stands at every figure whose measure has a control that did not
        /// hold, except the figures that do not depend on the load of the machine.
        Verdict: Verdict option
    }

    /// Whether the A/A control of its measure did not hold.
    member this.IsNotJudged = this.Verdict = Some NotJudged

    /// A figure without an interval.
    static member Plain(value: float) : Measured =
        {
            Value = value
            Low = None
            High = None
            Launches = None
            Spread = None
            Pairs = None
            Verdict = None
        }

    /// The same in another unit.
    member this.Times(factor: float) : Measured =
        { this with
            Value = factor * this.Value
            Low = this.Low |> Option.map ((*) factor)
            High = this.High |> Option.map ((*) factor)
            Launches = this.Launches |> Option.map (List.map ((*) factor))
        }

    /// Its interval. A single pair has none; an interval of width 0 would be wrong.
    member this.Interval: (float * float) option =
        match this.Low, this.High with
        | Some low, Some high when this.Pairs <> Some 1 -> Some(low, high)
        | _ when this.Pairs.IsSome -> Some(0.0, infinity)
        | _ -> None

/// The description of a figure and its form.
type Figure =
    {
        /// Its name in results.json, in the CSV and in budgets.
        Key: string
        Title: string
        /// The head of its column in the terminal.
        Short: string
        /// "B" is a count of bytes, which has no noise worth an interval.
        Unit: string
        Decimals: int
        Better: Better
        [<JsonPropertyName "place">]
        Measure: Measure
        /// How important it is: where the terminal is narrow, columns of a higher number are left out first.
        Rank: int
        Explanation: string
    }

    /// Whether it is a count of bytes.
    member this.IsBytes = this.Unit = "B"

    /// Whether it does not depend on other work of the machine: bytes of an operation in process. The bytes that a
    /// server allocates for a request depends on how warm it is.
    member this.IsExact = this.IsBytes && this.Measure = Measure.InProcess

    /// Whether it is a ratio to the base.
    member this.IsRatio = this.Unit = "x"

    /// A value as text. Minus 0 is written as 0.
    member this.Show(value: float) : string =
        let text = value.ToString("F" + string this.Decimals, CultureInfo.InvariantCulture)
        if text.TrimStart('-').Trim('0', '.') = "" then text.TrimStart '-' else text

    /// The same with all the decimals that a value has, up to four: a bound and how far it is missed.
    member this.ShowExactly(value: float) : string =
        let decimals =
            String.replicate this.Decimals "0" + String.replicate (4 - this.Decimals) "#"

        value.ToString("0." + decimals, CultureInfo.InvariantCulture)

    static member private Interval(show: float -> string, measured: Measured) =
        match measured.Interval with
        | Some(low, high) when Double.IsFinite high -> $"{show measured.Value} ({show low}-{show high})"
        | _ -> show measured.Value

    /// A figure as text, its interval behind it where that is known.
    member this.Show(measured: Measured) : string = Figure.Interval(this.Show, measured)

    /// The same with all decimals, beside a bound.
    member this.ShowExactly(measured: Measured) : string =
        Figure.Interval(this.ShowExactly, measured)

/// All figures.
module Figures =
    let private figure measure key title short unit' decimals rank explanation =
        {
            Key = key
            Title = title
            Short = short
            Unit = unit'
            Decimals = decimals
            Better = Better.Lower
            Measure = measure
            Rank = rank
            Explanation = explanation
        }

    let private inProcess key = figure Measure.InProcess key
    let private overHttp key = figure Measure.OverHttp key

    /// A figure that is left out of the terminal's table.
    let pageOnly = 99

    let bytesPerOperation =
        inProcess "bytesPerOperation" "Bytes" "B/op" "B" 0 3 "bytes that one operation allocates"

    let bytesOverBase =
        inProcess
            "bytesOverBase"
            "Bytes over base"
            "B over"
            "B"
            0
            9
            "bytes that one operation allocates beyond the base's"

    let bytesPerOperationNoEscape =
        inProcess
            "bytesPerOperationNoEscape"
            "Bytes, no escape analysis"
            "B no esc"
            "B"
            0
            6
            "bytes of one operation with the runtime's escape analysis off"

    let bytesOverBaseNoEscape =
        inProcess
            "bytesOverBaseNoEscape"
            "Bytes over base, no escape analysis"
            "no esc over"
            "B"
            0
            10
            "bytes that one operation allocates more than the base, without escape analysis"

    let cpuMicroseconds =
        inProcess
            "cpuMicroseconds"
            "CPU"
            "CPU us"
            "us"
            3
            5
            "CPU time of one operation; it drifts with the machine, and a ratio is of pairs taken in turn: go by the ratio"

    let cpuRatio =
        inProcess
            "cpuRatio"
            "CPU over base"
            "CPU ratio"
            "x"
            2
            1
            "CPU time of one operation over the base's, the median of pairs taken in turn with its 95 % interval"

    let gcPauseMicroseconds =
        inProcess
            "gcPauseMicroseconds"
            "GC pause"
            "GC us"
            "us"
            3
            6
            "the pauses of the garbage collector for one operation; CPU includes them"

    let nanosecondsPerWrapper =
        inProcess
            "nanosecondsPerWrapper"
            "CPU per wrapper"
            "ns/wr"
            "ns"
            1
            4
            "nanoseconds that one await (a wrapped call, node or list step) costs beyond plain code"

    let httpBytesPerRequest =
        overHttp "httpBytesPerRequest" "Bytes" "B/req" "B" 0 7 "bytes that the server allocates for a request"

    let httpBytesOverBase =
        overHttp
            "httpBytesOverBase"
            "Bytes over base"
            "B/req over"
            "B"
            0
            9
            "bytes that the server allocates for a request beyond the base's"

    let httpCpuMicroseconds =
        overHttp
            "httpCpuMicroseconds"
            "CPU"
            "HTTP us"
            "us"
            1
            10
            "CPU time of the server for a request, with all of its work"

    let httpCpuRatio =
        overHttp
            "httpCpuRatio"
            "CPU over base"
            "HTTP ratio"
            "x"
            2
            2
            "CPU time of the server for a request over the base's, the median of pairs with its 95 % interval"

    let httpRequestsPerSecond =
        { overHttp "httpRequestsPerSecond" "Requests/s" "req/s" "1/s" 0 8 "requests a second, of one core" with
            Better = Better.Higher
        }

    let httpRequestsPerSecondPercent =
        { overHttp
              "httpRequestsPerSecondPercent"
              "Requests/s of base"
              "req/s %"
              "%"
              1
              10
              "requests a second in percent of the base's" with
            Better = Better.Higher
        }

    let httpCapacityPercent =
        { overHttp
              "httpCapacityPercent"
              "Capacity of base"
              "cap %"
              "%"
              0
              4
              "requests a second that the same core would serve, in percent of the base's: 100 / HTTP ratio" with
            Better = Better.Higher
        }

    let httpRequests =
        { overHttp "httpRequests" "Requests counted" "requests" "" 0 pageOnly "requests that were counted" with
            Better = Better.Neither
        }

    /// All of them, in reading order.
    let all: Figure list =
        [
            bytesPerOperation
            bytesOverBase
            bytesPerOperationNoEscape
            bytesOverBaseNoEscape
            cpuMicroseconds
            cpuRatio
            nanosecondsPerWrapper
            gcPauseMicroseconds
            httpBytesPerRequest
            httpBytesOverBase
            httpCpuMicroseconds
            httpCpuRatio
            httpRequestsPerSecond
            httpRequestsPerSecondPercent
            httpCapacityPercent
            httpRequests
        ]

    /// The ratios that rows are judged by, in the order in which they are ranked by them.
    let ratios: Figure list = [ cpuRatio; httpCpuRatio ]

    /// The figures by which two runs are compared: the ones that are better when lower, except figures that follow from
    /// others, and CPU time, which drifts with the machine and is compared by its ratio.
    let compared: Figure list =
        all
        |> List.filter (fun figure -> figure.Better = Better.Lower)
        |> List.except
            [
                bytesOverBase
                bytesOverBaseNoEscape
                cpuMicroseconds
                nanosecondsPerWrapper
                httpBytesOverBase
                httpCpuMicroseconds
            ]
