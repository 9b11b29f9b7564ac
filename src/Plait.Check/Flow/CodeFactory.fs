// Makes Code of expressions of the typed tree, and the variables of the declaration.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Symbols
open FSharp.Compiler.Text

/// Serves one declaration after the other; `Begin` starts the next.
type internal CodeFactory(kinds: Kinds) =
    let variables = Dictionary<FSharpMemberOrFunctionOrValue, Variable>(Symbol.byPlace)
    let cells = HashSet<FSharpMemberOrFunctionOrValue>(Symbol.byPlace)
    let mutable count = 0
    let mutable isMachine = false
    let mutable onStack: range option = None

    let variable (symbol: FSharpMemberOrFunctionOrValue) : Variable =
        match variables.TryGetValue symbol with
        | true, variable -> variable
        | _ ->
            count <- count + 1

            let made =
                {
                    Id = count
                    Name = symbol.DisplayName
                    At = symbol.DeclarationLocation
                    Kind = kinds.Of(symbol.FullType)
                    IsMutable = symbol.IsMutable
                    IsMaterialized = kinds.IsMaterialized symbol.FullType
                    IsRemote = kinds.IsRemote symbol.FullType
                    IsGenerated = symbol.IsCompilerGenerated || symbol.LogicalName.StartsWith "_arg"
                }

            if kinds.IsOfMachine(symbol.FullType) then
                isMachine <- true

            if
                kinds.IsPointer(symbol.FullType)
                || not made.IsGenerated && kinds.IsOnlyOnStack(symbol.FullType)
            then
                onStack <- Some symbol.DeclarationLocation

            variables[symbol] <- made
            made

    let fresh (name: string) (at: range) (kind: Kind) : Variable =
        count <- count + 1

        {
            Id = count
            Name = name
            At = at
            Kind = kind
            IsMutable = false
            IsMaterialized = false
            IsRemote = false
            IsGenerated = true
        }

    let at (expression: FSharpExpr) : range =
        try
            expression.Range
        with _ ->
            Range.range0

    let make (expression: FSharpExpr) (node: Expression) : Code =
        let kind, givesValue = kinds.OfExpression expression
        { Is = node; At = at expression; Kind = kind; HasResult = givesValue }

    /// Lets bind the arguments of a function expression: so a pipe reads like a call.
    let rec apply (expression: FSharpExpr) (f: Code) (arguments: Code list) : Code =
        match f.Is with
        | Expression.Let(variable, value, inner) when variable.IsGenerated ->
            make expression (Expression.Let(variable, value, apply expression inner arguments))
        | Expression.Lambda(parameters, body) when parameters.Length = arguments.Length ->
            // the argument is evaluated under its name outside
            let bind (parameter: Variable, value: Code) body =
                let value = if Code.isDropped parameter body then Code.unboxed value else value
                make expression (Expression.Let({ parameter with IsGenerated = true }, value, body))

            List.foldBack bind (List.zip parameters arguments) body
        | _ -> make expression (Expression.Apply(f, arguments))

    /// A lambda that calls a function of this type.
    let lambda (expression: FSharpExpr) (ty: FSharpType) (call: Code list -> Expression) : Code =
        let given, result = kinds.Function ty
        let parameters = [ for one in given -> fresh "x" (at expression) (kinds.Of one) ]
        let arguments = [ for parameter in parameters -> make expression (Read parameter) ]

        let body =
            { make expression (call arguments) with
                Kind = kinds.Of result
                HasResult = kinds.HasResult result
            }

        make expression (Expression.Lambda(parameters, body))

    /// Begins with a declaration.
    member _.Begin() : unit =
        isMachine <- false
        onStack <- None
        variables.Clear()
        cells.Clear()

    /// The declaration builds a state machine by hand.
    member _.BuildsMachine() : unit = isMachine <- true
    member _.IsMachine = isMachine
    /// The place of a variable whose type may only be on the stack.
    member _.OnStack = onStack
    /// The variable of a symbol, the same one each time.
    member _.Variable(symbol: FSharpMemberOrFunctionOrValue) : Variable = variable symbol
    member _.IsVariable(symbol: FSharpMemberOrFunctionOrValue) : bool = variables.ContainsKey symbol

    /// The variable for a cell whose content alone the code reads and writes: a mutable variable.
    member _.Cell(symbol: FSharpMemberOrFunctionOrValue, contentType: FSharpType) : Variable =
        let cell =
            { variable symbol with
                Kind = kinds.Of contentType
                IsMutable = true
                IsMaterialized = kinds.IsMaterialized contentType
            }

        variables[symbol] <- cell
        cells.Add symbol |> ignore
        cell

    member _.IsCell(symbol: FSharpMemberOrFunctionOrValue) : bool = cells.Contains symbol

    /// A variable that is not in the source.
    member _.Fresh(name: string, at: range, kind: Kind) : Variable = fresh name at kind
    /// The place of an expression.
    member _.At(expression: FSharpExpr) : range = at expression
    /// Code with the place and the type of an expression.
    member _.Make(expression: FSharpExpr, node: Expression) : Code = make expression node

    /// The default value of a type. One of a single-use type is complete.
    member _.Default(expression: FSharpExpr) : Code =
        let code = make expression Nothing

        if code.Kind.IsSingleUse then
            let callee =
                { Callee.Named "the default value" with Effects = Some [ Effect.IsComplete ] }

            { code with Is = Expression.Call(callee, []) }
        else
            code

    /// The mutable variables whose addresses are among the arguments of a call.
    member _.Addressed(arguments: FSharpExpr list) : Variable list =
        [
            for argument in arguments do
                match argument with
                | FSharpExprPatterns.AddressOf(FSharpExprPatterns.Value symbol) when
                    symbol.IsMutable && not symbol.IsModuleValueOrMember
                    ->
                    variable symbol
                | _ -> ()
        ]

    /// Whether the address of a single-use value in another place, as an element of an array, is among the arguments.
    member _.IsElementAddressed(arguments: FSharpExpr list) : bool =
        arguments
        |> List.exists (fun argument ->
            match argument with
            | FSharpExprPatterns.AddressOf(FSharpExprPatterns.Value _) -> false
            | FSharpExprPatterns.AddressOf place -> (kinds.Of place.Type).IsSingleUse
            | _ -> false)

    /// A call that writes variables, or an element if there are none: the values after it are not known.
    member _.Writing
        (expression: FSharpExpr)
        (callee: Callee)
        (all: Code list)
        (written: Variable list)
        : Code =
        let call = make expression (Expression.Call(callee, all))
        let result = fresh "result" (at expression) call.Kind
        let read = { call with Is = Read result }

        let lost (kind: Kind) = { call with Is = Lost; Kind = kind }

        let behind =
            if written.IsEmpty then
                let write = SetField([ lost (Kind.SingleUse "value") ], Code.reference)
                { call with Is = Then({ Code.nothing (at expression) with Is = write }, read) }
            else
                read

        let behind =
            (written, behind)
            ||> List.foldBack (fun variable rest ->
                let write =
                    { Code.nothing (at expression) with Is = Write(variable, lost variable.Kind) }

                { call with Is = Then(write, rest) })

        { call with Is = Expression.Let(result, call, behind) }

    /// A function in a module value, as a lambda that calls it.
    member _.FunctionValue (expression: FSharpExpr) (callee: Callee) (ty: FSharpType) : Code =
        let callee = { callee with Key = Symbol.applied callee.Key }
        lambda expression ty (fun arguments -> Expression.Call(callee, arguments))

    /// A function that is an argument. One that a variable or a field holds, as a lambda that calls it, if it returns an operation: so each
    /// call makes one.
    member _.Function (expression: FSharpExpr) (f: Code) : Code =
        match f.Is with
        | Read { IsGenerated = false }
        | Field(_, _, false, _) when kinds.IsFunction expression.Type ->
            let made =
                lambda expression expression.Type (fun arguments -> Expression.Apply(f, arguments))

            if (snd (Code.ofFunction made)).Kind = Kind.Plain then f else made
        | _ -> f

    /// The application of a function; without a call if the function is an expression.
    member _.Apply (expression: FSharpExpr) (f: Code) (arguments: Code list) : Code =
        apply expression f arguments

    /// A delegate made of a function. A delegate without parameters, made of a function's name, has only the body.
    member _.Delegate (expression: FSharpExpr) (f: Code) : Code =
        match f.Is with
        | Expression.Lambda _ -> make expression (Expression.Delegate f)
        | _ ->
            let unit' = fresh "()" f.At Kind.Plain
            let f = make expression (Expression.Lambda([ unit' ], f))
            make expression (Expression.Delegate f)

    /// A case of a union with the values of its fields; only a list's may change.
    member _.Case
        (expression: FSharpExpr)
        (ty: FSharpType)
        (case: FSharpUnionCase)
        (values: Code list)
        : Code =
        let union = kinds.Stripped ty
        let isKnown = union.HasTypeDefinition

        if isKnown && kinds.Name union.TypeDefinition = "Microsoft.FSharp.Collections.FSharpList" then
            make expression (Construct(values, "a list", None))
        else
            let name = if isKnown then $"{union.TypeDefinition.DisplayName}." else ""
            let fields = [ for field in case.Fields -> Symbol.field case field ]
            make expression (Construct(values, $"a case {name}{case.CompiledName}", Some fields))

    /// The operations in the cases of a union, and the collections of those: the test for a case tells that it has none of the others.
    member private _.Operations (expression: FSharpExpr) (value: Code) (union: FSharpType) : Code list =
        match value.Is with
        | Read _ when union.HasTypeDefinition && union.TypeDefinition.UnionCases.Count < 9 ->
            [
                for case in union.TypeDefinition.UnionCases do
                    for field in case.Fields do
                        if kinds.HasTask field.FieldType then
                            let content = make expression (Content(value, Symbol.field case field))

                            { content with
                                Kind = kinds.Of field.FieldType
                                HasResult = kinds.HasResult field.FieldType
                            }
            ]
            |> List.truncate 9
        | _ -> []

    /// The test of a value for a case of a union.
    member factory.CaseTest
        (expression: FSharpExpr)
        (value: Code)
        (ty: FSharpType)
        (case: FSharpUnionCase)
        : Code =
        let union = kinds.Stripped ty

        // the task of a Result is in its Ok, as that of an option is in its Some
        let isResult =
            union.HasTypeDefinition
            && kinds.Name union.TypeDefinition = "Microsoft.FSharp.Core.FSharpResult"

        let effect =
            match case.CompiledName with
            | "Ok" when isResult -> TellsSome 0
            | "Error" when isResult -> TellsNone 0
            | "Some"
            | "ValueSome" -> TellsSome 0
            | "None"
            | "ValueNone" -> TellsNone 0
            | name -> TellsCase name

        let callee =
            { Callee.Named case.CompiledName with Effects = Some [ effect ]; ReturnsBool = true }

        let operations =
            if effect.IsTellsCase then factory.Operations expression value union else []

        make expression (Expression.Call(callee, value :: operations))

    /// A call; a collection of one value or of none is the literal.
    member _.Call (expression: FSharpExpr) (callee: Callee) (arguments: Code list) : Code =
        match arguments with
        | [ { Kind = (Kind.Task | Kind.Plain) } ] when callee.Name.EndsWith "Module.Singleton" ->
            make expression (Construct(arguments, "an array", None))
        | [] when callee.Name = "Microsoft.FSharp.Collections.SeqModule.Empty" ->
            make expression (Construct(arguments, "an array", None))
        | _ -> make expression (Expression.Call(callee, arguments))

    /// An item of a tuple. The other items of a tuple without a name are left out.
    member factory.Item (expression: FSharpExpr) (tuple: Code) (index: int) : Code =
        match tuple.Is with
        | Read _ -> make expression (Expression.Item(tuple, index))
        | _ ->
            let name = fresh "tuple" tuple.At Kind.Plain
            let item = make expression (Expression.Item({ tuple with Is = Read name }, index))
            make expression (Expression.Let(name, tuple, item))

    /// A function that applies one to the result of another.
    member _.Compose (expression: FSharpExpr) (first: Code) (second: Code) : Code =
        let piped = fresh "piped" (at expression) Kind.Plain
        let value = make expression (Read piped)
        let inner = apply expression first [ value ]
        make expression (Expression.Lambda([ piped ], apply expression second [ inner ]))
