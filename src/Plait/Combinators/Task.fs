// Layer: combinators. The functions over Tasks: each is a line to `Combine`.
namespace Plait

open System
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>Task&lt;'T&gt;</c>. A null in place of a Task is an operation that has failed with an
/// ArgumentException.</summary>
/// <remarks>Each consumes what it is given exactly once, whatever happens, and never throws at the call: a wrong argument
/// too is an error of the result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module Task =

    /// A completed operation.
    let result (value: 'T) : Task<'T> = Task.FromResult value

    /// The result, mapped. The mapping runs where `let!` would go on.
    let map (mapping: 'T -> 'U) (operation: Task<'T>) : Task<'U> =
        Combine.Map(mapping, Awaited.OnCaptured operation, AsTask<'U>())

    /// The operation that the result leads to. The binder runs where `let!` would go on.
    let bind (binder: 'T -> Task<'U>) (operation: Task<'T>) : Task<'U> =
        Combine.Bind(binder, Awaited.OnCaptured operation, TaskReader<'U, Anywhere>(), AsTask<'U>())

    /// A function and its argument, both on their way: both are awaited, then the function runs.
    let apply (mapping: Task<'T -> 'U>) (operation: Task<'T>) : Task<'U> =
        Combine.Apply(Awaited.OnCaptured mapping, Awaited.OnCaptured operation, AsTask<'U>())

    /// Both results. Both are awaited before the first error, in order, is the result.
    let zip (first: Task<'T>) (second: Task<'U>) : Task<struct ('T * 'U)> =
        Combine.Zip(Awaited.Anywhere first, Awaited.Anywhere second, AsTask<struct ('T * 'U)>())

    /// `zip`: operations that have started run side by side anyway.
    let parallelZip (first: Task<'T>) (second: Task<'U>) : Task<struct ('T * 'U)> = zip first second

    /// The operation without its value; its error stays.
    let ignore (operation: Task<'T>) : Task<unit> =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsTask<unit>())

    /// Ok with the value, or Error with the exception. A cancellation is such an exception, an
    /// OperationCanceledException with its token.
    let catch (operation: Task<'T>) : Task<Result<'T, exn>> =
        Combine.Catch(Awaited.Anywhere operation, AsTask<Result<'T, exn>>())

    /// The value, or what the handler makes of the exception, a cancellation included. To let one pass, throw it again.
    let catchWith (handler: exn -> 'T) (operation: Task<'T>) : Task<'T> =
        Combine.CatchWith(handler, Awaited.OnCaptured operation, AsTask<'T>())

    /// An operation without a value as one with the value unit.
    let ofUnit (operation: Task) : Task<unit> =
        Combine.Convert(Awaited.Anywhere operation, AsTask<unit>())

    /// An operation with the value unit as one without.
    let toUnit (operation: Task<unit>) : Task = NonNullTask.Of operation

    /// The results, in the order of the operations. All are awaited, then the first error in that order is the result;
    /// the others count as observed.
    let whenAll (operations: seq<Task<'T>>) : Task<'T[]> =
        CombineMany.WhenAll(operations, TaskReader<'T, Anywhere>(), AsTask<'T[]>())

    /// The result of the first operation to end, well or not; of those that have ended at the call, the first in order.
    /// The others are awaited in the background, and their results and errors dropped.
    let whenAny (operations: seq<Task<'T>>) : Task<'T> =
        CombineMany.WhenAny(operations, TaskReader<'T, Anywhere>(), AsTask<'T>())

    /// Starts the operations in order, at most `limit` in flight, and gives their results in order. Behind a failure
    /// none is started; those in flight are awaited, then the first error in order is the result.
    let whenAllThrottled (limit: int) (starts: seq<unit -> Task<'T>>) : Task<'T[]> =
        CombineMany.WhenAllThrottled(limit, starts, TaskReader<'T, Anywhere>(), AsTask<'T[]>())

    /// `whenAllThrottled` with one operation in flight.
    let sequential (starts: seq<unit -> Task<'T>>) : Task<'T[]> = whenAllThrottled 1 starts

    /// The operation, or a TimeoutException when the time is up. The operation is not cancelled: it is awaited in the
    /// background, and its result and error dropped.
    let timeout (time: TimeSpan) (operation: Task<'T>) : Task<'T> =
        CombineTimeout.Run(time, Awaited.Anywhere operation, AsTask<'T>())
