// What a call does to what is known: the effects of the table, the summaries of functions whose source is checked, and what is
// assumed of all others.
namespace Plait.Check

open FSharp.Compiler.Text

/// Runs functions that are values. The interpreter is one.
type internal IRunner =
    /// Runs a function now.
    abstract Run: Closure * Value list -> Value
    /// Runs a function that something else calls, at another time or never.
    abstract RunElsewhere: Closure * Value list * isOnce: bool -> unit
    /// Runs what may be repeated: a first turn, then the second one that starts where the first ended.
    abstract Repeat: isDoubtful: bool * turn: (unit -> unit) -> unit

/// Applies calls. `summaries`: those of functions whose source is checked, by key.
type internal Calls(session: Session, runner: IRunner, summaries: string -> Summary option) =
    let waiting = Waiting session
    let mutable runs = Set.empty
    let mutable runsLocked = Set.empty

    let noteCall (value: Value) =
        match waiting.ParameterOf value with
        | Some index when session.IsOnCaller ->
            runs <- runs.Add index

            if session.State.Locks > 0 then
                runsLocked <- runsLocked.Add index
        | _ -> ()

    /// Disposes objects: of these, the ones that hold a lock give it back.
    let giveBack (objects: int list) =
        if objects |> List.exists (fun id -> session.Objects[id].Made = Some Locks) then
            session.Lock -1

    let argument (arguments: Value list) (index: int) : Value =
        List.tryItem index arguments |> Option.defaultValue Unknown

    /// A new object for what a call returns.
    let result (code: Code) (arguments: Value list) : int =
        let id = session.New(code.Kind, "", code.At, Origin.Made)

        if code.GivesValue then
            session.Describe(id, fun made -> { made with GivesValue = true })

        // what is read from a resource does not need it any more
        let needs =
            match code.Is with
            | Call(callee, _) -> code.Kind <> Kind.Plain || callee.Name.EndsWith "..ctor"
            | _ -> code.Kind <> Kind.Plain

        let from =
            Set.unionMany
                [
                    if not needs then
                        Set.empty
                    else

                        for argument in arguments do
                            for object in session.ObjectsOf argument do
                                session.Objects[object].From.Add object
                ]

        if not from.IsEmpty then
            session.Describe(id, fun made -> { made with From = from })

        id

    /// The tasks that a call is given, by themselves or in a collection that is written out; empty where some are not known.
    let tasksOf (values: Value list) : int list =
        let rec tasks (value: Value) : int list option =
            match value with
            | Instance id when session.Objects[id].Kind = Kind.Task -> Some [ id ]
            | Instance id -> session.Objects[id].Items |> Option.bind all
            | Group values -> all values
            | _ -> None

        and all (values: Value list) : int list option =
            let found = List.map tasks values

            if List.forall Option.isSome found then
                Some(found |> List.choose id |> List.concat)
            else
                None

        all values |> Option.defaultValue []

    /// It is a sequence of tasks that are complete.
    let isEach (id: int) : bool =
        match session.Objects[id].Made with
        | Some(EachComplete _) -> true
        | _ -> false

    /// It may end before what it waits for.
    let isInTime (id: int) : bool =
        match session.Objects[id].Made with
        | Some(CompletesInTime _) -> true
        | _ -> false

    let rec elementOf (owner: Value) (kind: Kind) (at: range) : Value =
        match owner with
        | Case fields -> fields |> List.map snd |> List.fold State.joinResults Unknown
        | OneOf owners ->
            owners
            |> List.map (fun owner -> elementOf owner kind at)
            |> List.fold State.joinResults Unknown
        | Instance id ->
            match kind with
            | Kind.Task when isEach id -> session.NewWinner(session.Objects[id].Among, at)
            // each element is used once
            | Kind.SingleUse _ -> Instance(session.New(kind, "", at, Origin.Element id))
            | _ -> Instance(session.Part(id, "element", kind, at, Origin.Element id))
        | _ -> Unknown

    let parametersFrom (owner: Value) (closure: Closure) : Value list =
        closure.Parameters
        |> List.skip (min closure.Given.Length closure.Parameters.Length)
        |> List.map (fun parameter -> elementOf owner parameter.Kind parameter.At)

    /// Runs what gets an element of a collection in each turn. Where every turn ends with it complete, all of them are.
    let overElements (owner: Value) (turn: unit -> Value list) =
        let mutable isEach = true

        runner.Repeat(
            false,
            fun () ->
                let elements = turn () |> List.collect session.ObjectsOf

                isEach <-
                    isEach
                    && not elements.IsEmpty
                    && (not session.State.IsAlive || List.forall session.IsComplete elements)
        )

        if isEach then
            session.Complete owner

    /// What a function returned, with the tasks that are complete as objects of here.
    let rec returned (at: range) (value: Value) : Value =
        match value with
        | Ended values -> session.NewWinner(tasksOf values, at)
        | Group values -> Group(List.map (returned at) values)
        | OneOf values -> OneOf(List.map (returned at) values)
        | Case fields -> Case [ for name, value in fields -> name, returned at value ]
        | Place place -> Place { place with First = returned at place.First }
        | value -> value

    /// What awaiting a value gives.
    let given (at: range) (value: Value) : Value =
        let rec received (gift: Gift) : Value =
            match gift with
            | Gift.Anything -> Unknown
            | Gift.Known value -> returned at value
            | Gift.Winner among -> session.NewWinner(among, at)
            | Gift.In(field, gift) ->
                match received gift with
                | Unknown -> Unknown
                | value -> Case [ field, value ]
            | Gift.Run(operation, gift) ->
                let id = session.New(Kind.Task, "", at, Origin.Awaited)
                session.Describe(id, fun made -> { made with Gives = gift })
                session.Change(id, (fun fact -> { fact with Implies = [ operation ] }))
                Instance id

        match session.ObjectsOf value |> List.map (fun id -> session.Objects[id].Gives) |> List.distinct with
        | [] -> Unknown
        | [ gift ] -> received gift
        | gifts ->
            let among =
                gifts
                |> List.map (fun gift ->
                    match gift with
                    | Gift.Winner among -> Some among
                    | _ -> None)

            if among |> List.forall Option.isSome then
                let among = List.choose id among
                session.NewWinner((if List.contains [] among then [] else List.concat among), at)
            else
                Unknown

    /// The result is complete when these values are, and may be dropped if they may.
    let follows (id: int) (values: Value list) =
        let operations =
            values
            |> List.collect session.ObjectsOf
            |> List.filter (fun id -> session.Objects[id].Kind <> Kind.Plain)

        let mayDrop =
            not operations.IsEmpty
            && operations |> List.forall (fun id -> session.Objects[id].MayDrop)

        session.Describe(id, fun made -> { made with MayDrop = made.MayDrop || mayDrop })
        session.Change(id, (fun fact -> { fact with Implies = values }))

    let isTask (value: Value) =
        match session.ObjectsOf value with
        | [] -> false
        | objects -> objects |> List.forall (fun id -> session.Objects[id].Kind = Kind.Task)

    /// What awaiting a value gives, where it is one object.
    let giftOf (value: Value) : Gift =
        match session.ObjectsOf value with
        | [ id ] -> session.Objects[id].Gives
        | _ -> Gift.Anything

    let asked (isExact: bool) : int option =
        if isExact then Some session.Objects.Count else None

    let holds (comparison: Comparison) (number: int) (value: int) : bool =
        match comparison with
        | Comparison.Equal -> value = number
        | Comparison.Different -> value <> number
        | Comparison.Less -> value < number
        | Comparison.Greater -> value > number
        | Comparison.AtMost -> value <= number
        | Comparison.AtLeast -> value >= number

    /// RanToCompletion, Canceled and Faulted are 5, 6 and 7.
    let statusTest (task: Value) (comparison: Comparison) (number: int) : Value option =
        let yes, no = [ 0..7 ] |> List.partition (holds comparison number)

        let areOfEnded (statuses: int list) =
            not statuses.IsEmpty && List.head statuses >= 5

        if areOfEnded yes then Some(Test(Complete(task, asked (yes.Length = 3))))
        elif areOfEnded no then Some(Test(Opposite(Complete(task, asked (no.Length = 3)))))
        else None

    /// The element of a collection with this number, the same one each time.
    let numbered (owner: int) (place: string) (at: range) : Value =
        Instance(session.Part(owner, $"[{place}]", Kind.Task, at, Origin.Indexed owner))

    /// Which task was first, by its number.
    let placeTest (place: FirstPlace) (comparison: Comparison) (number: int) (at: range) : Value option =
        let isFirst value = Test(Same(place.First, value))

        let isNotFirst value =
            Test(Opposite(Same(place.First, value)))

        match place.Numbered, place.Of, comparison with
        | [], Instance owner, Comparison.Equal when number >= 0 ->
            Some(isFirst (numbered owner (string number) at))
        | [], Instance owner, Comparison.Different when number >= 0 ->
            Some(isNotFirst (numbered owner (string number) at))
        | [], _, _ -> None
        | tasks, _, _ ->
            match tasks |> List.partition (fst >> holds comparison number) with
            | [], _ -> Some(Test(Always false))
            | _, [] -> Some(Test(Always true))
            | [ _, one ], _ -> Some(isFirst one)
            | _, [ _, other ] -> Some(isNotFirst other)
            | _ -> None

    let rec compared (at: range) (comparison: Comparison) (a: Value) (b: Value) : Value option =
        match a, b, comparison with
        | Status task, Constant number, _ -> statusTest task comparison number
        | Place place, Constant number, _ -> placeTest place comparison number at
        | Constant _, (Status _ | Place _), _ ->
            let turned =
                match comparison with
                | Comparison.Less -> Comparison.Greater
                | Comparison.Greater -> Comparison.Less
                | Comparison.AtMost -> Comparison.AtLeast
                | Comparison.AtLeast -> Comparison.AtMost
                | comparison -> comparison

            compared at turned b a
        | _, _, Comparison.Equal when isTask a && isTask b -> Some(Test(Same(a, b)))
        | _, _, Comparison.Different when isTask a && isTask b -> Some(Test(Opposite(Same(a, b))))
        | Test condition, Test(Always truth), (Comparison.Equal | Comparison.Different)
        | Test(Always truth), Test condition, (Comparison.Equal | Comparison.Different) ->
            Some(Test(if truth = (comparison = Comparison.Equal) then condition else Opposite condition))
        | _ -> None

    /// A value is kept where it is not followed.
    let store (at: range) (into: string) (value: Value) =
        for id in session.ObjectsOf value do
            if
                session.Objects[id].Kind.IsSingleUse
                && not (session.IsComplete id)
                && not (session.Fact id).IsLost
            then
                session.Emit(Stored(session.Objects[id], at, into))

        session.Lose value

    /// What becomes of an argument of which nothing is known.
    let handOver (code: Code) (callee: Callee) (index: int) (value: Value) =
        match value with
        | Function closure -> runner.RunElsewhere(closure, [], false)
        | value ->
            let takes = List.tryItem index callee.TakesSingleUse |> Option.defaultValue false

            if takes then
                session.Consume(value, code.At, $"passed to {callee.Short}")
            elif callee.Name.Contains ".set_" then
                store code.At callee.Short value
            elif index > 0 || not callee.HasObject then
                session.Lose value

            session.Keep value

    let convert (code: Code) (value: Value) (id: int) (made: Effect) (undone: Effect) =
        if
            waiting.MadeBy value = Some undone
            && session.ObjectsOf value |> List.forall (fun id -> session.Objects[id].Name = "")
        then
            let trip = if made = TaskToAsync then Trip.AsyncAgain else Trip.TaskAgain
            session.Emit(RoundTrip(code.At, trip, session.Builder))

        session.Keep value
        session.Describe(id, fun object -> { object with Made = Some made; Gives = giftOf value })
        follows id [ value ]

    let gives (code: Code) (callee: Callee) =
        for argument in
            (match code.Is with
             | Call(_, arguments) -> arguments
             | _ -> []) do
            let rec givenBy (argument: Code) : Code option =
                match argument.Is with
                | Delegate inner
                | AsObject inner
                | Let(_, _, inner) -> givenBy inner
                | Lambda(_, body) -> Some body
                | _ -> None

            match argument.Kind, givenBy argument with
            | Kind.SingleUse _, _ -> session.Emit(GivenAway(argument, argument.At, Taker.AsObject))
            | _, Some body -> session.Emit(GivenAway(body, body.At, Taker.Method callee))
            | _ -> ()

    /// Runs a function that chooses elements of a collection: whether those for which it is true are complete, or what it makes of
    /// them; and whether those are for which it is false.
    let chosen (closure: Closure) (from: Value) : bool * bool =
        let elements = parametersFrom from closure
        let before = session.State
        let answer = runner.Run(closure, elements)
        let after = session.State

        let areComplete (values: Value list) =
            match List.collect session.ObjectsOf values with
            | [] -> false
            | objects -> List.forall session.IsComplete objects

        let are =
            match answer with
            | Test condition ->
                let ``when`` isTrue =
                    session.State <- after
                    session.Assume(condition, isTrue)
                    areComplete elements

                ``when`` true, ``when`` false
            | made -> areComplete [ made ], false

        session.State <- State.join before { after with Facts = before.Facts }
        are

    /// Waits for a value; what that returns. With a limit of time it is true where the value is complete.
    let wait (code: Code) (callee: Callee) (value: Value) : Value option =
        let pending =
            [
                for id in session.ImpliedBy value do
                    if not (session.IsComplete id) then
                        Instance id
            ]

        waiting.For(code, callee, value)

        if callee.GivesTruth && Wait.hasLimit code then
            Some(Test(WaitedFor(Group pending)))
        else
            match given code.At value with
            | Unknown -> None
            | value -> Some value

    /// Waits for one of the elements of a collection, and returns which one.
    let waitAny (code: Code) (callee: Callee) (collection: Value) : Value =
        let tasks = tasksOf [ collection ]
        let isLimited = Wait.hasLimit code

        waiting.ForAny(
            code,
            callee,
            (match tasks with
             | [] -> [ collection ]
             | tasks -> List.map Instance tasks)
        )

        session.Keep collection

        let numbered =
            [
                yield! List.indexed (List.map Instance tasks)

                if isLimited && not tasks.IsEmpty then
                    -1, session.NewNull code.At
            ]

        match numbered with
        | [ _, only ] -> session.Complete only
        | _ -> ()

        let among = numbered |> List.collect (snd >> session.ObjectsOf)
        Place { First = session.NewWinner(among, code.At); Of = collection; Numbered = numbered }

    /// Applies one effect; returns the call's value where the effect decides it.
    let rec apply
        (code: Code)
        (callee: Callee)
        (arguments: Value list)
        (id: int)
        (effect: Effect)
        : Value option =
        let argument = argument arguments

        let first (choose: Effect -> int option) : Value option =
            callee.Effects |> Option.defaultValue [] |> List.tryPick choose |> Option.map argument

        let owner =
            first (function
                | Over index -> Some index
                | _ -> None)
            |> Option.defaultValue Unknown

        // a function that gets elements of another argument
        let runOver (closure: Closure) : Value list * Value =
            let elements = parametersFrom owner closure
            elements, runner.Run(closure, elements)

        /// The result is a collection or the like with what a function made.
        let holding (made: Value) =
            if code.Kind = Kind.Plain then
                let operations =
                    session.ObjectsOf made
                    |> List.collect (fun id ->
                        let object = session.Objects[id]

                        if object.Kind = Kind.Plain then object.Holds
                        elif session.IsComplete id then []
                        else [ id ])

                session.Describe(id, fun result -> { result with Holds = operations })

        match effect with
        | Consumes index ->
            session.Consume(argument index, code.At, $"used by {callee.Short}")
            None
        | Disposes ->
            giveBack (session.ObjectsOf(argument 0))
            None
        | Peeks _
        | Over _ -> None
        | Passes index -> Some(argument index)
        | Shares index ->
            let value = argument index
            let isComplete = session.ObjectsOf value |> List.forall session.IsComplete
            session.Consume(value, code.At, $"used by {callee.Short}")
            session.Lose(Instance id)

            if isComplete && value <> Unknown then
                session.Complete(Instance id)

            session.Change(id, (fun fact -> { fact with IsKept = false; Implies = [ value ] }))
            None
        | Waits index -> wait code callee (argument index)
        | WaitsAny index -> Some(waitAny code callee (argument index))
        | Blocks ->
            match argument 0 with
            // the handle of a task
            | Instance id as task when callee.HasObject && session.Objects[id].Kind = Kind.Task ->
                wait code callee task
            // the handles of tasks
            | handles when not (callee.HasObject || List.isEmpty (tasksOf [ handles ])) ->
                wait code callee handles
            | _ ->
                waiting.Blocked(code, callee, Unknown, None)
                None
        | BlocksBeside twin ->
            match argument 0 with
            // what it waits for has happened
            | Instance object when callee.HasObject && session.IsComplete object -> ()
            | _ -> waiting.Blocked(code, callee, Unknown, Some twin)

            None
        | Once index ->
            match argument index with
            | Function closure -> Some(runner.Run(closure, parametersFrom Unknown closure))
            | _ -> None
        | Perhaps index ->
            match argument index with
            | Function closure -> session.Either [ ignore; fun () -> runOver closure |> snd |> holding ]
            | _ -> ()

            None
        | Many index ->
            match argument index with
            | Function closure ->
                let mutable follows = true

                overElements owner (fun () ->
                    let elements, made = runOver closure
                    holding made

                    // what is made of each element: that, or what is complete when it is
                    follows <-
                        follows && made <> Unknown && elements |> List.forall (session.IsImpliedBy made)

                    elements)

                if follows && owner <> Unknown then
                    session.Change(id, (fun fact -> { fact with Implies = owner :: fact.Implies }))
            | _ -> ()

            None
        | Later index ->
            let completing =
                first (function
                    | CallsWhenComplete index -> Some index
                    | _ -> None)

            let racing =
                first (function
                    | CallsWithFirst index -> Some index
                    | _ -> None)

            match argument index, completing with
            | Function closure, _ when racing.IsSome ->
                let winners =
                    [
                        for parameter in closure.Parameters do
                            match parameter.Kind with
                            | Kind.Task -> session.NewWinner(tasksOf (Option.toList racing), parameter.At)
                            | _ -> Unknown
                    ]

                runner.RunElsewhere(closure, winners, true)
            | Function closure, Some operation ->
                let before = session.State
                session.Complete operation

                let completed =
                    closure.Parameters
                    |> List.map (fun parameter ->
                        let id = session.New(parameter.Kind, parameter.Name, parameter.At, Origin.Awaited)
                        session.Complete(Instance id)
                        Instance id)

                runner.RunElsewhere(closure, completed, true)
                session.ForgetCompletions before |> ignore
            | Function closure, None -> runner.RunElsewhere(closure, [], true)
            | value, _ -> session.Keep value

            None
        | CallsWithFirst index ->
            session.Keep(argument index)
            None
        | CallsWhenComplete index ->
            session.Keep(argument index)
            session.Change(id, (fun fact -> { fact with Implies = [ argument index ] }))
            None
        | TakesElement index ->
            match argument index with
            | Case _
            | OneOf _ as owner -> Some(elementOf owner code.Kind code.At)
            | Instance owner when isEach owner -> Some(elementOf (Instance owner) code.Kind code.At)
            | Instance owner ->
                let items = session.Objects[owner].Items

                let number =
                    match arguments with
                    | [ a; b ] -> if index = 0 then b else a
                    | _ -> Unknown

                let isOneOf (items: Value list) (place: FirstPlace) =
                    items |> List.exists (fun item -> List.exists (snd >> (=) item) place.Numbered)

                // the same place of an array or an F# list is the same element, until something is put there
                let isFixed = callee.Name.StartsWith "Microsoft.FSharp."

                match number, items, code.Kind with
                | Constant number, Some items, _ when isFixed && number >= 0 && number < items.Length ->
                    Some items[number]
                // a number of the tasks that were waited for, in them or in what they were made from
                | Place place, None, Kind.Task -> Some place.First
                | Place place, Some items, Kind.Task when isOneOf items place || place.Numbered.IsEmpty ->
                    Some place.First
                | Constant number, _, Kind.Task when isFixed -> Some(numbered owner (string number) code.At)
                | Instance id, _, Kind.Task when isFixed -> Some(numbered owner $"object {id}" code.At)
                | _ -> Some(Instance(session.New(code.Kind, "", code.At, Origin.Indexed owner)))
            | _ -> None
        | Keeps(predicate, from) ->
            match argument predicate with
            | Function closure when fst (chosen closure (argument from)) -> session.Complete(Instance id)
            | _ -> ()

            None
        | Splits(predicate, from) ->
            match argument predicate with
            | Function closure ->
                let others = result code arguments
                let areComplete, areOthersComplete = chosen closure (argument from)

                if areComplete then
                    session.Complete(Instance id)

                if areOthersComplete then
                    session.Complete(Instance others)

                Some(Group [ Instance id; Instance others ])
            | _ -> None
        | TellsAll(predicate, from) ->
            match argument predicate with
            | Function closure when fst (chosen closure (argument from)) ->
                Some(Test(Complete(argument from, None)))
            | _ -> None
        | TellsAny(predicate, from) ->
            match argument predicate with
            | Function closure when snd (chosen closure (argument from)) ->
                Some(Test(Opposite(Complete(argument from, None))))
            | _ -> None
        | TestsComplete index
        | TellsComplete index ->
            match argument index with
            | Instance _
            | OneOf _ as value -> Some(Test(Complete(value, asked (effect = TellsComplete index))))
            | _ -> None
        | Negates index ->
            match argument index with
            | Test condition -> Some(Test(Opposite condition))
            | _ -> None
        | Compares comparison -> compared code.At comparison (argument 0) (argument 1)
        | TestsStatus index ->
            match argument index with
            | Instance _
            | OneOf _ as value -> Some(Status value)
            | _ -> None
        | CompletesAll index ->
            let implied = List.skip (min index arguments.Length) arguments
            follows id implied

            for value in implied do
                session.Consume(value, code.At, $"used by {callee.Short}")
                session.Keep value

            None
        | CompletesInTime index ->
            session.Keep(argument index)

            session.Describe(
                id,
                fun made -> { made with Made = Some effect; Gives = giftOf (argument index) }
            )

            follows id [ argument index ]
            None
        | GivesComplete ->
            let tasks = tasksOf arguments
            session.Describe(id, fun made -> { made with Gives = Gift.Winner tasks })
            List.iter session.Keep arguments

            // the first of one is that one
            match tasks with
            | [ only ] -> session.Change(id, (fun fact -> { fact with Implies = [ Instance only ] }))
            | _ -> ()

            None
        | GivesTest index ->
            let operation = argument index
            session.Keep operation

            match operation, arguments with
            | Unknown, _ -> ()
            // an optional argument that is not given
            | _, [ _; Case [] ] -> session.Change(id, (fun fact -> { fact with Implies = [ operation ] }))
            | _ ->
                session.Describe(
                    id,
                    fun made -> { made with Gives = Gift.Known(Test(Complete(operation, None))) }
                )

            None
        | EachComplete index ->
            let tasks = argument index
            session.Keep tasks

            session.Describe(id, fun made -> { made with Made = Some effect; Among = tasksOf [ tasks ] })

            // when all were seen
            session.Change(id, (fun fact -> { fact with Implies = [ tasks ] }))
            None
        | GivesIn(field, index) ->
            session.Describe(id, fun made -> { made with Gives = Gift.In(field, giftOf (argument index)) })
            None
        | GivesRun index ->
            let operation = argument index
            session.Keep operation
            session.Describe(id, fun made -> { made with Gives = Gift.Run(operation, giftOf operation) })
            None
        | IsComplete ->
            session.Complete(Instance id)
            None
        | LeavesPool ->
            session.Describe(id, fun object -> { object with Made = Some LeavesPool })
            None
        | Locks ->
            session.Lock 1
            session.Describe(id, fun object -> { object with Made = Some Locks })
            None
        | Unlocks ->
            session.Lock -1
            None
        | LocksIf index ->
            match List.tryItem index arguments with
            | None
            | Some(Test(Always false)) -> ()
            | Some _ -> session.Lock 1

            None
        | LocksUnless(parameterType, number) ->
            match List.tryLast arguments with
            | Some(Constant given) when given = number && callee.Key.EndsWith $"{parameterType})" -> None
            | _ -> apply code callee arguments id Locks
        | MayDrop ->
            session.Describe(id, fun object -> { object with MayDrop = true })
            None
        | Drops index ->
            session.Drop(argument index, code.At, "ignored")
            None
        | Stores index ->
            store code.At callee.Short (argument index)

            match argument 0 with
            | Instance owner when index > 0 -> session.ForgetElements owner
            | _ -> ()

            None
        | Wraps index ->
            match arguments with
            | [ Instance wrapped ] when session.Objects[wrapped].Kind <> Kind.Plain ->
                session.Keep(Instance wrapped)
                session.Change(id, (fun fact -> { fact with Implies = [ Instance wrapped ] }))

                if session.IsComplete wrapped then
                    session.Complete(Instance id)
            | [ _ ]
            | [] -> session.Complete(Instance id)
            // a source and its token
            | _ -> ()

            None
        | Raises ->
            session.State <- { session.State with IsAlive = false }
            None
        | WritesLocal ->
            match session.Builder with
            | Some builder when builder.IsUnsafe -> session.Emit(LocalWritten(code.At, builder))
            | _ -> ()

            None
        | TaskToAsync ->
            convert code (argument 0) id TaskToAsync AsyncToTask
            None
        | AsyncToTask ->
            convert code (argument 0) id AsyncToTask TaskToAsync
            None
        | RunsBlocking ->
            if waiting.MadeBy(argument 0) = Some TaskToAsync then
                session.Emit(RoundTrip(code.At, Trip.Waited, session.Builder))

            session.Keep(argument 0)
            waiting.Note(code, argument 0)
            waiting.Blocked(code, callee, Unknown, None)
            session.Complete(argument 0)

            match given code.At (argument 0) with
            | Unknown -> None
            | value -> Some value
        | Reflects ->
            gives code callee
            List.iter session.Keep arguments
            None

    let known (code: Code) (callee: Callee) (effects: Effect list) (arguments: Value list) : Value =
        let callee = { callee with Effects = Some effects }
        let id = result code arguments
        let spoken = List.collect Effect.arguments effects

        arguments
        |> List.iteri (fun index value ->
            if not (List.contains index spoken) then
                handOver code callee index value)

        let results = effects |> List.choose (apply code callee arguments id)
        results |> List.tryHead |> Option.defaultValue (Instance id)

    let summarised (code: Code) (callee: Callee) (summary: Summary) (arguments: Value list) : Value =
        let id = result code arguments

        arguments
        |> List.iteri (fun index value ->
            let how = $"passed to {callee.Short}"

            match value with
            | Function closure when summary.Runs.Contains index ->
                let held = if summary.RunsLocked.Contains index then 1 else 0
                session.Lock held

                // perhaps more than once
                runner.Repeat(
                    true,
                    (fun () -> runner.Run(closure, parametersFrom Unknown closure) |> ignore)
                )

                session.Lock -held
            | Function _ -> handOver code callee index value
            | value ->
                if summary.Consumes.Contains index then
                    session.Consume(value, code.At, how)
                elif summary.MayConsume.Contains index then
                    session.Either [ ignore; fun () -> session.Consume(value, code.At, how) ]
                elif summary.Loses.Contains index then
                    session.Lose value

                session.Keep value)

        waiting.Called(code, callee, summary, [ for index in summary.BlocksOn -> argument arguments index ])
        let given = Value.map session.Objects.Count (argument arguments)
        let returns = summary.Returns

        if returns.IsComplete then
            session.Complete(Instance id)

        if returns.MayDrop then
            session.Describe(id, fun made -> { made with MayDrop = true })

        match List.map given returns.Implies with
        | [] -> ()
        | implied -> session.Change(id, (fun fact -> { fact with Implies = implied }))

        let gives =
            returns.Gives
            |> Gift.map given given (fun among -> tasksOf (List.map (argument arguments) among))

        session.Describe(id, fun made -> { made with Gives = gives; Maker = Some(Maker.Function callee.Key) })

        session.Lock summary.Locks

        if summary.Raises then
            session.State <- { session.State with IsAlive = false }

        match returned code.At (given returns.Value) with
        | Unknown -> Instance id
        | value -> value

    let property (code: Code) (callee: Callee) (owner: Value) : Value =
        match owner, code.Kind with
        | Instance id, Kind.SingleUse _ ->
            // each read may give another one
            session.Keep owner
            Instance(session.New(code.Kind, "", code.At, Origin.Part))
        | Instance id, kind -> Instance(session.Part(id, callee.Name, kind, code.At, Origin.Part))
        | _ -> Instance(session.New(code.Kind, "", code.At, Origin.Part))

    /// The awaitable pattern: what these members do on every operation.
    let pattern (callee: Callee) (arguments: Value list) : Effect list option =
        let kinds =
            match arguments with
            | (Instance _ | OneOf _ as owner) :: _ when callee.HasObject ->
                session.ObjectsOf owner |> List.map (fun id -> session.Objects[id].Kind)
            | _ -> []

        match kinds with
        | _ :: _ when not (List.contains Kind.Plain kinds) ->
            let uses = if kinds |> List.exists _.IsSingleUse then [ Consumes 0 ] else []

            match Symbol.lastPart callee.Name with
            | "GetAwaiter"
            | "ConfigureAwait" -> Some [ Passes 0 ]
            | "get_IsCompleted" -> Some [ TellsComplete 0 ]
            | "get_IsCompletedSuccessfully"
            | "get_IsFaulted"
            | "get_IsCanceled" -> Some [ TestsComplete 0 ]
            | "get_Result"
            | "GetResult" -> Some(Waits 0 :: uses)
            | "AsTask"
            | "Preserve" when not uses.IsEmpty -> Some [ Shares 0 ]
            | "OnCompleted"
            | "UnsafeOnCompleted" -> Some [ CallsWhenComplete 0; Later 1 ]
            | _ -> None
        | _ -> None

    /// The parameters that the declaration calls.
    member _.Runs = runs

    /// Those of them that it calls while it holds a lock.
    member _.RunsLocked = runsLocked

    /// Objects are disposed.
    member _.GiveBack(objects: int list) = giveBack objects

    /// A value is called as a function.
    member _.NoteCall(value: Value) = noteCall value

    /// What the declaration waits for.
    member _.Waiting = waiting

    /// A value is put somewhere.
    member _.Store(at: range, into: string, value: Value) = store at into value

    /// Runs what gets an element of a collection in each turn.
    member _.OverElements(owner: Value, turn: unit -> Value list) = overElements owner turn

    /// An element of a collection.
    member _.ElementOf(owner: Value, kind: Kind, at: range) : Value = elementOf owner kind at

    /// A call of a member or function with arguments that are evaluated.
    member _.Call(code: Code, callee: Callee, arguments: Value list) : Value =
        let value =
            match callee.Effects |> Option.orElse (pattern callee arguments) with
            | Some effects -> known code callee effects arguments
            | None ->
                match (if callee.IsOpen then None else summaries callee.Key), arguments with
                | Some summary, _ -> summarised code callee summary arguments
                | None, [ owner ] when callee.IsProperty && callee.HasObject -> property code callee owner
                | None, _ ->
                    let isInvoke = callee.HasObject && Symbol.lastPart callee.Name = "Invoke"

                    match arguments with
                    | Function closure :: given when isInvoke ->
                        // a function of () has a parameter, and its delegate none
                        let missing = closure.Parameters.Length - closure.Given.Length - given.Length
                        runner.Run(closure, given @ List.replicate (max 0 missing) Unknown)
                    | _ ->
                        if isInvoke then
                            noteCall (argument arguments 0)

                        let id = result code arguments
                        List.iteri (handOver code callee) arguments
                        Instance id

        session.MayThrow()
        value

    /// A call of a function that is a value and not known.
    member _.CallUnknown(code: Code, arguments: Value list) : Value =
        let id = result code arguments

        for value in arguments do
            match value with
            | Function closure -> runner.RunElsewhere(closure, [], false)
            | value ->
                session.Consume(value, code.At, "passed on")
                session.Keep value

        session.MayThrow()
        Instance id

    /// A value is awaited by the builder of a body; what it gives.
    member calls.Await(source: Code, value: Value, how: string) : Value =
        let at = source.At

        match source.Is, value with
        | InBlock(Part.Merge, sources), Group values when sources.Length = values.Length ->
            Group(List.map2 (fun source value -> calls.Await(source, value, how)) sources values)
        | _, Group values -> Group [ for value in values -> calls.Await(source, value, how) ]
        | _, value ->
            session.Consume(value, at, how)

            // where awaiting it fails, what it waits for may not have ended
            if session.ImpliedBy value |> Set.exists isInTime then
                session.MayThrow()

            session.Complete value
            session.Keep value
            session.IsOffPool <- waiting.MadeBy value = Some LeavesPool
            // where awaiting it fails, it has ended as well
            session.MayThrow()

            match session.Builder, value with
            | Some builder, Instance id when
                builder.Temper = Temper.Hot
                && waiting.MadeBy value = Some TaskToAsync
                && session.Objects[id].Name = ""
                ->
                session.Emit(RoundTrip(at, Trip.Awaited, session.Builder))
            | _ -> ()

            given at value
