// Results of calls that are complete with other operations, end with them, or give them.
module internal Plait.Check.Completion

/// The result is complete when the arguments from this one on are.
let ofAll (session: Session) (scope: Scope) (call: Invocation) (index: int) : unit =
    let implied = List.skip (min index call.Arguments.Length) call.Arguments
    Operations.follows session call.Result implied

    for value in implied do
        Uses.consume session scope value call.At call.How
        session.Keep value

/// The result ends well when the operation is complete, and may fail before.
let inTime (session: Session) (call: Invocation) (effect: Effect) (operation: Value) : unit =
    let gift = Operations.gift session operation
    session.Keep operation
    session.Describe(call.Result, fun made -> { made with Made = Some effect; Gives = gift })
    Operations.follows session call.Result [ operation ]

/// Uses the operation up; the result may be used many times.
let share (session: Session) (scope: Scope) (call: Invocation) (operation: Value) : unit =
    let isComplete = Value.objects operation |> List.forall session.IsComplete
    Uses.consume session scope operation call.At call.How
    session.Lose(Instance call.Result)

    if isComplete && operation <> Unknown then
        session.Complete(Instance call.Result)

    session.Change(call.Result, (fun fact -> { fact with IsKept = false; Implies = [ operation ] }))

/// The result is as complete as the argument, or complete where that is no operation.
let wrap (session: Session) (call: Invocation) : unit =
    match call.Arguments with
    | [ Instance wrapped ] when session.Objects[wrapped].Kind <> Kind.Plain ->
        session.Keep(Instance wrapped)
        session.Implies(call.Result, [ Instance wrapped ])

        if session.IsComplete wrapped then
            session.Complete(Instance call.Result)
    | [ _ ]
    | [] -> session.Complete(Instance call.Result)
    // a source and its token
    | _ -> ()

/// Awaiting the result gives one of the tasks, complete.
let first (session: Session) (call: Invocation) : unit =
    let tasks = Operations.tasks session call.Arguments
    session.Describe(call.Result, fun made -> { made with Gives = Gift.Winner tasks })
    List.iter session.Keep call.Arguments

    match tasks with
    // the first of one is that one
    | [ only ] -> session.Implies(call.Result, [ Instance only ])
    | _ -> ()

/// Awaiting the result gives true only when the operation is complete, and always where no limit of time is given.
let test (session: Session) (call: Invocation) (operation: Value) : unit =
    session.Keep operation

    match operation, call.Arguments with
    | Unknown, _ -> ()
    // an optional argument that is not given
    | _, [ _; Case [] ] -> session.Implies(call.Result, [ operation ])
    | _ ->
        let gift = Gift.Known(Test(Complete(operation, None)))
        session.Describe(call.Result, fun made -> { made with Gives = gift })

/// The result has the elements of a collection, each complete when it is given.
let each (session: Session) (call: Invocation) (effect: Effect) (collection: Value) : unit =
    let tasks = Operations.tasks session [ collection ]
    session.Keep collection
    session.Describe(call.Result, fun made -> { made with Made = Some effect; Among = tasks })
    // when all were seen
    session.Implies(call.Result, [ collection ])

/// Awaiting the result gives a case of a union with the result of the operation.
let inCase (session: Session) (call: Invocation) (field: string) (operation: Value) : unit =
    let gift = Gift.In(field, Operations.gift session operation)
    session.Describe(call.Result, fun made -> { made with Gives = gift })

/// Awaiting the result gives an operation that runs this one already, and ends when it does.
let running (session: Session) (call: Invocation) (operation: Value) : unit =
    let gift = Gift.Run(operation, Operations.gift session operation)
    session.Keep operation
    session.Describe(call.Result, fun made -> { made with Gives = gift })
