// The clock of the load engine, in nanoseconds, and the CPU that this process used: the one place with the resolution
// of the machine's counters.
module internal Plait.Load.Clock

open System
open System.Diagnostics

let private isNanoseconds = Stopwatch.Frequency = 1_000_000_000L
let private perTick = 1e9 / float Stopwatch.Frequency

/// Nanoseconds since some moment in the past; it never goes back.
let now () : int64 =
    let ticks = Stopwatch.GetTimestamp()
    if isNanoseconds then ticks else int64 (float ticks * perTick)

/// CPU of this process so far, in nanoseconds.
let cpu () : int64 =
    Environment.CpuUsage.TotalTime.Ticks * 100L

/// A span in nanoseconds.
let span (time: TimeSpan) : int64 = time.Ticks * 100L

/// The time of a run, in nanoseconds from the moment from which its requests are counted; below 0 in its warm-up.
[<Sealed>]
type RunTime() =
    /// That moment by the clock.
    member val Origin = 0L with get, set
    member this.Now() : int64 = now () - this.Origin
