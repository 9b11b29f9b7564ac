// PLT103: a single-use value is stored, or its result is read before it is known to be complete.
module internal Plait.Check.StoredValue

let private info =
    {
        Code = "PLT103"
        Title = "single-use value stored or read early"
        Summary =
            "A single-use value is put into a field or a collection, or its result is read without a check that it is complete."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | Stored(value, at, into) ->
        let name = Rule.nameOf value

        Some(
            Rule.finding
                info
                Severity.Info
                at
                $"{name} may be used once, and is kept in {into}, where its number of uses cannot be seen"
                "keep its Task: AsTask()"
        )
    | ReadEarly(value, at, callee) ->
        let name = Rule.nameOf value

        Some(
            Rule.finding
                info
                info.Severity
                at
                $"{callee.Short} takes the result of {name}, which may not be complete: a pooled source throws, or gives a wrong result"
                "await it, or read the result only behind IsCompleted; where a thread must wait, use AsTask()"
        )
    | _ -> None

let rule = { Info = info; Judge = judge }
