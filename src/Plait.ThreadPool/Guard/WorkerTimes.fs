// Layer: guard. The processor time of the thread pool's workers, as Linux counts it by thread. The guard's only source for
// waits that the runtime has no event for.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.IO

[<AbstractClass; Sealed>]
type internal ThreadFiles =

    /// Its processor time and its time of waiting for a processor, in nanoseconds; -1: unknown.
    static member BusyNanoseconds(thread: string) : int64 =
        try
            let text = File.ReadAllText $"/proc/self/task/{thread}/schedstat"
            let parts = text.Split ' '
            Int64.Parse parts[0] + Int64.Parse parts[1]
        with _ ->
            -1L

    /// That of the calling thread; -1: not to be had.
    static member OwnBusyNanoseconds() : int64 =
        if OperatingSystem.IsLinux() then
            try
                let parts = (File.ReadAllText "/proc/thread-self/schedstat").Split ' '
                Int64.Parse parts[0] + Int64.Parse parts[1]
            with _ ->
                -1L
        else
            -1L

    /// Whether it is a worker of the pool, by the name that the runtime gives it.
    static member IsWorker(thread: string) : bool =
        try
            (File.ReadAllText $"/proc/self/task/{thread}/comm")
                .StartsWith(".NET TP Worker", StringComparison.Ordinal)
        with _ ->
            false

    /// Whether it runs or waits for a processor now.
    static member IsRunnable(thread: string) : bool =
        try
            let text = File.ReadAllText $"/proc/self/task/{thread}/stat"
            // the name before it stands in parentheses, and may have some itself
            text[text.LastIndexOf ')' + 2] = 'R'
        with _ ->
            false

    /// Whether the system counts by thread.
    static member AreThere = ThreadFiles.OwnBusyNanoseconds() >= 0L

/// The workers' time from look to look. Used by one thread.
[<Sealed>]
type internal WorkerTimes() =
    let times = Dictionary<string, int64>()
    // the name comes a moment after the thread: a thread is another's only after some looks
    let looks = Dictionary<string, int>()

    let isWorker (thread: string) =
        if times.ContainsKey thread then
            true
        else
            let seen =
                match looks.TryGetValue thread with
                | true, seen -> seen
                | _ -> 0

            looks[thread] <- seen + 1
            seen < 5 && ThreadFiles.IsWorker thread

    /// The time that all workers together ran, or waited for a processor, since the last look, `elapsed` ago. One that waits for a
    /// processor now counts with all of it: the system counts such a wait only when it is over.
    member _.SinceLastLook(elapsed: TimeSpan) : TimeSpan =
        let mutable total = 0L
        let all = elapsed.Ticks * 100L

        for folder in Directory.GetDirectories "/proc/self/task" do
            let thread = string (Path.GetFileName folder)

            if isWorker thread then
                let now = ThreadFiles.BusyNanoseconds thread

                if now >= 0L then
                    let before =
                        match times.TryGetValue thread with
                        | true, before -> before
                        | _ -> 0L

                    times[thread] <- now
                    let ran = max 0L (now - before)
                    total <- total + (if ran < all && ThreadFiles.IsRunnable thread then all else ran)

        TimeSpan.FromTicks(total / 100L)
