// Layer: combinators. `whenAll`: any number of sources as one. Owns the invariant that the result of each gathered
// source is taken once, whatever happens to the others.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Diagnostics
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading

/// Sources from a sequence, in order, in memory that is used again.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
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

/// Where the registration of a source stands: under way, over with the source still pending, or overtaken by its end.
module internal Registration =
    [<Literal>]
    let UnderWay = 0

    [<Literal>]
    let Over = 1

    [<Literal>]
    let Overtaken = 2

/// Waits for the sources of a batch in turn: by the time one has completed, most of the next ones have too, and cost no
/// registration. Pooled, and free again before its target runs.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal InTurn<'S, 'a when 'S :> ISource<'a>>() as this =
    inherit Frame()

    let mutable batch: Batch<'S> = null
    let mutable index = 0
    let mutable target: Frame = null
    let mutable registration = Registration.Over
    let action = Action(this.Resume)

    override _.Action = action

    /// Ends the registration in one of two ways. True: the other way came first, and the next source is the caller's turn.
    member private _.Turns(way: int) =
        Interlocked.CompareExchange(&registration, way, Registration.UnderWay)
        <> Registration.UnderWay

    /// Waits for those from `index` on. A source that resumes while it is registered, on this stack or on another thread,
    /// is the loop's next turn: however many do, the stack does not grow.
    member private wait.Go() =
        let mutable goes = true

        while goes do
            while index < batch.Count && SafeSource<'S, 'a>.IsCompleted batch[index] do
                index <- index + 1

            if index = batch.Count then
                goes <- false
                let frame = target
                batch <- null
                target <- null
                SmallObjectPool<InTurn<'S, 'a>>.Return wait
                frame.Resume()
            else
                let source = batch[index]
                index <- index + 1
                registration <- Registration.UnderWay
                SafeSource<'S, 'a>.Register(source, wait)
                goes <- wait.Turns(Registration.Over)

    override wait.Resume() =
        if wait.Turns(Registration.Overtaken) then
            wait.Go()

    /// Resumes the frame when all have completed.
    static member Wait(batch: Batch<'S>, frame: Frame) =
        let wait = SmallObjectPool<InTurn<'S, 'a>>.Rent()
        wait.Aim(batch, frame)
        wait.Go()

    member private _.Aim(sources: Batch<'S>, frame: Frame) =
        batch <- sources
        index <- 0
        target <- frame

/// The sources of a batch as one source, whose result releases the batch.
[<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>]
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

        member _.Register frame = InTurn<'S, 'a>.Wait(batch, frame)

        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())
