// What blocks, and whom: a wait in an async body is an event, one on the caller's thread goes into the summary of its function.
namespace Plait.Check

open System.Collections.Generic

open FSharp.Compiler.Text

/// What a function returns, as far as it depends on its parameters: they are the objects of these values, by their numbers.
type internal Returned =
    {
        Value: Value
        /// What is complete when the operation is that it returns.
        Implies: Value list
        Gives: Gift
        /// Nothing is lost where the result is dropped.
        MayDrop: bool
        /// It is a collection or the like, and all in it is complete already.
        IsComplete: bool
    }

/// A call that waits: for what functions returned, and for blocks that stand in the same declaration.
type internal WaitsFor = { Call: Place; Functions: Set<string>; Blocks: Set<Place> }

/// What a call of a function does with its parameters, and whether it blocks.
type internal Summary =
    {
        /// Parameters that are used up on every path.
        Consumes: Set<int>
        /// Parameters that are used up on some path.
        MayConsume: Set<int>
        /// Parameters that go where they are not followed.
        Loses: Set<int>
        /// Parameters that it calls, on the caller's thread.
        Runs: Set<int>
        /// Those of them that it calls while it holds a lock that belongs to the thread.
        RunsLocked: Set<int>
        /// How many such locks are held behind it, beyond those before it.
        Locks: int
        Returns: Returned
        /// It always ends in an exception.
        Raises: bool
        /// The way to the call that blocks; empty where none does.
        Blocks: Step list
        /// It blocks only while none of these parameters is complete; empty: always.
        BlocksOn: Set<int>
        /// The call that blocks waits for something short.
        BlocksShortly: bool
    }

/// What a call that waits says of its length.
module internal Wait =
    /// A wait of no length asks, and returns at once. Its time stands first, or last in a static member: what stands elsewhere is
    /// an offset.
    let isOfNoLength (code: Code) : bool =
        let isZero (argument: Code option) =
            match argument with
            | Some { Is = (Number 0 | Global("Zero", _)) } -> true
            | _ -> false

        match code.Is with
        | Call(callee, arguments) when callee.HasObject -> isZero (List.tryItem 1 arguments)
        | Call(_, arguments) -> isZero (List.tryHead arguments) || isZero (List.tryLast arguments)
        | _ -> false

    /// A wait that gives up some time, if it returns a truth value or a number. A token ends it in an exception.
    let hasLimit (code: Code) : bool =
        match code.Is with
        | Call(callee, [ _; _ ]) -> not (callee.Key.EndsWith "CancellationToken)")
        | Call(_, arguments) -> arguments.Length > 2
        | _ -> false

