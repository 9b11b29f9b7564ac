// The only stream and the only enumerator of the check block; what is called is a library's type, of which there are others.
module PLT202.Negative.Interfaces

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks

let private gate = obj ()

type SlowStream(inner: Stream) =
    inherit MemoryStream()

    override _.WriteAsync(bytes: ReadOnlyMemory<byte>, token: CancellationToken) =
        Monitor.Enter gate
        inner.WriteAsync(bytes, token)

type SlowItems() =
    interface IAsyncEnumerator<int> with
        member _.Current = 1

        member _.MoveNextAsync() =
            Monitor.Enter gate
            ValueTask<bool> false

        member _.DisposeAsync() = ValueTask()

let write (stream: Stream) (token: CancellationToken) =
    task { do! stream.WriteAsync(ReadOnlyMemory [| 1uy |], token) }

let read (items: IAsyncEnumerator<int>) =
    task {
        let! goes = items.MoveNextAsync()
        return goes
    }
