// Operations: the object for the result of a call, the values that complete with it, and the result of its await.
module internal Plait.Check.Operations

open FSharp.Compiler.Text

/// A new object for the result of a call.
let made (session: Session) (code: Code) (arguments: Value list) : int =
    let id = session.New(code.Kind, "", code.At, Origin.Created)

    if code.HasResult then
        session.Describe(id, fun made -> { made with HasResult = true })

    // a value that was read from a resource no longer depends on it
    let needs =
        match code.Is with
        | Call(callee, _) -> code.Kind <> Kind.Plain || callee.Name.EndsWith "..ctor"
        | _ -> code.Kind <> Kind.Plain

    let from = if needs then session.Needs arguments else Set.empty

    if not from.IsEmpty then
        session.Describe(id, fun made -> { made with DependsOn = from })

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

/// The tasks among these values, by themselves or in a collection literal; empty: some are not known.
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

/// The completion of the object implies that of these values, and it may be dropped if they may.
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
let awaited (session: Session) (value: Value) : AwaitResult =
    match Value.objects value with
    | [ id ] -> session.Objects[id].AwaitResult
    | _ -> AwaitResult.Unknown

/// The result of a function, with its completed tasks as objects of this declaration.
let rec returned (session: Session) (at: range) (value: Value) : Value =
    let inner = returned session at

    match value with
    | CompletedTask values -> session.NewFirstCompleted(tasks session values, at)
    | Group values -> Group(List.map inner values)
    | OneOf values -> OneOf(List.map inner values)
    | Case(fields, cases) ->
        Case(
            [ for name, value in fields -> name, inner value ],
            [ for case, condition in cases -> case, Value.inCondition inner condition ]
        )
    | CompletedAt place -> CompletedAt { place with First = inner place.First }
    | Status(value, read) -> Status(inner value, read)
    | Test condition -> Test(Value.inCondition inner condition)
    | Deferred(blocking, waitsFor) ->
        let id = session.New(Kind.Plain, "", at, Origin.Created)
        session.Describe(id, fun made -> { made with DeferredBlocking = Some(blocking, waitsFor) })
        Instance id
    | Started(kind, isNew) ->
        let id = session.New(kind, "", at, Origin.Created)
        session.Describe(id, fun made -> { made with IsNew = isNew })
        Instance id
    | AccessPath(None, name, kind) -> Instance(session.Part(-1, name, kind, at, Origin.Member))
    | AccessPath(Some owner, name, kind) ->
        match inner owner with
        | Instance owner ->
            let origin = if Symbol.isField name then Origin.Element owner else Origin.Member

            Instance(session.Part(owner, name, kind, at, origin))
        | Case(fields, _) ->
            fields |> List.tryFind (fst >> (=) name) |> Option.map snd |> Option.defaultValue Unknown
        | Group items ->
            List.indexed items
            |> List.tryFind (fun (index, _) -> string index = name)
            |> Option.map snd
            |> Option.defaultValue Unknown
        | _ -> Unknown
    | value -> value

/// A function of the user turns an operation into another one: the analysis assumes that it keeps the first completed
/// task.
let passFirstCompleted (session: Session) (result: int) (arguments: Value list) : unit =
    let object = session.Objects[result]

    if object.Kind <> Kind.Plain && object.AwaitResult = AwaitResult.Unknown then
        match arguments |> List.map (awaited session) |> List.filter _.IsCompletedTask with
        | [ winner ] -> session.Describe(result, fun made -> { made with AwaitResult = winner })
        | _ -> ()

/// The task that gives the result of another one: behind conversions and limits of time.
let rec private giver (session: Session) (id: int) : int =
    match session.Objects[id].CreatedBy, (session.Fact id).Implies with
    | Some(TaskToAsync | CompletesInTime _), [ Instance inner ] -> giver session inner
    | _ -> id

/// The result of a task, the same object each time.
let resultOf (session: Session) (owner: int) (kind: Kind) (at: range) : int =
    let id = session.Part(owner, "[result]", kind, at, Origin.Awaited)
    session.Describe(id, fun made -> { made with DependsOn = Set.empty })
    id

/// The task in a task: the same object at each await and each read. None: the value is no task, or no one object.
let taskIn (session: Session) (value: Value) (kind: Kind) (at: range) : Value option =
    match value, kind with
    | Instance id, Kind.Task ->
        let owner = giver session id

        match session.Objects[owner].Kind with
        | Kind.Task -> Some(Instance(resultOf session owner kind at))
        | _ -> None
    | _ -> None

