// Work that is lost in plain functions.
module PLT301.Positive.Elsewhere

open System.Threading.Tasks
open Support.Jobs
open Plait

let neverStarted () =
    send "a" |> ignore // PLT301 warning
    printfn "sent?"

let neverStartedStatement () =
    send "a" // PLT301 warning
    printfn "sent?"

let neverStartedName () =
    let _ = later "a" // PLT301 warning
    printfn "sent?"

let pooledIgnored () =
    fetch "a" |> ignore // PLT301 warning
    printfn "read?"

let pooledUnderscore () =
    let _ = flush "a" // PLT301 warning
    printfn "flushed?"

let strandIgnored () =
    spun "a" |> ignore // PLT301 warning
    printfn "spun?"

let hotIgnored () =
    save "a" |> ignore // PLT301 info
    printfn "saving"

let hotIgnoredByName () =
    ignore (count "a") // PLT301 info
    printfn "counting"

let hotOfAType () =
    ignore<Task<int>> (count "a") // PLT301 info
    printfn "counting"

let overwrittenOnAThread () =
    Task.Run<int>(fun () ->
        task {
            let mutable job = count "a" // PLT301 warning
            job <- count "b"
            return! job
        })

let overwrittenInAMap (names: string list) =
    names
    |> List.map (fun name ->
        Task.Run<int>(fun () ->
            task {
                let mutable job = count name // PLT301 warning
                job <- count "b"
                return! job
            }))

let overwrittenInALoop (names: string list) =
    Task.Run(fun () ->
        let mutable job = save "a" // PLT301 info

        for name in names do
            job <- save name

        job)
