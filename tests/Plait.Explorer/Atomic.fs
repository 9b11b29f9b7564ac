// The library's atomics with a place to change threads before each, and with bugs to plant. Compiled in place of the
// library's file of this name.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.Threading

open Plait.Explorer

/// Which atomic operation is torn into a read and a write.
type Planted =
    | Nothing = 0
    | Claim = 1
    | Completion = 2
    | Consumption = 3
    | Slot = 4

[<AbstractClass; Sealed>]
type internal Atomic =
    static member val Plant = Planted.Nothing with get, set

    static member CompareExchange(location: byref<int>, value: int, comparand: int) : int =
        Schedule.Point()

        let step =
            match value &&& 3 with
            | 1 -> Planted.Claim
            | 2 -> Planted.Completion
            | _ -> Planted.Consumption

        if Atomic.Plant = step then
            let found = location
            Schedule.Point()

            if found = comparand then
                location <- value

            found
        else
            Interlocked.CompareExchange(&location, value, comparand)

    static member Exchange<'Item when 'Item: not struct>(location: byref<'Item>, value: 'Item) : 'Item =
        Schedule.Point()

        if Atomic.Plant = Planted.Slot then
            let found = location
            Schedule.Point()
            location <- value
            found
        else
            Interlocked.Exchange<'Item>(&location, value)

    static member Read(location: byref<int>) : int =
        Schedule.Point()
        Volatile.Read &location

    static member ReadItem<'Item when 'Item: not struct>(location: byref<'Item>) : 'Item =
        Schedule.Point()
        Volatile.Read<'Item> &location

    static member Write(location: byref<int>, value: int) =
        Schedule.Point()
        Volatile.Write(&location, value)

    static member WriteItem<'Item when 'Item: not struct>(location: byref<'Item>, value: 'Item) =
        Schedule.Point()
        Volatile.Write<'Item>(&location, value)

    /// Lets another thread go on: a thread that waits does not run for ever.
    static member Spin(_spin: byref<SpinWait>) = Schedule.Wait()
