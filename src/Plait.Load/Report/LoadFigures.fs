// The figures of load runs, each described once: title, decimals, and how it is read of a histogram or a run. Tables in the
// terminal, on the page and as CSV are lists of them.
namespace Plait.Load

open System
open System.Globalization

open Plait.Common
open Plait.Report

/// Reads the value of a column of a row; None: the row has no value there.
[<RequireQualifiedAccess>]
type Reader<'Row> =
    | Words of ('Row -> string)
    | Number of ('Row -> float)
    /// A share of one: in per cent, in a CSV as it is.
    | Share of ('Row -> float)
    /// Nanoseconds: in the terminal with a unit of its size, on the page in milliseconds, in a CSV as they are.
    | Time of ('Row -> int64 option)
    /// Nanoseconds more or less, with an interval; shown as times are.
    | Difference of ('Row -> Measured)
    /// A share of one more or less, with an interval; shown as shares are.
    | Change of ('Row -> Measured)

/// A column of a table: a figure, or words.
type LoadFigure<'Row> =
    {
        Figure: Figure
        Read: Reader<'Row>
    }

    /// The same figure of a whole that has such a part.
    member this.From(part: 'Whole -> 'Row) : LoadFigure<'Whole> =
        {
            Figure = this.Figure
            Read =
                match this.Read with
                | Reader.Words read -> Reader.Words(part >> read)
                | Reader.Number read -> Reader.Number(part >> read)
                | Reader.Share read -> Reader.Share(part >> read)
                | Reader.Time read -> Reader.Time(part >> read)
                | Reader.Difference read -> Reader.Difference(part >> read)
                | Reader.Change read -> Reader.Change(part >> read)
        }

    /// The same, left out by rank where a terminal is narrow; Figures.pageOnly: in every terminal.
    member this.Ranked(rank: int) =
        { this with Figure = { this.Figure with Rank = rank } }

    /// The same under a title that says its unit.
    member this.Titled(title: string) =
        { this with Figure = { this.Figure with Title = title; Short = title; Unit = "" } }

    /// The measured value, in the unit of its title.
    member private this.Measured(row: 'Row) : Measured option =
        match this.Read with
        | Reader.Words _ -> None
        | Reader.Number read -> Some(Measured.Plain(read row))
        | Reader.Share read -> Some(Measured.Plain(100.0 * read row))
        | Reader.Time read -> read row |> Option.map (Duration.milliseconds >> Measured.Plain)
        | Reader.Difference read -> Some((read row).Times 1e-6)
        | Reader.Change read -> Some((read row).Times 100.0)

    /// Its value in the unit of its title.
    member this.Value(row: 'Row) : float option = this.Measured row |> Option.map _.Value

    /// Its text in the terminal.
    member this.Text(row: 'Row) : string =
        let signed (show: float -> string) (measured: Measured) =
            let show (value: float) =
                (if value > 0.0 then "+" else "") + show value

            match measured.Low, measured.High with
            | Some low, Some high -> $"{show measured.Value} ({show low} to {show high})"
            | _ -> show measured.Value

        match this.Read with
        | Reader.Difference read -> read row |> signed (int64 >> Duration.show)
        | Reader.Change read -> (read row).Times 100.0 |> signed (fun value -> this.Figure.Show value + "%")
        | Reader.Words read -> read row
        | Reader.Number read -> this.Figure.Show(read row)
        | Reader.Share read -> this.Figure.Show(100.0 * read row) + "%"
        | Reader.Time read -> read row |> Option.map Duration.show |> Option.defaultValue "-"

    /// Its text in a CSV.
    member this.Field(row: 'Row) : string =
        match this.Read with
        | Reader.Words read -> Csv.field (read row)
        | Reader.Number read
        | Reader.Share read -> (read row).ToString CultureInfo.InvariantCulture
        | Reader.Time read -> read row |> Option.map string |> Option.defaultValue ""
        | Reader.Difference read
        | Reader.Change read -> (read row).Value.ToString CultureInfo.InvariantCulture

    /// Its cell on the page.
    member this.Cell(row: 'Row) : Cell =
        match this.Read with
        | Reader.Words read -> Panel.text (read row)
        | _ -> Panel.measured (this.Measured row)

/// Tables of load runs.
module LoadTable =
    /// For a terminal of `width` columns, with the headings that found no place.
    let lines (width: int) (columns: LoadFigure<'Row> list) (rows: 'Row list) : string list =
        let columns =
            columns |> List.filter (fun column -> column.Figure.Rank <> Figures.pageOnly)

        let heading (column: LoadFigure<'Row>) =
            (if column.Read.IsWords then TextTable.left else TextTable.right) column.Figure.Short
            |> TextTable.ranked column.Figure.Rank

        let lines, leftOut =
            [ for row in rows -> columns |> List.map _.Text(row) ]
            |> TextTable.within width (List.map heading columns)

        lines @ TextTable.omission width TextTable.onThePage leftOut

    /// As CSV, headed by the keys.
    let csv (columns: LoadFigure<'Row> list) (rows: 'Row list) : string =
        [
            columns |> List.map _.Figure.Key
            for row in rows do
                columns |> List.map _.Field(row)
        ]
        |> List.map (fun fields -> String.concat "," fields + "\n")
        |> String.concat ""

    /// For the page.
    let panel id title note (columns: LoadFigure<'Row> list) (rows: 'Row list) : Panel =
        let heading (column: LoadFigure<'Row>) =
            if column.Read.IsWords then
                Column.words column.Figure.Title
            else
                Column.ofFigure column.Figure |> Column.under ""

        Panel.table
            id
            title
            note
            (List.map heading columns)
            [ for row in rows -> columns |> List.map _.Cell(row) ]

/// The outputs that may have a count of a whole run. The JSON of the run has every count.
[<RequireQualifiedAccess>]
type RunOutput =
    /// The line of requests in the text.
    | Text
    /// The last line of the stream.
    | Stream
    /// The table of connections on the page.
    | Page
    /// A collector of metrics, at the end of the run.
    | Otlp
    /// crank, which adds the counts of its jobs.
    | Crank

/// A count of a whole run.
type CountFigure =
    {
        Figure: LoadFigure<Outcome>
        /// Its title where no table stands around it.
        Label: string
        Read: Outcome -> int64
        /// The outputs that have it.
        Outputs: RunOutput list
    }

/// Durations of a whole run: one of each request, or of some.
type RunDurations =
    {
        /// Their name in the stream.
        Key: string
        /// Their name in the text.
        Title: string
        /// Their column in the page's table of percentiles; None: they have none.
        Column: string option
        /// Few runs have any: the text leaves them out if there are none.
        IsRare: bool
        /// They are 0 in the closed model, which has no schedule.
        OfSchedule: bool
        Read: RunCounts -> Histogram
    }

/// The figures, and how others are made.
module LoadFigures =
    let private figure key title unit' decimals explanation read : LoadFigure<'Row> =
        {
            Figure =
                {
                    Key = key
                    Title = title
                    Short = title
                    Unit = unit'
                    Decimals = decimals
                    Better = Better.Neither
                    Measure = Measure.OverHttp
                    Rank = 0
                    Explanation = explanation
                }
            Read = read
        }

    let words (title: string) (read: 'Row -> string) =
        figure title title "" 0 "" (Reader.Words read)

    let number key title decimals explanation (read: 'Row -> float) =
        figure key title "" decimals explanation (Reader.Number read)

    let share key title decimals explanation (read: 'Row -> float) =
        figure key title "%" decimals explanation (Reader.Share read)

    let private time key title (read: Histogram -> int64) =
        figure
            key
            title
            "ms"
            3
            ""
            (Reader.Time(fun (all: Histogram) -> if all.Count = 0L then None else Some(read all)))

    /// A duration of a row, under a title of its own.
    let duration (title: string) (read: 'Row -> int64) =
        figure title title "ms" 3 "" (Reader.Time(read >> Some))

    let difference title (read: 'Row -> Measured) =
        figure "differenceNanoseconds" title "ms" 3 "" (Reader.Difference read)

    let change title (read: 'Row -> Measured) =
        figure "change" title "%" 1 "" (Reader.Change read)

    let shortest = time "shortestNanoseconds" "shortest" _.Min
    let longest = time "longestNanoseconds" "longest" _.Max

    let deviation =
        time "deviationNanoseconds" "standard deviation" (_.Deviation >> int64)

    let percentile (percent: float) =
        let shown = percent.ToString("0.###", CultureInfo.InvariantCulture)
        time $"p{shown}Nanoseconds" $"{shown} %%" _.Percentile(percent)

    // The mean of the classes' middles may lie outside of the shortest and the longest duration.
    let mean =
        time "meanNanoseconds" "mean" (fun all -> Math.Clamp(int64 all.Mean, all.Min, all.Max))

    let responses =
        number "responses" "responses" 0 "" (fun (all: Histogram) -> float all.Count)

    let slow =
        number "over100Milliseconds" "> 100 ms" 0 "right responses that took longer" (fun (all: Histogram) ->
            all.Buckets
            |> Seq.filter (fun bucket -> bucket.Lowest > 100_000_000L)
            |> Seq.sumBy (fun bucket -> float bucket.Count))

    let requests =
        number "requests" "requests" 0 "" (fun (outcome: Outcome) -> float outcome.Requests)

    let failed =
        number "failed" "failed" 0 "requests that were not answered rightly" (fun (outcome: Outcome) ->
            float (outcome.Requests - outcome.Right))

    let duePerSecond: LoadFigure<Outcome> =
        number "duePerSecond" "due/s" 1 "requests that were due" _.RatePerSecond

    let rightPerSecond: LoadFigure<Outcome> =
        number "rightPerSecond" "right/s" 1 "right responses" _.RightPerSecond

    let success: LoadFigure<Outcome> = share "success" "success" 2 "" _.Success

    let busy: LoadFigure<Outcome> =
        share "busy" "generator busy" 0 "the share of its core that the generator used" _.Busy

    let brokenRules: LoadFigure<Outcome> =
        number "brokenRules" "rules broken" 0 "" (fun outcome ->
            outcome.Verdicts |> List.filter _.IsBroken |> List.length |> float)

    let private count key label explanation outputs (read: Outcome -> int64) : CountFigure =
        {
            Figure = number key key 0 explanation (read >> float)
            Label = label
            Read = read
            Outputs = outputs
        }

    let connections =
        count
            "connections"
            "Connections"
            "that were open, each counted once, even if it was opened anew"
            [ RunOutput.Stream; RunOutput.Crank ]
            (fun outcome -> int64 outcome.Counts.Connections)

    let connects =
        count
            "connects"
            "Connections made"
            "connects that succeeded"
            [ RunOutput.Stream; RunOutput.Page; RunOutput.Otlp; RunOutput.Crank ]
            _.Counts.Connects.Count

    /// Every count of a run, each described once, in the order of the outputs. A new one is a field of RunCounts, a line
    /// where the engine counts it, and an entry here.
    let all: CountFigure list =
        [
            connections
            connects
            count
                "retried"
                "Requests sent again"
                "requests that were sent again: their connection was found closed, or the server had not processed them"
                [ RunOutput.Text; RunOutput.Stream; RunOutput.Page; RunOutput.Otlp; RunOutput.Crank ]
                _.Counts.Retried
            count
                "redirected"
                "Redirections followed"
                "redirections that were followed"
                [ RunOutput.Text; RunOutput.Stream; RunOutput.Page; RunOutput.Otlp; RunOutput.Crank ]
                _.Counts.Redirected
            count
                "waited"
                "Requests that waited for a connection"
                "requests that waited because all allowed connections were in use"
                [ RunOutput.Text; RunOutput.Page; RunOutput.Crank ]
                _.Counts.Waited.Count
            count
                "waitedForClose"
                "Requests that waited for a close"
                "requests that waited until an idle connection to their server was closed"
                [ RunOutput.Page ]
                _.Counts.WaitedForClose
            count "bytesOut" "Bytes sent" "bytes that were sent" [ RunOutput.Stream ] _.Counts.BytesOut
            count "bytesIn" "Bytes received" "bytes that were received" [ RunOutput.Stream ] _.Counts.BytesIn
        ]

    /// Every kind of durations of a run, the latencies first.
    let durations: RunDurations list =
        let usual key title column read =
            {
                Key = key
                Title = title
                Column = Some column
                IsRare = false
                OfSchedule = false
                Read = read
            }

        let ofSchedule key title read =
            { usual key title title read with OfSchedule = true }

        [
            usual "intended" "Latencies" "from intended start" _.Intended
            usual "actual" "from send" "from send" _.Actual
            { usual "connect" "connect" "connect" _.Connects with IsRare = true }
            { usual "waited" "waited" "waited" _.Waited with Column = None; IsRare = true }
            ofSchedule "lag" "lag" _.Lag
            ofSchedule "ownLag" "own lag" _.GeneratorLag
        ]

    /// The durations that the model of a run has.
    let durationsOf (plan: Plan) : RunDurations list =
        match plan.Model with
        | Open _ -> durations
        | Closed _ -> durations |> List.filter (fun one -> not one.OfSchedule)

    /// The counts of an output.
    let forOutput (output: RunOutput) : CountFigure list =
        all |> List.filter (fun count -> List.contains output count.Outputs)
