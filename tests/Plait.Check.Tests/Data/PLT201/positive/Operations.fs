// Members of object expressions that return an operation, and functions that are a part of one.
module PLT201.Positive.Operations

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Support.Jobs

type IStore =
    abstract Get: string -> Task<int>
    abstract Put: string -> ValueTask

let store () =
    { new IStore with
        member _.Get key = Task.FromResult((count key).Result) // PLT201 warning

        member _.Put key =
            (save key).Wait() // PLT201 warning
            ValueTask.CompletedTask
    }

let released () =
    { new IAsyncDisposable with
        member _.DisposeAsync() =
            (save "end").Wait() // PLT201 warning
            ValueTask()
    }

let inAnother (items: IAsyncEnumerable<int>) =
    { new IAsyncEnumerable<int> with
        member _.GetAsyncEnumerator token =
            let inner = items.GetAsyncEnumerator token

            { new IAsyncEnumerator<int> with
                member _.Current = inner.Current

                member _.MoveNextAsync() =
                    Thread.Sleep 10 // PLT201 warning
                    inner.MoveNextAsync()

                member _.DisposeAsync() = inner.DisposeAsync()
            }
    }

let withContinuations () =
    Async.FromContinuations(fun (ok, _, _) ->
        Thread.Sleep 10 // PLT201 warning
        ok ((count "a").Result)) // PLT201 warning

let inABody () =
    async {
        return!
            Async.FromContinuations(fun (ok, _, _) ->
                (save "a").Wait() // PLT201 warning
                ok 1)
    }
