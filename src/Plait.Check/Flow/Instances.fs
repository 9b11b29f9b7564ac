// The objects of one interpretation and their parts: the state that does not depend on the point of the code.
namespace Plait.Check

open System
open System.Collections.Generic

open FSharp.Compiler.Text

/// Objects by their numbers, from 0 on.
type internal Instances() =
    let objects = List<Instance>()
    let parts = Dictionary<struct (int * string), int>()
    let places = Dictionary<int, struct (int * string)>()
    // parts that may be used once
    let singleUse = List<int>()
    // parts that were read through an abstract property
    let open' = HashSet<struct (int * string)>()
    let winners = List<int>()
    // objects that were complete when they came to be
    let complete = HashSet<int>()

    /// The name of a part: as in the source, or none.
    let partName (owner: int) (name: string) : string =
        let last = name.Substring(name.LastIndexOf '.' + 1)
        let isProperty = last.StartsWith "get_"
        let shown = if isProperty then last.Substring 4 else last

        if
            name = "element"
            || name = "operation"
            || shown[0] = '['
            || Char.IsDigit shown[0]
            || (name.Contains '.' && not isProperty && owner >= 0)
        then
            ""
        elif owner >= 0 && objects[owner].Name <> "" then
            $"{objects[owner].Name}.{shown}"
        else
            shown

    member _.Objects: IReadOnlyList<Instance> = objects

    /// The tasks that are complete because they were the first of others.
    member _.Winners: IReadOnlyList<int> = winners

    /// The object was complete when it came to be.
    member _.IsCompleteFromStart(id: int) : bool = complete.Contains id

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
                IsSome = None
                IsFunction = false
                IsLater = false
                Among = []
                IsOnlyAwaited = false
                Class = None
                Shape = []
                Defers = None
            }

        id

    /// Replaces the description of an object; facts stay.
    member _.Describe(id: int, change: Instance -> Instance) = objects[id] <- change objects[id]

    /// A task that is complete, and was the first of these, or of unknown ones.
    member instances.NewWinner(among: int list, at: range) : Value =
        let id = instances.New(Kind.Task, "", at, Origin.Awaited)
        instances.Describe(id, fun made -> { made with Among = among })
        winners.Add id
        complete.Add id |> ignore
        Value.Instance id

    /// Null in place of a task, for which no code waits.
    member instances.NewNull(at: range) : Value =
        let id = instances.New(Kind.Task, "", at, Origin.Awaited)
        complete.Add id |> ignore
        Value.Instance id

    /// A part of an object, the same one each time.
    member instances.Part(owner: int, name: string, kind: Kind, at: range, origin: Origin) : int =
        match parts.TryGetValue(struct (owner, name)) with
        | true, id -> id
        | _ ->
            let id = instances.New(kind, partName owner name, at, origin)
            parts[struct (owner, name)] <- id

            if kind.IsSingleUse then
                singleUse.Add id

            places[id] <- struct (owner, name)

            if owner >= 0 then
                instances.Describe(id, fun made -> { made with From = objects[owner].From.Add owner })

            id

    /// A part of an object that was read before.
    member _.FindPart(owner: int, name: string) : int option =
        match parts.TryGetValue(struct (owner, name)) with
        | true, id -> Some id
        | _ -> None

    /// A part that is written is another object from then on.
    member _.Forget(owner: int, name: string) =
        parts.Remove(struct (owner, name)) |> ignore

    /// The owner of a part, and its name in that.
    member _.Owner(id: int) : struct (int * string) option =
        match places.TryGetValue id with
        | true, place when objects[id].Origin = Origin.Part -> Some place
        | _ -> None

    /// The tuple, or the pair of a key and a value, whose item a part is: it is complete as a whole when its items are.
    member instances.Holder(id: int) : int option =
        match instances.Owner id with
        | Some struct (owner, name) when
            owner >= 0 && (Char.IsDigit name[0] || name.EndsWith "KeyValuePair.get_Value")
            ->
            Some owner
        | _ -> None

    /// It is, or is a part of, an element that was found by its place.
    member instances.IsIndexed(id: int) : bool =
        match objects[id].Origin, places.TryGetValue id with
        | Origin.Indexed _, _ -> true
        | Origin.Part, (true, struct (owner, _)) when owner >= 0 -> instances.IsIndexed owner
        | _ -> false

    /// A field with this name is written in some object.
    member instances.ForgetAll(name: string) =
        for struct (owner, other) in List.ofSeq parts.Keys do
            if other = name then
                instances.Forget(owner, name)

    /// Notes that a part is read through an abstract property: its object may give another one behind a call that changes it.
    member _.ReadsOpen(owner: int, name: string) =
        open'.Add(struct (owner, name)) |> ignore

    /// The object may be changed from here on by code that is not known: its abstract properties give others.
    member instances.MayChange(value: Value) =
        if open'.Count > 0 then
            for id in Value.objects value do
                for struct (owner, name) in List.ofSeq open' do
                    if owner = id then
                        instances.Forget(owner, name)

    /// A value is put into a collection: a place of it may hold another object from then on.
    member instances.ForgetElements(owner: int) =
        for struct (of', name) as key in List.ofSeq parts.Keys do
            if of' = owner && name.StartsWith '[' then
                parts.Remove key |> ignore

        instances.Describe(owner, fun object -> { object with Items = None })

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

    /// The names by which an object is found from another one; None if it is no part of that.
    member _.Path(root: int, id: int) : string list option =
        let rec path (id: int) (names: string list) =
            if id = root then
                Some names
            else
                match places.TryGetValue id with
                | true, struct (owner, name) when owner >= 0 -> path owner (name :: names)
                | _ -> None

        path id []

    /// The next element of a collection: its parts that may be used once are others.
    member instances.NextElement(collection: int) =
        if singleUse.Count > 0 then
            match instances.FindPart(collection, "element") with
            | Some root ->
                for id in singleUse do
                    if (instances.Path(root, id)).IsSome then
                        let struct (owner, name) = places[id]
                        instances.Forget(owner, name)
            | None -> ()

    /// The part of an object that has the place of a part of another one.
    member instances.PartLike(root: int, part: int, ofOther: int) : int =
        let rec go (owner: int) (original: int) (names: string list) : int =
            match names with
            | [] -> owner
            | name :: rest ->
                let original = parts[struct (original, name)]
                let known = objects[original]
                let id = instances.Part(owner, name, known.Kind, known.At, known.Origin)
                go id original rest

        match instances.Path(root, part) with
        | Some names -> go ofOther root names
        | None -> part
