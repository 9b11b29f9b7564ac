// Functions that are arguments of a call: their own arguments, how often they run, and the call's result from theirs.
module internal Plait.Check.Callbacks

open FSharp.Compiler.Text

/// The collection whose elements the functions get; several: they get an element of each.
let owner (call: Invocation) : Value =
    let owners =
        call.Effects
        |> List.choose (fun effect ->
            match effect with
            | Over index
            | OverPairs index -> Some(call.Argument index)
            | _ -> None)

    match owners with
    | [] -> Unknown
    | [ one ] -> one
    | several -> Group several

/// The number of arguments of the functions: an element of each collection or its halves, its index, the state of a fold.
let givenTo (call: Invocation) : int =
    let isIndexed = call.Callee.Name.Contains "Indexed"

    let ofEffects =
        call.Effects
        |> List.sumBy (fun effect ->
            match effect with
            | Over _
            | Folds _
            | FoldsBack _
            | FoldsOnce _ -> 1
            | OverPairs _ -> 2
            | _ -> 0)

    max 1 ((if isIndexed then 1 else 0) + ofEffects)

/// The collection gives the same elements on each enumeration.
let private isKept (call: Invocation) : bool =
    call.Callee.Name.StartsWith "Microsoft.FSharp.Collections.ListModule."
    || call.Callee.Name.StartsWith "Microsoft.FSharp.Collections.ArrayModule."

/// The result enumerates the sequence of a function.
let private hasLater (session: Session) (call: Invocation) (made: Value) : unit =
    if call.Code.Kind = Kind.Plain then
        match Operations.deferred session made with
        // no function
        | Some({ Arguments = 0 }, _) as defers ->
            session.Describe(call.Result, fun result -> { result with DeferredBlocking = defers })
        | _ -> ()

/// Calls a value that may be a function, with so many arguments: a parameter, or a function of a module or a record that blocks.
let callKept
    (session: Session)
    (scope: Scope)
    (at: range)
    (callee: Callee)
    (count: int)
    (value: Value)
    : unit =
    Functions.noteCall session scope value
    Functions.ranUnknown session value

    if (Operations.partially session at value count).IsNone then
        BlockingCalls.force session scope at callee value

/// Calls a function exactly once. Returns its result.
let once (session: Session) (scope: Scope) (at: range) (callee: Callee) (callback: Value) : Value option =
    match callback with
    | Function closure ->
        let scope = Functions.calling session scope at callee closure
        Some(Elements.runOver session scope Unknown false closure |> snd)
    | value ->
        callKept session scope at callee 1 value
        None

