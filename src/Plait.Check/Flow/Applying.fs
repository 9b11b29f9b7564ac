// Applies the effects of the table to the facts: each effect is one line here, or a function of the file for its kind.
// Emits PassedUntyped, AsyncLocalWritten and RoundTrip.
module internal Plait.Check.Applying

open FSharp.Compiler.Text

let private convert
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (operation: Value)
    (made: Effect)
    (undone: Effect)
    (conversion: Conversion)
    : unit =
    let isNamed =
        Value.objects operation |> List.exists (fun id -> session.Objects[id].Name <> "")

    // with a token or options it is more than a conversion
    if not call.HasOptions then
        if session.MadeBy operation = Some undone && not isNamed then
            session.Emit(RoundTrip(call.At, conversion, scope.Builder))

        session.Describe(call.Result, fun object -> { object with CreatedBy = Some made })

    let awaited = Operations.awaited session operation
    session.Observe operation
    session.Describe(call.Result, fun object -> { object with AwaitResult = awaited })
    Operations.follows session call.Result [ operation ]

/// The body of a function, whose result a caller by reflection gets; other code as it is.
let rec private givenBy (argument: Code) : Code option =
    match argument.Is with
    | Delegate inner
    | AsObject inner
    | Let(_, _, inner) -> givenBy inner
    | Lambda(_, body) -> Some body
    | _ -> None

/// Passes the arguments to code that uses reflection on them.
let private reflect (session: Session) (scope: Scope) (call: Invocation) : unit =
    for argument in Code.children call.Code do
        match argument.Kind, givenBy argument with
        | Kind.SingleUse _, _ -> session.Emit(PassedUntyped(argument, argument.At, Sink.AsObject))
        | _, Some body -> session.Emit(PassedUntyped(body, body.At, Sink.Method call.Callee))
        | _ -> ()

    for argument in call.Arguments do
        match argument with
        | Function closure ->
            let handler =
                { scope.Elsewhere with Starter = Some(Builder.Handler "a route handler") }

            Functions.runElsewhere session handler false closure [] |> ignore
        | argument -> session.Observe argument

/// Disposes an object; one that holds a lock releases it. The code blocks here if the object's `Dispose` blocks. `ofType`: the
/// class that has the `Dispose` of the static type, or none. `mayAwait`: the code calls DisposeAsync if the class has it.
let dispose
    (session: Session)
    (scope: Scope)
    (at: range)
    (value: Value)
    (ofType: string)
    (mayAwait: bool)
    : unit =
    match Structures.``member`` session at value "System.IDisposable.Dispose" with
    | Some(Function closure) ->
        let given = [ for _ in closure.Parameters -> Unknown ]
        Functions.run session (scope.Through(at, "disposed here")) closure given |> ignore
    | Some deferred -> BlockingCalls.force session scope at (Callee.Named "Dispose") deferred
    | None -> ()

    for id in Value.objects value do
        if session.Objects[id].CreatedBy = Some Locks then
            session.Lock(-1)

        match session.Objects[id].Class |> Option.defaultValue ofType with
        // the caller may know the class
        | "" when scope.IsOnCaller ->
            for index in Option.toList (session.Parameter id) do
                session.PartialSummary.Disposes <- session.PartialSummary.Disposes.Add index
        | "" -> ()
        | name ->
            let isAsynchronous =
                mayAwait && (session.SummaryOfMember(name, "DisposeAsync")).IsSome

            match session.SummaryOfMember(name, "Dispose") with
            | Some { Blocks = Some blocking } when not isAsynchronous ->
                let callee = Callee.Named $"{Symbol.lastPart name}.Dispose"
                BlockingCalls.callBlocking session scope at callee blocking []
            | _ -> ()

/// Starts an operation or a function without a wait for it. The operation depends on some objects.
let private start (session: Session) (call: Invocation) (started: Value) : unit =
    Uses.note session SiteKind.Drops call.At started
    session.Observe started
    // it depends on its token too
    session.Detach(call.Result, session.Needs call.Arguments, call.At)

let private lock (session: Session) (call: Invocation) : unit =
    session.Lock 1
    session.Describe(call.Result, fun object -> { object with CreatedBy = Some Locks })

