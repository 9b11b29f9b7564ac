// Values that would block, and are not called, enumerated or computed in an async body.
module PLT202.Negative.Deferred

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let private rows () =
    seq {
        for row in 1..3 do
            Thread.Sleep 5
            yield row
    }

let private calm () = seq { for row in 1..3 -> row }

let notEnumerated () = task { return rows () |> Seq.map (fun row -> row + 1) }

let enumeratedElsewhere () =
    task {
        let! sum = Task.Run(fun () -> rows () |> Seq.sum)
        return sum + 1
    }

let outside () = rows () |> Seq.sum

let inALoop () =
    task {
        for row in calm () do
            printfn $"{row}"
    }

let private table = lazy ((count "a").Result)

let onlyWhereItIsComputed () = task { return if table.IsValueCreated then table.Value else 0 }

let private job = lazy (count "a")

let ofATask () =
    task {
        let! length = job.Value
        return length + 1
    }

let private sumOf (jobs: Task<int> list) =
    seq {
        for job in jobs do
            yield job.Result
    }

let behindAnAwait (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        return sumOf jobs |> Seq.sum
    }

type Operations = { Load: string -> Task<int> }

let private operations = { Load = count }

let ofARecord () =
    task {
        let! length = operations.Load "a"
        return length + 1
    }

let private composed = count >> (fun job -> job.IsCompleted)

let pointFree () = task { return composed "a" }

type Connection() =
    interface IDisposable with
        member _.Dispose() = (save "end").Wait()

    interface IAsyncDisposable with
        member _.DisposeAsync() = ValueTask(save "end")

let disposedAsynchronously () =
    task {
        use connection = new Connection()
        do! Task.Delay 1
    }

let disposedOutside () =
    use connection = new Connection()
    1

type IStore =
    abstract Load: unit -> int

type Store() =
    interface IStore with
        member _.Load() = 1

type SlowStore() =
    interface IStore with
        member _.Load() = (count "a").Result

let ofAKnownClass () =
    task {
        let store = Store() :> IStore
        return store.Load()
    }

/// Not all that implement it block.
let ofAnInterface (store: IStore) = task { return store.Load() }
