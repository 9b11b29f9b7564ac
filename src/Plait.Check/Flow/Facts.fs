// The facts about objects at the interpreted point, and changing them: completion, aliases, uses, the end of the path.
namespace Plait.Check

open System.Collections.Generic

/// The objects of an interpretation, with their facts at the interpreted point.
type internal Facts() =
    inherit Instances()

    /// The facts at the interpreted point.
    member val State = State.start with get, set

    /// The complete parts of an object.
    member facts.CompleteParts(root: int) : int list =
        [
            for KeyValue(id, fact) in facts.State.Facts do
                if fact.IsComplete && id > root && facts.Path(root, id).IsSome then
                    id
        ]

    member facts.Fact(id: int) : Fact =
        facts.State.Facts |> Map.tryFind id |> Option.defaultValue Fact.fresh

    member facts.Change(id: int, change: Fact -> Fact) =
        let before = facts.Fact id
        let after = change before

        if not (obj.ReferenceEquals(before, after)) then
            facts.State <- { facts.State with Facts = Map.add id after facts.State.Facts }

    member facts.Each(value: Value, change: Fact -> Fact) =
        for id in Value.objects value do
            facts.Change(id, change)

    /// The completion of the object implies that of these values.
    member facts.Implies(id: int, values: Value list) =
        facts.Change(id, (fun fact -> { fact with Implies = values }))

    /// The code awaits, passes, returns or stores the value.
    member facts.Observe(value: Value) =
        facts.Each(value, (fun fact -> if fact.IsObserved then fact else { fact with IsObserved = true }))

    /// The value escapes into code that the analysis does not follow.
    member facts.Escape(value: Value) : unit =
        facts.Each(
            value,
            fun fact -> if fact.HasEscaped then fact else { fact with HasEscaped = true; IsObserved = true }
        )

        for id in Value.objects value do
            for part in facts.InFields id do
                facts.Escape(Value.Instance part)

    /// The aliases of a task on this path.
    member facts.NamesOf(id: int) : int list =
        if facts.State.Same.IsEmpty then
            []
        else
            [
                for struct (a, b) in facts.State.Same do
                    if a = id then
                        b
                    elif b = id then
                        a
            ]

    /// Both are aliases of one task.
    member facts.AddName(a: int, b: int) =
        facts.State <- { facts.State with Same = facts.State.Same.Add(Value.pair a b) }

    /// Whether the object is known to be complete.
    member facts.IsComplete(id: int) : bool =
        // `depth`: of collections made of others, whose number may double with each
        let rec isComplete (depth: int) (id: int) =
            (facts.Fact id).IsComplete
            || facts.IsCompleteFromStart id
            || (depth < 8
                && (areComplete (depth + 1) facts.Objects[id].MadeOf
                    || areComplete (depth + 1) (Option.defaultValue [] facts.Objects[id].Items)))
            || match facts.Objects[id].Origin with
               | Origin.Element owner
               | Origin.Indexed owner -> isComplete depth owner
               | Origin.Member -> facts.Holder id |> Option.exists (isComplete depth)
               | _ -> false

        and areComplete (depth: int) (values: Value list) =
            not values.IsEmpty
            && values
               |> List.forall (fun value ->
                   match Value.objects value with
                   | [] -> false
                   | objects -> List.forall (isComplete depth) objects)

        isComplete 0 id || facts.NamesOf id |> List.exists (isComplete 0)

    /// Whether there are values, and all are known to be complete.
    member facts.AreComplete(values: Value list) : bool =
        match List.collect Value.objects values with
        | [] -> false
        | objects -> List.forall facts.IsComplete objects

    /// Marks the value as complete, and the values that this implies.
    member facts.Complete(value: Value) =
        for id in Value.objects value do
            let fact = facts.Fact id

            if not fact.IsComplete then
                facts.Change(id, (fun fact -> { fact with IsComplete = true }))
                List.iter facts.Complete fact.Implies

    /// The objects whose completion that of a value implies.
    member facts.ImpliedBy(value: Value) : Set<int> =
        let seen = HashSet<int>()

        let rec implied (id: int) : Set<int> =
            if seen.Add id then
                (facts.Fact id).Implies
                |> List.collect Value.objects
                |> List.map implied
                |> Set.unionMany
                |> Set.add id
            else
                Set.empty

        Value.objects value |> List.map implied |> Set.unionMany

    /// The objects that complete with a value, whichever of its alternatives it is: a filter makes its element or nothing.
    member facts.SurelyImpliedBy(value: Value) : Set<int> =
        match value with
        | OneOf ways -> ways |> List.map facts.ImpliedBy |> Set.intersectMany
        | value -> facts.ImpliedBy value

    /// Returns the values that became complete since `before`, and marks them as incomplete: the code since then may run later.
    member facts.ForgetCompletions(before: State) : Value list =
        let completed =
            [
                for KeyValue(id, fact) in facts.State.Facts do
                    if fact.IsComplete then
                        match Map.tryFind id before.Facts with
                        | Some earlier when earlier.IsComplete -> ()
                        | _ -> id
            ]

        for id in completed do
            facts.Change(id, (fun fact -> { fact with IsComplete = false }))

        facts.State <- { facts.State with Same = before.Same; Different = before.Different }
        List.map Value.Instance completed

    /// The path ends here.
    member facts.End() =
        facts.State <- { facts.State with IsAlive = false }

    /// The number of times that the code released a lock of the thread, on any path.
    member val Releases = 0 with get, set

    /// Takes locks of the thread; a number below zero releases them.
    member facts.Lock(count: int) =
        if count < 0 then
            facts.Releases <- facts.Releases + 1

        if count <> 0 then
            facts.State <- { facts.State with Locks = facts.State.Locks + count }

    /// The code may throw here.
    member facts.MayThrow(scope: Scope) =
        match scope.Handler with
        | Some handler -> handler.MayThrowIn facts.State
        | None -> ()
