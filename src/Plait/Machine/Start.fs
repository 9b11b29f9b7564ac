// Layer: machine. The first step of a state machine, on the caller's thread, and its completion.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

/// The first step of a machine, on the caller's thread, and its end. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Start =

    /// One step.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Step<'Machine when 'Machine :> IAsyncStateMachine>(machine: byref<'Machine>) =
        machine.MoveNext()

    /// The first step, on the caller's thread. Safe: the start of a C# async method, which puts the caller's contexts
    /// back and keeps an exception. It is inlined into the caller's own method, which for its `try` is not inlined
    /// further: else each machine would grow by the machines of all that it calls, and clear them at every step.
    static member inline First<'Machine, 'Safety when 'Machine :> IAsyncStateMachine and 'Safety :> ISafety>
        (machine: byref<'Machine>)
        : exn =
        let mutable error: exn = null

        if 'Safety.Guards then
            let captured = ExecutionContext.Capture()

            let context = if isNull captured then CallerContexts.Suppressed() else captured

            let synchronization = SynchronizationContext.Current

            try
                Start.Step &machine

                if
                    not (obj.ReferenceEquals(ExecutionContext.Capture(), context))
                    || not (obj.ReferenceEquals(SynchronizationContext.Current, synchronization))
                then
                    CallerContexts.Restore(context, synchronization)
            with caught ->
                CallerContexts.Restore(context, synchronization)
                error <- caught
        else
            try
                Start.Step &machine
            with caught ->
                error <- caught

        error

    /// The Task that a suspended operation will settle.
    static member Promise<'T>(data: byref<Data<'T>>) : Task<'T> =
        match data.Promise with
        | null -> data.Box.ToTask()
        | task -> task

    /// The outcome of the first step, for the caller.
    static member inline Result<'T, 'Result, 'Shape when 'Shape :> IShape<'T, 'Result>>
        (data: byref<Data<'T>>, error: exn)
        : 'Result =
        if isNull error then
            match data.Box with
            | null -> Unchecked.defaultof<'Shape>.Completed data.Result
            | box ->
                Unchecked.defaultof<'Shape>.Suspended(
                    box,
                    (if Unchecked.defaultof<'Shape>.Settles then Start.Promise &data else null)
                )
        else
            Unchecked.defaultof<'Shape>.Faulted error

    /// The error of a start whose token was cancelled before.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Cancelled(token: CancellationToken) : exn = OperationCanceledException token

    /// The code of a machine that has suspended has run to its end. After this the machine may be another operation's.
    static member Finish(data: byref<Data<'T>>) = data.Box.Complete(data.Result, true)
