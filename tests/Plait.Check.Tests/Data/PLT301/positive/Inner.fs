// Operations that an awaited function of the check started and gave back.
module PLT301.Positive.Inner

open System.Threading.Tasks
open Support.Jobs

let private started () = task { return save "a" }

let private startedInTime () =
    task {
        do! Task.Delay 1
        let saving = save "a"
        return saving
    }

let private cold () = async { return send "a" }

let ofATask () =
    task {
        let! _ = started () // PLT301 warning
        return 1
    }

let withAName () =
    task {
        let! saving = startedInTime () // PLT301 warning
        return 1
    }

let ofAnAsync () =
    async {
        let! _ = cold () // PLT301 warning
        return 1
    }

let ofAContinuation () =
    task { do! (save "a").ContinueWith(fun (_: Task) -> save "b") :> Task } // PLT301 warning

let ofAContinuationWithAName () =
    task {
        let! saving = (count "a").ContinueWith(fun (counted: Task<int>) -> save "b") // PLT301 warning
        return 1
    }

let sharedAndIgnored () =
    task {
        (fetch "a").AsTask() |> ignore // PLT301 warning
        return 1
    }

let sharedInTuples (names: string list) =
    task {
        let jobs = [ for name in names -> name, (fetch name).AsTask() ]
        return jobs |> List.map fst // PLT301 warning
    }
