// Values in pairs and collections.
module PLT101.Positive.Collections

open System.Threading.Tasks
open Support.Jobs
open Plait

let ofAPair () =
    task {
        let pair = fetch "a", 2
        let! first = fst pair
        let! again = fst pair // PLT101 warning
        return first + again
    }

let ofAList (reads: ValueTask<int> list) =
    task {
        for read in reads do
            let! _ = read
            ()

        for read in reads do
            let! _ = read // PLT101 warning
            ()
    }

let ofAnArray (reads: ValueTask<int>[]) =
    task {
        let! _ = Task.WhenAll(reads |> Array.map _.AsTask())

        for read in reads do
            let! _ = read // PLT101 warning
            ()
    }

let mappedTwice (reads: ValueTask<int> list) =
    task {
        let first = reads |> List.map (fun read -> read.AsTask())
        let again = reads |> List.map (fun read -> read.AsTask()) // PLT101 warning
        let! _ = Task.WhenAll(first @ again)
        return ()
    }

let onePlace (reads: ValueTask<int>[]) =
    task {
        let! first = reads[0]
        let! again = reads[0] // PLT101 warning
        return first + again
    }

/// Each attempt uses the same value.
let attempts (policy: RetryPolicy) (read: ValueTask<int>) =
    task { return! Task.retry policy (fun _ _ -> task { return! read }) } // PLT101 warning

let inTimeAndAgain (read: ValueTask<int>) =
    task {
        let! first = Task.withTimeout (System.TimeSpan.FromSeconds 1.) (fun _ -> read.AsTask())
        let! again = read // PLT101 warning
        return first + again
    }

let headOfAList (read: unit -> ValueTask<int>) =
    task {
        let reads = [ read () ] // PLT103 info
        let! first = reads.Head
        let! again = List.head reads // PLT101 warning
        return first + again
    }

let contentOfAnOption (read: ValueTask<int> option) =
    task {
        let! first = read.Value
        let! again = read.Value // PLT101 warning
        return first + again
    }

let placeOfAMap (reads: Map<int, ValueTask<int>>) =
    task {
        let! first = reads[1]
        let! again = reads[1] // PLT101 warning
        return first + again
    }
