// What a page shows besides rows, as data: plots and tables that any scenario may make. Names here are the names in
// results.json; docs/results.md describes each.
namespace Plait.Report

/// An axis of a plot.
type Axis =
    {
        /// What it shows, with its unit: "latency (ms)".
        Label: string
        /// "linear" or "log": how it is drawn at first.
        Scale: string
    }

/// A line or a cloud of points.
type Series =
    {
        Label: string
        /// As that of a row: it gives the colour.
        Family: string
        /// Pairs of x and y, x ascending.
        Points: float[][]
        /// How many points there were before they were thinned; the same as the length where none was left out.
        Of: int
        /// "line", "dashed", "step" or "dots".
        Style: string
    }

/// A figure of a forest or bar plot.
type Item =
    {
        Label: string
        Family: string
        Value: float
        /// The ends of its interval.
        Low: float option
        High: float option
        /// A second figure, drawn as an outline or a hollow mark: what was published, or the same by another measure.
        Other: float option
        /// A word or sentence for the tooltip and the table: a verdict, a warning.
        Note: string option
    }

/// A plot or a table. Which fields count depends on its kind:
/// "lines": X, Y, Series. "percentiles": Y, Series whose x is the percentile from 0 to 100, drawn on an axis of 1/(1-p).
/// "forest" and "bars": X, Items, Reference. "table": Columns, Rows. "facts": Note and Rows of three texts; it has no
/// place of its own, but is the page's heading.
type Panel =
    {
        Kind: string
        /// Unique in its results: an anchor.
        Id: string
        Title: string
        /// What it says, in a sentence or two, and how to read it.
        Note: string
        X: Axis
        Y: Axis
        Series: Series list
        Items: Item list
        /// The value of a line across forest or bars; None: no line.
        Reference: float option
        /// What the outlined or hollow marks are.
        OtherLabel: string option
        Columns: Column list
        Rows: Cell list list
    }

/// Making panels.
module Panel =
    let private none = { Label = ""; Scale = "linear" }

    let private empty kind id title note =
        {
            Kind = kind
            Id = id
            Title = title
            Note = note
            X = none
            Y = none
            Series = []
            Items = []
            Reference = None
            OtherLabel = None
            Columns = []
            Rows = []
        }

    /// Lines over a common axis.
    let lines id title note x y series : Panel =
        { empty "lines" id title note with X = x; Y = y; Series = series }

    /// Percentile curves; y is the value.
    let percentiles id title note y series : Panel =
        { empty "percentiles" id title note with Y = y; Series = series }

    /// Ratios with intervals; `reference` is the value of no difference.
    let forest id title note x reference items : Panel =
        { empty "forest" id title note with X = x; Reference = Some reference; Items = items }

    /// Bars from zero.
    let bars id title note x items : Panel =
        { empty "bars" id title note with X = x; Items = items }

    /// A table.
    let table id title note columns rows : Panel =
        { empty "table" id title note with Columns = columns; Rows = rows }

    /// The heading of a page: what the run came to in a sentence or two, and its few key figures, each with a title, the
    /// figure with its unit, and a few words to it. The first panel of this kind counts.
    let facts (summary: string) (figures: (string * string * string) list) : Panel =
        let rows =
            figures
            |> List.map (fun (title, figure, words) ->
                [ title; figure; words ] |> List.map (fun value -> { Text = Some value; Number = None }))

        { empty "facts" "facts" "" summary with Rows = rows }

    /// A cell with a text.
    let text (value: string) : Cell = { Text = Some value; Number = None }

    /// A cell with a number.
    let number (value: float) : Cell = { Text = None; Number = Some value }

    /// A cell with nothing.
    let nothing: Cell = { Text = None; Number = None }

    /// A cell with a number, or with nothing where it is none or infinite.
    let finite (value: float) : Cell =
        if System.Double.IsFinite value then number value else nothing

    /// The same for a number that may be missing.
    let optional (value: float option) : Cell =
        value |> Option.map finite |> Option.defaultValue nothing
