// The cores that a thread may run on, read and set by Linux; calls of it are for Linux only.
module Plait.Common.ThreadCores

open System.Runtime.InteropServices

[<DllImport("libc")>]
extern int private sched_setaffinity(int thread, nativeint size, uint64[] mask)

[<DllImport("libc")>]
extern int private sched_getaffinity(int thread, nativeint size, uint64[] mask)

let private bytes (mask: uint64[]) =
    nativeint (mask.Length * sizeof<uint64>)

/// The cores of a thread by its number, in rising order; 0 is the calling thread. Empty: the system does not list them.
let read (thread: int) : int list =
    // 1,024 cores, the size of the C library's own cpu_set_t.
    let mask = Array.zeroCreate<uint64> 16

    if sched_getaffinity (thread, bytes mask, mask) < 0 then
        []
    else
        [
            for core in 0 .. 64 * mask.Length - 1 do
                if mask[core / 64] &&& (1UL <<< core % 64) <> 0UL then
                    core
        ]

/// Lets a thread run on these cores only; at least one. False: the system does not permit it.
let set (thread: int) (cores: int list) : bool =
    let mask = Array.zeroCreate<uint64>(1 + List.max cores / 64)

    for core in cores do
        mask[core / 64] <- mask[core / 64] ||| (1UL <<< core % 64)

    sched_setaffinity (thread, bytes mask, mask) = 0
