// Computation expressions: the block as a value, and its parts. Emits BlockCode, MergeOperand and Dropped; `Awaiting`
// has the awaits.
module internal Plait.Check.Blocks

open System.Collections.Generic

open FSharp.Compiler.Text

let private runsAgain (builder: Builder) : bool =
    builder.Starts = StartKind.Cold || builder.Starts = StartKind.Sequence

let private isOperation (builder: Builder) : bool = builder.Starts <> StartKind.Plain

/// Returns to the state before a body that did not run yet. Values from outside that the body uses escape.
let private notYet (session: Session) (before: State) : unit =
    let after = session.State
    session.State <- before

    for KeyValue(id, fact) in after.Facts do
        match Map.tryFind id before.Facts with
        | Some earlier when obj.ReferenceEquals(earlier, fact) -> ()
        | _ when fact.Uses.IsEmpty -> session.Observe(Instance id)
        | _ -> session.Escape(Instance id)

/// The result of awaiting a block, from the result of its body.
let private awaited (session: Session) (builder: Builder) (returned: Value) : AwaitResult =
    let task id =
        match session.Objects[id].Kind with
        | Kind.Task
        | Kind.Cold -> Instance id
        | _ -> Unknown

    match builder.Starts, returned with
    | (StartKind.Sequence | StartKind.Plain), _ -> AwaitResult.Unknown
    | _, Test _ -> AwaitResult.Value(Conditions.refinementHere session returned)
    | _, Instance id when session.Objects[id].Kind = Kind.Plain ->
        match Operations.completeFields session id with
        | Some fields -> AwaitResult.Value fields
        // a collection of operations that run
        | None when not session.Objects[id].ElementOperations.IsEmpty -> AwaitResult.Value returned
        | None -> AwaitResult.Unknown
    | _ ->
        match Value.map session.Objects.Count task returned with
        | Unknown -> AwaitResult.Unknown
        | value -> AwaitResult.Value value

/// The range of a block's body.
let private inside (session: Session) (scope: Scope) (builder: Builder) : Scope =
    let scope =
        match builder.Starts with
        | StartKind.Hot
        | StartKind.Cold -> { scope with Builder = Some builder; CalledInside = None; Handler = None }
        | StartKind.Sequence -> scope.Deferred
        | StartKind.Plain -> scope

    { scope with
        Reads = HashSet()
        Cold = if runsAgain builder then Some(builder, session.Objects.Count) else scope.Cold
    }

/// A computation expression.
let block (session: Session) (scope: Scope) (code: Code) (builder: Builder) (body: Code) : Value =
    let before = session.State
    let waits = session.Waits

    if isOperation builder then
        session.State <-
            { before with
                IsOffPool = false
                // a hot body starts while its creator holds its locks
                Locks = if runsAgain builder then 0 else before.Locks
            }

    session.Emit(BlockCode(code, builder))
    let inner = inside session scope builder
    let isSequence = builder.Starts = StartKind.Sequence

    let eval () =
        session.Eval(inner, body) |> Functions.force session inner

    let returned, defers = if isSequence then session.Deferring eval else eval (), None

    let defers = defers |> Option.orElse (Operations.deferred session returned)

    // a list of the elements of a sequence
    if builder.Starts = StartKind.Plain then
        BlockingCalls.force session scope code.At (Callee.Named "the list") returned

    session.State <- { session.State with IsOffPool = before.IsOffPool }
    scope.Reads.UnionWith inner.Reads

    // a function that starts an operation, a stream
    let isFunction = builder.Starts = StartKind.Cold && code.Kind = Kind.Plain
    let kind = if isFunction then Kind.Cold else code.Kind
    let id = session.New(kind, "", code.At, Origin.Created)
    let from = session.Needs([ for need in inner.Reads -> Instance need ])
    let awaited = awaited session builder returned

    let holds, inParts =
        match returned with
        | Instance inner when not (isOperation builder) ->
            session.Objects[inner].ElementOperations, session.Objects[inner].PartOperations
        | _ -> [], []

    session.Describe(
        id,
        fun made ->
            { made with
                DependsOn = from
                Producer = Some(Producer.Block body)
                IsNew = true
                HasResult = code.HasResult
                IsFunction = isFunction
                IsLazy = isSequence
                ElementOperations = holds
                PartOperations = inParts
                MadeOf = if isOperation builder && not isSequence || defers.IsSome then [] else [ returned ]
                AwaitResult = awaited
                DeferredBlocking = defers
            }
    )

    if isOperation builder then
        session.Waits <- waits
        // a failed operation has the body's exception
        session.State <- { session.State with IsAlive = before.IsAlive }
        let completed = session.ForgetCompletions before

        // a sequence is complete when its elements are
        let elements =
            if isSequence then [ for id in session.ImpliedBy returned -> Instance id ] else []

        if runsAgain builder then
            notYet session before

        session.Implies(id, completed @ elements)
    else
        // a list is complete when its elements are
        session.Implies(id, [ returned ])

    Instance id

