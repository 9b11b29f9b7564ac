// Folds: functions that get a state and an element, and return the next state.
module internal Plait.Check.Folds

/// Drops the state of a fold if the next iteration has another one.
let private dropState (session: Session) (scope: Scope) (state: Value) (next: Value) : unit =
    match state with
    | Instance id when session.Objects[id].Kind <> Kind.Plain && state <> next ->
        Uses.drop session scope state session.Objects[id].At "let go by the next turn"
    | _ -> ()

/// The result of a fold: its last state if that is an operation, else the result of the function with the last state.
let private ended (session: Session) (scope: Scope) (call: Invocation) (last: Value) : Value option =
    let ending =
        call.ArgumentOf(fun effect ->
            match effect with
            | FoldEnds index -> Some index
            | _ -> None)

    match ending, last with
    | Some(Function closure), last -> Some(Functions.run session scope closure [ last ])
    | Some value, _ when value <> Unknown ->
        Callbacks.callKept session scope call.At call.Callee 1 value
        session.Escape last
        None
    | _, Unknown -> None
    | _, last when call.Code.Kind <> Kind.Plain -> Some last
    | _ -> None

/// Calls a function with a state and an element. Returns the last state if that is an operation. `isBack`: the state is
/// its last parameter.
let fold
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (isBack: bool)
    (callback: Value)
    (start: Value)
    : Value option =
    match callback, start with
    | Function closure, _ when (Elements.missing closure).Length > 1 ->
        match start with
        | Function inner -> Functions.handOver session scope inner
        | _ -> ()

        let owner = Callbacks.owner call
        let mutable state = start
        let mutable count = 0

        let turn (scope: Scope) =
            let missing = Elements.missing closure

            let others = if isBack then List.take (missing.Length - 1) missing else missing.Tail

            let elements = Elements.arguments session owner (Elements.ofPairs call) others

            // in the next turn it may be another case
            let carried = Value.withoutCases state
            let given = if isBack then elements @ [ carried ] else carried :: elements
            let before = state
            state <- Functions.run session scope closure given
            count <- count + 1

            if count > 1 then
                dropState session scope before state

            elements, state

        if call.Effects |> List.exists (fun (effect: Effect) -> effect.IsFoldsOnce) then
            Paths.either
                session
                [ ignore; fun () -> Operations.hold session call.Code call.Result (turn scope |> snd) ]
        else
            Callbacks.turns session scope call owner turn

        ended session scope call (State.joinResults state start)
    // Aggregate without a state
    | Unknown, Function _ ->
        Callbacks.many session scope call start
        None
    | callback, _ ->
        Callbacks.many session scope call callback
        session.Escape start
        ended session scope call Unknown
