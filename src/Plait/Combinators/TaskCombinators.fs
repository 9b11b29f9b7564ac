// Layer: combinators. The combinators over Tasks for C#, as far as the BCL does not have them. The build adds the members
// about work, which are those of ValueTaskCombinators.fs: see Plait.fsproj.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Combinators over <c>Task&lt;T&gt;</c> and over functions that start one, for C#, which the BCL does not
/// have. Task.WhenAll, Task.WhenAny and WaitAsync are there already.</summary>
[<AbstractClass; Sealed; Extension>]
type TaskCombinators =

    /// Maps the result. Throws an ArgumentNullException at the call if an argument is null.
    [<Extension>]
    static member Select(operation: Task<'T>, selector: Func<'T, 'U>) : Task<'U> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        Task.map selector.Invoke operation

    /// The operation that the selector returns for the result. Throws an ArgumentNullException at the call if an
    /// argument is null.
    [<Extension>]
    static member SelectMany(operation: Task<'T>, selector: Func<'T, Task<'U>>) : Task<'U> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        Task.bind selector.Invoke operation

    /// The operation that the selector returns for the result, and both results combined: a query with two `from`
    /// clauses. Throws an ArgumentNullException at the call if an argument is null.
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

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result. An ArgumentNullException at the call for a null.
    [<Extension>]
    static member Zip(first: Task<'T>, second: Task<'U>) : Task<struct ('T * 'U)> =
        ArgumentNullException.ThrowIfNull(first, "first")
        ArgumentNullException.ThrowIfNull(second, "second")
        Task.zip first second

    /// The value, or the handler's result for the exception. A cancellation is such an exception too. An
    /// ArgumentNullException at the call for a null.
    [<Extension>]
    static member Catch(operation: Task<'T>, handler: Func<exn, 'T>) : Task<'T> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(handler, "handler")
        Task.catchWith handler.Invoke operation

    /// The operation; if it fails, the handler gets the exception, and the result has succeeded. A cancellation is such an
    /// exception too. An ArgumentNullException at the call for a null.
    [<Extension>]
    static member Catch(operation: Task, handler: Action<exn>) : Task =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(handler, "handler")
        TaskUnit.catchWith handler.Invoke operation
