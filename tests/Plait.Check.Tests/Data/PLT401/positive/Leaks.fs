// Writes to an AsyncLocal that may stay with the caller.
module PLT401.Positive.Leaks

open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private user = AsyncLocal<string>()
let private depth = AsyncLocal<int>()

let inAStrand (name: string) =
    Plait.Unsafe.strand {
        user.Value <- name // PLT401 warning
        let! n = count name
        return n + 1
    }

let inAValueTask (name: string) =
    Plait.Unsafe.valueTask {
        user.Value <- name // PLT401 warning
        let! n = count name
        return n + 1
    }

let inAPooledValueTask () =
    Plait.Unsafe.pooledValueTask {
        depth.Value <- depth.Value + 1 // PLT401 warning
        let! n = count "a"
        return n + 1
    }

let inAPooledTaskUnit (name: string) =
    Plait.Unsafe.pooledTaskUnit {
        user.Value <- name // PLT401 warning
        do! save name
    }

let afterAnAwait (name: string) =
    Plait.Unsafe.strand {
        let! n = count name
        user.Value <- name // PLT401 warning
        return n + 1
    }

let inABranch (name: string) (verbose: bool) =
    Plait.Unsafe.Bare.strand {
        if verbose then
            user.Value <- name // PLT401 warning

        let! n = count name
        return n + 1
    }

module Opened =
    open Plait.Unsafe

    let byOpen (name: string) =
        strand {
            user.Value <- name // PLT401 warning
            let! n = count name
            return n + 1
        }

type Scope() =
    let current = AsyncLocal<int>()

    member _.Enter() =
        Plait.Unsafe.valueTask {
            current.Value <- 1 // PLT401 warning
            let! n = count "a"
            return n + current.Value
        }
