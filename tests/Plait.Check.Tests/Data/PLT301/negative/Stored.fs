// Tasks that stay in a collection or a cell, where other code finds them.
module PLT301.Negative.Stored

open System.Collections.Concurrent
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Support.Jobs

type Holder() =
    let mutable last: Task = Task.CompletedTask
    let mutable first: Task<int> = Unchecked.defaultof<_>
    let counts = ConcurrentDictionary<string, Task<int>>()
    let owned = ConditionalWeakTable<obj, Task<int>>()

    member _.Swap() =
        task { Interlocked.Exchange(&last, save "a") |> ignore }

    member _.SwapIfFree() =
        task { Interlocked.CompareExchange(&last, save "a", null) |> ignore }

    member _.Set() = task { Volatile.Write(&last, save "a") }

    member _.Once() =
        task { LazyInitializer.EnsureInitialized(&first, (fun () -> count "a")) |> ignore }

    member _.Warm(key: string) =
        task { counts.GetOrAdd(key, (fun key -> count key)) |> ignore }

    member _.WarmWithoutABlock(key: string) =
        counts.GetOrAdd(key, (fun key -> count key)) |> ignore

    member _.WarmValue(key: string) =
        task { counts.GetOrAdd(key, count key) |> ignore }

    member _.Renew(key: string) =
        counts.AddOrUpdate(key, (fun key -> count key), (fun _ old -> old)) |> ignore

    member _.WarmIntoNothing(key: string) =
        task {
            let _ = counts.GetOrAdd(key, (fun key -> count key))
            return ()
        }

    member _.Own(owner: obj) =
        task { owned.GetValue(owner, (fun _ -> count "a")) |> ignore }
