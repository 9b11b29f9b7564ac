// Single-use values in places where more than one reader finds them.
module PLT103.Positive.Stores

open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs
open Plait

type Entry = { Key: string; Reading: ValueTask<int> }

type Slot = { mutable Current: ValueTask<int> }

let inAField (slot: Slot) (key: string) =
    slot.Current <- fetch key // PLT103 info

type Cache() =
    let readings = Dictionary<string, ValueTask<int>>()

    member _.Remember(key: string) =
        readings[key] <- fetch key // PLT103 info

let inARecord (key: string) =
    let reading = fetch key
    { Key = key; Reading = reading } // PLT103 info

let inAList (key: string) =
    let reading = fetch key
    [ reading ] // PLT103 info

let inAResizeArray (readings: List<ValueTask<int>>) (key: string) =
    let reading = fetch key
    readings.Add reading // PLT103 info

let inARef (cell: ValueTask<int> ref) =
    let reading = fetch "a"
    cell.Value <- reading // PLT103 info

let inAnOption (key: string) =
    let work = spun key
    Some work // PLT103 info

let inAQueue (queue: ConcurrentQueue<Strand<int>>) (key: string) =
    let work = spun key
    queue.Enqueue work // PLT103 info

let inAnArray (slots: ValueTask<int>[]) (key: string) =
    let reading = fetch key
    slots[0] <- reading // PLT103 info

let storedAndUsed (readings: List<ValueTask<int>>) =
    task {
        let reading = fetch "a"
        readings.Add reading // PLT103 info
        return readings.Count
    }

// Those that stay where the code found or made them

let inADictionary (readings: ConcurrentDictionary<string, ValueTask<int>>) (key: string) =
    readings.GetOrAdd(key, (fun key -> fetch key)) // PLT103 info

let byAFunction
    (readings: ConcurrentDictionary<string, ValueTask<int>>)
    (load: string -> ValueTask<int>)
    (key: string)
    =
    readings.AddOrUpdate(key, load, (fun key _ -> load key)) // PLT103 info

let inALazyValue (load: unit -> ValueTask<int>) = lazy (load ()) // PLT103 info

let inAnObject (load: unit -> ValueTask<int>) =
    System.Lazy<ValueTask<int>>(fun () -> load ()) // PLT103 info

let inATask (read: unit -> ValueTask<int>) = Task.FromResult(read ()) // PLT103 info
