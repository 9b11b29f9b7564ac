// One declaration, interpreted: the effects of a call, and the events on the way.
module internal Plait.Check.Interpretation

open System.Collections.Generic

open FSharp.Compiler.Text

type internal Interpreted =
    {
        /// None for a declaration that is too large.
        Summary: Summary option
        /// A call blocks because all members in the check that implement an abstract one do.
        IsOpen: bool
        Handled: Handled list
        /// The places where single-use objects were made or bound; true for those that were not followed to their end.
        SingleUse: struct (range * bool) list
    }

/// Runs each function that nothing ran, once, from the facts at the place where it was made. Returns the objects that
/// they read.
let private runTheRest (session: Session) : HashSet<int> =
    let reads = HashSet<int>()
    let unrun = session.Bodies.Unrun

    while unrun.Count > 0 do
        let closure, state = Seq.head unrun.Values
        session.State <- state
        let doubtBelow = session.Objects.Count

        let scope =
            { Scope.Outermost.Elsewhere with Reads = reads; DoubtBelow = doubtBelow }

        for parameter in closure.Parameters do
            Variables.bind session parameter Unknown

        let given = closure.Parameters |> List.map (Variables.read session scope)
        Functions.run session scope { closure with Given = [] } given |> ignore

    reads

/// The value with other objects. A test that cannot be asked of these becomes the facts that it gives about them.
let private by (session: Session) (other: int -> Value) (value: Value) : Value =
    let map = Value.map session.Objects.Count other

    match value, map value with
    | Test _, Test condition when condition = Value.nothingTold -> map (Conditions.toldHere session value)
    | _, value -> value

/// The parameters on which it depends whether code blocks.
let private deferred (blockage: Blockage) : Value =
    Deferred(blockage, [ for index in blockage.While -> Instance index ])

/// How a function blocks that is a part of a result, where it is called.
let private whenCalled (session: Session) (closure: Closure) : Value =
    let unrun = session.Bodies.Unrun

    let wasUnrun =
        match unrun.TryGetValue closure.Body with
        | true, known -> Some known
        | _ -> None

    let missing =
        List.skip (min closure.Given.Length closure.Parameters.Length) closure.Parameters

    let _, blocks =
        session.Aside(fun () ->
            session.Deferring(fun () ->
                Functions.run session Scope.Outermost.Deferred closure [ for _ in missing -> Unknown ]))

    // it is still to be looked at for itself
    wasUnrun |> Option.iter (fun known -> unrun[closure.Body] <- known)
    blocks |> Option.map (fst >> deferred) |> Option.defaultValue Unknown

/// A result as its callers can follow it: functions and the like by how they block, lists by their constants.
let rec private followed (session: Session) (value: Value) : Value =
    match value with
    | Function closure -> whenCalled session closure
    | Group values -> Group(List.map (followed session) values)
    | Case fields -> Case [ for name, value in fields -> name, followed session value ]
    | Instance id ->
        let object = session.Objects[id]

        let isConstant (item: Value) =
            match item with
            | Constant _ -> true
            | _ -> false

        match object.Defers, object.Items with
        | Some(blockage, _), _ when not (session.IsComplete id) -> deferred blockage
        | _, Some(_ :: _ as items) when List.forall isConstant items -> Group items
        | _ when object.Kind = Kind.Plain && object.Origin = Origin.Made ->
            Operations.completeFields session id |> Option.defaultValue value
        | _ -> value
    | value -> value

