// The same mistake in other libraries' builders.
module PLT101.Positive.Builders

open System.Threading.Tasks
open Support.Jobs
open Plait
open Ply
open IcedTasks
open FsToolkit.ErrorHandling

let cancellable () =
    cancellableTask {
        let reading = fetch "a"
        let! first = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let private checkedFetch (key: string) : ValueTask<Result<int, string>> = ValueTask<Result<int, string>>(Ok key.Length)

let results () =
    taskResult {
        let reading = checkedFetch "a"
        let! first = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let plyBranches (deep: bool) =
    uply {
        let rows = uply { return 3 }
        let! first = rows

        if deep then
            let! again = rows // PLT101 warning
            return again
        else
            return first
    }

let plyLoop (keys: string list) =
    uply {
        let rows = uply { return 3 }

        for key in keys do
            let! n = rows // PLT101 warning
            printfn $"{key} {n}"

        return ()
    }

let insideAsync () =
    async {
        let reading = fetch "a"
        let! first = reading.AsTask() |> Async.AwaitTask
        let! second = reading.AsTask() |> Async.AwaitTask // PLT101 warning
        return first + second
    }

let unsafeStrand () =
    Plait.Unsafe.strand {
        let work = spun "a"
        let! first = work
        printfn $"{first}"
        return! work // PLT101 warning
    }

type Reader() =
    let prefix = "a"

    member _.Twice() =
        valueTask {
            let reading = fetch prefix
            let! first = reading
            let! second = reading // PLT101 warning
            return first + second
        }
