// Waits that block, and the blocked side: a wait in an async body is an event, one on the caller's thread goes into
// the summary of its function. Emits Blocked, CallsBlocking, ReadEarly, and RoundTrip where the wait ends one.
module internal Plait.Check.Waiting

open FSharp.Compiler.Text

/// A wait of no length asks, and returns at once. Its time stands where the effect says, else first, or last in a static member: a
/// time elsewhere is an offset.
let private isOfNoLength (call: Invocation) : bool =
    let isZero (argument: Code option) =
        match argument with
        | Some { Is = (Number 0 | Global("Zero", _)) } -> true
        | _ -> false

    let timeAt =
        call.Effects
        |> List.tryPick (function
            | BlocksIf index -> Some index
            | _ -> None)

    match call.Code.Is, timeAt with
    | Call(_, arguments), Some index -> isZero (List.tryItem index arguments)
    | Call(callee, arguments), None when callee.HasObject -> isZero (List.tryItem 1 arguments)
    | Call(_, arguments), None -> isZero (List.tryHead arguments) || isZero (List.tryLast arguments)
    | _ -> false

/// A wait that gives up some time, if it returns a truth value or a number. A token ends it in an exception.
let private hasLimit (call: Invocation) : bool =
    match call.Code.Is with
    | Call(callee, [ _; _ ]) -> not (callee.Key.EndsWith "CancellationToken)")
    | Call(_, arguments) -> arguments.Length > 2
    | _ -> false

/// Notes the operation that a call waits for.
let private note (session: Session) (call: Invocation) (value: Value) : unit =
    if not (isOfNoLength call) then
        Uses.note session Handling.Waits call.At value

/// The parameters that a value is, by all of its names, or that hold it as an element.
let private parametersOf (session: Session) (value: Value) : Set<int> =
    let rec parameter (id: int) : int option =
        match session.Objects[id].Origin with
        | Origin.Parameter index -> Some index
        | Origin.Element owner
        | Origin.Indexed owner -> parameter owner
        | _ -> None

    match value with
    | Instance id -> id :: session.NamesOf id |> Seq.choose parameter |> Set.ofSeq
    | _ -> Set.empty

/// Who runs the code is blocked, while none of these values is complete. `way`: from the call to the one that blocks.
let private blockCaller
    (session: Session)
    (scope: Scope)
    (at: range)
    (says: string)
    (blockage: Blockage)
    (waitsFor: Value list)
    : unit =
    let isNews =
        match session.Draft.Blocks with
        | None -> true
        // a long wait weighs more than a short one before it
        | Some known -> known.IsShort && not blockage.IsShort

    if isNews && session.State.IsAlive && (scope.IsOnCaller || scope.IsDeferred) then
        let step = { Location = Ranges.location at; Says = says }

        session.Draft.Blocks <-
            Some
                { blockage with
                    Way = step :: blockage.Way
                    While = waitsFor |> List.map (parametersOf session) |> Set.unionMany
                }

        session.Draft.BlocksFor <- waitsFor

/// The computation expression that a call blocks in; or the function that is to return an operation. There a short wait or one for a
/// lock is no finding: the function does that part of the work on the caller's thread.
let private blockedIn (scope: Scope) (call: Invocation) : Builder option =
    let isForOther = not (call.Callee.IsShort || List.contains Locks call.Effects)

    match scope.Builder, scope.Starter with
    | Some builder, _ -> Some builder
    | None, Some starter when isForOther -> Some starter
    | _ -> None

/// A call that blocks, while none of these values is complete.
let private blockWhile
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (object: Value)
    (waitsFor: Value list)
    (twin: string option)
    : unit =
    session.Waits <- session.Waits + 1

    match blockedIn scope call with
    | _ when session.State.IsOffPool || isOfNoLength call -> ()
    | Some builder ->
        let object =
            match object with
            | Instance id when session.IsIndexed id ->
                Some { session.Objects[id] with Origin = Origin.Indexed id }
            | Instance id -> Some session.Objects[id]
            | _ -> None

        // where one was given back that the caller took, the caller's thread takes it again
        let isLocked = session.State.Locks <> 0
        session.Emit(Blocked(call.At, call.Callee, object, twin, builder, isLocked))
    | None ->
        blockCaller
            session
            scope
            call.At
            $"{call.Callee.Short} blocks"
            { Way = []; While = Set.empty; IsShort = call.Callee.IsShort; IsOfAll = false }
            waitsFor

/// A call that blocks, until `waitsFor` is complete.
let private block
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (waitsFor: Value)
    (twin: string option)
    : unit =
    let values =
        match waitsFor with
        | Unknown -> []
        | value -> [ value ]

    blockWhile session scope call waitsFor values twin

