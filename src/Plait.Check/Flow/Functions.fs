// Function values: they run at their call, at another time, or more than once.
module internal Plait.Check.Functions

open FSharp.Compiler.Text

/// Interprets code that may repeat: a first iteration, and a second one from the end of the first. `isDoubtful`: there
/// may be only one iteration.
let repeat (session: Session) (scope: Scope) (isDoubtful: bool) (turn: Scope -> unit) : unit =
    let before = session.State
    turn scope
    let first = session.State

    if scope.SecondIterations < 3 && first.IsAlive then
        turn
            { scope with
                SecondIterations = scope.SecondIterations + 1
                UncertainBelow = if isDoubtful then session.Objects.Count else scope.UncertainBelow
            }

    session.State <- State.join before (State.join first session.State)

/// The operation that a function is to return, if no computation expression is around its body: a part of that body
/// runs on the caller's thread.
let starterOf (body: Code) : Builder option =
    let rec endsInBlock (code: Code) : bool =
        match code.Is with
        | Block _ -> true
        | Let(_, _, body)
        | LetRec(_, body)
        | Then(_, body)
        | Use(_, _, body)
        | Finally(body, _) -> endsInBlock body
        | If(_, a, b)
        | Try(a, _, b) -> endsInBlock a || endsInBlock b
        | Match(_, targets) -> targets |> List.exists (snd >> endsInBlock)
        | _ -> false

    let returning (name: string) : Builder option =
        if endsInBlock body then
            None
        else
            Some(Builder.Starter $"a function that returns a {name}")

    match body.Kind with
    | Kind.Task -> returning "Task"
    | Kind.SingleUse name -> returning name
    | _ -> None

/// The operation that a delegate is to return. One that gets a task may be a continuation: the task is then complete.
let starterOfDelegate (closure: Closure) : Builder option =
    let getsTask =
        closure.Parameters |> List.exists (fun parameter -> parameter.Kind <> Kind.Plain)

    if getsTask then None else starterOf closure.Body

/// The operation that a function is to return; a value has none.
let private starter (closure: Closure) : Builder option =
    if closure.Parameters.IsEmpty then None else starterOfDelegate closure

/// A function as code at another place calls it. A partial application runs where its value is applied, and not where it is
/// written: it is a call with parameters that the compiler made.
let placed (session: Session) (at: range) (closure: Closure) : Closure =
    let isPartial =
        match closure.Body.Is, closure.Parameters with
        | Call _, (_ :: _ as parameters) ->
            parameters
            |> List.forall (fun parameter -> parameter.IsGenerated && parameter.At = closure.Body.At)
        | _ -> false

    if isPartial && not (Range.rangeContainsRange at closure.Body.At) then
        session.Bodies.Unrun.Remove closure.Body |> ignore
        { closure with Body = { closure.Body with At = at } }
    else
        closure

/// The scope in a function of the declaration that is called here.
let calling (session: Session) (scope: Scope) (at: range) (callee: Callee) (closure: Closure) : Scope =
    let inside =
        if scope.Builder.IsSome && session.Bodies.Outside.Contains closure.Body then
            scope.CalledInside |> Option.orElse (Some { At = at; Callee = callee })
        else
            None

    { scope with Called = scope.Called |> Option.orElse (Some at); CalledInside = inside }

/// A function calls itself: it uses its single-use values from outside again.
let private useAgain (session: Session) (scope: Scope) (closure: Closure) : unit =
    for id in session.Needs [ Function closure ] do
        let object = session.Objects[id]

        if object.Kind.IsSingleUse then
            let inside = Location.ofRange (Code.extent closure.Body)

            match (session.Fact id).Uses with
            | used :: _ when Location.isIn inside (Location.ofRange used.At) ->
                Uses.consume session scope (Instance id) used.At used.How
            | _ -> ()

/// Runs a function now.
let rec run (session: Session) (scope: Scope) (closure: Closure) (arguments: Value list) : Value =
    let bodies = session.Bodies
    let body = closure.Body
    let given = closure.Applied @ arguments
    bodies.Unrun.Remove body |> ignore

    let count =
        match bodies.Runs.TryGetValue body with
        | true, count -> count
        | _ -> 0

    if given.Length < closure.Parameters.Length then
        Function { closure with Applied = given }
    elif count > 40 || not (bodies.Running.Add body) then
        if not given.IsEmpty && count <= 40 then
            useAgain session scope closure

        List.iter session.Escape given
        Instance(session.New(body.Kind, "", body.At, Origin.Created))
    else
        bodies.Runs[body] <- count + 1

        try
            let own, rest = List.splitAt closure.Parameters.Length given

            let own =
                if bodies.Recursive.Contains body then List.map Value.withoutCases own else own

            List.iter2 (Variables.bind session) closure.Parameters own

            match session.Eval(scope, body), rest with
            | result, [] -> result
            | Function next, rest -> run session scope next rest
            | _, rest -> callUnknown session scope body rest
        finally
            bodies.Running.Remove body |> ignore

