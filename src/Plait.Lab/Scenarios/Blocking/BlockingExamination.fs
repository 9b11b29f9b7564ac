// A look at the process of the jobs while they run, by a function of the caller that can diagnose a pool. The lab has
// no reference to the doctor.
namespace Plait.Lab

open System
open System.Diagnostics
open System.Threading

/// The diagnosis of a process.
type PoolDiagnosis =
    {
        /// The verdict on its pool, in a word or two.
        Verdict: string
        /// The line that holds most workers; None: no line holds any.
        Line: string option
        /// The workers that it holds.
        Workers: int
    }

/// One look at a process.
type Examination =
    {
        /// When it began and ended, since the jobs began.
        FromSeconds: float
        ToSeconds: float
        /// Or the sentence why it could not be looked at.
        Found: Result<PoolDiagnosis, string>
    }

module Examination =
    /// The verdict, or that there is none.
    let words (examination: Examination) : string =
        match examination.Found with
        | Ok examined -> examined.Verdict
        | Error _ -> "could not be looked at"

/// A look at a process, on a thread of its own, so that the watch over the jobs continues. It begins after so many
/// seconds, and not at all when the jobs are over by then.
type internal DelayedLook(examine: int -> PoolDiagnosis, pid: int, afterSeconds: float) =
    let started = Stopwatch.GetTimestamp()
    let isOver = new ManualResetEventSlim()

    let seconds () =
        Math.Round(Stopwatch.GetElapsedTime(started).TotalSeconds, 3)

    let mutable result: Examination option = None

    let look () =
        let isLate = isOver.Wait(TimeSpan.FromSeconds afterSeconds)
        let from = seconds ()

        let found =
            if isLate then
                Error "its jobs were over before that"
            else
                try
                    Ok(examine pid)
                with trouble ->
                    Error trouble.Message

        result <- Some { FromSeconds = from; ToSeconds = seconds (); Found = found }

    let thread = Thread(look, IsBackground = true, Name = "looks at the process")
    do thread.Start()

    /// When to look at the jobs of a mode, in seconds since they began: at once where they may be over in no time, otherwise
    /// when the pool has had the time to fill.
    static member after (mode: Mode) (load: Workload) (cores: int) : float =
        let atOnce = mode.Width load |> Option.defaultValue cores

        if Mode.floor load.Jobs load.SleepMilliseconds atOnce < 2.0 then 0.0 else 1.0

    /// The jobs are over: waits for the look, if it is under way.
    member _.Finish() : Examination =
        isOver.Set()
        thread.Join()
        isOver.Dispose()
        result.Value
