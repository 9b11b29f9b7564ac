// When requests are due in the open model: intended starts one after the other, known without looking at the server.
// Times are nanoseconds from the start of the counted part; those of the warm-up are negative.
namespace Plait.Load


open System

/// The intended starts of a run, in rising order. The same arrangements and seed give the same starts.
type internal Schedule(arrivals: Arrivals, warmUp: TimeSpan, duration: TimeSpan, seed: int) =
    let until = Clock.span duration
    let lead = float (Clock.span warmUp)
    let random = Random seed

    // How many evenly spaced starts the warm-up holds.
    let before (perSecond: float) =
        int64 (Math.Floor(lead * perSecond / 1e9))

    let mutable index =
        match arrivals with
        | Constant perSecond -> -(before perSecond)
        | Ramp(from, _) -> -(before from)
        | Poisson _ -> 0L

    let mutable last = -lead

    // The time by which the rate, which changes evenly, has summed up to so many requests.
    let onRamp (from: float) (until: float) (count: float) =
        let slope = (until - from) / duration.TotalSeconds
        let root = from * from + 2.0 * slope * count

        if count = 0.0 then 0.0
        elif root < 0.0 then Double.PositiveInfinity
        else 2.0 * count / (from + Math.Sqrt root) * 1e9

    let compute () : int64 =
        let time =
            match arrivals with
            | Constant perSecond -> float index * 1e9 / perSecond
            | Ramp(from, _) when index < 0L -> float index * 1e9 / from
            | Ramp(from, until) -> onRamp from until (float index)
            | Poisson perSecond ->
                last <- last - Math.Log(1.0 - random.NextDouble()) * 1e9 / perSecond
                last

        if time >= float until then Int64.MaxValue else int64 time

    let mutable next = compute ()

    /// The next intended start; Int64.MaxValue: there is none any more.
    member _.Next = next

    /// Goes on to the one behind it.
    member _.Advance() : unit =
        index <- index + 1L
        next <- compute ()
