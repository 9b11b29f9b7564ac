// Streams that await.
module PLT201.Negative.Streams

open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait

let betweenItems (work: Task<int>) =
    stream {
        let! first = work
        yield first
        yield work.Result

        use gate = new SemaphoreSlim(1)
        do! gate.WaitAsync()

        for x in [ 1; 2 ] do
            do! Task.Delay x
            yield x

        let! token = Stream.cancellationToken
        do! Task.Delay(1, token)
        yield! stream { yield 3 }
    }

let inLoop (items: IAsyncEnumerable<Task<int>>) =
    stream {
        for item in items do
            let! x = item
            yield x
    }
