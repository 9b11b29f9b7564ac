// The interpretation of one declaration: its summary, and its events.
module internal Plait.Check.Interpretation

open System.Collections.Generic

open FSharp.Compiler.Text

type internal InterpretationResult =
    {
        /// None for a declaration that is too large.
        Summary: Summary option
        /// A call of an abstract member counts as blocking, because all implementations in the check block.
        IsOpen: bool
        Sites: OperationSite list
        /// The places of single-use objects; true: the object escaped, so not all of its uses are known.
        SingleUse: struct (range * bool) list
    }

/// Interprets each function that did not run, once, from the state at its lambda. Returns the objects that they read.
let private runTheRest (session: Session) : HashSet<int> =
    let reads = HashSet<int>()
    let unrun = session.Bodies.Unrun

    while unrun.Count > 0 do
        let closure, state = Seq.head unrun.Values
        session.State <- state
        let uncertainBelow = session.Objects.Count

        // other code calls a delegate
        let starter =
            if session.Bodies.Delegates.Contains closure.Body then
                Functions.starterOfDelegate closure
            else
                None

        let scope =
            { Scope.Outermost.Elsewhere with
                Reads = reads
                UncertainBelow = uncertainBelow
                Starter = starter
            }

        for parameter in closure.Parameters do
            Variables.bind session parameter Unknown

        let given = closure.Parameters |> List.map (Variables.read session scope)

        let run (scope: Scope) =
            Functions.run session scope { closure with Applied = [] } given

        // each call uses the single-use values from outside, and returns them
        let outer =
            session.Needs [ Function closure ]
            |> Set.filter (fun id -> session.Objects[id].Kind.IsSingleUse)

        if outer.IsEmpty then
            run scope |> ignore
        else
            Functions.repeat session scope true (fun scope ->
                for id in Value.objects (run scope) do
                    if outer.Contains id then
                        Uses.consume session scope (Instance id) closure.Body.At "returned")

    reads

/// Replaces the objects of a value. A test that other objects cannot answer becomes the facts that follow from it.
let private by (session: Session) (other: int -> Value) (value: Value) : Value =
    let map = Value.map session.Objects.Count other

    match value, map value with
    | Test _, Test condition when condition = Value.noRefinement ->
        map (Conditions.refinementHere session value)
    | _, value -> value

/// The parameters whose completion ends the blocking.
let private deferred (blocking: BlockingCall) : Value =
    Deferred(blocking, [ for index in blocking.WhileIncomplete -> Instance index ])

/// The blocking of a function in a result, at its call.
let private whenCalled (session: Session) (closure: Closure) : Value =
    match Functions.whenCalled session closure with
    | Some(blocking, _), _ -> deferred blocking
    | None, runs when runs.IsEmpty -> Unknown
    | None, runs -> Calls [ for index in runs -> Instance index ]

/// The elements of a collection with functions that block.
let rec private functions (followed: Value -> Value) (session: Session) (id: int) : Value list =
    match session.Objects[id].Items, session.Objects[id].MadeOf with
    | Some items, _ ->
        let blocks (value: Value) =
            match value with
            | Deferred _ -> true
            | Group values -> values |> List.exists _.IsDeferred
            | Case(fields, _) -> fields |> List.exists (snd >> _.IsDeferred)
            | _ -> false

        let items = items |> List.filter (_.IsInstance >> not) |> List.map followed
        if List.exists blocks items then items else []
    | None, [ Instance from ] -> functions followed session from
    | _ -> []

/// A result for the callers: functions, sequences and lazy values by their blocking, lists by their constants.
let rec private followed (session: Session) (value: Value) : Value =
    match value with
    | Function closure -> whenCalled session closure
    | Group values -> Group(List.map (followed session) values)
    // one of several functions
    | OneOf values when values |> List.exists (fun value -> value.IsFunction || value.IsDeferred) ->
        values
        |> List.map (followed session)
        |> List.tryFind _.IsDeferred
        |> Option.defaultValue Unknown
    | Case(fields, cases) -> Case([ for name, value in fields -> name, followed session value ], cases)
    | Instance id ->
        let object = session.Objects[id]

        let isConstant (item: Value) =
            match item with
            | Constant _ -> true
            | _ -> false

        match object.DeferredBlocking, object.Items with
        | Some(blocking, _), _ when not (session.IsComplete id) -> deferred blocking
        | _, Some(_ :: _ as items) when List.forall isConstant items -> Group items
        | _ when object.Kind = Kind.Plain && object.Origin = Origin.Created ->
            match functions (followed session) session id with
            | [] -> Operations.completeFields session id |> Option.defaultValue value
            | blocking -> Group blocking
        | _ -> value
    | value -> value

