// C# door: how C# starts the functions that `coldTask`, `cancellableTask` and `cancellableValueTask` give. F# calls them as they are.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks

/// <summary>Starts operations that F# code gives as functions: cold ones, which take no argument, and cancellable ones, which take
/// a token. Each call starts the operation anew: with the token, by default <c>CancellationToken.None</c>. Throws an
/// ArgumentNullException if the operation is null.</summary>
[<AbstractClass; Sealed; Extension>]
type StartExtensions =

    /// A `cancellableTask` with a result.
    [<Extension>]
    static member Start
        (operation: CancellableTask<'T>, [<Optional>] cancellationToken: CancellationToken)
        : Task<'T> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        operation cancellationToken

    /// A `cancellableTask` without a result.
    [<Extension>]
    static member Start
        (operation: CancellableTask, [<Optional>] cancellationToken: CancellationToken)
        : Task =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        operation cancellationToken

    /// A `cancellableValueTask` with a result, which is awaited once.
    [<Extension>]
    static member Start
        (operation: CancellableValueTask<'T>, [<Optional>] cancellationToken: CancellationToken)
        : ValueTask<'T> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        operation cancellationToken

    /// A `cancellableValueTask` without a result; it is awaited once.
    [<Extension>]
    static member Start
        (operation: CancellableValueTask, [<Optional>] cancellationToken: CancellationToken)
        : ValueTask =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        operation cancellationToken

    /// A `coldTask` with a result.
    [<Extension>]
    static member Start(operation: ColdTask<'T>) : Task<'T> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        operation ()

    /// A `coldTask` without a result.
    [<Extension>]
    static member Start(operation: ColdTask) : Task =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        operation ()
