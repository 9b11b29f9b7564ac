// Watching the pool while jobs run, from threads of its own, so that a starved pool does not stop the watching.
namespace Plait.Lab.Blocking

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Diagnostics
open System.IO
open System.Threading

/// Looks at the pool in short intervals, and puts probes into its queue, until it is disposed.
type internal Watch(tally: Tally, sampleMilliseconds: int, probeMilliseconds: int option) =
    let started = Stopwatch.GetTimestamp()

    let now () =
        Stopwatch.GetElapsedTime(started).TotalSeconds

    let moments = ConcurrentQueue<Moment>()
    let ran = ConcurrentQueue<Probe>()
    let waiting = ConcurrentDictionary<int, float>()
    let mutable isOver = false

    let threads () =
        if OperatingSystem.IsLinux() then
            Directory.GetDirectories("/proc/self/task").Length
        else
            use self = Process.GetCurrentProcess()
            self.Threads.Count

    let look () =
        moments.Enqueue
            {
                Seconds = now ()
                Threads = threads ()
                PoolThreads = ThreadPool.ThreadCount
                Queue = ThreadPool.PendingWorkItemCount
                Ended = tally.Ended
            }

    let probe number =
        let queued = now ()
        waiting[number] <- queued

        let run (_: obj | null) =
            if fst (waiting.TryRemove number) then
                ran.Enqueue { QueuedSeconds = queued; DelaySeconds = now () - queued; Ran = true }

        ThreadPool.UnsafeQueueUserWorkItem(WaitCallback run, null) |> ignore

    // From the start of the run, not from the last time: a late one does not move those behind it.
    let every (milliseconds: int) (action: int -> unit) =
        let mutable number = 0

        while not (Volatile.Read &isOver) do
            action number
            number <- number + 1
            let next = float (number * milliseconds) - 1000.0 * now ()

            if next > 0.0 then
                Thread.Sleep(int (Math.Ceiling next))

    let start name milliseconds action =
        Thread((fun () -> every milliseconds action), IsBackground = true, Name = name).Start()

    do
        start "looks at the pool" sampleMilliseconds (fun _ -> look ())

        match probeMilliseconds with
        | Some milliseconds -> start "queues probes" milliseconds probe
        | None -> ()

    let drain (queue: ConcurrentQueue<'T>) : 'T list =
        let items = List<'T>()
        let mutable item = Unchecked.defaultof<'T>

        while queue.TryDequeue &item do
            items.Add item

        List.ofSeq items

    /// Seconds since the start.
    member _.Seconds = now ()

    /// The moments since the last time this was asked.
    member _.Moments() : Moment list = drain moments

    /// The probes that ran since the last time this was asked.
    member _.Probes() : Probe list = drain ran

    /// The probes that still wait, each with the time it has waited so far.
    member _.Waiting() : Probe list =
        let time = now ()

        [
            for entry in waiting ->
                { QueuedSeconds = entry.Value; DelaySeconds = time - entry.Value; Ran = false }
        ]

    /// Queues and looks no more.
    member _.Stop() =
        look ()
        Volatile.Write(&isOver, true)
