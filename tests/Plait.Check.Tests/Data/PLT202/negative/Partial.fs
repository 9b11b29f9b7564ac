// Functions that block, with fewer arguments than they take; and functions of functions that code only makes.
module PLT202.Negative.Partial

open System
open System.Threading.Tasks
open Support.Jobs

let private add (key: string) (more: int) = (count key).Result + more

let private sum (key: string) = (count key).Result

let private adders = [ add; (fun key more -> key.Length + more) ]

let private named = Map.ofList [ "add", add ]

type Adding = { Add: string -> int -> int }

let private adding = { Add = add }

let fromAList () =
    task {
        let partial = adders |> List.map (fun add -> add "a")
        return! Task.Run(fun () -> partial |> List.sumBy (fun add -> add 1))
    }

let counted () =
    task { return adders |> List.map (fun add -> add "a") |> List.length }

let fromAMap () =
    task {
        let add = named["add"] "a"
        return! Task.Run(fun () -> add 1)
    }

let fromARecord () =
    task {
        let add = adding.Add "a"
        return! Task.Run(fun () -> add 1)
    }

let private logged f =
    fun key ->
        printfn "%s" key
        f key

let onlyMade () =
    task {
        let sum = logged sum
        return sum
    }

let calledOnThePool () =
    task {
        let sum = logged sum
        return! Task.Run(fun () -> sum "a")
    }

type Quiet() =
    interface IDisposable with
        member _.Dispose() = ()

let private closeAll (items: IDisposable list) =
    for item in items do
        item.Dispose()

let private close (item: IDisposable) = item.Dispose()

let closed () =
    task {
        let quiet = new Quiet()
        do! save "a"
        close quiet
    }

let closedAll (items: IDisposable list) = task { closeAll items }
