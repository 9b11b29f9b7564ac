// Interprets code over all paths at once: it joins branches, runs two iterations of a loop, and runs a function value
// at its call. Each form of Code has its line here and its meaning in the file of the form.
module internal Plait.Check.Interpreter

/// Whether a call uses up a list literal in it and keeps nothing of it.
let private usesUp (callee: Callee) (index: int) : bool =
    callee.Effects
    |> Option.defaultValue []
    |> List.exists (fun effect -> effect = Consumes index || effect = CompletesAll index)

let private drops (callee: Callee) (index: int) : bool =
    callee.Effects |> Option.defaultValue [] |> List.contains (Drops index)

/// Emits an event for a local function.
let private wroteFunction (session: Session) (value: Code) : unit =
    match value.Is with
    | Lambda(_, body) -> session.Emit(FunctionBody body)
    | _ -> ()

/// The callee of an application.
let rec private called (code: Code) : Callee =
    match code.Is with
    | Apply(f, _) -> called f
    | Field({ Is = (Global(owner, _)) }, name, _, _) -> Callee.Named $"{Symbol.lastPart owner}.{name}"
    | Field({ Is = Read owner }, name, _, _) when not owner.IsGenerated -> Callee.Named $"{owner.Name}.{name}"
    | Field(_, name, _, _)
    | Global(name, _) -> Callee.Named(Symbol.lastPart name)
    | Read variable when not variable.IsGenerated -> Callee.Named variable.Name
    | Call(callee, _) -> callee
    | _ -> Callee.Named "the function"

let rec eval (session: Session) (scope: Scope) (code: Code) : Value =
    session.Step()

    match code.Is with
    | Nothing when code.Kind = Kind.Task -> session.NewNull code.At
    | Nothing
    | Lost -> Unknown
    | Number number -> Constant number
    | Truth truth -> Test(Always truth)
    | Read variable -> Variables.read session scope variable
    | Write(variable, value) ->
        let value = eval session scope value

        if session.IsOwn(scope, variable) then
            Variables.overwrite session scope variable
        // code that runs elsewhere may write before or after a read
        else
            session.WrittenMeanwhile.Add variable.Id |> ignore

        Variables.bind session variable value
        session.Observe value
        Unknown
    | Let(variable, value, body) -> evalLet session scope variable value body
    | LetRec(bindings, body) ->
        for variable, value in bindings do
            match value.Is with
            | Lambda(_, body) -> session.Bodies.Recursive.Add body |> ignore
            | _ -> ()

            Variables.bind session variable (eval session scope value)
            wroteFunction session value

        eval session scope body
    | Then(first, second) ->
        Uses.drop session scope (eval session scope first) first.At "dropped"
        eval session scope second
    | If(test, yes, no) -> Branches.ifElse session scope test yes no
    | Match(decision, targets) -> Branches.matchWith session scope decision targets
    | Jump(target, given) ->
        let given = evalAll session scope given
        scope.TakenJumps.Add { Target = target; Arguments = given; State = session.State }
        Unknown
    | Loop(test, body) ->
        let evalTest scope =
            match test with
            | Some test -> eval session scope test
            | None -> Unknown

        let codes = test |> Option.map (fun test -> test, body)
        Branches.loop session scope codes evalTest (fun scope -> eval session scope body |> ignore)
        Unknown
    | Try(body, handled, handler) ->
        Branches.tryWith session scope handler.At (fun scope -> eval session scope body) (fun scope ->
            Variables.bind session handled Unknown
            eval session scope handler)
    | Finally(body, last) ->
        Branches.tryFinally session (fun () -> eval session scope body) (fun () ->
            eval session scope last |> ignore)
    | Use(variable, value, body) ->
        let place = value.At
        let value = eval session scope value
        Branches.using session scope place variable variable value (fun () -> eval session scope body)
    | Lambda(parameters, body) ->
        let closure = { Parameters = parameters; Applied = []; Body = body }

        if scope.Builder.IsNone || scope.CalledInside.IsSome then
            session.Bodies.Outside.Add body |> ignore

        if not (session.Bodies.Runs.ContainsKey body) then
            session.Bodies.Unrun[body] <- (closure, session.State)

        Function closure
    | Delegate inner ->
        match eval session scope inner with
        | Function closure as f ->
            session.Bodies.Delegates.Add closure.Body |> ignore
            f
        | f -> f
    | Apply(f, arguments) -> evalApply session scope code f arguments
    | Call(callee, arguments) ->
        Calls.call session scope code callee (evalArguments session scope callee arguments)
    | Field(owner, name, isMutable, initial) ->
        Structures.field session code (eval session scope owner) name isMutable initial
    | Content(owner, name) -> Structures.content session code (eval session scope owner) name
    | Item(tuple, index) -> Structures.item session code (eval session scope tuple) index
    | Tuple items -> Group(evalAll session scope items)
    | Construct(members, ("an object" as into), names) ->
        let members = evalParts session scope members

        for _, value in members do
            match value with
            | Function closure ->
                let inside = { scope.Elsewhere with Starter = Functions.starterOf closure.Body }
                Functions.runElsewhere session inside false closure [] |> ignore
            | _ -> ()

        Structures.make session code members into names
    | Construct(parts, into, fields) ->
        Structures.make session code (evalParts session scope parts) into fields
    | SetField(parts, into) ->
        Structures.set session scope code (evalParts session scope parts) into
        Unknown
    | Global(name, isMutable) -> Structures.readGlobal session code name isMutable
    | AsObject inner ->
        let value = eval session scope inner
        session.Emit(PassedUntyped(inner, code.At, Sink.AsObject))
        session.Escape value
        value
    | TypeTest inner ->
        session.Observe(eval session scope inner)
        Unknown
    | Block(builder, body) -> Blocks.block session scope code builder body
    | InBlock(part, arguments) -> Blocks.part session scope code part arguments
    | Parts parts ->
        for part in parts do
            match eval session scope part with
            | Function closure -> Functions.runElsewhere session scope.Elsewhere false closure [] |> ignore
            | value -> session.Observe value

        Unknown

