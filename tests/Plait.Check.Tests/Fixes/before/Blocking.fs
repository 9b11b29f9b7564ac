// Calls that block in hot bodies, where the same work is awaited; and where a tool cannot tell what is meant.
module Blocking

open System.Threading
open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = Task.CompletedTask
let later n = async { return n + 1 }

let inTask () =
    task {
        Thread.Sleep 500
        Thread.Sleep(300) // a while
        if true then Thread.Sleep 3
        let x = (load 3).GetAwaiter().GetResult()
        let y: int = load(4).GetAwaiter().GetResult()
        let z = later 4 |> Async.RunSynchronously
        let w = Async.RunSynchronously(later 5)
        (save 3).GetAwaiter().GetResult()

        if x > 3 then
            Thread.Sleep(System.TimeSpan.FromSeconds 1.)

        match (load 6).GetAwaiter().GetResult() with
        | 1 -> return x + y + z + w
        | _ -> return load(7).GetAwaiter().GetResult()
    }

let onOneLine () = task { Thread.Sleep 500 }

let inATry () =
    task {
        try
            return (load 3).GetAwaiter().GetResult()
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
        let x =
            (load 3).GetAwaiter().GetResult()

        let y =
            later 4
            |> Async.RunSynchronously // left

        do Thread.Sleep 3
        return x + y
    }

let branchesOnOneLine (n: int) =
    task {
        if n > 0 then Thread.Sleep 5 else Thread.Sleep 6
        if n > 1 then Thread.Sleep 7 elif n > 2 then printfn "no" else Thread.Sleep 8
        return n
    }
