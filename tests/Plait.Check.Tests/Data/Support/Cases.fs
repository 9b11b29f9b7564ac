// Functions that block in some cases of their argument.
module Support.Cases

open System.Threading

type Source =
    | Project of string
    | Script of string
    | Folder

let load (source: Source) =
    match source with
    | Project path -> path.Length
    | Script text ->
        Thread.Sleep 100
        text.Length
    | Folder ->
        Thread.Sleep 10
        0

let loadIf (isSlow: bool) =
    if isSlow then
        Thread.Sleep 100

    1

let loadUnless (isFast: bool) =
    if not isFast then
        Thread.Sleep 100

    1

let pause (time: int option) =
    match time with
    | Some milliseconds -> Thread.Sleep milliseconds
    | None -> ()

let rec again (source: Source) =
    match source with
    | Folder -> again (Script "")
    | Script _ -> Thread.Sleep 10
    | Project _ -> ()
