// From the compiler's typed trees to Code: one function for each form of the tree. Owns the traps of typed trees:
// generated closures, witnesses before arguments, ranges that point elsewhere, trees that throw on wrong source.
namespace Plait.Check

open System
open System.Collections.Generic

open FSharp.Compiler.Symbols
open FSharp.Compiler.Symbols.FSharpExprPatterns
open FSharp.Compiler.Text

/// Lowers the declarations of one project.
type internal Lowering(table: EffectTable) =
    let kinds = Kinds table
    let callees = Callees(table, kinds)
    let factory = CodeFactory kinds
    let lost = HashSet<struct (string * int)>()

    let make (expression: FSharpExpr) (node: Expression) : Code = factory.Make(expression, node)
    let variable (symbol: FSharpMemberOrFunctionOrValue) : Variable = factory.Variable symbol

    // the fields to which a class gives values
    let initial = List<struct (string * Code)>()

    let initialOf (field: FSharpField) : string =
        match field.DeclaringEntity with
        // as a value of a module
        | Some _ when field.IsStatic && not field.IsMutable -> $"{Symbol.staticField field}()"
        | Some owner when owner.IsClass && not field.IsMutable -> $"{kinds.Name owner}.{field.Name} of each()"
        | _ -> ""

    let isComputedAtOnce (callee: Callee) : bool =
        callee.Name = "Microsoft.FSharp.Collections.SeqModule.ToList"
        || callee.Name = "Microsoft.FSharp.Collections.SeqModule.ToArray"

    let rec lower (expression: FSharpExpr) : Code =
        try
            lowerUnguarded expression
        with
        | :? InsufficientExecutionStackException
        | :? OperationCanceledException -> reraise ()
        // the conversion is lazy, and throws on wrong source
        | _ -> lose expression

    and lose (expression: FSharpExpr) : Code =
        let range = factory.At expression

        for line in range.StartLine .. range.EndLine do
            lost.Add(struct (range.FileName, line)) |> ignore

        make expression Lost

    and lowerAll (expressions: FSharpExpr list) : Code list = List.map lower expressions

    and lowerFunction (expression: FSharpExpr) : Code =
        factory.Function expression (lower expression)

    and lowerUnguarded (expression: FSharpExpr) : Code =
        match expression with
        | Cell.Read symbol when factory.IsCell symbol -> make expression (Read(variable symbol))
        | Cell.Write(symbol, value) when factory.IsCell symbol ->
            make expression (Write(variable symbol, lower value))
        | DebugPoint(_, inner)
        | TypeLambda(_, inner)
        | Quote inner
        | AddressOf inner -> lower inner
        | Coerce(ty, inner) ->
            let code = lower inner

            if kinds.IsObject ty && code.Kind <> Kind.Plain then
                make expression (AsObject code)
            else
                code
        | Const(:? bool as value, _) -> make expression (Truth value)
        | Const(Symbol.WholeNumber value, _) -> make expression (Number value)
        | Const(value, _) when not (isNull value) && value.GetType().IsEnum ->
            make expression (Number(Convert.ToInt32 value))
        | DefaultValue _ -> factory.Default expression
        | Const _
        | ThisValue _
        | BaseValue _ -> make expression Nothing
        | FSharpExprPatterns.Value symbol when symbol.IsModuleValueOrMember && not (factory.IsVariable symbol) ->
            make expression (Global(Symbol.full symbol, symbol.IsMutable))
        | FSharpExprPatterns.Value symbol -> make expression (Read(variable symbol))
        | ValueSet(symbol, value) when symbol.IsModuleValueOrMember ->
            make expression (SetField([ lower value ], symbol.DisplayName))
        | ValueSet(symbol, value) -> make expression (Write(variable symbol, lower value))
        | Let((symbol, value, _), body) -> lowerLet expression symbol value body
        | LetRec(bindings, body) ->
            let bindings =
                [
                    for symbol, value, _ in bindings do
                        variable symbol, lower value
                ]

            make expression (Expression.LetRec(bindings, lower body))
        | Sequential(first, second) -> make expression (Then(lower first, lower second))
        | IfThenElse(condition, yes, no) ->
            let condition = lower condition
            let yes = lower yes
            { make expression (If(condition, yes, lower no)) with At = yes.At }
        | DecisionTree(decision, targets) ->
            let targets =
                [
                    for symbols, body in targets do
                        List.map variable symbols, lower body
                ]

            make expression (Match(lower decision, targets))
        | DecisionTreeSuccess(target, values) -> make expression (Jump(target, lowerAll values))
        | WhileLoop(condition, body, _) -> make expression (Loop(Some(lower condition), lower body))
        | FastIntegerForLoop(first, last, body, _, _, _) ->
            let bounds = lowerAll [ first; last ]

            let loop =
                match body with
                | FSharpExprPatterns.Lambda(index, inner) ->
                    let index = variable index
                    make expression (Expression.Let(index, Code.nothing (factory.At first), lower inner))
                | _ -> lower body

            make expression (Parts(bounds @ [ make expression (Loop(None, loop)) ]))
        | TryWith(body, _, _, handled, handler, _, _) ->
            make expression (Try(lower body, variable handled, lower handler))
        | TryFinally(body, last, _, _) -> make expression (Finally(lower body, lower last))
        | FSharpExprPatterns.Lambda _ -> lowerLambda expression
        | NewDelegate(_, inner) -> factory.Delegate expression (lower inner)
        | Application(FSharpExprPatterns.Lambda(symbol, body), _, value :: rest) when
            Builders.isVariable symbol
            ->
            let builder = Builders.builder table kinds expression value
            let block = make expression (Block(builder, lower body))
            if rest.IsEmpty then block else make expression (Expression.Apply(block, lowerAll rest))
        | Application(f, _, []) -> lower f
        | Application(f, _, arguments) -> factory.Apply expression (lower f) (lowerAll arguments)
        | FSharpExprPatterns.Call(object, symbol, _, _, arguments) ->
            lowerCall expression object symbol arguments
        | NewObject(symbol, _, arguments) ->
            make expression (Expression.Call(callees.Constructor(symbol, arguments), lowerAll arguments))
        | FSharpFieldGet(Some object, _, field) ->
            let name = field.Name.TrimEnd '@'
            make expression (Expression.Field(lower object, name, field.IsMutable, initialOf field))
        | FSharpFieldGet(None, _, field) ->
            make expression (Global(Symbol.staticField field, field.IsMutable))
        | ILFieldGet(Some object, _, name) -> make expression (Expression.Field(lower object, name, true, ""))
        | ILFieldGet(None, _, name) -> make expression (Global(name, true))
        | AnonRecordGet(object, _, index) ->
            make expression (Expression.Field(lower object, string index, false, ""))
        | UnionCaseGet(object, _, case, field) ->
            make expression (Content(lower object, Symbol.field case field))
        | TupleGet(_, index, object) -> make expression (Item(lower object, index))
        | NewTuple(_, values) -> make expression (Expression.Tuple(lowerAll values))
        | NewRecord(ty, values) ->
            let record = (kinds.Stripped(ty)).TypeDefinition

            let fields =
                if record.FSharpFields |> Seq.exists _.IsMutable then
                    None
                else
                    Some [ for field in record.FSharpFields -> field.Name.TrimEnd '@' ]

            make expression (Construct(lowerAll values, $"a record {record.DisplayName}", fields))
        | NewAnonRecord(_, values) ->
            let fields = values |> List.mapi (fun index _ -> string index)
            make expression (Construct(lowerAll values, "an anonymous record", Some fields))
        | NewUnionCase(ty, case, values) -> factory.Case expression ty case (lowerAll values)
        | NewArray(_, values) -> make expression (Construct(lowerAll values, "an array", None))
        | FSharpFieldSet(object, _, field, value) ->
            let parts = lowerAll (Option.toList object @ [ value ])

            match initialOf field with
            | "" -> ()
            | key -> initial.Add(struct (key, List.last parts))

            make expression (SetField(parts, field.Name.TrimEnd '@'))
        | ILFieldSet(object, _, name, value) ->
            make expression (SetField(lowerAll (Option.toList object @ [ value ]), name))
        | UnionCaseSet(object, _, _, field, value) ->
            make expression (SetField(lowerAll [ object; value ], field.Name.TrimEnd '@'))
        | AddressSet(target, value) ->
            make expression (SetField([ lower target; lower value ], Code.reference))
        | ObjectExpr(_, call, overrides, interfaces) ->
            let members = overrides @ List.collect snd interfaces

            let bodies =
                [
                    for one in members do
                        let parameters = one.CurriedParameterGroups |> List.concat |> List.map variable
                        make expression (Expression.Lambda(parameters, lower one.Body))
                ]

            let names = [ for one in members -> Symbol.slot one.Signature ]
            let object = Construct(bodies, "an object", Some names)
            make expression (Then(lower call, make expression object))
        | TypeTest(_, inner) -> make expression (Expression.TypeTest(lower inner))
        | UnionCaseTest(inner, ty, case) -> factory.CaseTest expression (lower inner) ty case
        | TraitCall(_, name, _, _, _, given) -> factory.Call expression (Callee.Named name) (lowerAll given)
        | other -> make expression (Parts(lowerAll (List.ofSeq other.ImmediateSubExpressions)))

    and lowerCall
        (expression: FSharpExpr)
        (object: FSharpExpr option)
        (symbol: FSharpMemberOrFunctionOrValue)
        (arguments: FSharpExpr list)
        : Code =
        match object, arguments with
        | Some builder, _ when Builders.isBuilder builder -> lowerPart expression symbol arguments
        // the compiler's replacement for code with errors
        | None, [ Const((:? int), _) ] when symbol.CompiledName = "Raise" -> lose expression
        // an extension member of a builder, written as a function
        | None, builder :: arguments when Builders.isBuilder builder -> lowerPart expression symbol arguments
        | None, first :: second :: rest when Symbol.isPipe symbol ->
            lowerPipe expression symbol first second rest
        | None, [ pair ] when Symbol.isOperator "Fst" symbol -> factory.Item expression (lower pair) 0
        | None, [ pair ] when Symbol.isOperator "Snd" symbol -> factory.Item expression (lower pair) 1
        // seq [| ... |] is an array
        | None, [ (Coerce(_, body) | body) ] when
            Symbol.isOperator "CreateSequence" symbol && kinds.IsMaterialized body.Type
            ->
            lower body
        | None, [ body ] when Symbol.isOperator "CreateSequence" symbol ->
            let body = lower body

            match Code.constants body with
            | Some items -> make expression (Construct(items, "an array", None))
            | None -> make expression (Block(Builders.sequence, body))
        | None, [ inner ] when symbol.CompiledName = "TypeTestGeneric" ->
            make expression (Expression.TypeTest(lower inner))
        | None, [ f ] when Symbol.isDelay symbol && f.Range <> expression.Range ->
            make expression (Block(Builders.sequence, lower f))
        | None, [ resource; FSharpExprPatterns.Lambda(parameter, body) ] when Symbol.isOperator "Using" symbol ->
            let resource = lower resource
            make expression (Use(variable parameter, resource, lower body))
        | None, [ resource; f ] when Symbol.isOperator "Using" symbol ->
            let resource = lower resource
            let parameter = factory.Fresh("_", resource.At, resource.Kind)
            let body = factory.Apply expression (lower f) [ make expression (Read parameter) ]
            make expression (Use(parameter, resource, body))
        | Some builder, _ when ByHand.isPart symbol && kinds.Of expression.Type <> Kind.Plain ->
            let builder = Builders.builder table kinds expression builder
            ByHand.block factory expression builder (Symbol.lastPart symbol.CompiledName) (lowerAll arguments)
        | _ ->
            let callee = callees.On(symbol, object, arguments)

            if callee.Name.Contains ".Resum" || callee.Name.Contains "StateMachineHelpers" then
                factory.BuildsMachine()

            let arguments =
                match arguments with
                // an abstract property
                | [ Const(null, _) ] when callee.IsProperty && object.IsSome -> []
                | arguments -> arguments

            let written = factory.Addressed arguments

            match List.map lowerFunction (Option.toList object @ arguments) with
            | all when not written.IsEmpty || factory.IsElementAddressed arguments ->
                factory.Writing expression callee all written
            // a list or an array with computed elements: its code runs at its place, and not at an enumeration
            | [ { Is = Block({ Starts = StartKind.Sequence } as one, body) } ] when isComputedAtOnce callee ->
                make expression (Block({ one with Starts = StartKind.Plain }, body))
            | [] when callee.Effects.IsNone && callee.IsProperty ->
                make expression (Global(callee.Name, true))
            | [] when callee.Effects.IsNone && symbol.IsModuleValueOrMember && not symbol.IsMember ->
                if symbol.IsMutable || not (kinds.IsFunction symbol.FullType) then
                    make expression (Global(callee.Name, symbol.IsMutable))
                else
                    factory.FunctionValue expression callee symbol.FullType
            | all -> factory.Call expression callee all

    and lowerPipe
        (expression: FSharpExpr)
        (symbol: FSharpMemberOrFunctionOrValue)
        (first: FSharpExpr)
        (second: FSharpExpr)
        (rest: FSharpExpr list)
        : Code =
        match symbol.CompiledName, rest with
        | "op_PipeRight", [] -> factory.Apply expression (lower second) [ lower first ]
        | "op_PipeLeft", [] -> factory.Apply expression (lower first) [ lower second ]
        | "op_PipeRight2", [ f ] -> factory.Apply expression (lower f) (lowerAll [ first; second ])
        | "op_ComposeRight", [] -> factory.Compose expression (lowerFunction first) (lowerFunction second)
        | "op_ComposeLeft", [] -> factory.Compose expression (lowerFunction second) (lowerFunction first)
        | _ -> make expression (Expression.Apply(lower first, lowerAll (second :: rest)))

    and lowerPart expression (symbol: FSharpMemberOrFunctionOrValue) (arguments: FSharpExpr list) : Code =
        match Symbol.lastPart symbol.CompiledName, arguments with
        // the operation around it awaits its result
        | "Source", [ value ] -> lower value
        | name, _ ->
            let callee = callees.Of symbol

            // a builder with functions over elements as operations
            if callee.Effects.IsSome && callee.Name.StartsWith "Microsoft.FSharp.Linq." then
                make expression (Expression.Call(callee, lowerAll arguments))
            else
                make expression (InBlock(Builders.part name, lowerAll arguments))

    and lowerLet expression symbol value body : Code =
        let variable, value =
            match value with
            | Cell.Made content when Cell.isOnlyContent symbol body ->
                factory.Cell(symbol, content.Type), lower content
            // the compiler's name for an argument
            | value when symbol.IsCompilerGenerated -> variable symbol, lowerFunction value
            | value -> variable symbol, lower value

        let body = lower body

        match body.Is with
        // the compiler writes `use` like this, with the range of the variable
        | Finally(inner, last) when Code.disposed last = Some variable ->
            let isUse = Position.posGeq (Code.start inner).Start last.At.Start
            let variable = if isUse then variable else { variable with At = Code.start inner }
            make expression (Use(variable, value, inner))
        | _ -> make expression (Expression.Let(variable, value, body))

    and lowerLambda (expression: FSharpExpr) : Code =
        let rec go (parameters: Variable list) (inner: FSharpExpr) =
            match inner with
            | FSharpExprPatterns.Lambda(symbol, body) -> go (variable symbol :: parameters) body
            | DebugPoint(_, inner) when parameters.IsEmpty -> go parameters inner
            | body -> List.rev parameters, body

        let parameters, body = go [] expression
        make expression (Expression.Lambda(parameters, lower body))

    /// Lines that the compiler could not type-check, by file.
    member _.Lost: struct (string * int) seq = lost

    /// The files that declare single-use types: their own code makes these values, and rules do not judge it.
    member _.Own: string seq = kinds.Own

    /// Lowers the body of a declaration; None for one that builds a state machine by hand.
    member _.Declaration
        (
            symbol: FSharpMemberOrFunctionOrValue,
            groups: FSharpMemberOrFunctionOrValue list list,
            body: FSharpExpr
        ) : Declaration option =
        factory.Begin()

        let parameters =
            [
                for group in groups do
                    match group with
                    | [] -> factory.Fresh("()", symbol.DeclarationLocation, Kind.Plain)
                    | group ->
                        for parameter in group do
                            variable parameter
            ]

        // the compiler gives an external function a body that raises
        let code =
            if Symbol.isForeign symbol then Code.nothing symbol.DeclarationLocation else lower body

        // a function value is a function with parameters
        let given, code =
            if groups.IsEmpty && not symbol.IsMutable then Code.ofFunction code else [], code

        let parameters = parameters @ given
        let caller = callees.Caller symbol

        if factory.IsMachine then
            None
        else
            Some
                {
                    Key = (if given.IsEmpty then id else Symbol.applied) (Symbol.key symbol)
                    Name =
                        match symbol.DeclaringEntity with
                        | Some owner when not symbol.IsConstructor ->
                            $"{owner.DisplayName}.{symbol.DisplayName}"
                        | _ -> symbol.DisplayName
                    At = symbol.DeclarationLocation
                    Parameters = parameters
                    Body = code
                    OnStack = factory.OnStack
                    CalledBy = Option.map fst caller
                    IsHandler = Option.exists snd caller
                    Implements = Symbol.implemented symbol
                    IsValue = groups.IsEmpty && given.IsEmpty && not (symbol.IsMember || symbol.IsMutable)
                    IsJudged = true
                }

    /// The fields of classes since the last call, each as a declaration with the code of its value.
    member _.TakeFields() : Declaration list =
        let taken =
            [
                for struct (key, value) in initial do
                    { Declaration.OfCode(key, key, value.At, value) with IsJudged = false }
            ]

        initial.Clear()
        taken

    /// Lowers the code that runs when a file is loaded.
    member _.Action(expression: FSharpExpr) : Code =
        factory.Begin()
        lower expression
