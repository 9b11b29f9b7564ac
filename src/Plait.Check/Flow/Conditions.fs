// Tests: the facts where one is true or false, and the facts that follow from a truth value of several ways.
module internal Plait.Check.Conditions

/// Where all but one of the tasks of which one was first are known to be others, it is that one.
let private decide (session: Session) (winner: int) : unit =
    let among = session.Objects[winner].Among

    let left =
        among
        |> List.filter (fun id -> not (session.State.Different.Contains(Value.pair winner id)))

    match left with
    | [ id ] -> session.Complete(Value.Instance id)
    | [] when not among.IsEmpty -> session.End()
    | _ -> ()

let private same (session: Session) (pair: Pair) : unit =
    let struct (a, b) = pair

    if a <> b then
        session.State <- { session.State with Same = session.State.Same.Add pair }

        if session.IsComplete a || session.IsComplete b then
            session.Complete(Value.Instance a)
            session.Complete(Value.Instance b)

let private different (session: Session) (pair: Pair) : unit =
    session.State <- { session.State with Different = session.State.Different.Add pair }
    let struct (a, b) = pair
    decide session a
    decide session b

/// Goes on where a condition is true, or false.
let rec assume (session: Session) (condition: Condition) (isTrue: bool) : unit =
    match condition, isTrue with
    | Complete(value, _), true -> session.Complete value
    | Complete(Value.Instance id, Some asked), false ->
        // it has not won, another one has
        for winner in session.Winners do
            if winner < asked && List.contains id session.Objects[winner].Among then
                different session (Value.pair winner id)
    | StatusIn(Value.Instance id, read, statuses), _ ->
        let no = if isTrue then List.except statuses [ 0..7 ] else statuses

        let known =
            match (session.Fact id).NoStatus with
            | Some(other, known) when other = read -> known
            | _ -> Set.empty

        let known = known + set no
        session.Change(id, (fun fact -> { fact with NoStatus = Some(read, known) }))

        // RanToCompletion, Canceled and Faulted are 5, 6 and 7
        if Set.isSubset (set [ 0..4 ]) known then
            session.Complete(Value.Instance id)
    | Same(Value.Instance a, Value.Instance b), true -> same session (Value.pair a b)
    | Same(Value.Instance a, Value.Instance b), false -> different session (Value.pair a b)
    | Same(a, b), true ->
        if session.AreComplete [ a ] then
            session.Complete b
        elif session.AreComplete [ b ] then
            session.Complete a
    | WaitedFor value, true -> session.Complete value
    | WaitedFor value, false -> session.Each(value, (fun fact -> { fact with IsComplete = false }))
    | Opposite condition, _ -> assume session condition (not isTrue)
    | Always truth, _ when truth <> isTrue -> session.End()
    | Told(whenTrue, whenFalse), _ ->
        match (if isTrue then whenTrue else whenFalse) with
        | None -> session.End()
        | Some knowledge ->
            for id in knowledge.Complete do
                session.Complete(Value.Instance id)

            Set.iter (same session) knowledge.Same
            Set.iter (different session) knowledge.Different
    | _ -> ()

/// Goes on where a truth value is true, or false.
let assumeValue (session: Session) (value: Value) (isTrue: bool) : unit =
    match value with
    | Test condition -> assume session condition isTrue
    | _ -> ()

/// The facts at the ends of ways on which a truth value is true, or false, beyond the facts in any case; None if it
/// never is.
let private told
    (session: Session)
    (ways: (Value * State) list)
    (known: State)
    (isTrue: bool)
    : Knowledge option =
    let ends =
        [
            for value, state in ways do
                session.State <- state
                assumeValue session value isTrue

                if session.State.IsAlive then
                    session.State
        ]

    match ends with
    | [] -> None
    | ends ->
        let told = List.reduce State.join ends

        let complete =
            [
                for KeyValue(id, fact) in told.Facts do
                    match known.Facts.TryFind id with
                    | Some before when before.IsComplete -> ()
                    | _ when fact.IsComplete -> id
                    | _ -> ()
            ]

        Some
            {
                Complete = set complete
                Same = told.Same - known.Same
                Different = told.Different - known.Different
            }

/// The facts that follow from a truth value of one of these ways, beyond the facts in any case.
let toldBy (session: Session) (ways: (Value * State) list) (known: State) : Condition =
    let before = session.State
    let condition = Told(told session ways known true, told session ways known false)
    session.State <- before
    condition

/// The facts that follow from a truth value here.
let toldHere (session: Session) (value: Value) : Value =
    Test(toldBy session [ value, session.State ] session.State)
