// Layer: C# door. Operations and work of PooledValueTask as those of ValueTask, for the combinators.
namespace Plait.Kernel

open System
open System.Threading
open System.Threading.Tasks
open Plait

[<Struct; NoEquality; NoComparison>]
type internal PooledValueTaskReader<'a> =
    interface IStarted<PooledValueTask<'a>, ValueTaskSource<'a, Anywhere>> with
        member _.Of task =
            ValueTaskSource<'a, Anywhere>(task.AsValueTask())

[<Struct; NoEquality; NoComparison>]
type internal PooledValueTaskUnitReader =
    interface IStarted<PooledValueTask, UnitValueTaskSource<unit, Anywhere>> with
        member _.Of task =
            UnitValueTaskSource<unit, Anywhere>(task.AsValueTask())

/// Delegates whose operations are pooled ValueTasks as functions to ValueTasks.
[<AbstractClass; Sealed>]
type internal PooledWork =

    /// A function to a ValueTask, as a delegate. Null stays null: the combinator answers it in its result.
    static member Delegate(selector: Func<'T, PooledValueTask<'U>>) : Func<'T, ValueTask<'U>> =
        if obj.ReferenceEquals(selector, null) then
            Unchecked.defaultof<_>
        else
            Func<'T, ValueTask<'U>>(fun value -> selector.Invoke(value).AsValueTask())

    /// The work as ValueTasks. Null stays null.
    static member Function(work: Func<'A, PooledValueTask<'T>>) : 'A -> ValueTask<'T> =
        if obj.ReferenceEquals(work, null) then
            Unchecked.defaultof<_>
        else
            (fun argument -> work.Invoke(argument).AsValueTask())

    /// The attempts as ValueTasks. Null stays null.
    static member Function
        (work: Func<int, CancellationToken, PooledValueTask<'T>>)
        : int -> CancellationToken -> ValueTask<'T> =
        if obj.ReferenceEquals(work, null) then
            Unchecked.defaultof<_>
        else
            (fun attempt token -> work.Invoke(attempt, token).AsValueTask())

    /// The same, without a result.
    static member Function(work: Func<'A, PooledValueTask>) : 'A -> ValueTask =
        if obj.ReferenceEquals(work, null) then
            Unchecked.defaultof<_>
        else
            (fun argument -> work.Invoke(argument).AsValueTask())

    /// The same, without a result.
    static member Function
        (work: Func<int, CancellationToken, PooledValueTask>)
        : int -> CancellationToken -> ValueTask =
        if obj.ReferenceEquals(work, null) then
            Unchecked.defaultof<_>
        else
            (fun attempt token -> work.Invoke(attempt, token).AsValueTask())
