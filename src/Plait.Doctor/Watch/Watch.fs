// Watches a process: reads its counters all the time, at nearly no cost, and looks at its stacks if work seems to wait for
// threads, if hardly anything is done, and at the end of the time.
namespace Plait.Doctor

open System
open System.Diagnostics
open System.Threading

/// The settings of a watch.
type WatchSettings =
    {
        /// The settings of each look.
        Look: Look.LookSettings
        /// Milliseconds between two readings of the counters.
        TickMilliseconds: int
        /// The shortest time between two looks while work waits.
        Between: TimeSpan
        /// The duration of the watch; None: until the process ends.
        For: TimeSpan option
    }

/// The reason for a look.
[<RequireQualifiedAccess>]
type LookTrigger =
    /// Work waits.
    | WorkWaits
    /// Hardly anything is done: the process is idle, or hangs.
    | Idle
    /// The time of the watch is up.
    | TimeUp
    /// No counters come any more, so that a look is not possible.
    | NoReadings

/// A report of a watch.
[<RequireQualifiedAccess>]
type WatchEvent =
    /// A look, and its diagnosis.
    | Looked of LookTrigger * Diagnosis
    /// Work no longer waits; it waited for so long.
    | Recovered of TimeSpan
    /// The process has ended.
    | Ended
    /// The time is up, or the watch was stopped.
    | Stopped

/// Judging by counters alone.
module CounterJudging =
    /// The number of readings in a row that suggest that work waits.
    let readings = 2

    let private waits (reading: PoolReading) =
        reading.Queue > 0L
        && reading.CompletedPerSecond
           |> Option.forall (fun completed -> Numbers.shortSeconds * completed < float reading.Queue)

    // Whether each of the last `count` readings is so.
    let private lastAre (count: int) (isSo: PoolReading -> bool) (recent: PoolReading list) : bool =
        recent.Length >= count && recent |> List.skip (recent.Length - count) |> List.forall isSo

    /// Whether work waits for so long that a user notices, at the last readings.
    let isDue (recent: PoolReading list) : bool = lastAre readings waits recent

    /// The number of readings in a row that suggest that the process hangs.
    let stillReadings = 5

    // An idle program may have timers.
    let private isStillAt (reading: PoolReading) =
        reading.Queue = 0L
        && reading.CompletedPerSecond |> Option.exists (fun completed -> completed < 10.0)
        && reading.CpuPercent |> Option.exists (fun cpu -> cpu < 1.0)

    /// Whether hardly anything is done, at the last readings: the process is idle, or hangs.
    let isStill (recent: PoolReading list) : bool = lastAre stillReadings isStillAt recent

    /// Whether work waits at the last reading.
    let isLikely (recent: PoolReading list) : bool = lastAre 1 waits recent

