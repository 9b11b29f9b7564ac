// Other members of the same object, objects whose members do not block, and fields that others may set.
module PLT202.Negative.Objects

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

type IClock =
    abstract Now: unit -> int
    abstract Zone: string

type Slow() =
    interface IClock with
        member _.Now() = (count "now").Result
        member _.Zone = string (count "zone").Result

let private clock =
    { new IClock with
        member _.Now() = 1
        member _.Zone = "UTC"
    }

let private mixed =
    { new IClock with
        member _.Now() = (count "now").Result
        member _.Zone = "UTC"
    }

/// All classes in the check that implement it block, and this object does not.
let ofAnObject () = task { return clock.Now() }

let theOtherMember () = task { return mixed.Zone }

let private closing =
    { new IDisposable with
        member _.Dispose() = printfn "closed"
    }

let disposed () =
    task {
        use _ = closing
        do! Task.Delay 1
    }

type Settings(start: string -> Task<int>) =
    let job = lazy (start "settings")
    let mutable read = fun (name: string) -> name.Length
    member _.Set value = read <- value
    member _.Start() =
        task {
            let! size = job.Value
            return size + 1
        }

    member _.Read() = task { return read "a" }

// A class that implements a generic interface, beside others that block

type ICache<'Key, 'Value> =
    abstract Get: 'Key -> 'Value

type Cache() =
    interface ICache<string, int> with
        member _.Get key = key.Length

type BlockingCache(read: string -> Task<int>) =
    interface ICache<string, int> with
        member _.Get key = (read key).Result

let ofAGenericInterface () =
    task {
        let cache = Cache() :> ICache<string, int>
        return cache.Get "a"
    }

let ofAParameter (cache: Cache) = task { return (cache :> ICache<_, _>).Get "a" }

type Link() =
    interface IDisposable with
        member _.Dispose() = printfn "closed"

let disposedParameter (link: Link) = async { (link :> IDisposable).Dispose() }

// A class that implements a generic interface twice, and blocks in one of them

type IStore<'Key> =
    abstract Load: 'Key -> int

type Both() =
    interface IStore<string> with
        member _.Load key = key.Length

    interface IStore<int> with
        member _.Load key = (count (string key)).Result

let ofOneOfTwo (both: Both) = task { return (both :> IStore<string>).Load "a" }

let ofAKnownClass () =
    task {
        let both = Both() :> IStore<string>
        return both.Load "a"
    }

type Wire() =
    interface IDisposable with
        member _.Dispose() = (save "end").Wait()

    interface IAsyncDisposable with
        member _.DisposeAsync() = ValueTask(save "end")

let disposedAsynchronously (wire: Wire) =
    task {
        use _ = wire
        do! Task.Delay 1
    }

let disposedByHand (wire: Wire) = task { do! (wire :> IAsyncDisposable).DisposeAsync() }
