// PLT201: a call blocks a thread of the pool inside an async body.
module internal Plait.Check.Blocking

let private info =
    {
        Code = "PLT201"
        Title = "blocking call in an async body"
        Summary =
            "A call in the body of an async computation blocks a thread of the pool until something else is done."
        Severity = Severity.Warning
    }

let private advice
    (callee: Callee)
    (waitsFor: Instance option)
    (twin: string option)
    (builder: Builder)
    : string =
    match twin, callee.Short with
    | Some twin, _ -> $"await its asynchronous twin {twin}"
    | None, "Thread.Sleep" when not builder.BindsTasks -> "do! Async.Sleep"
    | None, "Thread.Sleep" -> "do! Task.Delay"
    | None, "Async.RunSynchronously" ->
        if not builder.BindsTasks then
            "let! the Async itself"
        else
            "let! the Async, or its Async.StartAsTask"
    | None, "Monitor.Enter"
    | None, "Monitor.Wait" -> "use a SemaphoreSlim and await its WaitAsync"
    | None, "Task.WaitAll" -> "await Task.WhenAll"
    | None, "Task.WaitAny" -> "await Task.WhenAny"
    | None, name when waitsFor.IsSome ->
        let how = if builder.BindsTasks then "" else " with Async.AwaitTask"

        let raises =
            if name.EndsWith "GetResult" then
                ""
            else
                "; an await raises the failure itself, not an AggregateException"

        $"await the task: let! or do!{how}{raises}"
    | None, _ -> "await an asynchronous form of it, or move it to a thread of its own"

/// The finding without its fix. `why`: half a sentence.
let leaving (why: string) (finding: Finding) : Finding =
    { finding with Fix = None; Advice = $"{finding.Advice}; --fix leaves it, because {why}" }

let private judge (proposals: FixProposals) (event: Event) : Finding option =
    match event with
    | Blocked(at, callee, waitsFor, twin, builder, isShort, isLocked) ->
        let severity =
            match waitsFor with
            // an element that was perhaps chosen because it is complete
            | Some { Origin = Origin.Indexed _ } -> Severity.Info
            | _ when isShort -> Severity.Info
            | _ -> info.Severity

        let what =
            match waitsFor with
            | Some value when value.Name <> "" ->
                $"{callee.Short} blocks the thread until '{value.Name}' is complete"
            | _ -> $"{callee.Short} blocks the thread"

        // the condition for an await that only the author can check
        let condition =
            if isLocked then
                "; before the await, release locks, TransactionScopes and contexts of this thread: the code after it may run on another thread"
            elif builder.LeavesContext then
                $"; the code after an await of {builder.Name} leaves the caller's context"
            else
                ""

        let found =
            Rule.finding
                info
                severity
                at
                $"{what}, inside {builder.Name}"
                (advice callee waitsFor twin builder + condition)

        match proposals.Blocking at with
        | _ when builder.WantsValue ->
            Some
                { found with
                    Advice =
                        $"await it before or after the call, or use a helper whose function returns an operation (`bind`){condition}"
                }
        // no computation expression is around the call, so nothing can await
        | _ when builder.Starts = StartKind.Plain ->
            let such = if builder.BindsTasks then "task" else "async"

            Some
                { found with
                    Advice =
                        $"make the function's body a computation expression such as {such}, and {found.Advice}"
                }
        | Some fix when condition = "" ->
            // An await in a cold body is one more point at which a cancelled body ends.
            if builder.Starts <> StartKind.Hot then
                Some(leaving $"a cancelled {builder.Name} would end at the await" found)
            else
                match proposals.StateOfThreads with
                | Some why -> Some(leaving why found)
                | None -> Some { found with Fix = Some fix }
        | _ -> Some found
    | _ -> None

let private listed (texts: string list) : string =
    match texts with
    | [ one ] -> one
    | all -> String.concat ", " (List.take (all.Length - 1) all) + " and " + List.last all

/// Names the callers that wait for the code of a finding: after the fix, that code is not complete at the start of
/// their wait. There is no fix if a caller does not wait for the code, or holds a lock.
let naming (callers: (SiteKind * string * Location) list) (finding: Finding) : Finding =
    let place (name: string, place: Location) =
        $"{name} ({System.IO.Path.GetFileName place.File}, line {place.Line})"

    let that (how: SiteKind) =
        callers
        |> List.choose (fun (other, name, at) -> if other = how then Some(name, at) else None)

    match that SiteKind.Drops, that SiteKind.Locks, that SiteKind.Waits with
    | caller :: _, _, _ ->
        leaving $"{place caller} does not await it, and would go on before it is complete" finding
    | [], caller :: _, _ ->
        leaving
            $"{place caller} starts it while a lock is held, and the code after an await would run without the lock"
            finding
    | [], [], [] -> finding
    | [], [], waiting ->
        let others =
            match waiting.Length - 3 with
            | count when count <= 0 -> []
            | 1 -> [ "another one" ]
            | count -> [ $"{count} others" ]

        let named = List.map place (List.truncate 3 waiting) @ others
        let one = named.Length = 1
        let block = if one then "blocks" else "block"
        let await = if one then "that await as well" else "these await as well"
        let wait = if one then "it waits" else "they wait"

        { finding with
            Advice =
                $"{finding.Advice}; {listed named} {block} until it is complete: make {await}, because after the fix {wait} forever on a thread with a SynchronizationContext"
        }

let rule = { Info = info; Judge = judge }
