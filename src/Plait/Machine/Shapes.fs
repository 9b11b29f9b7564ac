// Layer: machine. The shapes: one struct for each type that a builder returns.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading.Tasks
open System.Threading.Tasks.Sources

[<AbstractClass; Sealed>]
type internal Ended =

    /// An operation that has ended, in a pooled object as if it had suspended: its result can be taken once.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member With<'T>(value: 'T) : SettableSource<'T> =
        let source = SettableSource<'T>.Rent()
        source.TryComplete(source.Token, value) |> ignore
        source

/// A ValueTask<'T> over the box itself.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsPooledValueTask<'T> =
    interface IShape<'T, ValueTask<'T>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed value =
            if SecondAwait.isRefused then
                let source = Ended.With value
                ValueTask<'T>(source :> IValueTaskSource<'T>, source.Token)
            else
                ValueTask<'T> value

        member _.Settles = false

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(box, _) =
            ValueTask<'T>(box :> IValueTaskSource<'T>, box.Token)

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error = ValueTask<'T>(Settled.Failed<'T> error)

/// A ValueTask over the box itself.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsPooledValueTaskUnit =
    interface IShape<unit, ValueTask> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed _ =
            if SecondAwait.isRefused then
                let source = Ended.With(())
                ValueTask(source :> IValueTaskSource, source.Token)
            else
                ValueTask()

        member _.Settles = false

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(box, _) =
            ValueTask(box :> IValueTaskSource, box.Token)

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error =
            ValueTask(Settled.Failed<unit> error :> Task)

/// A ValueTask<'T> with a Task inside where the start suspended: may be awaited many times.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsValueTask<'T> =
    interface IShape<'T, ValueTask<'T>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed value = ValueTask<'T> value

        member _.Settles = true

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(_, task) = ValueTask<'T> task

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error = ValueTask<'T>(Settled.Failed<'T> error)

/// A ValueTask with a Task inside where the start suspended: may be awaited many times.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsValueTaskUnit =
    interface IShape<unit, ValueTask> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed _ = ValueTask()

        member _.Settles = true

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(_, task) = ValueTask(task :> Task)

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error =
            ValueTask(Settled.Failed<unit> error :> Task)

/// A Task<'T>, which is all that a suspension allocates: the state machine is pooled.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsTask<'T> =
    interface IShape<'T, Task<'T>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed value = Settled.Of value

        member _.Settles = true

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(_, task) = task

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error = Settled.Failed<'T> error

/// A Task, which is all that a suspension allocates: the state machine is pooled.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsTaskUnit =
    interface IShape<unit, Task> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed _ = Task.CompletedTask

        member _.Settles = true

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(_, task) = task :> Task

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error = Settled.Failed<unit> error :> Task
