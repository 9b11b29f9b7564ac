// Layer: sources. Operations that give a Result, as the builders of results bind them: by the value of Ok, and an Error ends
// the computation. Each is a source of the kernel with another type around it, which the overloads choose by.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices

/// A source of Results that is bound by the value of its Ok. It is no source itself, so that it has one Bind only.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type ResultOf<'S, 'a, 'E when 'S :> ISource<Result<'a, 'E>>>(source: 'S) =

    /// The source.
    member _.Source: 'S = source

/// A Result that is there already.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type GivenResult<'a, 'E>(result: Result<'a, 'E>) =
    interface ISource<Result<'a, 'E>> with
        member _.IsCompleted = true
        member _.GetResult() = result
        member _.Register _ = raise (NotSupportedException())
        member _.Reference = null
        member _.GetResultOf _ = raise (NotSupportedException())

/// The use of a source's result: a flag for type arguments.
type IMapping<'a, 'b> =
    /// The result made of that of the source.
    static abstract Map: result: 'a -> 'b

/// A source whose result is made of that of another.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type MappedSource<'S, 'a, 'b, 'Mapping when 'S :> ISource<'a> and 'Mapping :> IMapping<'a, 'b>>(source: 'S) =
    interface ISource<'b> with
        member _.IsCompleted = source.IsCompleted
        member _.GetResult() = 'Mapping.Map(source.GetResult())
        member _.Register frame = source.Register frame
        member _.Reference = source.Reference
        member _.GetResultOf kept = 'Mapping.Map(source.GetResultOf kept)

/// A value as an Ok.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AsOk<'a, 'E> =
    interface IMapping<'a, Result<'a, 'E>> with
        static member Map value = Ok value

/// Both values, or the first Error.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type FirstError<'a, 'b, 'E> =

    /// Both values, or the first Error.
    static member Of(results: struct (Result<'a, 'E> * Result<'b, 'E>)) : Result<struct ('a * 'b), 'E> =
        match results with
        | struct (Ok first, Ok second) -> Ok(struct (first, second))
        | struct (Error error, _)
        | struct (Ok _, Error error) -> Error error

    interface IMapping<struct (Result<'a, 'E> * Result<'b, 'E>), Result<struct ('a * 'b), 'E>> with
        static member Map results = FirstError<'a, 'b, 'E>.Of results

/// An Error in a list of its own.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type OneError<'a, 'E> =

    /// The value, or the Error in a list.
    static member Of(result: Result<'a, 'E>) : Result<'a, 'E list> =
        match result with
        | Ok value -> Ok value
        | Error error -> Error [ error ]

    interface IMapping<Result<'a, 'E>, Result<'a, 'E list>> with
        static member Map result = OneError<'a, 'E>.Of result

/// Both values, or the Errors of both.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type AllErrors<'a, 'b, 'E> =

    /// Both values, or the Errors of both.
    static member Of
        (results: struct (Result<'a, 'E list> * Result<'b, 'E list>))
        : Result<struct ('a * 'b), 'E list> =
        match results with
        | struct (Ok first, Ok second) -> Ok(struct (first, second))
        | struct (Error first, Error second) -> Error(first @ second)
        | struct (Error errors, Ok _)
        | struct (Ok _, Error errors) -> Error errors

    interface IMapping<struct (Result<'a, 'E list> * Result<'b, 'E list>), Result<struct ('a * 'b), 'E list>> with
        static member Map results = AllErrors<'a, 'b, 'E>.Of results