/// Watches one process until it is disposed; `answer`: the time that the process has for its first answer. Raises CannotAttach if
/// the process cannot be watched.
[<Sealed>]
type Watch(settings: WatchSettings, answer: TimeSpan, facts: ProcessFacts) =
    let reader = PoolReader.Start(facts.Pid, settings.TickMilliseconds, answer)
    // the watch begins with the answer
    let clock = Stopwatch.StartNew()
    // after this time without a reading the process does not answer: its counters have a thread of their own
    let silence = TimeSpan.FromMilliseconds(float (10 * settings.TickMilliseconds))
    // after this time the next reading is late
    let patience = TimeSpan.FromMilliseconds(1.5 * float settings.TickMilliseconds)
    let mutable taken = 0
    let mutable lastReading = TimeSpan.Zero
    let mutable lastLook: TimeSpan option = None
    let mutable lastStillLook = TimeSpan.Zero
    let mutable isClosed = false
    let mutable waitsSince: TimeSpan option = None

    let hasEnded () =
        reader.IsOver || Processes.hasEnded facts.Pid

    let look (trigger: LookTrigger) : WatchEvent =
        let examined (diagnosis: Diagnosis) = WatchEvent.Looked(trigger, diagnosis)

        lastLook <- Some clock.Elapsed

        // If no work waits, the look stops no thread: the port answers, because the counters come through it.
        let settings =
            match trigger with
            | LookTrigger.WorkWaits -> settings.Look
            | _ -> { settings.Look with Ptrace = None }

        try
            let evidence = Look.beside reader settings facts

            // A look by --ptrace has its own readings; after a look by the port the last readings here are the look's.
            let last = max 0 (evidence.Readings.Length - CounterJudging.readings)

            Judging.judge
                { evidence with
                    Readings =
                        if evidence.Route = Route.EventPipe then
                            List.skip last evidence.Readings
                        else
                            evidence.Readings
                }
            |> examined
        with
        | :? CannotAttach when hasEnded () -> WatchEvent.Ended
        | :? CannotAttach as trouble -> examined (Judging.noAnswer facts trouble.Message)

    let isSick (diagnosis: Diagnosis) = diagnosis.Verdict <> Verdict.Healthy

    let mayLook () =
        match lastLook with
        | Some last -> clock.Elapsed - last >= settings.Between
        | None -> true

    // A look costs a second of processor time, and a program may be idle for days: the next one comes after the watch has lasted
    // twice as long, or ten minutes later.
    let mayLookAtStillness () =
        clock.Elapsed - lastStillLook >= min lastStillLook (TimeSpan.FromMinutes 10.0)
        && mayLook ()

    /// The report from the readings; None: none.
    let judge (readings: PoolReading list) : WatchEvent option =
        if CounterJudging.isDue readings then
            if mayLook () then
                let event = look LookTrigger.WorkWaits

                match event with
                | WatchEvent.Looked(_, diagnosis) when isSick diagnosis && waitsSince.IsNone ->
                    waitsSince <- Some clock.Elapsed
                | _ -> ()

                Some event
            else
                None
        else
            match waitsSince with
            | Some since when (List.last readings).Queue = 0L ->
                waitsSince <- None
                lastLook <- None
                Some(WatchEvent.Recovered(clock.Elapsed - since))
            | _ when CounterJudging.isStill readings && mayLookAtStillness () ->
                lastStillLook <- clock.Elapsed
                Some(look LookTrigger.Idle)
            | _ -> None

    /// The readings so far, oldest first.
    member _.Readings: PoolReading list = reader.Readings

    /// Waits for the next report. `tell` gets each reading.
    member _.Next(tell: PoolReading -> unit, token: CancellationToken) : WatchEvent =
        // The counters do not show a hanging thread. A process that does not answer has no readings.
        let close (readings: PoolReading list) : WatchEvent =
            let isSilent () = clock.Elapsed - lastReading > silence

            // If the process has just begun, or the machine is busy, the first readings may come after a short time is up.
            let isEmpty =
                if
                    readings.Length < CounterJudging.readings && not (isClosed || isSilent () || hasEnded ())
                then
                    let count = reader.WaitFor(CounterJudging.readings, settings.Look.Limit, token)

                    if count > taken then
                        taken <- count
                        lastReading <- clock.Elapsed

                    count = 0
                else
                    readings.IsEmpty

            if hasEnded () then
                WatchEvent.Ended
            elif isClosed || isEmpty || isSilent () || token.IsCancellationRequested then
                WatchEvent.Stopped
            else
                isClosed <- true
                look LookTrigger.TimeUp

        let rec wait () : WatchEvent =
            let limit =
                match settings.For with
                | Some limit -> min patience (max TimeSpan.Zero (limit - clock.Elapsed))
                | None -> patience

            let count = reader.WaitFor(taken + 1, limit, token)
            let readings = reader.Last CounterJudging.stillReadings

            let fresh =
                if count > taken then
                    taken <- count
                    lastReading <- clock.Elapsed
                    tell (List.last readings)
                    judge readings
                elif clock.Elapsed - lastReading > silence && not (hasEnded ()) && mayLook () then
                    let seconds = int (clock.Elapsed - lastReading).TotalSeconds
                    lastLook <- Some clock.Elapsed

                    Some(
                        WatchEvent.Looked(
                            LookTrigger.NoReadings,
                            Judging.noAnswer
                                facts
                                $"its counters have not come for {seconds} s: it is stopped, or far too busy"
                        )
                    )
                else
                    None

            let isOver = settings.For |> Option.exists (fun limit -> clock.Elapsed >= limit)

            match fresh with
            | Some event -> event
            | None when token.IsCancellationRequested -> WatchEvent.Stopped
            | None when isOver -> close readings
            | None when count = taken && lastReading < clock.Elapsed - patience && hasEnded () ->
                WatchEvent.Ended
            | None when reader.IsOver -> WatchEvent.Ended
            | None -> wait ()

        wait ()

    /// The diagnosis of a process from its counters alone, without a look at its stacks.
    member _.Quiet: Diagnosis =
        let readings = reader.Readings
        let over = if hasEnded () then "the process ended" else "the watch was over"

        match List.tryLast readings with
        | None -> Judging.noAnswer facts $"{over} before its counters came"
        | Some last when CounterJudging.isLikely readings ->
            Judging.noAnswer
                facts
                $"{over} before its threads were looked at, while its queue was {last.Queue:N0} long"
        | Some _ ->
            Judging.judge
                { Evidence.Of(facts, Route.EventPipe, DateTime.UtcNow - clock.Elapsed) with
                    Milliseconds = clock.Elapsed.TotalMilliseconds
                    Readings = readings
                    Notes =
                        [
                            "the doctor did not read the stacks, because the counters looked healthy; counters do not show a thread that hangs"
                        ]
                }

    interface IDisposable with
        member _.Dispose() = (reader :> IDisposable).Dispose()