/// A call that blocks until a value is complete, if it is not complete already. It is behind the call.
let private until (session: Session) (scope: Scope) (call: Invocation) (value: Value) : unit =
    let isPending = Value.objects value |> List.exists (session.IsComplete >> not)
    session.Waits <- session.Waits + 1
    note session call value

    match value with
    | Instance id when isPending && session.Objects[id].Kind.IsSingleUse ->
        // a type that may be used once is made of others like it
        let isOfOne =
            session.Objects[id].From
            |> Set.exists (fun owner -> session.Objects[owner].Kind.IsSingleUse)

        if not isOfOne then
            session.Emit(ReadEarly(session.Objects[id], call.At, call.Callee))
            block session scope call value None
    | Instance id when isPending ->
        if session.Objects[id].Made = Some AsyncToTask && session.Objects[id].Name = "" then
            session.Emit(RoundTrip(call.At, Trip.TaskWaited, scope.Builder))

        block session scope call value None
    | Group _
    | OneOf _ when isPending -> block session scope call value None
    | Unknown -> block session scope call value None
    | _ -> ()

    // where a wait of no length says no, nothing has ended and nothing was flagged
    if not (call.Callee.GivesTruth && isOfNoLength call) then
        session.Complete value

    session.Keep value

/// Waits for a value. Returns the result; with a limit of time, true if the value is complete.
let wait (session: Session) (scope: Scope) (call: Invocation) (value: Value) : Value option =
    let pending =
        [
            for id in session.ImpliedBy value do
                if not (session.IsComplete id) then
                    Instance id
        ]

    until session scope call value

    if call.Callee.GivesTruth && hasLimit call then
        Some(Test(WaitedFor(Group pending)))
    else
        match Operations.given session call.At value with
        | Unknown -> None
        | value -> Some value

/// Waits for one of the elements of a collection; the result is which one.
let waitAny (session: Session) (scope: Scope) (call: Invocation) (collection: Value) : Value =
    let tasks = Operations.tasks session [ collection ] |> List.map Instance
    // the collection itself where its elements are not known
    let values = if tasks.IsEmpty then [ collection ] else tasks

    if not (values |> List.exists (fun value -> session.AreComplete [ value ])) then
        List.iter (note session call) values

        let waitsFor =
            match values with
            | [ Instance id ] when session.Objects[id].Kind = Kind.Task -> values.Head
            | _ -> Unknown

        blockWhile session scope call waitsFor values None

    List.iter session.Keep values
    session.Keep collection

    let numbered =
        [
            yield! List.indexed tasks

            if hasLimit call && not tasks.IsEmpty then
                -1, session.NewNull call.At
        ]

    match numbered with
    | [ _, only ] -> session.Complete only
    | _ -> ()

    let among = numbered |> List.collect (snd >> Value.objects)
    FoundAt { First = session.NewWinner(among, call.At); Of = collection; Numbered = numbered }

/// A call that blocks: for the tasks whose handles it is given, if it is given some.
let blocks (session: Session) (scope: Scope) (call: Invocation) : Value option =
    match call.Argument 0 with
    | Instance id as task when call.Callee.HasObject && session.Objects[id].Kind = Kind.Task ->
        wait session scope call task
    | handles when not (call.Callee.HasObject || List.isEmpty (Operations.tasks session [ handles ])) ->
        wait session scope call handles
    | _ ->
        block session scope call Unknown None
        None

/// A stream in memory, or a reader or writer of one.
let private isInMemory (session: Session) (id: int) : bool =
    let isOfMemory (id: int) =
        session.Objects[id].Class = Some "System.IO.MemoryStream"

    isOfMemory id || Set.exists isOfMemory session.Objects[id].From

/// A call that blocks and has an asynchronous twin.
let blocksBeside (session: Session) (scope: Scope) (call: Invocation) (twin: string) : unit =
    match call.Argument 0 with
    // the event has happened
    | Instance object when call.Callee.HasObject && (session.IsComplete object || isInMemory session object) ->
        ()
    | _ -> block session scope call Unknown (Some twin)

/// Runs an Async, and blocks until it is done. Returns its result.
let run (session: Session) (scope: Scope) (call: Invocation) (operation: Value) : Value option =
    if session.MadeBy operation = Some TaskToAsync then
        session.Emit(RoundTrip(call.At, Trip.Waited, scope.Builder))

    session.Keep operation
    note session call operation
    block session scope call Unknown None
    session.Complete operation

    match Operations.given session call.At operation with
    | Unknown -> None
    | value -> Some value

/// Code at a place calls or forces something that blocks, while none of these values is complete.
let callBlocking
    (session: Session)
    (scope: Scope)
    (at: range)
    (callee: Callee)
    (blockage: Blockage)
    (waitsFor: Value list)
    : unit =
    let isPending =
        waitsFor
        |> List.forall (fun value ->
            match value with
            | Instance id -> not (session.IsComplete id)
            | _ -> true)

    session.Waits <- session.Waits + 1
    session.IsOpen <- session.IsOpen || blockage.IsOfAll

    if isPending && not session.State.IsOffPool then
        match scope.Builder with
        | Some builder -> session.Emit(CallsBlocking(at, callee, blockage.Way, blockage.IsShort, builder))
        | None -> blockCaller session scope at $"{callee.Short} is called" blockage waitsFor

/// A sequence, a lazy value or a function that blocks is forced or called here: once, where its value is kept.
let force (session: Session) (scope: Scope) (at: range) (callee: Callee) (value: Value) : unit =
    for id in Value.objects value do
        match session.Objects[id].Defers with
        | Some(blockage, waitsFor) when not (session.IsComplete id) ->
            callBlocking session scope at callee blockage waitsFor

            // a lazy value is computed once
            if callee.Name.Contains "Lazy" then
                session.Complete(Instance id)
        | _ -> ()
