// The library's pools, one set for each world instead of one for the process: a schedule finds nothing that an earlier one
// has left. Compiled in place of the library's file of this name.
namespace Plait.Kernel

open System.Collections.Generic

open Plait.Explorer

/// What a world keeps of one type: one place, where every thread returns and rents. No step of its own: what the caches do
/// is explored by itself.
[<Sealed>]
type internal Stock<'Item when 'Item: not struct and 'Item: null>() =
    let items = Stack<'Item>()

    member _.Rent() : 'Item =
        if items.Count > 0 then items.Pop() else null

    member _.Return(item: 'Item) = items.Push item

    member _.All = List.ofSeq items

/// The pool of a type without caches, with few places.
[<AbstractClass; Sealed>]
type internal SharedPool<'Item, 'Settings
    when 'Item: not struct and 'Item: null and 'Settings :> IPoolSettings> =
    static member Shared = Explorer.Owner.Own(fun () -> SharedPool<'Item>(2, 0))

[<AbstractClass; Sealed>]
type internal ThreadCachedPool<'Item, 'Settings
    when 'Item: not struct and 'Item: null and 'Settings :> IPoolSettings> =
    static member Stock = Explorer.Owner.Own(fun () -> Stock<'Item>())

    static member Rent() : 'Item =
        ThreadCachedPool<'Item, 'Settings>.Stock.Rent()

    static member Return(item: 'Item) =
        ThreadCachedPool<'Item, 'Settings>.Stock.Return item
