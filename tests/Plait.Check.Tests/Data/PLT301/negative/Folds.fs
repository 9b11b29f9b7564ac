// States of a fold that are awaited or kept.
module PLT301.Negative.Folds

open System.Linq
open System.Threading.Tasks
open Support.Jobs

let inOrder (keys: string list) =
    keys
    |> List.fold
        (fun (before: Task) key ->
            task {
                do! before
                do! save key
            }
            :> Task)
        Task.CompletedTask

let sum (keys: string list) =
    keys
    |> List.fold
        (fun (before: Task<int>) key ->
            task {
                let! sum = before
                let! more = count key
                return sum + more
            })
        (Task.FromResult 0)

let collected (keys: string list) =
    keys |> List.fold (fun (running: Task list) key -> save key :: running) [] |> Task.WhenAll

let started (keys: string list) =
    List.foldBack (fun key (running: Task list) -> save key :: running) keys [] |> Task.WhenAll

let joined (keys: string list) =
    keys |> List.fold (fun (before: Task) key -> Task.WhenAll(before, save key)) Task.CompletedTask

let continued (keys: string list) =
    keys
    |> List.fold
        (fun (before: Task) key -> before.ContinueWith(fun (_: Task) -> save key).Unwrap())
        Task.CompletedTask

let cold (keys: string list) =
    keys
    |> List.fold
        (fun before key ->
            async {
                do! before
                do! send key
            })
        (async.Return())

let aggregate (keys: string list) =
    keys.Aggregate(
        Task.CompletedTask,
        fun before key ->
            task {
                do! before
                do! save key
            }
    )

let perhaps (key: string option) =
    task {
        do! key |> Option.fold (fun (_: Task) key -> save key) Task.CompletedTask
    }

let ofAMap (keys: Map<int, string>) =
    keys |> Map.fold (fun (running: Task list) _ key -> save key :: running) [] |> Task.WhenAll

let byHand (key: string) = async.Bind(send key, fun () -> send key)

let handled (key: string) =
    async.TryWith(async.Combine(send key, send "b"), fun failure -> send failure.Message)

let around (key: string) = async.TryFinally(send key, fun () -> printfn "sent")
let many (keys: string list) = async.For(keys, fun key -> send key)
let putOff (key: string) = async.Delay(fun () -> send key)
