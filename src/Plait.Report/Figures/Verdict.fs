// Pure: the word for a ratio.
module Plait.Report.Verdict

/// What an interval says about a difference that counts.
type Verdict =
    /// The whole interval lies below 1 - margin.
    | Faster
    /// The whole interval lies above 1 + margin.
    | Slower
    /// The whole interval lies between 1 - margin and 1 + margin: whatever difference there is does not count.
    | Same
    /// The interval crosses 1 - margin or 1 + margin: this run cannot tell.
    | Unresolved

/// The verdict on the interval `low` to `high` of a ratio of costs (below 1 is cheaper than the base) against
/// `margin`, the difference that counts: faster when high < 1 - margin, slower when low > 1 + margin, same when both
/// ends lie within the margin, otherwise unresolved. The median plays no part.
let ofInterval (margin: float) (low: float) (high: float) : Verdict =
    if high < 1.0 - margin then Faster
    elif low > 1.0 + margin then Slower
    elif low >= 1.0 - margin && high <= 1.0 + margin then Same
    else Unresolved

/// The word that is written in results and tables.
let word (verdict: Verdict) : string =
    match verdict with
    | Faster -> "faster"
    | Slower -> "slower"
    | Same -> "same"
    | Unresolved -> "unresolved"
