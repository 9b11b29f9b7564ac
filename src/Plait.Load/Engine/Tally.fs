// What a load run counts. Only requests that were due in the counted part are: the rest is warm-up. For the one thread of
// the engine; it allocates once a second.
namespace Plait.Load


open System
open System.Collections.Generic

/// The counts of a run. `tell` is called at the end of every second.
type internal Tally(plan: Plan, tell: Second -> unit) =
    static let room = 262144
    static let fateCount = 10
    static let secondLength = 1_000_000_000L
    let fates = Array.zeroCreate<int64> fateCount
    let complaints = Array.zeroCreate<string | null> fateCount
    let statuses = Array.zeroCreate<int64> 1000
    let intended = Histogram()
    let actual = Histogram()
    let lag = Histogram()
    let ownLag = Histogram()
    let kept = Kept room
    let seconds = List<Second>()
    let mutable bytesOut = 0L
    let mutable bytesIn = 0L
    let mutable lastDone = 0L
    let mutable at = 0
    let mutable due = 0L
    let mutable right = 0L
    let mutable failed = 0L
    let mutable latency = Histogram()
    let mutable fromSend = Histogram()

    let count (fate: Fate) (complaint: string | null) =
        fates[int fate] <- fates[int fate] + 1L

        if fate = Fate.Right then
            right <- right + 1L
        else
            failed <- failed + 1L

            if isNull complaints[int fate] then
                complaints[int fate] <- complaint

    /// A request was due.
    member _.Due(start: int64) : unit =
        if start >= 0L then
            due <- due + 1L

    /// A request was sent. `own`: the part of its lag that is the generator's.
    member _.Sent(start: int64, sent: int64, own: int64) : unit =
        if start >= 0L then
            lag.Record(sent - start)
            ownLag.Record own

    /// A request that was sent is over. `bytes`: how many went out and came in.
    member _.Done
        (
            start: int64,
            sent: int64,
            finished: int64,
            status: int,
            fate: Fate,
            complaint,
            struct (out: int, into: int64)
        ) : unit =
        if start >= 0L then
            count fate complaint
            bytesOut <- bytesOut + int64 out
            bytesIn <- bytesIn + into
            lastDone <- max lastDone finished

            if status > 0 && status < statuses.Length then
                statuses[status] <- statuses[status] + 1L

            if fate = Fate.Right then
                intended.Record(finished - start)
                actual.Record(finished - sent)
                latency.Record(finished - start)
                fromSend.Record(finished - sent)

            kept.Add { Intended = start; Sent = sent; Done = finished; Status = status; Fate = fate }

    /// A request that was due was never sent.
    member _.Unsent(start: int64, now: int64) : unit =
        if start >= 0L then
            count Fate.Unsent "every connection was in use when it was due, and until the run ended"

            kept.Add { Intended = start; Sent = now; Done = now; Status = 0; Fate = Fate.Unsent }

    /// When the second that is being counted ends.
    member _.SecondEnds = int64 (at + 1) * secondLength

    /// Ends the second that is being counted.
    member _.EndSecond(inFlight: int) : unit =
        let second =
            {
                At = at
                Due = due
                Right = right
                Failed = failed
                InFlight = inFlight
                Latency = latency
                Actual = fromSend
            }

        seconds.Add second
        at <- at + 1
        due <- 0L
        right <- 0L
        failed <- 0L
        latency <- Histogram()
        fromSend <- Histogram()
        tell second

    /// Something was counted since the last full second.
    member _.HasRest = due > 0L || right > 0L || failed > 0L

    /// All of it. `finished`: when the run was over; `ended`: when nothing was due any more, which may be long after the last
    /// response; `busy`: the share of the core that was in use.
    member _.Outcome
        (startedUtc: DateTime, finished: int64, ended: int64, busy: float, stopped: bool)
        : Outcome =
        let elapsed = max (if lastDone > 0L then lastDone else finished) (max ended 1L)

        {
            Plan = plan
            StartedUtc = startedUtc
            Elapsed = TimeSpan.FromTicks(max 1L (elapsed / 100L))
            Fates =
                Map.ofSeq (
                    seq {
                        for fate in 0 .. fateCount - 1 do
                            if fates[fate] > 0L then
                                enum<Fate> fate, fates[fate]
                    }
                )
            Statuses =
                Map.ofSeq (
                    seq {
                        for status in 0 .. statuses.Length - 1 do
                            if statuses[status] > 0L then
                                status, statuses[status]
                    }
                )
            BytesOut = bytesOut
            BytesIn = bytesIn
            Intended = intended
            Actual = actual
            Lag = lag
            OwnLag = ownLag
            Seconds = List.ofSeq seconds
            Samples = kept.ToArray()
            Busy = busy
            Capacity = None
            Invalid = []
            Complaints =
                Map.ofSeq (
                    seq {
                        for fate in 0 .. fateCount - 1 do
                            match complaints[fate] with
                            | null -> ()
                            | sentence -> enum<Fate> fate, sentence
                    }
                )
            Stopped = stopped
        }
