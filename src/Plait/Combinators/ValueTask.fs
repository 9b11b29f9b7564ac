// Layer: combinators. The functions over ValueTasks: each is a line to `Combine`.
namespace Plait

open System
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>ValueTask&lt;'T&gt;</c> whose results may be awaited many times: one that suspends has a
/// Task inside.</summary>
/// <remarks>Each consumes what it is given exactly once, whatever happens, and never throws at the call: a wrong argument
/// too is an error of the result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module ValueTask =

    /// A completed operation.
    let result (value: 'T) : ValueTask<'T> = ValueTask<'T> value

    /// The result, mapped. The mapping runs where `let!` would go on.
    let map (mapping: 'T -> 'U) (operation: ValueTask<'T>) : ValueTask<'U> =
        Combine.Map(mapping, Awaited.OnCaptured operation, AsValueTask<'U>())

    /// The operation that the result leads to. The binder runs where `let!` would go on.
    let bind (binder: 'T -> ValueTask<'U>) (operation: ValueTask<'T>) : ValueTask<'U> =
        Combine.Bind(binder, Awaited.OnCaptured operation, ValueTaskReader<'U, Anywhere>(), AsValueTask<'U>())

    /// A function and its argument, both on their way: both are awaited, then the function runs.
    let apply (mapping: ValueTask<'T -> 'U>) (operation: ValueTask<'T>) : ValueTask<'U> =
        Combine.Apply(Awaited.OnCaptured mapping, Awaited.OnCaptured operation, AsValueTask<'U>())

    /// Both results. Both are awaited before the first error, in order, is the result.
    let zip (first: ValueTask<'T>) (second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        Combine.Zip(Awaited.Anywhere first, Awaited.Anywhere second, AsValueTask<struct ('T * 'U)>())

    /// `zip`: operations that have started run side by side anyway.
    let parallelZip (first: ValueTask<'T>) (second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        zip first second

    /// The operation without its value; its error stays.
    let ignore (operation: ValueTask<'T>) : ValueTask<unit> =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsValueTask<unit>())

    /// Ok with the value, or Error with the exception. A cancellation is such an exception, an
    /// OperationCanceledException with its token.
    let catch (operation: ValueTask<'T>) : ValueTask<Result<'T, exn>> =
        Combine.Catch(Awaited.Anywhere operation, AsValueTask<Result<'T, exn>>())

    /// The value, or what the handler makes of the exception, a cancellation included. To let one pass, throw it again.
    let catchWith (handler: exn -> 'T) (operation: ValueTask<'T>) : ValueTask<'T> =
        Combine.CatchWith(handler, Awaited.OnCaptured operation, AsValueTask<'T>())

    /// An operation without a value as one with the value unit.
    let ofUnit (operation: ValueTask) : ValueTask<unit> =
        Combine.Convert(Awaited.Anywhere operation, AsValueTask<unit>())

    /// An operation with the value unit as one without.
    let toUnit (operation: ValueTask<unit>) : ValueTask =
        Combine.Convert(Awaited.Anywhere operation, AsValueTaskUnit())

    /// The results, in the order of the operations. All are awaited, then the first error in that order is the result;
    /// the others count as observed.
    let whenAll (operations: seq<ValueTask<'T>>) : ValueTask<'T[]> =
        CombineMany.WhenAll(operations, ValueTaskReader<'T, Anywhere>(), AsValueTask<'T[]>())

    /// The result of the first operation to end, well or not; of those that have ended at the call, the first in order.
    /// The others are awaited in the background, and their results and errors dropped.
    let whenAny (operations: seq<ValueTask<'T>>) : ValueTask<'T> =
        CombineMany.WhenAny(operations, ValueTaskReader<'T, Anywhere>(), AsValueTask<'T>())

    /// Starts the operations in order, at most `limit` in flight, and gives their results in order. Behind a failure
    /// none is started; those in flight are awaited, then the first error in order is the result.
    let whenAllThrottled (limit: int) (starts: seq<unit -> ValueTask<'T>>) : ValueTask<'T[]> =
        CombineMany.WhenAllThrottled(limit, starts, ValueTaskReader<'T, Anywhere>(), AsValueTask<'T[]>())

    /// `whenAllThrottled` with one operation in flight.
    let sequential (starts: seq<unit -> ValueTask<'T>>) : ValueTask<'T[]> = whenAllThrottled 1 starts

    /// The operation, or a TimeoutException when the time is up. The operation is not cancelled: it is awaited in the
    /// background, and its result and error dropped.
    let timeout (time: TimeSpan) (operation: ValueTask<'T>) : ValueTask<'T> =
        CombineTimeout.Run(time, Awaited.Anywhere operation, AsValueTask<'T>())
