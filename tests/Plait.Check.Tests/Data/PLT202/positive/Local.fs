// Functions that are written outside of the computation expression, and texts: the call is the place, with the chain.
module PLT202.Positive.Local

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs

type Ports = { Load: string -> int; Now: unit -> DateTime }

let private live = { Load = (fun key -> key.Length); Now = fun () -> DateTime.UtcNow }

let inARecord () =
    let ports = { live with Load = fun key -> (count key).Result }
    task { return ports.Load "a" } // PLT202 warning

let aLocalFunction () =
    let load key = (count key).Result
    async { return load "a" } // PLT202 warning

let throughAnother () =
    let load key = (count key).Result
    let twice key = load key + load key
    task { return twice "a" } // PLT202 warning

let overAList (keys: string list) =
    let load key = (count key).Result
    task { return keys |> List.map load } // PLT202 warning

let ofADeclaration () =
    let pause () = Thread.Sleep 1
    let twice () =
        pause ()
        pause ()

    task { twice () } // PLT202 warning

type Slow() =
    override _.ToString() =
        Thread.Sleep 1
        "slow"

let toText (value: Slow) = task { return value.ToString() } // PLT202 warning

let byAFunction (value: Slow) = task { return string value } // PLT202 warning

let ofAll (values: Slow list) = task { return values |> List.map string } // PLT202 warning

let interpolated (value: Slow) = task { return $"{value}" } // PLT202 warning

type Failure(key: string) =
    inherit Exception()
    override _.Message = string (count key).Result

let ofAProperty (failure: Failure) = task { return failure.Message } // PLT202 warning

let private ticks () =
    Seq.delay (fun () ->
        Thread.Sleep 1
        Seq.singleton 1)

let aSequenceByHand () = task { return ticks () |> Seq.toList } // PLT202 warning

let aSequenceHere () =
    task { return Seq.delay (fun () -> Thread.Sleep 1; Seq.empty<int>) |> Seq.length } // PLT202 warning

let aLambdaOfAFunctionOutside (keys: string list) =
    let all () = keys |> List.map (fun key -> (count key).Result)
    task { return all () } // PLT202 warning

let outsideInsideOutside () =
    let load key = (count key).Result
    let attempt f = try f () with _ -> f ()

    task {
        return
            attempt (fun () ->
                load "a") // PLT202 warning
    }
