// Calls that block in hot bodies, where the same work is awaited; and where a tool cannot tell what is meant.
module Blocking

open System.Threading
open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = Task.CompletedTask
let later n = async { return n + 1 }

let inTask () =
    task {
        do! Task.Delay 500
        do! Task.Delay(300) // a while
        if true then do! Task.Delay 3
        let! x = load 3
        let! y: int = load(4)
        let! z = later 4
        let! w = later 5
        do! save 3

        if x > 3 then
            do! Task.Delay(System.TimeSpan.FromSeconds 1.)

        match! load 6 with
        | 1 -> return x + y + z + w
        | _ -> return! load(7)
    }

let onOneLine () = task { do! Task.Delay 500 }

let inATry () =
    task {
        try
            return! load 3
        with :? System.InvalidOperationException ->
            return 0
    }

let notByATool () =
    task {
        [ 1; 2 ] |> List.iter (fun n -> Thread.Sleep n) // left
        let sum = load(1).GetAwaiter().GetResult() + load(2).GetAwaiter().GetResult() // left
        let mutable last = load(3).GetAwaiter().GetResult() // left
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

let branchesOnOneLine (n: int) =
    task {
        if n > 0 then do! Task.Delay 5 else do! Task.Delay 6
        if n > 1 then do! Task.Delay 7 elif n > 2 then printfn "no" else do! Task.Delay 8
        return n
    }
