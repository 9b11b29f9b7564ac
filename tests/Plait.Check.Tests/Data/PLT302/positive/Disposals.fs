// The resource is gone before the task that uses it has ended.
module PLT302.Positive.Disposals

open System.IO
open System.Net.Http
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let readAll (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    reader.ReadToEndAsync()

let download (address: string) : Task<string> =
    use client = new HttpClient() // PLT302 warning
    client.GetStringAsync address

let usedByABlock (path: string) =
    use reader = new StreamReader(path) // PLT302 warning

    task {
        let! text = reader.ReadToEndAsync()
        return text.Length
    }

let usedByAnAsync (path: string) =
    use reader = new StreamReader(path) // PLT302 warning

    async {
        let! text = reader.ReadToEndAsync() |> Async.AwaitTask
        return text.Length
    }

let keptInAName (path: string) =
    use stream = File.OpenRead path // PLT302 warning
    let buffer = Array.zeroCreate<byte> 16
    let reading = stream.ReadAsync(buffer, 0, 16)
    printfn "reading"
    reading

let valueTaskOfIt (path: string) =
    use stream = File.OpenRead path // PLT302 warning
    stream.ReadAsync(Array.zeroCreate<byte> 16 |> System.Memory)

let usedByAStrand (path: string) =
    use reader = new StreamReader(path) // PLT302 warning

    strand {
        let! text = reader.ReadToEndAsync()
        return text.Length
    }

type Client(address: string) =
    member _.Get(path: string) =
        use client = new HttpClient() // PLT302 warning
        client.GetStringAsync(address + path)

let ofTheToken (time: int) =
    use source = new CancellationTokenSource(time) // PLT302 warning
    Task.Delay(1000, source.Token)

let closed (path: string) =
    let stream = File.OpenRead path

    try
        stream.ReadAsync(Array.zeroCreate<byte> 16, 0, 16) // PLT302 warning
    finally
        stream.Close()

let closedWriter (path: string) =
    let writer = new StreamWriter(path)

    try
        writer.WriteAsync "a" // PLT302 warning
    finally
        writer.Close()

let returnedFromABlock (path: string) =
    task {
        use reader = new StreamReader(path) // PLT302 warning
        return reader.ReadToEndAsync()
    }
