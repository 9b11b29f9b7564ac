// Writes that end with their block, and reads.
module PLT401.Negative.Restored

open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private user = AsyncLocal<string>()

let inAStrand (name: string) =
    strand {
        user.Value <- name
        let! n = count name
        return n + 1
    }

let inAValueTask (name: string) =
    valueTask {
        user.Value <- name
        let! n = count name
        return n + 1
    }

let inATask (name: string) =
    task {
        user.Value <- name
        let! n = count name
        return n + 1
    }

let readOnly () =
    Plait.Unsafe.strand {
        let name = user.Value
        let! n = count name
        return n + 1
    }

let beforeTheBlock (name: string) =
    user.Value <- name

    Plait.Unsafe.strand {
        let! n = count name
        return n + 1
    }

let inASafeOneInside (name: string) =
    Plait.Unsafe.strand {
        let! n =
            valueTask {
                user.Value <- name
                let! n = count name
                return n * 2
            }

        return n + 1
    }

type Holder() =
    member val Value = "" with get, set

let notAnAsyncLocal (holder: Holder) =
    Plait.Unsafe.strand {
        holder.Value <- "a"
        let! n = count holder.Value
        return n + 1
    }

let otherThread () =
    Plait.Unsafe.strand {
        do! Task.Run(fun () -> user.Value <- "inside")
        let! n = count "a"
        return n + 1
    }
