// Calls of functions and members: by the effects of the table or of the awaitable pattern, else by the summary of a
// checked function, else by an assumption.
module internal Plait.Check.Calls

/// The assumed effect on an argument of an unknown function.
let private handOver (session: Session) (scope: Scope) (call: Invocation) (index: int) (value: Value) : unit =
    let callee = call.Callee

    match value with
    | Function closure -> Functions.handOver session scope closure
    | value ->
        let takes = List.tryItem index callee.TakesSingleUse |> Option.defaultValue false

        if takes then
            Uses.consume session scope value call.At $"passed to {callee.Short}"
        elif callee.Name.Contains ".set_" then
            Uses.store session call.At callee.Short value
        elif index > 0 || not callee.HasObject then
            session.Escape value

        session.MayChange value
        session.Observe value

/// The awaitable pattern: the effects of its members on any operation.
let private pattern (session: Session) (callee: Callee) (arguments: Value list) : Effect list option =
    let kinds =
        match arguments with
        | (Instance _ | OneOf _ as owner) :: _ when callee.HasObject ->
            Value.objects owner |> List.map (fun id -> session.Objects[id].Kind)
        | _ -> []

    if kinds.IsEmpty || List.contains Kind.Plain kinds then
        None
    else
        let uses = if kinds |> List.exists _.IsSingleUse then [ Consumes 0 ] else []

        match Symbol.lastPart callee.Name with
        | "GetAwaiter"
        | "ConfigureAwait" -> Some [ Passes 0 ]
        | "get_IsCompleted" -> Some [ TellsComplete 0 ]
        | "get_IsCompletedSuccessfully"
        | "get_IsFaulted"
        | "get_IsCanceled" -> Some [ TestsComplete 0 ]
        | "get_Result"
        | "GetResult" -> Some(Waits 0 :: uses)
        | "AsTask"
        | "Preserve" when not uses.IsEmpty -> Some [ Shares 0 ]
        | "OnCompleted"
        | "UnsafeOnCompleted" -> Some [ CallsWhenComplete 0; Later 1 ]
        | _ -> None

let private callKnown (session: Session) (scope: Scope) (call: Invocation) : Value =
    let spokenOf = List.collect Effect.arguments call.Effects

    call.Arguments
    |> List.iteri (fun index value ->
        if not (List.contains index spokenOf) then
            handOver session scope call index value)

    let startsFunction (effect: Effect) =
        effect.IsInside
        || effect.IsOnThread
        || effect.IsLater
        || effect.IsHandles
        || effect.IsGivesMade

    if List.exists startsFunction call.Effects then
        session.Describe(call.Result, fun made -> { made with IsNew = true })

    call.Effects
    |> List.choose (Applying.apply session scope call)
    |> List.tryHead
    |> Option.defaultValue (Instance call.Result)

/// A partial active pattern whose result does not tell the analysis whether it used its argument. Its caller matches by it.
let private hidesUses (callee: Callee) (summary: Summary) : bool =
    callee.Name.EndsWith "|_|"
    && (match summary.Returns.Value with
        | Case _ -> false
        | _ -> true)

/// The effect of a called function on an argument.
let private give
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (summary: Summary)
    (index: int)
    (value: Value)
    =
    let consume () =
        Uses.consume session scope value call.At $"passed to {call.Callee.Short}"

    match value with
    | Function closure when summary.Runs.Contains index ->
        let value = Function(Functions.placed session call.At closure)
        let held = if summary.RunsLocked.Contains index then 1 else 0
        session.Lock held
        // perhaps more than once
        Functions.repeat session scope true (fun scope ->
            Callbacks.once session scope call.At call.Callee value |> ignore)

        session.Lock -held
    // a function that gets a task may be a continuation: the task may be complete
    | Function closure when
        summary.RunsInside.ContainsKey index
        && closure.Parameters |> List.forall (fun parameter -> parameter.Kind = Kind.Plain)
        ->
        let builder = summary.RunsInside[index]

        let inside =
            { Builder.Starter $"the {builder.Name} of {call.Callee.Short}" with
                BindsTasks = builder.BindsTasks
                WantsValue = closure.Body.Kind = Kind.Plain
            }

        Functions.runElsewhere session { scope.Elsewhere with Starter = Some inside } false closure []
        |> ignore
    | Function _ -> handOver session scope call index value
    | value ->
        if summary.Runs.Contains index then
            BlockingCalls.force session scope call.At call.Callee value

        if summary.Consumes.Contains index then
            consume ()
        elif summary.MayConsume.Contains index && hidesUses call.Callee summary then
            session.Escape value
        elif summary.MayConsume.Contains index then
            Paths.either session [ ignore; consume ]
        elif summary.Escapes.Contains index then
            session.Escape value

        if summary.Disposes.Contains index then
            Applying.dispose session scope call.At value "" false

        session.MayChange value
        session.Observe value

