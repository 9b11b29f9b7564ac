// Control flow: conditionals, decisions, loops, and exceptions.
module internal Plait.Check.Branches

open System.Collections.Generic

open FSharp.Compiler.Text

/// Interprets an alternative from a state: its value, and the state after it.
let private way (session: Session) (before: State) (action: unit -> Value) : Value * State =
    session.State <- before
    let value = action ()
    value, session.State

/// The names of the members that some codes call by their asynchronous forms, without Async at the end.
let private twinsIn (codes: Code list) : Set<string> =
    let found = HashSet<string>()

    for code in codes do
        code
        |> Code.exists (fun code ->
            match code.Is with
            | Call(callee, _) when callee.Name.EndsWith "Async" ->
                found.Add((Symbol.lastPart callee.Name).Replace("Async", "")) |> ignore
            | _ -> ()

            false)
        |> ignore

    Set.ofSeq found

/// A branch whose other branches are for other types: there it may call what has no asynchronous form here.
let private besides (others: Code list) (scope: Scope) : Scope =
    { scope with Twins = scope.Twins + twinsIn others }

let private testsType (test: Code) : bool =
    match test.Is with
    | TypeTest _ -> true
    | _ -> false

let ifElse (session: Session) (scope: Scope) (test: Code) (yes: Code) (no: Code) : Value =
    let value = session.Eval(scope, test)
    let before = session.State

    let branch (isTrue: bool) (code: Code) (other: Code) () =
        let scope = if testsType test then scope |> besides [ other ] else scope
        Conditions.assumeValue session value isTrue

        match code.Is with
        // && and || are conditionals with a constant for a branch
        | Truth _
        | Nothing
        | Jump _ -> session.Eval(scope, code)
        | _ ->
            let name = if isTrue then "then" else "else"
            session.Eval(scope.Through(Code.start code, $"through the '{name}' branch"), code)

    let yesWay = way session before (branch true yes no)
    let noWay = way session before (branch false no yes)
    Paths.meet session [ yesWay; noWay ]

/// The tests of a decision; its leaves are jumps.
let rec private decide (session: Session) (scope: Scope) (code: Code) : unit =
    match code.Is with
    | If(test, yes, no) ->
        let value = session.Eval(scope, test)
        let before = session.State
        Conditions.assumeValue session value true
        decide session scope yes
        session.State <- before
        Conditions.assumeValue session value false
        decide session scope no
    | Let(variable, value, body) ->
        Variables.bind session variable (session.Eval(scope, value))
        decide session scope body
    | _ -> session.Eval(scope, code) |> ignore

/// A decision whose leaves jump to targets.
let matchWith
    (session: Session)
    (scope: Scope)
    (decision: Code)
    (targets: (Variable list * Code) list)
    : Value =
    let arrivals = List<TakenJump>()
    let before = session.State
    decide session { scope with TakenJumps = arrivals } decision
    let behind = session.State

    let isOneWay = targets.Length = 1
    let isOfTypes = decision |> Code.exists testsType

    let target (index: int) (variables: Variable list, body: Code) : (Value * State) option =
        let arrived =
            [
                for jump in arrivals do
                    if jump.Target = index && jump.State.IsAlive then
                        jump
            ]

        // a case that the code never makes takes no facts from code that it shares with others
        let here =
            match arrived |> List.filter (fun jump -> not jump.State.IsExcluded) with
            | [] -> arrived
            | made -> made

        if here.IsEmpty then
            None
        else
            let joined = here |> List.map _.State |> List.reduce State.join
            session.State <- { joined with IsExcluded = before.IsExcluded }

            variables
            |> List.iteri (fun at variable ->
                let ways = [ for jump in here -> List.item at jump.Arguments, jump.State ]

                Variables.bind session variable (Paths.joined session ways session.State))

            let scope =
                if isOneWay then scope else scope.Through(Code.start body, "through this case")

            let scope =
                if isOfTypes then
                    scope |> besides (targets |> List.map snd |> List.removeAt index)
                else
                    scope

            let value = session.Eval(scope, body)
            Some(value, session.State)

    let results = targets |> List.mapi target |> List.choose id
    session.State <- behind
    Paths.meet session results

