// Layer: combinators. `whenEach`: the results of operations in the order in which they complete. Owns the rule that each
// operation is consumed once, whether its result is taken, an earlier one has failed or nobody enumerates.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

/// The answer to a call of MoveNextAsync.
type internal EachStep =
    | End = 0
    | Item = 1
    | Waits = 2
    | Failed = 3
    | Cancelled = 4
    | Misused = 5

/// The sequence, its one enumerator, and the source of its steps that wait. It is its own lock; nothing of a user runs in
/// there.
[<Sealed; StackTraceHidden>]
type internal CompletionOrder<'S, 'a when 'S :> ISource<'a>> private (count: int, error: exn) =
    inherit PooledSource<bool>()

    static let cancel =
        Action<obj>(fun state -> (Unsafe.As<CompletionOrder<'S, 'a>> state).Cancel())

    /// The completed operations whose results were not taken, oldest first.
    let completed = Queue<Branch<'S, 'a>>()

    /// The number of operations that have not completed.
    let mutable pending = count

    /// A step waits for the next one.
    let mutable waits = false

    let mutable isOpened = 0
    let mutable isClosed = false
    let mutable current = Unchecked.defaultof<'a>
    let mutable token = CancellationToken.None
    let mutable registration = Unchecked.defaultof<CancellationTokenRegistration>

    override _.Recycle() = ()
    override _.ClearMachine() = ()
    override _.Resume() = ()
    override order.Action = Action(order.Resume)

    /// Drops the results that were not taken. In the lock.
    member private _.Drop() =
        isClosed <- true

        while completed.Count > 0 do
            completed.Dequeue().Release()

    /// The result of a branch becomes the current item; null, or its error, which ends the sequence.
    member private order.Take(branch: Branch<'S, 'a>) : exn =
        let error = branch.Error
        current <- branch.Value
        branch.Release()

        if not (isNull error) then
            Atomic.Enter order

            try
                order.Drop()
            finally
                Atomic.Exit order

        error

    member private order.Cancel() =
        let mutable wakes = false
        Atomic.Enter order

        try
            wakes <- waits
            waits <- false
        finally
            Atomic.Exit order

        if wakes then
            order.FailElsewhere(OperationCanceledException token)

    interface IBranchOwner<'S, 'a> with
        member order.BranchCompleted branch =
            let mutable wakes = false
            let mutable drops = false
            Atomic.Enter order

            try
                pending <- pending - 1

                if isClosed then
                    drops <- true
                elif waits then
                    waits <- false
                    wakes <- true
                else
                    completed.Enqueue branch
            finally
                Atomic.Exit order

            if drops then
                branch.Release()
            elif wakes then
                match order.Take branch with
                | null -> order.Complete(true, false)
                | error -> order.Fail(error, false)

    interface IAsyncEnumerable<'a> with
        member order.GetAsyncEnumerator(cancellationToken) =
            if Interlocked.Exchange(&isOpened, 1) <> 0 then
                Misuse.EachEnumeratedTwice()

            token <- cancellationToken
            registration <- cancellationToken.UnsafeRegister(cancel, order)
            order

    interface IAsyncEnumerator<'a> with
        member _.Current = current

        member order.MoveNextAsync() =
            let mutable branch: Branch<'S, 'a> = null
            let mutable step = EachStep.End
            Atomic.Enter order

            try
                if waits then
                    step <- EachStep.Misused
                elif isClosed then
                    step <- EachStep.End
                elif token.IsCancellationRequested then
                    step <- EachStep.Cancelled
                elif completed.Count > 0 then
                    step <- EachStep.Item
                    branch <- completed.Dequeue()
                elif pending > 0 then
                    step <- EachStep.Waits
                    waits <- true
                elif not (isNull error) then
                    step <- EachStep.Failed
            finally
                Atomic.Exit order

            match step with
            | EachStep.Item ->
                match order.Take branch with
                | null -> ValueTask<bool> true
                | error -> ValueTask<bool>(Settled.Failed<bool> error)
            | EachStep.Waits -> ValueTask<bool>(order :> IValueTaskSource<bool>, order.Token)
            | EachStep.Failed -> ValueTask<bool>(Settled.Failed<bool> error)
            | EachStep.Cancelled -> ValueTask<bool>(Task.FromCanceled<bool> token)
            | EachStep.Misused ->
                Misuse.EachEnumeratedTwice()
                ValueTask<bool> false
            | _ -> ValueTask<bool> false

        member order.DisposeAsync() =
            registration.Unregister() |> ignore
            let mutable wakes = false
            Atomic.Enter order

            try
                wakes <- waits
                waits <- false
                order.Drop()
            finally
                Atomic.Exit order

            if wakes then
                order.CompleteElsewhere false

            ValueTask()

    /// Waits for all operations of a sequence, which is enumerated now.
    static member Of<'Operation, 'Read when 'Read :> IStarted<'Operation, 'S>>
        (operations: seq<'Operation>)
        : IAsyncEnumerable<'a> =
        let batch = Batch<'S, 'a>.Gather<'Operation, 'Read> operations
        let order = CompletionOrder<'S, 'a>(batch.Count, batch.Error)

        for index in 0 .. batch.Count - 1 do
            Branch<'S, 'a>.Rent(batch[index], order).Go()

        batch.Release()
        order

/// A source whose result is its place among others.
[<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>]
type internal PlacedSource<'S, 'a when 'S :> ISource<'a>>(source: 'S, place: int) =
    interface ISource<int> with
        member _.IsCompleted = source.IsCompleted

        member _.GetResult() =
            source.GetResult() |> ignore<'a>
            place

        member _.Register frame = source.Register frame
        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())

/// An operation with its place.
[<Struct; NoEquality; NoComparison>]
type internal PlacedReader<'Operation, 'Read, 'S, 'a
    when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S>> =
    interface IStarted<struct (int * 'Operation), PlacedSource<'S, 'a>> with
        member _.Of(struct (place, operation)) =
            PlacedSource<'S, 'a>(Unchecked.defaultof<'Read>.Of(operation), place)
