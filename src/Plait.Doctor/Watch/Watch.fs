// Watching a process: its counters all the time, which costs next to nothing, and a look at its stacks where work seems to wait for
// threads, where hardly anything is done, because the process is idle or hangs, and when the time is up.
namespace Plait.Doctor

open System
open System.Diagnostics
open System.Threading

/// How a process is watched.
type WatchSettings =
    {
        /// How a look is taken.
        Look: Look.LookSettings
        /// Milliseconds between two readings of the counters.
        TickMilliseconds: int
        /// From one look to the next at the least, while work goes on waiting.
        Between: TimeSpan
        /// How long it is watched; None: until it ends.
        For: TimeSpan option
    }

/// Why a watch looked at the stacks.
[<RequireQualifiedAccess>]
type Occasion =
    /// Work waits.
    | WorkWaits
    /// Hardly anything is done: the process is idle, or hangs.
    | Stillness
    /// The time of the watch is up.
    | Closing
    /// The counters do not come any more, so that no look was possible.
    | Silence

/// The reports of a watch.
[<RequireQualifiedAccess>]
type Happening =
    /// A look was taken: whatever it came to.
    | Examined of Occasion * Diagnosis
    /// No work waits any more, after so long.
    | Recovered of TimeSpan
    /// The process has ended.
    | Ended
    /// The time is up, or the watch was told to stop.
    | Over

/// Judging counters alone.
module Suspicion =
    /// Readings in a row that make one suspect that work waits.
    let readings = 2

    let private waits (reading: PoolReading) =
        reading.Queue > 0L
        && reading.CompletedPerSecond
           |> Option.forall (fun completed -> Numbers.shortSeconds * completed < float reading.Queue)

    // Whether the last so many readings are all like that.
    let private lastAre (count: int) (isSo: PoolReading -> bool) (recent: PoolReading list) : bool =
        recent.Length >= count && recent |> List.skip (recent.Length - count) |> List.forall isSo

    /// Whether work waits for so long that a user feels it, at the last readings.
    let isDue (recent: PoolReading list) : bool = lastAre readings waits recent

    /// Readings in a row that make one suspect that the process hangs.
    let stillReadings = 5

    // An idle program may have timers.
    let private isStillAt (reading: PoolReading) =
        reading.Queue = 0L
        && reading.CompletedPerSecond |> Option.exists (fun completed -> completed < 10.0)
        && reading.CpuPercent |> Option.exists (fun cpu -> cpu < 1.0)

    /// Whether hardly anything is done, at the last readings: the process is idle, or hangs.
    let isStill (recent: PoolReading list) : bool = lastAre stillReadings isStillAt recent

    /// Whether it waits so at the last reading.
    let isLikely (recent: PoolReading list) : bool = lastAre 1 waits recent

