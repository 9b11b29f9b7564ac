// Values that block when they are called, enumerated, computed or disposed: found where that happens.
module PLT202.Positive.Deferred

open System
open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

// Sequences

let private rows () =
    seq {
        for row in 1..3 do
            Thread.Sleep 5
            yield row
    }

let inALoop () =
    task {
        for row in rows () do // PLT202 warning
            printfn $"{row}"
    }

let byAFunction () = task { return rows () |> Seq.sum } // PLT202 warning

let throughAMap () =
    async { return rows () |> Seq.map (fun row -> row + 1) |> Seq.toArray } // PLT202 warning

let byLinq () = task { return (rows ()).ToList() } // PLT202 warning

let byAString () = task { return String.Join(",", rows ()) } // PLT202 warning

let inAList () = task { return [ yield! rows () ] } // PLT202 warning

let ofItsOwn (names: string list) =
    task {
        let lengths =
            seq {
                for name in names do
                    yield (count name).Result
            }

        return Seq.sum lengths // PLT202 warning
    }

let private lines (path: string) =
    seq {
        use reader = new System.IO.StringReader(path)

        while reader.Peek() >= 0 do
            Thread.Sleep 1
            yield reader.ReadLine()
    }

let withAResource (path: string) = task { return lines path |> Seq.length } // PLT202 warning

let copied (path: string) = task { return ResizeArray(lines path) } // PLT202 warning

let generated () =
    task { return Seq.init 3 (fun _ -> (count "a").Result) |> Seq.sum } // PLT202 warning

// Lazy values

let private table = lazy ((count "a").Result)

let private settings = Lazy<int>(fun () -> (count "a").Result)

let forced () = task { return table.Force() } // PLT202 warning

let readOnce () = task { return settings.Value } // PLT202 warning

// Functions in values

type Operations = { Load: string -> int; Name: string }

let private operations = { Load = (fun name -> (count name).Result); Name = "jobs" }

let private makeOperations () = { Load = (fun name -> (count name).Result); Name = "jobs" }

let ofARecord () = task { return operations.Load "a" } // PLT202 warning

let ofARecordThatIsMade () = task { return (makeOperations ()).Load "a" } // PLT202 warning

let private composed = count >> (fun job -> job.Result)

let private waitForAll = List.iter (fun (job: Task) -> job.Wait())

let private run (f: string -> int) = f "a"

let pointFree () = task { return composed "a" } // PLT202 warning

let partlyApplied (jobs: Task list) = task { waitForAll jobs } // PLT202 warning

let passedOn () = task { return run composed } // PLT202 warning

let private pair = (fun () -> (count "a").Result), 1

let ofAPair () = task { return (fst pair) () } // PLT202 warning

// Dispose

type Connection() =
    interface IDisposable with
        member _.Dispose() = (save "end").Wait()

let private connect () = new Connection()

let disposed () =
    task {
        use connection = new Connection() // PLT202 warning
        do! Task.Delay 1
    }

let disposedInAStrand () =
    strand {
        use connection = connect () // PLT202 warning
        return 1
    }

let disposedByHand () =
    async {
        let connection = new Connection()
        (connection :> IDisposable).Dispose() // PLT202 warning
    }

// Members behind an interface or a base class

type IStore =
    abstract Load: unit -> int
    abstract Size: int

type Store() =
    interface IStore with
        member _.Load() = (count "a").Result
        member _.Size = (count "a").Result

type Base() =
    abstract Load: unit -> int
    default _.Load() = (count "a").Result

let ofAKnownClass () =
    task {
        let store = Store() :> IStore
        return store.Load() + store.Size // PLT202 warning, PLT202 warning
    }

/// All that implement it block.
let ofAnInterface (store: IStore) = task { return store.Load() } // PLT202 warning

let ofABase (store: Base) = task { return store.Load() } // PLT202 warning

let composedOfAParameter (load: string -> Task<int>) =
    let length = load >> _.Result
    task { return [ "a" ] |> List.map length |> List.sum } // PLT202 warning
