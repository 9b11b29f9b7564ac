// Layer: frames. The completion protocol of one pooled operation: one writer, one waiter, one consumer. Owns the
// invariant that a handle from an earlier use can neither change nor see a later one.
//
// One word carries it, `state` = generation * 4 + phase; the low 16 bits of the generation are the ValueTask's token.
//   subscribe  open -> claimed by compare-and-swap; then the waiter's fields; the delegate is written last
//   complete   open -> done by compare-and-swap; or, claimed: take the waiter, then done, then call it
//   consume    done -> the next generation, open, by compare-and-swap
// Every step names the generation it means, so that a late one fails. A claim is followed by a handful of plain stores:
// for those few instructions a completion that meets it spins.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks.Sources

type private Flags = ValueTaskSourceOnCompletedFlags

/// One pooled operation, without the type of its result.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>]
type PooledSource() =
    inherit Frame()

    [<DefaultValue(false)>]
    val mutable internal state: int

    /// null; while claimed: the waiter's Action<obj>, unless a Task stands for the operation.
    [<DefaultValue(false)>]
    val mutable internal continuation: obj | null

    /// A Task stands for the operation: set before the claim, by the only one who knows of the operation then.
    [<DefaultValue(false)>]
    val mutable internal settles: bool

    [<DefaultValue(false)>]
    val mutable internal waiterState: obj | null

    [<DefaultValue(false)>]
    val mutable internal waiterScheduler: obj | null

    [<DefaultValue(false)>]
    val mutable internal waiterContext: ExecutionContext

    [<DefaultValue(false)>]
    val mutable internal error: exn

    abstract SettleTask: unit -> unit

    member internal source.Token = int16 (source.state >>> 2)

    member internal source.IsDone = Atomic.Read &source.state &&& Phase.Mask = Phase.Done

    member internal source.ThrowUnlessCurrent(token: int16) =
        if int16 (Atomic.Read &source.state >>> 2) <> token then
            Misuse.ConsumedTwice()

    /// The continuation of whoever has claimed this operation; it is about to be written, if it is not there yet.
    member private source.Continuation() : obj =
        let mutable found = Atomic.ReadItem &source.continuation

        if isNull found then
            let mutable spin = SpinWait()

            while isNull found do
                Atomic.Spin &spin
                found <- Atomic.ReadItem &source.continuation

        found

    /// Publishes completion. Once Done shows, the object may serve another operation: it is not touched again.
    member internal source.Signal() =
        let word = source.state

        if
            word &&& Phase.Mask <> Phase.Open
            || Atomic.CompareExchange(&source.state, word ||| Phase.Done, word) <> word
        then
            if source.settles then
                source.settles <- false
                source.SettleTask()
            else
                let found = source.Continuation()
                source.continuation <- null

                let waiter =
                    Waiter(
                        Unsafe.As<Action<obj>> found,
                        source.waiterState,
                        source.waiterScheduler,
                        source.waiterContext
                    )

                source.waiterState <- null
                source.waiterScheduler <- null
                source.waiterContext <- null
                Atomic.Write(&source.state, (word &&& ~~~Phase.Mask) ||| Phase.Done)
                waiter.Run()

    /// A wrong token and a second waiter are called on the pool: their GetResult throws, in their own method. To throw
    /// from here would end the process, because the BCL's builders do not expect it.
    member internal source.Subscribe(continuation: Action<obj>, state: obj, token: int16, flags: Flags) =
        let scheduler =
            if flags &&& Flags.UseSchedulingContext <> Flags.None then Captured.Scheduler() else null

        let context =
            if flags &&& Flags.FlowExecutionContext <> Flags.None then
                ExecutionContext.Capture()
            else
                null

        let word = Atomic.Read &source.state

        if
            int16 (word >>> 2) = token
            && word &&& Phase.Mask = Phase.Open
            && Atomic.CompareExchange(&source.state, word ||| Phase.Claimed, word) = word
        then
            source.waiterState <- state
            source.waiterScheduler <- scheduler
            source.waiterContext <- context
            Atomic.WriteItem(&source.continuation, continuation)
        else
            // completed meanwhile, or a misuse: the waiter finds out which
            let waiter = Waiter(continuation, state, scheduler, context)
            if isNull scheduler then waiter.Queue() else waiter.Run()

    /// Makes this object its own waiter. False: the operation is over.
    member internal source.SubscribeSelf() : bool =
        let word = source.state
        source.settles <- true

        let claimed =
            word &&& Phase.Mask = Phase.Open
            && Atomic.CompareExchange(&source.state, word ||| Phase.Claimed, word) = word

        if not claimed then
            source.settles <- false

        claimed

    /// The one consumer of this use of the object: when it returns, nobody else can reach it.
    member internal source.Consume(token: int16) =
        let word = Atomic.Read &source.state

        if int16 (word >>> 2) <> token then
            Misuse.ConsumedTwice()

        if word &&& Phase.Mask <> Phase.Done then
            Misuse.NotCompleted()

        let next = (word &&& ~~~Phase.Mask) + Phase.NextGeneration

        // nothing but a consumption changes the word of an operation that is done
        if Atomic.CompareExchange(&source.state, next, word) <> word then
            Misuse.ConsumedTwice()
