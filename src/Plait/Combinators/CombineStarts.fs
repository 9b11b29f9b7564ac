// Layer: combinators. The combinators over functions that start an operation, once for all types of operation, as `Combine` has
// those over operations that have started. Owns the rule that nothing is started once the token is cancelled.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System.Threading
open System.Threading.Tasks

/// A function of a token, and the token: starts the operation. An exception of the function is thrown.
[<Struct; NoEquality; NoComparison>]
type internal TokenStart<'Operation, 'Read, 'S when 'Read :> IStarted<'Operation, 'S>> =
    interface IStarted<struct ((CancellationToken -> 'Operation) * CancellationToken), 'S> with
        member _.Of(struct (start, token)) =
            Unchecked.defaultof<'Read>.Of(start token)

/// A function without an argument, and a token that it does not get.
[<Struct; NoEquality; NoComparison>]
type internal ColdStart<'Operation, 'Read, 'S when 'Read :> IStarted<'Operation, 'S>> =
    interface IStarted<struct ((unit -> 'Operation) * CancellationToken), 'S> with
        member _.Of(struct (start, _)) = Unchecked.defaultof<'Read>.Of(start ())

type internal TaskStart<'a> = TokenStart<Task<'a>, TaskReader<'a, OnCaptured>, TaskSource<'a, OnCaptured>>

type internal UnitTaskStart = TokenStart<Task, UnitTaskReader<OnCaptured>, UnitTaskSource<unit, OnCaptured>>

type internal ValueTaskStart<'a> =
    TokenStart<ValueTask<'a>, ValueTaskReader<'a, OnCaptured>, ValueTaskSource<'a, OnCaptured>>

type internal UnitValueTaskStart =
    TokenStart<ValueTask, UnitValueTaskReader<OnCaptured>, UnitValueTaskSource<unit, OnCaptured>>

type internal ColdTaskStart<'a> = ColdStart<Task<'a>, TaskReader<'a, OnCaptured>, TaskSource<'a, OnCaptured>>

type internal ColdUnitTaskStart =
    ColdStart<Task, UnitTaskReader<OnCaptured>, UnitTaskSource<unit, OnCaptured>>

/// Two operations that are started together.
[<AbstractClass; Sealed; StackTraceHidden>]
type internal StartedPair<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b
    when 'S :> ISource<'a>
    and 'Read :> IStarted<struct ('Start * CancellationToken), 'S>
    and 'O :> ISource<'b>
    and 'ReadOther :> IStarted<struct ('Other * CancellationToken), 'O>> =

    /// Both as one source. If the second does not start, the first one's result is dropped when it comes.
    static member Of(first: 'Start, second: 'Other, token: CancellationToken) : Pair<'S, 'O, 'a, 'b> =
        let source = Unchecked.defaultof<'Read>.Of(struct (first, token))
        let mutable started = false

        try
            let both =
                Pair<'S, 'O, 'a, 'b>(source, Unchecked.defaultof<'ReadOther>.Of(struct (second, token)))

            started <- true
            both
        finally
            if not started then
                Branch<'S, 'a>.Discard source

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineStarts =

    static member Map<'Start, 'Read, 'S, 'a, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<struct ('Start * CancellationToken), 'S>
        and 'Shape :> IShape<'b, 'Result>>
        (mapping: 'a -> 'b, start: 'Start, token: CancellationToken, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
                let! value = Unchecked.defaultof<'Read>.Of(struct (start, token))
                return mapping value
            },
            token
        )

    static member Bind<'Start, 'Read, 'S, 'a, 'Next, 'ReadNext, 'N, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<struct ('Start * CancellationToken), 'S>
        and 'N :> ISource<'b>
        and 'ReadNext :> IStarted<struct ('Next * CancellationToken), 'N>
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
                let! value = Unchecked.defaultof<'Read>.Of(struct (start, token))
                token.ThrowIfCancellationRequested()
                return! Unchecked.defaultof<'ReadNext>.Of(struct (binder value, token))
            },
            token
        )

    /// One after the other.
    static member Zip<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b, 'c, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<struct ('Start * CancellationToken), 'S>
        and 'O :> ISource<'b>
        and 'ReadOther :> IStarted<struct ('Other * CancellationToken), 'O>
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
                let! a = Unchecked.defaultof<'Read>.Of(struct (first, token))
                token.ThrowIfCancellationRequested()
                let! b = Unchecked.defaultof<'ReadOther>.Of(struct (second, token))
                return combine a b
            },
            token
        )

    /// Both at once.
    static member ParallelZip<'Start, 'Read, 'S, 'a, 'Other, 'ReadOther, 'O, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Read :> IStarted<struct ('Start * CancellationToken), 'S>
        and 'O :> ISource<'b>
        and 'ReadOther :> IStarted<struct ('Other * CancellationToken), 'O>
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
type internal Starts =

    /// Starts an operation, unless the token is cancelled.
    static member With(token: CancellationToken) : (CancellationToken -> 'X) -> 'X =
        fun start ->
            token.ThrowIfCancellationRequested()
            start token

    /// The operations, started one by one.
    static member All(starts: seq<CancellationToken -> 'X>, token: CancellationToken) : seq<'X> =
        if isNull starts then null else Seq.map (Starts.With token) starts

    /// The operations, started one by one.
    static member All(starts: seq<unit -> 'X>) : seq<'X> =
        if isNull starts then null else Seq.map (fun start -> start ()) starts
