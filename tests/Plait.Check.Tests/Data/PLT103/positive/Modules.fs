// Values of modules: each function that reads one gets the same operation.
module PLT103.Positive.Modules

open System.Threading.Tasks
open Support.Jobs
open Plait

let private reading = fetch "a" // PLT103 info

let private total: Strand<int> = strand { return! count "a" } // PLT103 info

let read () = task { return! reading }

let complete = ValueTask<int> 5

let shared = (fetch "b").AsTask()

type Reading() =
    static member Fresh = fetch "c"
    member _.Own = fetch "d"
