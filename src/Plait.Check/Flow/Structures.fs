// Tuples, records, unions and collections: making them, and reading their parts.
module internal Plait.Check.Structures

open System

open FSharp.Compiler.Text

let private isUsedOnce (session: Session) (value: Value) : bool =
    Value.objects value |> List.exists (fun id -> session.Objects[id].Kind.IsSingleUse)

let private isOfTasks (session: Session) (value: Value) : bool =
    match value with
    | Instance id ->
        match session.Objects[id].Kind with
        | Kind.Task
        | Kind.Cold -> true
        // the tail of a list
        | Kind.Plain -> not session.Objects[id].ElementOperations.IsEmpty
        | Kind.SingleUse _ -> false
    | _ -> false

/// A collection, or another value without known fields.
let private makeObject (session: Session) (code: Code) (held: Value list) (into: string) : Value =
    let id = session.New(code.Kind, "", code.At, Origin.Created)

    let items =
        match into, List.map Value.withoutCases held with
        | "an array", items -> Some items
        | "a list", [] -> Some []
        | "a list", [ item; Instance rest ] ->
            session.Objects[rest].Items |> Option.map (fun others -> item :: others)
        | _ -> None

    let holds =
        [
            if into = "a list" || into = "an array" then
                for value in held do
                    match value with
                    | Instance item when session.Objects[item].Kind = Kind.Plain ->
                        yield! session.Objects[item].ElementOperations
                    | Instance item when not session.Objects[item].Kind.IsSingleUse -> item
                    | _ -> ()
        ]

    session.Describe(
        id,
        fun object ->
            { object with
                DependsOn = session.Needs(held |> List.filter (fun value -> not value.IsFunction))
                Items = items
                ElementOperations = holds
            }
    )
    // A collection is complete if all its elements are.
    session.Implies(id, held)

    match items with
    | Some(_ :: _ as items) when session.AreComplete items -> session.Complete(Instance id)
    | _ -> ()

    Instance id

/// The case of a union that code makes.
let private caseOf (into: string) : (string * Condition) list =
    if into.StartsWith("a case ", StringComparison.Ordinal) then
        [ Symbol.lastPart into, Always true ]
    else
        []

/// Makes a value of others. `into`, `fields`: see Construct.
let make
    (session: Session)
    (code: Code)
    (parts: (Code * Value) list)
    (into: string)
    (fields: string list option)
    : Value =
    let isList = into = "a list" || into = "an array"
    let isFollowed = fields.IsSome && code.Kind = Kind.Plain
    let isOfSingleUse = parts |> List.exists (snd >> isUsedOnce session)

    for part, value in parts do
        // a single-use type is made of single-use values
        if code.Kind.IsSingleUse then session.Escape value
        // the operations in it are dropped with it
        elif isList && isOfTasks session value then ()
        elif isFollowed && isOfSingleUse then Uses.keep session part.At into value
        elif isFollowed && isOfTasks session value then ()
        else Uses.store session part.At into value

    let held =
        [
            for _, value in parts do
                match value with
                // a record, a case, a list and an array keep their functions
                | Function _ when fields.IsNone && not isList -> Unknown
                | value -> value
        ]

    match fields with
    | Some fields when isFollowed && not isOfSingleUse -> Case(List.zip fields held, caseOf into)
    // a copy of a record has the same single-use values
    | Some fields when isFollowed ->
        let made = makeObject session code held into

        for owner in Value.objects made do
            for field, value in List.zip fields held do
                match value with
                | Instance part when session.Objects[part].Kind.IsSingleUse ->
                    session.SetPart(owner, field, part)
                | _ -> ()

        made
    | _ -> makeObject session code held into

/// Stores the last of these values in a field, or in the place of a reference.
let set (session: Session) (scope: Scope) (code: Code) (parts: (Code * Value) list) (into: string) : unit =
    if into = Code.reference then
        if (fst (List.last parts)).Kind.IsSingleUse then
            Functions.wroteElements session scope

        // a number that an index may be
        match parts with
        | [ _, Instance place; _ ] -> session.ChangesMeanwhile place
        | _ -> ()

    match parts with
    | [ _, Instance owner; _ ] -> session.Forget(owner, into)
    | _ -> session.ForgetAll into

    session.PartialSummary.Writes <- session.PartialSummary.Writes.Add into

    make session code [ List.last parts ] into None |> ignore

/// The value in a field of a value; `part`: the part of an object without known fields. None: unknown.
let rec private held (owner: Value) (field: string) (part: int -> Value) : Value option =
    match owner with
    | Case(fields, _) ->
        fields
        |> List.tryFind (fst >> (=) field)
        |> Option.map snd
        |> Option.filter ((<>) Unknown)
    | OneOf owners ->
        match owners |> List.choose (fun owner -> held owner field part) with
        | [] -> None
        | held -> Some(held |> List.map Value.withoutCases |> List.reduce State.joinResults)
    | Instance id -> Some(part id)
    | _ -> None

