// Layer: combinators. How a combinator reads what it is given: one struct for each type of operation. Owns the rule that
// a null operation is an operation that has failed, so that its neighbours are still awaited.
namespace Plait.Kernel

open System
open System.Threading.Tasks
open Plait

type internal IOperand<'Operation, 'S> =

    /// The operation as a source. Never throws.
    static abstract Source: operation: 'Operation -> 'S

/// A Task, or the failed one that stands for null.
[<AbstractClass; Sealed>]
type internal Given =
    static let error () =
        ArgumentException
            "A combinator was given null in place of a Task. The other operations are awaited first. Usual cause: a \
             function that returns a Task was mocked, or returned null in a branch. Return Task.FromResult or \
             Task.CompletedTask there."

    static member Task<'a>(task: Task<'a>) : Task<'a> =
        if obj.ReferenceEquals(task, null) then Task.FromException<'a>(error ()) else task

    static member Task(task: Task) : Task =
        if obj.ReferenceEquals(task, null) then Task.FromException(error ()) else task

[<Struct; NoEquality; NoComparison>]
type internal TaskOperand<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IOperand<Task<'a>, TaskSource<'a, 'Affinity>> with
        static member Source task =
            TaskSource<'a, 'Affinity>(Given.Task task)

[<Struct; NoEquality; NoComparison>]
type internal ValueTaskOperand<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IOperand<ValueTask<'a>, ValueTaskSource<'a, 'Affinity>> with
        static member Source task = ValueTaskSource<'a, 'Affinity> task

[<Struct; NoEquality; NoComparison>]
type internal StrandOperand<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IOperand<Strand<'a>, StrandSource<'a, 'Affinity>> with
        static member Source strand = StrandSource<'a, 'Affinity> strand
