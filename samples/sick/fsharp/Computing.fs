// Nothing blocks, and still orders wait: each takes a tenth of a second of a processor, and there are more of them than
// processors. More threads would not help; less work, or more processors, would.
// doctor: CPU-BOUND
module Sick.Routes

open System.Runtime.CompilerServices

[<MethodImpl(MethodImplOptions.NoInlining)>]
let plan (order: int) =
    let mutable best = uint32 order

    for step in 1u .. 60_000_000u do
        best <- best * 1664525u + step

    best

let start () = Load.backlog (plan >> ignore)
