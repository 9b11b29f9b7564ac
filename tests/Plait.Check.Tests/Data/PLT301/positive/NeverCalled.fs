// Functions that would start an operation: dropped, they never run.
module PLT301.Positive.NeverCalled

open System.Threading.Tasks
open Support.Jobs
open Plait

let private prepared (key: string) = coldTask { return! count key }

let writtenOut () =
    coldTask { return! count "a" } |> ignore // PLT301 warning

let ofAFunction () =
    task {
        prepared "a" |> ignore // PLT301 warning
        return 1
    }

let neverLookedAt () =
    task {
        let job = prepared "a" // PLT301 warning
        return 1
    }

let asALambda () = (fun () -> save "a") |> ignore // PLT301 warning

/// It handles its own failures, and nobody waits for its end.
let aChildThatCatches () =
    async {
        let! _ =
            Async.StartChild( // PLT301 info
                async {
                    try
                        do! send "a"
                    with e ->
                        printfn $"{e.Message}"
                }
            )

        return ()
    }
