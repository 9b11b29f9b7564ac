// Under test: the monitor of the thread pool: its alarm, the end of it, its events and counters, and its outside command.
namespace Plait.ThreadPool.Tests

open System
open System.Collections.Concurrent
open System.Diagnostics.Metrics
open System.Diagnostics.Tracing
open System.IO
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests

/// The pool with every thread blocked, until it is disposed.
type private Starved() =
    let gate = new ManualResetEventSlim(false)
    let items = [ for _ in 1..400 -> Task.Run(fun () -> gate.Wait()) ]

    interface IDisposable with
        member _.Dispose() =
            gate.Set()
            Within.ended "The blocked items" (Task.WhenAll items)
            gate.Dispose()

[<Collection("alone")>]
module PoolMonitor =
    let private settings () =
        StarvationMonitorSettings(
            Interval = TimeSpan.FromMilliseconds 20.,
            Threshold = TimeSpan.FromMilliseconds 200.
        )

    // off the pool: a test that waits on it would be among the blocked
    let private alone (body: unit -> unit) = Within.thread "The test" 0 body

    [<Fact>]
    let ``a starved pool raises one alarm while the item waits, with the counts, and one recovery afterwards``
        ()
        =
        alone (fun () ->
            let alarms = ConcurrentQueue<StarvationAlarm * bool>()
            let ends = ConcurrentQueue<StarvationEnd>()
            use monitor = new StarvationMonitor(settings ())

            monitor.Alarm.AddHandler(fun _ alarm ->
                alarms.Enqueue(alarm, Thread.CurrentThread.IsThreadPoolThread))

            monitor.Recovered.AddHandler(fun _ ended -> ends.Enqueue ended)
            monitor.Start()
            Assert.True monitor.IsRunning

            using (new Starved()) (fun _ ->
                Within.comes "the alarm" (fun () -> not alarms.IsEmpty)
                Assert.Empty ends)

            Within.comes "the recovery" (fun () -> not ends.IsEmpty)
            let alarm, isOnPool = Seq.head alarms
            Assert.False isOnPool
            Assert.True(alarm.Age >= TimeSpan.FromMilliseconds 200.)
            Assert.True(alarm.PendingItems > 0L)
            Assert.True(alarm.BusyThreads > 0 && alarm.BusyThreads <= alarm.MaxThreads)
            Assert.Equal(Environment.ProcessorCount, alarm.Processors)
            Assert.InRange(alarm.CpuShare, 0., 1.)
            Assert.Contains("items pending", alarm.ToString())
            let ended = Seq.head ends
            Assert.Same(alarm, ended.Alarm)
            Assert.True(ended.Duration > TimeSpan.Zero))

    [<Fact>]
    let ``if a handler throws, the other handlers get the alarm and the recovery`` () =
        alone (fun () ->
            let ends = ConcurrentQueue<StarvationEnd>()
            let alarms = ConcurrentQueue<StarvationAlarm>()
            use monitor = new StarvationMonitor(settings ())
            monitor.Alarm.AddHandler(fun _ _ -> raise (InvalidOperationException "the handler's own"))
            monitor.Alarm.AddHandler(fun _ alarm -> alarms.Enqueue alarm)
            monitor.Recovered.AddHandler(fun _ ended -> ends.Enqueue ended)
            monitor.Start()

            using (new Starved()) (fun _ -> Within.comes "the alarm" (fun () -> not alarms.IsEmpty))
            Within.comes "the recovery" (fun () -> not ends.IsEmpty))

    [<Fact>]
    let ``an alarm is counted, and written by the event source`` () =
        alone (fun () ->
            let mutable counted = 0L
            let delays = ConcurrentQueue<float>()
            let events = ConcurrentQueue<string>()
            use meters = new MeterListener()

            meters.InstrumentPublished <-
                fun instrument listener ->
                    if instrument.Name.StartsWith "plait.threadpool." then
                        listener.EnableMeasurementEvents(instrument, null)

            meters.SetMeasurementEventCallback<int64>(fun _ value _ _ ->
                Interlocked.Add(&counted, value) |> ignore)

            meters.SetMeasurementEventCallback<float>(fun _ value _ _ -> delays.Enqueue value)
            meters.Start()

            use traced =
                { new EventListener() with
                    override listener.OnEventSourceCreated source =
                        if source.Name = "Plait.ThreadPool" then
                            listener.EnableEvents(source, EventLevel.Informational)

                    override _.OnEventWritten event =
                        if event.EventName = "PoolDelayed" || event.EventName = "PoolRecovered" then
                            let payload = event.Payload |> Option.ofObj |> Option.get
                            events.Enqueue $"{event.EventName} {payload.Count}"
                }

            use monitor = new StarvationMonitor(settings ())
            monitor.Start()

            using (new Starved()) (fun _ ->
                Within.comes "the event" (fun () -> Seq.contains "PoolDelayed 7" events))

            Within.comes "the other event" (fun () -> Seq.contains "PoolRecovered 1" events)
            Assert.Contains(delays, fun delay -> delay >= 0.2)
            Assert.NotEqual(0L, Interlocked.Read &counted))

    [<Fact>]
    let ``the command of an alarm runs while the pool is starved, once per cool-down, and tells of its file``
        ()
        =
        alone (fun () ->
            let reports = ConcurrentQueue<StarvationReport>()
            let alarms = ConcurrentQueue<StarvationAlarm>()
            let settings = settings ()
            settings.Command <- "sh"
            settings.Arguments <- [| "-c"; "echo {pid} > '{file}'; echo done; exit 3" |]
            use monitor = new StarvationMonitor(settings)
            monitor.Collected.AddHandler(fun _ report -> reports.Enqueue report)
            monitor.Alarm.AddHandler(fun _ alarm -> alarms.Enqueue alarm)
            monitor.Start()

            using (new Starved()) (fun _ -> Within.comes "the report" (fun () -> not reports.IsEmpty))

            let report = Seq.head reports
            Assert.Null report.Error
            Assert.Equal(Nullable 3, report.ExitCode)
            Assert.Equal("done", report.Output.Trim())
            Assert.Equal(string Environment.ProcessId, (File.ReadAllText report.File).Trim())
            File.Delete report.File
            // a second alarm within the cool-down runs nothing
            Within.comes "the pool is free" (fun () -> ThreadPool.PendingWorkItemCount = 0L)
            let before = alarms.Count
            Thread.Sleep 500

            using (new Starved()) (fun _ -> Within.comes "another alarm" (fun () -> alarms.Count > before))

            Assert.Equal(1, reports.Count))

    [<Fact>]
    let ``a missing command is reported, and so is one that takes too long`` () =
        alone (fun () ->
            let run (command: string) (arguments: string[]) =
                let reports = ConcurrentQueue<StarvationReport>()
                let settings = settings ()
                settings.Command <- command
                settings.Arguments <- arguments
                settings.CommandLimit <- TimeSpan.FromMilliseconds 300.
                use monitor = new StarvationMonitor(settings)
                monitor.Collected.AddHandler(fun _ report -> reports.Enqueue report)
                monitor.Start()
                using (new Starved()) (fun _ -> Within.comes "the report" (fun () -> not reports.IsEmpty))
                Seq.head reports

            let missing = run "plait-that-is-not-there" [||]
            Assert.NotNull missing.Error
            Assert.False missing.ExitCode.HasValue
            let slow = run "sleep" [| "600" |]
            Assert.IsType<TimeoutException> slow.Error |> ignore
            Assert.False slow.ExitCode.HasValue)

    [<Fact>]
    let ``a monitor that is stopped raises nothing, and can be started again`` () =
        alone (fun () ->
            let alarms = ConcurrentQueue<StarvationAlarm>()
            let monitor = new StarvationMonitor(settings ())
            monitor.Alarm.AddHandler(fun _ alarm -> alarms.Enqueue alarm)
            monitor.Start()
            monitor.Start()
            monitor.Stop()
            Assert.False monitor.IsRunning

            using (new Starved()) (fun _ ->
                use other = new StarvationMonitor(settings ())
                let others = ConcurrentQueue<StarvationAlarm>()
                other.Alarm.AddHandler(fun _ alarm -> others.Enqueue alarm)
                other.Start()
                Within.comes "the alarm of another one" (fun () -> not others.IsEmpty)
                Assert.Empty alarms
                monitor.Start()
                Within.comes "its own alarm" (fun () -> not alarms.IsEmpty))

            monitor.Dispose())
