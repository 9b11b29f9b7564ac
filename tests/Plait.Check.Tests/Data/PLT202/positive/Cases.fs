// The argument leads to a branch that blocks, or may.
module PLT202.Positive.Cases

open System.Threading
open Support.Cases

let private both (isSlow: bool) =
    if isSlow then
        Thread.Sleep 10

    if not isSlow then
        Thread.Sleep 20

let private behind (source: Source) =
    match source with
    | Project _ -> Thread.Sleep 10
    | _ -> ()

    Thread.Sleep 20

let private inHandler (isSlow: bool) =
    try
        if isSlow then
            Thread.Sleep 10
    with _ ->
        Thread.Sleep 20

let private either (a: bool) (b: bool) =
    if a || b then
        Thread.Sleep 10

let reads () =
    task { return load (Script "a") } // PLT202 warning

let folder () =
    task { return load Folder } // PLT202 warning

let any (source: Source) =
    task { return load source } // PLT202 warning

let isSlow () =
    task { return loadIf true } // PLT202 warning

let isNotFast () =
    task { return loadUnless false } // PLT202 warning

let aPause () =
    task { pause (Some 3) } // PLT202 warning

let aTurn () =
    task { again Folder } // PLT202 warning

let first () =
    task { both true } // PLT202 warning

let second () =
    task { both false } // PLT202 warning

let after () =
    task { behind Folder } // PLT202 warning

let handled () =
    task { inHandler false } // PLT202 warning

let one () =
    task { either false true } // PLT202 warning
