// Elements of collections: their objects, and the functions that run over them.
module internal Plait.Check.Elements

/// The parameters of a partially applied function.
let missing (closure: Closure) : Variable list =
    List.skip (min closure.Applied.Length closure.Parameters.Length) closure.Parameters

/// Elements for some parameters of a function. `ofPairs`: the elements are pairs, and a function of two parameters gets
/// their halves.
let arguments (session: Session) (owner: Value) (ofPairs: bool) (parameters: Variable list) : Value list =
    match parameters with
    | [ first; second ] when ofPairs ->
        match Parts.element session owner Kind.Plain first.At with
        | Instance pair ->
            [
                for index, parameter in List.indexed [ first; second ] do
                    let half = Parts.partOf session pair (string index) parameter.Kind parameter.At
                    Value.objects half |> List.iter session.Fix
                    half
            ]
        | _ -> [ Unknown; Unknown ]
    | parameters ->
        match owner with
        // the last parameters get the elements of several collections
        | Group owners when not owners.IsEmpty && parameters.Length >= owners.Length ->
            let first = parameters.Length - owners.Length

            [
                for index, parameter in List.indexed parameters do
                    if index < first then
                        Unknown
                    else
                        Parts.element session owners[index - first] parameter.Kind parameter.At
            ]
        | _ -> [ for parameter in parameters -> Parts.element session owner parameter.Kind parameter.At ]

/// Runs a function with an element of a collection. Returns the element and the function's result.
let runOver
    (session: Session)
    (scope: Scope)
    (owner: Value)
    (ofPairs: bool)
    (closure: Closure)
    : Value list * Value =
    let elements = missing closure |> arguments session owner ofPairs
    elements, Functions.run session scope closure elements

/// Runs iterations that each get an element of a collection. If the element is complete after every iteration, all
/// elements are. `isKept`: each enumeration gives the same elements, so an iteration uses up the single-use values in
/// the collection.
let over (session: Session) (scope: Scope) (owner: Value) (isKept: bool) (turn: Scope -> Value list) : unit =
    let mutable isEach = true
    let mutable last = []
    // parts of the element that each iteration completes
    let mutable parts: Set<int> option = None

    Functions.repeat session scope false (fun scope ->
        Value.objects owner |> List.iter session.NextElement
        last <- turn scope |> List.collect Value.objects

        isEach <-
            isEach
            && not last.IsEmpty
            && (not session.State.IsAlive || List.forall session.IsComplete last)

        parts <- Parts.completeToo session parts last)

    if isEach then
        session.Complete owner

    for part in Option.defaultValue Set.empty parts do
        session.Complete(Instance part)

    match owner, last with
    | Instance collection, [ id ] when isKept && session.Objects[id].Kind.IsSingleUse ->
        let fact = session.Fact id

        match fact.Uses with
        | used :: _ when not fact.HasEscaped ->
            let all =
                session.Part(
                    collection,
                    "[all]",
                    session.Objects[id].Kind,
                    used.At,
                    Origin.Element collection
                )

            Uses.consume session scope (Instance all) used.At used.How
        | _ -> ()
    | _ -> ()

/// The facts about elements if a function over them is true, or false.
[<RequireQualifiedAccess>]
type private PredicateFacts =
    | Nothing
    /// The elements are complete.
    | Complete
    /// These parts of the elements are complete.
    | Parts of root: int * parts: int list

/// Runs a function that chooses elements of a collection. Returns the facts about the chosen elements, or about the
/// function's results; and the facts about the others. `areResults`: the call returns the function's results.
let private chosen
    (session: Session)
    (scope: Scope)
    (areResults: bool)
    (closure: Closure)
    (from: Value)
    (ofPairs: bool)
    : PredicateFacts * PredicateFacts * Value =
    let before = session.State
    let elements, answer = runOver session scope from ofPairs closure
    let after = session.State

    let roots =
        [
            for id in List.collect Value.objects elements do
                match session.Owner id with
                // the half of a pair
                | Some struct (pair, _) when ofPairs -> pair
                | _ -> id
        ]
        |> List.distinct

    let ``when`` isTrue =
        session.State <- after
        Conditions.assumeValue session answer isTrue

        if session.AreComplete elements then
            PredicateFacts.Complete
        else
            match [ for root in roots -> root, session.CompleteParts root ] with
            | [ root, (_ :: _ as parts) ] -> PredicateFacts.Parts(root, parts)
            | _ -> PredicateFacts.Nothing

    let are, others =
        if answer.IsTest || not areResults then
            ``when`` true, ``when`` false
        else
            let areComplete = session.AreComplete [ answer ]
            (if areComplete then PredicateFacts.Complete else PredicateFacts.Nothing), PredicateFacts.Nothing

    session.State <- State.join before { after with Facts = before.Facts }
    are, others, answer

