// Pure: when a process is warm. The runtime compiles hot methods again in the background, so CPU for a request
// falls in steps during the first seconds; timing before it is flat measures the compiler.
module Plait.Lab.SteadyState

open MathNet.Numerics.Statistics

/// Slices in one group; groups are compared by their medians.
let groupSize = 3

/// Groups that must agree.
let groups = 3

/// How far the groups' medians may lie apart, as a share of the smallest, where slices hardly scatter.
let tolerance = 0.02

/// How far they may lie apart at most, however much slices scatter.
let widestTolerance = 0.1

/// The share of CPU time that the runtime's compiler may take of a process that is warm.
let compilerShare = 0.02

let private grouped (history: float list) =
    let needed = groupSize * groups

    if history.Length < needed then
        None
    else
        Some(history |> List.skip (history.Length - needed) |> List.chunkBySize groupSize)

let private apart (grouped: float list list) =
    let medians = grouped |> List.map Statistics.Median
    List.max medians / List.min medians - 1.0

// How far medians of groups lie apart by luck alone, in seven cases of ten: 2.2 times the median deviation of slices from
// the medians of their groups, found by drawing them from a normal distribution.
let private byLuck (grouped: float list list) =
    let deviation =
        grouped
        |> List.collect (fun group ->
            let median = Statistics.Median group
            group |> List.map (fun value -> abs (value / median - 1.0)))
        // The median itself deviates by nothing, in every group.
        |> List.filter (fun share -> share > 0.0)

    if deviation.IsEmpty then 0.0 else 2.2 * Statistics.Median deviation

/// How far apart the medians of the last three groups of three slices are (largest / smallest - 1); None when there
/// are too few slices to tell. `history` is CPU for a request, oldest first.
let change (history: float list) : float option = grouped history |> Option.map apart

/// Flat: the medians of the last three groups of three slices lie within 2 %, or within the random scatter of slices,
/// up to 10 %.
let isFlat (history: float list) : bool =
    match grouped history with
    | Some grouped -> apart grouped <= min widestTolerance (max tolerance (byLuck grouped))
    | None -> false

/// Whether the runtime still compiles: its compiler took more than 2 % of the CPU time of the last nine slices. CPU for a
/// request can be flat meanwhile, while a long queue of methods is compiled.
let isCompiling (history: Slice list) : bool =
    let last = history |> List.skip (max 0 (history.Length - groupSize * groups))

    let compiling = last |> List.sumBy _.CompilingMicroseconds
    compiling > compilerShare * (last |> List.sumBy _.CpuMicroseconds)
