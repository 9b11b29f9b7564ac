// Where the elements of collections and the parts of elements come from: a part may be an element of another collection.
module internal Plait.Check.Parts

open FSharp.Compiler.Text

/// The content of an option that the code read before.
let content (session: Session) (id: int) : int option =
    [ "Some.Value"; "ValueSome.Item"; "[value]" ]
    |> List.tryPick (fun field -> session.FindPart(id, field))

/// Whether it is the only operation in an option or a Result.
let isSole (field: string) : bool =
    field = "Some.Value" || field = "ValueSome.Item" || field = "Ok.ResultValue"

/// The completion of a part completes its owner.
let completes (session: Session) (part: int) (owner: int) : unit =
    session.Change(
        part,
        fun (fact: Fact) ->
            if List.contains (Instance owner) fact.Implies then
                fact
            else
                { fact with Implies = Instance owner :: fact.Implies }
    )

/// An element of a collection, or the content of an option.
let rec element (session: Session) (owner: Value) (kind: Kind) (at: range) : Value =
    match owner with
    | Case(fields, _) -> fields |> List.map snd |> List.fold State.joinResults Unknown
    | OneOf owners ->
        owners
        |> List.map (fun owner -> element session owner kind at)
        |> List.fold State.joinResults Unknown
    | Instance id ->
        match kind with
        | _ when session.Objects[id].ElementFrom.IsSome && not kind.IsSingleUse ->
            ofOrigin session id session.Objects[id].ElementFrom.Value kind at
            |> Option.defaultWith (fun () -> Instance(session.New(kind, "", at, Origin.Element id)))
        | Kind.Task when Operations.isOfComplete session id ->
            session.NewFirstCompleted(session.Objects[id].FirstOf, at)
        // the content of an option that the code matched before
        | Kind.Task when (content session id).IsSome -> Instance (content session id).Value
        // each enumeration makes others
        | Kind.Task
        | Kind.Cold when session.Objects[id].MakesElements ->
            Instance(session.New(kind, "", at, Origin.Created))
        // the code uses each element once
        | Kind.SingleUse _ -> Instance(session.New(kind, "", at, Origin.Element id))
        | Kind.Plain -> Instance(session.Part(id, "element", kind, at, Origin.Element id))
        | _ -> Instance(session.Part(id, "operation", kind, at, Origin.Element id))
    | _ -> Unknown

/// The value of a part with this origin, in the elements of a collection.
and private ofOrigin
    (session: Session)
    (collection: int)
    (origin: PartOrigin)
    (kind: Kind)
    (at: range)
    : Value option =
    let value =
        match origin with
        | PartOrigin.Same value -> value
        | PartOrigin.ElementOf owner -> element session owner kind at
        | PartOrigin.GroupOf _ -> Unknown
        | PartOrigin.PartOf(owner, name) ->
            match element session owner Kind.Plain at with
            | Instance element -> partOf session element name kind at
            | _ -> Unknown

    match value with
    | Instance id ->
        if session.IsComplete collection then
            session.Complete value

        Some value
    | _ -> None

/// A part of an object, the same one each time; a part of an element may be an element of another collection.
and partOf (session: Session) (object: int) (name: string) (kind: Kind) (at: range) : Value =
    let part () =
        match name, session.FindPart(object, "System.Collections.Generic.KeyValuePair.get_Value") with
        | "1", Some known -> known
        | _ -> session.Part(object, name, kind, at, Origin.Member)

    let origin =
        match session.Objects[object].Origin with
        | Origin.Element collection when not kind.IsSingleUse ->
            session.Objects[collection].PartsFrom
            |> List.tryFind (fst >> (=) name)
            |> Option.map (fun (_, origin) -> collection, origin)
        | _ -> None

    match origin with
    | Some(_, PartOrigin.GroupOf owner) ->
        let part = part ()
        session.Describe(part, fun group -> { group with MadeOf = [ owner ] })
        Instance part
    | Some(collection, origin) ->
        ofOrigin session collection origin kind at |> Option.defaultWith (part >> Instance)
    | None -> Instance(part ())

/// The values of a collection of known ones; another value as it is.
let known (session: Session) (value: Value) : Value list =
    // `depth`: of collections made of others
    let rec known (depth: int) (value: Value) : Value list =
        match value with
        | Instance id ->
            match session.Objects[id].Items, session.Objects[id].MadeOf with
            | Some items, _ -> items
            | None, (_ :: _ as from) when depth < 8 -> List.collect (known (depth + 1)) from
            | _ -> [ value ]
        | _ -> [ value ]

    known 0 value