/// Gives an object the facts about the value of a module or a field that it stands for.
let private shape (session: Session) (id: int) (value: Value) : unit =
    match value with
    | Deferred(blocking, waitsFor) ->
        session.Describe(id, fun object -> { object with DeferredBlocking = Some(blocking, waitsFor) })
    | Case(fields, _) -> session.Describe(id, fun object -> { object with KnownFields = fields })
    | Group items ->
        let fields = [ for index, item in List.indexed items -> string index, item ]
        session.Describe(id, fun object -> { object with Items = Some items; KnownFields = fields })
    | _ -> ()

/// An object stands for the result of these effects.
let private stand (session: Session) (id: int) (summary: Summary) : unit =
    shape session id summary.Returns.Value

    if summary.Returns.IsRemote then
        session.Describe(id, fun object -> { object with IsRemote = true })

/// The member of an object expression's object, by its full name: a function, or an object whose enumeration blocks.
let ``member`` (session: Session) (at: range) (object: Value) (name: string) : Value option =
    let find (fields: (string * Value) list) =
        fields |> List.tryFind (fst >> (=) name) |> Option.map snd

    match object with
    | Case(fields, _) -> find fields
    | Instance id ->
        find session.Objects[id].KnownFields
        |> Option.map (fun value ->
            let part = session.Part(id, name, Kind.Plain, at, Origin.Member)
            shape session part value
            Instance part)
    | _ -> None

/// Gives the known facts to a part of such an object.
let private shapePart (session: Session) (id: int) (part: int) (name: string) : unit =
    for other, value in session.Objects[id].KnownFields do
        if other = name then
            shape session part value

/// Reads a field of a record or an object.
let field
    (session: Session)
    (code: Code)
    (owner: Value)
    (name: string)
    (isMutable: bool)
    (initial: string)
    : Value =
    let another () =
        Instance(session.New(code.Kind, name, code.At, Origin.Member))

    held owner name (fun id ->
        if isMutable && code.Kind.IsSingleUse then
            another ()
        else
            let part =
                match Parts.partOf session id name code.Kind code.At with
                | Instance part when not isMutable -> part
                | _ -> session.Part(id, name, code.Kind, code.At, Origin.Member)

            if not isMutable then
                session.Fix part

            shapePart session id part name

            if code.Kind = Kind.Plain then
                session.SummaryOfField initial |> Option.iter (stand session part)

            Instance part)
    |> Option.map (if isMutable then Value.withoutCases else id)
    |> Option.defaultWith another

/// Reads a field of a case of a union.
let content (session: Session) (code: Code) (owner: Value) (name: string) : Value =
    let another () =
        match owner with
        // of a case that the code never makes
        | Case(_, _ :: _) when code.Kind = Kind.Task -> session.NewNull code.At
        | _ -> Instance(session.New(code.Kind, name, code.At, Origin.Member))

    held owner name (fun id ->
        let part =
            match name, session.FindPart(id, "[value]") with
            // the code read it by a property before
            | ("Some.Value" | "ValueSome.Item"), Some known -> known
            | _ -> session.Part(id, name, code.Kind, code.At, Origin.Element id)

        session.Fix part
        shapePart session id part name

        if Parts.isSole name then
            Parts.completes session part id

        Instance part)
    |> Option.defaultWith another

/// Reads an item of a tuple.
let item (session: Session) (code: Code) (tuple: Value) (index: int) : Value =
    match tuple with
    | Group items when index < items.Length -> items[index]
    | Instance id ->
        let part = Parts.partOf session id (string index) code.Kind code.At

        for part in Value.objects part do
            session.Fix part
            shapePart session id part (string index)

        part
    | _ -> Unknown

/// Reads a value of a module, or a static field.
let readGlobal (session: Session) (code: Code) (name: string) (isMutable: bool) : Value =
    if code.Kind.IsSingleUse && isMutable then
        Instance(session.New(code.Kind, name, code.At, Origin.Member))
    else
        let id = session.Part(-1, name, code.Kind, code.At, Origin.Member)

        if not isMutable then
            session.Fix id

            match session.SummaryOfValue name with
            | Some { Returns = { Value = CompletedTask [] } } when code.Kind.IsSingleUse ->
                session.Complete(Instance id)
                session.Describe(id, fun made -> { made with CreatedBy = Some IsComplete })
            | Some summary when code.Kind = Kind.Plain -> stand session id summary
            | _ -> ()

        Instance id
