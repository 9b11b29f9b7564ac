// PLT402: a Strand is passed to code that gets it as a value of another type.
module internal Plait.Check.UntypedStrand

let private info =
    {
        Code = "PLT402"
        Title = "Strand given to code that cannot await it"
        Summary =
            "A Strand is returned to a framework that calls by reflection, or passed as obj: it is never awaited."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | PassedUntyped({ Kind = Kind.SingleUse "Strand" }, at, (Sink.Method _ | Sink.Attribute _ as sink)) ->
        let says =
            match sink with
            | Sink.Method callee when callee.Name.StartsWith "Microsoft.AspNetCore." ->
                $"{callee.Short} has no support for Strand: the application answers 500 on every route"
            | Sink.Method callee -> $"{callee.Short} has no support for Strand: the operation is not awaited"
            | Sink.Attribute name ->
                $"the framework that calls methods with [<{name}>] has no support for Strand: the operation is not awaited"
            | Sink.AsObject -> ""

        Some(
            Rule.finding
                info
                info.Severity
                at
                says
                "return a Task or a ValueTask: AsTask(), or pooledValueTask"
        )
    | PassedUntyped({ Kind = Kind.SingleUse "Strand" }, at, Sink.AsObject) ->
        Some(
            Rule.finding
                info
                Severity.Info
                at
                "a Strand is passed as obj: the receiver cannot await it"
                "await it first, or pass its Task: AsTask()"
        )
    | _ -> None

let rule = { Info = info; Judge = judge }
