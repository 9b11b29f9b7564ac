// Work that is started or made inside a block, and then lost.
module PLT301.Positive.InBlocks

open System.Threading.Tasks
open Support.Jobs
open Plait
open Ply

let ignoredTask () =
    task {
        save "a" |> ignore // PLT301 warning
        let! n = count "b"
        return n + 1
    }

let statement () =
    task {
        save "a" // PLT301 warning
        let! n = count "b"
        return n + 1
    }

let underscore () =
    task {
        let _ = count "a" // PLT301 warning
        let! n = count "b"
        return n + 1
    }

let unusedName () =
    task {
        let counting = count "a" // PLT301 warning
        let! n = count "b"
        return n + 1
    }

let ignoredAsync () =
    async {
        send "a" |> ignore // PLT301 warning
        do! Async.Sleep 10
    }

let asyncStatement () =
    async {
        send "a" // PLT301 warning
        do! Async.Sleep 10
    }

let ignoredValueTask () =
    valueTask {
        flush "a" |> ignore // PLT301 warning
        let! n = fetch "a"
        return n + 1
    }

let ignoredStrand () =
    strand {
        spun "a" |> ignore // PLT301 warning
        let! n = spun "b"
        return n + 1
    }

let underscoreStrand () =
    strand {
        let _ = spun "a" // PLT301 warning
        let! n = spun "b"
        return n + 1
    }

let plyStatement () =
    uply {
        uply { return 1 } |> ignore // PLT301 warning
        return 2
    }

let inABranch (verbose: bool) =
    task {
        if verbose then
            save "log" |> ignore // PLT301 warning

        let! n = count "b"
        return n + 1
    }

let inALoop (keys: string list) =
    task {
        for key in keys do
            save key |> ignore // PLT301 warning

        let! n = count "b"
        return n + 1
    }

let wrappedInATask () =
    async {
        Task.Run(fun () -> printfn "a") |> ignore // PLT301 warning
        do! Async.Sleep 10
    }
