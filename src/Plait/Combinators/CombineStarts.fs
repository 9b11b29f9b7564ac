// Layer: combinators. The combinators over functions that start an operation, once for all types of operation, as `Combine` has
// those over operations that have started. Owns the rule that nothing is started once the token is cancelled.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System.Diagnostics
open System.Threading
open System.Threading.Tasks

type internal IStartReader<'Start, 'S> =

    /// Starts the operation: a source. What the function throws is thrown.
    static abstract Source: start: 'Start * token: CancellationToken -> 'S

[<Struct; NoEquality; NoComparison>]
type internal ColdTaskStart<'a> =
    interface IStartReader<unit -> Task<'a>, TaskSource<'a, OnCaptured>> with
        static member Source(start, _) =
            TaskSource<'a, OnCaptured>(NonNullTask.Of(start ()))

[<Struct; NoEquality; NoComparison>]
type internal ColdUnitTaskStart<'Unit> =
    interface IStartReader<unit -> Task, UnitTaskSource<'Unit, OnCaptured>> with
        static member Source(start, _) =
            UnitTaskSource<'Unit, OnCaptured>(NonNullTask.Of(start ()))

[<Struct; NoEquality; NoComparison>]
type internal UnitTaskStart<'Unit> =
    interface IStartReader<CancellationToken -> Task, UnitTaskSource<'Unit, OnCaptured>> with
        static member Source(start, token) =
            UnitTaskSource<'Unit, OnCaptured>(NonNullTask.Of(start token))

[<Struct; NoEquality; NoComparison>]
type internal UnitValueTaskStart<'Unit> =
    interface IStartReader<CancellationToken -> ValueTask, UnitValueTaskSource<'Unit, OnCaptured>> with
        static member Source(start, token) =
            UnitValueTaskSource<'Unit, OnCaptured>(start token)

[<Struct; NoEquality; NoComparison>]
type internal TaskStart<'a> =
    interface IStartReader<CancellationToken -> Task<'a>, TaskSource<'a, OnCaptured>> with
        static member Source(start, token) =
            TaskSource<'a, OnCaptured>(NonNullTask.Of(start token))

[<Struct; NoEquality; NoComparison>]
type internal ValueTaskStart<'a> =
    interface IStartReader<CancellationToken -> ValueTask<'a>, ValueTaskSource<'a, OnCaptured>> with
        static member Source(start, token) =
            ValueTaskSource<'a, OnCaptured>(start token)

/// Two operations that are started together.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal StartedPair<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b
    when 'S :> ISource<'a>
    and 'Read :> IStartReader<'Start, 'S>
    and 'O :> ISource<'b>
    and 'ReadOther :> IStartReader<'Other, 'O>> =

    /// Both as one source. If the second does not start, the first one's result is dropped when it comes.
    static member Of(first: 'Start, second: 'Other, token: CancellationToken) : Pair<'S, 'O, 'a, 'b> =
        let source = 'Read.Source(first, token)
        let mutable started = false

        try
            let both = Pair<'S, 'O, 'a, 'b>(source, 'ReadOther.Source(second, token))
            started <- true
            both
        finally
            if not started then
                Branch<'S, 'a>.Discard source

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineStarts =

    static member Map<'Start, 'Read, 'S, 'a, 'b, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Read :> IStartReader<'Start, 'S> and 'Shape :> IShape<'b, 'Result>>
        (mapping: 'a -> 'b, start: 'Start, token: CancellationToken, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
                let! value = 'Read.Source(start, token)
                return mapping value
            },
            token
        )

    static member Bind<'Start, 'Read, 'S, 'a, 'Next, 'ReadNext, 'N, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStartReader<'Start, 'S>
        and 'N :> ISource<'b>
        and 'ReadNext :> IStartReader<'Next, 'N>
        and 'Shape :> IShape<'b, 'Result>>
        (
            binder: 'a -> 'Next,
            start: 'Start,
            token: CancellationToken,
            _read: 'Read,
            _readNext: 'ReadNext,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
                let! value = 'Read.Source(start, token)
                token.ThrowIfCancellationRequested()
                return! 'ReadNext.Source(binder value, token)
            },
            token
        )

    /// One after the other.
    static member Zip<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b, 'c, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStartReader<'Start, 'S>
        and 'O :> ISource<'b>
        and 'ReadOther :> IStartReader<'Other, 'O>
        and 'Shape :> IShape<'c, 'Result>>
        (
            combine: 'a -> 'b -> 'c,
            first: 'Start,
            second: 'Other,
            token: CancellationToken,
            _read: 'Read,
            _readOther: 'ReadOther,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'c, 'Result, 'Shape, Safe>(
            combinator {
                let! a = 'Read.Source(first, token)
                token.ThrowIfCancellationRequested()
                let! b = 'ReadOther.Source(second, token)
                return combine a b
            },
            token
        )

    /// Both at once.
    static member ParallelZip<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStartReader<'Start, 'S>
        and 'O :> ISource<'b>
        and 'ReadOther :> IStartReader<'Other, 'O>
        and 'Shape :> IShape<struct ('a * 'b), 'Result>>
        (
            first: 'Start,
            second: 'Other,
            token: CancellationToken,
            _read: 'Read,
            _readOther: 'ReadOther,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<struct ('a * 'b), 'Result, 'Shape, Safe>(
            combinator {
                return!
                    StartedPair<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b>.Of(first, second, token)
            },
            token
        )

/// Many operations that are started.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal StartsOf<'a> =

    /// Starts an operation, unless the token is cancelled.
    static member With(token: CancellationToken) : (CancellationToken -> 'X) -> 'X =
        fun start ->
            token.ThrowIfCancellationRequested()
            start token

    /// The operations, started one by one.
    static member Tasks
        (starts: seq<CancellationToken -> Task<'a>>, token: CancellationToken)
        : seq<Task<'a>> =
        if isNull starts then null else Seq.map (StartsOf<'a>.With token) starts

    /// The operations, started one by one.
    static member ValueTasks
        (starts: seq<CancellationToken -> ValueTask<'a>>, token: CancellationToken)
        : seq<ValueTask<'a>> =
        if isNull starts then null else Seq.map (StartsOf<'a>.With token) starts

    /// The operations, started one by one.
    static member Tasks(starts: seq<unit -> Task<'a>>) : seq<Task<'a>> =
        if isNull starts then null else Seq.map (fun start -> start ()) starts
