// The parts of a panel's plot, for tests that know which plot it is.
namespace Plait.Tests.Support

open Plait.Report

[<AutoOpen>]
module PanelParts =
    type Panel with
        /// "lines", "percentiles", "forest", "bars", "table" or "flame".
        member this.Kind =
            match this.Plot with
            | Lines _ -> "lines"
            | Percentiles _ -> "percentiles"
            | Forest _ -> "forest"
            | Bars _ -> "bars"
            | Table _ -> "table"
            | Flame _ -> "flame"

        member this.Series: Series list =
            match this.Plot with
            | Lines(_, _, series)
            | Percentiles(_, series) -> series
            | _ -> []

        member this.Items: Item list =
            match this.Plot with
            | Forest(_, _, _, _, items)
            | Bars(_, _, _, items) -> items
            | _ -> []

        member this.Columns: Column list =
            match this.Plot with
            | Table(columns, _) -> columns
            | _ -> []

        member this.Rows: Cell list list =
            match this.Plot with
            | Table(_, rows) -> rows
            | _ -> []

    type Cell with
        /// Its text; None: it has none.
        member this.AsText =
            match this with
            | Cell.Text text -> Some text
            | _ -> None

        /// Its number, that of an interval as well.
        member this.AsNumber =
            match this with
            | Cell.Number value
            | Cell.Interval(value, _, _) -> Some value
            | _ -> None
