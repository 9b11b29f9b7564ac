// Calls that block: in an async body a call is an event, on the caller's thread it goes into the summary of the function. Emits
// Blocked and CallsBlocking.
module internal Plait.Check.BlockingCalls

open FSharp.Compiler.Text

/// Whether a wait has the length 0 and returns at once. The length is the argument that the effect names, else the
/// first; in a static member also the last. A time elsewhere is an offset.
let isOfNoLength (call: Invocation) : bool =
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
    // a wait replaces that for a lock before it, and a long one a short one
    let replaces (known: BlockingCall) =
        not blocking.TakesLock && (known.TakesLock || known.IsShort && not blocking.IsShort)

    if session.State.IsAlive && (scope.IsOnCaller || scope.IsDeferred) then
        let cases = session.State.Cases

        match session.PartialSummary.Blocks with
        | Some known when not (replaces known) ->
            if not (known.OnlyIf |> List.exists _.IsSubsetOf(cases)) then
                session.PartialSummary.Blocks <- Some { known with OnlyIf = cases :: known.OnlyIf }
        | _ ->
            session.PartialSummary.Blocks <-
                Some
                    { blocking with
                        Path = PathStep.at at says :: blocking.Path
                        WhileIncomplete = waitsFor |> List.map (parametersOf session) |> Set.unionMany
                        OnlyIf = [ cases ]
                    }

            session.PartialSummary.BlocksFor <- waitsFor

/// Code on the caller's thread blocks on a stream, or a reader or writer of one, if that leads to another process or machine.
let private noteStream
    (session: Session)
    (scope: Scope)
    (at: range)
    (says: string)
    (stream: Value)
    (blocking: BlockingCall)
    : unit =
    if session.State.IsAlive && scope.IsOnCaller then
        for id in Value.objects stream do
            for index in Seq.choose session.Parameter (session.Objects[id].DependsOn.Add id) do
                if not (session.PartialSummary.BlocksIfRemote.ContainsKey index) then
                    session.PartialSummary.BlocksIfRemote <-
                        session.PartialSummary.BlocksIfRemote.Add(
                            index,
                            { blocking with Path = PathStep.at at says :: blocking.Path; IsShort = false }
                        )

/// The computation expression around a blocking call, or the function that is to return an operation. In such a
/// function a short wait or a lock is no finding: the caller's thread runs that part.
let private blockedIn (scope: Scope) (call: Invocation) (isShort: bool) : Builder option =
    let isForOther = not (isShort || List.contains Locks call.Effects)

    match scope.Builder, scope.Starter with
    | Some builder, _ -> Some builder
    | None, Some starter when isForOther -> Some starter
    | _ -> None

/// It takes a lock that only threads of this process hold, as `lock` does.
let private takesLock (callee: Callee) : bool =
    callee.Name = "System.Threading.Monitor.Enter"
    || callee.Name.StartsWith "System.Threading.ReaderWriterLock"

/// A call that blocks while each of these values is incomplete.
let blockWhile
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (object: Value)
    (waitsFor: Value list)
    (twin: string option)
    : unit =
    session.Waits <- session.Waits + 1
    let isRemote = call.Callee.HasObject && session.IsRemote(call.Argument 0)
    // the code awaits where the type has an asynchronous form
    let isLast = scope.Twins.Contains(Symbol.lastPart call.Callee.Name)
    let isShort = isLast || call.Callee.IsShort && not isRemote
    let says = $"{call.Callee.Short} blocks"

    let blocking =
        {
            Path = []
            WhileIncomplete = Set.empty
            OnlyIf = [ Set.empty ]
            IsShort = isShort
            TakesLock = takesLock call.Callee
            IsOfAllImplementations = false
            Arguments = 0
        }

    if isShort && call.Callee.HasObject then
        noteStream session scope call.At says (call.Argument 0) blocking

    match blockedIn scope call isShort with
    | _ when List.contains OnlyRemote call.Effects && not isRemote -> ()
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

        match scope.CalledInside with
        // a function gives the lock back, and one that does not is rare
        | Some _ when blocking.TakesLock -> ()
        | Some outer ->
            let path = [ PathStep.at call.At says ]
            session.Emit(CallsBlocking(outer.At, outer.Callee, path, isShort, builder))
        | None -> session.Emit(Blocked(call.At, call.Callee, object, twin, builder, isShort, isLocked))
    | None -> blockCaller session scope call.At says blocking waitsFor

/// A call that blocks, until `waitsFor` is complete.
let block
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

    // no other code calls a handler
    let handler =
        scope.Starter |> Option.filter (fun starter -> starter.IsHandler && not blocking.IsShort)

    if isPending && not session.State.IsOffPool then
        match scope.Builder |> Option.orElse handler with
        | Some builder ->
            let at, callee, path =
                match scope.CalledInside with
                | Some outer ->
                    outer.At, outer.Callee, PathStep.at at $"{callee.Short} is called" :: blocking.Path
                | None -> at, callee, blocking.Path

            session.Emit(CallsBlocking(at, callee, path, blocking.IsShort, builder))
        | None -> blockCaller session scope at $"{callee.Short} is called" blocking waitsFor

/// A called function blocks on a stream among its arguments, if that leads to another process or machine.
let callWithStream
    (session: Session)
    (scope: Scope)
    (call: Invocation)
    (stream: Value)
    (blocking: BlockingCall)
    : unit =
    if session.IsRemote stream then
        callBlocking session scope call.At call.Callee blocking []
    else
        noteStream session scope call.At $"{call.Callee.Short} is called" stream blocking

/// Enumerates or calls a sequence, a lazy value or a function that blocks; once, if its value is kept.
let force (session: Session) (scope: Scope) (at: range) (callee: Callee) (value: Value) : unit =
    for id in Value.objects value do
        match session.Objects[id].DeferredBlocking with
        | Some(blocking, waitsFor) when not (session.IsComplete id) ->
            callBlocking session scope at callee blocking waitsFor

            // a lazy value is computed once
            if callee.ReadsLazy then
                session.Complete(Instance id)
        | _ -> ()
