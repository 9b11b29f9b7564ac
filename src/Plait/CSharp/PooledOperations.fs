// Layer: C# door. PooledValueTasks as operations of the combinators: how one is read, and the shape of a result.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait

[<Struct; NoEquality; NoComparison>]
type internal PooledOperationReader<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<PooledValueTask<'a>, ValueTaskSource<'a, 'Affinity>> with
        member _.Of operation =
            ValueTaskSource<'a, 'Affinity>(operation.AsValueTask())

[<Struct; NoEquality; NoComparison>]
type internal UnitPooledOperationReader<'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<PooledValueTask, UnitValueTaskSource<unit, 'Affinity>> with
        member _.Of operation =
            UnitValueTaskSource<unit, 'Affinity>(operation.AsValueTask())

/// As `Awaited`.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal AwaitedPooled =
    static member OnCaptured(operation: PooledValueTask) =
        Awaited.OnCaptured(operation.AsValueTask())

    static member OnCaptured(operation: PooledValueTask<'a>) =
        Awaited.OnCaptured(operation.AsValueTask())

    static member Anywhere(operation: PooledValueTask) =
        Awaited.Anywhere(operation.AsValueTask())

    static member Anywhere(operation: PooledValueTask<'a>) =
        Awaited.Anywhere(operation.AsValueTask())

/// The result that a shape makes.
[<AbstractClass; Sealed>]
type internal Shaped<'T, 'Result, 'Shape when 'Shape :> IShape<'T, 'Result>> =
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Completed(value: 'T) : 'Result =
        Unchecked.defaultof<'Shape>.Completed value

    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Suspended(box: MachineBox<'T>, task: Task<'T> | null) : 'Result =
        Unchecked.defaultof<'Shape>.Suspended(box, task)

    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Faulted(error: exn) : 'Result =
        Unchecked.defaultof<'Shape>.Faulted error

/// A pooled ValueTask<'T> as a PooledValueTask<'T>.
[<Struct; NoEquality; NoComparison>]
type internal AsPooledOperation<'T> =
    interface IShape<'T, PooledValueTask<'T>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed value =
            PooledValueTask<'T>(Shaped<'T, ValueTask<'T>, AsPooledValueTask<'T>>.Completed value)

        member _.Settles = false

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(box, task) =
            PooledValueTask<'T>(Shaped<'T, ValueTask<'T>, AsPooledValueTask<'T>>.Suspended(box, task))

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error =
            PooledValueTask<'T>(Shaped<'T, ValueTask<'T>, AsPooledValueTask<'T>>.Faulted error)

/// A pooled ValueTask as a PooledValueTask.
[<Struct; NoEquality; NoComparison>]
type internal AsPooledOperationUnit =
    interface IShape<unit, PooledValueTask> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Completed value =
            PooledValueTask(Shaped<unit, ValueTask, AsPooledValueTaskUnit>.Completed value)

        member _.Settles = false

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Suspended(box, task) =
            PooledValueTask(Shaped<unit, ValueTask, AsPooledValueTaskUnit>.Suspended(box, task))

        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Faulted error =
            PooledValueTask(Shaped<unit, ValueTask, AsPooledValueTaskUnit>.Faulted error)
