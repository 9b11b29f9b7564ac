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

let private judge (proposals: FixProposals) (event: Event) : Finding option =
    match event with
    | Blocked(at, callee, waitsFor, twin, builder, isLocked) ->
        let severity =
            match waitsFor with
            // an element that was perhaps chosen because it is complete
            | Some { Origin = Origin.Indexed _ } -> Severity.Info
            | _ when callee.IsShort -> Severity.Info
            | _ -> info.Severity

        let what =
            match waitsFor with
            | Some value when value.Name <> "" ->
                $"{callee.Short} blocks the thread until '{value.Name}' is complete"
            | _ -> $"{callee.Short} blocks the thread"

        // the condition that the author must meet before the code may await
        let condition =
            if isLocked then
                "; first release the lock or the TransactionScope of this thread: the code behind the await may run on another one"
            elif builder.LeavesContext then
                $"; the code behind an await of {builder.Name} leaves the caller's context"
            else
                ""

        // An await in a cold body is one more point where a body that is cancelled ends.
        let isSame = condition = "" && builder.Starts = StartKind.Hot

        Some
            { Rule.finding
                  info
                  severity
                  at
                  $"{what}, inside {builder.Name}"
                  (advice callee waitsFor twin builder + condition) with
                Fix = if isSame then proposals.Blocking at else None
            }
    | _ -> None

/// The calls that wait for the code of a finding, outside of it: behind the fix it is not complete when they begin to wait.
let namingCallers (callers: (string * Location) list) (finding: Finding) : Finding =
    let named =
        [
            for name, place in List.truncate 3 callers do
                $"{name} ({System.IO.Path.GetFileName place.File}, line {place.Line})"
        ]

    let others =
        match callers.Length - named.Length with
        | 0 -> []
        | 1 -> [ "another one" ]
        | count -> [ $"{count} others" ]

    let all = named @ others

    let text =
        match all with
        | [ one ] ->
            $"{one} blocks until it is complete: make that await as well, because behind the fix it waits forever on a thread with a SynchronizationContext"
        | all ->
            let list =
                String.concat ", " (List.take (all.Length - 1) all) + " and " + List.last all

            $"{list} block until it is complete: make these await as well, because behind the fix they wait forever on a thread with a SynchronizationContext"

    { finding with Advice = $"{finding.Advice}; {text}" }

let rule = { Info = info; Judge = judge }
