// Calls that block in the code of streams.
module PLT201.Positive.Streams

open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait

let betweenItems (work: Task<int>) =
    stream {
        yield work.Result // PLT201 warning
        do! Task.Yield()
        Thread.Sleep 10 // PLT201 warning
        yield 1

        for x in [ 1; 2 ] do
            let! y = Task.FromResult x
            Task.Delay(y).Wait() // PLT201 warning
            yield y

        try
            yield 2
            Thread.Sleep 20 // PLT201 warning
        finally
            Thread.Sleep 30 // PLT201 warning
    }

let rec inAnother (count: int) : IAsyncEnumerable<int> =
    NonAffine.stream {
        if count > 0 then
            yield count
            Thread.Sleep count // PLT201 warning
            yield! inAnother (count - 1)
    }

let inLoop (items: IAsyncEnumerable<Task<int>>) =
    stream {
        for item in items do
            yield item.GetAwaiter().GetResult() // PLT201 warning
    }