/// Emits Dropped for the operations of an await's result that run already and that the rest never reads. `first`:
/// objects below this number existed before the source; their owner awaits them.
let private checkGiven
    (session: Session)
    (scope: Scope)
    (first: int)
    (source: Code)
    (continuation: Closure)
    (given: Value)
    : unit =
    match continuation.Parameters, given with
    | [ parameter ], Instance id ->
        let variable, rest = Code.named parameter continuation.Body
        let object = session.Objects[id]

        let dropped =
            match object.Kind, object.Origin with
            | _ when id < first || Code.reads variable rest -> []
            // the first of the operations in a collection
            | Kind.Plain, _ -> [ for id in List.truncate 1 object.ElementOperations -> session.Objects[id] ]
            | _, (Origin.Created | Origin.Awaited) ->
                // by its type: a child of Async.StartChild is an Async that runs
                let kind = if variable.Kind = Kind.Plain then object.Kind else variable.Kind
                [ { object with Kind = kind } ]
            | _ -> []

        for operation in dropped do
            if not ((session.Fact operation.Id).HasEscaped || session.IsComplete operation.Id) then
                session.Emit(Dropped(operation, source.At, "never looked at", scope.Builder))
    | _ -> ()

/// `first`: the number of the first object of the sources.
let private bind
    (session: Session)
    (scope: Scope)
    (first: int)
    (code: Code)
    (sources: (Code * Value) list)
    (continuation: Value)
    =
    let scope =
        match continuation with
        | Function closure -> Awaiting.before session scope code (List.map snd sources) closure.Body
        | _ -> scope

    let kinds =
        match continuation with
        | Function closure -> [ for parameter in closure.Parameters -> parameter.Kind ]
        | _ -> []

    let gifts =
        [
            for source, value in sources do
                Awaiting.await session scope "awaited" source value
        ]

    let results =
        [
            for index, ((source, value), given) in List.indexed (List.zip sources gifts) do
                match given with
                | Unknown ->
                    let kind = List.tryItem index kinds |> Option.defaultValue Kind.Plain
                    Operations.taskIn session value kind source.At |> Option.defaultValue Unknown
                | given -> given
        ]

    match continuation with
    | Function closure ->
        let value = Functions.run session scope closure results

        match sources, gifts with
        | [ source, _ ], [ given ] -> checkGiven session scope first source closure given
        | _ -> ()

        value
    | _ -> Unknown

let private returnValue (session: Session) (scope: Scope) (source: Code) (value: Value) : Value =
    Uses.consume session scope value source.At "returned"
    session.Observe value

    match scope.Builder, value with
    // the body returns it and does not run it
    | _, Function _ -> Unknown
    | Some { Starts = (StartKind.Hot | StartKind.Cold) }, value -> value
    | _ -> Unknown