let private lockUnless (session: Session) (call: Invocation) (parameterType: string) (number: int) : unit =
    match List.tryLast call.Arguments with
    | Some(Constant given) when given = number && call.Callee.Key.EndsWith $"{parameterType})" -> ()
    | _ -> lock session call

/// The code writes elements of an array: those of a caller may be others after its call.
let private noteWrite (session: Session) (call: Invocation) : unit =
    if call.Callee.Name.StartsWith "Microsoft.FSharp." then
        session.PartialSummary.WritesElements <- true

let private store (session: Session) (scope: Scope) (call: Invocation) (index: int) : unit =
    let stored = call.Argument index
    Uses.store session call.At call.Callee.Short stored

    if Value.objects stored |> List.exists (fun id -> session.Objects[id].Kind.IsSingleUse) then
        noteWrite session call

    match stored with
    | Function closure when
        call.Callee.Name.StartsWith "System.Collections."
        && not (List.contains (Perhaps index) call.Effects)
        ->
        Functions.handOver session scope closure
        Callbacks.outlives session call stored
        session.Describe(call.Result, fun made -> { made with CreatedBy = Some(Stores index) })
    | _ -> ()

    match call.Argument 0 with
    | Instance owner when index > 0 ->
        Elements.change session scope (Instance owner)

        match call.Arguments with
        // an element of an array
        | [ _; Constant number; Instance task ] when session.Objects[task].Kind = Kind.Task ->
            match Parts.numbered session owner (string number) Kind.Task call.At with
            | Instance place -> session.AddName(place, task)
            | _ -> ()
        | _ -> ()
    | _ -> ()

let private writeLocal (session: Session) (scope: Scope) (call: Invocation) : unit =
    match scope.Builder with
    | Some builder when builder.IsUnsafe -> session.Emit(AsyncLocalWritten(call.At, builder))
    | _ -> ()

/// The result depends on an object for as long as the result is used.
let private need (session: Session) (call: Invocation) (needed: Value) : unit =
    let needs = session.Needs [ needed ]
    session.Describe(call.Result, fun made -> { made with DependsOn = made.DependsOn + needs })

/// The result stays in a collection or a cell. A single-use argument is reported by itself.
let private storeResult (session: Session) (call: Invocation) : unit =
    let isOfArgument =
        call.Arguments
        |> List.collect Value.objects
        |> List.exists (fun id -> session.Objects[id].Kind.IsSingleUse)

    session.Describe(call.Result, fun made -> { made with MayDrop = true })

    if call.Code.Kind.IsSingleUse && not isOfArgument then
        session.Emit(Stored(session.Objects[call.Result], call.At, call.Callee.Short))

/// A test of a value that may be an operation.
let private test (value: Value) (made: Value -> Value) : Value option =
    match value with
    | Instance _
    | OneOf _ -> Some(made value)
    | _ -> None

/// For an effect that does not determine the result of the call.
let private noValue () : Value option = None

