// Waits for operations that block the thread. Emits ReadEarly and RoundTrip.
module internal Plait.Check.Waiting

/// Whether a wait that returns a bool or a number has a limit of time. A token ends it by an exception instead.
let private hasLimit (call: Invocation) : bool =
    match call.Code.Is with
    | Call(callee, [ _; _ ]) -> not (callee.Key.EndsWith "CancellationToken)")
    | Call(_, arguments) -> arguments.Length > 2
    | _ -> false

/// Notes the site of a wait for an operation.
let private note (session: Session) (call: Invocation) (value: Value) : unit =
    if not (BlockingCalls.isOfNoLength call) then
        Uses.note session SiteKind.Waits call.At value

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
            BlockingCalls.block session scope call value None
    | Instance id when isPending ->
        if session.Objects[id].CreatedBy = Some AsyncToTask && session.Objects[id].Name = "" then
            session.Emit(RoundTrip(call.At, Conversion.AsyncToTaskBlocked, scope.Builder))

        BlockingCalls.block session scope call value None
    | Group _
    | OneOf _ when isPending -> BlockingCalls.block session scope call value None
    | Unknown -> BlockingCalls.block session scope call value None
    | _ -> ()

    // a wait of length 0 that returned false has ended nothing, and was not reported
    if not (call.Callee.ReturnsBool && BlockingCalls.isOfNoLength call) then
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
        | Unknown -> Operations.taskIn session value call.Code.Kind call.At
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

        BlockingCalls.blockWhile session scope call waitsFor values None

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
        BlockingCalls.block session scope call Unknown None
        None

/// A stream in memory, or a reader or writer of one.
let private isInMemory (session: Session) (id: int) : bool =
    let isOfMemory (id: int) =
        session.Objects[id].Class = Some "System.IO.MemoryStream"

    isOfMemory id || Set.exists isOfMemory session.Objects[id].DependsOn

/// The output of a process that has ended.
let private isOfEnded (session: Session) (id: int) : bool =
    session.Objects[id].DependsOn
    |> Set.exists (fun owner -> session.Objects[owner].Kind = Kind.Plain && session.IsComplete owner)

/// A call that blocks and has an asynchronous twin.
let blocksBeside (session: Session) (scope: Scope) (call: Invocation) (twin: string) : unit =
    match call.Argument 0 with
    // the wait ends at once
    | Instance object when
        call.Callee.HasObject
        && (session.IsComplete object || isInMemory session object || isOfEnded session object)
        ->
        ()
    | _ -> BlockingCalls.block session scope call Unknown (Some twin)

/// Runs an Async, and blocks until it is done. Returns its result.
let run (session: Session) (scope: Scope) (call: Invocation) (operation: Value) : Value option =
    if session.MadeBy operation = Some TaskToAsync then
        let conversion =
            if call.HasOptions then
                Conversion.TaskToAsyncBlockedInTime
            else
                Conversion.TaskToAsyncBlocked

        session.Emit(RoundTrip(call.At, conversion, scope.Builder))

    session.Observe operation
    note session call operation
    BlockingCalls.block session scope call Unknown None
    session.Complete operation

    match Operations.given session call.At operation with
    | Unknown -> None
    | value -> Some value
