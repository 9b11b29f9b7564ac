// The braces of a runtime-async builder stand in a branch: their code is a closure, whichever branch is taken.
module PLT404.Positive.Branches

open System
open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let chosen (key: string) (isShort: bool) =
    if isShort then task { return key.Length } else task { return! count key } // PLT404 info

let besideACall (key: string) (isShort: bool) =
    if isShort then // PLT404 info
        count key
    else
        task { return! count (key + key) }

let matched (found: string option) =
    match found with // PLT404 info
    | Some key -> valueTask { return! fetch key }
    | None -> valueTask { return 0 }

let aStatementInABranch (key: string) (number: int) =
    match number with // PLT404 info
    | 0 -> task { return! count key }
    | _ ->
        let upper = key.ToUpperInvariant()
        task { return! count upper }

let raising (number: int) =
    if number < 0 then // PLT404 info
        invalidArg (nameof number) "negative"
    else
        valueTask { return number }

let raisingOnNone (found: string option) =
    match found with // PLT404 info
    | None -> failwith "none"
    | Some key -> valueTask { return! fetch key }

let guarded (number: int option) =
    match number with // PLT404 info
    | Some number when number > 3 -> valueTask { return number }
    | _ -> valueTask { return 0 }

let ofManyBranches (key: string) (number: int) =
    if number > 100 then // PLT404 info
        count "a hundred"
    elif number > 50 then
        count "fifty"
    else
        task { return! count key }

let byType (value: obj) =
    match value with // PLT404 info
    | :? string as key -> task { return! count key }
    | _ -> task { return 0 }

let byAFunction =
    function // PLT404 info
    | Some(key: string) -> valueTask { return! fetch key }
    | None -> valueTask { return 0 }

let behindAName (key: string) (isShort: bool) =
    let other = key
    if isShort then count other else Guarded.task { return! count other } // PLT404 info

let inATry (key: string) =
    try
        task { return! count key } // PLT404 info
    with _ ->
        task { return 0 }

let inAFinally (key: string) =
    try
        task { return! count key } // PLT404 info
    finally
        ignore key

type Service(prefix: string) =
    member _.Find(isShort: bool) =
        if isShort then task { return! count prefix } else task { return 0 } // PLT404 info

    member this.Prefix = prefix

    member this.ByAProperty(isShort: bool) =
        if isShort then task { return! count this.Prefix } else task { return 0 } // PLT404 info

let aStatementAndABranch (key: string) (isShort: bool) =
    ArgumentNullException.ThrowIfNull key // PLT404 info
    if isShort then count key else NonAffine.task { return! count key }

let ofALocalFunction (keys: string list) =
    let find (key: string) =
        if key = "" then count key else task { return! count key } // PLT404 info

    Task.WhenAll(List.map find keys)
