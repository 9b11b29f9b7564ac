// Calls that block, but not the block they stand in; and names that only look like it.
module PLT201.Negative.Elsewhere

open System
open System.IO
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let sleepInAFunction () = Thread.Sleep 10

let resultInAFunction () = (count "a").Result

let main (args: string[]) =
    let length = later args[0] |> Async.RunSynchronously
    (save "a").Wait()
    Thread.Sleep length
    length

let onAThreadOfItsOwn () =
    task {
        do! Task.Run(fun () -> Thread.Sleep 100)
        let! n = count "a"
        return n + 1
    }

let longRunning () =
    async {
        do!
            Task.Factory.StartNew((fun () -> Thread.Sleep 100), TaskCreationOptions.LongRunning)
            |> Async.AwaitTask

        return 1
    }

let threadOfItsOwn () =
    task {
        let worker = Thread(fun () -> Thread.Sleep 100)
        worker.Start()
        let! n = count "a"
        return n + 1
    }

let returnedForLater () =
    task {
        let! n = count "a"
        return fun () -> Thread.Sleep n
    }

let storedForLater (actions: Collections.Generic.List<unit -> unit>) =
    async {
        actions.Add(fun () -> Thread.Sleep 10)
        do! Async.Sleep 10
        return actions.Count
    }

let subscribed (changed: IEvent<int>) =
    task {
        changed.Add(fun n -> Thread.Sleep n)
        let! n = count "a"
        return n + 1
    }

let lazyValue () =
    async {
        let value =
            lazy
                (Thread.Sleep 10
                 1)

        do! Async.Sleep 10
        return value
    }

let anObject () =
    task {
        let! n = count "a"

        return
            { new IDisposable with
                member _.Dispose() = Thread.Sleep n
            }
    }

type Answer = { Result: int; Wait: int }

type Outcome() =
    member _.Result = 5
    member _.Wait() = printfn "own"
    member _.Sleep(time: int) = printfn $"{time}"

let ownNames (answer: Answer) (outcome: Outcome) =
    task {
        outcome.Wait()
        outcome.Sleep 10
        let! n = count "a"
        return answer.Result + answer.Wait + outcome.Result + n
    }

let ownModule () =
    async {
        let mapped = Result.map (fun n -> n + 1) (Ok 1: Result<int, string>)
        do! Async.Sleep 10
        return mapped
    }

let asyncTwins (path: string) (slots: SemaphoreSlim) =
    task {
        do! Task.Delay 10
        do! slots.WaitAsync()
        let! text = File.ReadAllTextAsync path
        slots.Release() |> ignore
        return text.Length
    }

let shortLock (gate: obj) (numbers: Collections.Generic.List<int>) =
    task {
        let! n = count "a"
        lock gate (fun () -> numbers.Add n)
        return n + 1
    }

let asyncHandle (opened: ManualResetEvent) =
    async {
        let! signalled = Async.AwaitWaitHandle(opened, 1000)
        return not signalled
    }

let asyncReply (mailbox: MailboxProcessor<AsyncReplyChannel<int>>) =
    async {
        let! reply = mailbox.PostAndAsyncReply id
        return reply + 1
    }

let inMemory (text: string) =
    task {
        use reader = new StringReader(text)
        let first = reader.ReadLine()
        let! n = count text
        return first, n
    }

let exists (path: string) =
    task {
        if File.Exists path then
            let! text = File.ReadAllTextAsync path
            return text.Length
        else
            return 0
    }

let onItsOwnThread () =
    async {
        do! Async.SwitchToNewThread()
        Thread.Sleep 5
        return 1
    }

let perhapsOnItsOwnThread (own: bool) =
    async {
        if own then
            do! Async.SwitchToNewThread()

        Thread.Sleep 5
        return 1
    }
