// The counts of a load run. Only requests that were due in the counted part are: the rest is warm-up. For the one
// thread of the engine; it allocates once a second.
namespace Plait.Load

open System

open Plait.Common

/// At most `room` single requests of a run, in the order in which they ended. If there are more, each kept one is the worst of several
/// neighbours, so that stalls and failures stay. Its memory is allocated at the start.
type internal WorstSamples(room: int) =
    let samples = Array.zeroCreate<Sample> room
    let mutable count = 0
    let mutable each = 1
    let mutable group = 0

    let isWorse (one: inref<Sample>) (other: inref<Sample>) =
        if (one.Result = RequestResult.Right) <> (other.Result = RequestResult.Right) then
            one.Result <> RequestResult.Right
        else
            one.Done - one.Intended > other.Done - other.Intended

    let halve () =
        for index in 0 .. count / 2 - 1 do
            let first = &samples[2 * index]
            let second = &samples[2 * index + 1]
            samples[index] <- if isWorse &second &first then second else first

        count <- count / 2
        each <- each * 2

    /// Adds one.
    member _.Add(sample: Sample) : unit =
        if room = 0 then
            ()
        elif group = 0 then
            if count = room then
                halve ()

            samples[count] <- sample
            count <- count + 1
        else
            let held = &samples[count - 1]

            if isWorse &sample &held then
                held <- sample

        group <- if group + 1 = each then 0 else group + 1

    /// The samples that are kept.
    member _.ToArray() : Sample[] = Array.sub samples 0 count

/// The counts of one step of the arrivals.
type private StepCounts(perSecond: float, seconds: float) =
    member val Due = 0L with get, set
    member val Answered = 0L with get, set
    member val Intended = Histogram()
    member val Actual = Histogram()

    member this.Step: Step =
        {
            PerSecond = perSecond
            Seconds = seconds
            Due = this.Due
            Right = this.Actual.Count
            Answered = this.Answered
            Intended = this.Intended
            Actual = this.Actual
        }

