// A module of combinators with operations as ValueTasks and results as Tasks, so that one test is for all modules. And the
// operations that count how often their result is taken.
namespace Plait.Tests

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait

/// One pooled operation, completed by hand on the calling thread, that counts how often its result was taken.
type Counted() =
    let mutable core = ManualResetValueTaskSourceCore<int>()
    let mutable taken = 0

    /// How often the result was taken.
    member _.Taken = Volatile.Read &taken

    member source.Operation = ValueTask<int>(source, core.Version)
    member source.UnitOperation = ValueTask(source, core.Version)
    member _.Complete(value: int) = core.SetResult value
    member _.Fail(error: exn) = core.SetException error

    interface IValueTaskSource<int> with
        member _.GetResult token =
            Interlocked.Increment &taken |> ignore
            core.GetResult token

        member _.GetStatus token = core.GetStatus token

        member _.OnCompleted(continuation, state, token, flags) =
            core.OnCompleted(continuation, state, token, flags)

    interface IValueTaskSource with
        member source.GetResult token =
            (source :> IValueTaskSource<int>).GetResult token |> ignore

        member _.GetStatus token = core.GetStatus token

        member _.OnCompleted(continuation, state, token, flags) =
            core.OnCompleted(continuation, state, token, flags)

/// A clock that stands at the year 2000; its timers ring by hand.
type HandClock() =
    inherit TimeProvider()

    let mutable ring = ignore

    /// What the last timer was set to.
    member val Due = TimeSpan.Zero with get, set

    member _.Ring() = ring ()

    override _.GetUtcNow() =
        DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero)

    override clock.CreateTimer(callback, state, due, _) =
        ring <- fun () -> callback.Invoke state
        clock.Due <- due

        { new ITimer with
            member _.Change(_, _) = true
            member _.Dispose() = ()
            member _.DisposeAsync() = ValueTask()
        }

type LimitedWork = CancellationToken -> ValueTask<int>
type RepeatedWork = int -> CancellationToken -> ValueTask<int>
type Mapping = int -> ValueTask<int>

/// The functions of one module, and, by the names with `Door` and `Clocked`, the methods of C# over the same.
[<AbstractClass>]
type Family(name: string) =
    member _.Name = name
    override _.ToString() = name

    /// False: a module over operations without a result, which has those functions alone that need none.
    abstract HasValues: bool
    default _.HasValues = true

    /// Whether sources are used again.
    abstract IsPooled: bool

    abstract Result: int -> Task<int>
    abstract Map: (int -> int) -> ValueTask<int> -> Task<int>
    abstract Bind: (int -> ValueTask<int>) -> ValueTask<int> -> Task<int>
    abstract Apply: (int -> int) -> ValueTask<int> -> ValueTask<int> -> Task<int>
    abstract Zip: ValueTask<int> -> ValueTask<int> -> Task<struct (int * int)>
    abstract ParallelZip: ValueTask<int> -> ValueTask<int> -> Task<struct (int * int)>
    abstract Ignore: ValueTask<int> -> Task<unit>
    abstract Catch: ValueTask<int> -> Task<Result<int, exn>>
    abstract CatchWith: (exn -> int) -> ValueTask<int> -> Task<int>
    abstract OfUnit: ValueTask -> Task<unit>
    abstract ToUnit: ValueTask<int> -> Task
    abstract WhenAll: seq<ValueTask<int>> -> Task<int[]>
    abstract WhenAny: seq<ValueTask<int>> -> Task<int>
    abstract WhenAllThrottled: int -> seq<unit -> ValueTask<int>> -> Task<int[]>
    abstract Sequential: seq<unit -> ValueTask<int>> -> Task<int[]>
    abstract Timeout: TimeSpan -> ValueTask<int> -> Task<int>

    abstract Within: TimeSpan -> LimitedWork -> Task<int>
    abstract WithinLinked: CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
    abstract Before: DateTimeOffset -> LimitedWork -> Task<int>
    abstract BeforeLinked: CancellationToken -> DateTimeOffset -> LimitedWork -> Task<int>
    abstract Abandon: TimeSpan -> LimitedWork -> Task<int>
    abstract AbandonLinked: CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
    abstract Clocked: HandClock -> CancellationToken -> TimeSpan -> LimitedWork -> Task<int>
    abstract ClockedBefore: HandClock -> CancellationToken -> DateTimeOffset -> LimitedWork -> Task<int>
    abstract ClockedAbandon: HandClock -> CancellationToken -> TimeSpan -> LimitedWork -> Task<int>

    abstract Retry: RetryPolicy -> RepeatedWork -> Task<int>
    abstract RetryLinked: CancellationToken -> RetryPolicy -> RepeatedWork -> Task<int>
    abstract RetryUntil: (int -> bool) -> RetryPolicy -> RepeatedWork -> Task<int>
    abstract RetryUntilLinked: CancellationToken -> (int -> bool) -> RetryPolicy -> RepeatedWork -> Task<int>
    abstract DoorRetry: RetryPolicy -> RepeatedWork -> (int -> bool) -> CancellationToken -> Task<int>

    abstract MapThrottled: int -> Mapping -> seq<int> -> Task<int[]>
    abstract MapThrottledAsync: int -> Mapping -> IAsyncEnumerable<int> -> Task<int[]>
    abstract DoorMap: int -> Mapping -> seq<int> -> Task<int[]>
    abstract DoorMapAsync: CancellationToken -> int -> Mapping -> IAsyncEnumerable<int> -> Task<int[]>

/// The operation that a module and the methods of C# take in place of a ValueTask, and whether its sources are used again.
module Entries =
    module PooledValueTask =
        let enter (operation: ValueTask<int>) = operation
        let enterUnit (operation: ValueTask) = operation
        let enterDoor (operation: ValueTask<int>) = operation
        let isPooled = true

    module ValueTask =
        let enter (operation: ValueTask<int>) = operation
        let enterUnit (operation: ValueTask) = operation
        let enterDoor (operation: ValueTask<int>) = PooledValueTask<int> operation
        let isPooled = false

    module Strand =
        let enter (operation: ValueTask<int>) = strand { return! operation }
        let enterUnit (operation: ValueTask) = operation
        let enterDoor (operation: ValueTask<int>) = enter operation
        let isPooled = true

    module Task =
        let enter (operation: ValueTask<int>) = operation.AsTask()
        let enterUnit (operation: ValueTask) = operation.AsTask()
        let enterDoor (operation: ValueTask<int>) = operation.AsTask()
        let isPooled = false

    module PooledValueTaskUnit =
        let enter (operation: ValueTask) = operation
        let enterDoor (operation: ValueTask) = operation
        let isPooled = true

    module ValueTaskUnit =
        let enter (operation: ValueTask) = operation
        let enterDoor (operation: ValueTask) = PooledValueTask operation
        let isPooled = false

    module TaskUnit =
        let enter (operation: ValueTask) = operation.AsTask()
        let enterDoor (operation: ValueTask) = operation.AsTask()
        let isPooled = false

    /// The same for each item; null stays null.
    let each (enter: 'T -> 'U) (items: seq<'T>) : seq<'U> =
        if isNull (box items) then Unchecked.defaultof<_> else Seq.map enter items

    /// The same with the numbers of the items.
    let numbered (enter: int -> 'T -> 'U) (items: seq<'T>) : seq<'U> =
        if isNull (box items) then Unchecked.defaultof<_> else Seq.mapi enter items
