// One interpretation of one declaration, and everything that changes while it goes on: its objects, the facts about
// them at the interpreted point, and the values of variables. Every function that interprets code gets the session
// and the scope of the code.
namespace Plait.Check

open System
open System.Collections.Generic

open FSharp.Compiler.Text

/// A declaration is too large to be worth the time.
exception internal TooLarge

/// The bodies of functions that the interpretation came across.
type internal Bodies() =
    /// Those that run now.
    member val Running = HashSet<Code>(HashIdentity.Reference)
    /// How often each ran.
    member val Runs = Dictionary<Code, int>(HashIdentity.Reference)
    /// Functions that nothing has run yet, with the facts at the place where each was made.
    member val Unrun = Dictionary<Code, Closure * State>(HashIdentity.Reference)

/// `emit` gets the events that rules may judge; `summaries` are those of functions whose source is checked, by key;
/// `eval` interprets code.
type internal Session
    (emit: Event -> unit, summaries: string -> Summary option, eval: Session -> Scope -> Code -> Value) =
    let objects = List<Instance>()
    let parts = Dictionary<struct (int * string), int>()
    let places = Dictionary<int, struct (int * string)>()
    let winners = List<int>()
    // objects that were complete when they came to be
    let complete = HashSet<int>()
    let mutable steps = 0

    /// The facts at the interpreted point.
    member val State = State.start with get, set

    /// The parts of the summary so far.
    member val Draft = Draft()

    /// The values of variables that do not change.
    member val Values = Dictionary<int, Value>()

    /// The variables that were read.
    member val Read = HashSet<int>()

    member val Bodies = Bodies()

    member _.Objects: IReadOnlyList<Instance> = objects

    /// The tasks that are complete because they were the first of others.
    member _.Winners: IReadOnlyList<int> = winners

    member _.Summary(callee: Callee) : Summary option =
        if callee.IsOpen then None else summaries callee.Key

    /// Interprets code.
    member session.Eval(scope: Scope, code: Code) : Value = eval session scope code

    /// Counts a step of the interpretation.
    member _.Step() =
        steps <- steps + 1

        if steps > 2_000_000 then
            raise TooLarge

    member session.Emit(event: Event) =
        if session.State.IsAlive then
            emit event

    // Objects

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

    /// Replaces the description of an object; facts stay.
    member _.Describe(id: int, change: Instance -> Instance) = objects[id] <- change objects[id]

    /// A task that is complete, and was the first of these, or of unknown ones.
    member session.NewWinner(among: int list, at: range) : Value =
        let id = session.New(Kind.Task, "", at, Origin.Awaited)
        session.Describe(id, fun made -> { made with Among = among })
        winners.Add id
        complete.Add id |> ignore
        Value.Instance id

    /// Null in place of a task, for which no code waits.
    member session.NewNull(at: range) : Value =
        let id = session.New(Kind.Task, "", at, Origin.Awaited)
        complete.Add id |> ignore
        Value.Instance id

    /// The name of a part: as in the source, or none.
    member private _.PartName(owner: int, name: string) : string =
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
            places[id] <- struct (owner, name)

            if owner >= 0 then
                session.Describe(id, fun made -> { made with From = objects[owner].From.Add owner })

            id

    /// A part that is written is another object from then on.
    member _.Forget(owner: int, name: string) =
        parts.Remove(struct (owner, name)) |> ignore

    /// The owner of a part, and its name in that.
    member _.Place(id: int) : struct (int * string) option =
        match places.TryGetValue id with
        | true, place when objects[id].Origin = Origin.Part -> Some place
        | _ -> None

    /// A field with this name is written in some object.
    member session.ForgetAll(name: string) =
        for struct (owner, other) in List.ofSeq parts.Keys do
            if other = name then
                session.Forget(owner, name)

    /// A value is put into a collection: a place of it may hold another object from then on.
    member session.ForgetElements(owner: int) =
        for struct (of', name) as key in List.ofSeq parts.Keys do
            if of' = owner && name.StartsWith '[' then
                parts.Remove key |> ignore

        session.Describe(owner, fun object -> { object with Items = None })

    /// The effect that made a value, where that matters.
    member _.MadeBy(value: Value) : Effect option =
        match value with
        | Value.Instance id -> objects[id].Made
        | _ -> None

    /// The number of the parameter that an object is.
    member _.Parameter(id: int) : int option =
        match objects[id].Origin with
        | Origin.Parameter index -> Some index
        | _ -> None

    /// The objects that a value was made with, and these.
    member _.Needs(values: Value list) : Set<int> =
        Set.unionMany
            [
                for value in values do
                    for id in Value.objects value do
                        objects[id].From.Add id
            ]

    // Facts

    member session.Fact(id: int) : Fact =
        session.State.Facts |> Map.tryFind id |> Option.defaultValue Fact.fresh

    member session.Change(id: int, change: Fact -> Fact) =
        let before = session.Fact id
        let after = change before

        if not (obj.ReferenceEquals(before, after)) then
            session.State <- { session.State with Facts = Map.add id after session.State.Facts }

    member session.Each(value: Value, change: Fact -> Fact) =
        for id in Value.objects value do
            session.Change(id, change)

    /// The object is complete as soon as these values are.
    member session.Implies(id: int, values: Value list) =
        session.Change(id, (fun fact -> { fact with Implies = values }))

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

    /// Whether these values are known to be complete, and there is one.
    member session.AreComplete(values: Value list) : bool =
        match List.collect Value.objects values with
        | [] -> false
        | objects -> List.forall session.IsComplete objects

    /// The value is complete, and with it the values that it implies.
    member session.Complete(value: Value) =
        for id in Value.objects value do
            let fact = session.Fact id

            if not fact.IsComplete then
                session.Change(id, (fun fact -> { fact with IsComplete = true }))
                List.iter session.Complete fact.Implies

    /// The objects that are complete as soon as a value is.
    member session.ImpliedBy(value: Value) : Set<int> =
        let seen = HashSet<int>()

        let rec implied (id: int) : Set<int> =
            if seen.Add id then
                (session.Fact id).Implies
                |> List.collect Value.objects
                |> List.map implied
                |> Set.unionMany
                |> Set.add id
            else
                Set.empty

        Value.objects value |> List.map implied |> Set.unionMany

    /// Forgets the values that were found complete since `before`, and returns them: the code since then may not have
    /// run yet.
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

    // The path

    /// The path ends here.
    member session.End() =
        session.State <- { session.State with IsAlive = false }

    /// Takes locks that belong to the thread, or gives them back: a number below zero.
    member session.Lock(count: int) =
        if count <> 0 then
            session.State <- { session.State with Locks = session.State.Locks + count }

    /// An exception may come from here.
    member session.MayThrow(scope: Scope) =
        match scope.Handler with
        | Some handler -> handler.From session.State
        | None -> ()
