// Where paths part and meet: each starts in the same state, and their states are joined after them.
module internal Plait.Check.Paths

/// Interprets each of these alternatives from the same state, and joins the states after them.
let either (session: Session) (ways: (unit -> unit) list) : unit =
    let before = session.State

    let after =
        ways
        |> List.map (fun way ->
            session.State <- before
            way ()
            session.State)

    session.State <-
        match after with
        | [] -> before
        | after -> List.reduce State.join after

let private isCompleteTask (session: Session) (state: State) (id: int) : bool =
    session.Objects[id].Kind = Kind.Task
    && (let before = session.State
        session.State <- state
        let isComplete = session.IsComplete id
        session.State <- before
        isComplete)

let private among (session: Session) (id: int) : int list =
    match session.Objects[id].FirstOf with
    | [] -> [ id ]
    | among -> among

/// A value after its path: a task that is complete on this path alone becomes another object.
let rec private settled (session: Session) (meeting: State) (state: State) (value: Value) : Value =
    match value with
    | Instance id when isCompleteTask session state id && not (isCompleteTask session meeting id) ->
        session.NewFirstCompleted(among session id, session.Objects[id].At)
    | Group values -> Group(List.map (settled session meeting state) values)
    | Case(fields, cases) ->
        Case([ for name, value in fields -> name, settled session meeting state value ], cases)
    | value -> value

let private parts (value: Value) : (string * Value) list =
    match value with
    | Group values -> [ for value in values -> "", value ]
    | Case(fields, _) -> fields
    | _ -> []

/// Whether more may be known of operations on this path than where it meets the others.
let private hasOwnFacts (meeting: State) (state: State) : bool =
    let isCompleteThere (id: int) =
        meeting.Facts |> Map.tryFind id |> Option.exists _.IsComplete

    state.Same <> meeting.Same
    || state.Different <> meeting.Different
    || state.Facts |> Map.exists (fun id fact -> fact.IsComplete && not (isCompleteThere id))
    || meeting.Facts |> Map.exists (fun _ fact -> Fact.isPerhapsUsed fact)

/// The cases that a value may be.
let private casesOf (value: Value) : (string * Condition) list =
    match value with
    | Case(_, cases) -> cases
    | _ -> []

/// The join of the values of these paths. A value that is complete on its path stays complete; a truth value keeps the
/// facts of its path.
let rec joined (session: Session) (ways: (Value * State) list) (meeting: State) : Value =
    let values = List.map fst ways
    let names = values |> List.map (parts >> List.map fst)

    let winners =
        [
            for value, state in ways do
                match value with
                | Instance id when isCompleteTask session state id -> id
                | _ -> ()
        ]

    if values |> List.exists _.IsTest then
        Test(Conditions.refinementOf session ways meeting)
    elif winners.Length = ways.Length && not (List.forall (isCompleteTask session meeting) winners) then
        session.NewFirstCompleted(
            winners |> List.collect (among session) |> List.distinct,
            session.Objects[winners.Head].At
        )
    elif values |> List.forall (casesOf >> List.isEmpty >> not) then
        let tell = List.exists (snd >> hasOwnFacts meeting) ways

        let isCase (case: string) : Condition =
            let conditions: Condition list =
                [
                    for value, _ in ways ->
                        casesOf value
                        |> List.tryFind (fst >> (=) case)
                        |> Option.map snd
                        |> Option.defaultValue (Always false)
                ]

            match conditions.Head with
            | Always _ as only when conditions |> List.forall ((=) only) -> only
            | _ when not tell && conditions |> List.forall _.IsAlways -> Value.noRefinement
            | _ ->
                let ways =
                    List.map2 (fun condition (_, state) -> Test condition, state) conditions ways

                Conditions.refinementOf session ways meeting

        let field (name: string) : Value =
            [
                for value, state in ways do
                    match parts value |> List.tryFind (fst >> (=) name) with
                    | Some(_, value) -> value, state
                    | None -> ()
            ]
            |> fun ways -> joined session ways meeting

        let cases = values |> List.collect casesOf |> List.map fst |> List.distinct

        Case(
            [ for name in names |> List.concat |> List.distinct -> name, field name ],
            [ for case in cases -> case, isCase case ]
        )
    elif not names.Head.IsEmpty && List.forall ((=) names.Head) names then
        let joined =
            names.Head
            |> List.mapi (fun index name ->
                let ways =
                    [ for value, state in ways -> snd (List.item index (parts value)), state ]

                name, joined session ways meeting)

        match values.Head with
        | Group _ -> Group(List.map snd joined)
        | _ -> Value.record joined
    else
        ways
        |> List.map (fun (value, state) -> settled session meeting state value)
        |> List.reduce State.joinResults

/// The objects that are complete when the operation or the collection of each path is: those of a path alone are complete where
/// the value is that path's, as in `match work with One job -> [ job ] | Two _ -> []`.
let private implied (session: Session) (ways: (Value * State) list) (meeting: State) : Value list =
    let isMade (state: State) (id: int) =
        let object = session.Objects[id]

        match object.Kind with
        | Kind.Plain -> object.Items.IsSome || not object.MadeOf.IsEmpty
        | _ ->
            object.Origin = Origin.Created
            || (session.CaseOf id).IsSome
            || isCompleteTask session state id

    let isCompleteThere (id: int) =
        meeting.Facts |> Map.tryFind id |> Option.exists _.IsComplete

    let ofPathAlone (_, state: State) =
        set
            [
                for KeyValue(id, fact) in state.Facts do
                    if fact.IsComplete && not (isCompleteThere id) then
                        id
            ]

    let areMade =
        ways
        |> List.forall (fun (value, state) ->
            match value with
            | Instance id -> isMade state id
            | _ -> false)

    let alone = if areMade then List.map ofPathAlone ways else []

    if List.forall Set.isEmpty alone then
        []
    else
        List.map2
            (fun (value, state) ofPath ->
                session.State <- state
                ofPath + session.ImpliedBy value)
            ways
            alone
        |> Set.intersectMany
        |> Seq.map Instance
        |> List.ofSeq

/// Continues after the join: the value of the paths, and the variables.
let meet (session: Session) (ways: (Value * State) list) : Value =
    match ways |> List.filter (fun (_, state) -> state.IsAlive) with
    | [] ->
        session.End()
        Unknown
    | [ value, state ] ->
        session.State <- state
        value
    | alive ->
        let meeting = alive |> List.map snd |> List.reduce State.join
        let implied = implied session alive meeting
        let value = joined session alive meeting

        let variables =
            meeting.Mutables
            |> Map.map (fun variable joint ->
                let left =
                    [
                        for _, state in alive do
                            match state.Mutables.TryFind variable with
                            | Some value -> value, state
                            | None -> ()
                    ]

                if left |> List.forall (fun (value, _) -> obj.ReferenceEquals(value, joint)) then
                    joint
                else
                    joined session left meeting)

        session.State <- { meeting with Mutables = variables }

        if not implied.IsEmpty then
            session.Each(value, (fun fact -> { fact with Implies = fact.Implies @ implied }))

        value
