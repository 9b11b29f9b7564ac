// Layer: combinators. The combinators over ValueTasks as C# calls them: each is a line to `Combine`.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Combinators over <c>ValueTask&lt;T&gt;</c>, for C#. Their results are pooled: await them once. See the module
/// <c>PooledValueTask</c> for what becomes of errors and losers.</summary>
[<AbstractClass; Sealed; Extension>]
type ValueTaskCombinators =

    /// The result, mapped.
    [<Extension>]
    static member Select(operation: ValueTask<'T>, selector: Func<'T, 'U>) : ValueTask<'U> =
        if obj.ReferenceEquals(selector, null) then
            Combine.Refuse("selector", ValueTaskSource<'T, Anywhere> operation, AsPooledValueTask<'U>())
        else
            PooledValueTask.map selector.Invoke operation

    /// The operation that the result leads to.
    [<Extension>]
    static member SelectMany(operation: ValueTask<'T>, selector: Func<'T, ValueTask<'U>>) : ValueTask<'U> =
        if obj.ReferenceEquals(selector, null) then
            Combine.Refuse("selector", ValueTaskSource<'T, Anywhere> operation, AsPooledValueTask<'U>())
        else
            PooledValueTask.bind selector.Invoke operation

    /// The operation that the result leads to, and both results in one: two `from` of a query.
    [<Extension>]
    static member SelectMany
        (operation: ValueTask<'T>, selector: Func<'T, ValueTask<'U>>, combiner: Func<'T, 'U, 'V>)
        : ValueTask<'V> =
        if isNull (box selector) || isNull (box combiner) then
            let missing = if isNull (box selector) then "selector" else "combiner"
            Combine.Refuse(missing, ValueTaskSource<'T, Anywhere> operation, AsPooledValueTask<'V>())
        else
            operation
            |> PooledValueTask.bind (fun first ->
                selector.Invoke first
                |> PooledValueTask.map (fun second -> combiner.Invoke(first, second)))

    /// A function and its argument, both on their way: both are awaited, then the function runs.
    [<Extension>]
    static member Apply(mapping: ValueTask<Func<'T, 'U>>, operation: ValueTask<'T>) : ValueTask<'U> =
        PooledValueTask.zip mapping operation
        |> PooledValueTask.map (fun struct (mapping, value) -> mapping.Invoke value)

    /// The operation without its result; its error stays.
    [<Extension>]
    static member Ignore(operation: ValueTask<'T>) : ValueTask =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsPooledValueTaskUnit())

    /// `Zip`: operations that have started run side by side anyway.
    [<Extension>]
    static member ParallelZip(first: ValueTask<'T>, second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        PooledValueTask.zip first second

    /// Both results; both operations are awaited before the first error is the result.
    [<Extension>]
    static member Zip(first: ValueTask<'T>, second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        PooledValueTask.zip first second

    /// The value, or what the handler makes of the exception, a cancellation included.
    [<Extension>]
    static member Catch(operation: ValueTask<'T>, handler: Func<exn, 'T>) : ValueTask<'T> =
        if obj.ReferenceEquals(handler, null) then
            Combine.Refuse("handler", ValueTaskSource<'T, Anywhere> operation, AsPooledValueTask<'T>())
        else
            PooledValueTask.catchWith handler.Invoke operation

    /// The results in order. All are awaited, then the first error in order is the result.
    [<Extension>]
    static member WhenAll(operations: IEnumerable<ValueTask<'T>>) : ValueTask<'T[]> =
        PooledValueTask.whenAll operations

    /// The result of the first to end, well or not; the others are awaited in the background.
    [<Extension>]
    static member WhenAny(operations: IEnumerable<ValueTask<'T>>) : ValueTask<'T> =
        PooledValueTask.whenAny operations

    /// Starts the operations in order, at most `limit` in flight; none behind a failure.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<ValueTask<'T>>>, limit: int) : ValueTask<'T[]> =
        PooledValueTask.whenAllThrottled limit (DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has ended; none behind a failure.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<ValueTask<'T>>>) : ValueTask<'T[]> =
        PooledValueTask.sequential (DelegateAdapters.Functions starts)

    /// <summary>The operation, or a TimeoutException when the time is up. The operation goes on in the background, unless
    /// it heeds the token of <paramref name="cancels" />.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="time">How long it may take.</param>
    /// <param name="clock">The clock; the system's where it is not given.</param>
    /// <param name="cancels">Cancelled when the time is up.</param>
    [<Extension>]
    static member Timeout
        (
            operation: ValueTask<'T>,
            time: TimeSpan,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional; DefaultParameterValue(null: CancellationTokenSource | null)>] cancels:
                CancellationTokenSource | null
        ) : ValueTask<'T> =
        CombineTimeout.Run(
            time,
            DelegateAdapters.ClockOrSystem clock,
            cancels,
            Awaited.Anywhere operation,
            AsPooledValueTask<'T>()
        )
