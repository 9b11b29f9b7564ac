// Layer: pools. The pool of a type, one for the process: the shared pool alone, or with a cache per thread in front. Owns
// the rule that a pool is registered for diagnostics and trimming at its first use.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// The shared pool of a type of item.
[<AbstractClass; Sealed>]
type internal SharedPool<'Item, 'Settings
    when 'Item: not struct and 'Item: null and 'Settings :> IPoolSettings> =
    static let shared =
        let pool = SharedPool<'Item>('Settings.Capacity, 'Settings.ItemBytes)
        PoolRegistry.Add pool
        PlaitEventSource.Shared |> ignore
        PlaitMeter.Started |> ignore
        PoolTrimmer.Watch pool
        pool

    static member Shared = shared

/// The same with a cache per thread in front: a thread mostly rents the items again that it returned.
[<AbstractClass; Sealed>]
type internal ThreadCachedPool<'Item, 'Settings
    when 'Item: not struct and 'Item: null and 'Settings :> IPoolSettings> =
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private cache: ThreadCache<'Item>

    /// An item, or null where none is kept.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Rent() : 'Item =
        let cache = ThreadCachedPool<'Item, 'Settings>.cache
        let item = if isNull cache then null else cache.Take()
        if isNull item then ThreadCachedPool<'Item, 'Settings>.RentElsewhere cache else item

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private RentElsewhere(cache: ThreadCache<'Item>) : 'Item =
        if isNull cache then
            SharedPool<'Item, 'Settings>.Shared.Rent()
        else
            SharedPool<'Item, 'Settings>.Shared.RentFor cache

    /// Keeps the item, or drops one if the pool is full. Nobody but the caller has the item, and the caller must not use it any more.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Return(item: 'Item) =
        let cache = ThreadCachedPool<'Item, 'Settings>.cache

        if isNull cache || not (cache.TryPut item) then
            ThreadCachedPool<'Item, 'Settings>.ReturnElsewhere(cache, item)

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private ReturnElsewhere(cache: ThreadCache<'Item>, item: 'Item) =
        if not (isNull cache) then
            SharedPool<'Item, 'Settings>.Shared.ReturnFrom(cache, item)
        else
            let cache = SharedPool<'Item, 'Settings>.Shared.ThreadCaches.Make()
            ThreadCachedPool<'Item, 'Settings>.cache <- cache
            cache.TryPut item |> ignore
