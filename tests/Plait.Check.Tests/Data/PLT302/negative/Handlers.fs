// Handlers and registrations that end before the object, or do not use it.
module PLT302.Negative.Handlers

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks

let subscribedForAWhile (lines: IObservable<string>) (path: string) =
    task {
        use writer = new StreamWriter(path)
        use _ = lines.Subscribe(fun line -> writer.WriteLine line)
        do! Task.Delay 1000
    }

let untilTheLoopEnds (timer: Timers.Timer) (path: string) (run: unit -> unit) =
    use writer = new StreamWriter(path)
    timer.Elapsed.Add(fun _ -> writer.WriteLine "elapsed")
    run ()

let registeredForAWhile (token: CancellationToken) (run: unit -> unit) =
    use source = new CancellationTokenSource()
    use _ = token.Register(fun () -> source.Cancel())
    run ()

let ofAValue (lines: IObservable<string>) (path: string) =
    use reader = new StreamReader(path)
    let prefix = reader.ReadLine()
    lines.Subscribe(fun line -> printfn "%s%s" prefix line)

let runAtOnce (path: string) =
    use writer = new StreamWriter(path)
    let actions = List<unit -> unit>()
    actions.Add(fun () -> writer.WriteLine "now")

    for action in actions do
        action ()

let calledBehind (handlers: ConcurrentDictionary<string, unit -> unit>) (path: string) =
    use writer = new StreamWriter(path)
    let isAdded = handlers.TryAdd("a", (fun () -> writer.WriteLine "now"))

    for handler in handlers.Values do
        handler ()

    isAdded
