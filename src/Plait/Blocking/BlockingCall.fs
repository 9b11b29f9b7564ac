// Layer: blocking. One call on its way through a pool: what is called, in which context, and who waits for it. Owns the rule
// that whoever waits goes on where it came from or on the thread pool, never on a thread of the blocking pool.
namespace Plait.Kernel

open System
open FSharp.Core // its DefaultValue, not the one above
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

/// A call, as its pool sees it: a link of the queue too, so that a cancelled one leaves it at once.
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

    /// Makes the call and hands over what came of it. `own` is the context of a thread on which nothing has run. Never throws.
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
    let mutable work = work
    let mutable error: exn | null = null
    let mutable value = Unchecked.defaultof<'T>

    static let invoke =
        ContextCallback(fun state -> (Unsafe.As<BlockingCall<'T>> state).Invoke())

    member private call.Invoke() =
        try
            value <- work.Invoke()
        with failure ->
            error <- failure

    /// Completes what the caller has, on the thread pool.
    abstract Settle: value: 'T * error: exn | null -> unit

    member private call.HandOver() =
        work <- null // it may hold much, and the call may wait for a thread once more
        ThreadPool.UnsafeQueueUserWorkItem(call, false) |> ignore

    override call.Run own =
        // whose flow is suppressed has captured none: what the call sets must not stay on the thread for the next one
        let context =
            match context with
            | null -> own
            | context -> context

        ExecutionContext.Run(context, invoke, call)
        call.HandOver()

    override call.Fail failure =
        error <- failure
        call.HandOver()

    interface IThreadPoolWorkItem with
        member call.Execute() = call.Settle(value, error)

/// The strand of a call: completed from outside.
[<Sealed>]
type internal BlockingNode<'T>() =
    inherit Node<'T>()

    member node.Settle(value: 'T, error: exn | null) =
        if isNull error then node.Complete value else node.Finish error

    override _.Step() = ()

/// A call whose caller has a strand.
[<Sealed>]
type internal StrandCall<'T>(work: Func<'T>, context: ExecutionContext | null) =
    inherit BlockingCall<'T>(work, context)
    let node = BlockingNode<'T>()
    do node.Close()

    member _.Strand = Strand<'T>.From node

    override _.Settle(value, error) = node.Settle(value, error)

/// A call whose caller has a pooled ValueTask.
[<Sealed>]
type internal ValueTaskCall<'T>(work: Func<'T>, context: ExecutionContext | null) =
    inherit BlockingCall<'T>(work, context)
    let source = SettableSource<'T>.Rent()
    let token = source.Token

    member _.Source = source

    member _.Token = token

    override _.Settle(value, error) =
        if isNull error then
            source.TryComplete(token, value) |> ignore
        else
            source.TryFail(token, error) |> ignore