/// The result of a declaration, by its first `count` objects, which are its parameters.
let private returned (session: Session) (count: int) (result: Value) : Returned =
    // the same object each time: a field of a parameter or of a module, or a part of that
    let rec held (id: int) : Value option =
        match session.Objects[id].Kind, session.Owner id with
        | (Kind.Task | Kind.Plain), Some struct (owner, name) ->
            let held =
                if owner < 0 then Some None
                elif owner < count then Some(Some(Instance owner))
                else held owner |> Option.map Some

            held |> Option.map (fun owner -> Held(owner, name, session.Objects[id].Kind))
        | _ -> None

    let ofParameters (value: Value) =
        let rec parameter (id: int) : Value =
            if id < count then
                Instance id
            elif Seq.contains id session.Winners then
                Ended(List.map parameter session.Objects[id].Among)
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
        | FoundAt _
        | Deferred _
        | Group _
        | Case _ -> true
        | Instance id -> session.Objects[id].Kind = Kind.Task
        | OneOf values -> List.forall isFollowed values
        | _ -> false

    match result with
    | Instance id when id >= count && session.Objects[id].Kind <> Kind.Plain ->
        let object = session.Objects[id]

        {
            Value = ofParameters result
            Implies =
                (session.Fact id).Implies
                |> List.map ofParameters
                |> List.filter (fun value -> value <> Unknown)
            MayDrop = object.MayDrop
            IsFunction = object.IsFunction
            // a stand-in returns a complete value where the real function does not
            IsComplete = false
            Class = None
            Gives = object.Gives |> Gift.map ofParameters operation among
        }
    | result ->
        {
            Value =
                match followed session result with
                | Instance id as result when id >= count || isFollowed result -> ofParameters result
                | value when isFollowed value -> ofParameters value
                | _ -> Unknown
            Class =
                match result with
                | Instance id when id >= count -> session.Objects[id].Class
                | _ -> None
            Implies = []
            MayDrop = false
            IsFunction = false
            IsComplete =
                match result with
                | Instance id -> id >= count && session.Objects[id].Kind = Kind.Plain && session.IsComplete id
                | _ -> false
            Gives = Gift.Anything
        }

/// A function that gives an operation, without a computation expression around its body: what it does before that, it does on
/// the caller's thread, which runs other operations too.
let private starter (declaration: Declaration) : Builder option =
    match declaration.CalledBy with
    | _ when declaration.Parameters.IsEmpty -> None
    | Some attribute when declaration.IsHandler && declaration.Body.Kind = Kind.Plain ->
        Some(Builder.Starter $"a method with [<{attribute}>]")
    | _ -> Functions.starterOf declaration.Body

/// The effects of a call of the declaration.
let private summary (session: Session) (declaration: Declaration) : Summary =
    let body = declaration.Body
    let scope = { Scope.Outermost with Starter = starter declaration }

    declaration.Parameters
    |> List.iteri (fun index parameter ->
        let id =
            session.New(parameter.Kind, parameter.Name, parameter.At, Origin.Parameter index)

        session.Values[parameter.Id] <- Instance id)

    for attribute in Option.toList declaration.CalledBy do
        session.Emit(GivenAway(body, body.At, Taker.Attribute attribute))

    if not declaration.Parameters.IsEmpty then
        session.Emit(WroteFunction body)

    let result = session.Eval(scope, body)
    Uses.consume session scope result body.At "returned"
    session.Keep result
    let after = session.State
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
        MayConsume = parametersThat (fun _ fact -> not fact.IsCertain && not fact.Uses.IsEmpty)
        Loses = parametersThat (fun index fact -> fact.IsLost || readLater.Contains index)
        Runs = session.Draft.Runs
        RunsInside = session.Draft.RunsInside
        RunsLocked = session.Draft.RunsLocked
        Locks = if after.IsAlive then after.Locks else 0
        Returns = returns
        Writes = session.Draft.Writes
        Raises = not after.IsAlive
        Blocks = session.Draft.Blocks
    }

/// Interprets a declaration. `emit` gets the events that rules may judge.
let run (emit: Event -> unit) (declared: Declared) (declaration: Declaration) : Interpreted =
    let session = Session(emit, declared, Interpreter.eval)

    let summary =
        try
            Some(summary session declaration)
        with TooLarge ->
            None

    {
        Summary = summary
        IsOpen = session.IsOpen
        Handled = List.ofSeq session.Draft.Handled
        SingleUse =
            [
                for object in session.Objects do
                    if object.Kind.IsSingleUse then
                        struct (object.At, (session.Fact object.Id).IsLost)
            ]
    }
