// Layer: combinators. The combinators over Tasks that the BCL does not have, as C# calls them.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// <summary>Combinators over <c>Task&lt;T&gt;</c> and over functions that start one, for C#: what the BCL does not have.
/// Task.WhenAll, Task.WhenAny and WaitAsync are there already.</summary>
[<AbstractClass; Sealed; Extension>]
type TaskCombinators =

    /// The result, mapped. An ArgumentNullException at the call for a null.
    [<Extension>]
    static member Select(operation: Task<'T>, selector: Func<'T, 'U>) : Task<'U> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        Task.map selector.Invoke operation

    /// The operation that the result leads to. An ArgumentNullException at the call for a null.
    [<Extension>]
    static member SelectMany(operation: Task<'T>, selector: Func<'T, Task<'U>>) : Task<'U> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        Task.bind selector.Invoke operation

    /// The operation that the result leads to, and both results in one: two `from` of a query. An ArgumentNullException at
    /// the call for a null.
    [<Extension>]
    static member SelectMany
        (operation: Task<'T>, selector: Func<'T, Task<'U>>, combiner: Func<'T, 'U, 'V>)
        : Task<'V> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        ArgumentNullException.ThrowIfNull(combiner, "combiner")

        operation
        |> Task.bind (fun first ->
            selector.Invoke first |> Task.map (fun second -> combiner.Invoke(first, second)))

    /// Both results; both operations are awaited before the first error is the result. An ArgumentNullException at the
    /// call for a null.
    [<Extension>]
    static member Zip(first: Task<'T>, second: Task<'U>) : Task<struct ('T * 'U)> =
        ArgumentNullException.ThrowIfNull(first, "first")
        ArgumentNullException.ThrowIfNull(second, "second")
        Task.zip first second

    /// The value, or what the handler makes of the exception, a cancellation included. An ArgumentNullException at the
    /// call for a null.
    [<Extension>]
    static member Catch(operation: Task<'T>, handler: Func<exn, 'T>) : Task<'T> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(handler, "handler")
        Task.catchWith handler.Invoke operation

    /// Starts the operations in order, at most `limit` in flight; none behind a failure.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<Task<'T>>>, limit: int) : Task<'T[]> =
        Task.whenAllThrottled limit (Plait.Kernel.DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has ended; none behind a failure.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<Task<'T>>>) : Task<'T[]> =
        Task.sequential (Plait.Kernel.DelegateAdapters.Functions starts)
