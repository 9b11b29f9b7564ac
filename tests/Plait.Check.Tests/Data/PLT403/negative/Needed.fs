// Awaits that are needed, one after the other.
module PLT403.Negative.Needed

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let dependent () =
    task {
        let! first = count "a"
        let! second = count (String('x', first))
        return first + second
    }

let inOrder () =
    task {
        do! save "a"
        do! save "b"
        return 1
    }

let merged () =
    task {
        let! first = count "a"
        and! second = count "b"
        return first + second
    }

let fromAParameter (job: Task<int>) =
    task {
        let! n = job
        return n + 1
    }

let onOneBranch (cached: int option) =
    task {
        match cached with
        | Some n -> return n
        | None -> return! count "a"
    }

let inATry (key: string) =
    task {
        try
            return! count key
        with :? TimeoutException ->
            return 0
    }

let withAUse (path: string) =
    task {
        use reader = new IO.StreamReader(path)
        return! reader.ReadToEndAsync()
    }

let toAnotherKind (key: string) = task { return! later key }

let stubbed (load: string -> Task<int>) =
    task {
        let! n = load "a"
        return n + 1
    }

let knownNotAwaited () =
    let known = Task.FromResult 5
    known
