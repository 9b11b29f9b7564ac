// Layer: combinators. The functions over strands: each is a line to `Combine`.
namespace Plait

open System
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>Strand&lt;'T&gt;</c>. One that suspends allocates a node for its result; a pending strand is
/// handed over.</summary>
/// <remarks>Each consumes what it is given exactly once, whatever happens, and never throws at the call: a wrong argument
/// too is an error of the result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module Strand =

    /// A completed operation.
    let result (value: 'T) : Strand<'T> = Strand<'T>.Of value

    /// The result, mapped. The mapping runs where `let!` would go on.
    let map (mapping: 'T -> 'U) (operation: Strand<'T>) : Strand<'U> =
        Combine.Map(mapping, Awaited.OnCaptured operation, AsStrand<'U>())

    /// The operation that the result leads to. The binder runs where `let!` would go on.
    let bind (binder: 'T -> Strand<'U>) (operation: Strand<'T>) : Strand<'U> =
        Combine.Bind(binder, Awaited.OnCaptured operation, StrandReader<'U, Anywhere>(), AsStrand<'U>())

    /// A function and its argument, both on their way: both are awaited, then the function runs.
    let apply (mapping: Strand<'T -> 'U>) (operation: Strand<'T>) : Strand<'U> =
        Combine.Apply(Awaited.OnCaptured mapping, Awaited.OnCaptured operation, AsStrand<'U>())

    /// Both results. Both are awaited before the first error, in order, is the result.
    let zip (first: Strand<'T>) (second: Strand<'U>) : Strand<struct ('T * 'U)> =
        Combine.Zip(Awaited.Anywhere first, Awaited.Anywhere second, AsStrand<struct ('T * 'U)>())

    /// `zip`: operations that have started run side by side anyway.
    let parallelZip (first: Strand<'T>) (second: Strand<'U>) : Strand<struct ('T * 'U)> = zip first second

    /// The operation without its value; its error stays.
    let ignore (operation: Strand<'T>) : Strand<unit> =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsStrand<unit>())

    /// Ok with the value, or Error with the exception. A cancellation is such an exception, an
    /// OperationCanceledException with its token.
    let catch (operation: Strand<'T>) : Strand<Result<'T, exn>> =
        Combine.Catch(Awaited.Anywhere operation, AsStrand<Result<'T, exn>>())

    /// The value, or what the handler makes of the exception, a cancellation included. To let one pass, throw it again.
    let catchWith (handler: exn -> 'T) (operation: Strand<'T>) : Strand<'T> =
        Combine.CatchWith(handler, Awaited.OnCaptured operation, AsStrand<'T>())

    /// An operation without a value as one with the value unit.
    let ofUnit (operation: ValueTask) : Strand<unit> =
        Combine.Convert(Awaited.Anywhere operation, AsStrand<unit>())

    /// An operation with the value unit as one without.
    let toUnit (operation: Strand<unit>) : ValueTask =
        Combine.Convert(Awaited.Anywhere operation, AsPooledValueTaskUnit())

    /// The results, in the order of the operations. All are awaited, then the first error in that order is the result;
    /// the others count as observed.
    let whenAll (operations: seq<Strand<'T>>) : Strand<'T[]> =
        CombineMany.WhenAll(operations, StrandReader<'T, Anywhere>(), AsStrand<'T[]>())

    /// The result of the first operation to end, well or not; of those that have ended at the call, the first in order.
    /// The others are awaited in the background, and their results and errors dropped.
    let whenAny (operations: seq<Strand<'T>>) : Strand<'T> =
        CombineMany.WhenAny(operations, StrandReader<'T, Anywhere>(), AsStrand<'T>())

    /// Starts the operations in order, at most `limit` in flight, and gives their results in order. Behind a failure
    /// none is started; those in flight are awaited, then the first error in order is the result.
    let whenAllThrottled (limit: int) (starts: seq<unit -> Strand<'T>>) : Strand<'T[]> =
        CombineMany.WhenAllThrottled(limit, starts, StrandReader<'T, Anywhere>(), AsStrand<'T[]>())

    /// `whenAllThrottled` with one operation in flight.
    let sequential (starts: seq<unit -> Strand<'T>>) : Strand<'T[]> = whenAllThrottled 1 starts

    /// The operation, or a TimeoutException when the time is up. The operation is not cancelled: it is awaited in the
    /// background, and its result and error dropped.
    let timeout (time: TimeSpan) (operation: Strand<'T>) : Strand<'T> =
        CombineTimeout.Run(time, Awaited.Anywhere operation, AsStrand<'T>())
