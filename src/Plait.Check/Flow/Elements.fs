// Elements of collections: their objects, and the functions that run over them.
module internal Plait.Check.Elements

open FSharp.Compiler.Text

/// It is a sequence of tasks that are complete.
let private isOfComplete (session: Session) (id: int) : bool =
    match session.Objects[id].Made with
    | Some(EachComplete _) -> true
    | _ -> false

/// An element of a collection, or the content of an option.
let rec element (session: Session) (owner: Value) (kind: Kind) (at: range) : Value =
    match owner with
    | Case fields -> fields |> List.map snd |> List.fold State.joinResults Unknown
    | OneOf owners ->
        owners
        |> List.map (fun owner -> element session owner kind at)
        |> List.fold State.joinResults Unknown
    | Instance id ->
        match kind with
        | Kind.Task when isOfComplete session id -> session.NewWinner(session.Objects[id].Among, at)
        // each element is used once
        | Kind.SingleUse _ -> Instance(session.New(kind, "", at, Origin.Element id))
        | _ -> Instance(session.Part(id, "element", kind, at, Origin.Element id))
    | _ -> Unknown

/// The element of a collection with this number, the same one each time.
let numbered (session: Session) (owner: int) (place: string) (at: range) : Value =
    Instance(session.Part(owner, $"[{place}]", Kind.Task, at, Origin.Indexed owner))

/// Elements for the parameters of a function that are not given yet.
let arguments (session: Session) (owner: Value) (closure: Closure) : Value list =
    closure.Parameters
    |> List.skip (min closure.Given.Length closure.Parameters.Length)
    |> List.map (fun parameter -> element session owner parameter.Kind parameter.At)

/// Runs a function with an element of a collection. Returns the element and the function's result.
let runOver (session: Session) (scope: Scope) (owner: Value) (closure: Closure) : Value list * Value =
    let elements = arguments session owner closure
    elements, Functions.run session scope closure elements

/// Takes turns that each get an element of a collection. Where every turn ends with it complete, all of them are.
let over (session: Session) (scope: Scope) (owner: Value) (turn: Scope -> Value list) : unit =
    let mutable isEach = true

    Functions.repeat session scope false (fun scope ->
        let elements = turn scope |> List.collect Value.objects

        isEach <-
            isEach
            && not elements.IsEmpty
            && (not session.State.IsAlive || List.forall session.IsComplete elements))

    if isEach then
        session.Complete owner

/// Runs a function that chooses elements of a collection. Returns whether the elements for which it is true, or its
/// results for them, are complete; and whether the others are.
let private chosen (session: Session) (scope: Scope) (closure: Closure) (from: Value) : bool * bool =
    let before = session.State
    let elements, answer = runOver session scope from closure
    let after = session.State

    let are =
        match answer with
        | Test condition ->
            let ``when`` isTrue =
                session.State <- after
                Conditions.assume session condition isTrue
                session.AreComplete elements

            ``when`` true, ``when`` false
        | made -> session.AreComplete [ made ], false

    session.State <- State.join before { after with Facts = before.Facts }
    are

/// A call that chooses elements of a collection by a function; nothing if the function is not known.
let private choosing
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (predicate: int)
    (from: int)
    (action: bool * bool -> Value option)
    : Value option =
    match call.Argument predicate with
    | Function closure -> action (chosen session scope closure (call.Argument from))
    | _ -> None

/// The result has the elements for which the function is true, or its results for them.
let keep (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    choosing session scope call predicate from (fun (areComplete, _) ->
        if areComplete then
            session.Complete(Instance call.Result)

        None)

/// The results are the elements for which the function is true, and the others.
let split (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    let others = Instance(Operations.made session call.Code call.Arguments)

    choosing session scope call predicate from (fun (areComplete, areOthersComplete) ->
        if areComplete then
            session.Complete(Instance call.Result)

        if areOthersComplete then
            session.Complete others

        Some(Group [ Instance call.Result; others ]))

/// The result is true when the function is true for all elements.
let tellAll (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    choosing session scope call predicate from (fun (areComplete, _) ->
        if areComplete then Some(Test(Complete(call.Argument from, None))) else None)

/// The result is true when the function is true for any element.
let tellAny (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    choosing session scope call predicate from (fun (_, areOthersComplete) ->
        if areOthersComplete then
            Some(Test(Opposite(Complete(call.Argument from, None))))
        else
            None)

/// The result is an element, by its place.
let take (session: Session) (call: Invocation) (index: int) : Value option =
    let ofInstance (owner: int) : Value =
        let items = session.Objects[owner].Items

        let number =
            match call.Arguments with
            | [ a; b ] -> if index = 0 then b else a
            | _ -> Unknown

        let isOneOf (items: Value list) (place: FirstPlace) =
            items |> List.exists (fun item -> List.exists (snd >> (=) item) place.Numbered)

        // the same place of an array or an F# list is the same element, until something is put there
        let isFixed = call.Callee.Name.StartsWith "Microsoft.FSharp."

        match number, items, call.Code.Kind with
        | Constant number, Some items, _ when isFixed && number >= 0 && number < items.Length -> items[number]
        // a number of the awaited tasks, in their collection or in the one that it was made from
        | FoundAt place, None, Kind.Task -> place.First
        | FoundAt place, Some items, Kind.Task when isOneOf items place || place.Numbered.IsEmpty ->
            place.First
        | Constant number, _, Kind.Task when isFixed -> numbered session owner (string number) call.At
        | Instance id, _, Kind.Task when isFixed -> numbered session owner $"object {id}" call.At
        | _, _, kind -> Instance(session.New(kind, "", call.At, Origin.Indexed owner))

    match call.Argument index with
    | Case _
    | OneOf _ as owner -> Some(element session owner call.Code.Kind call.At)
    | Instance owner when isOfComplete session owner ->
        Some(element session (Instance owner) call.Code.Kind call.At)
    | Instance owner -> Some(ofInstance owner)
    | _ -> None

/// The first element of a queue or the like, the same one each time.
let first (session: Session) (call: Invocation) (owner: Value) : Value option =
    match owner, call.Code.Kind with
    | Instance id, kind when not kind.IsSingleUse ->
        Some(Instance(session.Part(id, "[first]", kind, call.At, Origin.Indexed id)))
    | _ -> None

/// The elements of a collection are others from here on.
let change (session: Session) (owner: Value) : unit =
    match owner with
    | Instance id -> session.ForgetElements id
    | _ -> ()

/// The first element, which is taken out.
let takeOut (session: Session) (call: Invocation) (owner: Value) : Value option =
    let taken = first session call owner
    change session owner
    taken
