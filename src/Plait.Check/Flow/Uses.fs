// Uses of values: used up, dropped, or escaped. Emits UsedAgain, UsedInColdBody, Dropped and Stored.
module internal Plait.Check.Uses

open FSharp.Compiler.Text

/// `isOneOf`: on this path the used object may be another one.
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

    let use' = { At = at; How = how; Path = scope.Path; Called = scope.Called }

    // one that is made of a result may be used many times
    if not fact.HasEscaped && object.CreatedBy <> Some IsComplete then
        match scope.Cold with
        | Some(builder, first) when id < first -> session.Emit(UsedInColdBody(object, at, builder))
        | _ -> ()

        match List.tryLast fact.Uses with
        // if it is one of several, the path with the other use may have had another one
        | Some _ when isOneOf && not fact.IsCertain -> ()
        | Some earlier ->
            let isCertain = fact.IsCertain && id >= scope.UncertainBelow && not isOneOf
            let isNextIteration = earlier.At = at && scope.IsNextIteration
            session.Emit(UsedAgain(object, earlier, use', isCertain, isNextIteration))
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
                IsObserved = true
            }
    )

    session.MayThrow scope

/// Uses a value up. `how`: as a participle, "awaited".
let rec consume (session: Session) (scope: Scope) (value: Value) (at: range) (how: string) : unit =
    match value with
    | Instance id when session.Objects[id].Kind.IsSingleUse -> consumeObject session scope id at how false
    | Instance id when (session.InFields id).IsEmpty -> session.Observe value
    | Instance _ -> session.Escape value
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

/// Notes a site of the operations that complete with a value.
let note (session: Session) (kind: SiteKind) (at: range) (value: Value) : unit =
    let producers =
        [
            for id in session.ImpliedBy value do
                if session.Objects[id].Kind <> Kind.Plain && not (session.IsComplete id) then
                    yield! Option.toList session.Objects[id].Producer
        ]

    if session.State.IsAlive && not producers.IsEmpty then
        let functions =
            [
                for producer in producers do
                    match producer with
                    | Producer.Function key -> key
                    | Producer.Block _ -> ()
            ]

        let blocks =
            [
                for producer in producers do
                    match producer with
                    | Producer.Block code -> Location.ofRange (Code.extent code)
                    | Producer.Function _ -> ()
            ]

        session.PartialSummary.Sites.Add
            {
                Kind = kind
                Call = Location.ofRange at
                Functions = set functions
                Blocks = set blocks
            }
        |> ignore

let private lose
    (session: Session)
    (scope: Scope)
    (value: Value)
    (by: range)
    (how: string)
    (isThere: bool)
    : unit =
    let isFree (id: int) =
        let fact = session.Fact id
        not (fact.IsObserved || fact.HasEscaped)

    // a function that a parameter or a field holds, by its name: its owner may call it
    let isHeld (given: Variable) (body: Code) =
        match body.Is with
        | Apply({ Is = Field _ }, _) when given.IsGenerated -> true
        | Apply({ Is = Read held }, _) when given.IsGenerated ->
            match session.Values.TryGetValue held.Id with
            | true, Function _ -> false
            | _ -> true
        | _ -> false

    let rec operations (value: Value) : int list =
        match value with
        | Instance id when session.Objects[id].Kind <> Kind.Plain ->
            match session.Objects[id].Origin with
            // each element of a collection that the code made: one finding for all
            | Origin.Element owner when isFree id && not (session.IsComplete id) ->
                session.Objects[owner].ElementOperations
                |> List.filter (session.HasReaders >> not)
                |> List.truncate 1
            | _ -> [ id ]
        | Instance id when isFree id -> session.Objects[id].ElementOperations
        // a function that starts an operation
        | Function { Parameters = [ given ]; Applied = []; Body = body } when
            body.Kind <> Kind.Plain && how = "ignored" && not (isHeld given body)
            ->
            let id = session.New(Kind.Cold, "", by, Origin.Created)
            session.Describe(id, fun made -> { made with IsFunction = true })
            [ id ]
        | Group values -> List.collect operations values
        | Case(fields, _) -> fields |> List.collect (snd >> operations)
        // one of several paths created it
        | OneOf values -> values |> List.collect operations |> List.truncate 1
        | _ -> []

    // the code has its operation by an await: of a child that runs already, of an operation that returned another one
    let isGiven (object: Instance) (id: int) =
        object.Origin = Origin.Awaited && how = "ignored" && not (session.Fact id).Implies.IsEmpty

    let isOfElement, isUnenumerated =
        match value with
        | Instance id -> session.Objects[id].Origin.IsElement, session.Objects[id].IsUnenumerated
        | _ -> false, false

    for id in operations value do
        let object = session.Objects[id]

        if
            (object.Origin = Origin.Created || isGiven object id)
            && isFree id
            && not (session.IsComplete id)
        then
            note session SiteKind.Drops by (Instance id)
            session.Observe(Instance id)
            session.Detach(id, object.DependsOn, by)
            let at = if object.Name = "" && not (isOfElement || isThere) then object.At else by
            session.Emit(Dropped({ object with IsUnenumerated = isUnenumerated }, at, how, scope.Builder))

/// Drops a value: the code loses the running operations in it, unless it observed them. `by`: the code that drops it;
/// an operation with a name is reported there.
let drop (session: Session) (scope: Scope) (value: Value) (by: range) (how: string) : unit =
    lose session scope value by how false

/// Drops an operation of an element, by a function that leaves it out.
let leaveOut (session: Session) (scope: Scope) (operation: int) (by: range) : unit =
    lose session scope (Instance operation) by "left out" true

/// The code leaves out elements of a collection: their operations are lost, if no other code reads it.
let leaveOutOf (session: Session) (scope: Scope) (collection: Value) (by: range) : unit =
    match collection with
    | Instance id when session.Objects[id].Items |> Option.forall (fun items -> items.Length > 1) ->
        for operation in
            session.Objects[id].ElementOperations
            |> List.filter (session.HasReaders >> not)
            |> List.truncate 1 do
            leaveOut session scope operation by
    | _ -> ()

/// The code at a place looks only whether the value is there: its operations are lost, if no other code reads them.
let count (session: Session) (scope: Scope) (counted: Value) (by: range) : unit =
    match counted with
    | Instance id when session.Objects[id].Origin = Origin.Created ->
        let operations =
            if session.Objects[id].Kind = Kind.Plain then
                session.Objects[id].ElementOperations
            else
                [ id ]

        if List.exists session.HasReaders operations then
            session.Observe counted
        else
            drop session scope counted by "only counted"
    | _ -> session.Observe counted

/// Emits Stored for the single-use objects that are stored in `into`.
let private emitStored (session: Session) (at: range) (into: string) (value: Value) : unit =
    for id in Value.objects value do
        let object = session.Objects[id]

        if object.Kind.IsSingleUse && not (session.IsComplete id || (session.Fact id).HasEscaped) then
            session.Emit(Stored(object, at, into))

/// The value escapes, and is stored in `into`.
let store (session: Session) (at: range) (into: string) (value: Value) : unit =
    emitStored session at into value
    session.Escape value

/// The value is stored in a field that the analysis follows. A copy of a record stores it again.
let keep (session: Session) (at: range) (into: string) (value: Value) : unit =
    for id in Value.objects value do
        if not session.Objects[id].Kind.IsSingleUse then
            session.Escape(Instance id)
        elif session.IsInField id then
            session.Observe(Instance id)
        else
            emitStored session at into (Instance id)
            session.Observe(Instance id)
