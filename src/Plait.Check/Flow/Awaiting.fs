// Awaits in the body of a builder. Emits AwaitedInSequence and RoundTrip.
module internal Plait.Check.Awaiting

/// The await may end before the operation: an await with a limit of time.
let private isInTime (session: Session) (id: int) : bool =
    match session.Objects[id].CreatedBy with
    | Some(CompletesInTime _) -> true
    | _ -> false

/// Awaits a value, and returns the result. `how`: a participle.
let rec await (session: Session) (scope: Scope) (how: string) (source: Code) (value: Value) : Value =
    let at = source.At

    match source.Is, value with
    | InBlock(Part.Merge, sources), Group values when sources.Length = values.Length ->
        Group(List.map2 (await session scope how) sources values)
    | _, Group values -> Group(List.map (await session scope how source) values)
    | _, value ->
        session.Waits <- session.Waits + 1
        Uses.consume session scope value at how

        // if the await throws, the operation may still run
        if session.ImpliedBy value |> Set.exists (isInTime session) then
            session.MayThrow scope

        session.Complete value
        session.Observe value
        let made = session.MadeBy value
        session.State <- { session.State with IsOffPool = (made = Some LeavesPool) }
        // if the await throws, the operation has ended
        session.MayThrow scope

        match scope.Builder, value with
        | Some builder, Instance id when
            builder.Starts = StartKind.Hot && made = Some TaskToAsync && session.Objects[id].Name = ""
            ->
            session.Emit(RoundTrip(at, Conversion.TaskToAsyncAwaited, scope.Builder))
        | _ -> ()

        Operations.given session at value

/// An operation that has a name, runs already and is not awaited yet.
let private isRunning (session: Session) (id: int) : bool =
    let object = session.Objects[id]
    let fact = session.Fact id

    (object.Kind = Kind.Task || object.Kind.IsSingleUse)
    && object.Origin = Origin.Created
    && object.Name <> ""
    && fact.Uses.IsEmpty
    && not (fact.HasEscaped || session.IsComplete id)

/// The scope of the continuation after the await of these sources. Emits an event for an operation that already ran
/// during the await before it.
let before (session: Session) (scope: Scope) (part: Code) (sources: Value list) (continuation: Code) : Scope =
    match scope.Builder, sources |> List.collect Value.objects |> List.filter (isRunning session) with
    | Some builder, running :: _ ->
        match scope.Continuation with
        | Some(next, count) when obj.ReferenceEquals(next, part) && running < count ->
            let at =
                match part.Is with
                | InBlock(_, source :: _) -> source.At
                | _ -> part.At

            session.Emit(AwaitedInSequence(session.Objects[running], at, builder))
        | _ -> ()

        { scope with Continuation = Some(Code.behind continuation, session.Objects.Count) }
    | _ -> scope
