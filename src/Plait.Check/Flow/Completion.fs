// Results of calls that complete with other operations, end with them, or have them as their own results.
module internal Plait.Check.Completion

open System

/// The result is complete when the arguments from this one on are.
let ofAll (session: Session) (scope: Scope) (call: Invocation) (index: int) : unit =
    let implied = List.skip (min index call.Arguments.Length) call.Arguments
    Operations.follows session call.Result implied

    // each gives an operation that runs
    let given =
        [
            for id in List.collect Value.objects implied do
                for operation in List.filter (session.HasReaders >> not) session.Objects[id].ElementOperations do
                    match Operations.given session call.At (Instance operation) with
                    | Instance inner when session.Objects[inner].Kind <> Kind.Plain -> inner
                    | _ -> ()
        ]

    // the results of the elements of collections
    let results =
        [
            for id in List.collect Value.objects implied do
                if call.Code.HasResult && session.Objects[id].Kind = Kind.Plain then
                    let operation = session.Part(id, "operation", Kind.Task, call.At, Origin.Element id)

                    Instance(Operations.resultOf session operation Kind.Task call.At)
        ]

    // in one collection
    if not (given.IsEmpty && results.IsEmpty) then
        let origin = if given.IsEmpty then Origin.Awaited else Origin.Created
        let all = session.New(Kind.Plain, "", call.At, origin)
        session.Implies(all, results)
        session.Describe(all, fun made -> { made with ElementOperations = given })
        session.Describe(call.Result, fun made -> { made with AwaitResult = AwaitResult.Value(Instance all) })

    for value in implied do
        Uses.consume session scope value call.At call.How
        session.Observe value

/// The result is complete when the operation and the task that it gives are.
let unwrap (session: Session) (scope: Scope) (call: Invocation) (operation: Value) : unit =
    ofAll session scope call 0

    let inner =
        match Operations.given session call.At operation with
        | Unknown -> Operations.taskIn session operation Kind.Task call.At
        | value -> Some value

    match inner with
    | Some inner -> session.Change(call.Result, (fun fact -> { fact with Implies = inner :: fact.Implies }))
    | None -> ()

/// The task of a source is complete from here on.
let ofSource (session: Session) (call: Invocation) (source: Value) : unit =
    match source with
    | Instance id ->
        let name = call.Callee.Name
        let task = name.Substring(0, name.LastIndexOf '.') + ".get_Task"
        session.Complete(Instance(session.Part(id, task, Kind.Task, call.At, Origin.Member)))
    | _ -> ()

/// The result ends well after the operation completes, and may fail before.
let inTime (session: Session) (call: Invocation) (effect: Effect) (operation: Value) : unit =
    let awaited = Operations.awaited session operation
    session.Observe operation
    session.Describe(call.Result, fun made -> { made with CreatedBy = Some effect; AwaitResult = awaited })
    Operations.follows session call.Result [ operation ]

/// Uses the operation up; the result may be used many times.
let share (session: Session) (scope: Scope) (call: Invocation) (operation: Value) : unit =
    let isComplete = Value.objects operation |> List.forall session.IsComplete
    Uses.consume session scope operation call.At call.How

    // one that may be used again
    if call.Code.Kind.IsSingleUse then
        session.Escape(Instance call.Result)

    if isComplete && operation <> Unknown then
        session.Complete(Instance call.Result)

    session.Change(call.Result, (fun fact -> { fact with IsObserved = false; Implies = [ operation ] }))

/// The result is made of a value: it is complete, and may be used many times.
let ofResult (session: Session) (call: Invocation) : unit =
    session.Complete(Instance call.Result)
    session.Describe(call.Result, fun made -> { made with CreatedBy = Some IsComplete })

/// The result is complete if the argument is, or if the argument is no operation.
let wrap (session: Session) (call: Invocation) : unit =
    let isOperation (id: int) = session.Objects[id].Kind <> Kind.Plain

    // the parameter has the type of the result
    let isOfResult = call.Callee.Key.EndsWith("..ctor(_)", StringComparison.Ordinal)

    match call.Arguments with
    | [ Instance _ | OneOf _ as wrapped ] when
        not isOfResult && List.exists isOperation (Value.objects wrapped)
        ->
        session.Observe wrapped
        session.Implies(call.Result, [ wrapped ])

        if List.forall session.IsComplete (Value.objects wrapped) then
            session.Complete(Instance call.Result)

            // over a task, it gives the result again
            if Operations.isTask session wrapped then
                session.Describe(call.Result, fun made -> { made with CreatedBy = Some IsComplete })
    | [ given ] ->
        session.Observe given
        ofResult session call
    | [] -> ofResult session call
    // a source and its token
    | _ -> ()

/// Awaiting the result gives one of the tasks; it is complete.
let first (session: Session) (call: Invocation) : unit =
    let tasks = Operations.tasks session call.Arguments
    session.Describe(call.Result, fun made -> { made with AwaitResult = AwaitResult.CompletedTask tasks })
    List.iter session.Observe call.Arguments

    match tasks with
    // the first of one task is that task
    | [ only ] -> session.Implies(call.Result, [ Instance only ])
    | _ -> ()

/// Awaiting the result gives true only if the operation is complete; without a limit of time it always gives true.
let test (session: Session) (call: Invocation) (operation: Value) : unit =
    session.Observe operation

    match operation, call.Arguments with
    | Unknown, _ -> ()
    // an optional argument that the call does not give
    | _, [ _; Case([], _) ] -> session.Implies(call.Result, [ operation ])
    | _ ->
        let awaited = AwaitResult.Value(Test(Complete(operation, None)))
        session.Describe(call.Result, fun made -> { made with AwaitResult = awaited })

/// The result has the elements of a collection; each completes before the result gives it.
let each (session: Session) (call: Invocation) (effect: Effect) (collection: Value) : unit =
    let tasks = Operations.tasks session [ collection ]
    session.Observe collection
    session.Describe(call.Result, fun made -> { made with CreatedBy = Some effect; FirstOf = tasks })
    // after the last of them
    session.Implies(call.Result, [ collection ])

/// Awaiting the result gives a case of a union with the result of the operation.
let inCase (session: Session) (call: Invocation) (field: string) (operation: Value) : unit =
    let awaited = AwaitResult.InField(field, Operations.awaited session operation)
    session.Describe(call.Result, fun made -> { made with AwaitResult = awaited })

/// Awaiting the result gives an operation that runs this one already, and ends with it.
let running (session: Session) (call: Invocation) (operation: Value) : unit =
    match operation with
    | Instance id when session.Objects[id].Kind = Kind.Task || session.Objects[id].Kind = Kind.Cold ->
        let awaited = AwaitResult.Operation(operation, Operations.awaited session operation)
        session.Observe operation
        session.Describe(call.Result, fun made -> { made with AwaitResult = awaited })
    | _ -> session.Observe operation
