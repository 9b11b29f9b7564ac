// The counters of a pool and the runtime's events about its threads, through the diagnostics port of the running process. Looks
// and watches use it.
namespace Plait.Doctor

open System
open System.Collections.Generic
open System.Diagnostics.Tracing
open System.IO
open System.Runtime.InteropServices
open System.Threading
open Microsoft.Diagnostics.NETCore.Client
open Microsoft.Diagnostics.Tracing
open Microsoft.Diagnostics.Tracing.Parsers.Clr

/// Makes readings of the events, one after the other.
type internal PoolEvents(began: DateTime) =
    let readings = List<PoolReading>()
    let adjustments = List<Adjustment>()
    // the times of suspensions for garbage collections
    let stops = List<struct (DateTime * DateTime)>()
    let mutable stopSince: DateTime option = None
    let mutable hasHeardOfStops = false

    // A suspension that began before the first event has no known start.
    let stopsEnd (now: DateTime) =
        lock stops (fun () ->
            match stopSince with
            | Some since -> stops.Add(struct (since, now))
            | None when not hasHeardOfStops -> stops.Add(struct (DateTime.MinValue, now))
            | None -> ()

            stopSince <- None
            hasHeardOfStops <- true)

    let figures = Dictionary<string, float>()

    // The counters of a reading; the runtime sends all of them at each tick, one event each.
    let wanted =
        set
            [
                "threadpool-thread-count"
                "threadpool-queue-length"
                "threadpool-completed-items-count"
                "cpu-usage"
                "monitor-lock-contention-count"
            ]

    let at (event: TraceEvent) =
        (event.TimeStamp.ToUniversalTime() - began).TotalMilliseconds

    // The name comes first: the rest of an unwanted counter is not read.
    let isWanted (event: TraceEvent) =
        let text = MemoryMarshal.Cast<byte, char>(ReadOnlySpan(event.EventData()))

        match text.IndexOf '\000' with
        | -1 -> true
        | length -> wanted.Contains(String(text.Slice(0, length)))

    let take (event: TraceEvent) (payload: IDictionary<string, obj>) =
        let name = string payload["Name"]

        if wanted.Contains name then
            let number (key: string) = Convert.ToDouble payload[key]

            figures[name] <-
                if payload.ContainsKey "Increment" then
                    number "Increment" / max 0.001 (number "IntervalSec")
                else
                    number "Mean"

            if figures.Count = wanted.Count then
                // The first reading has the counts from before the session.
                let sinceLast name =
                    if readings.Count = 0 then None else Some figures[name]

                readings.Add
                    {
                        AtMilliseconds = at event
                        Threads = int figures["threadpool-thread-count"]
                        Queue = int64 figures["threadpool-queue-length"]
                        CompletedPerSecond = sinceLast "threadpool-completed-items-count"
                        CpuPercent = Some figures["cpu-usage"]
                        ContentionsPerSecond = sinceLast "monitor-lock-contention-count"
                    }

                figures.Clear()
                Monitor.PulseAll readings

    /// The start of the readings' clock.
    member _.Began = began

    /// The providers of the counters of a process.
    static member Counters(milliseconds: int) : EventPipeProvider list =
        let seconds =
            (float milliseconds / 1000.0).ToString Globalization.CultureInfo.InvariantCulture

        [
            EventPipeProvider(
                "System.Runtime",
                EventLevel.Informational,
                0L,
                dict [ "EventCounterIntervalSec", seconds ]
            )
        ]

    /// The provider of the runtime's events about its threads. A busy pool gives many of them.
    static member Runtime: EventPipeProvider list =
        // the keywords of the collector and of the pool
        [ EventPipeProvider("Microsoft-Windows-DotNETRuntime", EventLevel.Informational, 0x10001L) ]

    /// Begins to read the events of a source.
    member _.Listen(source: TraceEventDispatcher) =
        source.Clr.add_ThreadPoolWorkerThreadAdjustmentAdjustment (fun event ->
            let adjustment =
                {
                    AtMilliseconds = at event
                    Reason = string event.Reason
                    Workers = event.NewWorkerThreadCount
                }

            lock adjustments (fun () -> adjustments.Add adjustment))

        source.Clr.add_GCSuspendEEStart (fun event ->
            let since =
                match event.Reason with
                | GCSuspendEEReason.SuspendForGC
                | GCSuspendEEReason.SuspendForGCPrep -> Some(event.TimeStamp.ToUniversalTime())
                | _ -> None

            lock stops (fun () ->
                stopSince <- since
                hasHeardOfStops <- true))

        source.Clr.add_GCRestartEEStop (fun event -> stopsEnd (event.TimeStamp.ToUniversalTime()))

        source.Dynamic.add_All (fun event ->
            if event.EventName = "EventCounters" && isWanted event then
                match event.PayloadValue 0 with
                | :? IDictionary<string, obj> as outer ->
                    match outer["Payload"] with
                    | :? IDictionary<string, obj> as payload -> lock readings (fun () -> take event payload)
                    | _ -> ()
                | _ -> ())

    member _.Readings: PoolReading list = lock readings (fun () -> List.ofSeq readings)

    /// The last ones, at most `count`, oldest first.
    member _.Last(count: int) : PoolReading list =
        lock readings (fun () ->
            List.ofSeq (readings.GetRange(max 0 (readings.Count - count), min count readings.Count)))

    /// Waits until there are `count` readings or `isOver`, for at most this time; returns the number of readings.
    member _.WaitFor(count: int, limit: TimeSpan, isOver: unit -> bool) : int =
        let clock = Diagnostics.Stopwatch.StartNew()

        lock readings (fun () ->
            let mutable left = limit

            while readings.Count < count && not (isOver ()) && left > TimeSpan.Zero do
                Monitor.Wait(readings, left) |> ignore
                left <- limit - clock.Elapsed

            readings.Count)

    /// Wakes the threads that wait for readings: they check `isOver`.
    member _.Wake() =
        lock readings (fun () -> Monitor.PulseAll readings)

    member _.Adjustments: Adjustment list =
        lock adjustments (fun () -> List.ofSeq adjustments)

    /// Whether a garbage collection suspended all threads within a time.
    member _.HasStopped(from: DateTime, until: DateTime) : bool =
        lock stops (fun () ->
            stopSince |> Option.exists (fun since -> since <= until)
            || stops.Exists(fun (struct (began, ended)) -> began <= until && ended >= from))

