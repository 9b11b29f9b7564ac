// Layer: frames. The second storey of a pool, behind the slot that each thread keeps for itself: a slot per core, then
// a bounded stack. Owns the bound.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Threading

[<Sealed; AllowNullLiteral>]
type internal Overflow<'Item when 'Item: not struct and 'Item: null>() =
    static let shared = Overflow<'Item>()

    // 16 references = 128 bytes apart: two cores never write to one cache line
    let slots: 'Item[] = Array.zeroCreate (Environment.ProcessorCount * 16)
    let stack: 'Item[] = Array.zeroCreate 4096
    let gate = obj ()
    let mutable count = 0

    let slot () =
        (int (uint32 (Thread.GetCurrentProcessorId()) % uint32 Environment.ProcessorCount)) * 16

    /// The one overflow of this type of item.
    static member Shared = shared

    /// An item, or null where none is kept.
    member _.Rent() : 'Item =
        let item = Interlocked.Exchange(&slots[slot ()], null)

        if not (isNull item) || Volatile.Read &count = 0 then
            item
        else
            lock gate (fun () ->
                if count = 0 then
                    null
                else
                    count <- count - 1
                    let item = stack[count]
                    stack[count] <- null
                    item)

    /// Keeps the item, or drops it where 4,096 are kept already.
    member _.Return(item: 'Item) =
        let previous = Interlocked.Exchange(&slots[slot ()], item)

        if not (isNull previous) then
            lock gate (fun () ->
                if count < stack.Length then
                    stack[count] <- previous
                    count <- count + 1)
