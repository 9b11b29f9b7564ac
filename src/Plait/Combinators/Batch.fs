// Layer: combinators. `whenAll`: any number of sources as one. Owns the invariant that the result of each gathered
// source is taken once, whatever happens to the others.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Runtime.InteropServices

/// Sources from a sequence, in order, in memory that is used again.
[<Sealed; AllowNullLiteral>]
type internal Batch<'S>() =
    let sources = ResizeArray<'S>()

    /// The error of the sequence itself; null where it ran to its end.
    member val Error: exn = null with get, set

    member _.Count = sources.Count
    member _.Item(index: int) = sources[index]

    member private batch.Add<'Operation, 'Read when 'Read :> IOperationReader<'Operation, 'S>>
        (operation: 'Operation)
        =
        sources.Add('Read.Source operation)

    /// All of a sequence, on the calling thread. Where the sequence throws, what it has yielded so far, and the error.
    static member Gather<'Operation, 'Read when 'Read :> IOperationReader<'Operation, 'S>>
        (operations: seq<'Operation>)
        : Batch<'S> =
        let batch = SmallObjectPool<Batch<'S>>.Rent()

        try
            ArgumentNullException.ThrowIfNull(operations, "operations")

            // no enumerator object for the usual kinds
            match operations with
            | :? ('Operation[]) as items ->
                for item in items do
                    batch.Add<'Operation, 'Read> item
            | :? List<'Operation> as items ->
                for index in 0 .. items.Count - 1 do
                    batch.Add<'Operation, 'Read> items[index]
            | :? ('Operation list) as items ->
                let mutable rest = items

                while not rest.IsEmpty do
                    batch.Add<'Operation, 'Read> rest.Head
                    rest <- rest.Tail
            | items ->
                for item in items do
                    batch.Add<'Operation, 'Read> item
        with error ->
            batch.Error <- error

        batch

    /// Forgets the sources: the batch may serve another call.
    member batch.Release() =
        sources.Clear()
        batch.Error <- null
        // what one very wide call needed is not kept for the narrow ones
        if sources.Capacity <= 4096 then
            SmallObjectPool<Batch<'S>>.Return batch

/// The sources of a batch as one source, whose result releases the batch.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal AllSource<'S, 'a when 'S :> ISource<'a>>(batch: Batch<'S>) =
    interface ISource<'a[]> with
        member _.IsCompleted =
            let mutable index = 0

            while index < batch.Count && SafeSource<'S, 'a>.IsCompleted batch[index] do
                index <- index + 1

            index = batch.Count

        member _.GetResult() =
            let results = if batch.Count = 0 then [||] else Array.zeroCreate batch.Count
            let mutable first: exn = null

            for index in 0 .. results.Length - 1 do
                try
                    results[index] <- batch[index].GetResult()
                with error ->
                    if isNull first then
                        first <- error

            if isNull first then
                first <- batch.Error

            batch.Release()

            if not (isNull first) then
                ExceptionDispatchInfo.Throw first

            results

        member _.Register frame =
            let join = Join.Rent frame

            for index in 0 .. batch.Count - 1 do
                let source = batch[index]

                if not (SafeSource<'S, 'a>.IsCompleted source) then
                    join.Add()
                    SafeSource<'S, 'a>.Register(source, join)

            join.Resume()

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
