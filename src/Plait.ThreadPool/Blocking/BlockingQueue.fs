// Layer: blocking. The calls that wait for a thread, oldest first. Used under the lock of its pool.
namespace Plait.Kernel

[<Sealed>]
type internal BlockingQueue() =
    let mutable first: BlockingCall = null
    let mutable last: BlockingCall = null
    let mutable count = 0

    member _.Count = count

    member _.Add(call: BlockingCall) =
        call.State <- CallState.Queued
        call.Previous <- last

        if isNull last then first <- call else last.Next <- call

        last <- call
        count <- count + 1

    member _.Remove(call: BlockingCall) =
        if isNull call.Previous then first <- call.Next else call.Previous.Next <- call.Next

        if isNull call.Next then last <- call.Previous else call.Next.Previous <- call.Previous

        call.Next <- null
        call.Previous <- null
        count <- count - 1

    /// The oldest; null: there is none.
    member queue.Take() : BlockingCall =
        let call = first

        if not (isNull call) then
            queue.Remove call

        call