/// The result of a declaration by its parameters, the first `count` objects.
let private returned (session: Session) (count: int) (result: Value) : Returned =
    // the same object each time: a member of a parameter or of a module, a field of its case, or a part of it
    let rec held (id: int) : Value option =
        match session.Objects[id].Kind, session.Owner id |> Option.orElse (session.CaseOf id) with
        | (Kind.Task | Kind.Plain), Some struct (owner, name) ->
            let held =
                if owner < 0 then Some None
                elif owner < count then Some(Some(Instance owner))
                else held owner |> Option.map Some

            held |> Option.map (fun owner -> AccessPath(owner, name, session.Objects[id].Kind))
        | _ -> None

    let ofParameters (value: Value) =
        let rec parameter (id: int) : Value =
            if id < count then
                Instance id
            elif Seq.contains id session.FirstCompleted then
                CompletedTask(List.map parameter session.Objects[id].FirstOf)
            else
                Option.defaultValue Unknown (held id)

        by session parameter value

    let operation (value: Value) =
        Group [ for id in Set.filter (fun id -> id < count) (session.ImpliedBy value) -> Instance id ]

    let among (ids: int list) =
        if ids |> List.forall (fun id -> id < count) then ids else []

    let rec isFollowed (value: Value) =
        match value with
        | Test _
        | Status _
        | CompletedAt _
        | Deferred _
        | Calls _
        | Group _
        | Case _ -> true
        | Instance id -> session.Objects[id].Kind = Kind.Task
        | OneOf values -> List.forall isFollowed values
        | _ -> false

    // an operation that the declaration started, and whose only reader is the caller
    let isStarted (id: int) =
        let object = session.Objects[id]

        id >= count
        && (object.Kind = Kind.Task || object.Kind = Kind.Cold)
        && object.Origin = Origin.Created
        && not (
            object.MayDrop
            || object.IsFunction
            || session.IsComplete id
            || (session.Fact id).HasEscaped
        )

    // one without a name is no part of another operation
    let rec withStarted (value: Value) =
        match value with
        | Instance id when isStarted id && session.Objects[id].Name = "" ->
            Started(session.Objects[id].Kind, session.Objects[id].IsNew)
        | Group values -> Group(List.map withStarted values)
        | Case(fields, cases) -> Case([ for name, value in fields -> name, withStarted value ], cases)
        | value -> value

    match result with
    | Instance id when id >= count && session.Objects[id].Kind <> Kind.Plain ->
        let object = session.Objects[id]

        {
            Value =
                // a module value that is made of a result
                if count = 0 && object.CreatedBy = Some IsComplete then
                    CompletedTask []
                else
                    ofParameters result
            Implies =
                (session.Fact id).Implies
                |> List.map ofParameters
                |> List.filter (fun value -> value <> Unknown)
            IsNew = count > 0 && object.IsNew && not (session.Fact id).HasEscaped
            MayDrop = object.MayDrop
            IsFunction = object.IsFunction
            // a test double returns a complete value although the real function does not
            IsComplete = false
            Class = None
            IsRemote = false
            AwaitResult =
                match object.AwaitResult with
                | AwaitResult.Value(Instance inner) when isStarted inner ->
                    AwaitResult.Operation(operation (Instance inner), AwaitResult.Unknown)
                | awaited -> AwaitResult.map ofParameters operation among awaited
        }
    | result ->
        {
            Value =
                match result |> followed session |> withStarted with
                | Instance id as result when id >= count || isFollowed result -> ofParameters result
                | value when isFollowed value -> ofParameters value
                | _ -> Unknown
            Class =
                match result with
                | Instance id when id >= count -> session.Objects[id].Class
                | _ -> None
            IsRemote = session.IsRemote result
            // one of several operations or collections
            Implies =
                session.SurelyImpliedBy result
                |> Seq.map (Instance >> ofParameters)
                |> Seq.filter (fun value -> value <> Unknown)
                |> List.ofSeq
            IsNew = false
            MayDrop = false
            IsFunction = false
            IsComplete =
                match result with
                | Instance id -> id >= count && session.Objects[id].Kind = Kind.Plain && session.IsComplete id
                | _ -> false
            AwaitResult = AwaitResult.Unknown
        }

