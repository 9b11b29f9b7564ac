// Layer: sources. The BCL's awaitables as sources.
//
// 'Unit is always unit: F# will not implement a method that returns 'Result at the type unit (FS0017).
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

/// A Task<'Result>.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type TaskSource<'Result, 'Affinity when 'Affinity :> IAffinity>(task: Task<'Result>) =
    interface ISource<'Result> with
        member _.IsCompleted = task.IsCompleted
        member _.GetResult() = task.GetAwaiter().GetResult()

        member _.Register frame =
            task.ConfigureAwait('Affinity.Captures).GetAwaiter().UnsafeOnCompleted frame.Action

        member _.Reference = task

        member _.GetResultOf kept =
            Unsafe.As<Task<'Result>>(kept).GetAwaiter().GetResult()

/// A Task.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type UnitTaskSource<'Unit, 'Affinity when 'Affinity :> IAffinity>(task: Task) =
    interface ISource<'Unit> with
        member _.IsCompleted = task.IsCompleted

        member _.GetResult() =
            task.GetAwaiter().GetResult()
            Unchecked.defaultof<'Unit>

        member _.Register frame =
            task.ConfigureAwait('Affinity.Captures).GetAwaiter().UnsafeOnCompleted frame.Action

        member _.Reference = task

        member _.GetResultOf kept =
            Unsafe.As<Task>(kept).GetAwaiter().GetResult()
            Unchecked.defaultof<'Unit>

/// A ValueTask<'Result>.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ValueTaskSource<'Result, 'Affinity when 'Affinity :> IAffinity>(task: ValueTask<'Result>) =
    interface ISource<'Result> with
        member _.IsCompleted = task.IsCompleted
        member _.GetResult() = task.GetAwaiter().GetResult()

        member _.Register frame =
            task.ConfigureAwait('Affinity.Captures).GetAwaiter().UnsafeOnCompleted frame.Action

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())

/// A ValueTask.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type UnitValueTaskSource<'Unit, 'Affinity when 'Affinity :> IAffinity>(task: ValueTask) =
    interface ISource<'Unit> with
        member _.IsCompleted = task.IsCompleted

        member _.GetResult() =
            task.GetAwaiter().GetResult()
            Unchecked.defaultof<'Unit>

        member _.Register frame =
            task.ConfigureAwait('Affinity.Captures).GetAwaiter().UnsafeOnCompleted frame.Action

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())

/// Task.Yield(): the frame is the work item, so that nothing is allocated.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type YieldSource<'Unit, 'Affinity when 'Affinity :> IAffinity> =
    interface ISource<'Unit> with
        member _.IsCompleted = false
        member _.GetResult() = Unchecked.defaultof<'Unit>

        member _.Register frame =
            if not 'Affinity.Captures || isNull (SchedulingContext.Current()) then
                ThreadPool.UnsafeQueueUserWorkItem(frame, false) |> ignore
            else
                Task.Yield().GetAwaiter().UnsafeOnCompleted frame.Action

        // nothing needs to be kept: any object says so, and a literal is written at the least cost
        member _.Reference = "Task.Yield"
        member _.GetResultOf _ = Unchecked.defaultof<'Unit>
