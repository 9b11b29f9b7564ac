// The frames under stress: nested, of every kind, suspending in different ways. What goes in comes out, or fails in the
// one way that its number calls for.
module Plait.Stress.Frames

open System
open System.Threading
open System.Threading.Tasks

open Plait

/// The end that a number must have.
type Ending =
    | Succeeds
    | Fails
    | Cancelled

/// One in seven fails, one in eleven is cancelled.
let ending (n: int) =
    if n % 7 = 0 then Fails
    elif n % 11 = 0 then Cancelled
    else Succeeds

exception Seven of int

/// Throws if a number must not succeed.
let meet (n: int) (token: CancellationToken) =
    match ending n with
    | Fails -> raise (Seven n)
    | Cancelled -> raise (OperationCanceledException token)
    | Succeeds -> ()

let leaf (n: int) (token: CancellationToken) : ValueTask<int> =
    pooledValueTask {
        do! Task.Yield()
        meet n token

        if n % 3 = 0 then
            do! Task.Yield()

        return n
    }

let private unitLeaf (n: int) : ValueTask =
    pooledValueTaskUnit {
        if n % 2 = 0 then
            do! Task.Yield()
    }

let strandLeaf (n: int) (token: CancellationToken) : Strand<int> =
    strand {
        let! value = leaf n token
        do! unitLeaf n
        return value
    }

let private text (n: int) : ValueTask<string> =
    pooledValueTask {
        do! unitLeaf (n + 1)
        return string n
    }

/// Runs a number through all frames; counts in `ended` that its finally ran.
let run (n: int) (token: CancellationToken) (ended: int[]) : ValueTask<struct (int * string)> =
    pooledValueTask {
        try
            let! value = if n % 2 = 0 then leaf n token else (strandLeaf n token).AsValueTask()

            and! words = text n

            let! again = strand { return! leaf value token }
            do! unitLeaf again
            return struct (again, words)
        finally
            ended[0] <- ended[0] + 1
    }
