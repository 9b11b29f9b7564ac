// Calls that block in the functions of folds, in operations that members of a builder make, and in functions that others call in theirs.
module PLT201.Positive.Folds

open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let forward (keys: string list) =
    task {
        return keys |> List.fold (fun sum key -> sum + (count key).Result) 0 // PLT201 warning
    }

let back (keys: string list) =
    async {
        return List.foldBack (fun key sum -> sum + (count key).Result) keys 0 // PLT201 warning
    }

let ofAMap (keys: Map<int, string>) =
    task {
        return
            keys
            |> Map.fold
                (fun sum number key ->
                    (save key).Wait() // PLT201 warning
                    sum + number)
                0
    }

let ofASet (keys: Set<string>) =
    task { return Set.fold (fun sum key -> sum + (count key).GetAwaiter().GetResult()) 0 keys } // PLT201 warning

let ofAnOption (key: string option) =
    task { return key |> Option.fold (fun sum key -> sum + (count key).Result) 0 } // PLT201 warning

let threads (keys: string list) =
    async {
        let counts, sum =
            keys
            |> List.mapFold
                (fun sum key ->
                    let length = later key |> Async.RunSynchronously // PLT201 warning
                    length, sum + length)
                0

        return counts.Length + sum
    }

let ofTasks (jobs: Task<int> list) =
    task { return jobs |> List.reduce (fun a b -> if a.Result > b.Result then a else b) } // PLT201 warning

let aggregate (keys: string list) =
    task { return keys.Aggregate(0, fun sum key -> sum + (count key).Result) } // PLT201 warning

let bound (key: string) =
    async.Bind(
        send key,
        fun () ->
            Thread.Sleep 10 // PLT201 warning
            async.Return 1
    )

let ofAResult (key: string) =
    async.Bind(later key, fun length -> async.Return((count key).Result + length)) // PLT201 warning

let delayed (key: string) =
    async.Delay(fun () ->
        (save key).Wait() // PLT201 warning
        send key)

let ``finally`` (key: string) =
    async.TryFinally(send key, fun () -> (save key).Wait()) // PLT201 warning

let repeated (keys: string list) =
    async.For(
        keys,
        fun key ->
            (save key).Wait() // PLT201 warning
            send key
    )

module Async =
    let bind (next: 'A -> Async<'B>) (work: Async<'A>) : Async<'B> = async.Bind(work, next)

    let map (change: 'A -> 'B) (work: Async<'A>) : Async<'B> =
        async {
            let! given = work
            return change given
        }

module Task =
    let map (change: 'A -> 'B) (work: Task<'A>) : Task<'B> =
        task {
            let! given = work
            return change given
        }

let throughBind (key: string) =
    send key
    |> Async.bind (fun () ->
        Thread.Sleep 5 // PLT201 warning
        async.Return 2)

let throughMap (key: string) = later key |> Async.map (fun length -> length + (count key).Result) // PLT201 warning
let throughTasks (key: string) = count key |> Task.map (fun length -> length + (count key).Result) // PLT201 warning

let selected (keys: string list) =
    task { return keys.Aggregate(0, (fun sum key -> sum + key.Length), (fun sum -> sum + (count "a").Result)) } // PLT201 warning
