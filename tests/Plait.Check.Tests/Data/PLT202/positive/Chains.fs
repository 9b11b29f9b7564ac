// Functions of this project that block, called where nothing may block.
module PLT202.Positive.Chains

open System.IO
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private pause () = Thread.Sleep 10

let private loadCount (key: string) = (count key).Result

let private loadAll (keys: string list) = keys |> List.map loadCount |> List.sum

let private report (keys: string list) =
    let total = loadAll keys
    $"total: {total}"

let direct () =
    task {
        pause () // PLT202 warning
        let! n = count "a"
        return n + 1
    }

let withAResult () =
    async {
        let n = loadCount "a" // PLT202 warning
        return n + 1
    }

let throughTwo (keys: string list) =
    task {
        let total = loadAll keys // PLT202 warning
        return total + 1
    }

let throughThree (keys: string list) =
    strand {
        let text = report keys // PLT202 warning
        return text.Length
    }

let inALoop (keys: string list) =
    valueTask {
        let mutable sum = 0

        for key in keys do
            sum <- sum + loadCount key // PLT202 warning

        return sum
    }

let inABranch (verbose: bool) =
    task {
        if verbose then
            pause () // PLT202 warning

        let! n = count "a"
        return n + 1
    }

let asAPipe () =
    async {
        let n = "a" |> loadCount // PLT202 warning
        return n + 1
    }

type Store() =
    member _.Load(key: string) = later key |> Async.RunSynchronously

    static member Open(slots: SemaphoreSlim) =
        slots.Wait()
        Store()

let byAMember (store: Store) =
    task {
        let n = store.Load "a" // PLT202 warning
        return n + 1
    }

let byAStaticMember (slots: SemaphoreSlim) =
    async {
        let store = Store.Open slots // PLT202 warning
        return store
    }

let private guardedOnOnePath (key: string) (fast: bool) =
    if fast then
        key.Length
    else
        (save key).Wait()
        0

let onOnePath () =
    task {
        let n = guardedOnOnePath "a" false // PLT202 warning
        return n + 1
    }

let rec private countDown (n: int) =
    if n > 0 then
        Thread.Sleep 1
        countDown (n - 1)

let recursive () =
    backgroundTask {
        countDown 3 // PLT202 warning
        return 1
    }

let besideThreadsOfItsOwn () =
    strand {
        let n = loadCount "a" // PLT202 warning
        let! m = Blocking.run (fun () -> n + loadCount "b")
        return n + m
    }
