// Layer: pools. The pool of the kernel's own small objects, such as joins, branches and races. Whoever has finished
// with an item clears it before returning it.
namespace Plait.Kernel

/// As many small objects as state machines.
[<AbstractClass; Sealed>]
type internal SmallObjectSettings =
    interface IPoolSettings with
        static member Capacity = 4096
        static member ItemBytes = 96

[<AbstractClass; Sealed>]
type internal SmallObjectPool<'Item when 'Item: not struct and 'Item: null and 'Item: (new: unit -> 'Item)> =

    /// A kept item, or a new one.
    static member Rent() : 'Item =
        match ThreadCachedPool<'Item, SmallObjectSettings>.Rent() with
        | null -> new 'Item()
        | item -> item

    static member Return(item: 'Item) =
        ThreadCachedPool<'Item, SmallObjectSettings>.Return item
