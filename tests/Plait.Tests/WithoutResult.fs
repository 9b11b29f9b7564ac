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

module UnitModules =
    let private orNull (convert: seq<'T> -> seq<'U>) (operations: seq<'T>) : seq<'U> =
        if isNull (box operations) then Unchecked.defaultof<_> else convert operations

    let private asTask (operation: ValueTask) = operation.AsTask()
    let private pooled (operation: ValueTask) = PooledValueTask operation
    let private ended (operation: PooledValueTask) = operation.AsTask()

    let all =
        [
            {
                Name = "PooledValueTaskUnit"
                Catch = fun operation -> (PooledValueTaskUnit.catch operation).AsTask()
                CatchWith = fun handler operation -> asTask (PooledValueTaskUnit.catchWith handler operation)
                WhenAll = PooledValueTaskUnit.whenAll >> asTask
                WhenAny = PooledValueTaskUnit.whenAny >> asTask
                WhenEach = PooledValueTaskUnit.whenEach
                WhenAllThrottled =
                    fun limit starts -> asTask (PooledValueTaskUnit.whenAllThrottled limit starts)
                Sequential = PooledValueTaskUnit.sequential >> asTask
                Timeout = fun time operation -> asTask (PooledValueTaskUnit.timeout time operation)
                Within = fun time work -> asTask (PooledValueTaskUnit.withTimeout time work)
                WithinLinked =
                    fun token time work -> asTask (PooledValueTaskUnit.withTimeoutLinked token time work)
                Before = fun time work -> asTask (PooledValueTaskUnit.withDeadline time work)
                BeforeLinked =
                    fun token time work -> asTask (PooledValueTaskUnit.withDeadlineLinked token time work)
                Abandon = fun time work -> asTask (PooledValueTaskUnit.abandonAfter time work)
                AbandonLinked =
                    fun token time work -> asTask (PooledValueTaskUnit.abandonAfterLinked token time work)
                Retry = fun policy work -> asTask (PooledValueTaskUnit.retry policy work)
                RetryLinked =
                    fun token policy work -> asTask (PooledValueTaskUnit.retryLinked token policy work)
                Iter = fun limit action items -> asTask (PooledValueTaskUnit.iterThrottled limit action items)
                IterAsync =
                    fun limit action items ->
                        asTask (PooledValueTaskUnit.iterThrottledAsync limit action items)
                Clocked =
                    fun clock token time work ->
                        asTask (ValueTaskCombinators.WithTimeout(time, work, clock, token))
                ClockedBefore =
                    fun clock token time work ->
                        asTask (ValueTaskCombinators.WithDeadline(time, work, clock, token))
                ClockedAbandon =
                    fun clock token time work ->
                        asTask (ValueTaskCombinators.AbandonAfter(time, work, clock, token))
                DoorRetry =
                    fun token policy work ->
                        let work = Func<int, CancellationToken, ValueTask>(work)
                        asTask (ValueTaskCombinators.Retry(policy, work, token))
                DoorIter =
                    fun limit action items ->
                        asTask (ValueTaskCombinators.ForEachThrottled(items, limit, action))
                DoorIterAsync =
                    fun token limit action items ->
                        asTask (ValueTaskCombinators.ForEachThrottled(items, limit, action, token))
                IsPooled = true
            }
            {
                Name = "ValueTaskUnit"
                Catch = fun operation -> (ValueTaskUnit.catch operation).AsTask()
                CatchWith = fun handler operation -> asTask (ValueTaskUnit.catchWith handler operation)
                WhenAll = ValueTaskUnit.whenAll >> asTask
                WhenAny = ValueTaskUnit.whenAny >> asTask
                WhenEach = ValueTaskUnit.whenEach
                WhenAllThrottled = fun limit starts -> asTask (ValueTaskUnit.whenAllThrottled limit starts)
                Sequential = ValueTaskUnit.sequential >> asTask
                Timeout = fun time operation -> asTask (ValueTaskUnit.timeout time operation)
                Within = fun time work -> asTask (ValueTaskUnit.withTimeout time work)
                WithinLinked = fun token time work -> asTask (ValueTaskUnit.withTimeoutLinked token time work)
                Before = fun time work -> asTask (ValueTaskUnit.withDeadline time work)
                BeforeLinked =
                    fun token time work -> asTask (ValueTaskUnit.withDeadlineLinked token time work)
                Abandon = fun time work -> asTask (ValueTaskUnit.abandonAfter time work)
                AbandonLinked =
                    fun token time work -> asTask (ValueTaskUnit.abandonAfterLinked token time work)
                Retry = fun policy work -> asTask (ValueTaskUnit.retry policy work)
                RetryLinked = fun token policy work -> asTask (ValueTaskUnit.retryLinked token policy work)
                Iter = fun limit action items -> asTask (ValueTaskUnit.iterThrottled limit action items)
                IterAsync =
                    fun limit action items -> asTask (ValueTaskUnit.iterThrottledAsync limit action items)
                // those of the type of C#
                Clocked =
                    fun clock token time work ->
                        ended (
                            PooledValueTaskCombinators.WithTimeout(
                                time,
                                (fun token -> pooled (work token)),
                                clock,
                                token
                            )
                        )
                ClockedBefore =
                    fun clock token time work ->
                        ended (
                            PooledValueTaskCombinators.WithDeadline(
                                time,
                                (fun token -> pooled (work token)),
                                clock,
                                token
                            )
                        )
                ClockedAbandon =
                    fun clock token time work ->
                        ended (
                            PooledValueTaskCombinators.AbandonAfter(
                                time,
                                (fun token -> pooled (work token)),
                                clock,
                                token
                            )
                        )
                DoorRetry =
                    fun token policy work ->
                        let work =
                            Func<int, CancellationToken, PooledValueTask>(fun attempt token ->
                                pooled (work attempt token))

                        ended (PooledValueTaskCombinators.Retry(policy, work, token))
                DoorIter =
                    fun limit action items ->
                        ended (PooledValueTaskCombinators.ForEachThrottled(items, limit, action >> pooled))
                DoorIterAsync =
                    fun token limit action items ->
                        ended (
                            PooledValueTaskCombinators.ForEachThrottled(items, limit, action >> pooled, token)
                        )
                IsPooled = false
            }
            {
                Name = "TaskUnit"
                Catch = asTask >> TaskUnit.catch
                CatchWith = fun handler operation -> TaskUnit.catchWith handler (asTask operation)
                WhenAll = orNull (Seq.map asTask) >> TaskUnit.whenAll
                WhenAny = orNull (Seq.map asTask) >> TaskUnit.whenAny
                WhenEach = orNull (Seq.map asTask) >> TaskUnit.whenEach
                WhenAllThrottled =
                    fun limit starts ->
                        TaskUnit.whenAllThrottled
                            limit
                            (orNull (Seq.map (fun start -> start >> asTask)) starts)
                Sequential = Seq.map (fun start -> start >> asTask) >> TaskUnit.sequential
                Timeout = fun time operation -> TaskUnit.timeout time (asTask operation)
                Within = fun time work -> TaskUnit.withTimeout time (work >> asTask)
                WithinLinked = fun token time work -> TaskUnit.withTimeoutLinked token time (work >> asTask)
                Before = fun time work -> TaskUnit.withDeadline time (work >> asTask)
                BeforeLinked = fun token time work -> TaskUnit.withDeadlineLinked token time (work >> asTask)
                Abandon = fun time work -> TaskUnit.abandonAfter time (work >> asTask)
                AbandonLinked = fun token time work -> TaskUnit.abandonAfterLinked token time (work >> asTask)
                Retry =
                    fun policy work ->
                        TaskUnit.retry policy (fun attempt token -> asTask (work attempt token))
                RetryLinked =
                    fun token policy work ->
                        TaskUnit.retryLinked token policy (fun attempt token -> asTask (work attempt token))
                Iter = fun limit action items -> TaskUnit.iterThrottled limit (action >> asTask) items
                IterAsync =
                    fun limit action items -> TaskUnit.iterThrottledAsync limit (action >> asTask) items
                Clocked =
                    fun clock token time work ->
                        TaskCombinators.WithTimeout(
                            time,
                            Func<_, Task>(fun token -> asTask (work token)),
                            clock,
                            token
                        )
                ClockedBefore =
                    fun clock token time work ->
                        TaskCombinators.WithDeadline(
                            time,
                            Func<_, Task>(fun token -> asTask (work token)),
                            clock,
                            token
                        )
                ClockedAbandon =
                    fun clock token time work ->
                        TaskCombinators.AbandonAfter(
                            time,
                            Func<_, Task>(fun token -> asTask (work token)),
                            clock,
                            token
                        )
                DoorRetry =
                    fun token policy work ->
                        TaskCombinators.Retry(
                            policy,
                            Func<_, _, Task>(fun attempt token -> asTask (work attempt token)),
                            token
                        )
                DoorIter =
                    fun limit action items ->
                        TaskCombinators.ForEachThrottled(items, limit, Func<_, Task>(action >> asTask))
                DoorIterAsync =
                    fun token limit action items ->
                        TaskCombinators.ForEachThrottled(items, limit, Func<_, Task>(action >> asTask), token)
                IsPooled = false
            }
        ]
