// Layer: frames. The pool of a type, one for the process: `Overflow` alone, or with a shelf per thread in front. Owns the
// rule that a pool is known to the diagnostics and to its trimmer from its first use on.
namespace Plait.Kernel

#nowarn "3261" // null: nothing is kept

open System
open System.Runtime.CompilerServices
open FSharp.Core // its DefaultValue, not the one above

/// The shared pool of a type of item.
[<AbstractClass; Sealed>]
type internal Overflow<'Item, 'Kind when 'Item: not struct and 'Item: null and 'Kind :> IPooledKind> =
    static let shared =
        let pool = Overflow<'Item>('Kind.Capacity, 'Kind.ItemBytes)
        Pools.Add pool
        PlaitEventSource.Shared |> ignore
        PlaitMeter.Started |> ignore
        Trimmer.Watch pool
        pool

    static member Shared = shared

/// The same with a shelf per thread in front: what a thread returns it mostly rents again itself.
[<AbstractClass; Sealed>]
type internal Pooled<'Item, 'Kind when 'Item: not struct and 'Item: null and 'Kind :> IPooledKind> =
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private shelf: Shelf<'Item>

    /// An item, or null where none is kept.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Rent() : 'Item =
        let shelf = Pooled<'Item, 'Kind>.shelf
        let item = if isNull shelf then null else shelf.Take()
        if isNull item then Pooled<'Item, 'Kind>.RentElsewhere shelf else item

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private RentElsewhere(shelf: Shelf<'Item>) : 'Item =
        if isNull shelf then
            Overflow<'Item, 'Kind>.Shared.Rent()
        else
            Overflow<'Item, 'Kind>.Shared.RentFor shelf

    /// Keeps the item, or lets go of one where as many are kept as may be. The caller has the item to itself and forgets it.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Return(item: 'Item) =
        let shelf = Pooled<'Item, 'Kind>.shelf

        if isNull shelf || not (shelf.TryPut item) then
            Pooled<'Item, 'Kind>.ReturnElsewhere(shelf, item)

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private ReturnElsewhere(shelf: Shelf<'Item>, item: 'Item) =
        if not (isNull shelf) then
            Overflow<'Item, 'Kind>.Shared.ReturnFrom(shelf, item)
        else
            let shelf = Overflow<'Item, 'Kind>.Shared.Shelves.Make()
            Pooled<'Item, 'Kind>.shelf <- shelf
            shelf.TryPut item |> ignore
