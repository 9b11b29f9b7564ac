// Operations that nobody awaits.
module Dropped

open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = Task.CompletedTask
let later n = async { return n + 1 }

let inTask () =
    task {
        do! save 3
        let! _ = load 3
        let! _ = load 5
        let! unused = save 4
        let! _ = later 4
        return 1
    }

let inAsync () =
    async {
        do! Async.AwaitTask (save 3) // to be waited for
        let! _ = later 3
        return 1
    }

let notByATool (numbers: int list) =
    task {
        for n in numbers |> List.map (fun n -> load n |> ignore; n) do // left
            printfn $"{n}"
    }
