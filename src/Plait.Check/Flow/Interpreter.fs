// Interprets the code of a declaration over all paths at once: branches are joined, loops take two turns, functions that are
// values run where they are called. Longer than other files because every case of the language stands here once.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Text

/// Interprets one declaration.
type internal Interpreter(emit: Event -> unit, summaries: string -> Summary option) as this =
    let session = Session(emit)
    let calls = Calls(session, this, summaries)
    let values = Dictionary<int, Value>()
    let read = HashSet<int>()
    // Bodies of functions: those that run now, how often each ran, and those that nothing has run yet.
    let running = HashSet<Code>(HashIdentity.Reference)
    let runs = Dictionary<Code, int>(HashIdentity.Reference)
    let unrun = Dictionary<Code, Closure * State>(HashIdentity.Reference)
    // Where jumps of the decision that is interpreted arrive.
    let mutable arrivals: List<int * Value list * State> = List()
    let mutable turns = 0

    let isOperation (kind: Kind) = kind <> Kind.Plain

    let asyncBuilder (builder: Builder) =
        match builder.Temper with
        | Temper.Hot
        | Temper.Cold -> Some builder
        | Temper.Sequence -> None
        | Temper.Plain -> session.Builder

    let runsAgain (builder: Builder) =
        builder.Temper = Temper.Cold || builder.Temper = Temper.Sequence

    let condition (value: Value) : Condition option =
        match value with
        | Test condition -> Some condition
        | _ -> None

    let assume (value: Value) (isTrue: bool) =
        condition value |> Option.iter (fun condition -> session.Assume(condition, isTrue))

    let bind (variable: Variable) (value: Value) =
        let value =
            match value with
            | Unknown -> Instance(session.New(variable.Kind, "", variable.At, Origin.Awaited))
            | value -> value

        match value with
        | Instance id when not variable.IsGenerated && session.Objects[id].Name = "" ->
            session.Describe(
                id,
                fun object ->
                    { object with
                        Name = variable.Name
                        At = if object.Origin = Origin.Made then object.At else variable.At
                    }
            )
        | _ -> ()

        if variable.IsMutable then
            session.State <-
                { session.State with Mutables = Map.add variable.Id value session.State.Mutables }
        else
            values[variable.Id] <- value

    let valueOf (variable: Variable) : Value =
        let value =
            if variable.IsMutable then
                Map.tryFind variable.Id session.State.Mutables |> Option.defaultValue Unknown
            else
                match values.TryGetValue variable.Id with
                | true, value -> value
                | _ ->
                    let made =
                        Instance(session.New(variable.Kind, variable.Name, variable.At, Origin.Awaited))

                    values[variable.Id] <- made
                    made

        read.Add variable.Id |> ignore

        for id in session.ObjectsOf value do
            session.Reading.Add id |> ignore

        value

    /// What is made here, bound to a name, and never looked at again.
    let checkDropped (variable: Variable) (from: Code) (value: Value) (body: Code) =
        if session.State.IsAlive && not (read.Contains variable.Id) && not (Code.reads variable body) then
            session.Drop(value, from.At, "never looked at")

    /// Looks at the body of a function as it is written.
    let checkBody (body: Code) = session.Emit(WroteFunction body)

    /// Interprets the rest with other settings, which are put back behind it.
    let within (builder: Builder option) (isElsewhere: bool) (action: unit -> 'T) : 'T =
        let before = session.Builder, session.IsElsewhere
        session.Builder <- builder
        session.IsElsewhere <- isElsewhere

        try
            action ()
        finally
            session.Builder <- fst before
            session.IsElsewhere <- snd before

    member private _.Run(closure: Closure, arguments: Value list) : Value =
        let given = closure.Given @ arguments
        let body = closure.Body
        unrun.Remove body |> ignore

        let count =
            match runs.TryGetValue body with
            | true, count -> count
            | _ -> 0

        if given.Length < closure.Parameters.Length then
            Function { closure with Given = given }
        elif count > 40 || not (running.Add body) then
            List.iter session.Lose given
            Instance(session.New(body.Kind, "", body.At, Origin.Awaited))
        else
            runs[body] <- count + 1

            try
                let own, rest = List.splitAt closure.Parameters.Length given

                List.iter2 bind closure.Parameters own

                let result = this.Eval body

                match result, rest with
                | result, [] -> result
                | Function next, rest -> this.Run(next, rest)
                | _, rest -> calls.CallUnknown(body, rest)
            finally
                running.Remove body |> ignore

    /// A value that a builder's Delay made is run where the builder runs it.
    member private _.Force(value: Value) : Value =
        match value with
        | Function closure -> this.Force(this.Run(closure, List.map (fun _ -> Unknown) closure.Parameters))
        | value -> value

    member private _.Repeat(isDoubtful: bool, turn: unit -> unit) =
        let before = session.State
        turn ()
        let first = session.State
        turns <- turns + 1

        if turns <= 3 && first.IsAlive then
            let doubt, isNext = session.DoubtBelow, session.IsNextTurn
            session.IsNextTurn <- true

            if isDoubtful then
                session.DoubtBelow <- session.Objects.Count

            turn ()
            session.DoubtBelow <- doubt
            session.IsNextTurn <- isNext

        turns <- turns - 1
        session.State <- State.join before (State.join first session.State)

    /// Runs a function that runs at another time, or never: what it does to the objects outside is doubtful.
    member private _.RunElsewhere(closure: Closure, arguments: Value list, isOnce: bool) =
        let before = session.State

        let given =
            arguments @ List.replicate 8 Unknown |> List.truncate closure.Parameters.Length

        let run () =
            within None true (fun () -> this.Run(closure, given) |> ignore)

        if isOnce then run () else this.Repeat(true, run)

        session.ForgetCompletions before |> ignore

        session.State <-
            { session.State with
                IsAlive = before.IsAlive
                Locks = max before.Locks session.State.Locks
            }

    /// Runs an alternative: its value, and the state behind it.
    member private _.Way(before: State, way: unit -> Value) : Value * State =
        session.State <- before
        let value = way ()
        value, session.State

    member private _.If(test: Code, yes: Code, no: Code) : Value =
        let value = this.Eval test
        let before = session.State

        let branch (isTrue: bool) (code: Code) () =
            assume value isTrue

            match code.Is with
            | Truth _
            | Nothing
            | Jump _ -> this.Eval code
            | _ ->
                let name = if isTrue then "then" else "else"
                session.On(Code.start code, $"through the '{name}' branch", (fun () -> this.Eval code))

        // && and || are conditionals with a constant for a branch
        session.Meet [ this.Way(before, branch true yes); this.Way(before, branch false no) ]

    /// The tests of a decision; its leaves jump.
    member private _.Decide(code: Code) =
        match code.Is with
        | If(test, yes, no) ->
            let value = this.Eval test
            let before = session.State
            assume value true
            this.Decide yes
            session.State <- before
            assume value false
            this.Decide no
        | Let(variable, value, body) ->
            bind variable (this.Eval value)
            this.Decide body
        | _ -> this.Eval code |> ignore

    member private _.Match(decision: Code, targets: (Variable list * Code) list) : Value =
        let outer = arrivals
        let mine = List()
        arrivals <- mine
        this.Decide decision
        arrivals <- outer
        let behind = session.State

        let results =
            targets
            |> List.mapi (fun index (variables, body) ->
                let here =
                    [
                        for target, given, state in mine do
                            if target = index && state.IsAlive then
                                given, state
                    ]

                match here with
                | [] -> None
                | ways ->
                    session.State <- ways |> List.map snd |> List.reduce State.join

                    variables
                    |> List.iteri (fun at variable ->
                        let ways = [ for given, state in ways -> List.item at given, state ]
                        bind variable (session.Joined(ways, session.State)))

                    let value =
                        if targets.Length = 1 then
                            this.Eval body
                        else
                            session.On(Code.start body, "through this case", (fun () -> this.Eval body))

                    Some(value, session.State))
            |> List.choose id

        session.State <- behind
        session.Meet results

    member private _.Try(body: unit -> Value, handler: unit -> Value, at: range) : Value =
        let outer = session.Thrown
        let before = session.State
        // from the calls inside, and not from what is before them
        session.Thrown <- Some { before with IsAlive = false }
        let value = body ()
        let after = session.State
        let thrown = (session.Thrown |> Option.defaultValue after)
        session.Thrown <- outer
        // what every way into the handler knows to be complete is complete there; whether it was used is in doubt
        session.State <- State.join before { thrown with IsAlive = true }

        if thrown.IsAlive then
            for KeyValue(id, fact) in thrown.Facts do
                if fact.IsComplete then
                    session.Complete(Instance id)

        let handled = session.On(at, "after an exception, through the handler", handler)
        let isHandled = session.State.IsAlive
        session.State <- State.join after session.State
        session.MayThrow()

        if not after.IsAlive then handled
        elif isHandled then State.joinResults value handled
        else value

    member private _.Finally(body: unit -> Value, last: unit -> unit) : Value =
        let value = body ()
        let isAlive = session.State.IsAlive
        session.State <- { session.State with IsAlive = true }
        last ()
        session.State <- { session.State with IsAlive = isAlive && session.State.IsAlive }
        value

    /// `named`: the variable, or the one by which the body knows it.
    member private _.Use(variable: Variable, named: Variable, value: Value, body: unit -> Value) : Value =
        bind variable value
        let result = body ()

        let disposed = session.ObjectsOf(valueOf variable)
        calls.GiveBack disposed

        for id in session.ObjectsOf result do
            let object = session.Objects[id]

            if
                isOperation object.Kind
                && object.Origin = Origin.Made
                && not (session.IsComplete id)
                && disposed |> List.exists object.From.Contains
            then
                session.Emit(DisposedEarly(named, object, object.At))

        result

    member private _.Loop(test: (unit -> Value) option, body: unit -> unit, isDoubtful: bool) =
        let mutable last = Unknown

        let turn () =
            match test with
            | Some test ->
                last <- test ()
                assume last true
            | None -> ()

            body ()

        this.Repeat(isDoubtful, turn)
        assume last false

    /// The value by other objects. Where a test cannot be asked of these, what it tells of them.
    member private _.By(other: int -> Value, value: Value) : Value =
        match value, Value.map session.Objects.Count other value with
        | Test _, Test condition when condition = Value.nothingTold ->
            Value.map
                session.Objects.Count
                other
                (Test(session.ToldBy([ value, session.State ], session.State)))
        | _, value -> value

    /// What awaiting a block gives, of what its body returns.
    member private _.Gift(value: Value) : Gift =
        let task id =
            if session.Objects[id].Kind = Kind.Task then Instance id else Unknown

        match value with
        | Test _ -> Gift.Known(Test(session.ToldBy([ value, session.State ], session.State)))
        | value ->
            match Value.map session.Objects.Count task value with
            | Unknown -> Gift.Anything
            | value -> Gift.Known value

    /// Goes back to what was known before a body that has not run yet. What it uses from outside is not followed any more.
    member private _.NotYet(before: State) =
        let after = session.State
        session.State <- before

        for KeyValue(id, fact) in after.Facts do
            match Map.tryFind id before.Facts with
            | Some earlier when obj.ReferenceEquals(earlier, fact) -> ()
            | _ when fact.Uses.IsEmpty -> session.Keep(Instance id)
            | _ -> session.Lose(Instance id)

    member private _.Block(code: Code, builder: Builder, body: Code) : Value =
        let before = session.State
        let outerReading = session.Reading

        let outerCold, outerThrown, outerOffPool =
            session.Cold, session.Thrown, session.IsOffPool

        if builder.Temper <> Temper.Plain then
            session.IsOffPool <- false

        // a hot body begins while the locks around it are held
        if runsAgain builder then
            session.State <- { before with Locks = 0 }

        session.Reading <- HashSet()

        if runsAgain builder then
            session.Cold <- Some(builder, session.Objects.Count)

        if builder.Temper <> Temper.Plain then
            session.Thrown <- None

        let returned =
            within (asyncBuilder builder) (session.IsElsewhere || builder.Temper = Temper.Sequence) (fun () ->
                session.Emit(Wrote(code, builder))
                this.Force(this.Eval body))

        let needed = session.Reading
        session.Reading <- outerReading
        session.Cold <- outerCold
        session.IsOffPool <- outerOffPool
        session.Thrown <- outerThrown
        session.Reading.UnionWith needed

        let id = session.New(code.Kind, "", code.At, Origin.Made)

        let from =
            Set.unionMany
                [
                    for need in needed do
                        session.Objects[need].From.Add need
                ]

        session.Describe(
            id,
            fun made ->
                { made with
                    From = from
                    Maker = Some(Maker.Block body)
                    GivesValue = code.GivesValue
                    Holds =
                        match builder.Temper, returned with
                        | Temper.Plain, Instance inner -> session.Objects[inner].Holds
                        | _ -> []
                    Gives =
                        match builder.Temper with
                        | Temper.Hot
                        | Temper.Cold -> this.Gift returned
                        | Temper.Sequence
                        | Temper.Plain -> Gift.Anything
                }
        )

        if builder.Temper <> Temper.Plain then
            // what the body raises is the operation's
            session.State <- { session.State with IsAlive = before.IsAlive }
            let completed = session.ForgetCompletions before

            if runsAgain builder then
                this.NotYet before

            session.Change(id, (fun fact -> { fact with Implies = completed }))

        Instance id

    member private _.InBlock(code: Code, part: Part, arguments: Code list) : Value =
        let builder = session.Builder
        let given = List.map this.Eval arguments

        let wrote () =
            builder |> Option.iter (fun builder -> session.Emit(Wrote(code, builder)))

        let at index = (List.item index arguments).At

        let elements (closure: Closure) =
            closure.Parameters
            |> List.map (fun parameter -> calls.ElementOf(given[0], parameter.Kind, parameter.At))

        match part, given with
        | Part.Bind, _ :: _ :: _ ->
            wrote ()
            let sources, continuation = List.splitAt (given.Length - 1) given

            for id in List.collect session.ObjectsOf sources do
                let object = session.Objects[id]

                match object.Kind, builder with
                | (Kind.Task | Kind.SingleUse _), Some builder when
                    object.Origin = Origin.Made
                    && object.Name <> ""
                    && not (session.IsComplete id)
                    && (session.Fact id).Uses.IsEmpty
                    && not (session.Fact id).IsLost
                    ->
                    match session.Next with
                    | Some(next, count) when obj.ReferenceEquals(next, code) && id < count ->
                        session.Emit(AwaitedLate(object, at 0, builder))
                    | _ -> ()

                    session.Next <-
                        match continuation with
                        | [ Function closure ] -> Some(Code.behind closure.Body, session.Objects.Count)
                        | _ -> None
                | _ -> ()

            let results =
                sources
                |> List.mapi (fun index source -> calls.Await(List.item index arguments, source, "awaited"))

            match continuation with
            | [ Function closure ] -> this.Run(closure, results)
            | _ -> Unknown
        | Part.ReturnFrom, [ value ] ->
            wrote ()
            calls.Await(arguments[0], value, "awaited with return!")
        | Part.Return, [ value ] ->
            session.Consume(value, at 0, "returned")
            session.Keep value

            match builder, value with
            // it is returned, and not run
            | _, Function _ -> Unknown
            | Some { Temper = (Temper.Hot | Temper.Cold) }, value -> value
            | _ -> Unknown
        | Part.Using, [ value; Function closure ] ->
            match closure.Parameters with
            | [ variable ] ->
                unrun.Remove closure.Body |> ignore

                // the name that it has in the source
                let named =
                    match closure.Body.Is with
                    | Let(named, { Is = Read other }, _) when other.Id = variable.Id -> named
                    | _ -> variable

                this.Use(variable, named, value, (fun () -> this.Run(closure, [ value ])))
            | _ -> this.Run(closure, [ value ])
        | Part.Combine, _ -> given |> List.fold (fun _ value -> this.Force value) Unknown
        | Part.While, [ test; body ] ->
            let isDoubtful =
                match test, body with
                | Function test, Function body -> this.IsFlag(test.Body, body.Body)
                | _ -> false

            this.Loop(
                Some(fun () -> this.Force test),
                (fun () ->
                    let kind =
                        if session.IsNextTurn then "in the next turn of the loop" else "in the loop"

                    session.On(at 1, kind, (fun () -> this.Force body |> ignore))),
                isDoubtful
            )

            Unknown
        | Part.For, [ owner; Function closure ] ->
            calls.OverElements(
                owner,
                fun () ->
                    let elements = elements closure
                    this.Run(closure, elements) |> this.Force |> ignore
                    elements
            )

            Unknown
        | Part.TryWith, [ body; Function handler ] ->
            this.Try(
                (fun () -> this.Force body),
                (fun () -> this.Run(handler, [ Unknown ]) |> this.Force),
                at 1
            )
        | Part.TryFinally, [ body; last ] ->
            this.Finally((fun () -> this.Force body), (fun () -> this.Force last |> ignore))
        | Part.Merge, values -> Group values
        | _, [] -> Unknown
        | _, [ value ] -> value
        | _, values ->
            // an operation of a builder's own: what it is given may run
            for value in values do
                match value with
                | Function closure -> session.Either [ ignore; fun () -> this.Force value |> ignore ]
                | value -> session.Lose value

            Unknown

    /// Whether a loop ends by a variable that its body sets: then it may take one turn only.
    member private _.IsFlag(test: Code, body: Code) : bool =
        test
        |> Code.exists (fun code ->
            match code.Is with
            | Read variable -> variable.IsMutable && Code.writes variable body
            | Field(owner, "contents", _) -> true
            | _ -> false)

    member private _.Construct
        (code: Code, values: (Code * Value) list, into: string, fields: string list option)
        : Value =
        for part, value in values do
            // a type that may be used once is made of others like it
            if code.Kind.IsSingleUse then session.Lose value else calls.Store(part.At, into, value)

        let held =
            [
                for _, value in values do
                    match value with
                    | Function _ -> Unknown
                    | value -> value
            ]

        let isUsedOnce id = session.Objects[id].Kind.IsSingleUse

        match fields with
        | Some fields when
            code.Kind = Kind.Plain
            && not (held |> List.exists (session.ObjectsOf >> List.exists isUsedOnce))
            ->
            Case(List.zip fields held)
        | _ ->
            let id = session.New(code.Kind, "", code.At, Origin.Made)

            let from =
                Set.unionMany
                    [
                        for value in held do
                            for part in session.ObjectsOf value do
                                session.Objects[part].From.Add part
                    ]

            let items =
                match into, held with
                | "an array", items -> Some items
                | "a list", [] -> Some []
                | "a list", [ item; Instance rest ] ->
                    session.Objects[rest].Items |> Option.map (fun others -> item :: others)
                | _ -> None

            session.Describe(id, fun object -> { object with From = from; Items = items })

            // A collection is complete when all in it are.
            session.Change(id, (fun fact -> { fact with Implies = held }))
            Instance id

    /// What a field of a value holds; `part`: of an object of which more is not known.
    member private _.Held(owner: Value, field: string, part: int -> Value) : Value option =
        match owner with
        | Case fields -> fields |> List.tryFind (fst >> (=) field) |> Option.map snd
        | OneOf owners ->
            match owners |> List.choose (fun owner -> this.Held(owner, field, part)) with
            | [] -> None
            | held -> Some(List.reduce State.joinResults held)
        | Instance id -> Some(part id)
        | _ -> None

    member private _.Call(code: Code, callee: Callee, arguments: Code list) : Value =
        let isUsedUp index =
            callee.Effects
            |> Option.defaultValue []
            |> List.exists (fun effect -> effect = Consumes index || effect = CompletesAll index)

        let isDropped index =
            callee.Effects |> Option.defaultValue [] |> List.contains (Drops index)

        let given =
            arguments
            |> List.mapi (fun index argument ->
                match Code.items argument, argument.Is with
                // a list that is written for a call which uses up all in it keeps nothing
                | Some items, _ when isUsedUp index -> Group(List.map this.Eval items)
                | _, AsObject inner when isDropped index -> this.Eval inner
                | _ -> this.Eval argument)

        calls.Call(code, callee, given)

    member private _.Eval(code: Code) : Value =
        session.Step()

        match code.Is with
        | Nothing when code.Kind = Kind.Task -> session.NewNull code.At
        | Nothing
        | Lost -> Unknown
        | Number number -> Constant number
        | Truth truth -> Test(Always truth)
        | Read variable -> valueOf variable
        | Write(variable, value) ->
            let value = this.Eval value
            bind variable value
            session.Keep value
            Unknown
        | Let(variable, value, body) ->
            let result = this.Eval value

            match value.Is with
            | Lambda(_, inner) when not variable.IsGenerated -> checkBody inner
            | _ -> ()

            match result with
            | Instance id when
                session.Objects[id].Kind.IsSingleUse
                && session.Objects[id].Name = ""
                && Code.onlyAwaits variable body
                ->
                session.Describe(id, fun object -> { object with IsOnlyAwaited = true })
            | _ -> ()

            bind variable result
            let bound = if variable.IsMutable then Unknown else values[variable.Id]
            let wasRead = read.Remove variable.Id
            let after = this.Eval body
            checkDropped variable value bound body

            if wasRead then
                read.Add variable.Id |> ignore

            after
        | LetRec(bindings, body) ->
            for variable, value in bindings do
                bind variable (this.Eval value)

                match value.Is with
                | Lambda(_, inner) -> checkBody inner
                | _ -> ()

            this.Eval body
        | Then(first, second) ->
            session.Drop(this.Eval first, first.At, "dropped")
            this.Eval second
        | If(test, yes, no) -> this.If(test, yes, no)
        | Match(decision, targets) -> this.Match(decision, targets)
        | Jump(target, given) ->
            let given = List.map this.Eval given
            arrivals.Add((target, given, session.State))
            Unknown
        | Loop(test, body) ->
            let isDoubtful =
                match test with
                | Some test -> this.IsFlag(test, body)
                | None -> false

            this.Loop(
                test |> Option.map (fun test () -> this.Eval test),
                (fun () -> this.Eval body |> ignore),
                isDoubtful
            )

            Unknown
        | Try(body, handled, handler) ->
            this.Try(
                (fun () -> this.Eval body),
                (fun () ->
                    bind handled Unknown
                    this.Eval handler),
                handler.At
            )
        | Finally(body, last) ->
            this.Finally((fun () -> this.Eval body), (fun () -> this.Eval last |> ignore))
        | Use(variable, value, body) ->
            let value = this.Eval value
            this.Use(variable, variable, value, (fun () -> this.Eval body))
        | Lambda(parameters, body) ->
            let closure = { Parameters = parameters; Given = []; Body = body }

            if not (runs.ContainsKey body) then
                unrun[body] <- (closure, session.State)

            Function closure
        | Delegate inner -> this.Eval inner
        | Apply(f, arguments) ->
            let f = this.Eval f
            let given = List.map this.Eval arguments

            match f with
            | Function closure ->
                match session.On(code.At, "in this call", (fun () -> this.Run(closure, given))) with
                // what the function made is made by this call
                | Instance id when
                    isOperation session.Objects[id].Kind
                    && session.Objects[id].Origin = Origin.Made
                    && session.Objects[id].Name = ""
                    ->
                    session.Describe(id, fun made -> { made with At = code.At })
                    Instance id
                | value -> value
            | f ->
                calls.NoteCall f
                calls.CallUnknown(code, given)
        | Call(callee, arguments) -> this.Call(code, callee, arguments)
        | Field(owner, name, isMutable) ->
            let another () =
                Instance(session.New(code.Kind, name, code.At, Origin.Part))

            let part id =
                if isMutable && code.Kind.IsSingleUse then
                    another ()
                else
                    Instance(session.Part(id, name, code.Kind, code.At, Origin.Part))

            match this.Held(this.Eval owner, name, part) with
            | None
            | Some Unknown -> another ()
            | Some value -> value
        | Content(owner, field) ->
            let part id =
                Instance(session.Part(id, field, code.Kind, code.At, Origin.Element id))

            match this.Held(this.Eval owner, field, part) with
            | None
            | Some Unknown -> Instance(session.New(code.Kind, field, code.At, Origin.Part))
            | Some value -> value
        | Item(tuple, index) ->
            match this.Eval tuple with
            | Group items when index < items.Length -> items[index]
            | Instance id -> Instance(session.Part(id, string index, code.Kind, code.At, Origin.Part))
            | _ -> Unknown
        | Tuple items -> Group(List.map this.Eval items)
        | Construct(parts, into, fields) ->
            this.Construct(code, [ for part in parts -> part, this.Eval part ], into, fields)
        | SetField(parts, into) ->
            let values = [ for part in parts -> part, this.Eval part ]

            match values with
            | [ _, Instance owner; _ ] -> session.Forget(owner, into)
            | _ -> ()

            this.Construct(code, [ List.last values ], into, None) |> ignore
            Unknown
        | Global(name, isMutable) ->
            match code.Kind with
            | Kind.SingleUse _ when isMutable -> Instance(session.New(code.Kind, name, code.At, Origin.Part))
            | kind -> Instance(session.Part(-1, name, kind, code.At, Origin.Part))
        | AsObject inner ->
            let value = this.Eval inner
            session.Emit(GivenAway(inner, code.At, Taker.AsObject))
            session.Lose value
            value
        | Block(builder, body) -> this.Block(code, builder, body)
        | InBlock(part, arguments) -> this.InBlock(code, part, arguments)
        | Parts parts ->
            for part in parts do
                match this.Eval part with
                | Function closure -> this.RunElsewhere(closure, [], false)
                | value -> session.Keep value

            Unknown

    interface IRunner with
        member _.Run(closure, arguments) = this.Run(closure, arguments)

        member _.RunElsewhere(closure, arguments, isOnce) =
            this.RunElsewhere(closure, arguments, isOnce)

        member _.Repeat(isDoubtful, turn) = this.Repeat(isDoubtful, turn)

    /// Functions that nothing ran: each once, from what was known where it was made.
    member private _.RunTheRest() : HashSet<int> =
        session.Reading <- HashSet()

        while unrun.Count > 0 do
            let closure, state = Seq.head unrun.Values
            session.State <- state
            session.DoubtBelow <- session.Objects.Count

            for parameter in closure.Parameters do
                bind parameter Unknown

            within None true (fun () ->
                let given = closure.Parameters |> List.map valueOf
                this.Run({ closure with Given = [] }, given) |> ignore)

        session.DoubtBelow <- 0
        session.Reading

    /// What a declaration returns, by its first `count` objects, which are its parameters.
    member private _.Returned(result: Value, count: int) : Returned =
        let ofParameters (value: Value) =
            let rec parameter (id: int) : Value =
                if id < count then Instance id
                elif session.IsWinner id then Ended(List.map parameter session.Objects[id].Among)
                else Unknown

            this.By(parameter, value)

        let operation (value: Value) =
            Group [ for id in Set.filter (fun id -> id < count) (session.ImpliedBy value) -> Instance id ]

        let rec isFollowed (value: Value) =
            match value with
            | Test _
            | Status _
            | Place _
            | Group _
            | Case _ -> true
            | Instance id -> session.Objects[id].Kind = Kind.Task
            | OneOf values -> List.forall isFollowed values
            | _ -> false

        match result with
        | Instance id when id >= count && isOperation session.Objects[id].Kind ->
            let object = session.Objects[id]

            {
                Value = if session.IsWinner id then ofParameters result else Unknown
                Implies =
                    (session.Fact id).Implies
                    |> List.map ofParameters
                    |> List.filter (fun value -> value <> Unknown)
                MayDrop = object.MayDrop
                // a stand-in returns what is complete where the real function does not
                IsComplete = false
                Gives =
                    object.Gives
                    |> Gift.map ofParameters operation (fun among ->
                        if among |> List.forall (fun id -> id < count) then among else [])
            }
        | result ->
            {
                Value = if isFollowed result then ofParameters result else Unknown
                Implies = []
                MayDrop = false
                IsComplete =
                    match result with
                    | Instance id ->
                        id >= count && session.Objects[id].Kind = Kind.Plain && session.IsComplete id
                    | _ -> false
                Gives = Gift.Anything
            }

    /// Interprets a declaration: what it does with its parameters. Raises TooLarge.
    member _.Declaration(declaration: Declaration) : Summary =
        declaration.Parameters
        |> List.iteri (fun index parameter ->
            let id =
                session.New(parameter.Kind, parameter.Name, parameter.At, Origin.Parameter index)

            values[parameter.Id] <- Instance id)

        for attribute in Option.toList declaration.CalledBy do
            session.Emit(GivenAway(declaration.Body, declaration.Body.At, Taker.Attribute attribute))

        if not declaration.Parameters.IsEmpty then
            checkBody declaration.Body

        let result = this.Eval declaration.Body
        session.Consume(result, declaration.Body.At, "returned")
        session.Keep result
        let after = session.State
        let returns = this.Returned(result, declaration.Parameters.Length)
        let readLater = this.RunTheRest()

        let parametersThat (holds: int -> Fact -> bool) =
            declaration.Parameters
            |> List.indexed
            |> List.filter (fun (index, _) ->
                holds index (after.Facts |> Map.tryFind index |> Option.defaultValue Fact.fresh))
            |> List.map fst
            |> Set.ofList

        {
            Consumes = parametersThat (fun _ fact -> fact.IsCertain && not fact.Uses.IsEmpty)
            MayConsume = parametersThat (fun _ fact -> not fact.IsCertain && not fact.Uses.IsEmpty)
            Loses = parametersThat (fun index fact -> fact.IsLost || readLater.Contains index)
            Runs = calls.Runs
            RunsLocked = calls.RunsLocked
            Returns = returns
            Raises = not after.IsAlive
            Locks = if after.IsAlive then after.Locks else 0
            Blocks = calls.Waiting.Blocks
            BlocksOn = calls.Waiting.BlocksOn
            BlocksShortly = calls.Waiting.BlocksShortly
        }

    /// What it waits for.
    member _.WaitsFor: WaitsFor seq = calls.Waiting.WaitsFor

    /// The places where single-use objects were made or bound, and of these the ones that were not followed to their end.
    member _.SingleUse: struct (range * bool) list =
        [
            for object in session.Objects do
                match object.Kind with
                | Kind.SingleUse _ -> struct (object.At, (session.Fact object.Id).IsLost)
                | _ -> ()
        ]
