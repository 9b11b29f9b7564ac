// The counters of a .NET process (pool threads, queue, completed items, allocation, collections), read from outside through
// EventPipe. Any .NET process of the same user can be watched; nothing is added to it.
namespace Plait.Lab

open System
open System.Collections.Generic
open System.Diagnostics
open System.Diagnostics.Tracing
open System.IO
open System.Threading

open Microsoft.Diagnostics.NETCore.Client
open Microsoft.Diagnostics.Tracing

/// The counters of a process at one moment. Counts are those since the reading before.
type CounterReading =
    {
        /// Milliseconds since the watch began.
        At: float
        /// Threads of the pool.
        PoolThreads: float
        /// Work items that wait for a thread of the pool.
        Queue: float
        /// Work items of the pool that were completed.
        Completed: float
        /// Bytes that were allocated, by all threads.
        AllocatedBytes: float
        /// Collections of each generation.
        Gen0: float
        Gen1: float
        Gen2: float
        /// The share of time since the last collection that collecting took, in percent.
        GcPercent: float
        /// Bytes on the heap.
        HeapBytes: float
        /// Times that a thread waited for a lock.
        Contentions: float
        /// Exceptions that were thrown.
        Exceptions: float
        /// Requests that ASP.NET Core has in hand; None in a process without it.
        Requests: float option
    }

/// Reading values off the counters.
module CounterReading =
    /// Bytes allocated between two moments, from readings that may fall anywhere: the count of a reading is spread
    /// evenly over the time since the one before. None if the readings do not reach over both.
    let allocated (from: float) (until: float) (readings: CounterReading list) : float option =
        let spans = List.pairwise readings

        match readings, List.tryLast readings with
        | first :: _, Some last when first.At <= from && last.At >= until && until > from ->
            spans
            |> List.sumBy (fun (before, after) ->
                let overlap = min until after.At - max from before.At

                if overlap <= 0.0 || after.At <= before.At then
                    0.0
                else
                    after.AllocatedBytes * overlap / (after.At - before.At))
            |> Some
        | _ -> None

/// Watches the counters of one process until it is disposed of.
type Counters private (session: EventPipeSession) =
    let started = DateTime.UtcNow
    let readings = List<CounterReading>()
    let open' = Dictionary<string, float>()
    let mutable at = 0.0
    let mutable requests = None

    let value name =
        match open'.TryGetValue name with
        | true, value -> value
        | _ -> 0.0

    let close () =
        if open'.ContainsKey "threadpool-thread-count" then
            let reading =
                {
                    At = at
                    PoolThreads = value "threadpool-thread-count"
                    Queue = value "threadpool-queue-length"
                    Completed = value "threadpool-completed-items-count"
                    AllocatedBytes = value "alloc-rate"
                    Gen0 = value "gen-0-gc-count"
                    Gen1 = value "gen-1-gc-count"
                    Gen2 = value "gen-2-gc-count"
                    GcPercent = value "time-in-gc"
                    HeapBytes = 1e6 * value "gc-heap-size"
                    Contentions = value "monitor-lock-contention-count"
                    Exceptions = value "exception-count"
                    Requests = requests
                }

            lock readings (fun () -> readings.Add reading)

        open'.Clear()

    // A counter's event holds one value, and a name that comes again begins the next reading.
    let take (event: TraceEvent) =
        if event.EventName = "EventCounters" then
            match event.PayloadValue 0 with
            | :? IDictionary<string, obj> as outer ->
                match outer["Payload"] with
                | :? IDictionary<string, obj> as payload ->
                    let name = string payload["Name"]
                    let key = if payload.ContainsKey "Increment" then "Increment" else "Mean"
                    let figure = Convert.ToDouble payload[key]

                    if name = "current-requests" then
                        requests <- Some figure
                    else
                        if open'.ContainsKey name then
                            close ()

                        if open'.Count = 0 then
                            at <- (event.TimeStamp.ToUniversalTime() - started).TotalMilliseconds

                        open'[name] <- figure
                | _ -> ()
            | _ -> ()

    let source = new EventPipeEventSource(session.EventStream)

    let reader =
        Thread(
            (fun () ->
                try
                    source.Process() |> ignore
                with
                // The stream breaks off where the process ends before the watch does.
                | :? IOException
                | :? ObjectDisposedException
                | :? FormatException
                | :? EndOfStreamException -> ()),
            IsBackground = true,
            Name = "counters"
        )

    do
        source.Dynamic.add_All (fun event -> take event)
        reader.Start()

    /// Begins to watch process `pid`, which gives its counters every `milliseconds`. An error is one sentence: the
    /// process is not a .NET one, belongs to another user, or has its diagnostics off.
    static member Start(pid: int, milliseconds: int) : Result<Counters, string> =
        let seconds = string (float milliseconds / 1000.0)

        let provider name =
            EventPipeProvider(name, EventLevel.Informational, 0L, dict [ "EventCounterIntervalSec", seconds ])

        let refuse (trouble: exn) =
            // The text behind the first sentence is advice for other cases.
            let first = (trouble.Message.Split ". ")[0]

            Error
                $"the counters of process {pid} cannot be read: {first.TrimEnd '.'}; it must be a .NET process of the same user, started without DOTNET_EnableDiagnostics=0"

        try
            let client = DiagnosticsClient pid

            let session =
                client.StartEventPipeSession(
                    [ provider "System.Runtime"; provider "Microsoft.AspNetCore.Hosting" ],
                    false,
                    16
                )

            Ok(new Counters(session))
        with
        | :? DiagnosticsClientException as trouble -> refuse trouble
        | :? IOException as trouble -> refuse trouble
        | :? TimeoutException as trouble -> refuse trouble
        | :? UnauthorizedAccessException as trouble -> refuse trouble
        | :? Net.Sockets.SocketException as trouble -> refuse trouble

    /// Milliseconds since the watch began: the clock of the readings.
    member _.Now = (DateTime.UtcNow - started).TotalMilliseconds

    /// The readings so far, oldest first.
    member _.Readings: CounterReading list = lock readings (fun () -> List.ofSeq readings)

    /// Waits until there is a reading of a moment at or after `at`, for at most `patience` milliseconds. False: there is
    /// none.
    member this.WaitFor(at: float, patience: int) : bool =
        let clock = Stopwatch.StartNew()

        let isThere () =
            lock readings (fun () -> readings.Count > 0 && readings[readings.Count - 1].At >= at)

        while not (isThere ()) && clock.ElapsedMilliseconds < int64 patience do
            Thread.Sleep 5

        isThere ()

    interface IDisposable with
        member _.Dispose() =
            try
                session.Stop()
            with
            | :? DiagnosticsClientException
            | :? IOException
            | :? TimeoutException
            | :? Net.Sockets.SocketException ->
                // It has ended before.
                ()

            reader.Join 2000 |> ignore
            session.Dispose()
            source.Dispose()
