// Layer: blocking. The two doors to the pools: functions for F#, static methods for C#.
namespace Plait

open System
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks

/// <summary>Calls that must block, on threads of their own; see <see cref="T:Plait.BlockingPool" />.</summary>
[<AbstractClass; Sealed>]
type Blocking =

    /// Calls the function on a thread of the shared pool; see `BlockingPool.Run`.
    static member Run(work: Func<'T>, [<Optional>] cancellationToken: CancellationToken) : ValueTask<'T> =
        BlockingPool.Shared.Run(work, cancellationToken)

    /// As the other `Run`, for a call without a result.
    static member Run(work: Action, [<Optional>] cancellationToken: CancellationToken) : ValueTask =
        BlockingPool.Shared.Run(work, cancellationToken)

    /// Binds a client with blocking methods to the shared pool.
    static member Adapt(client: 'Client) : BlockingClient<'Client> =
        ArgumentNullException.ThrowIfNull(box client, nameof client)
        BlockingClient<'Client>(client, BlockingPool.Shared)

    /// Binds a client with blocking methods to a pool.
    static member Adapt(client: 'Client, pool: BlockingPool) : BlockingClient<'Client> =
        ArgumentNullException.ThrowIfNull(box client, nameof client)
        ArgumentNullException.ThrowIfNull(pool, nameof pool)
        BlockingClient<'Client>(client, pool)

/// <summary>Calls that must block, on threads of their own; see <see cref="T:Plait.BlockingPool" />. The call itself does
/// not throw: a refusal is an error of the result.</summary>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module Blocking =

    /// Calls the function on a thread of the shared pool. The call begins at once. Some 300 bytes are
    /// allocated, the node of the `let!` included.
    let run (work: unit -> 'T) : Strand<'T> =
        BlockingPool.Shared.Strand(Func<'T>(work), CancellationToken.None)

    /// Calls the function on a thread of the pool. The token takes the call out of the queue; a call that runs is not stopped
    /// by it.
    let runOn (pool: BlockingPool) (cancellationToken: CancellationToken) (work: unit -> 'T) : Strand<'T> =
        pool.Strand(Func<'T>(work), cancellationToken)

    /// As `runOn` with the token of the computation, which is cold like every Async: for `async { }`, which binds no Strand.
    let runAsync (pool: BlockingPool) (work: unit -> 'T) : Async<'T> =
        async {
            let! token = Async.CancellationToken

            return!
                Async.FromContinuations(fun (success, failure, cancellation) ->
                    let awaiter = (pool.Strand(Func<'T>(work), token)).ConfigureAwait(true).GetAwaiter()

                    // with the context: the rest of the async has the AsyncLocals from before
                    (awaiter :> System.Runtime.CompilerServices.INotifyCompletion)
                        .OnCompleted(fun () ->
                            let mutable error: exn = null
                            let mutable value = Unchecked.defaultof<'T>

                            try
                                value <- awaiter.GetResult()
                            with caught ->
                                error <- caught

                            match error with
                            | null -> success value
                            | :? OperationCanceledException as cancelled when token.IsCancellationRequested ->
                                cancellation cancelled
                            | error -> failure error))
        }

    /// Binds a client with blocking methods to the shared pool: `let! rows = db.Run(fun db -> db.Query text)`.
    let adapt (client: 'Client) : BlockingClient<'Client> =
        BlockingClient<'Client>(client, BlockingPool.Shared)

    /// Binds a client with blocking methods to a pool.
    let adaptOn (pool: BlockingPool) (client: 'Client) : BlockingClient<'Client> =
        BlockingClient<'Client>(client, pool)

    /// Calls a client on a thread of its pool. Throws at once where the client is `default`.
    let call (work: 'Client -> 'T) (client: BlockingClient<'Client>) : Strand<'T> =
        let target = client.Client
        client.Caller.Strand(Func<'T>(fun () -> work target), CancellationToken.None)
