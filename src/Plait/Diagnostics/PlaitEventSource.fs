// Layer: diagnostics. The event source `Plait`: the counters of the pools, summed over all pools, which exist from the first
// listener on; and events: each failure that nobody took, alarms of the thread pool's monitor and their ends.
namespace Plait.Kernel

open System.Diagnostics.CodeAnalysis
open System.Diagnostics.Tracing
open Plait

[<Sealed>]
type internal PlaitEventSource() =
    inherit EventSource("Plait")

    static let source = new PlaitEventSource()
    let mutable counters: DiagnosticCounter list = []

    /// The one event source of the process.
    static member Shared = source

    /// A failure that nobody took.
    [<Event(1, Level = EventLevel.Warning)>]
    member this.Unobserved(error: string, message: string) = this.WriteEvent(1, error, message)

    /// A work item waits for longer than the monitor's threshold. `cpuShare` in percent.
    [<Event(2, Level = EventLevel.Warning)>]
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
            2,
            box ageMilliseconds,
            box threads,
            box busyThreads,
            box pendingItems,
            box completedPerSecond,
            box cpuShare,
            box processors
        )

    /// After that, one has got its thread in time.
    [<Event(3, Level = EventLevel.Informational)>]
    [<UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "all arguments are numbers")>]
    member this.PoolRecovered(durationMilliseconds: float) =
        this.WriteEvent(3, box durationMilliseconds)

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

    override this.OnEventCommand(command: EventCommandEventArgs) =
        if command.Command = EventCommand.Enable && counters.IsEmpty then
            let counter name (figure: PoolStatistics -> int64) =
                new PollingCounter(name, this, (fun () -> float (PoolRegistry.Sum figure)))
                :> DiagnosticCounter

            counters <-
                [
                    counter "pool-rents" _.Rents
                    counter "pool-hits" _.Hits
                    counter "pool-misses" _.Misses
                    counter "pool-returns" _.Returns
                    counter "pool-dropped" _.Dropped
                    counter "pool-retained-bytes" _.RetainedBytes
                ]
