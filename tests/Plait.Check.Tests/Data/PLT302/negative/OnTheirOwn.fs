// Operations that end, or are waited for, before the end of a `use`.
module PLT302.Negative.OnTheirOwn

open System.IO
open System.Threading
open System.Threading.Tasks
open Plait

let private work (token: CancellationToken) : Async<unit> =
    async {
        do! Async.Sleep 1000
        token.ThrowIfCancellationRequested()
    }

let awaitedFunction (path: string) =
    task {
        use reader = new StreamReader(path)
        let! text = Task.Run(fun () -> reader.ReadToEnd())
        return text
    }

let waitedFor (path: string) =
    use reader = new StreamReader(path)
    Task.Run(fun () -> reader.ReadToEnd()).Result

let signalled () =
    use ended = new CountdownEvent(2)

    for _ in 1..2 do
        ThreadPool.QueueUserWorkItem(fun _ -> ended.Signal() |> ignore) |> ignore

    ended.Wait()

let onAThread () =
    use ended = new ManualResetEventSlim()
    let thread = Thread(fun () -> ended.Set())
    thread.Start()
    ended.Wait()

let awaitedAtTheEnd () =
    task {
        use source = new CancellationTokenSource()
        let running = Async.StartAsTask(work source.Token, cancellationToken = source.Token)
        do! Task.Delay 10
        source.Cancel()
        do! running
    }

let ownedByTheCaller () =
    let source = new CancellationTokenSource()
    Async.Start(work source.Token, source.Token)
    source

let readBefore (path: string) =
    use reader = new StreamReader(path)
    let length = reader.Peek()
    Task.Run(fun () -> printfn $"{length}")

let ofAll (paths: string list) =
    task {
        use gate = new SemaphoreSlim(3)

        let! texts =
            paths
            |> List.map (fun path ->
                task {
                    do! gate.WaitAsync()

                    try
                        return! File.ReadAllTextAsync path
                    finally
                        gate.Release() |> ignore
                })
            |> Task.WhenAll

        return texts.Length
    }

let aFunctionInside (path: string) =
    use reader = new StreamReader(path)
    let read () = reader.Peek()
    read () + read ()

let finallyInside (path: string) =
    task {
        let file = File.OpenRead path

        try
            return! file.ReadAsync(Array.zeroCreate 10, 0, 10)
        finally
            file.Dispose()
    }
