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

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

module internal Phase =
    [<Literal>]
    let Open = 0

    [<Literal>]
    let Claimed = 1

    [<Literal>]
    let Done = 2

    [<Literal>]
    let Mask = 3

    [<Literal>]
    let NextGeneration = 4

type private Flags = ValueTaskSourceOnCompletedFlags

/// One pooled operation. A ValueTask over it is consumed once; see `IValueTaskSource`. The BCL checks four times in each
/// wait whether the object of a ValueTask is a Task. Each check walks the whole chain of base classes, so the chain is short.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type PooledSource<'T>() =
    inherit Frame()

    [<DefaultValue(false)>]
    val mutable internal state: int

    /// null; while claimed: the waiter's, unless a Task stands for the operation.
    [<DefaultValue(false)>]
    val mutable internal continuation: Action<obj>

    /// A Task stands for the operation: set before the claim, by the only holder of the operation at that time.
    [<DefaultValue(false)>]
    val mutable internal settles: bool

    [<DefaultValue(false)>]
    val mutable internal waiterState: obj | null

    [<DefaultValue(false)>]
    val mutable internal waiterScheduler: obj | null

    [<DefaultValue(false)>]
    val mutable internal waiterContext: ExecutionContext

    [<DefaultValue(false)>]
    val mutable internal failure: UntakenError

    [<DefaultValue(false)>]
    val mutable internal result: 'T

    /// Used only while a Task stands for this operation.
    [<DefaultValue(false)>]
    val mutable internal promise: AsyncTaskMethodBuilder<'T>

    /// Drops the machine: its locals must not live until the result is taken.
    abstract ClearMachine: unit -> unit

    /// Back to the pool.
    abstract Recycle: unit -> unit

    member internal source.Token = int16 (source.state >>> 2)

    member internal source.IsDone = Atomic.Read &source.state &&& Phase.Mask = Phase.Done

    member internal source.ThrowUnlessCurrent(token: int16) =
        if int16 (Atomic.Read &source.state >>> 2) <> token then
            Misuse.ConsumedTwice()

    member private source.SettleTask() =
        let value = source.result
        let failure = source.failure
        let mutable promise = source.promise
        source.promise <- Unchecked.defaultof<_>
        source.state <- (source.state &&& ~~~Phase.Mask) + Phase.NextGeneration
        source.Reset()

        if isNull failure then promise.SetResult value else promise.SetException(failure.Take())

    /// The continuation of a waiter that has claimed this operation and is about to write it.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private source.AwaitContinuation() : Action<obj> =
        let mutable found = Atomic.ReadItem &source.continuation
        let mutable spin = SpinWait()

        while isNull found do
            Atomic.Spin &spin
            found <- Atomic.ReadItem &source.continuation

        found

    /// Publishes completion. After Done is visible, the object may serve another operation, so this code does not access it again.
    /// `inStep`: this is the end of a machine's step, which restores the thread's contexts; the waiter need not do it too.
    /// `elsewhere`: the waiter does not run inside.
    member private source.Signal(inStep: bool, elsewhere: bool) =
        let word = source.state

        if
            word &&& Phase.Mask <> Phase.Open
            || Atomic.CompareExchange(&source.state, word ||| Phase.Done, word) <> word
        then
            if source.settles then
                source.settles <- false
                source.SettleTask()
            else
                let written = Atomic.ReadItem &source.continuation
                let continuation = if isNull written then source.AwaitContinuation() else written

                let waiter =
                    Waiter(continuation, source.waiterState, source.waiterScheduler, source.waiterContext)

                source.continuation <- null
                source.waiterState <- null
                source.waiterScheduler <- null
                source.waiterContext <- null
                Atomic.Write(&source.state, (word &&& ~~~Phase.Mask) ||| Phase.Done)

                if elsewhere then
                    waiter.RunElsewhere()
                else
                    let frame = waiter.Frame

                    if inStep && not (isNull frame) && RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                        frame.Continue()
                    else
                        waiter.Run()

    /// A wrong token and a second waiter are called on the pool: their GetResult throws, in their own method. To throw
    /// from here would end the process, because the BCL's builders do not expect it.
    member internal source.Subscribe(continuation: Action<obj>, state: obj, token: int16, flags: Flags) =
        let scheduler =
            if flags &&& Flags.UseSchedulingContext <> Flags.None then
                SchedulingContext.Current()
            else
                null

        let context =
            if flags &&& Flags.FlowExecutionContext <> Flags.None then
                ExecutionContext.Capture()
            else
                null

        let waiter = Waiter.Of(continuation, state, scheduler, context)
        let word = Atomic.Read &source.state

        if
            int16 (word >>> 2) = token
            && word &&& Phase.Mask = Phase.Open
            && Atomic.CompareExchange(&source.state, word ||| Phase.Claimed, word) = word
        then
            source.waiterState <- waiter.State
            source.waiterScheduler <- scheduler
            source.waiterContext <- context
            Atomic.WriteItem(&source.continuation, waiter.Continuation)
        elif isNull scheduler then
            waiter.Queue() // completed meanwhile, or a misuse: the waiter finds out which
        else
            waiter.Run()

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

    /// The one consumer of this use of the object: when it returns, no other thread can reach the object.
    member internal source.Consume(token: int16) =
        let word = Atomic.Read &source.state

        if int16 (word >>> 2) <> token then
            Misuse.ConsumedTwice()

        if word &&& Phase.Mask <> Phase.Done then
            Misuse.NotCompleted()

        let next = (word &&& ~~~Phase.Mask) + Phase.NextGeneration

        // only a consumption changes the word of a completed operation
        if Atomic.CompareExchange(&source.state, next, word) <> word then
            Misuse.ConsumedTwice()

    /// Ends the operation. `inStep`: see `Signal`.
    member internal source.Complete(value: 'T, inStep: bool) =
        source.result <- value
        source.context <- null
        source.ClearMachine()
        source.Signal(inStep, false)

    member internal source.Fail(error: exn, inStep: bool) =
        source.failure <- UntakenError.Of error
        source.context <- null
        source.ClearMachine()
        source.Signal(inStep, false)

    /// Ends an operation without a machine. The waiter does not run inside: it neither delays the completing thread
    /// nor grows its stack.
    member internal source.CompleteElsewhere(value: 'T) =
        source.result <- value
        source.Signal(false, true)

    /// As `CompleteElsewhere`, with an error.
    member internal source.FailElsewhere(error: exn) =
        source.failure <- UntakenError.Of error
        source.Signal(false, true)

    member private source.Reset() =
        source.result <- Unchecked.defaultof<'T>
        source.failure <- null
        source.Recycle()

    member private source.TakeResult(token: int16) : 'T =
        source.Consume token
        let value = source.result
        let failure = source.failure
        source.Reset()

        if not (isNull failure) then
            Rethrow.Throw(failure.Take())

        value

    /// A Task in place of the ValueTask, made before anybody can complete the operation.
    member internal source.Promise() : Task<'T> =
        let mutable promise = AsyncTaskMethodBuilder<'T>.Create()
        let task = promise.Task
        source.promise <- promise
        source.settles <- true
        source.state <- source.state ||| Phase.Claimed
        task

    /// A Task in place of the ValueTask. The caller is the only holder of this operation.
    member internal source.ToTask() : Task<'T> =
        let mutable promise = AsyncTaskMethodBuilder<'T>.Create()
        let task = promise.Task
        source.promise <- promise

        if not (source.SubscribeSelf()) then
            source.SettleTask()

        task

    member private source.Status(token: int16) =
        source.ThrowUnlessCurrent token

        if not source.IsDone then
            ValueTaskSourceStatus.Pending
        else
            match source.failure with
            | null -> ValueTaskSourceStatus.Succeeded
            | failure when (failure.Error :? OperationCanceledException) -> ValueTaskSourceStatus.Canceled
            | _ -> ValueTaskSourceStatus.Faulted

    interface IValueTaskSource<'T> with
        member source.GetStatus token = source.Status token
        member source.GetResult token = source.TakeResult token

        member source.OnCompleted(continuation, state, token, flags) =
            source.Subscribe(continuation, state, token, flags)

    interface IValueTaskSource with
        member source.GetStatus token = source.Status token
        member source.GetResult token = source.TakeResult token |> ignore

        member source.OnCompleted(continuation, state, token, flags) =
            source.Subscribe(continuation, state, token, flags)
