// Uses by functions that are defined inside, and by callbacks.
module PLT101.Positive.Closures

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let byALocalFunction () =
    task {
        let reading = fetch "a"
        let toTask () = reading.AsTask()
        let! first = toTask ()
        let! second = reading // PLT101 warning
        return first + second
    }

let byALambda () =
    let reading = fetch "a"
    let start = fun (extra: int) -> reading.AsTask().ContinueWith(fun (read: Task<int>) -> read.Result + extra)
    let first = start 1
    let second = reading.AsTask() // PLT101 warning
    Task.WhenAll(first, second)

let byAManyTimesCallback (keys: string list) =
    let reading = fetch "a"
    keys |> List.map (fun _ -> reading.AsTask()) // PLT101 warning

let byAnArrayCallback () =
    let work = spun "a"
    Array.init 3 (fun _ -> work.AsTask()) // PLT101 warning

let byAnUnknownCallback (subscribe: (unit -> Task<int>) -> unit) =
    let reading = fetch "a"
    subscribe (fun () -> reading.AsTask()) // PLT101 info

let afterACallbackOnce () =
    task {
        let reading = fetch "a"
        let gate = obj ()
        let first = lock gate (fun () -> reading.AsTask())
        let! second = reading // PLT101 warning
        let! value = first
        return value + second
    }

let inANestedBlock () =
    task {
        let reading = fetch "a"

        let inner =
            task {
                let! n = reading
                return n + 1
            }

        let! outer = reading // PLT101 warning
        let! value = inner
        return outer + value
    }

let nestedDeeper () =
    backgroundTask {
        let work = spun "a"

        let! first =
            strand {
                let! x =
                    valueTask {
                        let! y = work
                        return y
                    }

                return x
            }

        let! second = work // PLT101 warning
        return first + second
    }

let optionMap (label: string option) =
    task {
        let reading = fetch "a"
        let early = label |> Option.map (fun _ -> reading.AsTask()) // PLT301 warning
        let! total = reading // PLT101 info
        return early.IsSome, total
    }

let runByTheThreadPool () =
    task {
        let reading = fetch "a"
        let! first = Task.Run<int>(fun () -> reading.AsTask())
        let! second = reading // PLT101 warning
        return first + second
    }

let byALocalFunctionTwice () =
    task {
        let reading = fetch "a"
        let toTask () = reading.AsTask()
        let! first = toTask ()
        let! second = toTask () // PLT101 warning
        return first + second
    }

let byALocalTaskTwice (reading: ValueTask<int>) =
    task {
        let inner () = task { return! reading }
        let! first = inner ()
        let! second = inner () // PLT101 warning
        return first + second
    }

let byRecursion (reading: ValueTask<int>) =
    task {
        let rec go n =
            task {
                let! number = reading // PLT101 warning
                if n > 0 then return! go (n - 1) else return number
            }

        return! go 3
    }

let returnedByAFunctionOfTheResult (read: unit -> ValueTask<int>) : unit -> ValueTask<int> =
    let reading = read ()
    fun () -> reading // PLT101 info

let awaitedByAFunctionOfTheResult () : unit -> Task<int> =
    let reading = fetch "a"
    fun () -> task { return! reading } // PLT101 info

let keptInACell () =
    task {
        let reading = ref (fetch "a")
        let! first = reading.Value
        let! second = reading.Value // PLT101 warning
        reading.Value <- fetch "b"
        let! third = reading.Value
        return first + second + third
    }
