// Layer: monitor. The monitor of the thread pool reports an alarm, its end, and the output of an outside command.
namespace Plait

open System
open System.Globalization
open System.Threading

/// <summary>A work item waits for a thread of the pool for longer than the monitor's threshold.</summary>
/// <remarks>The delay alone does not show the cause. If <c>CpuShare</c> is high, the processors are busy: the pool is <i>late</i>, and
/// more threads would not help. If it is low and few items are completed, its threads are blocked: it
/// <i>starves</i>.</remarks>
[<Sealed>]
type StarvationAlarm
    internal
    (
        at: DateTime,
        age: TimeSpan,
        threads: int,
        busy: int,
        pending: int64,
        completedPerSecond: float,
        cpuShare: float,
        minThreads: int,
        maxThreads: int,
        processors: int
    ) =

    /// When it was raised, UTC.
    member _.At = at

    /// How long the monitor's work item has waited so far; it still waits.
    member _.Age = age

    /// Threads of the pool.
    member _.Threads = threads

    /// Threads of the pool that are in a work item, running or blocked.
    member _.BusyThreads = busy

    /// Work items in the queues.
    member _.PendingItems = pending

    /// Work items that were completed in a second, since the monitor's item was seen to wait.
    member _.CompletedPerSecond = completedPerSecond

    /// The share of all processors that the process took meanwhile, 0 to 1.
    member _.CpuShare = cpuShare

    /// The number of threads up to which the pool makes one at once.
    member _.MinThreads = minThreads

    /// The most threads that the pool may have.
    member _.MaxThreads = maxThreads

    /// Processors that the process may use.
    member _.Processors = processors

    /// One line with all of it.
    override _.ToString() =
        let show (value: float) =
            value.ToString("0", CultureInfo.InvariantCulture)

        String.Concat(
            [|
                $"A work item has waited {show age.TotalMilliseconds} ms: "
                $"{threads.ToString()} threads ({busy.ToString()} busy, "
                $"min {minThreads.ToString()}, "
                $"max {maxThreads.ToString()}), "
                $"{pending.ToString()} items pending, {show completedPerSecond} completed/s, "
                "CPU " + show (100. * cpuShare)
                $" %% of {processors.ToString()} processors"
            |]
        )

    static member internal Now(age: TimeSpan, completedPerSecond: float, cpuShare: float) =
        let mutable maxThreads = 0
        let mutable minThreads = 0
        let mutable free = 0
        let mutable ports = 0
        ThreadPool.GetMaxThreads(&maxThreads, &ports)
        ThreadPool.GetMinThreads(&minThreads, &ports)
        ThreadPool.GetAvailableThreads(&free, &ports)

        StarvationAlarm(
            DateTime.UtcNow,
            age,
            ThreadPool.ThreadCount,
            maxThreads - free,
            ThreadPool.PendingWorkItemCount,
            completedPerSecond,
            cpuShare,
            minThreads,
            maxThreads,
            Environment.ProcessorCount
        )

/// After an alarm, a work item has found a thread in less time than the monitor's threshold, or no work waits any more.
[<Sealed>]
type StarvationEnd internal (alarm: StarvationAlarm, at: DateTime) =

    /// The alarm that it ends.
    member _.Alarm = alarm

    /// When it was seen, UTC.
    member _.At = at

    /// From the alarm to its end.
    member _.Duration = at - alarm.At

/// The end of the outside command of an alarm.
[<Sealed>]
type StarvationReport
    internal
    (alarm: StarvationAlarm, file: string, exitCode: Nullable<int>, output: string, error: exn | null) =

    /// The alarm for which it was run.
    member _.Alarm = alarm

    /// The path that stood for `{file}` in its arguments; the command makes that file, or not.
    member _.File = file

    /// The exit code of the command; null: it did not start, or was stopped because its time was up.
    member _.ExitCode = exitCode

    /// Its output, followed by its error output.
    member _.Output = output

    /// The reason why the command did not start or was stopped; null: it ended by itself.
    member _.Error = error
