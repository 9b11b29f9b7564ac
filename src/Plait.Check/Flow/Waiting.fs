// Blocking waits. A wait in an async body is an event, one on the caller's thread goes into the summary of the
// function. Emits Blocked, CallsBlocking, ReadEarly and RoundTrip.
module internal Plait.Check.Waiting

open FSharp.Compiler.Text

/// Whether a wait has the length 0 and returns at once. The length is the argument that the effect names, else the
/// first; in a static member also the last. A time elsewhere is an offset.
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

/// Whether a wait that returns a bool or a number has a limit of time. A token ends it by an exception instead.
let private hasLimit (call: Invocation) : bool =
    match call.Code.Is with
    | Call(callee, [ _; _ ]) -> not (callee.Key.EndsWith "CancellationToken)")
    | Call(_, arguments) -> arguments.Length > 2
    | _ -> false

/// Notes the site of a wait for an operation.
let private note (session: Session) (call: Invocation) (value: Value) : unit =
    if not (isOfNoLength call) then
        Uses.note session SiteKind.Waits call.At value

/// The parameters among the aliases of a value, and those with the value as an element.
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

/// The thread blocks while each of these values is incomplete. `way`: the calls from here to the blocking one.
let private blockCaller
    (session: Session)
    (scope: Scope)
    (at: range)
    (says: string)
    (blocking: BlockingCall)
    (waitsFor: Value list)
    : unit =
    let isNews =
        match session.PartialSummary.Blocks with
        | None -> true
        // a long wait replaces a short one before it
        | Some known -> known.IsShort && not blocking.IsShort

    if isNews && session.State.IsAlive && (scope.IsOnCaller || scope.IsDeferred) then
        let step = { Location = Ranges.location at; Says = says }

        session.PartialSummary.Blocks <-
            Some
                { blocking with
                    Path = step :: blocking.Path
                    WhileIncomplete = waitsFor |> List.map (parametersOf session) |> Set.unionMany
                }

        session.PartialSummary.BlocksFor <- waitsFor

/// The computation expression around a blocking call, or the function that is to return an operation. In such a
/// function a short wait or a lock is no finding: the caller's thread runs that part.
let private blockedIn (scope: Scope) (call: Invocation) : Builder option =
    let isForOther = not (call.Callee.IsShort || List.contains Locks call.Effects)

    match scope.Builder, scope.Starter with
    | Some builder, _ -> Some builder
    | None, Some starter when isForOther -> Some starter
    | _ -> None

/// A call that blocks while each of these values is incomplete.
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

        // if the code released a lock of its caller, the caller's thread takes it again
        let isLocked = session.State.Locks <> 0
        session.Emit(Blocked(call.At, call.Callee, object, twin, builder, isLocked))
    | None ->
        blockCaller
            session
            scope
            call.At
            $"{call.Callee.Short} blocks"
            { Path = []; WhileIncomplete = Set.empty; IsShort = call.Callee.IsShort; IsOfAllImplementations = false }
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

/// A call that blocks until a value is complete, unless it is complete already. After the call the value is complete.
let private until (session: Session) (scope: Scope) (call: Invocation) (value: Value) : unit =
    let isPending = Value.objects value |> List.exists (session.IsComplete >> not)
    session.Waits <- session.Waits + 1
    note session call value

    match value with
    | Instance id when isPending && session.Objects[id].Kind.IsSingleUse ->
        // a single-use type is made of single-use values
        let isOfOne =
            session.Objects[id].DependsOn
            |> Set.exists (fun owner -> session.Objects[owner].Kind.IsSingleUse)

        if not isOfOne then
            session.Emit(ReadEarly(session.Objects[id], call.At, call.Callee))
            block session scope call value None
    | Instance id when isPending ->
        if session.Objects[id].CreatedBy = Some AsyncToTask && session.Objects[id].Name = "" then
            session.Emit(RoundTrip(call.At, Conversion.AsyncToTaskBlocked, scope.Builder))

        block session scope call value None
    | Group _
    | OneOf _ when isPending -> block session scope call value None
    | Unknown -> block session scope call value None
    | _ -> ()

    // a wait of length 0 that returned false has ended nothing, and was not reported
    if not (call.Callee.ReturnsBool && isOfNoLength call) then
        session.Complete value

    session.Observe value