/// The facts about the chosen elements hold for the result: a collection, an option, or the element itself.
let private settle (session: Session) (call: Invocation) (result: int) (found: PredicateFacts) : unit =
    match found with
    | PredicateFacts.Nothing -> ()
    | PredicateFacts.Complete -> session.Complete(Instance result)
    | PredicateFacts.Parts(root, parts) ->
        let element = session.Objects[root].Kind

        let places =
            [
                result
                session.Part(result, "element", element, call.At, Origin.Element result)
                session.Part(result, "Some.Value", element, call.At, Origin.Element result)
                session.Part(result, "ValueSome.Item", element, call.At, Origin.Element result)
            ]

        for part in parts do
            for place in places do
                session.Complete(Instance(session.PartLike(root, part, place)))

/// The condition in which elements have these facts.
let private testOf (from: Value) (found: PredicateFacts) : Condition option =
    match found with
    | PredicateFacts.Nothing -> None
    | PredicateFacts.Complete -> Some(Complete(from, None))
    | PredicateFacts.Parts(_, parts) -> Some(Complete(Group(List.map Instance parts), None))

/// Whether the functions of a call get the halves of pairs.
let ofPairs (call: Invocation) : bool =
    call.Effects
    |> List.exists (fun effect ->
        match effect with
        | OverPairs _ -> true
        | _ -> false)

/// A call that chooses elements by a function; nothing if the function is not known.
let private choosing
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (predicate: int)
    (from: int)
    (action: PredicateFacts * PredicateFacts * Value -> Value option)
    : Value option =
    let areResults =
        List.contains (Symbol.lastPart call.Callee.Name) [ "Choose"; "Pick"; "TryPick" ]

    match call.Argument predicate with
    | Function closure -> action (chosen session scope areResults closure (call.Argument from) (ofPairs call))
    | _ -> None

/// The result has elements of the argument, with the same facts.
let select (session: Session) (call: Invocation) (from: Value) : unit =
    session.Implies(call.Result, [ from ])

    match from with
    | Instance owner ->
        let source = session.Objects[owner]
        let isOfComplete = Operations.isOfComplete session owner

        session.Describe(
            call.Result,
            fun made ->
                { made with
                    ElementOperations = source.ElementOperations
                    PartOperations = source.PartOperations
                    PartsFrom = source.PartsFrom
                    ElementFrom = source.ElementFrom
                    MadeOf = [ from ]
                    CreatedBy = if isOfComplete then source.CreatedBy else made.CreatedBy
                    FirstOf = source.FirstOf
                }
        )

        if session.IsComplete owner then
            session.Complete(Instance call.Result)

        match session.FindPart(owner, "element") with
        | Some root ->
            match session.CompleteParts root with
            | [] -> ()
            | parts -> settle session call call.Result (PredicateFacts.Parts(root, parts))
        | None -> ()
    | _ -> ()

