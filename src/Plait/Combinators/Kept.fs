// Layer: combinators. The pool of what combinators wait with: a shelf per thread, then `Overflow`. Owns nothing else: an
// item comes back cleared, by whoever has finished with it.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: an empty slot

[<AbstractClass; Sealed>]
type internal Kept<'Item when 'Item: not struct and 'Item: null and 'Item: (new: unit -> 'Item)> =

    /// An item, made where none is kept.
    static member Rent() : 'Item =
        match Pooled<'Item, SmallKind>.Rent() with
        | null -> new 'Item()
        | item -> item

    static member Return(item: 'Item) = Pooled<'Item, SmallKind>.Return item
