// Layer: frames. Where a waiter must continue, decided in one place.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal Captured =

    /// The SynchronizationContext or TaskScheduler that a waiter must go back to; null, which is usual, where there is
    /// none. The rule is the BCL's: a context of the base class itself counts as none.
    static member Scheduler() : obj | null =
        let context = SynchronizationContext.Current

        if not (isNull context) && context.GetType() <> typeof<SynchronizationContext> then
            context
        else
            let scheduler = TaskScheduler.Current

            if obj.ReferenceEquals(scheduler, TaskScheduler.Default) then null else scheduler
