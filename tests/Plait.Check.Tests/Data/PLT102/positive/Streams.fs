// Each enumeration of a stream runs its code again.
module PLT102.Positive.Streams

open System.Collections.Generic
open System.Threading.Tasks
open Plait

let fromOutside (first: ValueTask<int>) : IAsyncEnumerable<int> =
    stream {
        let! x = first // PLT102 warning
        yield x
    }