/// The counts of a run. `room`: how many single requests are kept; `tell` is called at the end of every second.
type internal RunRecorder(plan: Plan, room: int, tell: Second -> unit) =
    static let resultCount = 1 + (Outcome.results |> List.map int |> List.max)
    static let secondLength = 1_000_000_000L
    let results = Array.zeroCreate<int64> resultCount
    let complaints = Array.zeroCreate<string | null> resultCount
    let statuses = Array.zeroCreate<int64> 1000
    let counts = RunCounts.Zero
    let samples = WorstSamples room
    let dates = ServerDates()

    let steps =
        [|
            for segment, length in Arrivals.steps plan.Model do
                StepCounts((segment.From + segment.Until) / 2.0 / float plan.Share.Of, length.TotalSeconds)
        |]

    let stepClock = StepClock plan.Model

    /// The step at a time; null: there is none.
    let stepAt (time: int64) : StepCounts | null =
        if steps.Length = 0 then
            null
        else
            let at = stepClock.At time
            if at < steps.Length then steps[at] else null

    let mutable lastDone = 0L
    let mutable at = 0
    let mutable due = 0L
    let mutable right = 0L
    let mutable failed = 0L
    // The failures and latencies of the current second.
    let failures = Array.zeroCreate<int64> resultCount
    let latency = Histogram()
    let fromSend = Histogram()

    let counted (numbers: int64[]) =
        numbers |> Seq.indexed |> Seq.filter (fun (_, count) -> count > 0L)

    let named (numbers: int64[]) =
        Map.ofSeq (counted numbers |> Seq.map (fun (result, count) -> enum<RequestResult> result, count))

    let count (result: RequestResult) (complaint: string | null) =
        results[int result] <- results[int result] + 1L

        if result = RequestResult.Right then
            right <- right + 1L
        else
            failed <- failed + 1L
            failures[int result] <- failures[int result] + 1L

            if isNull complaints[int result] then
                // It may have text of the server.
                complaints[int result] <-
                    complaint |> Option.ofObj |> Option.map Printable.line |> Option.toObj

    /// A request was due.
    member _.Due(start: int64) : unit =
        if start >= 0L then
            due <- due + 1L

            match stepAt start with
            | null -> ()
            | step -> step.Due <- step.Due + 1L

    /// A request was sent. `own`: the part of its lag that is the generator's; `hasWaited`: for a connection.
    member _.Sent(start: int64, sent: int64, own: int64, hasWaited: bool) : unit =
        if start >= 0L then
            counts.Lag.Record(sent - start)
            counts.GeneratorLag.Record own

            if hasWaited then
                counts.Waited.Record(sent - start)

    /// The counts of the whole run: a request counts only if it was due in the counted part, at 0 or later.
    member _.Counts = counts

    /// The request of a slot is over.
    member _.Done
        (slot: RequestSlot, finished: int64, result: RequestResult, complaint: string | null)
        : unit =
        let start = slot.Intended

        if start >= 0L then
            let sent = slot.Sent
            count result complaint
            counts.BytesOut <- counts.BytesOut + int64 (slot.EarlierOut + slot.BytesOut)
            counts.BytesIn <- counts.BytesIn + slot.EarlierIn + slot.BytesIn
            counts.Retried <- counts.Retried + int64 (slot.EarlierRetries + slot.Retries)
            lastDone <- max lastDone finished

            if slot.WaitedForClose then
                counts.WaitedForClose <- counts.WaitedForClose + 1L

            let status = slot.Status

            // Other servers have clocks of their own.
            if slot.Date > 0L && slot.Destination = 0 && slot.Redirections = 0 then
                dates.Note(slot.Date, sent, finished)

            if status > 0 && status < statuses.Length then
                statuses[status] <- statuses[status] + 1L

            if result = RequestResult.Right then
                counts.Actual.Record(finished - sent)
                fromSend.Record(finished - sent)
                let step = stepAt start

                match step with
                | null -> ()
                | step ->
                    step.Actual.Record(finished - sent)
                    step.Intended.Record(finished - start)

                match stepAt finished with
                | null -> ()
                | other when isNull step -> ()
                | other -> other.Answered <- other.Answered + 1L

                counts.Intended.Record(finished - start)
                latency.Record(finished - start)

            samples.Add
                {
                    Intended = start
                    Sent = sent
                    Done = finished
                    Status = status
                    Result = result
                    Request =
                        match slot.Prepared with
                        | null -> 0
                        | prepared -> prepared.Index
                    BodySent =
                        match slot.Prepared with
                        | null -> 0L
                        | prepared -> if slot.BytesOut = 0 then 0L else int64 prepared.BodyLength
                    BodyBytes = slot.BodyLength
                    HasWaited = slot.HasWaited
                }

    /// A request that was due was never sent.
    member _.Unsent(start: int64, now: int64) : unit =
        if start >= 0L then
            count RequestResult.Unsent "every connection was in use from its due time to the end of the run"

            counts.Waited.Record(now - start)

            samples.Add
                {
                    Intended = start
                    Sent = now
                    Done = now
                    Status = 0
                    Result = RequestResult.Unsent
                    Request = 0
                    BodySent = 0L
                    BodyBytes = 0L
                    HasWaited = true
                }

    /// When the second that is being counted ends.
    member _.SecondEnds = int64 (at + 1) * secondLength

    /// Ends the second that is being counted.
    member _.EndSecond(inFlight: int) : unit =
        let second =
            {
                At = at
                Seconds = 1
                Due = due
                Right = right
                Failed = failed
                Failures = named failures
                InFlight = inFlight
                Latency = latency.Packed()
                Actual = fromSend.Packed()
            }

        at <- at + 1
        due <- 0L
        right <- 0L
        failed <- 0L
        Array.Clear failures
        latency.Clear()
        fromSend.Clear()
        tell second

    /// Something was counted since the last full second.
    member _.HasRest = due > 0L || right > 0L || failed > 0L

    /// The outcome. `finished`: the end of the run; `ended`: the end of the time in which requests were due, which may be long after
    /// the last response; `busy`: the share of the core that was in use.
    member _.Outcome
        (startedUtc: DateTime, finished: int64, ended: int64, busy: float, stopped: bool)
        : Outcome =
        let elapsed = max (if lastDone > 0L then lastDone else finished) (max ended 1L)

        {
            Plan = plan
            StartedUtc = startedUtc
            Elapsed = TimeSpan.FromTicks(max 1L (elapsed / 100L))
            AttackTime = TimeSpan.FromTicks(max 1L (min ended elapsed / 100L))
            Results = named results
            Statuses = Map.ofSeq (counted statuses)
            Counts = counts
            Steps = [ for step in steps -> step.Step ]
            Seconds = []
            Dates = dates.ToList()
            Addresses = []
            Samples = samples.ToArray()
            Busy = busy
            Capacity = None
            Invalid = []
            Complaints =
                Map.ofSeq (
                    complaints
                    |> Seq.indexed
                    |> Seq.choose (fun (result, sentence) ->
                        Option.ofObj sentence
                        |> Option.map (fun sentence -> enum<RequestResult> result, sentence))
                )
            Stopped = stopped
        }
