// The state of one interpretation of one declaration, on top of its objects and facts: the values of variables, the summary so far, and the
// events. Every function that interprets code gets the session and the scope of the code.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Text

/// A declaration has more than 2,000,000 steps.
exception internal TooLarge

/// The bodies of the functions in the declaration.
type internal FunctionBodies() =
    /// Bodies that run now.
    member val Running = HashSet<Code>(HashIdentity.Reference)
    /// The number of times that each body ran.
    member val Runs = Dictionary<Code, int>(HashIdentity.Reference)
    /// Bodies that may call themselves.
    member val Recursive = HashSet<Code>(HashIdentity.Reference)
    /// Bodies of delegates.
    member val Delegates = HashSet<Code>(HashIdentity.Reference)
    /// Bodies that are written outside of computation expressions.
    member val Outside = HashSet<Code>(HashIdentity.Reference)
    /// Functions that did not run yet, each with the state at its lambda.
    member val Unrun = Dictionary<Code, Closure * State>(HashIdentity.Reference)

/// `emit` gets the events that rules may judge; `eval` interprets code.
type internal Session(emit: Event -> unit, declared: SummaryLookup, eval: Session -> Scope -> Code -> Value) =
    inherit Facts()
    let captured = Dictionary<Code, Set<int>>(HashIdentity.Reference)
    let detached = List<struct (int * Set<int> * range * int)>()
    let mutable steps = 0
    let mutable isMuted = false

    /// The part of the summary that is collected so far.
    member val PartialSummary = PartialSummary()

    /// The values of variables that do not change.
    member val Values = Dictionary<int, Value>()

    /// The variables that the code has read.
    member val Read = HashSet<int>()

    /// Mutable variables that a function writes at another time.
    member val WrittenMeanwhile = HashSet<int>()

    /// The number of functions around the code of a mutable variable that run at another time.
    member val Depths = Dictionary<int, int>()

    /// Whether no function that runs at another time is between the code and the declaration of a mutable variable.
    member session.IsOwn(scope: Scope, variable: Variable) : bool =
        match session.Depths.TryGetValue variable.Id with
        | true, depth -> depth = scope.Depth
        | _ -> not scope.IsElsewhere

    member val Bodies = FunctionBodies()

    /// A call of an abstract member counts as blocking, because all implementations in the check block.
    member val IsOpen = false with get, set

    member _.Summary(callee: Callee) : Summary option =
        if callee.IsOpen then None else declared.Summary callee.Key

    /// The summary of the value that a class gives a field.
    member _.SummaryOfField(initial: string) : Summary option =
        if initial = "" then None else declared.Summary initial

    /// The summary of a value of a module, by its full name.
    member _.SummaryOfValue(name: string) : Summary option = declared.Summary $"{name}()"

    /// The function that is a value of a module.
    member session.FunctionOfModule(callee: Callee) : Value option =
        if Symbol.isApplied callee.Key then
            session.SummaryOfValue callee.Name |> Option.map _.Returns.Value
        else
            None

    /// The overrides of a member in a class, each with its key: several for a generic interface that it has twice, or overloads.
    member _.Overrides(callee: Callee, ofClass: string) : (string * Summary option) list =
        let parameters = callee.Key.Substring callee.Name.Length
        declared.Overrides callee.Name $"{ofClass}.{Symbol.lastPart callee.Name}" parameters

    /// The summary of a member without parameters of a class.
    member _.SummaryOfMember(ofClass: string, name: string) : Summary option =
        declared.Summary $"{ofClass}.{name}()"

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

    /// The blocking of code with `releases` before it: a wait for a lock that the code itself releases is as short as that of `lock`.
    member session.BlocksSince(releases: int) : BlockingCall option =
        session.PartialSummary.Blocks
        |> Option.filter (fun blocking -> not blocking.TakesLock || session.Releases = releases)

    /// Interprets code that runs later: its result, and the call that blocks then.
    member session.Deferring(run: unit -> 'T) : 'T * (BlockingCall * Value list) option =
        let partial = session.PartialSummary

        let blocks, waitsFor, runs, locked =
            partial.Blocks, partial.BlocksFor, partial.Runs, partial.RunsLocked

        let releases = session.Releases
        partial.Blocks <- None
        partial.BlocksFor <- []

        try
            let result = run ()
            result, session.BlocksSince releases |> Option.map (fun blocking -> blocking, partial.BlocksFor)
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

                        for operation in session.Objects[id].ElementOperations do
                            session.Objects[operation].DependsOn
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