/// A function in the result of a called function calls functions among the arguments: it blocks if one of those does.
let private ofCalls (session: Session) (value: Value) : Value =
    let blocking (f: Value) =
        match f with
        | Function closure -> fst (Functions.whenCalled session closure)
        | f -> Operations.deferred session f

    match value with
    | Calls functions ->
        functions |> List.tryPick blocking |> Option.map Deferred |> Option.defaultValue Unknown
    | value -> value

/// The result of a called function, by the values of its parameters.
let private returned (session: Session) (call: Invocation) (returns: Returned) : Value =
    let id = call.Result
    let given = Value.map session.Objects.Count call.Argument

    if returns.IsComplete then
        session.Complete(Instance id)

    if not returns.Implies.IsEmpty then
        session.Implies(id, returns.Implies |> List.map (given >> Operations.returned session call.At))

    let awaited =
        returns.AwaitResult
        |> AwaitResult.map given given (List.map call.Argument >> Operations.tasks session)

    session.Describe(
        id,
        fun made ->
            { made with
                IsNew = returns.IsNew
                MayDrop = made.MayDrop || returns.MayDrop
                IsFunction = returns.IsFunction
                Kind = if returns.IsFunction then Kind.Cold else made.Kind
                AwaitResult = awaited
                Producer = Some(Producer.Function call.Callee.Key)
                Class = returns.Class |> Option.orElse made.Class
                IsRemote = made.IsRemote || returns.IsRemote
            }
    )

    Operations.passFirstCompleted session id call.Arguments

    match given returns.Value |> ofCalls session |> Operations.returned session call.At with
    | Unknown -> Instance id
    | value -> value

let private callSummarised (session: Session) (scope: Scope) (call: Invocation) (summary: Summary) : Value =
    call.Arguments |> List.iteri (give session scope call summary)
    Set.iter session.ForgetAll summary.Writes
    session.PartialSummary.Writes <- session.PartialSummary.Writes + summary.Writes

    if summary.WritesElements then
        Functions.wroteElements session scope

    for blocking in Option.toList summary.Blocks do
        if not (List.forall (Conditions.ruleOut call.Argument) blocking.OnlyIf) then
            let waitsFor = [ for index in blocking.WhileIncomplete -> call.Argument index ]
            BlockingCalls.callBlocking session scope call.At call.Callee blocking waitsFor

    for KeyValue(index, blocking) in summary.BlocksIfRemote do
        BlockingCalls.callWithStream session scope call (call.Argument index) blocking

    let value = returned session call summary.Returns

    if session.State.Locks > 0 then
        Uses.note session SiteKind.Locks call.At value

    session.Lock summary.Locks

    if summary.Raises then
        session.End()

    value

/// A call of a member of an object expression's object.
let private callMember
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (others: unit -> Value)
    (m: Value)
    : Value =
    match m with
    | Function closure ->
        let given =
            call.Arguments @ List.replicate 8 Unknown |> List.truncate closure.Parameters.Length

        Functions.run session (scope.Through(call.At, "in this call")) closure given
    | deferred ->
        BlockingCalls.force session scope call.At call.Callee deferred
        others ()

/// A call of an abstract member, or of one that derived classes may override. If the class of the object is known, it
/// calls the member of that class; otherwise it blocks if the implementations of the static type block, or all in the
/// check if that type has none.
let private callOpen (session: Session) (scope: Scope) (call: Invocation) (others: unit -> Value) : Value =
    let class' =
        match call.Argument 0 with
        | Instance id -> session.Objects[id].Class
        | _ -> None

    match class' |> Option.map (fun name -> session.Overrides(call.Callee, name)) with
    | Some [ key, Some summary ] ->
        callSummarised session scope { call with Callee = { call.Callee with Key = key } } summary
    | overrides ->
        let isOfAll = overrides.IsNone && call.Callee.Overriding = ""

        let implementations =
            match overrides with
            | Some several -> List.map snd several
            | None when isOfAll -> session.Implementations call.Callee
            | None -> session.Overrides(call.Callee, call.Callee.Overriding) |> List.map snd

        if implementations |> List.exists (Option.exists _.WritesElements) then
            Functions.wroteElements session scope

        let blockages = implementations |> List.map (Option.bind _.Blocks)

        match blockages with
        | Some blocking :: _ when List.forall Option.isSome blockages ->
            let waitsFor = [ for index in blocking.WhileIncomplete -> call.Argument index ]

            BlockingCalls.callBlocking
                session
                scope
                call.At
                call.Callee
                { blocking with IsOfAllImplementations = isOfAll }
                waitsFor
        | _ -> ()

        others ()

