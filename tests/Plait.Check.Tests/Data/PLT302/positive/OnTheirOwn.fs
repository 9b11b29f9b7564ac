// Operations that go on behind the end of a `use`: started, dropped, in functions, or by another form of disposing.
module PLT302.Positive.OnTheirOwn

open System.IO
open System.Net.Http
open System.Threading
open System.Threading.Tasks
open Plait

let private work (token: CancellationToken) : Async<unit> =
    async {
        do! Async.Sleep 1000
        token.ThrowIfCancellationRequested()
    }

let startedWithAToken () =
    use source = new CancellationTokenSource(1000) // PLT302 warning
    Async.Start(work source.Token, source.Token)

let startedWithTheTokenOnly (job: Async<unit>) =
    use source = new CancellationTokenSource(1000) // PLT302 warning
    Async.Start(job, source.Token)

let startedAsATask () =
    use source = new CancellationTokenSource() // PLT302 warning
    work source.Token |> Async.StartAsTask

let inAFunctionOnThePool (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    Task.Run(fun () -> reader.ReadToEnd())

let byALocalFunction (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    let read () = reader.ReadToEnd()
    Task.Run(fun () -> read ())

let dropped (path: string) =
    task {
        use reader = new StreamReader(path) // PLT302 warning
        Task.Run(fun () -> printfn $"{reader.ReadToEnd()}") |> ignore // PLT301 warning
    }

let startedAsAnAsync (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    Async.Start(async { printfn $"{reader.Peek()}" })

let queued (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    ThreadPool.QueueUserWorkItem(fun _ -> printfn $"{reader.Peek()}") |> ignore

let continued (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    Task.Delay(10).ContinueWith(fun (_: Task) -> reader.ReadToEnd())

let ofAFunction (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    fun () -> reader.ReadToEndAsync()

let byUsing (path: string) =
    using (new StreamReader(path)) (fun reader -> reader.ReadToEndAsync()) // PLT302 warning

let byFinally (path: string) =
    let file = File.OpenRead path

    try
        file.ReadAsync(Array.zeroCreate 10, 0, 10) // PLT302 warning
    finally
        file.Dispose()

let aChild (path: string) =
    async {
        use reader = new StreamReader(path) // PLT302 warning
        return! Async.StartChild(reader.ReadToEndAsync() |> Async.AwaitTask)
    }

let delayed (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    async.Delay(fun () -> async { return reader.Peek() })

let onOneWay (path: string) =
    use reader = new StreamReader(path) // PLT302 warning
    if path = "" then Task.FromResult "" else reader.ReadToEndAsync()
