// Code that names a thread only for people, and code of other functions that is bound to one.
module Threads

open System
open System.Globalization
open System.Text
open System.Threading

let logged () =
    task {
        printfn "on thread %d" Thread.CurrentThread.ManagedThreadId
        do! System.Threading.Tasks.Task.Delay 10
        eprintfn $"on thread {Environment.CurrentManagedThreadId} ({Thread.CurrentThread.Name})"
    }

type Logger() =
    member _.Info(text: string, [<ParamArray>] parts: obj[]) = Console.WriteLine(text, parts)

let loggedByAnObject (logger: Logger) =
    task {
        let id = Thread.CurrentThread.ManagedThreadId
        let pool = string Thread.CurrentThread.IsThreadPoolThread
        logger.Info("thread {0}, {1}", id, pool)
        do! System.Threading.Tasks.Task.Delay 10
        logger.Info("thread {0}", Environment.CurrentManagedThreadId)
    }

let inATextOfItsOwn (text: StringBuilder) =
    task {
        let me = Thread.CurrentThread
        text.Append(me.Name).Append(me.ManagedThreadId) |> ignore
        do! System.Threading.Tasks.Task.Delay 10
        return String.Format("{0}", me.ManagedThreadId)
    }

let raised (isReady: bool) =
    task {
        do! System.Threading.Tasks.Task.Delay 10

        if not isReady then
            failwith $"thread {Environment.CurrentManagedThreadId} is too early"
    }

let inTheCulture (amount: float) =
    task {
        let text = amount.ToString Thread.CurrentThread.CurrentCulture
        do! System.Threading.Tasks.Task.Delay 10
        return text + amount.ToString CultureInfo.CurrentCulture
    }

let private isMain (id: int) =
    id = Thread.CurrentThread.ManagedThreadId

let ofAnother (id: int) =
    Thread.CurrentThread.Name <- "main"
    isMain id

let beside () =
    task {
        do! System.Threading.Tasks.Task.Delay 10
        return 1
    }

let flowing (work: unit -> unit) =
    task {
        let flow = ExecutionContext.SuppressFlow()
        work ()
        flow.Undo()
        do! System.Threading.Tasks.Task.Delay 10
    }
