// Calls that block, in bodies of two builders, and where a tool cannot tell what is meant.
module Blocking

open System.Threading
open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = Task.CompletedTask
let later n = async { return n + 1 }

let inAsync () =
    async {
        do! Async.Sleep 500
        do! Async.Sleep(300) // a while
        let running = load 3
        let! x = Async.AwaitTask running
        do! Async.AwaitTask (save 3)
        if x > 3 then
            do! Async.Sleep(System.TimeSpan.FromSeconds 1.)
        return! Async.AwaitTask (load 4)
    }

let inTask () =
    task {
        do! Task.Delay 500
        if true then do! Task.Delay 3
        let! x = load 3
        let! y: int = load(4)
        let! z = later 4
        let! w = later 5
        match! load 6 with
        | 1 -> return x + y + z + w
        | _ -> return! load(7)
    }

let onOneLine () = task { do! Task.Delay 500 }

let notByATool () =
    task {
        [ 1; 2 ] |> List.iter (fun n -> Thread.Sleep n) // left
        let sum = load(1).Result + load(2).Result // left
        let mutable last = load(3).Result // left
        last <- last + 1
        return sum + last
    }

let onTwoLines () =
    task {
        let! x =
            load 3

        let y =
            later 4
            |> Async.RunSynchronously // left

        do! Task.Delay 3
        return x + y
    }

let withALock (gate: obj) =
    task {
        Monitor.Enter gate // left

        try
            Thread.Sleep 3 // left
        finally
            Monitor.Exit gate

        return 1
    }
