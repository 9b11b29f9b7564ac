// Layer: monitor. Watches the thread pool from a thread of its own: one work item at a time, and how long it waits. Owns the
// rule that an alarm is raised by the age of the item that still waits: on a starved pool none completes.
namespace Plait

open System
open System.Diagnostics
open System.Diagnostics.Metrics
open System.Threading
open Plait.Kernel

/// A work item that only notes when it got a thread.
[<Sealed>]
type internal Canary() =
    /// When it was put into the queue.
    [<DefaultValue(false)>]
    val mutable SentAt: int64

    /// When it ran; 0: it waits.
    [<DefaultValue(false)>]
    val mutable RanAt: int64

    member canary.Send() =
        Volatile.Write(&canary.RanAt, 0L)
        canary.SentAt <- Stopwatch.GetTimestamp()
        // the global queue, where work from outside the pool waits
        ThreadPool.UnsafeQueueUserWorkItem(canary, false) |> ignore

    interface IThreadPoolWorkItem with
        member canary.Execute() =
            Volatile.Write(&canary.RanAt, Stopwatch.GetTimestamp())

[<AbstractClass; Sealed>]
type internal MonitorMeter =
    static member val Delay =
        ThreadPoolMeter.Meter.CreateHistogram<float>(
            "plait.threadpool.delay",
            "s",
            "How long work items waited for a thread, if any had to wait."
        )

    static member val Alarms =
        ThreadPoolMeter.Meter.CreateCounter<int64>(
            "plait.threadpool.alarms",
            "{alarm}",
            "Work items that waited longer than the threshold."
        )

