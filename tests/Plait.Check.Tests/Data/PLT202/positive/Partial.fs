// Functions that block, with all of their arguments, in one call or in several; functions that other functions made; parameters
// that a function disposes; and handlers.
module PLT202.Positive.Partial

open System
open System.Collections.Generic
open System.Threading.Tasks
open Microsoft.AspNetCore.Mvc
open Support.Jobs

let private add (key: string) (more: int) = (count key).Result + more

let private sum (key: string) = (count key).Result

let private adders = [ add; (fun key more -> key.Length + more) ]

let private named = Map.ofList [ "add", add ]

type Adding = { Add: string -> int -> int }

let private adding = { Add = add }

let inAList () =
    task { return adders |> List.map (fun add -> add "a" 1) } // PLT202 warning

let inAMap () = task { return named["add"] "a" 1 } // PLT202 warning

let inTwoCalls () =
    task {
        let add = adding.Add "a"
        return add 1 // PLT202 warning
    }

let private logged f =
    fun key ->
        printfn "%s" key
        f key

let atTheCall () =
    task {
        let sum = logged sum
        return sum "a" // PLT202 warning
    }

let private memo (f: string -> int) : string -> int =
    let known = Dictionary<string, int>()

    fun key ->
        match known.TryGetValue key with
        | true, value -> value
        | _ ->
            let value = f key
            known[key] <- value
            value

let private remembered = memo sum

let ofAModule () = task { return remembered "a" } // PLT202 warning

let private oneOfTwo =
    if Environment.ProcessorCount > 1 then sum else String.length

let ofAChoice () = task { return oneOfTwo "a" } // PLT202 warning

let private choose (isLong: bool) =
    if isLong then sum else String.length

let ofACall () =
    task { return choose true "a" } // PLT202 warning

type Link() =
    interface IDisposable with
        member _.Dispose() = (save "closed").Wait()

let private close (item: IDisposable) = item.Dispose()

let private closing (item: IDisposable) =
    use item = item
    1

let byAParameter () =
    task {
        let link = new Link()
        do! save "a"
        close link // PLT202 warning
    }

let byAUse () =
    task { return closing (new Link()) } // PLT202 warning

type Controller() =
    inherit ControllerBase()

    [<HttpGet>]
    member _.Get() = sum "a" // PLT202 warning

    [<HttpGet>]
    member _.Later() : Task<int> = count "a"