/// Waits for a value. Returns the result; with a limit of time, true if the value is complete.
let wait (session: Session) (scope: Scope) (call: Invocation) (value: Value) : Value option =
    let pending =
        [
            for id in session.ImpliedBy value do
                if not (session.IsComplete id) then
                    Instance id
        ]

    until session scope call value

    if call.Callee.ReturnsBool && hasLimit call then
        Some(Test(WaitedFor(Group pending)))
    else
        match Operations.given session call.At value with
        | Unknown -> None
        | value -> Some value

/// Waits for one of the elements of a collection; returns its index.
let waitAny (session: Session) (scope: Scope) (call: Invocation) (collection: Value) : Value =
    let tasks = Operations.tasks session [ collection ] |> List.map Instance
    // the collection itself, if its elements are not known
    let values = if tasks.IsEmpty then [ collection ] else tasks

    if not (values |> List.exists (fun value -> session.AreComplete [ value ])) then
        List.iter (note session call) values

        let waitsFor =
            match values with
            | [ Instance id ] when session.Objects[id].Kind = Kind.Task -> values.Head
            | _ -> Unknown

        blockWhile session scope call waitsFor values None

    List.iter session.Observe values
    session.Observe collection

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
    CompletedAt { First = session.NewFirstCompleted(among, call.At); Of = collection; ByIndex = numbered }

/// A call that blocks; if it is given wait handles of tasks, for those.
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

    isOfMemory id || Set.exists isOfMemory session.Objects[id].DependsOn

/// A call that blocks and has an asynchronous twin.
let blocksBeside (session: Session) (scope: Scope) (call: Invocation) (twin: string) : unit =
    match call.Argument 0 with
    // the wait ends at once
    | Instance object when call.Callee.HasObject && (session.IsComplete object || isInMemory session object) ->
        ()
    | _ -> block session scope call Unknown (Some twin)

/// Runs an Async, and blocks until it is done. Returns its result.
let run (session: Session) (scope: Scope) (call: Invocation) (operation: Value) : Value option =
    if session.MadeBy operation = Some TaskToAsync then
        session.Emit(RoundTrip(call.At, Conversion.TaskToAsyncBlocked, scope.Builder))

    session.Observe operation
    note session call operation
    block session scope call Unknown None
    session.Complete operation

    match Operations.given session call.At operation with
    | Unknown -> None
    | value -> Some value

/// The code at a place calls or enumerates a value that blocks, while each of these values is incomplete.
let callBlocking
    (session: Session)
    (scope: Scope)
    (at: range)
    (callee: Callee)
    (blocking: BlockingCall)
    (waitsFor: Value list)
    : unit =
    let isPending =
        waitsFor
        |> List.forall (fun value ->
            match value with
            | Instance id -> not (session.IsComplete id)
            | _ -> true)

    session.Waits <- session.Waits + 1
    session.IsOpen <- session.IsOpen || blocking.IsOfAllImplementations

    if isPending && not session.State.IsOffPool then
        match scope.Builder with
        | Some builder -> session.Emit(CallsBlocking(at, callee, blocking.Path, blocking.IsShort, builder))
        | None -> blockCaller session scope at $"{callee.Short} is called" blocking waitsFor

/// Enumerates or calls a sequence, a lazy value or a function that blocks; once, if its value is kept.
let force (session: Session) (scope: Scope) (at: range) (callee: Callee) (value: Value) : unit =
    for id in Value.objects value do
        match session.Objects[id].DeferredBlocking with
        | Some(blocking, waitsFor) when not (session.IsComplete id) ->
            callBlocking session scope at callee blocking waitsFor

            // a lazy value is computed once
            if callee.Name.Contains "Lazy" then
                session.Complete(Instance id)
        | _ -> ()