/// The result has the elements for which the function is true, or the function's results.
let keep (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    choosing session scope call predicate from (fun (are, areOthers, answer) ->
        settle session call call.Result are

        let isSome =
            match answer with
            | Test _ -> testOf (call.Argument from) areOthers |> Option.map Not
            | _ -> None

        session.Describe(call.Result, fun made -> { made with NonEmptyWhen = isSome })

        match answer, call.Argument from with
        | Test _, (Instance owner as source) ->
            session.Describe(
                call.Result,
                fun made -> { made with MadeOf = [ source ]; PartsFrom = session.Objects[owner].PartsFrom }
            )
        | _ -> ()

        match answer with
        | Test _ -> ()
        | made -> Operations.hold session call.Code call.Result made

        None)

/// The results are the elements for which the function is true, and the others.
let split (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    let others = Operations.made session call.Code call.Arguments

    choosing session scope call predicate from (fun (are, areOthers, _) ->
        settle session call call.Result are
        settle session call others areOthers
        Some(Group [ Instance call.Result; Instance others ]))

/// A test over constant elements: it is true if it is true for one of them, or for all.
let private ofConstants
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (predicate: int)
    (from: int)
    : Value option =
    let items =
        match call.Argument from with
        | Instance id -> session.Objects[id].Items |> Option.defaultValue []
        | _ -> []

    let isConstant (item: Value) =
        match item with
        | Constant _ -> true
        | _ -> false

    match call.Argument predicate with
    | Function closure when not items.IsEmpty && items.Length < 10 && List.forall isConstant items ->
        let ways =
            [
                for item in items do
                    let answer = Functions.run session scope closure [ item ]
                    answer, session.State
            ]

        Some(Test(Conditions.refinementOf session ways session.State))
    | _ -> None

/// The result is true when the function is true for all elements.
let tellAll (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    ofConstants session scope call predicate from
    |> Option.orElseWith (fun () ->
        choosing session scope call predicate from (fun (are, _, _) ->
            testOf (call.Argument from) are |> Option.map Test))

/// The result is true when the function is true for any element.
let tellAny (session: Session) (scope: Scope) (call: Invocation) (predicate: int) (from: int) : Value option =
    ofConstants session scope call predicate from
    |> Option.orElseWith (fun () ->
        choosing session scope call predicate from (fun (_, others, _) ->
            testOf (call.Argument from) others |> Option.map (Not >> Test)))

/// The condition that the result of a choice has an element, or that a Result is an Ok.
let tellSome (session: Session) (chosen: Value) : Condition option =
    match chosen with
    | Instance id -> session.Objects[id].NonEmptyWhen |> Option.orElse (Some(Not(Empty chosen)))
    | Case(_, cases) -> Conditions.isCase (Conditions.fullCase cases) chosen
    | _ -> None

/// The result is an element, by its index.
let take (session: Session) (call: Invocation) (index: int) : Value option =
    let ofInstance (owner: int) : Value =
        let items = session.Objects[owner].Items

        let number =
            match call.Arguments with
            | [ a; b ] -> if index = 0 then b else a
            | _ -> Unknown

        let isOneOf (items: Value list) (place: CompletedIndex) =
            items |> List.exists (fun item -> List.exists (snd >> (=) item) place.ByIndex)

        // An index of an array or an F# list gives the same element until the code writes there; the same single-use element
        // only if neither the collection nor the index is read from a place that changes.
        let isFixed =
            call.Callee.Name.StartsWith "Microsoft.FSharp."
            && (not call.Code.Kind.IsSingleUse || session.HasFixedElements owner)

        let place =
            match number, Symbol.lastPart call.Callee.Name with
            | Constant number, _ -> Some(string number)
            | _, ("Head" | "get_Head") when not (call.Callee.Name.Contains ".SeqModule.") -> Some "0"
            | _, ("get_Value" | "GetValue") -> Some "value"
            | _ -> None

        match number, items, call.Code.Kind with
        | Constant number, Some items, (Kind.Task | Kind.Cold | Kind.Plain) when
            isFixed && number >= 0 && number < items.Length
            ->
            items[number]
        // an index into the awaited tasks: in their collection, or in the one that it was made from
        | CompletedAt place, None, Kind.Task -> place.First
        | CompletedAt place, Some items, Kind.Task when isOneOf items place || place.ByIndex.IsEmpty ->
            place.First
        | _, _, Kind.Task when place = Some "value" && (Parts.content session owner).IsSome ->
            Instance (Parts.content session owner).Value
        | _, _, (Kind.Task | Kind.SingleUse _ as kind) when isFixed && place.IsSome ->
            Parts.numbered session owner place.Value kind call.At
        | Instance id, _, (Kind.Task | Kind.SingleUse _ as kind) when
            isFixed && (not kind.IsSingleUse || session.IsFixed id)
            ->
            Instance(session.ElementAt(owner, id, kind, call.At))
        | _, _, kind -> Instance(session.New(kind, "", call.At, Origin.Indexed owner))

    match call.Argument index with
    | Case _
    | OneOf _ as owner -> Some(Parts.element session owner call.Code.Kind call.At)
    | Instance owner when Operations.isOfComplete session owner ->
        Some(Parts.element session (Instance owner) call.Code.Kind call.At)
    | Instance owner -> Some(ofInstance owner)
    | _ -> None

/// The first element of a queue or the like, the same one each time.
let first (session: Session) (call: Invocation) (owner: Value) : Value option =
    match owner, call.Code.Kind with
    | Instance id, kind when not kind.IsSingleUse ->
        Some(Instance(session.Part(id, "[first]", kind, call.At, Origin.Indexed id)))
    | _ -> None

/// From here on the elements of the collection are others.
let change (session: Session) (scope: Scope) (owner: Value) : unit =
    match owner with
    | Instance id ->
        session.ForgetElements id

        if scope.IsElsewhere then
            session.ChangesMeanwhile id
    | _ -> ()

/// Removes the first element and returns it.
let takeOut (session: Session) (scope: Scope) (call: Invocation) (owner: Value) : Value option =
    let taken = first session call owner
    change session scope owner
    taken
