// Operations: the object that a call makes, the values that are complete with it, and the result of awaiting it.
module internal Plait.Check.Operations

open FSharp.Compiler.Text

/// A new object for the result of a call.
let made (session: Session) (code: Code) (arguments: Value list) : int =
    let id = session.New(code.Kind, "", code.At, Origin.Made)

    if code.GivesValue then
        session.Describe(id, fun made -> { made with GivesValue = true })

    // a value that was read from a resource does not need it any more
    let needs =
        match code.Is with
        | Call(callee, _) -> code.Kind <> Kind.Plain || callee.Name.EndsWith "..ctor"
        | _ -> code.Kind <> Kind.Plain

    let from = if needs then session.Needs arguments else Set.empty

    if not from.IsEmpty then
        session.Describe(id, fun made -> { made with From = from })

    match code.Is with
    | Call(callee, _) when callee.Name.EndsWith "..ctor" ->
        let name = callee.Name.Substring(0, callee.Name.Length - "..ctor".Length)
        session.Describe(id, fun made -> { made with Class = Some name })
    | _ -> ()

    id

let isTask (session: Session) (value: Value) : bool =
    match Value.objects value with
    | [] -> false
    | objects -> objects |> List.forall (fun id -> session.Objects[id].Kind = Kind.Task)

/// The tasks among these values, by themselves or in a collection that is written out; empty where some are not known.
let tasks (session: Session) (values: Value list) : int list =
    let rec tasks (value: Value) : int list option =
        match value with
        | Instance id when session.Objects[id].Kind = Kind.Task -> Some [ id ]
        | Instance id -> session.Objects[id].Items |> Option.bind all
        | Group values -> all values
        | _ -> None

    and all (values: Value list) : int list option =
        let found = List.map tasks values

        if List.forall Option.isSome found then
            Some(found |> List.choose id |> List.concat)
        else
            None

    all values |> Option.defaultValue []

/// The object is complete when these values are, and may be dropped if they may.
let follows (session: Session) (id: int) (values: Value list) : unit =
    let operations =
        values
        |> List.collect Value.objects
        |> List.map (fun id -> session.Objects[id])
        |> List.filter (fun object -> object.Kind <> Kind.Plain)

    if not operations.IsEmpty && operations |> List.forall _.MayDrop then
        session.Describe(id, fun made -> { made with MayDrop = true })

    session.Implies(id, values)

/// The result of awaiting a value that is one object.
let gift (session: Session) (value: Value) : Gift =
    match Value.objects value with
    | [ id ] -> session.Objects[id].Gives
    | _ -> Gift.Anything

/// The result of a function, with its complete tasks as objects of this declaration.
let rec returned (session: Session) (at: range) (value: Value) : Value =
    let inner = returned session at

    match value with
    | Ended values -> session.NewWinner(tasks session values, at)
    | Group values -> Group(List.map inner values)
    | OneOf values -> OneOf(List.map inner values)
    | Case fields -> Case [ for name, value in fields -> name, inner value ]
    | FoundAt place -> FoundAt { place with First = inner place.First }
    | Status(value, read) -> Status(inner value, read)
    | Test condition -> Test(Value.inCondition inner condition)
    | Deferred(blockage, waitsFor) ->
        let id = session.New(Kind.Plain, "", at, Origin.Made)
        session.Describe(id, fun made -> { made with Defers = Some(blockage, waitsFor) })
        Instance id
    | Held(None, name, kind) -> Instance(session.Part(-1, name, kind, at, Origin.Part))
    | Held(Some owner, name, kind) ->
        match inner owner with
        | Instance owner -> Instance(session.Part(owner, name, kind, at, Origin.Part))
        | Case fields ->
            fields |> List.tryFind (fst >> (=) name) |> Option.map snd |> Option.defaultValue Unknown
        | _ -> Unknown
    | value -> value

/// A function of the user's own turns an operation into another one: it is taken to give the same task of several.
let passWinner (session: Session) (result: int) (arguments: Value list) : unit =
    let object = session.Objects[result]

    if object.Kind <> Kind.Plain && object.Gives = Gift.Anything then
        match arguments |> List.map (gift session) |> List.filter _.IsWinner with
        | [ winner ] -> session.Describe(result, fun made -> { made with Gives = winner })
        | _ -> ()

let rec private received (session: Session) (at: range) (gift: Gift) : Value =
    match gift with
    | Gift.Anything -> Unknown
    | Gift.Known value -> returned session at value
    | Gift.Winner among -> session.NewWinner(among, at)
    | Gift.In(field, gift) ->
        match received session at gift with
        | Unknown -> Unknown
        | value -> Case [ field, value ]
    | Gift.Run(operation, gift) ->
        let id = session.New(Kind.Task, "", at, Origin.Awaited)
        let from = session.Needs [ operation ]

        let maker =
            match operation with
            | Instance runs -> session.Objects[runs].Maker
            | _ -> None

        session.Describe(id, fun made -> { made with Gives = gift; From = from; Maker = maker })
        session.Implies(id, [ operation ])
        Instance id

/// A record or an object whose operations are complete in some fields, as those alone.
let completeFields (session: Session) (id: int) : Value option =
    let fields =
        [
            for part in session.CompleteParts id do
                match session.Owner part with
                | Some struct (owner, name) when owner = id && session.Objects[part].Kind = Kind.Task ->
                    name, session.NewWinner([], session.Objects[part].At)
                | _ -> ()
        ]

    if fields.IsEmpty then None else Some(Case fields)

/// How a function, a sequence or a lazy value blocks where it is called or forced.
let deferred (session: Session) (value: Value) : (Blockage * Value list) option =
    Value.objects value |> List.tryPick (fun id -> session.Objects[id].Defers)

/// Reads a property of an object: the same one each time, except values that may be used once.
let property (session: Session) (code: Code) (callee: Callee) (owner: Value) : Value =
    let another () =
        Instance(session.New(code.Kind, "", code.At, Origin.Part))

    match owner with
    // each read may give another one
    | Instance _ when code.Kind.IsSingleUse ->
        session.Keep owner
        another ()
    | Instance id ->
        if callee.IsOpen then
            session.ReadsOpen(id, callee.Name)

        Instance(session.Part(id, callee.Name, code.Kind, code.At, Origin.Part))
    | _ -> another ()

/// Awaits a value. Returns the result.
let given (session: Session) (at: range) (value: Value) : Value =
    match Value.objects value |> List.map (fun id -> session.Objects[id].Gives) |> List.distinct with
    | [] -> Unknown
    | [ gift ] -> received session at gift
    | gifts ->
        let among =
            gifts
            |> List.choose (fun gift ->
                match gift with
                | Gift.Winner among -> Some among
                | _ -> None)

        if among.Length < gifts.Length then
            Unknown
        else
            session.NewWinner((if List.contains [] among then [] else List.concat among), at)
