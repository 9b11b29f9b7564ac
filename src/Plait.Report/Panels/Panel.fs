// The panels of a page, as data: plots and tables that any scenario may make. docs/results.md describes their JSON.
namespace Plait.Report

open System
open System.Text.Json
open System.Text.Json.Serialization
open Plait.Common

/// The family of a row or a line, which decides its colour.
[<RequireQualifiedAccess>]
type Family =
    | Base
    | Plait
    | [<Word "fsharp">] FSharp
    | [<Word "csharp">] CSharp
    | Published
    | Package
    | Control
    /// None of these: a colour of its own.
    | [<Word "">] Other

/// How an axis is drawn at first.
[<RequireQualifiedAccess>]
type Scale =
    | Linear
    | Log

/// An axis of a plot.
type Axis =
    {
        /// Its quantity, with its unit: "latency (ms)".
        Label: string
        Scale: Scale
        /// Decimals of the figures of a forest or of bars; None: three figures or so.
        Decimals: int option
    }

/// How points are drawn.
[<RequireQualifiedAccess>]
type Style =
    | Line
    | Dashed
    | Step
    | Dots

/// A line or a cloud of points.
type Series =
    {
        Label: string
        Family: Family
        /// Pairs of x and y, x ascending.
        Points: float[][]
        /// How many points there were before they were thinned; the same as the length where none was left out.
        Of: int
        Style: Style
        /// The run of it, if there are several: each run has one colour. None: the colour is the family's.
        Run: string option
    }

/// A figure of a forest or bar plot.
type Item =
    {
        Label: string
        Family: Family
        Value: float
        /// The ends of its interval.
        Low: float option
        High: float option
        /// The figure of each launch.
        Launches: float list option
        /// A second figure, drawn as an outline or a hollow mark.
        Other: float option
        /// A word to it: a verdict.
        Word: string option
        /// A sentence to it: a warning.
        Note: string option
        /// As in a series.
        Run: string option
    }

    /// An item with a value alone.
    static member Of(label: string, family: Family, value: float) : Item =
        {
            Label = label
            Family = family
            Value = value
            Low = None
            High = None
            Launches = None
            Other = None
            Word = None
            Note = None
            Run = None
        }

    /// An item with all that is known of a figure.
    static member Of(label: string, family: Family, measured: Measured) : Item =
        { Item.Of(label, family, measured.Value) with
            Low = measured.Low
            High = measured.High
            Launches = measured.Launches
            Word = measured.Verdict |> Option.map Verdict.word
        }

/// A cell of a table.
[<RequireQualifiedAccess>]
type Cell =
    | Text of string
    | Number of float
    | Interval of value: float * low: float * high: float
    | Nothing

/// A column of a table.
type Column =
    {
        Title: string
        /// The heading above it and its neighbours of the same group; "": none.
        Group: string
        /// Decimals of its numbers; None: texts.
        Decimals: int option
        /// Which end is marked as the best.
        Better: Better
        Explanation: string
        /// A column of this run beside published figures. The terminal leaves out the rows without a figure in it;
        /// the page, and so JSON, has them all.
        [<JsonIgnore>]
        Ours: bool
    }

/// The meaning of the colour of a frame.
[<RequireQualifiedAccess>]
type Tone =
    /// It delays others: a warm colour, another one for each word.
    | Trouble
    /// It does its work: a cool colour.
    | Work
    /// It only calls others.
    | [<Word "">] None

/// A frame of a flame graph: a function, with the functions that it called.
type FlameFrame =
    {
        Name: string
        /// Its width: the count in it and in the functions that it called.
        Value: float
        /// A sentence about it: its place, and its work there.
        Note: string option
        Tone: Tone
        /// The meaning of its colour, for the legend: "waits for a lock".
        Word: string option
        Children: FlameFrame list
    }

/// A plot or a table.
type Plot =
    /// Curves or clouds of points over a common axis.
    | Lines of x: Axis * y: Axis * series: Series list
    /// The same; x is the percentile from 0 to 100, drawn on an axis of 1/(1-p).
    | Percentiles of y: Axis * series: Series list
    /// A dot with its interval for each item, and the line of no difference with the margin around it. `other`: the
    /// meaning of hollow marks.
    | Forest of x: Axis * reference: float * margin: float option * other: string option * items: Item list
    /// A bar from zero for each item. `reference`: a line across them.
    | Bars of x: Axis * reference: float option * other: string option * items: Item list
    | Table of columns: Column list * rows: Cell list list
    /// A flame graph: a bar for each frame, as wide as its value, with the bars of the functions that it called on
    /// it. `x`: the unit of the count.
    | Flame of x: Axis * frames: FlameFrame list

/// A plot or a table with its heading.
type Panel =
    {
        /// Unique in its results: an anchor.
        Id: string
        Title: string
        /// Its content, in a sentence or two, and how to read it.
        Note: string
        /// Why nothing in it is judged; None: it is.
        NotJudged: string option
        Plot: Plot
    }

