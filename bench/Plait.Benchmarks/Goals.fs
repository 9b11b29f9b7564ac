// Figures that the library promises, and whether a run has met them.
module Plait.Benchmarks.Goals

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Turns

/// The judged figure: bytes per operation, those beyond another row's, or the time over another row's, both of the same
/// rounds.
type Measure =
    | Bytes
    | BytesBeyond of row: string
    | TimeOver of row: string

/// A goal: the row of a suite, the judged figure, and its largest value; where a row is known to miss it, the reason.
type Goal = { Suite: Suite; Row: string; Measure: Measure; Max: float; Why: string }

/// At most so many bytes per operation.
let bytes most suite row =
    { Suite = suite; Row = row; Measure = Bytes; Max = most; Why = "" }

/// At most so many bytes per operation more than another row.
let bytesBeyond most row over suite =
    { Suite = suite; Row = row; Measure = BytesBeyond over; Max = most; Why = "" }

/// At most so many times as long as another row.
let time most row over suite =
    { Suite = suite; Row = row; Measure = TimeOver over; Max = most; Why = "" }

/// The measured value of a goal: bytes among the results, times by `pair`.
let seen
    (pair: string -> string -> string -> float)
    (results: (Suite * Figures list) list)
    (goal: Goal)
    : float =
    let figures =
        results
        |> List.pick (fun (suite, figures) -> if suite.Title = goal.Suite.Title then Some figures else None)

    let figure row =
        figures |> List.find (fun figures -> figures.Row = row)

    match goal.Measure with
    | Bytes -> (figure goal.Row).Bytes
    | BytesBeyond row -> (figure goal.Row).Bytes - (figure row).Bytes
    | TimeOver row -> pair goal.Suite.Title goal.Row row

/// Whether the value is within the promise, as it is printed.
let isMet (goal: Goal) (value: float) = System.Math.Round(value, 2) <= goal.Max
