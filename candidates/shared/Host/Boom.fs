// Layer: host. Does a waiting program hold a thread? All threads of the pool but one are taken away, the program runs on
// the one that is left, and a heartbeat must go on being served by that same thread.
namespace Plait.Lab.Host

open System
open System.Diagnostics
open System.Text.Json
open System.Threading
open System.Threading.Tasks
open Plait.Lab.Language

/// Evaluates FizzBoom under observation.
module Boom =

    let private beat = TimeSpan.FromMilliseconds 20.0

    // Shorter delays are the scheduler's, not a blocked thread's.
    let private noise = TimeSpan.FromMilliseconds 100.0

    // Occupies threads of the pool until `release` is set; returns when they are occupied.
    let private occupy count (release: ManualResetEventSlim) =
        use taken = new CountdownEvent(max 1 count)

        if count = 0 then
            taken.Signal() |> ignore

        for _ in 1..count do
            ThreadPool.UnsafeQueueUserWorkItem(
                (fun _ ->
                    taken.Signal() |> ignore
                    release.Wait()),
                null
            )
            |> ignore

        taken.Wait()

    // Queues a work item every beat until the task has ended; returns the longest time that one waited for a thread.
    let private observe (running: Task) =
        use served = new AutoResetEvent(false)
        let mutable longest = TimeSpan.Zero

        while not running.IsCompleted do
            let queued = Stopwatch.GetTimestamp()
            ThreadPool.UnsafeQueueUserWorkItem((fun _ -> served.Set() |> ignore), null) |> ignore
            served.WaitOne() |> ignore
            longest <- max longest (Stopwatch.GetElapsedTime queued)
            Thread.Sleep beat

        longest

    let private limited action =
        let mutable workers = 0
        let mutable ports = 0
        ThreadPool.GetMaxThreads(&workers, &ports)
        let least = Environment.ProcessorCount

        if not (ThreadPool.SetMaxThreads(least, ports)) then
            raise (InvalidOperationException $"the thread pool refused a limit of {least} threads")

        use release = new ManualResetEventSlim(false)

        try
            occupy (least - 1) release
            action least
        finally
            release.Set()
            ThreadPool.SetMaxThreads(workers, ports) |> ignore

    /// Evaluates `program` once under the limit, waits for its end on the calling thread, which must not be one of the pool, and writes
    /// its observations.
    let run (engine: Engine) (program: Expr) (writer: Utf8JsonWriter) : unit =
        // Once without the limit: to open a connection takes a thread of the pool for itself, which a program that blocks
        // the only one would wait for without end.
        Task.Run<Dval>(fun () -> engine.Start(program).AsTask()).GetAwaiter().GetResult()
        |> ignore

        limited (fun limit ->
            Upstream.reset ()
            let running = Task.Run<Dval>(fun () -> engine.Start(program).AsTask())
            let longest = observe running
            let value = running.GetAwaiter().GetResult()

            let blocked =
                Upstream.waitsSoFar () > 0 && longest > max noise (Upstream.shortestWait () / 2.0)

            writer.WriteString("body", Answer.body value)
            writer.WriteNumber("waits", Upstream.waitsSoFar ())
            writer.WriteNumber("blockedPoolThreads", (if blocked then 1 else 0))
            writer.WriteNumber("maxPoolThreads", limit)
            writer.WriteNumber("longestHeartbeatMilliseconds", Math.Round(longest.TotalMilliseconds, 1)))
