// Variables: their values, and whether code reads them.
module internal Plait.Check.Variables

/// Gives an object without a name the name of a variable.
let private name (session: Session) (variable: Variable) (value: Value) : unit =
    match value with
    | Instance id when not variable.IsGenerated && session.Objects[id].Name = "" ->
        session.Describe(
            id,
            fun object ->
                { object with
                    Name = variable.Name
                    At = if object.Origin = Origin.Created then object.At else variable.At
                }
        )
    | _ -> ()

/// The single-use values of several paths as one object, the value of a variable.
let private oneOf (session: Session) (variable: Variable) (values: Value list) : Value =
    let isOwn (value: Value) =
        match value with
        | Instance id ->
            let object = session.Objects[id]
            let fact = session.Fact id

            object.Kind.IsSingleUse
            && object.Origin = Origin.Created
            && object.Name = ""
            && fact.Uses.IsEmpty
            && not fact.HasEscaped
        | _ -> false

    if variable.IsMutable || not (List.forall isOwn values) then
        OneOf values
    else
        let id = session.New(variable.Kind, "", variable.At, Origin.Created)
        let from = session.Needs values
        session.Describe(id, fun made -> { made with DependsOn = from })
        session.Implies(id, values)
        List.iter session.Observe values

        if session.AreComplete values then
            session.Complete(Instance id)

        Instance id

let private bindTo (session: Session) (variable: Variable) (isReadOnce: bool) (value: Value) : unit =
    let value =
        match value with
        | Unknown -> Instance(session.New(variable.Kind, "", variable.At, Origin.Awaited))
        | OneOf values -> oneOf session variable values
        | value -> value

    name session variable value

    if not isReadOnce then
        for id in Value.objects value do
            session.Describe(id, fun object -> { object with HasReaders = true })

    if variable.IsMutable then
        // in a later turn of a loop it may be another case
        let value = Value.withoutCases value
        session.State <- { session.State with Mutables = Map.add variable.Id value session.State.Mutables }
    else
        session.Values[variable.Id] <- value

let bind (session: Session) (variable: Variable) (value: Value) : unit = bindTo session variable false value

/// The operation may run on: no Async, which runs nothing, and no block without an await, which has ended.
let private isWork (object: Instance) : bool =
    match object.Kind, object.Producer with
    | Kind.Cold, _ -> false
    | _, Some(Producer.Block body) -> Reading.awaits body
    | _ -> true

/// A mutable variable gets another value: the operation in it is lost, if the code has not read the variable.
let overwrite (session: Session) (scope: Scope) (variable: Variable) : unit =
    match Map.tryFind variable.Id session.State.Mutables with
    | Some(Instance id as lost) when
        session.Objects[id].Name = variable.Name
        && not (session.Read.Contains variable.Id)
        && isWork session.Objects[id]
        ->
        Uses.drop session scope lost session.Objects[id].At "overwritten"
    | _ -> ()

/// Reads a variable.
let read (session: Session) (scope: Scope) (variable: Variable) : Value =
    let value =
        if variable.IsMutable && session.WrittenMeanwhile.Contains variable.Id then
            match Map.tryFind variable.Id session.State.Mutables with
            | Some value when not variable.Kind.IsSingleUse ->
                // as an index it may be another number at each read
                Value.objects value |> List.iter session.ChangesMeanwhile
                value
            | _ -> Instance(session.New(variable.Kind, variable.Name, variable.At, Origin.Member))
        elif variable.IsMutable then
            Map.tryFind variable.Id session.State.Mutables |> Option.defaultValue Unknown
        else
            match session.Values.TryGetValue variable.Id with
            | true, value -> value
            | _ ->
                let made =
                    Instance(session.New(variable.Kind, variable.Name, variable.At, Origin.Awaited))

                session.Values[variable.Id] <- made
                made

    session.Read.Add variable.Id |> ignore

    for id in Value.objects value do
        scope.Reads.Add id |> ignore

    value

/// Binds a variable to the value of some code, and interprets the body after it. If the body never reads the value, it
/// is dropped.
let bindIn
    (session: Session)
    (scope: Scope)
    (variable: Variable)
    (code: Code)
    (value: Value)
    (body: Code)
    : Value =
    bindTo session variable (Reading.readsOnce variable body) value

    if variable.IsMutable then
        session.Depths[variable.Id] <- scope.Depth

    let bound =
        if variable.IsMutable then
            (if Code.writes variable body then Unknown else value)
        else
            session.Values[variable.Id]

    let wasRead = session.Read.Remove variable.Id
    let result = session.Eval(scope, body)

    if
        session.State.IsAlive
        && not (session.Read.Contains variable.Id || Code.reads variable body)
    then
        Uses.drop session scope bound code.At "never looked at"

    let parts =
        match value with
        | Group items -> [ for index, item in List.indexed items -> string index, item ]
        | Case(fields, _) -> fields
        | _ -> []

    // a part of a pattern without a name, or of a record or a case that the code makes here
    if
        (variable.IsGenerated || Reading.makes code && not variable.IsMutable)
        && not parts.IsEmpty
        && session.State.IsAlive
    then
        for read in Option.toList (Reading.partsRead variable body) do
            for name, part in parts do
                if not (read.Contains name || List.exists session.HasReaders (Value.objects part)) then
                    Uses.drop session scope part code.At "never looked at"

    if wasRead then
        session.Read.Add variable.Id |> ignore

    result
