// Pure: when a process is warm. The runtime compiles hot methods again in the background, so CPU for a request
// falls in steps during the first seconds; timing before it is flat measures the compiler.
module Plait.Lab.Measure.Warmth

open MathNet.Numerics.Statistics

/// Slices in one group; the median of a group is what is compared.
let groupSize = 3

/// Groups that must agree.
let groups = 3

/// How far the groups' medians may lie apart, as a share of the smallest.
let tolerance = 0.02

/// How far apart the medians of the last three groups of three slices are (largest / smallest - 1); None when there
/// are too few slices to tell. `history` is CPU for a request, oldest first.
let change (history: float list) : float option =
    let needed = groupSize * groups

    if history.Length < needed then
        None
    else
        let medians =
            history
            |> List.skip (history.Length - needed)
            |> List.chunkBySize groupSize
            |> List.map Statistics.Median

        Some(List.max medians / List.min medians - 1.0)

/// Flat: the medians of the last three groups of three slices lie within 2 %.
let isFlat (history: float list) : bool =
    match change history with
    | Some change -> change <= tolerance
    | None -> false
