// Layer: blocking. One call on its way through a pool: the function, its context, and the waiter. Owns the rule that
// the waiter continues in its captured context or on the thread pool, never on a thread of the blocking pool.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open Plait

/// Where a call stands. Written under the lock of its pool.
module internal CallState =
    [<Literal>]
    let New = 0

    [<Literal>]
    let Queued = 1

    /// A thread has it: its cancellation is its own business from here on.
    [<Literal>]
    let Taken = 2

    [<Literal>]
    let Cancelled = 3

/// A call in its pool. It is a link of the queue too, so a cancelled call leaves the queue at once.
[<AbstractClass; AllowNullLiteral>]
type internal BlockingCall() =

    [<DefaultValue(false)>]
    val mutable Next: BlockingCall

    [<DefaultValue(false)>]
    val mutable Previous: BlockingCall

    [<DefaultValue(false)>]
    val mutable State: int

    /// When it was queued, by the stopwatch; 0: nobody measures.
    [<DefaultValue(false)>]
    val mutable QueuedAt: int64

    /// The pool that has it.
    [<DefaultValue(false)>]
    val mutable Owner: IBlockingCalls

    [<DefaultValue(false)>]
    val mutable Registration: CancellationTokenRegistration

    /// Makes the call and hands over its result or its exception. `own` is the context of a thread on which nothing
    /// has run. Never throws.
    abstract Run: own: ExecutionContext -> unit

    /// Ends it without the call, on the thread pool. Never throws.
    abstract Fail: error: exn -> unit

/// A pool, for its calls.
and [<AllowNullLiteral>] internal IBlockingCalls =

    /// Takes the call out of the queue, if it is there.
    abstract Cancel: call: BlockingCall -> unit

/// A call with its result.
[<AbstractClass>]
type internal BlockingCall<'T>(work: Func<'T>, context: ExecutionContext | null) =
    inherit BlockingCall()
    // the function until it is called, which may hold much and so is not kept; then its error, or null
    let mutable content: obj | null = work
    let mutable value = Unchecked.defaultof<'T>

    static let invoke =
        ContextCallback(fun state -> (Unsafe.As<BlockingCall<'T>> state).Invoke())

    member private call.Invoke() =
        let work = Unsafe.As<Func<'T>> content
        content <- null

        try
            value <- work.Invoke()
        with failure ->
            content <- failure

    /// Its outcome: its error, or null and the value.
    member _.Error: exn | null = Unsafe.As<exn> content

    member _.Value = value

    /// Completes the caller's operation, on the thread pool.
    abstract Settle: unit -> unit

    member private call.HandOver() =
        ThreadPool.UnsafeQueueUserWorkItem(call, false) |> ignore

    override call.Run own =
        // a caller whose flow is suppressed has captured none: a value that the call sets must not stay on the thread
        // for the next one
        let context =
            match context with
            | null -> own
            | context -> context

        ExecutionContext.Run(context, invoke, call)
        call.HandOver()

    override call.Fail failure =
        content <- failure
        call.HandOver()

    interface IThreadPoolWorkItem with
        member call.Execute() = call.Settle()

/// The strand of a call: a continuation that its call runs, with the result of the call.
[<Sealed>]
type internal BlockingNode<'T>() =
    inherit Continuation<'T>()

    [<DefaultValue(false)>]
    val mutable Call: BlockingCall<'T> | null

    override node.Run() =
        let call = nonNull node.Call
        node.Call <- null

        match call.Error with
        | null -> Strand<'T>.Of call.Value
        | error -> Strand<'T>.Failed error

/// A call whose caller has a strand.
[<Sealed>]
type internal StrandCall<'T>(work: Func<'T>, context: ExecutionContext | null) =
    inherit BlockingCall<'T>(work, context)
    let node = BlockingNode<'T>()
    do node.Close()

    member _.Strand = Strand<'T>.From node

    override call.Settle() =
        node.Call <- call
        node.Step()

/// A call whose caller has a pooled ValueTask with its result.
[<Sealed>]
type internal ValueTaskCall<'T>(work: Func<'T>, context: ExecutionContext | null) =
    inherit BlockingCall<'T>(work, context)
    let source = PooledValueTaskSource<'T>.Create()

    member _.Task = source.Task

    override call.Settle() =
        match call.Error with
        | null -> source.TrySetResult call.Value |> ignore
        | error -> source.TrySetException error |> ignore

/// A call whose caller has a pooled ValueTask without a result.
[<Sealed>]
type internal ActionCall(work: Action, context: ExecutionContext | null) =
    inherit BlockingCall<unit>(Func<unit>(work.Invoke), context)
    let source = PooledValueTaskSource.Create()

    member _.Task = source.Task

    override call.Settle() =
        match call.Error with
        | null -> source.TrySetResult() |> ignore
        | error -> source.TrySetException error |> ignore
