// Operations in collections, boxes and variables that no code looks at, but for their number.
module PLT301.Positive.Counted

open System.Threading.Tasks
open Support.Jobs
open Plait

let eachIgnored () = task { [ save "a"; save "b" ] |> List.iter ignore } // PLT301 warning

let eachIgnoredInALoop (names: string seq) =
    task {
        for job in Seq.map save names do
            ignore job // PLT301 warning
    }

let eachIgnoredLater (names: string list) =
    task {
        let jobs = names |> List.map save
        printfn "started"
        for job in jobs do ignore job // PLT301 warning
    }

let boxed () = task { save "a" |> box |> ignore } // PLT301 warning

let upcast' () = task { save "a" :> obj |> ignore } // PLT301 warning

let counted (names: string list) = task { return names |> List.map save |> List.length } // PLT301 warning

let countedInAnArray () = task { return [| save "a" |] |> Array.length } // PLT301 warning

let comparedWithNull () = task { return isNull (save "a") } // PLT301 warning

let overwritten () =
    task {
        let mutable job = save "a" // PLT301 warning
        job <- save "b"
        do! job
    }

let overwrittenOnOnePath (again: bool) =
    task {
        let mutable job = save "a" // PLT301 warning
        if again then job <- save "b"
        do! job
    }

let insideAList () =
    task {
        let! _ = task { return [ save "a"; save "b" ] } // PLT301 warning
        return ()
    }

let insideAComputedList () =
    task {
        let! jobs = task { return [ for name in 1..3 -> save (string name) ] } // PLT301 warning
        return ()
    }

let insideOfAll (names: string list) =
    task {
        let! _ = names |> List.map (fun name -> task { return save name }) |> Task.WhenAll // PLT301 warning
        return ()
    }

let insideOfParallel (names: string list) =
    async {
        let! _ = names |> List.map (fun name -> async { return save name }) |> Async.Parallel // PLT301 warning
        return ()
    }

let aChild () =
    async {
        let! child = Async.StartChild(send "a")
        ignore child // PLT301 warning
    }

let anAgentThatEnds () =
    MailboxProcessor<string>.Start(fun inbox ->
        let rec loop () =
            async {
                let! _ = inbox.Receive()
                loop () |> ignore // PLT301 warning
                return ()
            }

        loop ())

let countedByName (names: string list) =
    task {
        let jobs = names |> List.map save // PLT301 warning
        return List.length jobs
    }

let countedInPart (names: string list) = task { return names |> List.map save |> List.truncate 5 |> List.length } // PLT301 warning

let overwrittenBlock () =
    task {
        let mutable job = task { do! Task.Delay 1 } // PLT301 warning
        job <- task { do! Task.Delay 2 }
        do! job
    }

let onlyIsSome (text: string option) =
    task { return text |> Option.map save |> Option.isSome } // PLT301 warning

let onlyIsOk (text: Result<string, string>) =
    task { return text |> Result.map save |> Result.isOk } // PLT301 warning

let onlyIsEmpty (texts: string list) =
    task { return texts |> List.map save |> List.isEmpty } // PLT301 warning
