// Layer: blocking. An object with blocking methods, bound to the pool on which they are called.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>A client whose methods block, and the pool on which they are called; made by <c>Blocking.adapt</c> or
/// <c>Blocking.Adapt</c>.</summary>
/// <remarks>Calls run at the same time, as many as the pool has threads: a client that is not safe for this needs a pool with
/// <c>MaxThreads = 1</c>, on which its calls follow each other. Its owner disposes the client.</remarks>
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type BlockingClient<'Client> internal (client: 'Client, pool: BlockingPool) =

    /// The client itself.
    member _.Client = client

    /// The pool on which it is called; null for `default`.
    member _.Pool = pool

    /// The pool, where there is one.
    member internal _.Caller: BlockingPool =
        if isNull (box pool) then
            raise (BlockingErrors.NoClient())

        pool

    /// Calls the client on a thread of the pool; see `BlockingPool.Run`. Throws at once where this is `default`.
    member bound.Run
        (call: Func<'Client, 'T>, [<Optional>] cancellationToken: CancellationToken)
        : ValueTask<'T> =
        ArgumentNullException.ThrowIfNull(call, nameof call)
        let client = client
        bound.Caller.Run(Func<'T>(fun () -> call.Invoke client), cancellationToken)

    /// As the other `Run`, for a call without a result.
    member bound.Run(call: Action<'Client>, [<Optional>] cancellationToken: CancellationToken) : ValueTask =
        ArgumentNullException.ThrowIfNull(call, nameof call)
        let client = client
        bound.Caller.Run(Action(fun () -> call.Invoke client), cancellationToken)
