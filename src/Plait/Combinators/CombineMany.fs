// Layer: combinators. The combinators over any number of operations, as `Combine` has those over one or two. How they
// treat errors is described in docs/explanation/combinators.md.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Diagnostics
open System.Runtime.ExceptionServices
open System.Threading.Tasks

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineMany =

    static member WhenAll<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IOperationReader<'Operation, 'S>
        and 'Shape :> IShape<'a[], 'Result>>
        (operations: seq<'Operation>, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'a[], 'Result, 'Shape, Safe>(
            combinator { return! AllSource<'S, 'a>(Batch<'S, 'a>.Gather<'Operation, 'Read> operations) }
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
        when 'S :> ISource<'a> and 'Read :> IOperationReader<'Operation, 'S> and 'Shape :> IShape<'a, 'Result>>
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

    static member WhenAllThrottled<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IOperationReader<'Operation, 'S>
        and 'Shape :> IShape<'a[], 'Result>>
        (limit: int, starts: seq<unit -> 'Operation>, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'a[], 'Result, 'Shape, Safe>(
            combinator {
                let slots = ThrottleSlots<'Operation, 'Read, 'S, 'a>.Open(limit, starts)

                while slots.MoveNext() do
                    if not (slots.TryTake()) then
                        do! ThrottleSlotSource<unit, 'Operation, 'Read, 'S, 'a> slots

                    slots.Start()

                if not (slots.TryTakeAll()) then
                    do! ThrottleSlotSource<unit, 'Operation, 'Read, 'S, 'a> slots

                return slots.Results()
            }
        )
