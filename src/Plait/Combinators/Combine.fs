// Layer: combinators. The combinators over one or two operations, once for all types of operation: a reader turns an
// operation into a source, a shape makes the result. Owns the rule that the call of a combinator never throws: errors
// are part of its result.
//
// Readers and shapes are empty structs, passed as arguments so that callers need not write the type arguments.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System

[<AbstractClass; Sealed; StackTraceHidden>]
type internal Combine =

    /// The operation as another type of operation.
    static member Convert<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (source: 'S, _shape: 'Shape)
        : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(combinator { return! source })

    static member Map<'S, 'a, 'b, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'b, 'Result>>
        (mapping: 'a -> 'b, source: 'S, _shape: 'Shape)
        : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
                let! value = source
                return mapping value
            }
        )

    static member Bind<'S, 'a, 'Operation, 'Next, 'Read, 'b, 'Result, 'Shape
        when 'S :> ISource<'a>
        and 'Next :> ISource<'b>
        and 'Read :> IStarted<'Operation, 'Next>
        and 'Shape :> IShape<'b, 'Result>>
        (binder: 'a -> 'Operation, source: 'S, _read: 'Read, _shape: 'Shape)
        : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
                let! value = source
                return! Unchecked.defaultof<'Read>.Of(binder value)
            }
        )

    static member Apply<'F, 'S, 'a, 'b, 'Result, 'Shape
        when 'F :> ISource<'a -> 'b> and 'S :> ISource<'a> and 'Shape :> IShape<'b, 'Result>>
        (mapping: 'F, source: 'S, _shape: 'Shape)
        : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
                let! struct (mapping, value) = Pair<'F, 'S, 'a -> 'b, 'a>(mapping, source)
                return mapping value
            }
        )

    static member Zip<'S, 'Other, 'a, 'b, 'Result, 'Shape
        when 'S :> ISource<'a> and 'Other :> ISource<'b> and 'Shape :> IShape<struct ('a * 'b), 'Result>>
        (first: 'S, second: 'Other, shape: 'Shape)
        : 'Result =
        Combine.Convert(Pair<'S, 'Other, 'a, 'b>(first, second), shape)

    /// The failure of a call that was given null in place of a delegate; the operation is awaited all the same.
    static member Refuse<'S, 'a, 'b, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'b, 'Result>>
        (parameter: string, source: 'S, _shape: 'Shape)
        : 'Result =
        Machine.Run<'b, 'Result, 'Shape, Safe>(
            combinator {
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
        Machine.Run<Result<'a, exn>, 'Result, 'Shape, Safe>(
            combinator {
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
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            combinator {
                try
                    return! source
                with error ->
                    return handler error
            }
        )
