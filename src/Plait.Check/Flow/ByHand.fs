// Calls of a builder's members in the source, as in async.Bind(work, next): each is a computation expression of its
// own.
module internal Plait.Check.ByHand

open FSharp.Compiler.Symbols

/// Whether the compiler calls the member for a part of a computation expression. A member that only makes an operation
/// of a value is a call like any other.
let isPart (symbol: FSharpMemberOrFunctionOrValue) : bool =
    match Symbol.lastPart symbol.CompiledName with
    | "Bind"
    | "Delay"
    | "Combine"
    | "Using"
    | "While"
    | "For"
    | "TryWith"
    | "TryFinally" -> (Symbol.owner symbol).EndsWith "Builder"
    | _ -> false

/// The computation expression for a call of the member with this name. Its body awaits the operations among the
/// arguments, and those that its functions return.
let block
    (factory: CodeFactory)
    (expression: FSharpExpr)
    (builder: Builder)
    (name: string)
    (arguments: Code list)
    : Code =
    let code (node: Expression) = factory.Make(expression, node)
    let part (part: Part) (parts: Code list) = code (InBlock(part, parts))

    let awaited (operation: Code) =
        { part Part.ReturnFrom [ operation ] with At = operation.At }

    let unit' () =
        factory.Fresh("()", factory.At expression, Kind.Plain)

    let delayed (operation: Code) =
        code (Expression.Lambda([ unit' () ], awaited operation))

    /// A function that awaits the operation of another one.
    let awaiting (f: Code) : Code =
        match f.Is with
        | Expression.Lambda([ parameter ], body) ->
            { f with Is = Expression.Lambda([ parameter ], awaited body) }
        | _ ->
            let given = factory.Fresh("x", f.At, Kind.Plain)
            let body = factory.Apply expression f [ code (Read given) ]
            { f with Is = Expression.Lambda([ given ], awaited { body with At = f.At }) }

    let made =
        [
            for argument in arguments do
                match argument.Kind with
                | Kind.Plain -> argument, None
                | kind ->
                    let variable = factory.Fresh("made", argument.At, kind)
                    { argument with Is = Read variable }, Some(variable, argument)
        ]

    let inside =
        match name, List.map fst made with
        | "Bind", [ source; next ] -> part Part.Bind [ source; awaiting next ]
        | "Combine", [ first; second ] -> code (Then(awaited first, awaited second))
        | "Using", [ resource; body ] -> part Part.Using [ resource; awaiting body ]
        | "While", [ test; body ] -> part Part.While [ test; delayed body ]
        | "For", [ collection; body ] -> part Part.For [ collection; awaiting body ]
        | "TryWith", [ body; handler ] -> part Part.TryWith [ delayed body; awaiting handler ]
        | "TryFinally", [ body; last ] -> part Part.TryFinally [ delayed body; last ]
        | "Delay", [ body ] ->
            // a block with more than one await runs when it is started
            let unit' = unit' ()
            let applied = factory.Apply expression body [ Code.nothing (factory.At expression) ]
            code (Expression.Let(unit', Code.nothing (factory.At expression), awaited applied))
        | _, arguments -> part Part.Other arguments

    let outside (variable: Variable, argument: Code) (body: Code) =
        code (Expression.Let(variable, argument, body))

    List.foldBack outside (List.choose snd made) (code (Block(builder, inside)))
