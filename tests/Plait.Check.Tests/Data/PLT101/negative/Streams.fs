// Reading to an end: each turn awaits a value of its own.
module PLT101.Negative.Streams

open System
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Channels
open System.Threading.Tasks
open Support.Jobs
open Plait

let drain (reader: ChannelReader<int>) =
    task {
        let mutable sum = 0

        while! reader.WaitToReadAsync() do
            match reader.TryRead() with
            | true, item -> sum <- sum + item
            | false, _ -> ()

        return sum
    }

let writeAll (writer: ChannelWriter<string>) (items: string list) =
    task {
        for item in items do
            if not (writer.TryWrite item) then
                do! writer.WriteAsync item

        writer.Complete()
    }

let copy (source: Stream) (target: Stream) =
    valueTask {
        let buffer = Array.zeroCreate<byte> 4096
        let mutable read = 1

        while read > 0 do
            let! count = source.ReadAsync(Memory buffer)
            read <- count

            if count > 0 then
                do! target.WriteAsync(ReadOnlyMemory(buffer, 0, count))
    }

let fastPath (source: Stream) (buffer: byte[]) =
    task {
        let reading = source.ReadAsync(Memory buffer)

        let! count =
            if reading.IsCompletedSuccessfully then
                Task.FromResult reading.Result
            else
                reading.AsTask()

        return buffer[.. count - 1]
    }

let retried (attempts: int) =
    task {
        let mutable left = attempts
        let mutable result = None

        while result.IsNone && left > 0 do
            left <- left - 1

            try
                let! n = fetch "a"
                result <- Some n
            with :? TimeoutException ->
                do! Task.Delay 10

        return result
    }

let cursor (items: IAsyncEnumerable<int>) (limit: int) =
    strand {
        let cursor = items.GetAsyncEnumerator(CancellationToken.None)
        let mutable taken = 0
        let mutable more = true

        while more do
            let! next = cursor.MoveNextAsync()

            if next && taken < limit then
                taken <- taken + 1
            else
                more <- false

        do! cursor.DisposeAsync()
        return taken
    }
