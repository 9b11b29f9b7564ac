// Uses of values: used up, dropped, or put where they are not followed. Emits UsedAgain, UsedInCold, Dropped and
// Stored.
module internal Plait.Check.Uses

open FSharp.Compiler.Text

/// `isOneOf`: on this path it may be another object that is used.
let private consumeObject
    (session: Session)
    (scope: Scope)
    (id: int)
    (at: range)
    (how: string)
    (isOneOf: bool)
    =
    let fact = session.Fact id
    let object = session.Objects[id]
    let use' = { At = at; How = how; Trail = scope.Trail }

    if not fact.IsLost then
        match scope.Cold with
        | Some(builder, first) when id < first -> session.Emit(UsedInCold(object, at, builder))
        | _ -> ()

        match List.tryLast fact.Uses with
        // where it is one of several, the path that used it may be one on which it is another
        | Some _ when isOneOf && not fact.IsCertain -> ()
        | Some earlier ->
            let isCertain = fact.IsCertain && id >= scope.DoubtBelow && not isOneOf
            let isNextTurn = earlier.At = at && scope.IsNextTurn
            session.Emit(UsedAgain(object, earlier, use', isCertain, isNextTurn))
        | None -> ()

    session.Change(
        id,
        fun fact ->
            { fact with
                Uses =
                    if fact.Uses |> List.exists (fun (other: Use) -> other.At = at) then
                        fact.Uses
                    else
                        use' :: fact.Uses
                IsCertain = true
                IsKept = true
            }
    )

    session.MayThrow scope

/// Uses a value up. `how`: as a participle, "awaited".
let rec consume (session: Session) (scope: Scope) (value: Value) (at: range) (how: string) : unit =
    match value with
    | Instance id when session.Objects[id].Kind.IsSingleUse -> consumeObject session scope id at how false
    | Instance _ -> session.Keep value
    | Group values ->
        for value in values do
            consume session scope value at how
    | OneOf values ->
        Paths.either
            session
            [
                for value in values do
                    fun () ->
                        match value with
                        | Instance id when session.Objects[id].Kind.IsSingleUse ->
                            consumeObject session scope id at how true
                        | value -> consume session scope value at how
            ]
    | _ -> ()

/// Notes the uses, at a place, of the operations that are complete when a value is.
let note (session: Session) (how: Handling) (at: range) (value: Value) : unit =
    let makers =
        [
            for id in session.ImpliedBy value do
                if session.Objects[id].Kind <> Kind.Plain && not (session.IsComplete id) then
                    yield! Option.toList session.Objects[id].Maker
        ]

    if session.State.IsAlive && not makers.IsEmpty then
        let functions =
            [
                for maker in makers do
                    match maker with
                    | Maker.Function key -> key
                    | Maker.Block _ -> ()
            ]

        let blocks =
            [
                for maker in makers do
                    match maker with
                    | Maker.Block code -> Ranges.location (Code.extent code)
                    | Maker.Function _ -> ()
            ]

        session.Draft.Handled.Add
            { How = how; Call = Ranges.location at; Functions = set functions; Blocks = set blocks }
        |> ignore

/// A value is dropped: operations that run in it and that nothing holds on to are lost. `by`: the code that drops it, where one
/// with a name is reported.
let drop (session: Session) (scope: Scope) (value: Value) (by: range) (how: string) : unit =
    let isFree (id: int) =
        let fact = session.Fact id
        not (fact.IsKept || fact.IsLost)

    let rec operations (value: Value) : int list =
        match value with
        | Instance id when session.Objects[id].Kind <> Kind.Plain -> [ id ]
        | Instance id when isFree id -> session.Objects[id].Holds
        // a function that would start an operation
        | Function { Parameters = [ _ ]; Given = []; Body = body } when
            body.Kind <> Kind.Plain && how = "ignored"
            ->
            let id = session.New(Kind.Cold, "", by, Origin.Made)
            session.Describe(id, fun made -> { made with IsFunction = true })
            [ id ]
        | Group values -> List.collect operations values
        // one of several ways made it
        | OneOf values -> values |> List.collect operations |> List.truncate 1
        | _ -> []

    for id in operations value do
        let object = session.Objects[id]

        if object.Origin = Origin.Made && isFree id && not (session.IsComplete id) then
            note session Handling.Drops by (Instance id)
            session.Keep(Instance id)
            session.Leave(id, object.From, by)
            let at = if object.Name = "" then object.At else by
            session.Emit(Dropped(object, at, how, scope.Builder))

/// A value is kept where it is not followed.
let store (session: Session) (at: range) (into: string) (value: Value) : unit =
    for id in Value.objects value do
        let object = session.Objects[id]

        if object.Kind.IsSingleUse && not (session.IsComplete id || (session.Fact id).IsLost) then
            session.Emit(Stored(object, at, into))

    session.Lose value
