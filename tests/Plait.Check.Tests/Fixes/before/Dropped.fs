// Operations that nobody awaits.
module Dropped

open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = Task.CompletedTask
let later n = async { return n + 1 }

let inTask () =
    task {
        save 3 |> ignore
        load 3 |> ignore
        let _ = load 5
        let unused = save 4
        later 4 |> ignore
        return 1
    }

let inAsync () =
    async {
        save 3 |> ignore // to be waited for
        later 3 |> ignore
        return 1
    }

let notByATool (numbers: int list) =
    task {
        for n in numbers |> List.map (fun n -> load n |> ignore; n) do // left
            printfn $"{n}"
    }
