// The builders of Plait.RuntimeAsync run their bodies at once, as others do.
module PLT101.Positive.RuntimeAsync

open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let twice () =
    task {
        let job = fetch "a"
        let! first = job
        let! second = job // PLT101 warning
        return first + second
    }

let twiceInValueTask () =
    NonAffine.valueTask {
        let job = fetch "a"
        let! first = job
        let! second = job // PLT101 warning
        return first + second
    }

let ofAFunction (price: AsyncFunc<int, int>) =
    Guarded.task {
        let job = price.Invoke 1
        let! first = job
        let! second = job // PLT101 warning
        return first + second
    }

let ofAnother () =
    valueTask {
        let! one = fetch "a"
        return one
    }

let itsResult () =
    taskUnit {
        let job = ofAnother ()
        let! _ = job
        let! _ = job // PLT101 warning
        return ()
    }

let inSteps (keys: string list) =
    task {
        let job = fetch "a"

        let! all =
            keys
            |> List.mapAsync (fun key ->
                step {
                    let! more = job // PLT101 warning
                    return key.Length + more
                })

        return all
    }

let inThrottledSteps (keys: string list) =
    task {
        let job = fetch "a"

        let! all =
            keys
            |> Seq.mapThrottled 2 (fun key ->
                step {
                    let! more = job // PLT101 warning
                    return key.Length + more
                })

        return all
    }
