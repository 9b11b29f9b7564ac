// PLT203: a conversion between Async and Task undoes another one.
module internal Plait.Check.RoundTrip

let private info =
    {
        Code = "PLT203"
        Title = "round trip between Async and Task"
        Summary = "A Task becomes an Async and is then waited for or becomes a Task again, or the reverse."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | RoundTrip(at, conversion, builder) ->
        let waitedFor =
            "a Task becomes an Async only to be waited for: two objects more, and a thread that the pool does not replace"

        let message, advice =
            match conversion with
            | Conversion.TaskToAsyncBlocked ->
                waitedFor,
                (if builder.IsSome then
                     "await the task"
                 else
                     "where a thread must wait, wait for the task itself: GetAwaiter().GetResult()")
            | Conversion.TaskToAsyncBlockedInTime ->
                let limited =
                    "the task's WaitAsync, which takes the limit as a TimeSpan, and the token"

                waitedFor,
                (if builder.IsSome then
                     $"await {limited}"
                 else
                     $"where a thread must wait, wait for {limited}: WaitAsync(limit).GetAwaiter().GetResult()")
            | Conversion.AsyncToTaskToAsync ->
                "an Async becomes a Task only to become an Async again", "use the Async itself"
            | Conversion.TaskToAsyncToTask ->
                "a Task becomes an Async only to become a Task again", "use the Task itself"
            | Conversion.AsyncToTaskBlocked ->
                "an Async becomes a Task only to be waited for",
                (if builder.IsSome then "await the Async itself" else "Async.RunSynchronously waits for it")
            | Conversion.TaskToAsyncAwaited ->
                "a Task becomes an Async only to be awaited where a Task can be", "await the Task itself"

        // the last one costs something, and is right
        let severity =
            if conversion = Conversion.TaskToAsyncAwaited then Severity.Info else info.Severity

        Some(Rule.finding info severity at message advice)
    | _ -> None

let rule = { Info = info; Judge = judge }