/// <summary>Raises an alarm when a work item waits too long for a thread of the thread pool.</summary>
/// <remarks>
/// <para>A thread of its own looks every interval whether work waits for a thread of the pool. While it does, it puts a work item
/// of its own into the pool's global queue, one at a time: an idle pool is never woken. The alarm is raised while the item still
/// waits: on a starved pool none completes. Time in which the monitor's own thread did not run
/// either (a pause of the collector, a stopped process) does not count.</para>
/// <para>Handlers run on the monitor's thread, those of <c>Collected</c> on one of their own, never on the pool; while one runs,
/// the pool is not watched. A handler that throws is traced, and the others still run.</para>
/// <para>The meter <c>Plait</c> has <c>plait.threadpool.delay</c> and <c>plait.threadpool.alarms</c>; the event source
/// <c>Plait.ThreadPool</c> writes <c>PoolDelayed</c> and <c>PoolRecovered</c>. Its cost is in
/// docs/how-to/watch-the-pool.md in the Plait package.</para>
/// </remarks>
[<Sealed>]
type StarvationMonitor
    /// A monitor, which watches from `Start` on.
    (settings: StarvationMonitorSettings) as monitor =
    do
        ArgumentNullException.ThrowIfNull(settings, nameof settings)

        if settings.Interval <= TimeSpan.Zero || settings.Threshold <= TimeSpan.Zero then
            raise (
                ArgumentOutOfRangeException(
                    nameof settings,
                    "Interval and Threshold of a starvation monitor must be longer than zero."
                )
            )

    let interval =
        min settings.Interval (TimeSpan.FromMilliseconds(float (Int32.MaxValue - 1)))

    let threshold = settings.Threshold
    let command = AlarmCommand settings
    let alarms = SafeEvent<StarvationAlarm>("Plait.StarvationMonitor.Alarm")
    let recoveries = SafeEvent<StarvationEnd>("Plait.StarvationMonitor.Recovered")
    let reports = SafeEvent<StarvationReport>("Plait.StarvationMonitor.Collected")
    let gate = obj ()
    // ends the running thread when it is set; null: there is none
    let mutable stop: ManualResetEventSlim | null = null
    let mutable alarm: StarvationAlarm | null = null

    let cpuTime () =
        use self = Process.GetCurrentProcess()
        self.TotalProcessorTime

    let tell (listeners: unit -> unit) =
        try
            listeners ()
        with failure ->
            LastResort.trace "A listener of Plait.StarvationMonitor failed" failure

    let raiseAlarm (raised: StarvationAlarm) =
        alarm <- raised
        tell (fun () -> MonitorMeter.Alarms.Add 1L)
        tell (fun () -> ThreadPoolEventSource.Shared.Delayed raised)
        command.Start(raised, (fun report -> reports.Raise(monitor, report) |> ignore))
        alarms.Raise(monitor, raised) |> ignore

    let recover (raised: StarvationAlarm) =
        alarm <- null
        let ended = StarvationEnd(raised, DateTime.UtcNow)
        tell (fun () -> ThreadPoolEventSource.Shared.PoolRecovered ended.Duration.TotalMilliseconds)
        recoveries.Raise(monitor, ended) |> ignore

    let watch (stop: ManualResetEventSlim) =
        let canary = Canary()
        let mutable isOut = false
        let mutable lookedAt = Stopwatch.GetTimestamp()
        let mutable age = TimeSpan.Zero
        // taken when the item is first seen to wait: a healthy pool costs neither
        let mutable seenAt = 0L
        let mutable seenCpu = TimeSpan.Zero
        let mutable seenCompleted = 0L

        while not (stop.Wait interval) do
            // whatever goes wrong here, it must not end the service that it watches
            try
                let now = Stopwatch.GetTimestamp()
                let since = Stopwatch.GetElapsedTime(lookedAt, now)
                lookedAt <- now
                let ranAt = Volatile.Read &canary.RanAt

                if isOut && ranAt <> 0L then
                    let delay = Stopwatch.GetElapsedTime(canary.SentAt, ranAt)
                    tell (fun () -> MonitorMeter.Delay.Record delay.TotalSeconds)

                    if not (isNull alarm) && delay < threshold then
                        recover alarm

                    isOut <- false

                if not isOut then
                    age <- TimeSpan.Zero
                    seenAt <- 0L

                    if ThreadPool.PendingWorkItemCount > 0L then
                        isOut <- true
                        lookedAt <- Stopwatch.GetTimestamp()
                        canary.Send()
                    elif not (isNull alarm) then
                        recover alarm
                else
                    // if a look comes late, this thread did not run either
                    age <- age + min since (2. * interval)

                    if seenAt = 0L then
                        seenAt <- now
                        seenCpu <- cpuTime ()
                        seenCompleted <- ThreadPool.CompletedWorkItemCount

                    if isNull alarm && age >= threshold then
                        let seconds = max 0.001 (Stopwatch.GetElapsedTime(seenAt, now).TotalSeconds)
                        let cpu = (cpuTime () - seenCpu).TotalSeconds
                        let completed = ThreadPool.CompletedWorkItemCount - seenCompleted

                        raiseAlarm (
                            StarvationAlarm.Now(
                                age,
                                float completed / seconds,
                                min 1. (cpu / seconds / float Environment.ProcessorCount)
                            )
                        )
            with failure ->
                LastResort.trace "A look of Plait.StarvationMonitor failed" failure

        stop.Dispose()

    /// A monitor with the default settings.
    new() = new StarvationMonitor(StarvationMonitorSettings())

    /// Raised once when the item has waited for the threshold; again only after `Recovered`.
    [<CLIEvent>]
    member _.Alarm: IDelegateEvent<EventHandler<StarvationAlarm>> = alarms

    /// Raised when, after an alarm, an item waited less than the threshold, or no work waits any more.
    [<CLIEvent>]
    member _.Recovered: IDelegateEvent<EventHandler<StarvationEnd>> = recoveries

    /// Raised when the command of an alarm has ended, or could not be started.
    [<CLIEvent>]
    member _.Collected: IDelegateEvent<EventHandler<StarvationReport>> = reports

    /// Whether it watches.
    member _.IsRunning = lock gate (fun () -> not (isNull stop))

    /// Begins to watch, if it does not watch already.
    member _.Start() : unit =
        lock gate (fun () ->
            if isNull stop then
                // it waits for an interval nearly always: spinning would be most of its cost
                let own = new ManualResetEventSlim(false, 0)
                alarm <- null
                stop <- own

                Thread((fun () -> watch own), IsBackground = true, Name = "Plait starvation monitor")
                    .UnsafeStart())

    /// Ceases to watch; it may be started again. Does not wait for handlers.
    member _.Stop() : unit =
        lock gate (fun () ->
            match stop with
            | null -> ()
            | running ->
                running.Set()
                stop <- null)

    /// As `Stop`.
    member monitor.Dispose() : unit = monitor.Stop()

    interface IDisposable with
        member monitor.Dispose() = monitor.Dispose()
