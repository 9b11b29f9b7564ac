// Each element is used once.
module PLT101.Negative.Collections

open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs
open Plait

let ofAList (reads: ValueTask<int> list) =
    task {
        for read in reads do
            let! _ = read
            ()

        printfn $"{reads.Length}"
    }

let ofPairs (reads: (ValueTask<int> * int) list) =
    task {
        for read, number in reads do
            let! length = read
            printfn $"{length + number}"
    }

let ofADictionary (reads: Dictionary<int, ValueTask<int>>) =
    task {
        for KeyValue(_, read) in reads do
            let! _ = read
            ()
    }

let onOneOfTwoWays (reads: ValueTask<int> list) (quick: bool) =
    task {
        if quick then
            for read in reads do
                let! _ = read
                ()
        else
            for read in reads do
                let! _ = read
                ()
    }

let lookedAtFirst (reads: ValueTask<int> list) =
    task {
        for read in reads do
            if not read.IsCompleted then
                printfn "pending"

        for read in reads do
            let! _ = read
            ()
    }

let twoPlaces (reads: ValueTask<int>[]) =
    task {
        let! first = reads[0]
        let! second = reads[1]
        return first + second
    }

let private made () = seq { for name in [ "a"; "b" ] -> fetch name }

/// A sequence makes others each time.
let ofASequence () =
    task {
        let reads = made ()

        for read in reads do
            let! _ = read
            ()

        for read in reads do
            let! _ = read
            ()
    }

let madeAgain (names: string list) =
    task {
        let mutable reads = [ for name in names -> fetch name ]

        for read in reads do
            let! _ = read
            ()

        reads <- [ for name in names -> fetch name ]

        for read in reads do
            let! _ = read
            ()
    }

let twoHeads (reads: ValueTask<int> list) =
    task {
        let! first = reads.Head
        let! second = reads.Tail.Head
        return first + second
    }