and private evalAll (session: Session) (scope: Scope) (codes: Code list) : Value list =
    List.map (eval session scope) codes

and private evalParts (session: Session) (scope: Scope) (parts: Code list) : (Code * Value) list =
    [ for part in parts -> part, eval session scope part ]

and private evalLet
    (session: Session)
    (scope: Scope)
    (variable: Variable)
    (value: Code)
    (body: Code)
    : Value =
    let result = eval session scope value

    if not variable.IsGenerated then
        wroteFunction session value

        match value.Is, scope.Builder with
        | Lambda(_, body), Some builder -> session.Emit(LocalFunction(variable, body, builder))
        | _ -> ()

    match result with
    | Instance id when
        session.Objects[id].Kind.IsSingleUse
        && session.Objects[id].Name = ""
        && Code.onlyAwaits variable body
        ->
        session.Describe(id, fun object -> { object with IsOnlyAwaited = true })
    | _ -> ()

    Variables.bindIn session scope variable value result body

and private evalApply
    (session: Session)
    (scope: Scope)
    (code: Code)
    (f: Code)
    (arguments: Code list)
    : Value =
    let f = eval session scope f
    let given = evalAll session scope arguments

    let ways =
        match f with
        | OneOf ways -> ways
        | Instance id ->
            let known, blocking = Parts.functions session id |> List.partition _.IsFunction
            List.truncate 8 known @ List.truncate 1 blocking
        | _ -> []

    match ways with
    | _ :: _ ->
        let before = session.State

        Paths.meet
            session
            [
                for way in ways do
                    session.State <- before
                    applyTo session scope code (called code) way given, session.State
            ]
    | [] -> applyTo session scope code (called code) f given

/// Applies a function that is a value.
and private applyTo
    (session: Session)
    (scope: Scope)
    (code: Code)
    (callee: Callee)
    (f: Value)
    (given: Value list)
    : Value =
    match Operations.partially session code.At f given.Length, f with
    | Some rest, _ -> rest
    | None, Function closure ->
        let closure = Functions.placed session code.At closure

        let inside =
            Functions.calling session (scope.Through(code.At, "in this call")) code.At callee closure

        match Functions.run session inside closure given with
        // the caller of the function creates the object that the function creates
        | Instance id as value when
            session.Objects[id].Kind <> Kind.Plain
            && session.Objects[id].Origin = Origin.Created
            && session.Objects[id].Name = ""
            ->
            session.Describe(id, fun made -> { made with At = code.At })
            value
        | value -> value
    | None, Deferred(blocking, waitsFor) ->
        BlockingCalls.callBlocking session scope code.At callee blocking waitsFor
        Functions.callUnknown session scope code given
    | None, f ->
        if session.MadeBy f = Some Formats then
            for argument in Code.children code do
                if argument.Kind.IsSingleUse then
                    session.Emit(PassedUntyped(argument, code.At, Sink.AsObject))

        Functions.noteCall session scope f
        Functions.ranUnknown session f
        BlockingCalls.force session scope code.At callee f
        let result = Functions.callUnknown session scope code given

        // the function for the next argument
        match result with
        | Instance id when session.MadeBy f = Some Formats ->
            session.Describe(id, fun made -> { made with CreatedBy = Some Formats })
        | _ -> ()

        result

and private evalArguments
    (session: Session)
    (scope: Scope)
    (callee: Callee)
    (arguments: Code list)
    : Value list =
    arguments
    |> List.mapi (fun index argument ->
        match Code.items argument, argument.Is with
        | Some items, _ when usesUp callee index -> Group(evalAll session scope items)
        | _ when drops callee index -> eval session scope (Code.unboxed argument)
        | _ -> eval session scope argument)
