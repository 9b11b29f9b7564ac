// The objects of one interpretation and their parts. This state does not depend on the point of the code.
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
    let inFields = HashSet<struct (int * int)>()
    // elements by the object that is their index
    let indexes = Dictionary<int, int>()
    // parts that no code replaces: of values that do not change
    let fixed' = HashSet<int>()
    // collections and numbers that code running at the same time changes
    let changing = HashSet<int>()
    let mutable allChange = false
    // parts that the code read through an abstract property
    let open' = HashSet<struct (int * string)>()
    let winners = List<int>()
    // objects that are complete from their creation on
    let complete = HashSet<int>()

    /// The name of a part: the one in the source, or none.
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

    /// The completed tasks that were the first of others.
    member _.FirstCompleted: IReadOnlyList<int> = winners

    /// Whether the object is complete from its creation on.
    member _.IsCompleteFromStart(id: int) : bool = complete.Contains id

    member _.New(kind: Kind, name: string, at: range, origin: Origin) : int =
        let id = objects.Count

        objects.Add
            {
                Id = id
                Kind = kind
                HasResult = false
                Name = name
                At = at
                Origin = origin
                CreatedBy = None
                Producer = None
                IsNew = false
                MayDrop = false
                DependsOn = Set.empty
                AwaitResult = AwaitResult.Unknown
                Items = None
                MadeOf = []
                PartsFrom = []
                ElementFrom = None
                ElementOperations = []
                PartOperations = []
                MakesElements = false
                NonEmptyWhen = None
                IsFunction = false
                IsLazy = false
                IsUnenumerated = false
                FirstOf = []
                HasReaders = false
                IsOnlyAwaited = false
                IsRemote = false
                Class = None
                KnownFields = []
                DeferredBlocking = None
            }

        id

    /// Replaces the description of an object; facts stay.
    member _.Describe(id: int, change: Instance -> Instance) = objects[id] <- change objects[id]

    /// A new object for the task of these that completed first; empty: not known of which.
    member instances.NewFirstCompleted(among: int list, at: range) : Value =
        let id = instances.New(Kind.Task, "", at, Origin.Awaited)
        instances.Describe(id, fun made -> { made with FirstOf = among })
        winners.Add id
        complete.Add id |> ignore
        Value.Instance id

    /// A new object for null in place of a task; no code waits for it.
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
                instances.Describe(
                    id,
                    fun made -> { made with DependsOn = objects[owner].DependsOn.Add owner }
                )

            id

    /// A field of a new object has this single-use object.
    member _.SetPart(owner: int, name: string, part: int) =
        parts[struct (owner, name)] <- part
        inFields.Add(struct (owner, part)) |> ignore

    member _.IsInField(part: int) : bool =
        inFields |> Seq.exists (fun struct (_, other) -> other = part)

    /// The single-use objects in the fields of an object.
    member _.InFields(owner: int) : int list =
        if inFields.Count = 0 then
            []
        else
            [
                for struct (other, part) in inFields do
                    if other = owner then
                        part
            ]

    /// Whether the code may read an operation in another place too: by its name, or in a collection with a name.
    member _.HasReaders(operation: int) : bool =
        objects[operation].HasReaders
        || objects
           |> Seq.exists (fun object ->
               object.HasReaders
               && (List.contains operation object.ElementOperations
                   || object.Items |> Option.exists (List.contains (Instance operation))))

    /// A part of an object that the code read before.
    member _.FindPart(owner: int, name: string) : int option =
        match parts.TryGetValue(struct (owner, name)) with
        | true, id -> Some id
        | _ -> None

    /// After a write the part is another object.
    member _.Forget(owner: int, name: string) =
        parts.Remove(struct (owner, name)) |> ignore

    /// A part is another object from here on.
    member private instances.ForgetPart(id: int) =
        let struct (owner, name) = places[id]
        instances.Forget(owner, name)

    /// A single-use element that the code finds by an object.
    member instances.ElementAt(owner: int, index: int, kind: Kind, at: range) : int =
        let id = instances.Part(owner, $"[object {index}]", kind, at, Origin.Indexed owner)

        if kind.IsSingleUse then
            indexes[id] <- index

        id

    /// The part of its owner never changes: an immutable field, an item of a tuple, an immutable value of a module.
    member _.Fix(part: int) = fixed'.Add part |> ignore

    /// Code that runs at the same time may change it.
    member _.ChangesMeanwhile(id: int) = changing.Add id |> ignore

    /// Code that runs at the same time may change the elements of collections.
    member _.ElementsChangeMeanwhile() = allChange <- true

    /// Whether the object does not change: a value of an immutable variable, or an immutable part of one.
    member instances.IsFixed(id: int) : bool =
        not (changing.Contains id)
        && (match places.TryGetValue id with
            | true, struct (owner, name) ->
                (name = "element" || fixed'.Contains id) && (owner < 0 || instances.IsFixed owner)
            | _ -> true)

    /// Whether an index of this collection gives the same element again.
    member instances.HasFixedElements(owner: int) : bool =
        not allChange && instances.IsFixed owner

    /// The owner of a part, and its name in that.
    member _.Owner(id: int) : struct (int * string) option =
        match places.TryGetValue id with
        | true, place when objects[id].Origin = Origin.Member -> Some place
        | _ -> None

    /// The value with this field of a case, and the name of the field.
    member _.CaseOf(id: int) : struct (int * string) option =
        match places.TryGetValue id with
        | true, (struct (owner, name) as place) when owner >= 0 && Symbol.isField name -> Some place
        | _ -> None

    /// The tuple, or the pair of key and value, with this part as an item: it is complete if its items are.
    member instances.Holder(id: int) : int option =
        match instances.Owner id with
        | Some struct (owner, name) when
            owner >= 0 && (Char.IsDigit name[0] || name.EndsWith "KeyValuePair.get_Value")
            ->
            Some owner
        | _ -> None

    /// Whether it is an element that the code found by its index, or a part of one.
    member instances.IsIndexed(id: int) : bool =
        match objects[id].Origin, places.TryGetValue id with
        | Origin.Indexed _, _ -> true
        | Origin.Member, (true, struct (owner, _)) when owner >= 0 -> instances.IsIndexed owner
        | _ -> false

    /// Some object's field with this name changes.
    member instances.ForgetAll(name: string) =
        for struct (owner, other) in List.ofSeq parts.Keys do
            if other = name then
                instances.Forget(owner, name)

    /// Notes the read of a part through an abstract property: after a call that changes the object, the part may be
    /// another object.
    member _.ReadsOpen(owner: int, name: string) =
        open'.Add(struct (owner, name)) |> ignore

    member private instances.ForgetElementsOf(isOwner: int -> bool) =
        for part in singleUse do
            match places[part] with
            | struct (owner, name) when name.StartsWith '[' && isOwner owner -> instances.Forget(owner, name)
            | _ -> ()

    /// Code wrote elements of a collection that is not known: each index may give another one.
    member instances.ForgetAllElements() =
        instances.ForgetElementsOf(fun _ -> true)

    /// Code that is not followed may have changed the object: its abstract properties give other parts, and its indexes
    /// and those of the collections in it.
    member instances.MayChange(value: Value) =
        if singleUse.Count > 0 then
            for id in Value.objects value do
                instances.ForgetElementsOf(fun owner -> (instances.Path(id, owner)).IsSome)

        if open'.Count > 0 then
            for id in Value.objects value do
                for struct (owner, name) in List.ofSeq open' do
                    if owner = id then
                        instances.Forget(owner, name)

    /// Puts a value into a collection: from here on each index may give another object.
    member instances.ForgetElements(owner: int) =
        for struct (of', name) as key in List.ofSeq parts.Keys do
            if of' = owner && name.StartsWith '[' then
                parts.Remove key |> ignore

        instances.Describe(owner, fun object -> { object with Items = None })

    /// The parts of an object that the code read before, by their names.
    member _.PartsOf(owner: int) : (string * int) list =
        [
            for KeyValue(struct (of', name), part) in parts do
                if of' = owner then
                    name, part
        ]

    /// The effect that created a value.
    member _.MadeBy(value: Value) : Effect option =
        match value with
        | Value.Instance id -> objects[id].CreatedBy
        | _ -> None

    /// The number of the parameter that an object is.
    member _.Parameter(id: int) : int option =
        match objects[id].Origin with
        | Origin.Parameter index -> Some index
        | _ -> None

    /// Whether the value is a stream, a reader or a writer to another process or machine.
    member _.IsRemote(value: Value) : bool =
        let isRemote (id: int) = objects[id].IsRemote

        Value.objects value
        |> List.exists (fun id -> isRemote id || Set.exists isRemote objects[id].DependsOn)

    /// The names on the way from one object to another one; None: it is no part of that object.
    member _.Path(root: int, id: int) : string list option =
        let rec path (id: int) (names: string list) =
            if id = root then
                Some names
            else
                match places.TryGetValue id with
                | true, struct (owner, name) when owner >= 0 -> path owner (name :: names)
                | _ -> None

        path id []

    /// The next element of a collection: its single-use parts are other objects, and so are the elements of which it is the
    /// index.
    member instances.NextElement(collection: int) =
        if singleUse.Count > 0 then
            match instances.FindPart(collection, "element") with
            | Some root ->
                let isOfRoot (id: int) = (instances.Path(root, id)).IsSome

                for id in singleUse do
                    match indexes.TryGetValue id with
                    | true, index when isOfRoot index -> instances.ForgetPart id
                    | _ when isOfRoot id -> instances.ForgetPart id
                    | _ -> ()
            | None -> ()

    /// The part of an object with the same names as a part of another object.
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
