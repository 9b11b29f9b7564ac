// Layer: combinators. The combinators over any number of operations, as `Combine` has those over one or two. How they
// treat errors is described in docs/explanation/combinators.md.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Collections.Generic
open System.Runtime.ExceptionServices
open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineMany =

    static member WhenAll<'Operation, 'Read, 'S, 'a, 'All, 'Gathering, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<'Operation, 'S>
        and 'Gathering :> IGathering<'a, 'All>
        and 'Shape :> IShape<'All, 'Result>>
        (operations: seq<'Operation>, _read: 'Read, _gathering: 'Gathering, _shape: 'Shape)
        : 'Result =
        Machine.Run<'All, 'Result, 'Shape, Safe>(
            combinator {
                return!
                    AllSource<'S, 'a, 'All, 'Gathering>(Batch<'S, 'a>.Gather<'Operation, 'Read> operations)
            }
        )

    /// Reads the result of an operation that has ended already, or lets the operations race.
    static member private First<'S, 'a when 'S :> ISource<'a>>(batch: Batch<'S, 'a>) : ValueTask<'a> =
        let mutable error = batch.Error

        if isNull error && batch.Count = 0 then
            error <-
                ArgumentException(
                    "whenAny was given no operations, so none can be the first to complete. Usual cause: a \
                     sequence that a filter had emptied, or that was enumerated before. Check for an empty \
                     sequence first. See docs/errors/when-any-of-none.md in the Plait package.",
                    "operations"
                )

        if isNull error then
            Race<'S, 'a>.Run batch
        else
            for index in 0 .. batch.Count - 1 do
                Branch<'S, 'a>.Discard batch[index]

            batch.Release()
            ExceptionDispatchInfo.Throw error
            Unchecked.defaultof<_>

    static member WhenAny<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S> and 'Shape :> IShape<'a, 'Result>>
        (operations: seq<'Operation>, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            combinator {
                return!
                    ValueTaskSource<'a, Anywhere>(
                        CombineMany.First<'S, 'a>(Batch<'S, 'a>.Gather<'Operation, 'Read> operations)
                    )
            }
        )

    static member WhenEach<'Operation, 'Read, 'S, 'a
        when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S>>
        (operations: seq<'Operation>, _read: 'Read)
        : IAsyncEnumerable<'a> =
        CompletionOrder<'S, 'a>.Of<'Operation, 'Read> operations

    /// The places of operations without a result.
    static member WhenEachPlace<'Operation, 'Read, 'S, 'a
        when 'S :> ISource<'a> and 'Read :> IStarted<'Operation, 'S>>
        (operations: seq<'Operation>, _read: 'Read)
        : IAsyncEnumerable<int> =
        let placed =
            if isNull operations then
                null
            else
                Seq.mapi (fun place operation -> struct (place, operation)) operations

        CompletionOrder<PlacedSource<'S, 'a>, int>
            .Of<struct (int * 'Operation), PlacedReader<'Operation, 'Read, 'S, 'a>>
            placed

    /// Runs the mapping for each item, so many at a time. `parameter` is the name of the argument with the items.
    static member MapThrottled<'Item, 'Operation, 'Read, 'S, 'a, 'All, 'Gathering, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<'Operation, 'S>
        and 'Gathering :> IGathering<'a, 'All>
        and 'Shape :> IShape<'All, 'Result>>
        (
            limit: int,
            items: seq<'Item>,
            parameter: string,
            mapping: 'Item -> 'Operation,
            _read: 'Read,
            _gathering: 'Gathering,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'All, 'Result, 'Shape, Safe>(
            combinator {
                let slots =
                    ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a>
                        .Open(limit, items, parameter, mapping, 'Gathering.Keeps)

                while slots.MoveNext() do
                    if not (slots.TryTake()) then
                        do! ThrottleSlotSource<unit, 'Item, 'Operation, 'Read, 'S, 'a> slots

                    slots.Start()

                if not (slots.TryTakeAll()) then
                    do! ThrottleSlotSource<unit, 'Item, 'Operation, 'Read, 'S, 'a> slots

                return slots.Results<'All, 'Gathering>()
            }
        )

    static member WhenAllThrottled<'Operation, 'Read, 'S, 'a, 'All, 'Gathering, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<'Operation, 'S>
        and 'Gathering :> IGathering<'a, 'All>
        and 'Shape :> IShape<'All, 'Result>>
        (limit: int, starts: seq<unit -> 'Operation>, read: 'Read, gathering: 'Gathering, shape: 'Shape)
        : 'Result =
        CombineMany.MapThrottled(
            limit,
            starts,
            "starts",
            StartOf<'Operation>.Function,
            read,
            gathering,
            shape
        )

    /// As `MapThrottled`, of items that come one by one. A failure cancels the token of their enumerator.
    static member MapThrottledAsync<'Item, 'Operation, 'Read, 'S, 'a, 'All, 'Gathering, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<'Operation, 'S>
        and 'Gathering :> IGathering<'a, 'All>
        and 'Shape :> IShape<'All, 'Result>>
        (
            limit: int,
            items: IAsyncEnumerable<'Item>,
            token: CancellationToken,
            mapping: 'Item -> 'Operation,
            _read: 'Read,
            _gathering: 'Gathering,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'All, 'Result, 'Shape, Safe>(
            combinator {
                let slots =
                    ThrottleSlots<'Item, 'Operation, 'Read, 'S, 'a>
                        .Open(limit, (items :> obj), "items", mapping, 'Gathering.Keeps)

                if slots.GoesOn then
                    try
                        use cursor = items.GetAsyncEnumerator(slots.Link token)

                        while slots.GoesOn do
                            let! more = ValueTaskSource<bool, OnCaptured>(cursor.MoveNextAsync())

                            if more then
                                let item = cursor.Current

                                if not (slots.TryTake()) then
                                    do! ThrottleSlotSource<unit, 'Item, 'Operation, 'Read, 'S, 'a> slots

                                slots.Start item
                            else
                                slots.End()
                    with error ->
                        slots.Fail(CallersToken.Explain(error, token))

                if not (slots.TryTakeAll()) then
                    do! ThrottleSlotSource<unit, 'Item, 'Operation, 'Read, 'S, 'a> slots

                return slots.Results<'All, 'Gathering>()
            }
        )