/// Waits of one declaration.
type internal Waiting(session: Session) =
    let mutable blocks: Step list = []
    let mutable blocksOn: Set<int> = Set.empty
    let mutable blocksShortly = false
    let waitsFor = HashSet<WaitsFor>()

    /// Notes what a call waits for.
    let note (code: Code) (value: Value) =
        let pending =
            [
                for id in session.ImpliedBy value do
                    if session.Objects[id].Kind <> Kind.Plain && not (session.IsComplete id) then
                        session.Objects[id]
            ]

        if session.State.IsAlive && not (pending.IsEmpty || Wait.isOfNoLength code) then
            waitsFor.Add
                {
                    Call = Ranges.place code.At
                    Functions =
                        set
                            [
                                for object in pending do
                                    match object.Maker with
                                    | Some(Maker.Function key) -> key
                                    | _ -> ()
                            ]
                    Blocks =
                        set
                            [
                                for object in pending do
                                    match object.Maker with
                                    | Some(Maker.Block code) -> Ranges.place (Code.extent code)
                                    | _ -> ()
                            ]
                }
            |> ignore

    let parameter (id: int) : int option =
        match session.Objects[id].Origin with
        | Origin.Parameter index -> Some index
        | _ -> None

    let parameterOf (value: Value) : int option =
        match value with
        | Instance id -> parameter id
        | _ -> None

    /// The parameters that a value is, by all of its names.
    let parametersOf (value: Value) : Set<int> =
        match value with
        | Instance id -> id :: session.NamesOf id |> Seq.choose parameter |> Set.ofSeq
        | _ -> Set.empty

    let objectOf (value: Value) : Instance option =
        match value with
        | Instance id -> Some session.Objects[id]
        | _ -> None

    let noteBlocking (at: range) (says: string) (chain: Step list) (isShort: bool) (on: Set<int>) =
        // a long wait weighs more than a short one before it
        let isNews = blocks.IsEmpty || blocksShortly && not isShort

        if isNews && session.State.IsAlive && session.IsOnCaller then
            blocksOn <- on
            blocksShortly <- isShort

            blocks <- { Place = Ranges.place at; Says = says } :: chain

    let blockedOn (code: Code) (callee: Callee) (waitsFor: Value) (on: Set<int>) (twin: string option) =
        match session.Builder with
        | _ when session.IsOffPool || Wait.isOfNoLength code -> ()
        | Some builder ->
            // where one was given back that the caller took, the caller's thread takes it again
            let isLocked = session.State.Locks <> 0
            session.Emit(Blocked(code.At, callee, objectOf waitsFor, twin, builder, isLocked))
        | None -> noteBlocking code.At $"{callee.Short} blocks" [] callee.IsShort on

    let blocked (code: Code) (callee: Callee) (waitsFor: Value) (twin: string option) =
        blockedOn code callee waitsFor (parametersOf waitsFor) twin

    let madeBy (value: Value) : Effect option = objectOf value |> Option.bind _.Made

    let waits (code: Code) (callee: Callee) (value: Value) =
        let pending = session.ObjectsOf value |> List.filter (session.IsComplete >> not)
        note code value

        match value with
        | Instance id when pending.IsEmpty |> not ->
            match session.Objects[id].Kind with
            | Kind.SingleUse _ ->
                // a type that may be used once is made of others like it
                let isOfOne =
                    session.Objects[id].From
                    |> Set.exists (fun owner -> session.Objects[owner].Kind.IsSingleUse)

                if not isOfOne then
                    session.Emit(ReadEarly(session.Objects[id], code.At, callee))
            | _ ->
                if madeBy value = Some AsyncToTask && session.Objects[id].Name = "" then
                    session.Emit(RoundTrip(code.At, Trip.TaskWaited, session.Builder))

                blocked code callee value None
        | Group _
        | OneOf _ when pending.IsEmpty |> not -> blocked code callee value None
        | Unknown -> blocked code callee value None
        | _ -> ()

        // where a wait of no length says no, nothing has ended and nothing was flagged
        if not (callee.GivesTruth && Wait.isOfNoLength code) then
            session.Complete value

        session.Keep value

    /// The way to the first call that blocks the caller of the declaration.
    member _.Blocks = blocks

    /// It blocks only while none of these parameters is complete.
    member _.BlocksOn = blocksOn

    member _.BlocksShortly = blocksShortly

    /// The calls that wait for what functions returned, and for blocks.
    member _.WaitsFor: WaitsFor seq = waitsFor

    /// Notes that a call waits for a value.
    member _.Note(code: Code, value: Value) = note code value

    /// The number of the parameter that a value is.
    member _.ParameterOf(value: Value) : int option = parameterOf value

    /// The effect that made a value, where that matters.
    member _.MadeBy(value: Value) : Effect option = madeBy value

    /// A call that blocks, until `waitsFor` is complete.
    member _.Blocked(code: Code, callee: Callee, waitsFor: Value, twin: string option) =
        blocked code callee waitsFor twin

    /// A call that blocks until a value is complete, if it is not complete already. It is behind the call.
    member _.For(code: Code, callee: Callee, value: Value) = waits code callee value

    /// A call that blocks until one of these is complete, if none is already: the elements of a collection, or the collection
    /// itself where they are not known.
    member _.ForAny(code: Code, callee: Callee, values: Value list) =
        let isKnown (value: Value) =
            match session.ObjectsOf value with
            | [] -> false
            | objects -> List.forall session.IsComplete objects

        if not (List.exists isKnown values) then
            List.iter (note code) values

            let waitsFor =
                match values with
                | [ Instance id ] when session.Objects[id].Kind = Kind.Task -> values.Head
                | _ -> Unknown

            blockedOn code callee waitsFor (values |> List.map parametersOf |> Set.unionMany) None

        List.iter session.Keep values

    /// A call of a function that blocks, by its summary; `waitsFor`: the parameters of which one must be complete.
    member _.Called(code: Code, callee: Callee, summary: Summary, waitsFor: Value list) =
        let isPending =
            waitsFor
            |> List.forall (fun value ->
                match value with
                | Instance id -> not (session.IsComplete id)
                | _ -> true)

        if not summary.Blocks.IsEmpty && isPending && not session.IsOffPool then
            match session.Builder with
            | Some builder ->
                session.Emit(CallsBlocking(code.At, callee, summary.Blocks, summary.BlocksShortly, builder))
            | None ->
                let says = $"{callee.Short} is called"
                let on = waitsFor |> List.map parametersOf |> Set.unionMany
                noteBlocking code.At says summary.Blocks summary.BlocksShortly on