/// `owner`: the task with this result, if there is one.
let rec private received (session: Session) (at: range) (owner: int option) (awaited: AwaitResult) : Value =
    match awaited with
    | AwaitResult.Unknown -> Unknown
    | AwaitResult.Value value -> returned session at value
    | AwaitResult.CompletedTask among -> session.NewFirstCompleted(among, at)
    | AwaitResult.InField(field, awaited) ->
        match received session at None awaited with
        | Unknown -> Unknown
        | value -> Value.record [ field, value ]
    | AwaitResult.Operation(operation, awaited) ->
        let id =
            match owner |> Option.map (giver session) with
            | Some owner when session.Objects[owner].Kind = Kind.Task -> resultOf session owner Kind.Task at
            | _ -> session.New(Kind.Task, "", at, Origin.Awaited)

        let from = session.Needs [ operation ]

        let producer =
            match operation with
            | Instance runs -> session.Objects[runs].Producer
            | _ -> None

        session.Describe(
            id,
            fun made -> { made with AwaitResult = awaited; DependsOn = from; Producer = producer }
        )

        session.Implies(id, [ operation ])
        Instance id

/// A record or an object with complete operations in some fields, by those fields.
let completeFields (session: Session) (id: int) : Value option =
    let fields =
        [
            for part in session.CompleteParts id do
                match session.Owner part with
                | Some struct (owner, name) when owner = id && session.Objects[part].Kind = Kind.Task ->
                    name, session.NewFirstCompleted([], session.Objects[part].At)
                | _ -> ()
        ]

    if fields.IsEmpty then None else Some(Value.record fields)

/// The blocking of a function, a sequence or a lazy value at its call or enumeration.
let deferred (session: Session) (value: Value) : (BlockingCall * Value list) option =
    Value.objects value |> List.tryPick (fun id -> session.Objects[id].DeferredBlocking)

/// The rest of a function that blocks, after a call with fewer arguments than it takes; None: the call blocks, or the value is
/// no such function.
let partially (session: Session) (at: range) (value: Value) (count: int) : Value option =
    let defers =
        match value with
        | Deferred(blocking, waitsFor) -> Some(blocking, waitsFor)
        | value -> deferred session value

    match defers with
    | Some(blocking, waitsFor) when count < blocking.Arguments ->
        let rest = { blocking with Arguments = blocking.Arguments - count }
        Some(returned session at (Deferred(rest, waitsFor)))
    | _ -> None

/// Whether an object is a sequence of completed tasks, or its enumerator.
let isOfComplete (session: Session) (id: int) : bool =
    match session.Objects[id].CreatedBy with
    | Some(EachComplete _) -> true
    | _ -> false

/// Reads a property of an object: the same object each time, but for single-use values.
let property (session: Session) (code: Code) (callee: Callee) (owner: Value) : Value =
    let another () =
        Instance(session.New(code.Kind, "", code.At, Origin.Member))

    match owner with
    // each read may give another one
    | Instance _ when code.Kind.IsSingleUse ->
        session.Observe owner
        another ()
    | Instance id when
        code.Kind = Kind.Task
        && isOfComplete session id
        && Symbol.lastPart callee.Name = "get_Current"
        ->
        session.NewFirstCompleted(session.Objects[id].FirstOf, code.At)
    | Instance id ->
        if callee.IsOpen then
            session.ReadsOpen(id, callee.Name)

        match callee.Name, session.FindPart(id, "1") with
        // the pattern of a pair read it before
        | "System.Collections.Generic.KeyValuePair.get_Value", Some known -> Instance known
        | _ -> Instance(session.Part(id, callee.Name, code.Kind, code.At, Origin.Member))
    | _ -> another ()

/// Awaits a value. Returns the result.
let given (session: Session) (at: range) (value: Value) : Value =
    match
        Value.objects value
        |> List.map (fun id -> session.Objects[id].AwaitResult)
        |> List.distinct
    with
    | [] -> Unknown
    | [ awaited ] ->
        let owner =
            match value with
            | Instance id -> Some id
            | _ -> None

        received session at owner awaited
    | gifts ->
        let among =
            gifts
            |> List.choose (fun awaited ->
                match awaited with
                | AwaitResult.CompletedTask among -> Some among
                | _ -> None)

        if among.Length < gifts.Length then
            Unknown
        else
            session.NewFirstCompleted((if List.contains [] among then [] else List.concat among), at)

/// The operations that a function created for the elements of a collection.
let hold (session: Session) (code: Code) (result: int) (made: Value) : unit =
    if code.Kind = Kind.Plain then
        let rec operations (value: Value) : int list =
            match value with
            | Group values
            | OneOf values -> List.collect operations values
            | Case(fields, _) -> fields |> List.collect (snd >> operations)
            | Instance id ->
                let object = session.Objects[id]

                if object.Kind = Kind.Plain then
                    object.ElementOperations
                    @ (object.Items |> Option.defaultValue [] |> List.collect operations)
                elif session.IsComplete id then
                    []
                else
                    [ id ]
            | _ -> []

        let rec parts (value: Value) : (string * int list) list =
            match value with
            | Group items -> [ for index, item in List.indexed items -> string index, operations item ]
            | Case(fields, _) -> [ for name, value in fields -> name, operations value ]
            | Instance id ->
                match session.Objects[id].Items with
                | Some [ only ] -> parts only
                | _ -> session.Objects[id].PartOperations
            | _ -> []

        let held, inParts = operations made, parts made

        session.Describe(
            result,
            fun result -> { result with ElementOperations = held; PartOperations = inParts }
        )
