// Layer: combinators. `whenAll`: any number of sources as one. Owns the invariant that the result of each gathered
// source is taken once, whatever happens to the others.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Diagnostics
open System.Runtime.CompilerServices

/// Sources from a sequence, in order, in memory that is used again; waits for them in turn: by the time one has completed,
/// most of the next ones have too, and cost no registration.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal Batch<'S, 'a when 'S :> ISource<'a>>() =
    inherit Frame()
    let sources = ResizeArray<'S>()

    /// The first that is not known to have completed.
    let mutable index = 0

    let mutable target: Frame = null
    let mutable action: Action = null

    /// The error of the sequence itself; null where it ran to its end.
    member val Error: exn = null with get, set

    member _.Count = sources.Count
    member _.Item(index: int) = sources[index]

    /// Whether all have completed.
    member _.AreCompleted =
        while index < sources.Count && SafeSource<'S, 'a>.IsCompleted sources[index] do
            index <- index + 1

        index = sources.Count

    override batch.Action =
        if isNull action then
            action <- batch.ToAction()

        action

    /// From a registration on the batch is the next resumption's: it is the last act.
    member private batch.Go(inStep: bool) =
        if not (RuntimeHelpers.TryEnsureSufficientExecutionStack()) then
            Atomic.Queue batch // many sources have resumed this while it registered with them
        elif not batch.AreCompleted then
            let source = sources[index]
            index <- index + 1
            SafeSource<'S, 'a>.Register(source, batch)
        elif inStep then
            target.Continue()
        else
            target.Resume()

    override batch.Resume() = batch.Go false
    override batch.Continue() = batch.Go true

    /// Resumes the frame when all have completed.
    member batch.Wait(frame: Frame) =
        target <- frame
        batch.Go false

    member private batch.Add<'Operation, 'Read when 'Read :> IOperationReader<'Operation, 'S>>
        (operation: 'Operation)
        =
        sources.Add('Read.Source operation)

    /// All of a sequence, on the calling thread. If the sequence throws: the operations that it yielded before, and
    /// the error.
    static member Gather<'Operation, 'Read when 'Read :> IOperationReader<'Operation, 'S>>
        (operations: seq<'Operation>)
        : Batch<'S, 'a> =
        let batch = SmallObjectPool<Batch<'S, 'a>>.Rent()

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
        index <- 0
        target <- null
        batch.Error <- null
        // the array of one very wide call is not kept for the narrow ones
        if sources.Capacity <= 4096 then
            SmallObjectPool<Batch<'S, 'a>>.Return batch

    /// The results in order; the first error is thrown, after every other result was taken. Releases the batch.
    member batch.TakeResults() : 'a[] =
        let results = if sources.Count = 0 then [||] else Array.zeroCreate sources.Count

        let mutable first: exn = null

        for index in 0 .. results.Length - 1 do
            try
                results[index] <- sources[index].GetResult()
            with error ->
                if isNull first then
                    first <- error

        if isNull first then
            first <- batch.Error

        batch.Release()

        if not (isNull first) then
            Rethrow.Throw first

        results

/// The sources of a batch as one source.
[<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>]
type internal AllSource<'S, 'a when 'S :> ISource<'a>>(batch: Batch<'S, 'a>) =
    interface ISource<'a[]> with
        member _.IsCompleted = batch.AreCompleted
        member _.GetResult() = batch.TakeResults()
        member _.Register frame = batch.Wait frame
        member _.Reference = batch

        member _.GetResultOf kept =
            Unsafe.As<Batch<'S, 'a>>(kept).TakeResults()
