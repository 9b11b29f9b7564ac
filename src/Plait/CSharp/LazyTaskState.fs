// Layer: C# door. The pooled object behind a lazy completion source. Owns the rule that no code of a user runs while
// its lock is held.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

[<Sealed; AllowNullLiteral>]
type internal LazyTaskState<'T>() =
    /// The use that this object serves; a handle carries the one that it was made for.
    [<DefaultValue(false)>]
    val mutable private version: int

    [<DefaultValue(false)>]
    val mutable private settled: bool

    [<DefaultValue(false)>]
    val mutable private result: 'T

    [<DefaultValue(false)>]
    val mutable private error: exn

    /// The Task that the consumer has read; null: none yet.
    [<DefaultValue(false)>]
    val mutable private task: Task<'T>

    /// Settles `task` if it was read before the end.
    [<DefaultValue(false)>]
    val mutable private promise: AsyncTaskMethodBuilder<'T>

    static member Rent() : LazyTaskState<'T> =
        match ThreadCachedPool<LazyTaskState<'T>, ResultPoolSettings<'T>>.Rent() with
        | null -> LazyTaskState<'T>()
        | state -> state

    member state.Version = state.version

    member state.IsCurrent(version: int) = Volatile.Read &state.version = version

    /// A cancelled operation has one before it is read, as in PooledAwait.
    member state.HasTask(version: int) =
        lock state (fun () ->
            state.version = version
            && (not (isNull state.task) || state.error :? OperationCanceledException))

    /// The Task, made by the first call; null: the version's use is over.
    member state.Task(version: int) : Task<'T> =
        lock state (fun () ->
            if state.version <> version then
                null
            else
                if isNull state.task then
                    state.Make()

                state.task)

    member private state.Make() =
        if not state.settled then
            let mutable promise = AsyncTaskMethodBuilder<'T>.Create()
            state.task <- promise.Task
            state.promise <- promise
        elif isNull state.error then
            state.task <- CachedTask<'T>.Of state.result
        else
            state.task <- Settled.Failed state.error

    /// False: completed already, or its use is over. The promise is completed after the lock, because that runs continuations.
    member state.TrySettle(version: int, result: 'T, error: exn) : bool =
        let struct (won, read, promise) =
            lock state (fun () ->
                if state.version <> version || state.settled then
                    struct (false, false, Unchecked.defaultof<_>)
                else
                    state.settled <- true
                    state.result <- result
                    state.error <- error
                    struct (true, not (isNull state.task), state.promise))

        if read then
            let mutable promise = promise
            if isNull error then promise.SetResult result else promise.SetException error

        won

    member private state.Clear() =
        state.version <- state.version + 1
        state.settled <- false
        state.result <- Unchecked.defaultof<'T>
        state.error <- null
        state.task <- null
        state.promise <- Unchecked.defaultof<_>

    /// Ends the use; a Task that was read and is pending is cancelled. Only the first call of a use does anything.
    member state.End(version: int) =
        let struct (mine, pending, promise) =
            lock state (fun () ->
                if state.version <> version then
                    struct (false, false, Unchecked.defaultof<_>)
                else
                    let pending = not (isNull state.task) && not state.settled
                    let promise = state.promise
                    state.Clear()
                    struct (true, pending, promise))

        // after 2^32 uses the version would begin again: the object is retired instead
        if mine && version <> -1 then
            ThreadCachedPool<LazyTaskState<'T>, ResultPoolSettings<'T>>.Return state

        if pending then
            let mutable promise = promise
            promise.SetException(CompletionSourceErrors.Cancellation CancellationToken.None)