/// Calls a function at most once.
let perhaps (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
    match callback with
    | Function closure ->
        let mutable made = Unknown
        let scope = Functions.calling session scope call.At call.Callee closure

        Paths.either
            session
            [
                ignore
                fun () ->
                    made <- snd (Elements.runOver session scope (owner call) (Elements.ofPairs call) closure)
                    Operations.hold session call.Code call.Result made
            ]

        hasLater session call made

        // the sequence of the function
        if call.Callee.Name.EndsWith "SeqModule.Delay" && (Operations.deferred session made).IsNone then
            session.Describe(call.Result, fun result -> { result with MadeOf = [ made ] })

        // an option or a sequence of its results
        if call.Code.Kind = Kind.Plain && made <> Unknown then
            session.Implies(call.Result, [ made ])
    | value -> callKept session scope call.At call.Callee 1 value

/// An element of a collection, or a part of one: each iteration has another object, also if an earlier call has read
/// it.
let rec private isOfElement (session: Session) (owner: Value) (id: int) : bool =
    match session.Objects[id].Origin, session.Owner id with
    | Origin.Element collection, _ -> List.contains collection (Value.objects owner)
    | _, Some struct (whole, _) when whole >= 0 -> isOfElement session owner whole
    | _ -> false

/// Uses up the single-use value from outside that a function returns in each iteration. `owner`: the collection that
/// gives the function its elements.
let private useUp
    (session: Session)
    (scope: Scope)
    (owner: Value)
    (closure: Closure)
    (first: int)
    (made: Value)
    : unit =
    for id in Value.objects made do
        if
            id < first
            && session.Objects[id].Kind.IsSingleUse
            && not (session.IsComplete id || isOfElement session owner id)
        then
            Uses.consume session scope (Instance id) closure.Body.At "returned"

/// The result has the function's result for each element.
let private isMap (call: Invocation) : bool =
    call.Code.Kind = Kind.Plain
    && List.contains
        (Symbol.lastPart call.Callee.Name)
        [ "Map"; "MapIndexed"; "Map2"; "MapIndexed2"; "Map3"; "Select" ]
    && not (call.Callee.Name.Contains ".MapModule." || call.Callee.Name.Contains "OptionModule.")

/// The parts of a tuple or a record that a function makes for each element, if each is an element or a value from outside.
let private partsOf
    (session: Session)
    (owner: Value)
    (first: int)
    (made: Value)
    : (string * PartOrigin) list =
    let fields =
        match made with
        | Group items -> [ for index, item in List.indexed items -> string index, item ]
        | Case(fields, _) -> fields
        | _ -> []

    [
        for name, value in fields do
            match value with
            | Instance id when
                session.Objects[id].Kind = Kind.Task && (id < first || isOfElement session owner id)
                ->
                name, PartOrigin.Same value
            | _ -> ()
    ]

/// Runs two iterations of a function over a collection. `turn` returns the elements, and the function's result.
let turns
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (owner: Value)
    (turn: Scope -> Value list * Value)
    : unit =
    let first = session.Objects.Count
    let mutable follows = true
    let mutable parts = []
    let mutable areComplete = true

    Elements.over session scope owner (isKept call) (fun scope ->
        let elements, made = turn scope
        Operations.hold session call.Code call.Result made
        hasLater session call made
        areComplete <- areComplete && session.AreComplete [ made ]

        if isMap call then
            let from = partsOf session owner first made
            session.Describe(call.Result, fun result -> { result with PartsFrom = from })

        // a part of each element is the same object in each iteration, by itself or in a collection of its own
        parts <-
            [
                for value in Parts.known session made do
                    match value with
                    | Instance id when session.Objects[id].Origin = Origin.Member -> value
                    // an item of the element that is an element of another collection
                    | Instance id when
                        session.Objects[id].Origin.IsElement && not (List.contains value elements)
                        ->
                        value
                    | _ -> ()
            ]

        let implied = session.SurelyImpliedBy made

        let isImplied element =
            match Value.objects element with
            | [] -> false
            | objects -> List.forall implied.Contains objects

        // the result for each element: the element, or a value that completes with it
        follows <- follows && made <> Unknown && List.forall isImplied elements
        elements)

    let implied = if follows && owner <> Unknown then owner :: parts else parts

    if not implied.IsEmpty then
        session.Change(call.Result, (fun fact -> { fact with Implies = implied @ fact.Implies }))

    if areComplete && call.Code.Kind = Kind.Plain then
        session.Complete(Instance call.Result)

    let isLazy = call.Effects |> List.exists _.IsForcesLater
    let created = session.Objects[call.Result].ElementOperations

    // not an operation of a cache, nor one that the function keeps
    let isNew (id: int) =
        id >= first
        && session.Objects[id].IsNew
        && not (session.Objects[id].MayDrop || (session.Fact id).HasEscaped)

    if isLazy && not created.IsEmpty && List.forall isNew created then
        session.Describe(call.Result, fun result -> { result with MakesElements = true })

/// Drops the operations in parts of the elements, if the function leaves these parts out and no other code reads the collection.
let dropParts (session: Session) (scope: Scope) (at: range) (owner: Value) (closure: Closure) : unit =
    match owner, Elements.missing closure with
    | Instance id, [ element ] when not session.Objects[id].PartOperations.IsEmpty ->
        for read in Option.toList (Reading.partsRead element closure.Body) do
            for name, operations in session.Objects[id].PartOperations do
                if not (read.Contains name || List.exists session.HasReaders operations) then
                    for operation in List.truncate 1 operations do
                        Uses.leaveOut session scope operation at
    | _ -> ()

/// Calls a function any number of times.
let many (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
    match callback with
    | Function closure ->
        let owner = owner call
        let first = session.Objects.Count
        let scope = Functions.calling session scope call.At call.Callee closure

        turns session scope call owner (fun scope ->
            let elements, made =
                Elements.runOver session scope owner (Elements.ofPairs call) closure

            useUp session scope owner closure first made
            elements, made)

        dropParts session scope call.At owner closure
    // the table has one line for functions with the collection at another place
    | value when value = owner call ->
        Functions.noteCall session scope value
        BlockingCalls.force session scope call.At call.Callee value
    | value -> callKept session scope call.At call.Callee (givenTo call) value

/// Calls a function later or on another thread: with a completed operation, or with the first completed one of several.
/// Returns its result.
let later (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : Value =
    let operation =
        call.ArgumentOf(fun effect ->
            match effect with
            | CallsWhenComplete index -> Some index
            | _ -> None)

    let racing =
        call.ArgumentOf(fun effect ->
            match effect with
            | CallsWithFirst index -> Some index
            | _ -> None)

    match callback, racing, operation with
    | Function closure, Some racing, _ ->
        let winners =
            [
                for parameter in closure.Parameters do
                    match parameter.Kind with
                    | Kind.Task ->
                        session.NewFirstCompleted(Operations.tasks session [ racing ], parameter.At)
                    | _ -> Unknown
            ]

        Functions.runElsewhere session scope true closure winners |> ignore
        Unknown
    | Function closure, None, Some operation ->
        let before = session.State
        session.Complete operation

        let completed =
            [
                for parameter in closure.Parameters do
                    let id = session.New(parameter.Kind, parameter.Name, parameter.At, Origin.Awaited)
                    session.Complete(Instance id)
                    Instance id
            ]

        let made = Functions.runElsewhere session scope true closure completed
        session.ForgetCompletions before |> ignore
        made
    | Function closure, None, None -> Functions.runElsewhere session scope true closure []
    | value, _, _ ->
        session.Observe value
        Unknown

/// The result uses the objects of a function for as long as it lives: a timer, an agent, a registration.
let outlives (session: Session) (call: Invocation) (callback: Value) : unit =
    let from = session.Needs [ callback ]
    session.Describe(call.Result, fun made -> { made with DependsOn = made.DependsOn + from; IsLazy = true })

/// Calls a function when the result is forced.
let deferred (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
    match callback with
    | Function _ ->
        let made, defers =
            session.Deferring(fun () -> later session scope.Deferred call callback)

        let from = session.Needs [ callback ]

        session.Describe(
            call.Result,
            fun result -> { result with DeferredBlocking = defers; IsLazy = true; DependsOn = from }
        )

        session.Observe made

        // each reader of the value gets the same operation
        match made with
        | Instance id when session.Objects[id].Kind.IsSingleUse && not (session.IsComplete id) ->
            session.Emit(Stored(session.Objects[id], call.At, "a lazy value"))
        | _ -> ()
    | value -> session.Observe value

/// Calls a function again and again, when the result is enumerated.
let generated (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
    let (), defers =
        session.Deferring(fun () -> many session scope.Deferred call callback)

    let from = session.Needs [ callback ]

    session.Describe(
        call.Result,
        fun result ->
            { result with
                DeferredBlocking = Option.orElse result.DeferredBlocking defers
                IsLazy = true
                DependsOn = from
            }
    )

/// Awaiting the result gives the operation of the function; that runs already.
let givesMade (session: Session) (call: Invocation) (made: Value) : unit =
    match made with
    | Instance id when
        session.Objects[id].Kind = Kind.Task
        && session.Objects[id].Origin = Origin.Created
        && not (session.IsComplete id)
        ->
        session.Describe(
            call.Result,
            fun result -> { result with AwaitResult = AwaitResult.Operation(made, AwaitResult.Unknown) }
        )
    | _ -> ()