/// A body and its handler. `at`: the place of the handler.
let tryWith
    (session: Session)
    (scope: Scope)
    (at: range)
    (body: Scope -> Value)
    (handler: Scope -> Value)
    : Value =
    let before = session.State
    let caught = Handler before
    let value = body { scope with Handler = Some caught }
    let after = session.State
    let thrown = caught.Thrown
    // a value that is complete on every path into the handler is complete there; a use of it is not certain
    session.State <- State.join before { thrown with IsAlive = true }

    if thrown.IsAlive then
        for KeyValue(id, fact) in thrown.Facts do
            if fact.IsComplete then
                session.Complete(Instance id)

    let handled = handler (scope.Through(at, "after an exception, through the handler"))
    let isHandled = session.State.IsAlive
    session.State <- State.join after session.State
    session.MayThrow scope

    if not after.IsAlive then handled
    elif isHandled then State.joinResults value handled
    else value

let tryFinally (session: Session) (body: unit -> Value) (last: unit -> unit) : Value =
    let value = body ()
    let isAlive = session.State.IsAlive
    session.State <- { session.State with IsAlive = true }
    last ()
    session.State <- { session.State with IsAlive = isAlive && session.State.IsAlive }
    value

/// A variable that is disposed when the body is left. `at`: the code of its value. `named`: the variable, or its name in the body.
let using
    (session: Session)
    (scope: Scope)
    (at: range)
    (variable: Variable)
    (named: Variable)
    (value: Value)
    (body: unit -> Value)
    : Value =
    Variables.bind session variable value
    let detached = session.Detached
    let result = body ()
    let resource = Variables.read session scope variable
    let disposed = Value.objects resource
    // the elements of a loop do not need its enumerator
    let isEnumerator = named.IsGenerated && named.Name = "enumerator"

    let isNeeded (needs: Set<int>) =
        not isEnumerator && List.exists needs.Contains disposed

    let place = if named.IsGenerated || named.Name = "_" then at else named.At

    for operation, needs, at in session.DetachedSince detached do
        if isNeeded needs && not (session.IsComplete operation) then
            session.Emit(DisposedEarly(named, session.Objects[operation], at))

    for id in disposed do
        if session.Objects[id].Kind = Kind.Task && not (session.IsComplete id) then
            session.Emit(DisposedRunning(session.Objects[id], place))
            session.Observe(Instance id)

    for id in Value.objects result do
        let object = session.Objects[id]

        // whether a collection took a function, with a name: code behind that may have called the function
        let isAnswer = object.Name <> "" && object.CreatedBy |> Option.exists _.IsStores

        if
            not isAnswer
            && (object.Kind <> Kind.Plain || object.IsLazy)
            && (object.Origin = Origin.Created || object.Origin = Origin.Awaited)
            && not (session.IsComplete id)
            && isNeeded object.DependsOn
        then
            session.Emit(DisposedEarly(named, object, object.At))

    match result with
    // the code calls it after the end of the body
    | Function closure when isNeeded (session.Needs [ result ]) ->
        let id = session.New(Kind.Cold, "", closure.Body.At, Origin.Created)
        session.Emit(DisposedEarly(named, session.Objects[id], closure.Body.At))
    | _ -> ()

    // `use` of a builder of tasks
    scope.Builder
    |> Option.exists _.BindsTasks
    |> Applying.dispose session scope place resource ""

    result

/// Whether a variable that the body sets ends the loop: it may have one iteration only.
let private isFlag (test: Code) (body: Code) : bool =
    test
    |> Code.exists (fun code ->
        match code.Is with
        | Read variable -> variable.IsMutable && Code.writes variable body
        | Field(_, "contents", _, _) -> true
        | _ -> false)

/// A loop. `codes`: the code of the test and of the body, if both are known.
let loop
    (session: Session)
    (scope: Scope)
    (codes: (Code * Code) option)
    (test: Scope -> Value)
    (body: Scope -> unit)
    : unit =
    let isDoubtful = codes |> Option.exists (fun (test, body) -> isFlag test body)
    let mutable last = Unknown

    Functions.repeat session scope isDoubtful (fun scope ->
        last <- test scope
        Conditions.assumeValue session last true
        body scope)

    Conditions.assumeValue session last false
