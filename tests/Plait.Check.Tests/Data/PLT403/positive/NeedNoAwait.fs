// Awaits of what is there already, and blocks that only pass a value on.
module PLT403.Positive.NeedNoAwait

open System.Threading.Tasks
open Support.Jobs
open Plait

let known () =
    task {
        let! limit = Task.FromResult 5 // PLT403 hint
        let! n = count "a"
        return n + limit
    }

let knownValueTask () =
    valueTask {
        let! limit = ValueTask.FromResult 5 // PLT403 hint
        let! n = fetch "a"
        return n + limit
    }

let knownAsync () =
    async {
        let! limit = async.Return 5 // PLT403 hint
        let! n = later "a"
        return n + limit
    }

let returnedKnown (fast: bool) =
    task {
        if fast then
            return! Task.FromResult 0 // PLT403 hint
        else
            let! n = count "a"
            return n + 1
    }

let completed () =
    task {
        do! Task.CompletedTask // PLT403 hint
        let! n = count "a"
        return n + 1
    }

let onlyPassedOn (key: string) = task { return! count key } // PLT403 hint

let onlyPassedOnAsync (key: string) =
    async {
        return! later key // PLT403 hint
    }

let ofATask () =
    task {
        let! job = Task.FromResult(save "a") // PLT403 hint
        do! job
    }

let ofANamedTask () =
    task {
        let job = save "a"
        let! _ = Task.FromResult job // PLT403 hint
        do! job
    }
