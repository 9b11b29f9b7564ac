// From one kind of computation to the other and back.
module PLT203.Positive.RoundTrips

open System.Threading
open System.Threading.Tasks
open Support.Jobs

let piped () =
    count "a" |> Async.AwaitTask |> Async.RunSynchronously // PLT203 warning

let applied (job: Task<int>) = Async.RunSynchronously(Async.AwaitTask job) // PLT203 warning

let withoutAResult () =
    save "a" |> Async.AwaitTask |> Async.RunSynchronously // PLT203 warning

let withALimit (job: Task<int>) =
    Async.RunSynchronously(Async.AwaitTask job, 1000) // PLT203 warning

let byName (job: Task<int>) =
    let work = Async.AwaitTask job
    printfn "waiting"
    Async.RunSynchronously work // PLT203 warning

let backward (job: Task<int>) = Async.RunSynchronously <| Async.AwaitTask job // PLT203 warning

let thereAndBack () =
    async {
        let! n = later "a" |> Async.StartAsTask |> Async.AwaitTask // PLT203 warning
        return n + 1
    }

let backAndThere (job: Task<int>) =
    task {
        let! n = job |> Async.AwaitTask |> Async.StartAsTask // PLT203 warning
        return n + 1
    }

let awaitedAsAnAsync (job: Task<int>) =
    task {
        let! n = job |> Async.AwaitTask // PLT203 info
        return n + 1
    }

let withATokenForTheWait (job: Task<int>) (token: CancellationToken) =
    Async.RunSynchronously(Async.AwaitTask job, cancellationToken = token) // PLT203 warning

let optionsNotGiven (work: Async<int>) =
    async { return! Async.StartAsTask(work, ?cancellationToken = None) |> Async.AwaitTask } // PLT203 warning
