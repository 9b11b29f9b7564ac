// A result that is read before anything says that it is there.
module PLT103.Positive.Results

open System.Threading.Tasks
open Support.Jobs
open Plait
open Ply

let read (key: string) =
    let reading = fetch key
    reading.Result // PLT103 warning

let readByAwaiter (key: string) =
    let flushing = flush key
    flushing.GetAwaiter().GetResult() // PLT103 warning

let readAParameter (reading: ValueTask<int>) = reading.Result + 1 // PLT103 warning

let readAStrand (key: string) =
    let work = spun key
    work.Result // PLT103 warning

let readInTheWrongBranch (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then
        0
    else
        reading.Result // PLT103 warning

let readAfterTheGuard (reading: ValueTask<int>) (verbose: bool) =
    if verbose then
        printfn $"{reading.IsCompleted}"

    reading.Result // PLT103 warning

let readPly (rows: Ply<int>) = rows.Result * 2 // PLT103 warning