/// Watches one process until it is disposed of. Raises CannotAttach when it cannot be watched.
[<Sealed>]
type Watch(settings: WatchSettings, facts: ProcessFacts) =
    let clock = Stopwatch.StartNew()
    let reader = PoolReader.Start(facts.Pid, settings.TickMilliseconds)
    // for so long without a reading it does not answer: the counters have a thread of their own in the process
    let silence = TimeSpan.FromMilliseconds(float (10 * settings.TickMilliseconds))
    // until the next reading is late
    let patience = TimeSpan.FromMilliseconds(1.5 * float settings.TickMilliseconds)
    let mutable taken = 0
    let mutable lastReading = TimeSpan.Zero
    let mutable lastLook: TimeSpan option = None
    let mutable lastStillLook = TimeSpan.Zero
    let mutable isClosed = false
    let mutable waitsSince: TimeSpan option = None

    let hasEnded () =
        reader.IsOver || Processes.hasEnded facts.Pid

    let look (occasion: Occasion) : Happening =
        let examined (diagnosis: Diagnosis) = Happening.Examined(occasion, diagnosis)

        lastLook <- Some clock.Elapsed

        // Where no work waits no thread is stopped: the port answers, since the counters come through it.
        let settings =
            match occasion with
            | Occasion.WorkWaits -> settings.Look
            | _ -> { settings.Look with Ptrace = None }

        try
            let evidence = Look.beside reader settings facts

            // A debugger's look has readings of its own; the last readings here are those of the look.
            let last = max 0 (evidence.Readings.Length - Suspicion.readings)

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
        | :? CannotAttach when hasEnded () -> Happening.Ended
        | :? CannotAttach as trouble -> examined (Judging.noAnswer facts trouble.Message)

    let isSick (diagnosis: Diagnosis) = diagnosis.Verdict <> Verdict.Healthy

    let mayLook () =
        match lastLook with
        | Some last -> clock.Elapsed - last >= settings.Between
        | None -> true

    // A look costs a second of processor time, and a program may be idle for days: the next one is taken when the watch has
    // lasted twice as long, or ten minutes later.
    let mayLookAtStillness () =
        clock.Elapsed - lastStillLook >= min lastStillLook (TimeSpan.FromMinutes 10.0)
        && mayLook ()

    /// The report from the readings; None: none.
    let judge (readings: PoolReading list) : Happening option =
        if Suspicion.isDue readings then
            if mayLook () then
                let happening = look Occasion.WorkWaits

                match happening with
                | Happening.Examined(_, diagnosis) when isSick diagnosis && waitsSince.IsNone ->
                    waitsSince <- Some clock.Elapsed
                | _ -> ()

                Some happening
            else
                None
        else
            match waitsSince with
            | Some since when (List.last readings).Queue = 0L ->
                waitsSince <- None
                lastLook <- None
                Some(Happening.Recovered(clock.Elapsed - since))
            | _ when Suspicion.isStill readings && mayLookAtStillness () ->
                lastStillLook <- clock.Elapsed
                Some(look Occasion.Stillness)
            | _ -> None

    /// The readings so far, oldest first.
    member _.Readings: PoolReading list = reader.Readings

    /// Waits for the next thing to tell. `tell` gets each reading.
    member _.Next(tell: PoolReading -> unit, token: CancellationToken) : Happening =
        // The counters do not show a thread that hangs. A process that does not answer has no readings.
        let close (readings: PoolReading list) : Happening =
            let isSilent () = clock.Elapsed - lastReading > silence

            // The first of them come later than a short time is up, where the process has just begun or the machine is busy.
            let isEmpty =
                if readings.Length < Suspicion.readings && not (isClosed || isSilent () || hasEnded ()) then
                    let count = reader.WaitFor(Suspicion.readings, settings.Look.Limit, token)

                    if count > taken then
                        taken <- count
                        lastReading <- clock.Elapsed

                    count = 0
                else
                    readings.IsEmpty

            if hasEnded () then
                Happening.Ended
            elif isClosed || isEmpty || isSilent () || token.IsCancellationRequested then
                Happening.Over
            else
                isClosed <- true
                look Occasion.Closing

        let rec wait () : Happening =
            let limit =
                match settings.For with
                | Some limit -> min patience (max TimeSpan.Zero (limit - clock.Elapsed))
                | None -> patience

            let count = reader.WaitFor(taken + 1, limit, token)
            let readings = reader.Last Suspicion.stillReadings

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
                        Happening.Examined(
                            Occasion.Silence,
                            Judging.noAnswer
                                facts
                                $"its counters have not come for {seconds} s: it is stopped, or far too busy"
                        )
                    )
                else
                    None

            let isOver = settings.For |> Option.exists (fun limit -> clock.Elapsed >= limit)

            match fresh with
            | Some happening -> happening
            | None when token.IsCancellationRequested -> Happening.Over
            | None when isOver -> close readings
            | None when count = taken && lastReading < clock.Elapsed - patience && hasEnded () ->
                Happening.Ended
            | None when reader.IsOver -> Happening.Ended
            | None -> wait ()

        wait ()

    /// The diagnosis of a process from its counters alone, without a look at its stacks.
    member _.Quiet: Diagnosis =
        let readings = reader.Readings
        let over = if hasEnded () then "the process ended" else "the watch was over"

        match List.tryLast readings with
        | None -> Judging.noAnswer facts $"{over} before its counters came"
        | Some last when Suspicion.isLikely readings ->
            Judging.noAnswer
                facts
                $"{over} before its threads were looked at, while its queue was {last.Queue:N0} long"
        | Some _ ->
            Judging.judge
                {
                    Process = facts
                    Route = Route.EventPipe
                    At = DateTime.UtcNow - clock.Elapsed
                    Milliseconds = clock.Elapsed.TotalMilliseconds
                    Readings = readings
                    CpuPercent = None
                    MaxThreads = None
                    Adjustments = []
                    Samples = []
                    Threads = Map.empty
                    Contexts = Map.empty
                    Held = Map.empty
                    Stops = None
                    Ended = None
                    Notes =
                        [
                            "its stacks were not read: its counters gave no reason to. Counters do not show a thread that hangs"
                        ]
                }

    interface IDisposable with
        member _.Dispose() = (reader :> IDisposable).Dispose()
