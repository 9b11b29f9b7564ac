// Layer: monitor. The event source `Plait.ThreadPool`: alarms of the thread pool's monitor and their ends. A name has one source in
// a process, and `Plait` is that of the library.
namespace Plait.Kernel

open System.Diagnostics.CodeAnalysis
open System.Diagnostics.Tracing
open Plait

[<Sealed>]
type internal ThreadPoolEventSource() =
    inherit EventSource("Plait.ThreadPool")

    static let source = new ThreadPoolEventSource()

    /// The one event source of the process.
    static member Shared = source

    /// A work item waits for longer than the monitor's threshold. `cpuShare` in percent.
    [<Event(1, Level = EventLevel.Warning)>]
    [<UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "all arguments are numbers")>]
    member private this.PoolDelayed
        (
            ageMilliseconds: float,
            threads: int,
            busyThreads: int,
            pendingItems: int64,
            completedPerSecond: float,
            cpuShare: float,
            processors: int
        ) =
        this.WriteEvent(
            1,
            box ageMilliseconds,
            box threads,
            box busyThreads,
            box pendingItems,
            box completedPerSecond,
            box cpuShare,
            box processors
        )

    /// After that, one has got its thread in time.
    [<Event(2, Level = EventLevel.Informational)>]
    [<UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "all arguments are numbers")>]
    member this.PoolRecovered(durationMilliseconds: float) =
        this.WriteEvent(2, box durationMilliseconds)

    /// Writes an alarm.
    [<NonEvent>]
    member this.Delayed(alarm: StarvationAlarm) =
        if this.IsEnabled() then
            this.PoolDelayed(
                alarm.Age.TotalMilliseconds,
                alarm.Threads,
                alarm.BusyThreads,
                alarm.PendingItems,
                alarm.CompletedPerSecond,
                100. * alarm.CpuShare,
                alarm.Processors
            )