/// Reads the pool of one process until it is disposed.
[<Sealed>]
type PoolReader private (session: EventPipeSession, began: DateTime) =
    let events = PoolEvents began
    let source = new EventPipeEventSource(session.EventStream)
    let mutable isOver = false

    let reader =
        Thread(
            (fun () ->
                try
                    source.Process() |> ignore
                with
                // The stream is cut off if the process ends before the reading.
                | :? IOException
                | :? ObjectDisposedException
                | :? FormatException
                | :? EndOfStreamException -> ()

                Volatile.Write(&isOver, true)
                events.Wake()),
            IsBackground = true,
            Name = "reads counters"
        )

    do
        events.Listen source
        reader.Start()

    /// Begins to read the events of the providers; `began`: the start of the readings' clock. It takes as long as the process's
    /// answer: for ever if the process is stopped.
    static member internal Start
        (client: DiagnosticsClient, providers: EventPipeProvider list, began: DateTime)
        : PoolReader =
        new PoolReader(client.StartEventPipeSession(providers, false, 16), began)

    /// Begins to read the pool of process `pid`, every `milliseconds`. Raises CannotAttach, also if the process does not answer within
    /// `limit`.
    static member Start(pid: int, milliseconds: int, limit: TimeSpan) : PoolReader =
        Port.within pid limit (fun () ->
            PoolReader.Start(Processes.client pid, PoolEvents.Counters milliseconds, DateTime.UtcNow))

    /// The readings so far, oldest first.
    member _.Readings: PoolReading list = events.Readings

    /// The runtime's events about the number of its threads, oldest first; empty without their provider.
    member internal _.Adjustments: Adjustment list = events.Adjustments

    /// Whether a garbage collection suspended all threads within a time; false if the runtime's events are not read.
    member internal _.HasStopped(from: DateTime, until: DateTime) : bool = events.HasStopped(from, until)

    /// Whether nothing follows: the process has ended, or the reading was stopped.
    member _.IsOver = Volatile.Read &isOver

    /// The last readings, at most `count`, oldest first.
    member _.Last(count: int) : PoolReading list = events.Last count

    /// Waits until there are `count` readings, for at most this time. False: there are fewer.
    member this.WaitForReadings(count: int, limit: TimeSpan) : bool =
        events.WaitFor(count, limit, (fun () -> this.IsOver)) >= count

    /// The same until the token is cancelled; returns the number of readings.
    member internal this.WaitFor(count: int, limit: TimeSpan, token: CancellationToken) : int =
        use _ = token.Register(fun () -> events.Wake())
        events.WaitFor(count, limit, (fun () -> this.IsOver || token.IsCancellationRequested))

    interface IDisposable with
        member _.Dispose() =
            // A stopped process would not answer, and its stream would not end: the doctor does not wait for it.
            let stop () =
                try
                    session.Stop()
                with _ ->
                    ()

                reader.Join 2000 |> ignore

                try
                    source.Dispose()
                    session.Dispose()
                with _ ->
                    ()

            let stopping = Thread(stop, IsBackground = true, Name = "stops counters")
            stopping.Start()
            stopping.Join 2000 |> ignore
