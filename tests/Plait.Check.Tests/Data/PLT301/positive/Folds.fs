// Operations that a function drops while it goes through a collection, and states of a fold that the next turn lets go.
module PLT301.Positive.Folds

open System.Threading.Tasks
open Support.Jobs

let inside (keys: string list) =
    task {
        let total =
            keys
            |> List.fold
                (fun sum key ->
                    save key |> ignore // PLT301 warning
                    sum + key.Length)
                0

        return total
    }

let back (keys: string[]) =
    async {
        return
            Array.foldBack
                (fun (key: string) sum ->
                    send key |> ignore // PLT301 warning
                    sum + key.Length)
                keys
                0
    }

let onlyTheLast (keys: string list) =
    task {
        do! keys |> List.fold (fun (_: Task) key -> save key) Task.CompletedTask // PLT301 warning
    }

let dropped (keys: string seq) =
    task {
        keys |> Seq.fold (fun (_: Task) key -> save key) Task.CompletedTask |> ignore // PLT301 warning
        return 1
    }

let byHand (key: string) =
    async.Delay(fun () ->
        save key |> ignore // PLT301 warning
        async.Return())

let private onEach (look: string -> unit) (work: Async<string>) =
    async {
        let! key = work
        look key
        return key
    }

let inAHelper (work: Async<string>) = work |> onEach (fun key -> save key |> ignore) // PLT301 info