/// Interprets a function that other code calls at another time, or never: its uses of outer objects are not certain.
/// `scope`: the scope in which it runs. Returns its result.
and runElsewhere
    (session: Session)
    (scope: Scope)
    (isOnce: bool)
    (closure: Closure)
    (arguments: Value list)
    : Value =
    let before = session.State
    let waits, releases = session.Waits, session.Releases
    let mutable result = Unknown

    let given =
        arguments @ List.replicate 8 Unknown |> List.truncate closure.Parameters.Length

    let turn (scope: Scope) =
        result <- run session scope closure given

    if isOnce then turn scope else repeat session scope true turn
    session.ForgetCompletions before |> ignore

    session.State <-
        { session.State with
            IsAlive = before.IsAlive
            Locks = max before.Locks session.State.Locks
        }

    session.Waits <- waits
    session.Releases <- releases
    result

/// Passes a function to code that calls it later. A function that returns an operation blocks the thread that starts
/// it.
and handOver (session: Session) (scope: Scope) (closure: Closure) : unit =
    runElsewhere session { scope.Elsewhere with Starter = starter closure } false closure []
    |> ignore

/// Calls a function value that is not known.
and callUnknown (session: Session) (scope: Scope) (code: Code) (arguments: Value list) : Value =
    let id = Operations.made session code arguments

    for value in arguments do
        match value with
        | Function closure -> handOver session scope closure
        | value ->
            Uses.consume session scope value code.At "passed on"
            session.MayChange value
            session.Observe value

    session.MayThrow scope
    Instance id

/// Runs the value of a builder's Delay.
let rec force (session: Session) (scope: Scope) (value: Value) : Value =
    match value with
    | Function closure ->
        closure.Parameters
        |> List.map (fun _ -> Unknown)
        |> run session scope closure
        |> force session scope
    | value -> value

/// Code may have written single-use elements of any array.
let wroteElements (session: Session) (scope: Scope) : unit =
    session.ForgetAllElements()
    session.PartialSummary.WritesElements <- true

    if scope.IsElsewhere then
        session.ElementsChangeMeanwhile()

/// A function that is not known ran: it may have written elements of any array, unless it formats a text.
let ranUnknown (session: Session) (f: Value) : unit =
    if session.MadeBy f <> Some Formats then
        session.ForgetAllElements()
        session.PartialSummary.WritesElements <- true

/// The blocking of a function at its call, and the parameters of the declaration that it calls then.
let whenCalled (session: Session) (closure: Closure) : (BlockingCall * Value list) option * Set<int> =
    let unrun = session.Bodies.Unrun

    let wasUnrun =
        match unrun.TryGetValue closure.Body with
        | true, known -> Some known
        | _ -> None

    let missing =
        List.skip (min closure.Applied.Length closure.Parameters.Length) closure.Parameters

    let runs, blocks =
        session.Speculate(fun () ->
            session.Deferring(fun () ->
                session.PartialSummary.Runs <- Set.empty
                run session Scope.Outermost.Deferred closure [ for _ in missing -> Unknown ] |> ignore
                session.PartialSummary.Runs))

    // the function is interpreted for itself later
    wasUnrun |> Option.iter (fun known -> unrun[closure.Body] <- known)

    let ofAll (blocking: BlockingCall, waitsFor: Value list) =
        { blocking with Arguments = missing.Length }, waitsFor

    Option.map ofAll blocks, runs

/// Notes the call of a value: it may be a function that the caller of the declaration passed.
let noteCall (session: Session) (scope: Scope) (value: Value) : unit =
    match value, scope.Builder with
    | Instance id, None when scope.IsOnCaller || scope.IsDeferred ->
        for index in Option.toList (session.Parameter id) do
            session.PartialSummary.Runs <- session.PartialSummary.Runs.Add index

            if session.State.Locks > 0 then
                session.PartialSummary.RunsLocked <- session.PartialSummary.RunsLocked.Add index
    | Instance id, Some builder when not session.State.IsOffPool ->
        for index in Option.toList (session.Parameter id) do
            session.PartialSummary.RunsInside <- session.PartialSummary.RunsInside.Add(index, builder)
    | _ -> ()
