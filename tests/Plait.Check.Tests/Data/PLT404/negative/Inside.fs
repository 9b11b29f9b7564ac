// What stands inside the braces, what the compiler leaves nothing of, and builders that make no method.
module PLT404.Negative.Inside

open System
open System.Threading.Tasks
open Support.Jobs
open Plait
open Plait.RuntimeAsync

let inside (key: string) =
    task {
        ArgumentNullException.ThrowIfNull key
        let upper = key.ToUpperInvariant()
        return! count upper
    }

let nothingBefore (key: string) = valueTask { return key.Length }

type Order = { Key: string; Count: int }

let aName (key: string) =
    let other = key
    let limit = 100

    task {
        let! length = count other
        return min limit length
    }

let aLocalFunction (order: Order) =
    let more number = number + order.Count

    valueTask {
        let! length = fetch order.Key
        return more length
    }

let behind (key: string) =
    let job = task { return key.Length }
    job.ContinueWith(fun (job: Task<int>) -> job.Result)

let another (key: string) =
    let upper = key.ToUpperInvariant()
    strand { return upper.Length }

let ofAsync (key: string) =
    let upper = key.ToUpperInvariant()
    async { return upper.Length }

let once = task { return 1 }

// A block that takes nothing from outside is a closure that is made once.

let nothingTaken (key: string) =
    ArgumentNullException.ThrowIfNull key
    valueTask { return 0 }

let nothingTakenInBranches (key: string) =
    if key = "" then task { return 0 } else task { return 1 }

let limit = 7

let aConstantIsTaken (key: string) =
    let other = 5
    if key = "" then count key else task { return limit + other }

let onlyOneBranchHasBraces (found: string option) =
    match found with
    | Some key -> count key
    | None ->
        task {
            let! length = count ""
            return length + limit
        }

type Ready() =
    member _.Find(key: string) =
        if key = "" then task { return 0 } else count key

// What the compiler moves or leaves out.

let aComputedConstant (key: string) =
    let limit = 100 * 2
    valueTask { return limit + key.Length }

let aRecord (key: string) =
    let order = { Key = key; Count = 1 }

    valueTask {
        let! length = count order.Key
        return { order with Count = length }
    }

let aTupleTakenApart (key: string) (number: int) =
    let first, second = key, number
    valueTask { return first.Length + second }

let anEmptyList (key: string) =
    let rest: string list = []
    valueTask { return key.Length + rest.Length }

let calls (key: string) (isShort: bool) =
    if isShort then count key else count (key + key)

// Local functions that stay methods, or have no method of their own.

let aRecursiveFunctionInside (prefix: string) (key: string) =
    task {
        let rec find (key: string) =
            task {
                let! length = count (prefix + key)
                return length + 1
            }

        let! first = find key
        let! second = find (key + key)
        return first + second
    }

let aFunctionWithoutABlock (prefix: string) (key: string) =
    task {
        let find (key: string) = count (prefix + key)
        return! find key
    }

let aStepInside (prefix: string) (key: string) =
    task {
        let find (key: string) =
            step {
                let! length = count (prefix + key)
                return length + 1
            }

        let! first = find key
        return first
    }

let aStepOffContext (prefix: string) (key: string) =
    NonAffine.task {
        let find (key: string) =
            NonAffine.step {
                let! length = count (prefix + key)
                return length + 1
            }

        let! length = find key
        return length
    }

let aFunctionThatTakesNothing (key: string) =
    task {
        let find () = task { return 1 }
        let! first = find ()
        return first + key.Length
    }

let ofAnotherBuilder (prefix: string) (key: string) =
    task {
        let find (key: string) = strand { return key.Length + prefix.Length }
        return find key
    }

let aNamedBlockBehindAStatement (key: string) =
    ArgumentNullException.ThrowIfNull key

    let rec find () =
        task {
            let! length = count key
            return length + 1
        }

    find ()

// Awaits in the branches, and conditionals that make no Task of their own.

let returnInBranches (key: string option) =
    task {
        match key with
        | Some key -> return! count key
        | None -> return! count ""
    }

let aConditionalInAStep (key: string) (isShort: bool) =
    task {
        let! length =
            step {
                if isShort then
                    return! count key
                else
                    return! count (key + key)
            }

        return length
    }

let ofValueTasks (key: string) (isShort: bool) =
    valueTask {
        let! length = if isShort then fetch key else fetch (key + key)
        return length
    }

let ofTheBcl (isShort: bool) =
    taskUnit { do! if isShort then Task.Delay 1 else Task.CompletedTask }

let ofValues (first: Task<int>) (second: Task<int>) (isShort: bool) =
    task {
        let! length = if isShort then first else second
        return length
    }

let ofAnArgument (key: string) (isShort: bool) =
    task {
        let! length = count (if isShort then key else key + key)
        return length
    }

let inAnotherBuilder (key: string) (isShort: bool) =
    strand {
        let! length = if isShort then count key else count (key + key)
        return length
    }

let overResults (key: string) =
    valueTaskResult {
        ArgumentNullException.ThrowIfNull key
        let! length = fetch key
        and! other = count key
        do! if length > other then Error "long" else Ok()
        return length
    }

let startedByAName (key: string) =
    taskResult {
        let rec second () =
            valueTaskResult {
                let! length = fetch key
                return length + 1
            }

        let! first = count key
        and! second = second ()
        return first + second
    }
