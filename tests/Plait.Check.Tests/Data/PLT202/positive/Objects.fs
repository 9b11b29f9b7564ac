// Members of object expressions, and values in the fields of classes, that block.
module PLT202.Positive.Objects

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

type IClock =
    abstract Now: unit -> int
    abstract Zone: string

let private clock =
    { new IClock with
        member _.Now() = (count "now").Result
        member _.Zone = "UTC"
    }

let private makeClock (name: string) =
    { new IClock with
        member _.Now() = name.Length
        member _.Zone = $"{(count name).Result}"
    }

let ofAModule () = task { return clock.Now() } // PLT202 warning

let ofAFunction () = task { return (makeClock "a").Zone } // PLT202 warning

let made () =
    let here =
        { new IClock with
            member _.Now() =
                Thread.Sleep 10 // PLT201 warning
                1

            member _.Zone = ""
        }

    task { return here.Now() }

let private closing =
    { new IDisposable with
        member _.Dispose() = (save "end").Wait()
    }

let disposed () =
    task {
        use _ = closing // PLT202 warning
        do! Task.Delay 1
    }

type Settings() =
    let text = lazy ((count "settings").Result)
    let read = count >> (fun job -> job.Result)
    let names = seq { for name in [ "a"; "b" ] -> (count name).Result }
    member _.Text = text.Value
    member _.Read name = read name
    member _.Inside() = task { return text.Value } // PLT202 warning
    member _.ReadInside() = task { return read "a" } // PLT202 warning
    member _.Sum() = task { return Seq.sum names } // PLT202 warning

let ofAClass (settings: Settings) = task { return settings.Text } // PLT202 warning

let ofItsFunction (settings: Settings) = async { return settings.Read "a" } // PLT202 warning

// A class that implements a generic interface: its parameters have other types

type ICache<'Key, 'Value> =
    abstract Get: 'Key -> 'Value

type BlockingCache(read: string -> Task<int>) =
    interface ICache<string, int> with
        member _.Get key = (read key).Result

type Cache() =
    interface ICache<string, int> with
        member _.Get key = key.Length

let ofAGenericInterface () =
    task {
        let cache = BlockingCache count :> ICache<string, int>
        return cache.Get "a" // PLT202 warning
    }

let ofAParameter (cache: BlockingCache) = task { return (cache :> ICache<_, _>).Get "a" } // PLT202 warning

type Link() =
    interface IDisposable with
        member _.Dispose() = (save "end").Wait()

let disposedParameter (link: Link) = async { (link :> IDisposable).Dispose() } // PLT202 warning

let private give (link: Link) = (link :> IDisposable).Dispose()

let givenBack (link: Link) = async { give link } // PLT202 warning

// A class that implements a generic interface twice, and one of its overloads each: which is called is not told

type IStore<'Key> =
    abstract Load: 'Key -> int
    abstract Load: 'Key * int -> int

type Both() =
    interface IStore<string> with
        member _.Load(key: string) = (count key).Result
        member _.Load(key: string, more: int) = (count key).Result + more

    interface IStore<int> with
        member _.Load(key: int) = (count (string key)).Result
        member _.Load(key: int, more: int) = (count (string key)).Result + more

/// Another class, which does not block.
type Neither() =
    interface IStore<string> with
        member _.Load(key: string) = key.Length
        member _.Load(key: string, more: int) = key.Length + more

let ofOneOfTwo (both: Both) = task { return (both :> IStore<string>).Load "a" } // PLT202 warning

let ofAnOverload (both: Both) = task { return (both :> IStore<int>).Load(1, 2) } // PLT202 warning

let ofAKnownClass () =
    task {
        let both = Both() :> IStore<string>
        return both.Load "a" // PLT202 warning
    }

/// By hand the synchronous one runs, also if there is another.
type Wire() =
    interface IDisposable with
        member _.Dispose() = (save "end").Wait()

    interface IAsyncDisposable with
        member _.DisposeAsync() = ValueTask(save "end")

let disposedByHand (wire: Wire) = task { (wire :> IDisposable).Dispose() } // PLT202 warning
