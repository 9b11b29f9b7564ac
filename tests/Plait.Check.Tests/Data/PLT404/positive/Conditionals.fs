// The await of a conditional whose branches are calls: the compiler awaits behind the branches, where the runtime makes a Task.
module PLT404.Positive.Conditionals

open Support.Jobs
open Plait.RuntimeAsync

let ofAnIf (key: string) (isShort: bool) =
    task {
        let! length = if isShort then count key else count (key + key) // PLT404 info
        return length
    }

let ofAMatch (key: string option) =
    valueTask {
        let! length =
            match key with
            | Some key -> count key // PLT404 info
            | None -> count ""

        return length
    }

let returned (key: string) (isShort: bool) =
    task { return! if isShort then count key else count (key + key) } // PLT404 info

let ofOneCall (key: string) (isShort: bool) =
    task {
        let! length =
            if isShort then
                System.Threading.Tasks.Task.FromResult 0
            else
                count key // PLT404 info

        return length
    }

let ofATry (key: string) =
    task {
        let! length =
            try
                count key // PLT404 info
            with _ ->
                count ""

        return length
    }

let overResults (key: string) (isShort: bool) =
    taskResult {
        let! length = if isShort then count key else count (key + key) // PLT404 info
        do! if length > 0 then Ok() else Error "empty"
        return length
    }
