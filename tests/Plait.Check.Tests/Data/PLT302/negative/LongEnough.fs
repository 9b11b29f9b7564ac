// The resource lives until the work has ended, or the work does not use it.
module PLT302.Negative.LongEnough

open System.IO
open System.Net.Http
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let insideTheBlock (path: string) =
    task {
        use reader = new StreamReader(path)
        let! text = reader.ReadToEndAsync()
        return text.Length
    }

let insideAsync (path: string) =
    async {
        use reader = new StreamReader(path)
        let! text = reader.ReadToEndAsync() |> Async.AwaitTask
        return text.Length
    }

let awaitedInsideAValueTask (address: string) =
    valueTask {
        use client = new HttpClient()
        return! client.GetStringAsync address
    }

let waited (path: string) =
    use reader = new StreamReader(path)
    reader.ReadToEndAsync().GetAwaiter().GetResult()

let runToItsEnd (path: string) =
    use reader = new StreamReader(path)

    async {
        let! text = reader.ReadToEndAsync() |> Async.AwaitTask
        return text.Length
    }
    |> Async.RunSynchronously

let notUsedByTheTask (path: string) =
    use reader = new StreamReader(path)
    let first = reader.ReadLine()
    count $"{first}"

let ownedByTheCaller (reader: StreamReader) = reader.ReadToEndAsync()

let keptAlive (path: string) =
    let reader = new StreamReader(path)

    task {
        try
            let! text = reader.ReadToEndAsync()
            return text.Length
        finally
            reader.Dispose()
    }

let synchronous (path: string) =
    use reader = new StreamReader(path)
    let text = reader.ReadToEnd()
    Task.FromResult text.Length

let asyncDisposable (path: string) =
    strand {
        use stream = File.OpenRead path
        let! read = stream.ReadAsync(Array.zeroCreate<byte> 16, 0, 16)
        return read
    }
