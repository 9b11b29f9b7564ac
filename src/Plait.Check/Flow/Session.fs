// One run of the interpretation over one declaration: its objects, what is known of them now, and the way it came.
namespace Plait.Check

open System
open System.Collections.Generic

open FSharp.Compiler.Text

/// A declaration is larger than what is worth the time.
exception internal TooLarge

module internal Ranges =
    let place (at: range) : Place =
        {
            File = at.FileName
            Line = at.StartLine
            Column = at.StartColumn + 1
            EndLine = at.EndLine
            EndColumn = at.EndColumn + 1
        }

/// The mutable state of a run. Effects on objects are members; what is code is the interpreter's.
type internal Session(emit: Event -> unit) =
    let objects = List<Instance>()
    let parts = Dictionary<struct (int * string), int>()
    let winners = List<int>()
    // objects that were complete when they came to be
    let complete = HashSet<int>()
    let mutable steps = 0
    let mutable remembered = State.start

    /// What is known at the point that is being interpreted.
    member val State = State.start with get, set

    /// The states from which the body that is interpreted may have been left by an exception.
    member val Thrown: State option = None with get, set

    /// The branches that were taken, the latest first.
    member val Trail: Step list = [] with get, set

    /// The body of a computation expression that is interpreted.
    member val Builder: Builder option = None with get, set

    /// What is interpreted runs on a thread of its own, which may be blocked.
    member val IsOffPool = false with get, set

    /// What is interpreted runs at another time than the declaration around it.
    member val IsElsewhere = false with get, set

    /// What is interpreted runs on the thread of the declaration's caller, outside of computation expressions.
    member session.IsOnCaller = session.Builder.IsNone && not session.IsElsewhere

    /// The body that is interpreted and may run again, and the number below which objects are from outside of it.
    member val Cold: (Builder * int) option = None with get, set

    /// Objects below this number are perhaps not used again by the second turn.
    member val DoubtBelow = 0 with get, set

    /// The second turn of a loop is interpreted.
    member val IsNextTurn = false with get, set

    /// What follows directly on the await of an operation that ran already, and how many objects there were then.
    member val Next: (Code * int) option = None with get, set

    /// Everything that was read since a body began.
    member val Reading = HashSet<int>() with get, set

    member _.Objects: IReadOnlyList<Instance> = objects

    /// Counts a step of the interpretation.
    member _.Step() =
        steps <- steps + 1

        if steps > 2_000_000 then
            raise TooLarge

    member session.Emit(event: Event) =
        if session.State.IsAlive then
            emit event

    member _.New(kind: Kind, name: string, at: range, origin: Origin) : int =
        let id = objects.Count

        objects.Add
            {
                Id = id
                Kind = kind
                GivesValue = false
                Name = name
                At = at
                Origin = origin
                Made = None
                Maker = None
                MayDrop = false
                From = Set.empty
                Gives = Gift.Anything
                Items = None
                Holds = []
                Among = []
                IsOnlyAwaited = false
            }

        id

    /// A task that is complete, and was the first of these, or of unknown ones.
    member session.NewWinner(among: int list, at: range) : Value =
        let id = session.New(Kind.Task, "", at, Origin.Awaited)
        session.Describe(id, fun made -> { made with Among = among })
        winners.Add id
        complete.Add id |> ignore
        Value.Instance id

    /// Whether an object is such a task.
    member _.IsWinner(id: int) : bool = winners.Contains id

    /// No task, which nobody waits for.
    member session.NewNull(at: range) : Value =
        let id = session.New(Kind.Task, "", at, Origin.Awaited)
        complete.Add id |> ignore
        Value.Instance id

    /// Takes locks that belong to the thread, or gives them back: a number below zero.
    member session.Lock(count: int) =
        session.State <- { session.State with Locks = session.State.Locks + count }

    /// Replaces what an object is; facts stay.
    member _.Describe(id: int, change: Instance -> Instance) = objects[id] <- change objects[id]

    /// What a part is called: as in the source, or not at all.
    member _.PartName(owner: int, name: string) : string =
        let last = name.Substring(name.LastIndexOf '.' + 1)
        let isProperty = last.StartsWith "get_"
        let shown = if isProperty then last.Substring 4 else last

        if
            name = "element"
            || shown[0] = '['
            || Char.IsDigit shown[0]
            || (name.Contains '.' && not isProperty && owner >= 0)
        then
            ""
        elif owner >= 0 && objects[owner].Name <> "" then
            $"{objects[owner].Name}.{shown}"
        else
            shown

    /// A part of an object, the same one each time.
    member session.Part(owner: int, name: string, kind: Kind, at: range, origin: Origin) : int =
        match parts.TryGetValue(struct (owner, name)) with
        | true, id -> id
        | _ ->
            let id = session.New(kind, session.PartName(owner, name), at, origin)
            parts[struct (owner, name)] <- id

            if owner >= 0 then
                session.Describe(id, fun made -> { made with From = objects[owner].From.Add owner })

            id

    /// What is written to a part is another object from then on.
    member _.Forget(owner: int, name: string) =
        parts.Remove(struct (owner, name)) |> ignore

    /// Something is put into a collection: what is at a place of it may be another object from then on.
    member session.ForgetElements(owner: int) =
        for struct (of', name) as key in List.ofSeq parts.Keys do
            if of' = owner && name.StartsWith '[' then
                parts.Remove key |> ignore

        session.Describe(owner, fun object -> { object with Items = None })

    member session.Fact(id: int) : Fact =
        session.State.Facts |> Map.tryFind id |> Option.defaultValue Fact.fresh

    member session.Change(id: int, change: Fact -> Fact) =
        let before = session.Fact id
        let after = change before

        if not (obj.ReferenceEquals(before, after)) then
            session.State <- { session.State with Facts = Map.add id after session.State.Facts }

    /// Remembers the state as one from which an exception may come.
    member session.MayThrow() =
        match session.Thrown with
        | Some thrown when
            session.State.IsAlive
            && not (
                obj.ReferenceEquals(remembered.Facts, session.State.Facts)
                && remembered.Locks = session.State.Locks
            )
            ->
            session.Thrown <- Some(State.join thrown session.State)
            remembered <- session.State
        | _ -> ()

    /// The objects that a value may be.
    member _.ObjectsOf(value: Value) : int list = Value.objects value

    member session.Each(value: Value, change: Fact -> Fact) =
        for id in session.ObjectsOf value do
            session.Change(id, change)

    /// Something holds on to the value.
    member session.Keep(value: Value) =
        session.Each(value, (fun fact -> if fact.IsKept then fact else { fact with IsKept = true }))

    /// The value goes where it is not followed.
    member session.Lose(value: Value) =
        session.Each(
            value,
            fun fact -> if fact.IsLost then fact else { fact with IsLost = true; IsKept = true }
        )

    /// Other names of the same task, as far as the path here tells.
    member session.NamesOf(id: int) : int list =
        if session.State.Same.IsEmpty then
            []
        else
            [
                for struct (a, b) in session.State.Same do
                    if a = id then
                        b
                    elif b = id then
                        a
            ]

    /// Whether the object is known to be complete.
    member session.IsComplete(id: int) : bool =
        let rec isComplete (id: int) =
            (session.Fact id).IsComplete
            || complete.Contains id
            || match objects[id].Origin with
               | Origin.Element owner
               | Origin.Indexed owner -> isComplete owner
               | _ -> false

        isComplete id || session.NamesOf id |> List.exists isComplete

    /// The value is complete, and with it what it implies.
    member session.Complete(value: Value) =
        for id in session.ObjectsOf value do
            let fact = session.Fact id

            if not fact.IsComplete then
                session.Change(id, (fun fact -> { fact with IsComplete = true }))

                for implied in fact.Implies do
                    session.Complete implied

    /// The objects that are complete as soon as a value is.
    member session.ImpliedBy(value: Value) : Set<int> =
        let seen = HashSet<int>()

        let rec implied (id: int) : Set<int> =
            if seen.Add id then
                (session.Fact id).Implies
                |> List.collect session.ObjectsOf
                |> List.map implied
                |> Set.unionMany
                |> Set.add id
            else
                Set.empty

        session.ObjectsOf value |> List.map implied |> Set.unionMany

    /// Whether an object is complete as soon as a value is.
    member session.IsImpliedBy (value: Value) (element: Value) : bool =
        match session.ObjectsOf element with
        | [] -> false
        | objects -> objects |> List.forall (session.ImpliedBy value).Contains

    /// Forgets what was found complete since `before`: what ran since then may not have run yet.
    member session.ForgetCompletions(before: State) : Value list =
        let completed =
            [
                for KeyValue(id, fact) in session.State.Facts do
                    if fact.IsComplete then
                        match Map.tryFind id before.Facts with
                        | Some earlier when earlier.IsComplete -> ()
                        | _ -> id
            ]

        for id in completed do
            session.Change(id, (fun fact -> { fact with IsComplete = false }))

        session.State <- { session.State with Same = before.Same; Different = before.Different }
        List.map Value.Instance completed

    /// Where all but one of the tasks of which one was first are known to be others, it is that one.
    member private session.Decide(winner: int) =
        let left =
            objects[winner].Among
            |> List.filter (fun id -> not (session.State.Different.Contains(Value.pair winner id)))

        match left with
        | [ id ] -> session.Complete(Value.Instance id)
        | [] when not objects[winner].Among.IsEmpty -> session.State <- { session.State with IsAlive = false }
        | _ -> ()

    member private session.AddSame(pair: Pair) =
        let struct (a, b) = pair

        if a <> b then
            session.State <- { session.State with Same = session.State.Same.Add pair }

            if session.IsComplete a || session.IsComplete b then
                session.Complete(Value.Instance a)
                session.Complete(Value.Instance b)

    member private session.AddDifferent(pair: Pair) =
        session.State <- { session.State with Different = session.State.Different.Add pair }
        let struct (a, b) = pair
        session.Decide a
        session.Decide b

    /// What is known where a condition is true, or false.
    member session.Assume(condition: Condition, isTrue: bool) =
        match condition, isTrue with
        | Complete(value, _), true -> session.Complete value
        | Complete(Value.Instance id, Some asked), false ->
            // it has not won what was won before
            for winner in winners do
                if winner < asked && List.contains id objects[winner].Among then
                    session.AddDifferent(Value.pair winner id)
        | Same(Value.Instance a, Value.Instance b), true -> session.AddSame(Value.pair a b)
        | Same(Value.Instance a, Value.Instance b), false -> session.AddDifferent(Value.pair a b)
        | Same(a, b), true ->
            let isComplete value =
                match session.ObjectsOf value with
                | [] -> false
                | objects -> List.forall session.IsComplete objects

            if isComplete a then
                session.Complete b
            elif isComplete b then
                session.Complete a
        | WaitedFor value, true -> session.Complete value
        | WaitedFor value, false -> session.Each(value, (fun fact -> { fact with IsComplete = false }))
        | Opposite condition, _ -> session.Assume(condition, not isTrue)
        | Always truth, _ when truth <> isTrue -> session.State <- { session.State with IsAlive = false }
        | Told(whenTrue, whenFalse), _ ->
            match (if isTrue then whenTrue else whenFalse) with
            | None -> session.State <- { session.State with IsAlive = false }
            | Some knowledge ->
                for id in knowledge.Complete do
                    session.Complete(Value.Instance id)

                Set.iter session.AddSame knowledge.Same
                Set.iter session.AddDifferent knowledge.Different
        | _ -> ()

    /// The value that comes from one of these ways, which meet in a state. What is complete on its way is complete behind it; of a
    /// truth value is kept what each way tells by it.
    member session.Joined(ways: (Value * State) list, meeting: State) : Value =
        let isTask (state: State) (id: int) =
            let before = session.State
            session.State <- state
            let isComplete = session.IsComplete id
            session.State <- before
            objects[id].Kind = Kind.Task && isComplete

        let among (id: int) =
            match objects[id].Among with
            | [] -> [ id ]
            | among -> among

        // a task that only its way knows to be complete has another name behind it
        let rec settled (state: State) (value: Value) : Value =
            match value with
            | Instance id when isTask state id && not (isTask meeting id) ->
                session.NewWinner(among id, objects[id].At)
            | Group values -> Group(List.map (settled state) values)
            | Case fields -> Case [ for name, value in fields -> name, settled state value ]
            | value -> value

        let parts (value: Value) : (string * Value) list =
            match value with
            | Group values -> [ for value in values -> "", value ]
            | Case fields -> fields
            | _ -> []

        let values = List.map fst ways
        let names = values |> List.map (parts >> List.map fst)

        let winners =
            [
                for value, state in ways do
                    match value with
                    | Instance id when isTask state id -> id
                    | _ -> ()
            ]

        let isTest (value: Value) =
            match value with
            | Test _ -> true
            | _ -> false

        if List.exists isTest values then
            Test(session.ToldBy(ways, meeting))
        elif winners.Length = ways.Length && not (List.forall (isTask meeting) winners) then
            session.NewWinner(winners |> List.collect among |> List.distinct, objects[winners.Head].At)
        elif not names.Head.IsEmpty && List.forall ((=) names.Head) names then
            let joined =
                names.Head
                |> List.mapi (fun index name ->
                    let ways =
                        [ for value, state in ways -> snd (List.item index (parts value)), state ]

                    name, session.Joined(ways, meeting))

            match values.Head with
            | Group _ -> Group(List.map snd joined)
            | _ -> Case joined
        else
            ways
            |> List.map (fun (value, state) -> settled state value)
            |> List.reduce State.joinResults

    /// Goes on where ways meet: the value that comes from one of them, and what each left in variables.
    member session.Meet(ways: (Value * State) list) : Value =
        match ways |> List.filter (fun (_, state) -> state.IsAlive) with
        | [] ->
            session.State <- { session.State with IsAlive = false }
            Unknown
        | [ value, state ] ->
            session.State <- state
            value
        | alive ->
            let meeting = alive |> List.map snd |> List.reduce State.join

            let value = session.Joined(alive, meeting)

            let variables =
                meeting.Mutables
                |> Map.map (fun variable joined ->
                    let left =
                        [
                            for _, state in alive do
                                match state.Mutables.TryFind variable with
                                | Some value -> value, state
                                | None -> ()
                        ]

                    if left |> List.forall (fun (value, _) -> obj.ReferenceEquals(value, joined)) then
                        joined
                    else
                        session.Joined(left, meeting))

            session.State <- { meeting with Mutables = variables }
            value

    /// What a truth value tells that comes from one of these ways, beyond what is known in any case.
    member session.ToldBy(ways: (Value * State) list, known: State) : Condition =
        let told (isTrue: bool) : Knowledge option =
            let ends =
                [
                    for value, state in ways do
                        session.State <- state

                        match value with
                        | Test condition -> session.Assume(condition, isTrue)
                        | _ -> ()

                        if session.State.IsAlive then
                            session.State
                ]

            match ends with
            | [] -> None
            | ends ->
                let told = List.reduce State.join ends

                Some
                    {
                        Complete =
                            set
                                [
                                    for KeyValue(id, fact) in told.Facts do
                                        match known.Facts.TryFind id with
                                        | Some before when before.IsComplete -> ()
                                        | _ when fact.IsComplete -> id
                                        | _ -> ()
                                ]
                        Same = told.Same - known.Same
                        Different = told.Different - known.Different
                    }

        let before = session.State
        let condition = Told(told true, told false)
        session.State <- before
        condition

    /// Uses a value up.
    member session.Consume(value: Value, at: range, how: string) =
        match value with
        | Instance id ->
            match objects[id].Kind with
            | Kind.SingleUse _ -> session.ConsumeObject(id, at, how, false)
            | _ -> session.Keep value
        | Group values ->
            for value in values do
                session.Consume(value, at, how)
        | OneOf values ->
            session.Either
                [
                    for value in values do
                        fun () ->
                            match value with
                            | Instance id when objects[id].Kind.IsSingleUse ->
                                session.ConsumeObject(id, at, how, true)
                            | value -> session.Consume(value, at, how)
                ]
        | _ -> ()

    member private session.ConsumeObject(id: int, at: range, how: string, isOneOf: bool) =
        let fact = session.Fact id

        let use' = { At = at; How = how; Trail = session.Trail }

        if session.State.IsAlive && not fact.IsLost then
            match session.Cold with
            | Some(builder, first) when id < first -> session.Emit(UsedInCold(objects[id], at, builder))
            | _ -> ()

            match List.tryLast fact.Uses with
            // where it is one of several, the path that used it may be one on which it is another
            | Some _ when isOneOf && not fact.IsCertain -> ()
            | Some earlier ->
                let isCertain = fact.IsCertain && id >= session.DoubtBelow && not isOneOf
                let isNextTurn = earlier.At = at && session.IsNextTurn
                session.Emit(UsedAgain(objects[id], earlier, use', isCertain, isNextTurn))
            | None -> ()

        session.Change(
            id,
            fun fact ->
                { fact with
                    Uses =
                        if List.exists (fun (other: Use) -> other.At = at) fact.Uses then
                            fact.Uses
                        else
                            use' :: fact.Uses
                    IsCertain = true
                    IsKept = true
                }
        )

        session.MayThrow()

    /// Takes each of these ways from the same state, and joins what is known behind them.
    member session.Either(ways: (unit -> unit) list) =
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

    /// A value is dropped: operations that run in it and that nothing holds on to are lost. `by`: the code that drops it, where one
    /// with a name is reported.
    member session.Drop(value: Value, by: range, how: string) =
        let isFree (id: int) =
            let fact = session.Fact id
            not (fact.IsKept || fact.IsLost)

        let rec operations (value: Value) : int list =
            match value with
            | Instance id when objects[id].Kind <> Kind.Plain -> [ id ]
            | Instance id when isFree id -> objects[id].Holds
            | Group values -> List.collect operations values
            | _ -> []

        for id in operations value do
            let object = objects[id]

            if object.Origin = Origin.Made && isFree id && not (session.IsComplete id) then
                session.Keep(Instance id)

                session.Emit(
                    Dropped(object, (if object.Name = "" then object.At else by), how, session.Builder)
                )

    /// Goes on with one more branch on the trail.
    member session.On(at: range, says: string, way: unit -> 'T) : 'T =
        let before = session.Trail

        session.Trail <- { Place = Ranges.place at; Says = says } :: before

        try
            way ()
        finally
            session.Trail <- before
