// Layer: combinators. `whenAll`: any number of sources as one. Owns the invariant that the result of each gathered
// source is taken once, whatever happens to the others.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices

/// The use of the results of many operations. Implementations are empty structs.
type internal IGathering<'a, 'All> =

    /// Whether the results are kept.
    static abstract Keeps: bool

    /// The result of all, from theirs in order; null where they are not kept.
    static abstract Of: results: 'a[] -> 'All

/// An array of them.
[<Struct; NoEquality; NoComparison>]
type internal AsArray<'a> =
    interface IGathering<'a, 'a[]> with
        static member Keeps = true
        static member Of results = results

/// Nothing. 'Unit is unit: see BclSources.fs.
[<Struct; NoEquality; NoComparison>]
type internal AsNothing<'a, 'Unit> =
    interface IGathering<'a, 'Unit> with
        static member Keeps = false
        static member Of _ = Unchecked.defaultof<'Unit>

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

    member private batch.Add<'Operation, 'Read when 'Read :> IStarted<'Operation, 'S>>
        (operation: 'Operation)
        =
        sources.Add(Unchecked.defaultof<'Read>.Of(operation))

    /// All of a sequence, on the calling thread. If the sequence throws: the operations that it yielded before, and
    /// the error.
    static member Gather<'Operation, 'Read when 'Read :> IStarted<'Operation, 'S>>
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
            // a subclass may give other items
            | :? List<'Operation> as items when obj.ReferenceEquals(items.GetType(), typeof<List<'Operation>>) ->
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
    member batch.TakeResults<'All, 'Gathering when 'Gathering :> IGathering<'a, 'All>>() : 'All =
        let results =
            if not 'Gathering.Keeps then null
            elif sources.Count = 0 then [||]
            else Array.zeroCreate sources.Count

        let mutable first: exn = null

        for index in 0 .. sources.Count - 1 do
            try
                let result = sources[index].GetResult()

                if 'Gathering.Keeps then
                    results[index] <- result
            with error ->
                if isNull first then
                    first <- error

        if isNull first then
            first <- batch.Error

        batch.Release()

        if not (isNull first) then
            Rethrow.Throw first

        'Gathering.Of results

/// The sources of a batch as one source.
[<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>]
type internal AllSource<'S, 'a, 'All, 'Gathering when 'S :> ISource<'a> and 'Gathering :> IGathering<'a, 'All>>
    (batch: Batch<'S, 'a>) =
    interface ISource<'All> with
        member _.IsCompleted = batch.AreCompleted
        member _.GetResult() = batch.TakeResults<'All, 'Gathering>()
        member _.Register frame = batch.Wait frame
        member _.Reference = batch

        member _.GetResultOf kept =
            Unsafe.As<Batch<'S, 'a>>(kept).TakeResults<'All, 'Gathering>()
