// Many threads that visit one object, with cancellations between.
module Plait.Tests.Contention

open System
open System.Threading
open System.Threading.Tasks

/// So many workers on threads of the pool make so many visits each. The token of one visit in `chance` is cancelled from elsewhere
/// at any time; returns how many visits were cancelled.
let run (workers: int) (visits: int) (chance: int) (visit: Random -> CancellationToken -> Task) : int =
    let mutable cancelled = 0

    let worker (seed: int) () =
        task {
            let random = Random seed

            for _ in 1..visits do
                // not disposed: it is cancelled from elsewhere at any time
                let source = new CancellationTokenSource()

                if random.Next chance = 0 then
                    ThreadPool.UnsafeQueueUserWorkItem((fun _ -> source.Cancel()), null) |> ignore

                try
                    do! visit random source.Token
                with :? OperationCanceledException ->
                    Interlocked.Increment &cancelled |> ignore
        }
        :> Task

    Within.ended "The workers" (Task.WhenAll [ for seed in 1..workers -> Task.Run(Func<Task>(worker seed)) ])
    cancelled
