// A cache over a slow source, with a lazy value for each name, a semaphore and a lock: the code of docs/how-to/locks.md. A test
// runs it.
namespace Plait.Samples

open System.Collections.Concurrent
open System.Threading
open System.Threading.Tasks
open Plait

/// Prices that are loaded once, at most four at the same time.
type Prices(load: string -> Task<int>) =
    let slots = new AsyncSemaphore(4)
    let refreshing = new AsyncLock()

    let loadInSlot (name: string) =
        pooledTask {
            use! _ = slots.Enter()
            return! load name
        }

    // a failure is not kept: the next one that asks loads again
    let price (name: string) =
        AsyncLazy<int>((fun () -> loadInSlot name), LazyFailure.Retry)

    let mutable prices = ConcurrentDictionary<string, AsyncLazy<int>>()

    /// The price. The token ends this wait; others that wait for the same price go on.
    member _.Get(name: string, token: CancellationToken) : Task<int> =
        prices.GetOrAdd(name, price).WaitAsync token

    /// Loads every price anew. Those that read get the old ones until all are there; one refresh runs at a time.
    member _.Refresh(token: CancellationToken) : Task =
        pooledTaskUnit {
            use! _ = refreshing.Enter token
            let fresh = ConcurrentDictionary<string, AsyncLazy<int>>()

            for name in prices.Keys do
                token.ThrowIfCancellationRequested()
                let value = price name
                let! _ = value
                fresh[name] <- value

            prices <- fresh
        }
