// Layer: combinators. `timeout`: an operation that has ended is never too late; a wrong time and a time of zero are errors
// of the result; else the operation and a clock are `Timed`. Owns the rule that the operation is consumed in each case.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: no error, nothing is cancelled
#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Runtime.ExceptionServices
open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal Deadline =

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

    static member Run<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (
            time: TimeSpan,
            clock: TimeProvider,
            cancels: CancellationTokenSource | null,
            source: 'S,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            steps {
                if source.IsCompleted || time = Timeout.InfiniteTimeSpan then
                    return! source
                else
                    return!
                        ValueTaskSource<'a, Anywhere>(
                            Deadline.Limited<'S, 'a>(
                                source,
                                { Time = time; Clock = clock; Cancels = cancels }
                            )
                        )
            }
        )

    static member Run<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (time: TimeSpan, source: 'S, shape: 'Shape)
        : 'Result =
        Deadline.Run(time, TimeProvider.System, null, source, shape)