/// The caller's operation, if the declaration returns one without a computation expression, or if a server calls it: the
/// caller's thread has other operations too.
let private starter (declaration: Declaration) : Builder option =
    match declaration.CalledBy with
    | _ when declaration.Parameters.IsEmpty -> None
    | Some attribute when declaration.IsHandler && declaration.Body.Kind = Kind.Plain ->
        Some(Builder.Handler $"a method with [<{attribute}>]")
    | _ -> Functions.starterOf declaration.Body

/// The summary of the declaration.
let private summary (session: Session) (declaration: Declaration) : Summary =
    let body = declaration.Body
    let scope = { Scope.Outermost with Starter = starter declaration }

    declaration.Parameters
    |> List.iteri (fun index parameter ->
        let id =
            session.New(parameter.Kind, parameter.Name, parameter.At, Origin.Parameter index)

        session.Describe(id, fun made -> { made with IsRemote = parameter.IsRemote })
        session.Values[parameter.Id] <- Instance id)

    for attribute in Option.toList declaration.CalledBy do
        session.Emit(PassedUntyped(body, body.At, Sink.Attribute attribute))

    if not declaration.Parameters.IsEmpty then
        session.Emit(FunctionBody body)

    let result = session.Eval(scope, body)

    // each reader of the value gets the same operation
    match result with
    | Instance id when declaration.IsValue && session.Objects[id].Origin = Origin.Created ->
        Uses.store session body.At "a value of a module" result
    | _ -> ()

    Uses.consume session scope result body.At "returned"
    session.Observe result
    let after = session.State
    let blocks = session.BlocksSince 0
    let returns = returned session declaration.Parameters.Length result
    let readLater = runTheRest session

    let parametersThat (holds: int -> Fact -> bool) =
        set
            [
                for index in 0 .. declaration.Parameters.Length - 1 do
                    if holds index (after.Facts |> Map.tryFind index |> Option.defaultValue Fact.fresh) then
                        index
            ]

    {
        Consumes = parametersThat (fun _ fact -> fact.IsCertain && not fact.Uses.IsEmpty)
        MayConsume = parametersThat (fun _ fact -> Fact.isPerhapsUsed fact)
        Escapes = parametersThat (fun index fact -> fact.HasEscaped || readLater.Contains index)
        Runs = session.PartialSummary.Runs
        RunsInside = session.PartialSummary.RunsInside
        RunsLocked = session.PartialSummary.RunsLocked
        BlocksIfRemote = session.PartialSummary.BlocksIfRemote
        Disposes = session.PartialSummary.Disposes
        Locks = if after.IsAlive then after.Locks else 0
        Returns = returns
        Writes = session.PartialSummary.Writes
        WritesElements = session.PartialSummary.WritesElements
        Raises = not after.IsAlive
        Blocks = blocks
    }

/// Interprets a declaration. `emit` gets the events.
let run (emit: Event -> unit) (declared: SummaryLookup) (declaration: Declaration) : InterpretationResult =
    let session = Session(emit, declared, Interpreter.eval)

    let summary =
        try
            Some(summary session declaration)
        with TooLarge ->
            None

    {
        Summary = summary
        IsOpen = session.IsOpen
        Sites = List.ofSeq session.PartialSummary.Sites
        SingleUse =
            [
                for object in session.Objects do
                    if object.Kind.IsSingleUse then
                        struct (object.At, (session.Fact object.Id).HasEscaped)
            ]
    }
