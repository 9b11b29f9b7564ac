// What blocks in the builders of Plait.RuntimeAsync and in their steps blocks a thread of the pool.
module PLT201.Positive.RuntimeAsync

open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let inTask (job: Task<int>) =
    task {
        let! first = count "a"
        return first + job.Result // PLT201 warning
    }

let inTaskUnit () =
    taskUnit {
        Thread.Sleep 10 // PLT201 warning
        do! save "a"
    }

let inValueTask (job: Task<int>) =
    Guarded.valueTask {
        job.Wait() // PLT201 warning
        return 0
    }

let inValueTaskUnit (job: Task) = valueTaskUnit { job.Wait() } // PLT201 warning

let inBackground (job: Task<int>) = backgroundTask { return job.Result } // PLT201 warning

let inAStep (keys: string list) =
    task {
        let! all =
            keys
            |> List.mapAsync (fun key ->
                step {
                    Thread.Sleep 10 // PLT201 warning
                    return key.Length
                })

        return all
    }

let inAStepOfItsOwn (keys: string list) =
    valueTask {
        let! one =
            step {
                let! first = count "a"
                return first + (count "b").Result // PLT201 warning
            }

        return one
    }
