// Layer: guard. Finds work items that take no processor time: the time that the pool's threads spend in work items, less
// the time that these threads ran or waited for a processor, is time in which they blocked. A lower bound: beside threads that
// run, and where other processes take the processors, a wait may go unseen.
namespace Plait.Kernel

open System
open System.Diagnostics
open System.Threading
open Plait

/// `found` is called on the sampler's thread with each wait of at least `threshold`.
[<Sealed>]
type internal WorkerSampler(threshold: TimeSpan, found: BlockedWait -> unit) =
    // of looks at the busy threads and at the files
    let step = TimeSpan.FromMilliseconds 1.
    let window = TimeSpan.FromMilliseconds 10.
    let stop = new ManualResetEventSlim(false)

    let busy () =
        let mutable most = 0
        let mutable free = 0
        let mutable ports = 0
        ThreadPool.GetMaxThreads(&most, &ports)
        ThreadPool.GetAvailableThreads(&free, &ports)
        most - free

    let mutable isCounting = false

    let sample () =
        let times = WorkerTimes()
        times.SinceLastLook TimeSpan.Zero |> ignore
        isCounting <- true
        let mutable before = busy ()
        let mutable lookedAt = Stopwatch.GetTimestamp()
        let mutable windowAt = lookedAt
        let mutable paused = GC.GetTotalPauseDuration()
        // threads times time, in milliseconds
        let mutable inItems = 0.
        let mutable runs: TimeSpan = TimeSpan.Zero
        let mutable runBegan = DateTime.UtcNow

        let endRun () =
            if runs >= threshold then
                found (BlockedWait(BlockedWaitKind.OffProcessor, runBegan, runs, null))

            runs <- TimeSpan.Zero

        let mutable isOver = false

        while not isOver do
            isOver <- stop.Wait step
            let now = Stopwatch.GetTimestamp()
            let threads = busy ()

            inItems <-
                inItems
                + float (min before threads) * (Stopwatch.GetElapsedTime(lookedAt, now)).TotalMilliseconds

            before <- threads
            lookedAt <- now
            let elapsed = Stopwatch.GetElapsedTime(windowAt, now)

            if elapsed >= window || isOver then
                let pause = GC.GetTotalPauseDuration()
                let ran = (times.SinceLastLook elapsed).TotalMilliseconds
                let stopped = float threads * (pause - paused).TotalMilliseconds

                // nearly one thread at every moment
                if inItems - ran - stopped >= 0.8 * elapsed.TotalMilliseconds then
                    if runs = TimeSpan.Zero then
                        runBegan <- DateTime.UtcNow - elapsed

                    runs <- runs + elapsed
                else
                    endRun ()

                paused <- pause
                inItems <- 0.
                windowAt <- now

        endRun ()

    let thread =
        Thread(
            (fun () ->
                try
                    sample ()
                with failure ->
                    isCounting <- true
                    Trace.TraceError $"Plait.ThreadPoolGuard: {failure.ToString()}"),
            IsBackground = true,
            Name = "Plait guard"
        )

    /// Begins, and returns when it looks.
    member _.Start() =
        thread.UnsafeStart()
        SpinWait.SpinUntil((fun () -> Volatile.Read &isCounting), 5_000) |> ignore

    /// Ends, and returns when all is found.
    member _.Stop() =
        stop.Set()
        thread.Join()