let private using (session: Session) (scope: Scope) (at: range) (value: Value) (closure: Closure) : Value =
    let run () =
        Functions.run session scope closure [ value ] |> Functions.force session scope

    match closure.Parameters with
    | [ variable ] ->
        session.Bodies.Unrun.Remove closure.Body |> ignore

        let named, _ = Code.named variable closure.Body
        Branches.using session scope at variable named value run
    | _ -> run ()

let private whileLoop (session: Session) (scope: Scope) (bodyAt: Code) (test: Value) (body: Value) : unit =
    let codes =
        match test, body with
        | Function test, Function body -> Some(test.Body, body.Body)
        | _ -> None

    Branches.loop session scope codes (fun scope -> Functions.force session scope test) (fun scope ->
        let where =
            if scope.IsNextIteration then "in the next turn of the loop" else "in the loop"

        Functions.force session (scope.Through(bodyAt.At, where)) body |> ignore)

let private forLoop
    (session: Session)
    (scope: Scope)
    (collection: Code)
    (owner: Value)
    (closure: Closure)
    : unit =
    let isKept =
        match collection.Is with
        | Read variable -> variable.IsMaterialized
        | _ -> false

    Elements.over session scope owner isKept (fun scope ->
        let elements, result = Elements.runOver session scope owner false closure
        Functions.force session scope result |> ignore
        elements)

    Callbacks.dropParts session scope collection.At owner closure

/// The function that returned the sequence of a loop.
let rec private calledBy (code: Code) : Callee =
    match code.Is with
    | Call(callee, _) -> callee
    | Read variable -> Callee.Named variable.Name
    | Let(_, _, inner)
    | AsObject inner -> calledBy inner
    | _ -> Callee.Named "the sequence"

/// A part of a computation expression.
let part (session: Session) (scope: Scope) (code: Code) (part: Part) (arguments: Code list) : Value =
    let first = session.Objects.Count
    let given = [ for argument in arguments -> session.Eval(scope, argument) ]

    match part, scope.Builder with
    | Part.Bind, Some builder when given.Length > 1 -> session.Emit(BlockCode(code, builder))
    | Part.ReturnFrom, Some builder when given.Length = 1 -> session.Emit(BlockCode(code, builder))
    | Part.Merge, Some builder ->
        for operand in arguments do
            match operand.Is with
            | InBlock(Part.Merge, _) -> ()
            | _ -> session.Emit(MergeOperand(operand, builder))
    | _ -> ()

    match part, given with
    | Part.Bind, _ :: _ :: _ ->
        let sources = List.take (given.Length - 1) (List.zip arguments given)
        bind session scope first code sources (List.last given)
    | Part.ReturnFrom, [ value ] -> Awaiting.await session scope "awaited with return!" arguments[0] value
    | Part.Return, [ value ] -> returnValue session scope arguments[0] value
    | Part.Using, [ value; Function closure ] -> using session scope arguments[0].At value closure
    | Part.Combine, _ -> given |> List.fold (fun _ value -> Functions.force session scope value) Unknown
    | Part.While, [ test; body ] ->
        whileLoop session scope arguments[1] test body
        Unknown
    | Part.For, [ owner; Function closure ] ->
        BlockingCalls.force session scope arguments[0].At (calledBy arguments[0]) owner
        forLoop session scope arguments[0] owner closure
        Unknown
    | Part.TryWith, [ body; Function handler ] ->
        Branches.tryWith
            session
            scope
            arguments[1].At
            (fun scope -> Functions.force session scope body)
            (fun scope -> Functions.run session scope handler [ Unknown ] |> Functions.force session scope)
    | Part.TryFinally, [ body; last ] ->
        Branches.tryFinally session (fun () -> Functions.force session scope body) (fun () ->
            Functions.force session scope last |> ignore)
    | Part.Merge, values -> Group values
    | _, [] -> Unknown
    | _, [ value ] -> value
    | _, values ->
        // an operation of a builder's own: its arguments may run
        for value in values do
            match value with
            | Function _ ->
                Paths.either session [ ignore; fun () -> Functions.force session scope value |> ignore ]
            | value -> session.Escape value

        Unknown
