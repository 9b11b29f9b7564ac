// Strands that are given away as obj.
module PLT402.Positive.Objects

open System
open System.Reflection
open Support.Jobs
open Plait

let boxed () = box (spun "a") // PLT402 info

let upcast' () = spun "a" :> obj // PLT402 info

let boxedByName () =
    let work = spun "a"
    printfn "started"
    box work // PLT402 info

let asAnArgument (format: obj -> string) =
    format (spun "a") // PLT402 info

let byReflection (method: MethodInfo) (target: obj) =
    let work = spun "a"
    method.Invoke(target, [| box work |]) // PLT402 info

let formatted () = sprintf "%A" (spun "a") // PLT402 info

let printed () = printfn "%d %O" 1 (spun "a") // PLT402 info

let interpolated () = $"""{spun "a"}""" // PLT402 info

let asText () = string (spun "a") // PLT402 info
