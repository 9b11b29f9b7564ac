// Calls of functions and members by their names: by the effects of the table or of the awaitable pattern, by the summary of a function
// whose source is checked, and by an assumption about all others.
module internal Plait.Check.Calls

/// The assumed effect on an argument without a known one.
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
            session.Lose value

        session.MayChange value
        session.Keep value

/// The awaitable pattern: the effects of its members on every operation.
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

    call.Effects
    |> List.choose (Applying.apply session scope call)
    |> List.tryHead
    |> Option.defaultValue (Instance call.Result)

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
        let held = if summary.RunsLocked.Contains index then 1 else 0
        session.Lock held
        // perhaps more than once
        Functions.repeat session scope true (fun scope -> Callbacks.once session scope value |> ignore)
        session.Lock -held
    // one that gets a task may get it when it is complete
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
        if summary.Consumes.Contains index then
            consume ()
        elif summary.MayConsume.Contains index then
            Paths.either session [ ignore; consume ]
        elif summary.Loses.Contains index then
            session.Lose value

        session.Keep value

/// The result of a called function, by the values of its parameters.
let private returned (session: Session) (call: Invocation) (returns: Returned) : Value =
    let id = call.Result
    let given = Value.map session.Objects.Count call.Argument

    if returns.IsComplete then
        session.Complete(Instance id)

    if not returns.Implies.IsEmpty then
        session.Implies(id, returns.Implies |> List.map (given >> Operations.returned session call.At))

    let gives =
        returns.Gives |> Gift.map given given (List.map call.Argument >> Operations.tasks session)

    session.Describe(
        id,
        fun made ->
            { made with
                MayDrop = made.MayDrop || returns.MayDrop
                IsFunction = returns.IsFunction
                Kind = if returns.IsFunction then Kind.Cold else made.Kind
                Gives = gives
                Maker = Some(Maker.Function call.Callee.Key)
                Class = returns.Class |> Option.orElse made.Class
            }
    )

    Operations.passWinner session id call.Arguments

    match Operations.returned session call.At (given returns.Value) with
    | Unknown -> Instance id
    | value -> value

let private callSummarised (session: Session) (scope: Scope) (call: Invocation) (summary: Summary) : Value =
    call.Arguments |> List.iteri (give session scope call summary)
    Set.iter session.ForgetAll summary.Writes
    session.Draft.Writes <- session.Draft.Writes + summary.Writes

    for blockage in Option.toList summary.Blocks do
        let waitsFor = [ for index in blockage.While -> call.Argument index ]
        Waiting.callBlocking session scope call.At call.Callee blockage waitsFor

    let value = returned session call summary.Returns

    if session.State.Locks > 0 then
        Uses.note session Handling.Locks call.At value

    session.Lock summary.Locks

    if summary.Raises then
        session.End()

    value

/// A call of a member of an object that an object expression made.
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
        Waiting.force session scope call.At call.Callee deferred
        others ()

/// A call of a member that is not known: abstract, or one that derived classes may replace. Where the class of the object is
/// known, it is the member of that; else it blocks if all members in the check that implement it do.
let private callOpen (session: Session) (scope: Scope) (call: Invocation) (others: unit -> Value) : Value =
    let class' =
        match call.Argument 0 with
        | Instance id -> session.Objects[id].Class
        | _ -> None

    match class' |> Option.map (fun name -> session.Override(call.Callee, name)) with
    | Some(key, Some summary) ->
        callSummarised session scope { call with Callee = { call.Callee with Key = key } } summary
    | Some(_, None) -> others ()
    | None ->
        let blockages =
            session.Implementations call.Callee |> List.map (Option.bind _.Blocks)

        match blockages with
        | Some blockage :: _ when List.forall Option.isSome blockages ->
            let waitsFor = [ for index in blockage.While -> call.Argument index ]
            Waiting.callBlocking session scope call.At call.Callee { blockage with IsOfAll = true } waitsFor
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
        let missing = closure.Parameters.Length - closure.Given.Length - given.Length
        Functions.run session scope closure (given @ List.replicate (max 0 missing) Unknown)
    | _ ->
        if isInvoke then
            List.tryHead arguments |> Option.iter (Functions.noteCall session scope)

        let call = Invocation.Of(session, code, callee, [], arguments)
        List.iteri (handOver session scope call) arguments
        Operations.passWinner session call.Result arguments
        Instance call.Result

/// A call of a member or function with arguments that are evaluated.
let call (session: Session) (scope: Scope) (code: Code) (callee: Callee) (arguments: Value list) : Value =
    let value =
        match callee.Effects |> Option.orElseWith (fun () -> pattern session callee arguments) with
        | Some effects -> callKnown session scope (Invocation.Of(session, code, callee, effects, arguments))
        | None ->
            let other () =
                match arguments with
                | [ owner ] when callee.IsProperty && callee.HasObject ->
                    Operations.property session code callee owner
                | _ -> callOther session scope code callee arguments

            match session.Summary callee with
            | Some summary ->
                callSummarised session scope (Invocation.Of(session, code, callee, [], arguments)) summary
            | None when callee.IsOpen && callee.HasObject ->
                let call = Invocation.Of(session, code, callee, [], arguments)

                match Structures.``member`` session code.At arguments.Head callee.Name with
                | Some found -> callMember session scope call other found
                | None -> callOpen session scope call other
            | None -> other ()

    session.MayThrow scope
    value
