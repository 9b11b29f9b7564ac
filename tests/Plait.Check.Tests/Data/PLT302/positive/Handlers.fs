// Handlers, registrations and functions that are kept, and that use an object after its disposal.
module PLT302.Positive.Handlers

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Threading

let ofAnEvent (timer: Timers.Timer) (path: string) =
    use writer = new StreamWriter(path) // PLT302 warning
    timer.Elapsed.Add(fun _ -> writer.WriteLine "elapsed")

let byAHandler (timer: Timers.Timer) (path: string) =
    use writer = new StreamWriter(path) // PLT302 warning
    timer.Elapsed.AddHandler(fun _ _ -> writer.WriteLine "elapsed")

let subscribed (lines: IObservable<string>) (path: string) =
    use writer = new StreamWriter(path) // PLT302 warning
    lines.Subscribe(fun line -> writer.WriteLine line)

let registered (token: CancellationToken) (path: string) =
    use writer = new StreamWriter(path) // PLT302 warning
    token.Register(fun () -> writer.WriteLine "cancelled")

let kept (actions: List<unit -> unit>) (path: string) =
    use writer = new StreamWriter(path) // PLT302 warning
    actions.Add(fun () -> writer.WriteLine "later")

let triedToKeep (handlers: ConcurrentDictionary<string, unit -> unit>) (path: string) =
    use writer = new StreamWriter(path) // PLT302 warning
    handlers.TryAdd("a", (fun () -> writer.WriteLine "later"))
