// PLT401: an AsyncLocal is written in a builder that does not restore the context.
module internal Plait.Check.AsyncLocalLeak

let private info =
    {
        Code = "PLT401"
        Title = "AsyncLocal written in an unsafe builder"
        Summary =
            "A builder of Plait.Unsafe does not restore the execution context: a value that its body writes to an AsyncLocal reaches the caller."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | AsyncLocalWritten(at, builder) ->
        Some(
            Rule.finding
                info
                info.Severity
                at
                $"this write reaches the callers of the {builder.Name}: builders of Plait.Unsafe do not restore the execution context"
                $"use the {builder.Name} of Plait, or write the AsyncLocal in a body of it"
        )
    | _ -> None

let rule = { Info = info; Judge = judge }
