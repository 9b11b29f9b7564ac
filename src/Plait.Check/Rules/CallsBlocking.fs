// PLT202: an async body calls a function that blocks, perhaps through further calls.
module internal Plait.Check.CallsBlocking

let private info =
    {
        Code = "PLT202"
        Title = "call of a function that blocks"
        Summary = "An async body calls a checked function that blocks a thread of the pool."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | CallsBlocking(at, callee, chain, isShort, builder) ->
        let last = List.last chain

        let where =
            $"{System.IO.Path.GetFileName last.Location.File}, line {last.Location.Line}"

        Some
            { Rule.finding
                  info
                  (if isShort then Severity.Info else info.Severity)
                  at
                  $"{callee.Short}, called inside {builder.Name}, blocks the thread: {last.Says} ({where})"
                  "make the function asynchronous, and await it" with
                Path = PathStep.at at $"{callee.Short} is called" :: chain
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
