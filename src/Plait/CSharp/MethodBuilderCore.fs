// Layer: C# door. The core of every async method builder. Owns the rule that no code here requires a struct, because
// in Debug builds the state machine of a C# method is a class.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks.Sources

/// The state of one async method builder; the machine of the method carries it.
[<Struct; NoEquality; NoComparison>]
type internal MethodBuilderCore<'T> =
    [<DefaultValue(false)>]
    val mutable data: Data<'T>

    /// The exception of the method before it had suspended.
    [<DefaultValue(false)>]
    val mutable private error: exn

    // the machine, and this with it, is cleared by Complete and Fail: the box is read first, and nothing after
    member core.SetResult(value: 'T) =
        match core.data.Box with
        | null -> core.data.Result <- value
        | box -> box.Complete(value, true)

    member core.SetException(error: exn) =
        ArgumentNullException.ThrowIfNull(error, nameof error)

        match core.data.Box with
        | null -> core.error <- error
        | box -> box.Fail(error, true)

    /// Suspends; the awaiter brings the execution context along itself.
    member core.OnCompleted<'Awaiter, 'Machine
        when 'Awaiter :> INotifyCompletion and 'Machine :> IAsyncStateMachine>
        (awaiter: byref<'Awaiter>, machine: byref<'Machine>)
        =
        let box = Suspend.Prepare<'Machine, 'T>(&machine, &core.data)

        try
            awaiter.OnCompleted box.Action
        with error ->
            UnhandledErrors.ThrowOnPool error

    /// Suspends. A yield without a context to go back to queues the box itself, which allocates nothing.
    member core.UnsafeOnCompleted<'Awaiter, 'Machine
        when 'Awaiter :> ICriticalNotifyCompletion and 'Machine :> IAsyncStateMachine>
        (awaiter: byref<'Awaiter>, machine: byref<'Machine>)
        =
        let box = Suspend.Prepare<'Machine, 'T>(&machine, &core.data)

        if
            obj.ReferenceEquals(typeof<'Awaiter>, typeof<YieldAwaitable.YieldAwaiter>)
            && isNull (SchedulingContext.Current())
        then
            ThreadPool.UnsafeQueueUserWorkItem(box, false) |> ignore
        else
            try
                awaiter.UnsafeOnCompleted box.Action
            with error ->
                UnhandledErrors.ThrowOnPool error

    /// The result for the caller of the method.
    member core.End<'Result, 'Shape when 'Shape :> IShape<'T, 'Result>>() : 'Result =
        Start.Result<'T, 'Result, 'Shape>(&core.data, core.error)

/// Lets go of an operation whose result nobody takes: its box goes back to the pool when it ends.
[<AbstractClass; Sealed>]
type internal UnawaitedOperation =
    static let take =
        Action<obj>(fun state ->
            let source = state :?> PooledSource<unit>
            (source :> IValueTaskSource).GetResult source.Token)

    static member Release(box: MachineBox<unit>) =
        if box.IsDone then
            take.Invoke box
        else
            box.Subscribe(take, box, box.Token, ValueTaskSourceOnCompletedFlags.None)
