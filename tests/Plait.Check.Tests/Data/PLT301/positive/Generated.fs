// Operations of a sequence that nothing enumerates, and of a list that nothing awaits.
module PLT301.Positive.Generated

open Support.Jobs

let neverEnumerated () =
    task { Seq.init 3 (fun _ -> save "a") |> ignore } // PLT301 warning

let neverAwaited () =
    task { List.init 3 (fun _ -> save "a") |> ignore } // PLT301 warning
