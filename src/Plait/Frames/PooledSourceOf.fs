// Layer: frames. A pooled operation with its result: what a ValueTask points to, or what settles a Task.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

/// One pooled operation. A ValueTask over it is consumed once; see `IValueTaskSource`.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>]
type PooledSource<'T>() =
    inherit PooledSource()

    [<DefaultValue(false)>]
    val mutable internal result: 'T

    /// Used only while a Task stands for this operation.
    [<DefaultValue(false)>]
    val mutable internal promise: AsyncTaskMethodBuilder<'T>

    /// Drops the machine: its locals must not live until the result is taken.
    abstract ClearMachine: unit -> unit

    /// Back to the pool.
    abstract Recycle: unit -> unit

    member internal source.Complete(value: 'T) =
        source.result <- value
        source.context <- null
        source.ClearMachine()
        source.Signal()

    member internal source.Fail(error: exn) =
        source.error <- error
        source.context <- null
        source.ClearMachine()
        source.Signal()

    member private source.Reset() =
        source.result <- Unchecked.defaultof<'T>
        source.error <- null
        source.Recycle()

    member private source.TakeResult(token: int16) : 'T =
        source.Consume token
        let value = source.result
        let error = source.error
        source.Reset()

        if not (isNull error) then
            ExceptionDispatchInfo.Throw error

        value

    override source.SettleTask() =
        let value = source.result
        let error = source.error
        let mutable promise = source.promise
        source.promise <- Unchecked.defaultof<_>
        source.state <- (source.state &&& ~~~Phase.Mask) + Phase.NextGeneration
        source.Reset()

        if isNull error then promise.SetResult value else promise.SetException error

    /// A Task in place of the ValueTask, made before anybody can complete the operation.
    member internal source.Promise() : Task<'T> =
        let mutable promise = AsyncTaskMethodBuilder<'T>.Create()
        let task = promise.Task
        source.promise <- promise
        source.settles <- true
        source.state <- source.state ||| Phase.Claimed
        task

    /// A Task in place of the ValueTask. The caller is the only one that knows this operation.
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
            match source.error with
            | null -> ValueTaskSourceStatus.Succeeded
            | :? OperationCanceledException -> ValueTaskSourceStatus.Canceled
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
