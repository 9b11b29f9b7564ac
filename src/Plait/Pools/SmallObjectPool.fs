// Layer: pools. The pool of the kernel's own small objects: what joins, branches and races are kept in between two uses.
// An item comes back cleared, by whoever has finished with it.
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
