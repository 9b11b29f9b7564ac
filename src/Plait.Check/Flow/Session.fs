// The state of one interpretation of one declaration: its objects, the facts about them at the interpreted point, and the values of variables.
// Every function that interprets code gets the session and the scope of the code.
namespace Plait.Check

open System
open System.Collections.Generic

open FSharp.Compiler.Text

/// A declaration has more than 2,000,000 steps.
exception internal TooLarge

/// The bodies of the functions in the declaration.
type internal Bodies() =
    /// Those that run now.
    member val Running = HashSet<Code>(HashIdentity.Reference)
    /// The number of times that each ran.
    member val Runs = Dictionary<Code, int>(HashIdentity.Reference)
    /// Functions that did not run yet, each with the state at its lambda.
    member val Unrun = Dictionary<Code, Closure * State>(HashIdentity.Reference)

/// The summaries of the check's declarations.
type internal SummaryLookup =
    {
        /// The summary of a function or a value, by its key.
        Summary: string -> Summary option
        /// The summaries of the members that implement an abstract one, by its name.
        Implementations: string -> Summary option list
    }

/// `emit` gets the events that rules may judge; `eval` interprets code.
type internal Session(emit: Event -> unit, declared: SummaryLookup, eval: Session -> Scope -> Code -> Value) =
    inherit Instances()
    let captured = Dictionary<Code, Set<int>>(HashIdentity.Reference)
    let detached = List<struct (int * Set<int> * range * int)>()
    let mutable steps = 0
    let mutable isMuted = false

    /// The facts at the interpreted point.
    member val State = State.start with get, set

    /// The part of the summary that is collected so far.
    member val PartialSummary = PartialSummary()

    /// The values of variables that do not change.
    member val Values = Dictionary<int, Value>()

    /// The variables that the code has read.
    member val Read = HashSet<int>()

    member val Bodies = Bodies()

    /// A call of an abstract member counts as blocking, because all implementations in the check block.
    member val IsOpen = false with get, set

    member _.Summary(callee: Callee) : Summary option =
        if callee.IsOpen then None else declared.Summary callee.Key

    /// The summary of the value that a class gives a field.
    member _.SummaryOfField(initial: string) : Summary option =
        if initial = "" then None else declared.Summary initial

    /// The summary of a value of a module, by its full name.
    member _.SummaryOfValue(name: string) : Summary option = declared.Summary $"{name}()"

    /// The override of an abstract or virtual member in a class: its key, and its summary if the check has it.
    member _.Override(callee: Callee, ofClass: string) : string * Summary option =
        let key =
            $"{ofClass}.{Symbol.lastPart callee.Name}{callee.Key.Substring callee.Name.Length}"

        key, declared.Summary key

    /// The summary of a member without parameters of a class.
    member _.SummaryOfMember(ofClass: string, name: string) : Summary option =
        declared.Summary $"{ofClass}.{name}(unit)"
        |> Option.orElseWith (fun () -> declared.Summary $"{ofClass}.{name}()")

    /// The summaries of the members that implement an abstract one.
    member _.Implementations(callee: Callee) : Summary option list = declared.Implementations callee.Name

    /// Interprets code.
    member session.Eval(scope: Scope, code: Code) : Value = eval session scope code

    /// Counts a step of the interpretation.
    member _.Step() =
        steps <- steps + 1

        if steps > 2_000_000 then
            raise TooLarge

    member session.Emit(event: Event) =
        if session.State.IsAlive && not isMuted then
            emit event

    /// Interprets code that runs later: its result, and the call that blocks then.
    member session.Deferring(run: unit -> 'T) : 'T * (BlockingCall * Value list) option =
        let partial = session.PartialSummary

        let blocks, waitsFor, runs, locked =
            partial.Blocks, partial.BlocksFor, partial.Runs, partial.RunsLocked

        partial.Blocks <- None
        partial.BlocksFor <- []

        try
            let result = run ()
            result, partial.Blocks |> Option.map (fun blocking -> blocking, partial.BlocksFor)
        finally
            partial.Blocks <- blocks
            partial.BlocksFor <- waitsFor
            partial.Runs <- runs
            partial.RunsLocked <- locked

    /// Interprets code for its result alone: it emits no event, and the state stays as it was.
    member session.Speculate(run: unit -> 'T) : 'T =
        let before, wasMuted = session.State, isMuted
        isMuted <- true

        try
            run ()
        finally
            session.State <- before
            isMuted <- wasMuted

    // Objects

    /// The objects that a function captures.
    member private session.Captured(closure: Closure, seen: HashSet<Code>) : int list =
        if not (seen.Add closure.Body) then
            []
        else
            let free =
                match captured.TryGetValue closure.Body with
                | true, free -> free
                | _ ->
                    let free = Code.free closure.Body
                    captured[closure.Body] <- free
                    free

            [
                yield! List.collect Value.objects closure.Applied

                for variable in free do
                    let value =
                        match session.Values.TryGetValue variable with
                        | true, value -> value
                        | _ ->
                            session.State.Mutables
                            |> Map.tryFind variable
                            |> Option.defaultValue Value.Unknown

                    match value with
                    | Value.Function inner -> yield! session.Captured(inner, seen)
                    | value -> yield! Value.objects value
            ]

    /// The objects of these values, and the objects that those depend on. A function depends on its captured objects.
    member session.Needs(values: Value list) : Set<int> =
        Set.unionMany
            [
                for value in values do
                    let parts =
                        match value with
                        | Value.Function closure ->
                            session.Captured(closure, HashSet<Code>(HashIdentity.Reference))
                        | value -> Value.objects value

                    for id in parts do
                        session.Objects[id].DependsOn.Add id
            ]

    // Detached operations

    /// The number of waits and awaits so far.
    member val Waits = 0 with get, set

    /// Notes an operation that runs on without a wait for it. `needs`: the objects that it uses.
    member session.Detach(operation: int, needs: Set<int>, at: range) =
        if not needs.IsEmpty then
            detached.Add(struct (operation, needs, at, session.Waits))

    /// The number of detached operations so far.
    member _.Detached: int = detached.Count

    /// The detached operations from this number on, without those before the last wait.
    member session.DetachedSince(count: int) : (int * Set<int> * range) list =
        [
            for index in count .. detached.Count - 1 do
                let struct (operation, needs, at, waits) = detached[index]

                if waits = session.Waits then
                    operation, needs, at
        ]

    // Parts of objects

    /// The complete parts of an object.
    member session.CompleteParts(root: int) : int list =
        [
            for KeyValue(id, fact) in session.State.Facts do
                if fact.IsComplete && id > root && session.Path(root, id).IsSome then
                    id
        ]

    // Facts

    member session.Fact(id: int) : Fact =
        session.State.Facts |> Map.tryFind id |> Option.defaultValue Fact.fresh

    member session.Change(id: int, change: Fact -> Fact) =
        let before = session.Fact id
        let after = change before

        if not (obj.ReferenceEquals(before, after)) then
            session.State <- { session.State with Facts = Map.add id after session.State.Facts }

    member session.Each(value: Value, change: Fact -> Fact) =
        for id in Value.objects value do
            session.Change(id, change)

    /// The completion of the object implies that of these values.
    member session.Implies(id: int, values: Value list) =
        session.Change(id, (fun fact -> { fact with Implies = values }))

    /// The code awaits, passes, returns or stores the value.
    member session.Observe(value: Value) =
        session.Each(value, (fun fact -> if fact.IsObserved then fact else { fact with IsObserved = true }))

    /// The value escapes into code that the analysis does not follow.
    member session.Escape(value: Value) =
        session.Each(
            value,
            fun fact -> if fact.HasEscaped then fact else { fact with HasEscaped = true; IsObserved = true }
        )

    /// The aliases of a task on this path.
    member session.NamesOf(id: int) : int list =
        if session.State.Same.IsEmpty then
            []
        else
            [
                for struct (a, b) in session.State.Same do
                    if a = id then
                        b
                    elif b = id then
                        a
            ]

    /// Both are aliases of one task.
    member session.AddName(a: int, b: int) =
        session.State <- { session.State with Same = session.State.Same.Add(Value.pair a b) }

    /// Whether the object is known to be complete.
    member session.IsComplete(id: int) : bool =
        let rec isComplete (id: int) =
            (session.Fact id).IsComplete
            || session.IsCompleteFromStart id
            || match session.Objects[id].Origin with
               | Origin.Element owner
               | Origin.Indexed owner -> isComplete owner
               | Origin.Member -> session.Holder id |> Option.exists isComplete
               | _ -> false

        isComplete id || session.NamesOf id |> List.exists isComplete

    /// Whether there are values, and all are known to be complete.
    member session.AreComplete(values: Value list) : bool =
        match List.collect Value.objects values with
        | [] -> false
        | objects -> List.forall session.IsComplete objects

    /// Marks the value as complete, and the values that this implies.
    member session.Complete(value: Value) =
        for id in Value.objects value do
            let fact = session.Fact id

            if not fact.IsComplete then
                session.Change(id, (fun fact -> { fact with IsComplete = true }))
                List.iter session.Complete fact.Implies

    /// The objects whose completion that of a value implies.
    member session.ImpliedBy(value: Value) : Set<int> =
        let seen = HashSet<int>()

        let rec implied (id: int) : Set<int> =
            if seen.Add id then
                (session.Fact id).Implies
                |> List.collect Value.objects
                |> List.map implied
                |> Set.unionMany
                |> Set.add id
            else
                Set.empty

        Value.objects value |> List.map implied |> Set.unionMany

    /// Returns the values that became complete since `before`, and marks them as incomplete: the code since then may run later.
    member session.ForgetCompletions(before: State) : Value list =
        let completed =
            [
                for KeyValue(id, fact) in session.State.Facts do
                    if fact.IsComplete then
                        match Map.tryFind id before.Facts with
                        | Some earlier when earlier.IsComplete -> ()
                        | _ -> id
            ]

        for id in completed do
            session.Change(id, (fun fact -> { fact with IsComplete = false }))

        session.State <- { session.State with Same = before.Same; Different = before.Different }
        List.map Value.Instance completed

    // The path

    /// The path ends here.
    member session.End() =
        session.State <- { session.State with IsAlive = false }

    /// Takes locks of the thread; a number below zero releases them.
    member session.Lock(count: int) =
        if count <> 0 then
            session.State <- { session.State with Locks = session.State.Locks + count }

    /// The code may throw here.
    member session.MayThrow(scope: Scope) =
        match scope.Handler with
        | Some handler -> handler.MayThrowIn session.State
        | None -> ()
