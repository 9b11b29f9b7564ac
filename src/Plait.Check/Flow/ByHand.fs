// Members of builders that the source calls itself, as in async.Bind(work, next): each call is a computation expression of its own.
module internal Plait.Check.ByHand

open FSharp.Compiler.Symbols

/// Whether a member is one that the compiler calls for a part of a computation expression. Those that only make an operation of a value
/// are calls like any other.
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

/// The computation expression for a call of the member with this name. The operations among the arguments are made before it, and
/// awaited inside; so are those that its functions return.
let block
    (maker: CodeMaker)
    (expression: FSharpExpr)
    (builder: Builder)
    (name: string)
    (arguments: Code list)
    : Code =
    let code (node: Expression) = maker.Make(expression, node)
    let part (part: Part) (parts: Code list) = code (InBlock(part, parts))

    let awaited (operation: Code) =
        { part Part.ReturnFrom [ operation ] with At = operation.At }

    let unit' () =
        maker.Fresh("()", maker.At expression, Kind.Plain)

    let delayed (operation: Code) =
        code (Expression.Lambda([ unit' () ], awaited operation))

    /// A function that awaits the operation that another one returns.
    let awaiting (f: Code) : Code =
        match f.Is with
        | Expression.Lambda([ parameter ], body) ->
            { f with Is = Expression.Lambda([ parameter ], awaited body) }
        | _ ->
            let given = maker.Fresh("x", f.At, Kind.Plain)
            let body = maker.Apply expression f [ code (Read given) ]
            { f with Is = Expression.Lambda([ given ], awaited { body with At = f.At }) }

    let made =
        [
            for argument in arguments do
                match argument.Kind with
                | Kind.Plain -> argument, None
                | kind ->
                    let variable = maker.Fresh("made", argument.At, kind)
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
            // a block that does more than to await its result: it puts it off
            let unit' = unit' ()
            let applied = maker.Apply expression body [ Code.nothing (maker.At expression) ]
            code (Expression.Let(unit', Code.nothing (maker.At expression), awaited applied))
        | _, arguments -> part Part.Other arguments

    let outside (variable: Variable, argument: Code) (body: Code) =
        code (Expression.Let(variable, argument, body))

    List.foldBack outside (List.choose snd made) (code (Block(builder, inside)))