/// Making columns.
module Column =
    /// A column of texts.
    let words (title: string) : Column =
        {
            Title = title
            Group = ""
            Decimals = None
            Better = Better.Neither
            Explanation = ""
            Ours = false
        }

    /// A column of numbers with so many decimals.
    let figure (title: string) (decimals: int) : Column =
        { words title with Decimals = Some decimals }

    /// The same, with the smallest marked as the best.
    let lessIsBetter (title: string) (decimals: int) : Column =
        { figure title decimals with Better = Better.Lower }

    /// The column of a figure that is described in Figures.
    let ofFigure (figure: Figure) : Column =
        {
            Title = figure.Title + (if figure.Unit = "" then "" else $" ({figure.Unit})")
            Group = Word.ofCase figure.Measure
            Decimals = Some figure.Decimals
            Better = figure.Better
            Explanation = figure.Explanation
            Ours = false
        }

    /// The column, of figures of this run beside published ones.
    let ours (column: Column) : Column = { column with Ours = true }

    /// The column under the head of a group.
    let under (group: string) (column: Column) : Column = { column with Group = group }

/// Making panels.
module Panel =
    let private make id title note plot : Panel =
        { Id = id; Title = title; Note = note; NotJudged = None; Plot = plot }

    /// The panel, of a measure that is not judged.
    let notJudged (why: string option) (panel: Panel) : Panel = { panel with NotJudged = why }

    /// An axis that is drawn evenly.
    let linear (label: string) : Axis =
        { Label = label; Scale = Scale.Linear; Decimals = None }

    /// A logarithmic axis.
    let log (label: string) : Axis = { linear label with Scale = Scale.Log }

    /// The axis of figures with so many decimals.
    let rounded (decimals: int) (axis: Axis) : Axis = { axis with Decimals = Some decimals }

    /// A series of all of its points.
    let series (style: Style) (label: string) (family: Family) (points: float[][]) : Series =
        {
            Label = label
            Family = family
            Points = points
            Of = points.Length
            Style = style
            Run = None
        }

    /// Lines over a common axis.
    let lines id title note x y series : Panel =
        make id title note (Lines(x, y, series))

    /// Percentile curves; y is the value.
    let percentiles id title note y series : Panel =
        make id title note (Percentiles(y, series))

    /// Ratios with intervals; 1 is the value of no difference.
    let forest id title note x margin other items : Panel =
        make id title note (Forest(x, 1.0, margin, other, items))

    /// Differences with intervals; 0 is the value of none.
    let differences id title note x items : Panel =
        make id title note (Forest(x, 0.0, None, None, items))

    /// Bars from zero.
    let bars id title note x reference other items : Panel =
        make id title note (Bars(x, reference, other, items))

    /// A table.
    let table id title note columns rows : Panel =
        make id title note (Table(columns, rows))

    /// A flame graph.
    let flame id title note x frames : Panel = make id title note (Flame(x, frames))

    /// A cell with a text.
    let text (value: string) : Cell = Cell.Text value

    /// A cell with a text, or with nothing where there is none.
    let textOrNothing (value: string option) : Cell =
        value |> Option.map text |> Option.defaultValue Cell.Nothing

    /// A cell with a number.
    let number (value: float) : Cell = Cell.Number value

    /// A cell with nothing.
    let nothing: Cell = Cell.Nothing

    /// A cell with a number, or with nothing where it is none or infinite.
    let finite (value: float) : Cell =
        if Double.IsFinite value then number value else nothing

    /// The same for a number that may be missing.
    let optional (value: float option) : Cell =
        value |> Option.map finite |> Option.defaultValue nothing

    /// A figure with its interval, where it has one.
    let measured (value: Measured option) : Cell =
        match value with
        | Some { Value = value; Low = Some low; High = Some high } -> Cell.Interval(value, low, high)
        | Some measured -> finite measured.Value
        | None -> nothing

// A cell is a text, a number, an object of value, low and high, or null.
type internal CellConverter() =
    inherit JsonConverter<Cell>()
    override _.HandleNull = true

    override _.Read(reader, _, _) =
        match reader.TokenType with
        | JsonTokenType.String -> Cell.Text(string (reader.GetString()))
        | JsonTokenType.Number -> Cell.Number(reader.GetDouble())
        | JsonTokenType.Null -> Cell.Nothing
        | _ ->
            let element = JsonElement.ParseValue &reader

            let number (name: string) =
                match element.ValueKind with
                | JsonValueKind.Object ->
                    match element.TryGetProperty name with
                    | true, value when value.ValueKind = JsonValueKind.Number -> value.GetDouble()
                    | _ -> JsonPlace.wrong "" $"the key '{name}' of an interval is missing"
                | _ -> JsonPlace.wrong "" "a cell is a text, a number, an interval or null"

            Cell.Interval(number "value", number "low", number "high")

    override _.Write(writer, cell, _) =
        match cell with
        | Cell.Text text -> writer.WriteStringValue text
        | Cell.Number number -> writer.WriteNumberValue number
        | Cell.Nothing -> writer.WriteNullValue()
        | Cell.Interval(value, low, high) ->
            writer.WriteStartObject()
            writer.WriteNumber("value", value)
            writer.WriteNumber("low", low)
            writer.WriteNumber("high", high)
            writer.WriteEndObject()
