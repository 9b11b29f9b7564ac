// Awaits in the body of a builder. Emits AwaitedLate, and RoundTrip where the await ends one.
module internal Plait.Check.Awaiting

/// It may end before the operation that it waits for.
let private isInTime (session: Session) (id: int) : bool =
    match session.Objects[id].Made with
    | Some(CompletesInTime _) -> true
    | _ -> false

/// A value is awaited. Returns the result. `how`: a participle.
let rec await (session: Session) (scope: Scope) (how: string) (source: Code) (value: Value) : Value =
    let at = source.At

    match source.Is, value with
    | InBlock(Part.Merge, sources), Group values when sources.Length = values.Length ->
        Group(List.map2 (await session scope how) sources values)
    | _, Group values -> Group(List.map (await session scope how source) values)
    | _, value ->
        session.Waits <- session.Waits + 1
        Uses.consume session scope value at how

        // where awaiting it fails, the operation that it waits for may still run
        if session.ImpliedBy value |> Set.exists (isInTime session) then
            session.MayThrow scope

        session.Complete value
        session.Keep value
        let made = session.MadeBy value
        session.State <- { session.State with IsOffPool = (made = Some LeavesPool) }
        // where awaiting it fails, it has ended as well
        session.MayThrow scope

        match scope.Builder, value with
        | Some builder, Instance id when
            builder.Starts = StartKind.Hot && made = Some TaskToAsync && session.Objects[id].Name = ""
            ->
            session.Emit(RoundTrip(at, Trip.Awaited, scope.Builder))
        | _ -> ()

        Operations.given session at value

/// An operation with a name that runs already and is not awaited yet.
let private isRunning (session: Session) (id: int) : bool =
    let object = session.Objects[id]
    let fact = session.Fact id

    (object.Kind = Kind.Task || object.Kind.IsSingleUse)
    && object.Origin = Origin.Made
    && object.Name <> ""
    && fact.Uses.IsEmpty
    && not (fact.IsLost || session.IsComplete id)

/// A part of a body is about to await these sources, and then runs the continuation; the scope of that. An operation is awaited
/// late if it ran while the one before it was awaited.
let before (session: Session) (scope: Scope) (part: Code) (sources: Value list) (continuation: Code) : Scope =
    match scope.Builder, sources |> List.collect Value.objects |> List.filter (isRunning session) with
    | Some builder, running :: _ ->
        match scope.Next with
        | Some(next, count) when obj.ReferenceEquals(next, part) && running < count ->
            let at =
                match part.Is with
                | InBlock(_, source :: _) -> source.At
                | _ -> part.At

            session.Emit(AwaitedLate(session.Objects[running], at, builder))
        | _ -> ()

        { scope with Next = Some(Code.behind continuation, session.Objects.Count) }
    | _ -> scope
