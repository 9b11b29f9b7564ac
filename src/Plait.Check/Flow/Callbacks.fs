// Functions that are arguments of a call: their own arguments, how often they run, and the call's result from theirs.
module internal Plait.Check.Callbacks

/// The collection whose elements the functions get.
let private owner (call: Invocation) : Value =
    call.ArgumentOf(fun effect ->
        match effect with
        | Over index -> Some index
        | _ -> None)
    |> Option.defaultValue Unknown

/// The result is a collection or the like with the results of a function.
let private hold (session: Session) (call: Invocation) (made: Value) : unit =
    if call.Code.Kind = Kind.Plain then
        let operations =
            Value.objects made
            |> List.collect (fun id ->
                let object = session.Objects[id]

                if object.Kind = Kind.Plain then object.Holds
                elif session.IsComplete id then []
                else [ id ])

        session.Describe(call.Result, fun result -> { result with Holds = operations })

/// Calls a function exactly once. Returns its result.
let once (session: Session) (scope: Scope) (callback: Value) : Value option =
    match callback with
    | Function closure -> Some(Elements.runOver session scope Unknown closure |> snd)
    | _ -> None

/// Calls a function at most once.
let perhaps (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
    match callback with
    | Function closure ->
        let mutable made = Unknown

        Paths.either
            session
            [
                ignore
                fun () ->
                    made <- snd (Elements.runOver session scope (owner call) closure)
                    hold session call made
            ]

        // an option or a sequence of its results
        if call.Code.Kind = Kind.Plain && made <> Unknown then
            session.Implies(call.Result, [ made ])
    | _ -> ()

/// Calls a function any number of times.
let many (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
    match callback with
    | Function closure ->
        let owner = owner call
        let mutable follows = true
        let mutable parts = []

        Elements.over session scope owner (fun scope ->
            let elements, made = Elements.runOver session scope owner closure
            hold session call made

            // a part of each element is the same object each time
            parts <-
                match made with
                | Instance part when session.Objects[part].Origin = Origin.Part -> [ made ]
                | _ -> []

            let implied = session.ImpliedBy made

            let isImplied element =
                match Value.objects element with
                | [] -> false
                | objects -> List.forall implied.Contains objects

            // the result for each element: the element, or a value that is complete when the element is
            follows <- follows && made <> Unknown && List.forall isImplied elements
            elements)

        let implied = if follows && owner <> Unknown then owner :: parts else parts

        if not implied.IsEmpty then
            session.Change(call.Result, (fun fact -> { fact with Implies = implied @ fact.Implies }))
    | _ -> ()

/// Calls a function later or on another thread: with an operation that is complete then, or with the first of some.
let later (session: Session) (scope: Scope) (call: Invocation) (callback: Value) : unit =
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
                    | Kind.Task -> session.NewWinner(Operations.tasks session [ racing ], parameter.At)
                    | _ -> Unknown
            ]

        Functions.runElsewhere session scope true closure winners
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

        Functions.runElsewhere session scope true closure completed
        session.ForgetCompletions before |> ignore
    | Function closure, None, None -> Functions.runElsewhere session scope true closure []
    | value, _, _ -> session.Keep value
