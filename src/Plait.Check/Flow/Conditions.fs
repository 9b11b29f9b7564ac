// Conditions: the state if one is true or false, and the facts that follow from the truth values of several paths.
module internal Plait.Check.Conditions

/// If all tasks but one are different from the first completed one, that remaining task is the first completed one.
let private decide (session: Session) (winner: int) : unit =
    let among = session.Objects[winner].FirstOf

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

/// The path from here is one on which an object is this case, or is not, if the object is a parameter.
let private takeCase (session: Session) (id: int) (case: string) (holds: bool) : unit =
    for parameter in Option.toList (session.Parameter id) do
        let taken = { Parameter = parameter; Case = case; Holds = holds }
        session.State <- { session.State with Cases = session.State.Cases.Add taken }

/// Continues with the state in which a condition is true, or false.
let rec assume (session: Session) (condition: Condition) (isTrue: bool) : unit =
    match condition, isTrue with
    | Complete(value, _), true -> session.Complete value
    | Complete(Value.Instance id, Some asked), false ->
        // it is not the first one: another one is
        for winner in session.FirstCompleted do
            if winner < asked && List.contains id session.Objects[winner].FirstOf then
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
    | Empty value, _ ->
        match value with
        | Value.Instance id -> takeCase session id "Some" (not isTrue)
        | _ -> ()

        // no element, or no value in this case, is incomplete
        if isTrue then
            session.Each(value, (fun fact -> { fact with IsComplete = true }))
    | IsCase(Value.Instance id, case), _ ->
        takeCase session id case isTrue

        for name, part in session.PartsOf id do
            if Symbol.isField name && name.StartsWith(case + ".") <> isTrue then
                session.Change(part, (fun fact -> { fact with IsComplete = true }))
    | WaitedFor value, false -> session.Each(value, (fun fact -> { fact with IsComplete = false }))
    | Not condition, _ -> assume session condition (not isTrue)
    | Always truth, _ when truth <> isTrue -> session.End()
    | Refines(whenTrue, whenFalse), _ ->
        match (if isTrue then whenTrue else whenFalse) with
        | None -> session.End()
        | Some pathFacts ->
            for id in pathFacts.Complete do
                session.Complete(Value.Instance id)

            Set.iter (same session) pathFacts.Same
            Set.iter (different session) pathFacts.Different

            for id in pathFacts.Used do
                session.Change(id, (fun fact -> { fact with IsCertain = not fact.Uses.IsEmpty }))

            for id in pathFacts.Unused do
                // a use since the test is certain, and stays
                session.Change(id, (fun fact -> if fact.IsCertain then fact else { fact with Uses = [] }))

            if pathFacts.IsExcluded then
                session.State <- { session.State with IsExcluded = true }
    | _ -> ()

/// Continues with the state in which a truth value is true, or false.
let assumeValue (session: Session) (value: Value) (isTrue: bool) : unit =
    match value with
    | Test condition -> assume session condition isTrue
    | Instance id -> takeCase session id "true" isTrue
    | _ -> ()

/// The facts that hold if the truth values of these paths are true, or false, beyond the facts that hold anyway; None:
/// they never are.
let private factsIf
    (session: Session)
    (ways: (Value * State) list)
    (known: State)
    (isTrue: bool)
    : PathFacts option =
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
        let joined = List.reduce State.join ends

        let complete =
            [
                for KeyValue(id, fact) in joined.Facts do
                    match known.Facts.TryFind id with
                    | Some before when before.IsComplete -> ()
                    | _ when fact.IsComplete -> id
                    | _ -> ()
            ]

        // the objects that some of the paths use
        let uncertain (holds: Fact -> bool) : Set<int> =
            set
                [
                    for KeyValue(id, fact) in known.Facts do
                        if
                            Fact.isPerhapsUsed fact
                            && holds (Map.tryFind id joined.Facts |> Option.defaultValue Fact.fresh)
                        then
                            id
                ]

        Some
            {
                Complete = set complete
                Same = joined.Same - known.Same
                Different = joined.Different - known.Different
                Used = uncertain _.IsCertain
                Unused = uncertain _.Uses.IsEmpty
                IsExcluded = joined.IsExcluded && not known.IsExcluded
            }

/// The facts that follow from a truth value of one of these paths, beyond the facts that hold anyway.
let refinementOf (session: Session) (ways: (Value * State) list) (known: State) : Condition =
    let before = session.State

    let condition =
        Refines(factsIf session ways known true, factsIf session ways known false)

    session.State <- before
    condition

/// Whether a value is this case of a union: the facts about operations that follow if it is, and if it is not; None: not
/// known. Code that a case alone excludes is interpreted, as the value may be another one in a later turn, but it takes no
/// facts from code that runs for other cases too.
let isCase (case: string) (value: Value) : Condition option =
    let excluded = Some { PathFacts.none with IsExcluded = true }

    match value with
    | Case(_, []) -> None
    | Case(_, cases) ->
        match List.tryFind (fst >> (=) case) cases |> Option.map snd with
        | Some(Refines(whenTrue, whenFalse)) ->
            Some(Refines(Option.orElse excluded whenTrue, Option.orElse excluded whenFalse))
        | Some(Always true) -> Some(Refines(Some PathFacts.none, excluded))
        | None
        | Some(Always false) -> Some(Refines(excluded, Some PathFacts.none))
        | condition -> condition
    | _ -> None

/// The test of a value for a case of a union.
let caseTest (case: string) (value: Value) : Value =
    match isCase case value, value with
    | Some condition, _ -> Test condition
    | None, Instance _ -> Test(IsCase(value, case))
    | None, _ -> Unknown

/// The facts that follow from a truth value here.
let refinementHere (session: Session) (value: Value) : Value =
    Test(refinementOf session [ value, session.State ] session.State)

/// The case with a value, of options and Results.
let fullCase (cases: (string * Condition) list) : string =
    match cases with
    | (("ValueSome" | "ValueNone"), _) :: _ -> "ValueSome"
    | (("Ok" | "Error"), _) :: _ -> "Ok"
    | _ -> "Some"

/// Whether the arguments of a call rule out one of these cases of the parameters.
let ruleOut (argument: int -> Value) (cases: Set<ParameterCase>) : bool =
    cases
    |> Set.exists (fun case ->
        match argument case.Parameter with
        | Test(Always truth) -> case.Case = "true" && truth <> case.Holds
        | Case(_, []) -> false
        | Case(_, made) ->
            let name = if case.Case = "Some" then fullCase made else case.Case

            match made |> List.tryFind (fst >> (=) name) |> Option.map snd with
            | None
            | Some(Always false) -> case.Holds
            | Some(Always true) -> not case.Holds
            | _ -> false
        | _ -> false)
