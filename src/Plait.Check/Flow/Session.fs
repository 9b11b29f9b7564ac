// One interpretation of one declaration, with all of its state: its objects, the facts about them at the interpreted
// point, and the values of variables. Every function that interprets code gets the session and the scope of the code.
namespace Plait.Check

open System
open System.Collections.Generic

open FSharp.Compiler.Text

/// A declaration is too large to be worth the time.
exception internal TooLarge

/// The bodies of functions that the interpretation came across.
type internal Bodies() =
    /// Those that run now.
    member val Running = HashSet<Code>(HashIdentity.Reference)
    /// How often each ran.
    member val Runs = Dictionary<Code, int>(HashIdentity.Reference)
    /// Functions that nothing has run yet, with the facts at the place where each was made.
    member val Unrun = Dictionary<Code, Closure * State>(HashIdentity.Reference)

/// The declarations of the check.
type internal Declared =
    {
        /// The summary of a function or a value, by its key.
        Summary: string -> Summary option
        /// The summaries of the members that implement an abstract one, by its name.
        Implementations: string -> Summary option list
    }

/// `emit` gets the events that rules may judge; `eval` interprets code.
type internal Session(emit: Event -> unit, declared: Declared, eval: Session -> Scope -> Code -> Value) =
    inherit Instances()
    let captured = Dictionary<Code, Set<int>>(HashIdentity.Reference)
    let left = List<struct (int * Set<int> * range * int)>()
    let mutable steps = 0
    let mutable isMuted = false

    /// The facts at the interpreted point.
    member val State = State.start with get, set

    /// The parts of the summary so far.
    member val Draft = Draft()

    /// The values of variables that do not change.
    member val Values = Dictionary<int, Value>()

    /// The variables that were read.
    member val Read = HashSet<int>()

    member val Bodies = Bodies()

    /// A call blocks because all members in the check that implement an abstract one do.
    member val IsOpen = false with get, set

    member _.Summary(callee: Callee) : Summary option =
        if callee.IsOpen then None else declared.Summary callee.Key

    /// The summary of the value that a class gives a field.
    member _.SummaryOfField(initial: string) : Summary option =
        if initial = "" then None else declared.Summary initial

    /// The summary of a value of a module, by its full name.
    member _.SummaryOfValue(name: string) : Summary option = declared.Summary $"{name}()"

    /// The member of a class that is called for an abstract one, or for one that derived classes may replace: its key, and its
    /// summary if it is in the check.
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

    /// Runs code whose blocking is found when its value is called or forced: the result, and how it blocks then.
    member session.Deferring(run: unit -> 'T) : 'T * (Blockage * Value list) option =
        let draft = session.Draft

        let blocks, waitsFor, runs, locked =
            draft.Blocks, draft.BlocksFor, draft.Runs, draft.RunsLocked

        draft.Blocks <- None
        draft.BlocksFor <- []

        try
            let result = run ()
            result, draft.Blocks |> Option.map (fun blockage -> blockage, draft.BlocksFor)
        finally
            draft.Blocks <- blocks
            draft.BlocksFor <- waitsFor
            draft.Runs <- runs
            draft.RunsLocked <- locked

    /// Runs code for its result alone: no event, and no other facts behind it.
    member session.Aside(run: unit -> 'T) : 'T =
        let before, wasMuted = session.State, isMuted
        isMuted <- true

        try
            run ()
        finally
            session.State <- before
            isMuted <- wasMuted

    // Objects

    /// The objects that a function takes from around it.
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
                yield! List.collect Value.objects closure.Given

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

    /// The objects that a value was made with, and these. A function was made with the ones that it takes from around it.
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
                        session.Objects[id].From.Add id
            ]

    // Operations that run on their own

    /// How many waits and awaits were interpreted.
    member val Waits = 0 with get, set

    /// An operation goes on, and no code waits for it: the objects that it needs, and where it was left.
    member session.Leave(operation: int, needs: Set<int>, at: range) =
        if not needs.IsEmpty then
            left.Add(struct (operation, needs, at, session.Waits))

    /// How many operations were left so far.
    member _.Left: int = left.Count

    /// The operations that were left since there were so many, and behind which no code waited for anything.
    member session.LeftSince(count: int) : (int * Set<int> * range) list =
        [
            for index in count .. left.Count - 1 do
                let struct (operation, needs, at, waits) = left[index]

                if waits = session.Waits then
                    operation, needs, at
        ]

    // Parts of objects

    /// The parts of an object that are complete, as far as it is not complete as a whole.
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

    /// The object is complete as soon as these values are.
    member session.Implies(id: int, values: Value list) =
        session.Change(id, (fun fact -> { fact with Implies = values }))

    /// Something holds on to the value.
    member session.Keep(value: Value) =
        session.Each(value, (fun fact -> if fact.IsKept then fact else { fact with IsKept = true }))

    /// The value goes where it is not followed.
    member session.Lose(value: Value) =
        session.Each(
            value,
            fun fact -> if fact.IsLost then fact else { fact with IsLost = true; IsKept = true }
        )

    /// Other names of the same task, as far as the path here tells.
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

    /// Both are names of one task.
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
               | Origin.Part -> session.Holder id |> Option.exists isComplete
               | _ -> false

        isComplete id || session.NamesOf id |> List.exists isComplete

    /// Whether these values are known to be complete, and there is one.
    member session.AreComplete(values: Value list) : bool =
        match List.collect Value.objects values with
        | [] -> false
        | objects -> List.forall session.IsComplete objects

    /// The value is complete, and with it the values that it implies.
    member session.Complete(value: Value) =
        for id in Value.objects value do
            let fact = session.Fact id

            if not fact.IsComplete then
                session.Change(id, (fun fact -> { fact with IsComplete = true }))
                List.iter session.Complete fact.Implies

    /// The objects that are complete as soon as a value is.
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

    /// Forgets the values that were found complete since `before`, and returns them: the code since then may not have
    /// run yet.
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

    /// Takes locks that belong to the thread, or gives them back: a number below zero.
    member session.Lock(count: int) =
        if count <> 0 then
            session.State <- { session.State with Locks = session.State.Locks + count }

    /// An exception may come from here.
    member session.MayThrow(scope: Scope) =
        match scope.Handler with
        | Some handler -> handler.From session.State
        | None -> ()
