// The modules over operations without a result, as functions over ValueTasks and Tasks, for the tests of those with one: the value
// of an operation is kept beside it.
namespace Plait.Tests

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait

/// An operation without a result over one with a result: when its own is taken, the value is kept.
type Valueless(operation: ValueTask<int>, keep: int -> unit) =

    static member Of(operation: ValueTask<int>, keep: int -> unit) =
        ValueTask(Valueless(operation, keep), 0s)

    interface IValueTaskSource with
        member _.GetStatus _ =
            if not operation.IsCompleted then ValueTaskSourceStatus.Pending
            elif operation.IsCompletedSuccessfully then ValueTaskSourceStatus.Succeeded
            elif operation.IsCanceled then ValueTaskSourceStatus.Canceled
            else ValueTaskSourceStatus.Faulted

        member _.GetResult _ =
            keep (operation.GetAwaiter().GetResult())

        member _.OnCompleted(continuation, state, _, flags) =
            operation
                .ConfigureAwait(flags.HasFlag ValueTaskSourceOnCompletedFlags.UseSchedulingContext)
                .GetAwaiter()
                .UnsafeOnCompleted(fun () -> continuation.Invoke state)

/// The values of operations without a result.
module Kept =

    let private after (operation: Task) (value: unit -> 'T) : Task<'T> =
        task {
            do! operation
            return value ()
        }

    /// The last value that was taken.
    let last (run: (ValueTask<int> -> ValueTask) -> Task) : Task<int> =
        let kept = ref 0

        after (run (fun operation -> Valueless.Of(operation, fun value -> kept.Value <- value))) (fun () ->
            kept.Value)

    /// The first value that was taken.
    let first (run: (ValueTask<int> -> ValueTask) -> Task) : Task<int> =
        let kept = ConcurrentQueue<int>()
        after (run (fun operation -> Valueless.Of(operation, kept.Enqueue))) (fun () -> Seq.head kept)

    /// The values by the numbers of their operations.
    let all (run: (int -> ValueTask<int> -> ValueTask) -> Task) : Task<int[]> =
        let kept = ConcurrentDictionary<int, int>()

        after
            (run (fun number operation -> Valueless.Of(operation, fun value -> kept[number] <- value)))
            (fun () -> [| for number in Seq.sort kept.Keys -> kept[number] |])

    /// The items of a sequence in which a number stands for a value.
    let items (values: int -> int) (numbers: IAsyncEnumerable<int>) : IAsyncEnumerable<int> =
        { new IAsyncEnumerable<int> with
            member _.GetAsyncEnumerator token =
                let numbers = numbers.GetAsyncEnumerator token

                { new IAsyncEnumerator<int> with
                    member _.Current = values numbers.Current
                    member _.MoveNextAsync() = numbers.MoveNextAsync()
                    member _.DisposeAsync() = numbers.DisposeAsync()
                }
        }

type UnitWork = CancellationToken -> ValueTask

/// A module over operations without a result, and the C# methods over the same.
type UnitModule =
    {
        Name: string
        Catch: ValueTask -> Task<Result<unit, exn>>
        CatchWith: (exn -> unit) -> ValueTask -> Task
        WhenAll: seq<ValueTask> -> Task
        WhenAny: seq<ValueTask> -> Task
        WhenEach: seq<ValueTask> -> IAsyncEnumerable<int>
        WhenAllThrottled: int -> seq<unit -> ValueTask> -> Task
        Sequential: seq<unit -> ValueTask> -> Task
        Timeout: TimeSpan -> ValueTask -> Task
        Within: TimeSpan -> UnitWork -> Task
        WithinLinked: CancellationToken -> TimeSpan -> UnitWork -> Task
        Before: DateTimeOffset -> UnitWork -> Task
        BeforeLinked: CancellationToken -> DateTimeOffset -> UnitWork -> Task
        Abandon: TimeSpan -> UnitWork -> Task
        AbandonLinked: CancellationToken -> TimeSpan -> UnitWork -> Task
        Retry: RetryPolicy -> (int -> UnitWork) -> Task
        RetryLinked: CancellationToken -> RetryPolicy -> (int -> UnitWork) -> Task
        Iter: int -> (int -> ValueTask) -> seq<int> -> Task
        IterAsync: int -> (int -> ValueTask) -> IAsyncEnumerable<int> -> Task
        Clocked: TimeProvider -> CancellationToken -> TimeSpan -> UnitWork -> Task
        ClockedBefore: TimeProvider -> CancellationToken -> DateTimeOffset -> UnitWork -> Task
        ClockedAbandon: TimeProvider -> CancellationToken -> TimeSpan -> UnitWork -> Task
        DoorRetry: CancellationToken -> RetryPolicy -> (int -> UnitWork) -> Task
        DoorIter: int -> (int -> ValueTask) -> seq<int> -> Task
        DoorIterAsync: CancellationToken -> int -> (int -> ValueTask) -> IAsyncEnumerable<int> -> Task
        IsPooled: bool
    }