/// Applies one effect; returns the result of the call if the effect determines it.
let apply (session: Session) (scope: Scope) (call: Invocation) (effect: Effect) : Value option =
    let argument = call.Argument

    match effect with
    | Peeks _
    | FoldEnds _
    | Over _
    | OverPairs _
    | Binds
    | OnlyRemote
    | NamesThread -> None
    | Passes index ->
        match argument index with
        // a cast tells that the object is a task
        | Instance id when call.Code.Kind = Kind.Task && session.Objects[id].Kind = Kind.Plain ->
            session.Describe(id, fun known -> { known with Kind = Kind.Task })
        | _ -> ()

        match argument index with
        // the enumeration that makes the elements of a list, or of a kept sequence
        | Instance id when session.Objects[id].MakesElements && call.Effects |> List.exists _.IsForces ->
            Elements.select session call (argument index)
            Some(Instance call.Result)
        | value -> Some value

    // uses
    | Consumes index -> Uses.consume session scope (argument index) call.At call.How |> noValue
    | Shares index -> Completion.share session scope call (argument index) |> noValue
    | Drops index -> Uses.drop session scope (argument index) call.At "ignored" |> noValue
    | Counts index -> Uses.count session scope (argument index) call.At |> noValue
    | Stores index -> store session scope call index |> noValue
    | StoresResult -> storeResult session call |> noValue
    | Disposes -> dispose session scope call.At (argument 0) call.Callee.Overriding false |> noValue
    | Reflects -> reflect session scope call |> noValue
    | Formats
    | LeavesPool ->
        session.Describe(call.Result, fun made -> { made with CreatedBy = Some effect })
        |> noValue
    | Needs index -> need session call (argument index) |> noValue
    | MayDrop -> session.Describe(call.Result, fun made -> { made with MayDrop = true }) |> noValue
    | Remote -> session.Describe(call.Result, fun made -> { made with IsRemote = true }) |> noValue
    | WritesLocal -> writeLocal session scope call |> noValue
    | Raises -> session.End() |> noValue

    // waits
    | Waits index -> Waiting.wait session scope call (argument index)
    | WaitsAny index -> Some(Waiting.waitAny session scope call (argument index))
    | Blocks -> Waiting.blocks session scope call
    | BlocksIf index when index < call.Arguments.Length -> Waiting.blocks session scope call
    | BlocksIf _ -> None
    | BlocksBeside twin -> Waiting.blocksBeside session scope call twin |> noValue
    | RunsBlocking -> Waiting.run session scope call (argument 0)

    // locks
    | Locks -> lock session call |> noValue
    | Unlocks -> session.Lock(-1) |> noValue
    | LocksIf index ->
        match List.tryItem index call.Arguments with
        | None
        | Some(Test(Always false)) -> None
        | Some _ -> session.Lock 1 |> noValue
    | LocksUnless(parameterType, number) -> lockUnless session call parameterType number |> noValue

    // functions among the arguments
    | Once index -> Callbacks.once session scope call.At call.Callee (argument index)
    | Runs index ->
        Callbacks.once session scope call.At call.Callee (argument index)
        |> Option.iter session.Observe
        |> noValue
    | Perhaps index -> Callbacks.perhaps session scope call (argument index) |> noValue
    | Many index -> Callbacks.many session scope call (argument index) |> noValue
    | Folds(f, state)
    | FoldsOnce(f, state) -> Folds.fold session scope call false (argument f) (argument state)
    | FoldsBack(f, state) -> Folds.fold session scope call true (argument f) (argument state)
    | Repeats index ->
        Functions.repeat session scope false (fun scope ->
            if not (session.AreComplete [ argument index ]) then
                Uses.consume session scope (argument index) call.At "repeated")
        |> noValue
    | Later index -> Callbacks.later session scope.Elsewhere call (argument index) |> ignore |> noValue
    | Handles index ->
        Callbacks.outlives session call (argument index)
        Callbacks.later session scope.Elsewhere call (argument index) |> ignore |> noValue
    | Inside index ->
        let operation =
            { Builder.Starter $"the function of {call.Callee.Short}" with WantsValue = true }

        Callbacks.later session { scope.Elsewhere with Starter = Some operation } call (argument index)
        |> ignore
        |> noValue
    | OnThread index ->
        if call.Code.Kind = Kind.Plain then
            start session call (argument index)

        Callbacks.later session scope.Elsewhere call (argument index) |> ignore |> noValue
    | GivesMade index ->
        Callbacks.later session scope.Elsewhere call (argument index)
        |> Callbacks.givesMade session call
        |> noValue
    | Defers index -> Callbacks.deferred session scope call (argument index) |> noValue
    | Generates index -> Callbacks.generated session scope call (argument index) |> noValue
    | Starts index -> start session call (argument index) |> noValue
    | Forces index
    | ForcesOnce index ->
        for id in Value.objects (argument index) do
            session.Describe(id, fun forced -> { forced with IsLazy = false; IsUnenumerated = false })

        BlockingCalls.force session scope call.At call.Callee (argument index)

        match argument index with
        // each read of a lazy value gives the same one
        | Instance id when call.Code.Kind.IsSingleUse && call.Callee.ReadsLazy ->
            Some(Instance(session.Part(id, "Value", call.Code.Kind, call.At, Origin.Member)))
        | _ when call.Callee.IsProperty ->
            Some(Operations.property session call.Code call.Callee (argument index))
        | _ -> None
    | ForcesLater index ->
        let defers = Operations.deferred session (argument index)
        session.Describe(call.Result, fun result -> { result with IsUnenumerated = true })

        if defers.IsSome then
            session.Describe(call.Result, fun result -> { result with DeferredBlocking = defers })

        // the sequence and the functions that run over it
        let from =
            [
                for argument in call.Arguments do
                    match argument with
                    | Function _ -> session.Needs [ argument ]
                    | Instance id when session.Objects[id].IsLazy -> session.Objects[id].DependsOn
                    | _ -> ()
            ]

        if not from.IsEmpty then
            let from = Set.unionMany from
            session.Describe(call.Result, fun result -> { result with IsLazy = true; DependsOn = from })

        None
    | CallsWithFirst index -> session.Observe(argument index) |> noValue
    | CallsWhenComplete index ->
        // the continuation observes it, also where the code returns it
        for id in Value.objects (argument index) do
            session.Describe(id, fun known -> { known with MayDrop = true })

        session.Observe(argument index)
        session.Implies(call.Result, [ argument index ]) |> noValue

    // elements
    | TakesElement index -> Elements.take session call index
    | LeavesOut index -> Uses.leaveOutOf session scope (argument index) call.At |> noValue
    | Selects index -> Elements.select session call (argument index) |> noValue
    | Mixes index -> Parts.mix session call (argument index) |> noValue
    | ItemOf _
    | ItemGroups _
    | ItemSame _ -> Parts.giveItem session call effect |> noValue
    | Unzips index -> Parts.unzip session call (argument index)
    | Looks index -> Elements.first session call (argument index)
    | TakesOut index -> Elements.takeOut session scope call (argument index)
    | Changes index ->
        Elements.change session scope (argument index)
        noteWrite session call |> noValue
    | Keeps(predicate, from) -> Elements.keep session scope call predicate from
    | Splits(predicate, from) -> Elements.split session scope call predicate from
    | TellsAll(predicate, from) -> Elements.tellAll session scope call predicate from
    | TellsAny(predicate, from) -> Elements.tellAny session scope call predicate from
    | TellsSome index
    | TellsNone index ->
        session.Observe(argument index)
        let isSome = Elements.tellSome session (argument index)

        (if effect = TellsSome index then isSome else Option.map Not isSome) |> Option.map Test
    | TellsCase case ->
        session.Observe(argument 0)

        Some(Conditions.caseTest case (argument 0))

    // tests
    | TestsComplete index ->
        test (argument index) (fun value -> Test(Comparing.completeTest session value false))
    | TellsComplete index ->
        test (argument index) (fun value -> Test(Comparing.completeTest session value true))
    | TestsStatus index -> test (argument index) (fun value -> Status(value, Some call.Result))
    | Negates index ->
        match argument index with
        | Test condition -> Some(Test(Not condition))
        | Instance id when (session.Parameter id).IsSome -> Some(Test(Not(IsCase(Instance id, "true"))))
        | _ -> None
    | Compares comparison ->
        Comparing.compare session call.At comparison (argument 0) (argument 1) |> Option.map Test
    | TellsContains(list, item) ->
        Comparing.contains session (argument list) (argument item) |> Option.map Test

    // operations that follow others
    | IsComplete -> Completion.ofResult session call |> noValue
    | CompletesTask index -> Completion.ofSource session call (argument index) |> noValue
    | CompletesAll index -> Completion.ofAll session scope call index |> noValue
    | Unwraps index -> Completion.unwrap session scope call (argument index) |> noValue
    | CompletesInTime index -> Completion.inTime session call effect (argument index) |> noValue
    | EachComplete index -> Completion.each session call effect (argument index) |> noValue
    | GivesComplete -> Completion.first session call |> noValue
    | GivesTest index -> Completion.test session call (argument index) |> noValue
    | GivesIn(field, index) -> Completion.inCase session call field (argument index) |> noValue
    | GivesRun index -> Completion.running session call (argument index) |> noValue
    | Wraps _ -> Completion.wrap session call |> noValue
    | TaskToAsync ->
        convert session scope call (argument 0) TaskToAsync AsyncToTask Conversion.AsyncToTaskToAsync
        |> noValue
    | AsyncToTask ->
        convert session scope call (argument 0) AsyncToTask TaskToAsync Conversion.TaskToAsyncToTask
        |> noValue
