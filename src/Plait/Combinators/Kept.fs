// Layer: combinators. The pool of what combinators wait with: a slot per thread, then `Overflow`. Owns nothing else: an
// item comes back cleared, by whoever has finished with it.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: an empty slot

open System
open FSharp.Core // its DefaultValue

[<AbstractClass; Sealed>]
type internal Kept<'Item when 'Item: not struct and 'Item: null and 'Item: (new: unit -> 'Item)> =

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private ofThread: 'Item

    /// An item, made where none is kept.
    static member Rent() : 'Item =
        let item = Kept<'Item>.ofThread

        if not (isNull item) then
            Kept<'Item>.ofThread <- null
            item
        else
            match Overflow<'Item, SmallKind>.Shared.Rent() with
            | null -> new 'Item()
            | item -> item

    static member Return(item: 'Item) =
        if isNull Kept<'Item>.ofThread then
            Kept<'Item>.ofThread <- item
        else
            Overflow<'Item, SmallKind>.Shared.Return item