let private callOther
    (session: Session)
    (scope: Scope)
    (code: Code)
    (callee: Callee)
    (arguments: Value list)
    : Value =
    let isInvoke = callee.HasObject && Symbol.lastPart callee.Name = "Invoke"

    match arguments with
    | Function closure :: given when isInvoke ->
        // a function of () has a parameter, and its delegate none
        let missing = closure.Parameters.Length - closure.Applied.Length - given.Length
        Functions.run session scope closure (given @ List.replicate (max 0 missing) Unknown)
    | _ ->
        if isInvoke then
            for called in List.truncate 1 arguments do
                Functions.noteCall session scope called
                Functions.ranUnknown session called
                BlockingCalls.force session scope code.At callee called

        let call = Invocation.Of(session, code, callee, [], arguments)
        List.iteri (handOver session scope call) arguments
        Operations.passFirstCompleted session call.Result arguments
        Instance call.Result

/// Whether a call makes a value of its arguments and does nothing else: a transformed collection, an operation in another
/// form, the test of a value for a case. The functions among its arguments may throw.
let private onlyTransforms (effects: Effect list) : bool =
    effects
    |> List.forall (fun effect ->
        match effect with
        | Passes _
        | Many _
        | Over _
        | Forces _
        | ForcesLater _
        | Generates _
        | Keeps _
        | Selects _
        | TellsSome _
        | TellsNone _
        | TellsCase _ -> true
        | _ -> false)

/// Whether a call waits for an operation or a lock before it returns.
let private waits (effects: Effect list) : bool =
    effects
    |> List.exists (fun effect ->
        match effect with
        | Waits _
        | WaitsAny _
        | RunsBlocking
        | Blocks
        | BlocksBeside _ -> true
        | _ -> false)

/// Whether a call itself may throw. An operation that fails throws where the code awaits it, and not at the call that
/// starts it or that combines it with others. A read of a lazy value runs its function.
let private mayThrow (code: Code) (effects: Effect list) : bool =
    if code.Kind = Kind.Plain then
        effects.IsEmpty || not (onlyTransforms effects)
    else
        waits effects

/// The arguments of an active pattern, with the items of a matched tuple.
let private untupled (callee: Callee) (arguments: Value list) : Value list =
    match List.rev arguments with
    | Group items :: before when before.Length + items.Length = callee.ArgumentCount ->
        List.rev before @ items
    | _ -> arguments

/// A call of a member or function with arguments that are evaluated.
let call (session: Session) (scope: Scope) (code: Code) (callee: Callee) (arguments: Value list) : Value =
    let effects =
        callee.Effects |> Option.orElseWith (fun () -> pattern session callee arguments)

    let value =
        match effects with
        | Some effects -> callKnown session scope (Invocation.Of(session, code, callee, effects, arguments))
        | None ->
            let other () =
                match arguments with
                | [ owner ] when callee.IsProperty && callee.HasObject ->
                    Operations.property session code callee owner
                | _ -> callOther session scope code callee arguments

            match session.Summary callee with
            | Some summary ->
                let given = untupled callee arguments
                callSummarised session scope (Invocation.Of(session, code, callee, [], given)) summary
            | None when callee.IsOpen && callee.HasObject ->
                let call = Invocation.Of(session, code, callee, [], arguments)

                match Structures.``member`` session code.At arguments.Head callee.Name with
                | Some found -> callMember session scope call other found
                | None -> callOpen session scope call other
            | None ->
                // a function that other code made, as a value of a module
                match session.FunctionOfModule callee with
                | Some(Deferred(blocking, _)) ->
                    BlockingCalls.callBlocking session scope code.At callee blocking []
                | _ -> ()

                other ()

    if mayThrow code (Option.defaultValue [] effects) then
        session.MayThrow scope
    elif callee.ReadsLazy then
        // a function that throws does so at each later read too: no code waits for this operation
        let before = session.State
        session.Complete value
        session.MayThrow scope
        session.State <- before

    value
