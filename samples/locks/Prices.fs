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

    let prices = ConcurrentDictionary<string, AsyncLazy<int>>()

    // the new price takes the place of the old one when it is there
    let renew (name: string) (token: CancellationToken) =
        pooledTask {
            try
                token.ThrowIfCancellationRequested()
                let fresh = price name
                let! _ = fresh.WaitAsync token
                prices[name] <- fresh
                return None
            with error when not token.IsCancellationRequested ->
                return Some(name, error)
        }

    /// The price. The token ends this wait; others that wait for the same price go on.
    member _.Get(name: string, token: CancellationToken) : Task<int> =
        prices.GetOrAdd(name, price).WaitAsync token

    /// Loads every price anew, one refresh at a time, and gives the names that failed with their errors: these keep their old prices.
    member _.Refresh(token: CancellationToken) : Task<(string * exn) list> =
        pooledTask {
            use! _ = refreshing.Enter token
            let! failures = prices.Keys |> Task.mapThrottled 4 (fun name -> renew name token)
            return List.choose id (List.ofArray failures)
        }
