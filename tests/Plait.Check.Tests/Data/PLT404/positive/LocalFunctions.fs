// A local function whose body is a runtime-async block, inside the braces of another one.
module PLT404.Positive.LocalFunctions

open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let calledTwice (prefix: string) (key: string) =
    task {
        let find (key: string) = task { return! count (prefix + key) } // PLT404 info
        let! first = find key
        let! second = find (key + key)
        return first + second
    }

let calledOnce (prefix: string) (key: string) =
    valueTask {
        let find (key: string) = valueTask { return! fetch (prefix + key) } // PLT404 info
        return! find key
    }

let inALoop (keys: string list) =
    task {
        let mutable total = 0

        for key in keys do
            let find () = task { return! count key } // PLT404 info
            let! first = find ()
            total <- total + first

        return total
    }

let behindAnAwait (key: string) =
    taskUnit {
        let! length = count key
        let store (text: string) = taskUnit { do! save (text + string length) } // PLT404 info
        do! store "a"
        do! store "b"
    }

let asALambda (prefix: string) (key: string) =
    task {
        let find = fun (key: string) -> task { return! count (prefix + key) } // PLT404 info
        return! find key
    }

let inABranch (prefix: string) (key: string) =
    task {
        let find (isShort: bool) = // PLT404 info
            if isShort then // PLT404 info
                count key
            else
                task { return! count (prefix + key) }

        return! find true
    }

type Service(prefix: string) =
    member _.Find(key: string) =
        Guarded.task {
            let find () = Guarded.task { return! count (prefix + key) } // PLT404 info
            return! find ()
        }
