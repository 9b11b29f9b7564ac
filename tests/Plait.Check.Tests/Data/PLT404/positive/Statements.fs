// A statement before the braces of a runtime-async builder makes a closure of what is inside.
module PLT404.Positive.Statements

open System
open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let aLet (key: string) =
    let upper = key.ToUpperInvariant() // PLT404 info
    task { return! count upper }

let aCheck (key: string) =
    ArgumentNullException.ThrowIfNull key // PLT404 info
    valueTask { return! fetch key }

let aTuple (key: string) =
    let first, rest = Math.DivRem(key.Length, 2) // PLT404 info
    taskUnit { do! save (string (first + rest)) }

let aCondition (number: int) =
    if number < 0 then // PLT404 info
        invalidArg (nameof number) "negative"

    NonAffine.task { return number }

let severalAreOne (key: string) =
    let trimmed = key.Trim() // PLT404 info
    let upper = trimmed.ToUpperInvariant()
    Guarded.valueTask { return! fetch upper }

let behindAName (key: string) =
    let other = key
    let upper = other.ToUpperInvariant() // PLT404 info
    backgroundTask { return upper.Length }

type Service(prefix: string) =
    member _.Find(key: string) =
        let whole = prefix + key // PLT404 info
        task { return! count whole }

let ofALocalFunction (keys: string list) =
    let find (key: string) =
        let upper = key.ToUpperInvariant() // PLT404 info
        task { return! count upper }

    Task.WhenAll(List.map find keys)

type Order = { Key: string; Count: int }

let byPattern ({ Key = key; Count = number }: Order) = // PLT404 info
    task {
        let! length = count key
        return length * number
    }

let aField (order: Order) =
    let key = order.Key // PLT404 info
    task { return! count key }

type Name = Name of string

let byPatternOfAUnion (Name key) = task { return! count key } // PLT404 info

let ofAResource (key: string) =
    use _source = new System.Threading.CancellationTokenSource() // PLT404 info
    task { return! count key }

let aFunctionThatCallsItself (key: string) =
    let rec trimmed (key: string) = // PLT404 info
        if key.StartsWith ' ' then trimmed (key.Substring 1) else key

    task { return! count (trimmed key) }

let aFunctionThatLoops (key: string) =
    let total (limit: int) = // PLT404 info
        let mutable sum = 0

        for number in 1..limit do
            sum <- sum + number

        sum

    task { return! count (string (total key.Length)) }

let aTupleThatIsKept (key: string) =
    let pair = key, 1 // PLT404 info

    valueTask {
        let! _ = count key
        return pair
    }

let overResults (key: string) =
    let upper = key.ToUpperInvariant() // PLT404 info

    taskResult {
        let! length = count upper
        do! if length > 0 then Ok() else Error "empty"
        return length
    }

let overResultsGuarded (key: string) =
    ArgumentNullException.ThrowIfNull key // PLT404 info
    Guarded.taskResult { return! fetch key }
