// Layer: combinators. Every combinator, once for all types of operation: the operand says how it is read, the shape what
// is returned. Owns the rule that a combinator never throws at the call: its errors are part of its result.
//
// Operands and shapes are empty structs, passed so that the type arguments need not be written.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing is cancelled
#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Runtime.ExceptionServices
open System.Threading
open System.Threading.Tasks

/// Computations over sources as they are.
[<Sealed>]
type internal StepsBuilder() =
    inherit MachineBuilder<OnCaptured>()

    member inline _.Source(source: 'S) : 'S = source

[<AbstractClass; Sealed>]
type internal Combine =

    /// The operation as another type of operation.
    static member Pass<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (source: 'S, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()
        Machine.Run<'a, 'Result, 'Shape, Safe>(steps { return! source })

    static member Map<'S, 'a, 'b, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'b, 'Result>>
        (mapping: 'a -> 'b, source: 'S, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'b, 'Result, 'Shape, Safe>(
            steps {
                let! value = source
                return mapping value
            }
        )

    static member Bind<'S, 'a, 'Operation, 'Next, 'Read, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Next :> ISource<'b>
        and 'Read :> IOperand<'Operation, 'Next>
        and 'Shape :> IShape<'b, 'Result>>
        (binder: 'a -> 'Operation, source: 'S, _read: 'Read, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'b, 'Result, 'Shape, Safe>(
            steps {
                let! value = source
                return! 'Read.Source(binder value)
            }
        )

    static member Apply<'F, 'S, 'a, 'b, 'Result, 'Shape
        when 'F :> ISource<'a -> 'b> and 'S :> ISource<'a> and 'Shape :> IShape<'b, 'Result>>
        (mapping: 'F, source: 'S, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'b, 'Result, 'Shape, Safe>(
            steps {
                let! struct (mapping, value) = Pair<'F, 'S, 'a -> 'b, 'a>(mapping, source)
                return mapping value
            }
        )

    static member Zip<'S, 'Other, 'a, 'b, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Other :> ISource<'b> and 'Shape :> IShape<struct ('a * 'b), 'Result>>
        (first: 'S, second: 'Other, shape: 'Shape)
        : 'Result =
        Combine.Pass(Pair<'S, 'Other, 'a, 'b>(first, second), shape)

    /// The failure of a call that was given null in place of a delegate; the operation is awaited all the same.
    static member Refuse<'S, 'a, 'b, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'b, 'Result>>
        (parameter: string, source: 'S, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'b, 'Result, 'Shape, Safe>(
            steps {
                try
                    let! _ = source
                    ()
                with _ ->
                    ()

                return raise (ArgumentNullException parameter)
            }
        )

    static member Catch<'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Shape :> IShape<Result<'a, exn>, 'Result>>
        (source: 'S, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<Result<'a, exn>, 'Result, 'Shape, Safe>(
            steps {
                try
                    let! value = source
                    return Ok value
                with error ->
                    return Error error
            }
        )

    static member CatchWith<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (handler: exn -> 'a, source: 'S, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'a, 'Result, 'Shape, Safe>(
            steps {
                try
                    return! source
                with error ->
                    return handler error
            }
        )

    static member WhenAll<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IOperand<'Operation, 'S> and 'Shape :> IShape<'a[], 'Result>>
        (operations: seq<'Operation>, _read: 'Read, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'a[], 'Result, 'Shape, Safe>(
            steps { return! All<'S, 'a>(Batch<'S>.Gather<'Operation, 'Read> operations) }
        )

    /// Reads what has ended already, or lets the operations race.
    static member private First<'S, 'a when 'S :> ISource<'a>>(batch: Batch<'S>) : ValueTask<'a> =
        let mutable error = batch.Error

        if isNull error && batch.Count = 0 then
            error <-
                ArgumentException(
                    "whenAny was given no operation, so that none can be the first. Nothing was started. Usual cause: a \
                     sequence that was filtered to nothing, or enumerated before. Test for the empty sequence first.",
                    "operations"
                )

        if isNull error then
            Race<'S, 'a>.Run batch
        else
            for index in 0 .. batch.Count - 1 do
                Leg<'S, 'a>.Discard batch[index]

            batch.Release()
            ExceptionDispatchInfo.Throw error
            Unchecked.defaultof<_>

    static member WhenAny<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IOperand<'Operation, 'S> and 'Shape :> IShape<'a, 'Result>>
        (operations: seq<'Operation>, _read: 'Read, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'a, 'Result, 'Shape, Safe>(
            steps {
                return!
                    ValueTaskSource<'a, Anywhere>(
                        Combine.First<'S, 'a>(Batch<'S>.Gather<'Operation, 'Read> operations)
                    )
            }
        )

    static member WhenAllThrottled<'Operation, 'Read, 'S, 'a, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IOperand<'Operation, 'S> and 'Shape :> IShape<'a[], 'Result>>
        (limit: int, starts: seq<unit -> 'Operation>, _read: 'Read, _shape: 'Shape)
        : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'a[], 'Result, 'Shape, Safe>(
            steps {
                let window = Window<'Operation, 'Read, 'S, 'a>.Open(limit, starts)

                while window.MoveNext() do
                    if not (window.TryEnter()) then
                        do! Room<unit, 'Operation, 'Read, 'S, 'a> window

                    window.Begin()

                if not (window.TryDrain()) then
                    do! Room<unit, 'Operation, 'Read, 'S, 'a> window

                return window.Close()
            }
        )

    /// The operation, or what a clock answers first.
    static member private Limited<'S, 'a when 'S :> ISource<'a>>(source: 'S, limit: Limit) : ValueTask<'a> =
        let mutable error: exn = null

        try
            limit.Validate()
        with caught ->
            error <- caught

        if isNull error && limit.Time = TimeSpan.Zero then
            error <- limit.Expire()

        if isNull error then
            Timed<'S, 'a>.Run(source, limit)
        else
            Leg<'S, 'a>.Discard source
            ExceptionDispatchInfo.Throw error
            Unchecked.defaultof<_>

    static member Timeout<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (
            time: TimeSpan,
            clock: TimeProvider,
            cancels: CancellationTokenSource | null,
            source: 'S,
            _shape: 'Shape
        ) : 'Result =
        let steps = StepsBuilder()

        Machine.Run<'a, 'Result, 'Shape, Safe>(
            steps {
                if source.IsCompleted || time = Timeout.InfiniteTimeSpan then
                    return! source
                else
                    return!
                        ValueTaskSource<'a, Anywhere>(
                            Combine.Limited<'S, 'a>(source, { Time = time; Clock = clock; Cancels = cancels })
                        )
            }
        )
