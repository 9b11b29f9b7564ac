// The measurements of one row so far. They grow while the row is measured, so that at any end of a run all pairs taken before
// are kept.
namespace Plait.Lab

open System.Collections.Generic

open Plait.Report

/// The pairs of one launch. `asked`: the measures of this launch.
type LaunchPairs(asked: Measure list) =
    /// The measures in it.
    member _.Asked = asked
    /// Pairs taken in process.
    member val InProcess = List<Pair>()
    /// Pairs taken over HTTP.
    member val Http = List<Pair>()
    /// The measures that ended.
    member val Finished = List<Measure>()

/// One row while it is measured.
type MeasuredRow(plan: RowPlan) =
    let launches = List<LaunchPairs>()
    /// The plan that is run.
    member _.Plan = plan
    /// Its launches so far.
    member _.Launches = launches
    /// Whether its answer was right; None: it was not asked yet.
    member val Correct: bool option = None with get, set
    /// Why it is not, or not wholly, measured; once set, the row is not run again.
    member val Trouble: string option = None with get, set
    /// Bytes for a request, where they were counted apart.
    member val Bytes: float option = None with get, set
    /// Bytes for a request with escape analysis off.
    member val BytesNoEscape: float option = None with get, set
    /// The introduction of its process.
    member val Introduction: Introduction option = None with get, set
    /// Warm-ups of its processes.
    member val WarmUps = 0 with get, set
    /// The warm-ups that ended at their limit instead of flat.
    member val NotFlat = 0 with get, set

    /// Pairs that were dropped because the hypervisor took time from them.
    member val StolenPairs = 0 with get, set
    /// Its interval is narrow enough: later rounds leave it out.
    member val Settled = false with get, set

    /// Begins another launch; `asked`: the measures of this launch; all by default.
    member _.Launch(?asked: Measure list) : LaunchPairs =
        let launch = LaunchPairs(defaultArg asked [ Measure.InProcess; Measure.OverHttp ])
        launches.Add launch
        launch

    /// Counts a warm-up.
    member this.Warmed(isFlat: bool) : unit =
        this.WarmUps <- this.WarmUps + 1

        if not isFlat then
            this.NotFlat <- this.NotFlat + 1

    /// Sets the reason, unless there is one already.
    member this.Fail(sentence: string) =
        if this.Trouble.IsNone then
            this.Trouble <- Some sentence
