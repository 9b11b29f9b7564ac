// The jobs themselves: many that wait, written in the ways of the modes. What they do beside waiting is to be counted.
namespace Plait.Lab.Blocking

open System.Threading
open System.Threading.Tasks

/// The count of jobs of a run. All members may be used from any thread.
type Tally() =
    let mutable running = 0
    let mutable most = 0
    let mutable ended = 0

    /// A job begins to wait.
    member _.Enter() =
        let now = Interlocked.Increment &running
        let mutable seen = Volatile.Read &most

        while now > seen && Interlocked.CompareExchange(&most, now, seen) <> seen do
            seen <- Volatile.Read &most

    /// A job has waited.
    member _.Leave() =
        Interlocked.Decrement &running |> ignore
        Interlocked.Increment &ended |> ignore

    /// Jobs that wait now.
    member _.Running = Volatile.Read &running
    /// The most that ever waited at the same time.
    member _.Most = Volatile.Read &most
    /// Jobs that have ended.
    member _.Ended = Volatile.Read &ended

module internal Jobs =
    let private block (tally: Tally) (milliseconds: int) =
        tally.Enter()
        Thread.Sleep milliseconds
        tally.Leave()

    let private blocking tally milliseconds = async { block tally milliseconds }

    let private parallelOf count (job: Async<unit>) =
        Async.Parallel(List.replicate count job) |> Async.Ignore |> Async.RunSynchronously

    let private tasksOf count (start: unit -> Task) =
        Task.WhenAll(Array.init count (fun _ -> start ())).Wait()

    let private sleepingAsync (tally: Tally) (milliseconds: int) =
        async {
            tally.Enter()
            do! Async.Sleep milliseconds
            tally.Leave()
        }

    let private delayed (milliseconds: int) : Task<int> =
        task {
            do! Task.Delay milliseconds
            return 0
        }

    let private counted (tally: Tally) (wait: unit -> unit) () : Task =
        Task.Run(fun () ->
            tally.Enter()
            wait ()
            tally.Leave())

    /// Runs the jobs of a mode to their end; blocks the calling thread, which is none of the pool's.
    let run (mode: string) (load: Workload) (tally: Tally) : unit =
        let milliseconds = load.SleepMilliseconds
        let count = load.Jobs

        match mode with
        | "async-sleep" -> parallelOf count (sleepingAsync tally milliseconds)
        | "degree-100" ->
            Async.Parallel(List.replicate count (blocking tally milliseconds), load.Scaled 100)
            |> Async.Ignore
            |> Async.RunSynchronously
        | "task-run" -> tasksOf count (fun () -> Task.Run(fun () -> block tally milliseconds))
        | "long-running" ->
            tasksOf count (fun () ->
                Task.Factory.StartNew((fun () -> block tally milliseconds), TaskCreationOptions.LongRunning))
        | "new-thread" ->
            parallelOf
                count
                (async {
                    do! Async.SwitchToNewThread()
                    block tally milliseconds
                })
        | "run-synchronously" ->
            tasksOf count (counted tally (fun () -> Async.RunSynchronously(Async.Sleep milliseconds)))
        | "result" -> tasksOf count (counted tally (fun () -> (delayed milliseconds).Result |> ignore))
        // thread-sleep, and those that only set the number of threads before.
        | _ -> parallelOf count (blocking tally milliseconds)
