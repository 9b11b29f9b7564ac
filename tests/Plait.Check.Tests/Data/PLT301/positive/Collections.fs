// Operations that a function makes for the elements of a collection, and nobody looks at; and drops of what was made elsewhere.
module PLT301.Positive.Collections

open System.Threading.Tasks
open Support.Jobs
open Plait

let ofAList (names: string list) = task { names |> List.map save |> ignore } // PLT301 warning

let ofAnArray (names: string[]) = task { Array.map save names |> ignore } // PLT301 warning

let neverEnumerated (names: string seq) = task { names |> Seq.map save |> ignore } // PLT301 warning

let ofAnOption (name: string option) = task { name |> Option.map save |> ignore } // PLT301 warning

let ofAValueOption (name: string voption) = task { name |> ValueOption.map save |> ignore } // PLT301 warning

let ofAResult (name: Result<string, exn>) = task { name |> Result.map save |> ignore } // PLT301 warning

let neverStarted (names: string list) = async { names |> List.map send |> ignore } // PLT301 warning

let neverLookedAt (names: string list) =
    task {
        let jobs = names |> List.map save // PLT301 warning
        return names.Length
    }

let underscore (names: string[]) =
    task {
        let _ = Array.map save names // PLT301 warning
        return ()
    }

let byALambda (names: string list) =
    names |> List.mapi (fun index name -> count $"{index} {name}") |> ignore // PLT301 info

let computed (names: string list) =
    task { [ for name in names -> save name ] |> ignore } // PLT301 warning

let bothOfAPair () = task { (count "a", count "b") |> ignore } // PLT301 warning, PLT301 warning

let seenAsObject () = task { ignore (count "a" :> obj) } // PLT301 warning

/// Where it is dropped, and not where its function is defined.
let byALocalFunction () =
    task {
        let loop () =
            task {
                while true do
                    do! Task.Delay 1000
            }

        do! Task.Delay 1
        loop () |> ignore // PLT301 warning
    }

let byALocalFunctionAndAName () =
    let start (name: string) = task { do! save name }
    let _ = start "a" // PLT301 info
    ()

let byANameFurtherUp () =
    task {
        let job = count "a"
        printfn "it runs"
        job |> ignore // PLT301 warning
    }

// What an await gives, and runs already.

let aChild () =
    async {
        let! _ = Async.StartChild(send "a") // PLT301 warning
        return ()
    }

let aChildWithAName () =
    async {
        let! child = Async.StartChild(later "a") // PLT301 warning
        do! Async.Sleep 1
    }

let aTaskInATask () =
    task {
        let! _ = task { return save "a" } // PLT301 warning
        return ()
    }

let aTaskStartedInATask () =
    task {
        let! _ = Task.Factory.StartNew(fun () -> save "a") // PLT301 warning
        return ()
    }

let anAsyncInAnAsync () =
    async {
        let! _ = async { return send "a" } // PLT301 warning
        return ()
    }

let aTaskInAnIgnoredAsync () =
    async { do! async { return count "a" } |> Async.Ignore } // PLT301 warning

let anIgnoredChild () =
    async { do! Async.StartChild(later "a") |> Async.Ignore } // PLT301 warning

// More forms

let ofOneOfTwoWays (isFirst: bool) = task { (if isFirst then count "a" else count "b") |> ignore } // PLT301 warning

let ofOneCase (number: int) =
    task {
        (match number with
         | 1 -> save "a" // PLT301 warning
         | _ -> save "b")
        |> ignore
    }

let oneOfAPair () =
    task {
        let first, _ = count "a", count "b" // PLT301 warning
        return! first
    }

let neverReadVariable () =
    task {
        let mutable job = save "a" // PLT301 warning
        return 1
    }

let seenAsObjectInAPipe () = task { count "a" :> obj |> ignore } // PLT301 warning

let chosen (names: string list) =
    task { names |> List.choose (fun name -> if name = "" then None else Some(save name)) |> ignore } // PLT301 warning

let ofAMap (names: Map<string, string>) = task { names |> Map.map (fun _ name -> save name) |> ignore } // PLT301 warning

let byLinq (names: string[]) =
    task { System.Linq.Enumerable.Select(names, fun name -> save name) |> ignore } // PLT301 warning

/// It loses no failure, and no code waits for its end.
let thatCatches () =
    task {
        task { // PLT301 info
            try
                do! save "a"
            with e ->
                printfn $"{e.Message}"
        }
        |> ignore

        return 1
    }

let writtenOut () = task { [ save "a" ] |> ignore } // PLT301 warning

let writtenOutAndNeverRead () =
    task {
        let jobs = [| save "a" |] // PLT301 warning
        return 1
    }

/// A function that is a parameter, by its name alone.
let ofAParameter (send: string -> Task) (names: string list) = names |> List.map send |> ignore // PLT301 info

let ofAParameterOnce (send: string -> Task<int>) (name: string option) = Option.map send name |> ignore // PLT301 info

let ofAComposition (send: string -> Task) (names: string list) = names |> List.iter (send >> ignore) // PLT301 info

let ofAFunctionInside (names: string list) =
    let send (name: string) = save name
    names |> List.iter (ignore << send) // PLT301 info