/// The functions in a value that this part of it may be.
let rec private functionsIn (names: string list) (value: Value) : Value list =
    match value, names with
    | (Function _ | Deferred _), [] -> [ value ]
    | OneOf values, _ -> List.collect (functionsIn names) values
    // the value of a key
    | Group [ _; value ], ([] | [ "System.Collections.Generic.KeyValuePair.get_Value" ]) ->
        functionsIn [] value
    | Group items, name :: rest ->
        match System.Int32.TryParse name with
        | true, index when index < items.Length -> functionsIn rest items[index]
        | _ -> []
    | Case(fields, _), name :: rest ->
        [
            for field, value in fields do
                if field = name then
                    yield! functionsIn rest value
        ]
    | _ -> []

/// The functions that an object may be: it is an element of a collection literal, or a part of an element.
let functions (session: Session) (id: int) : Value list =
    let rec ofObject (depth: int) (names: string list) (id: int) : Value list =
        match session.Objects[id].Origin, session.Owner id with
        | _ when depth > 8 -> []
        | (Origin.Element owner | Origin.Indexed owner), _ -> ofCollection (depth + 1) names owner
        | _, Some struct (owner, name) when owner >= 0 -> ofObject (depth + 1) (name :: names) owner
        | _ -> []

    and ofCollection (depth: int) (names: string list) (id: int) : Value list =
        match session.Objects[id].Items, session.Objects[id].MadeOf with
        | Some items, _ -> List.collect (functionsIn names) items
        | None, (_ :: _ as from) when depth < 8 ->
            from |> List.collect Value.objects |> List.collect (ofCollection (depth + 1) names)
        // the content of an option that is an element
        | _ -> ofObject depth names id

    ofObject 0 [] id

/// Whether each enumeration of the collection of an element makes others.
let private makesElements (session: Session) (element: int) : bool =
    match session.Objects[element].Origin with
    | Origin.Element collection ->
        session.Objects[collection].MakesElements || session.Objects[collection].IsUnenumerated
    | _ -> false

/// The complete parts of an element, and the elements of other collections that are parts of it.
let private completeIn (session: Session) (element: int) : int list =
    let others =
        match session.Objects[element].Origin with
        | Origin.Element collection -> session.Objects[collection].PartsFrom
        | _ -> []

    [
        if not (makesElements session element) then
            yield! session.CompleteParts element

        for _, origin in others do
            match origin with
            | PartOrigin.ElementOf(Instance owner) ->
                match session.FindPart(owner, "operation") with
                | Some part when session.IsComplete part -> part
                | _ -> ()
            | PartOrigin.Same(Instance part) when session.IsComplete part -> part
            | _ -> ()
    ]

/// The parts of these elements that are complete here, and were complete at the end of earlier turns of a loop.
let completeToo (session: Session) (before: Set<int> option) (elements: int list) : Set<int> option =
    if session.State.IsAlive then
        let complete = set (List.collect (completeIn session) elements)
        before |> Option.map (Set.intersect complete) |> Option.defaultValue complete |> Some
    else
        before

/// The element of a collection with this index, the same object each time.
let numbered (session: Session) (owner: int) (place: string) (kind: Kind) (at: range) : Value =
    let part = session.Part(owner, $"[{place}]", kind, at, Origin.Indexed owner)

    // an option has no other one
    if place = "value" && kind = Kind.Task then
        completes session part owner

    Instance part

/// The result has elements of the argument, among others, or puts them into collections or tuples.
let mix (session: Session) (call: Invocation) (from: Value) : unit =
    if not (call.Effects |> List.exists (fun (effect: Effect) -> effect.IsForcesLater)) then
        session.Escape from

    session.Change(call.Result, (fun fact -> { fact with Implies = from :: fact.Implies }))
    session.Describe(call.Result, fun (made: Instance) -> { made with MadeOf = from :: made.MadeOf })

/// An item of the result's elements comes from an argument, unless a function made the elements.
let giveItem (session: Session) (call: Invocation) (effect: Effect) : unit =
    let isMade =
        call.Arguments |> List.exists (fun (argument: Value) -> argument.IsFunction)

    let origin =
        match effect with
        | ItemOf(item, index) when not isMade -> Some(item, PartOrigin.ElementOf(call.Argument index))
        | ItemGroups(item, index) -> Some(item, PartOrigin.GroupOf(call.Argument index))
        | ItemSame(item, index) -> Some(item, PartOrigin.PartOf(call.Argument index, string item))
        | _ -> None

    match origin with
    | Some(item, origin) ->
        session.Describe(
            call.Result,
            fun (made: Instance) -> { made with PartsFrom = (string item, origin) :: made.PartsFrom }
        )
    | None -> ()

/// The result is a tuple of collections, each with an item of the elements.
let unzip (session: Session) (call: Invocation) (from: Value) : Value option =
    match from with
    | Instance _ ->
        Some(
            Group
                [
                    for index in 0..2 do
                        let id = session.New(Kind.Plain, "", call.At, Origin.Created)

                        session.Describe(
                            id,
                            fun made ->
                                { made with
                                    ElementFrom = Some(PartOrigin.PartOf(from, string index))
                                    MadeOf = [ from ]
                                }
                        )

                        Instance id
                ]
        )
    | _ -> None
