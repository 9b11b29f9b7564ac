// The argument rules out the branch that blocks.
module PLT202.Negative.Cases

open System.Threading

type Source =
    | Project of string
    | Script of string
    | Folder

let private load (source: Source) =
    match source with
    | Project path -> path.Length
    | Script text ->
        Thread.Sleep 100
        text.Length
    | Folder ->
        Thread.Sleep 10
        0

let private loadIf (isSlow: bool) =
    if isSlow then
        Thread.Sleep 100

    1

let private loadUnless (isFast: bool) =
    if not isFast then
        Thread.Sleep 100

    1

let private pause (time: int option) =
    match time with
    | Some milliseconds -> Thread.Sleep milliseconds
    | None -> ()

let rec private again (source: Source) =
    match source with
    | Folder -> again (Script "")
    | Script _ -> Thread.Sleep 10
    | Project _ -> ()

let reads () = task { return load (Project "a") }
let isFast () = task { return loadIf false + loadUnless true }
let noPause () = task { pause None }
let noTurn () = task { again (Project "a") }
