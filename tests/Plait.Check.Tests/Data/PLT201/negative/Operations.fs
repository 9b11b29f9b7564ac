// Members of object expressions that may block, and continuations that do not.
module PLT201.Negative.Operations

open System
open System.Threading.Tasks
open Support.Jobs

let released () =
    { new IDisposable with
        member _.Dispose() = (save "end").Wait()
    }

let continued () =
    Async.FromContinuations(fun (ok, _, _) ->
        (count "a").ContinueWith(fun (job: Task<int>) -> ok job.Result) |> ignore)
