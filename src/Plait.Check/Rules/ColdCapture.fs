// PLT102: a single-use value is used in a body that may run again.
module internal Plait.Check.ColdCapture

let private info =
    {
        Code = "PLT102"
        Title = "single-use value captured by a cold computation"
        Summary =
            "A computation that runs each time it is started uses a value from outside that may be used once: the second start uses it again."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | UsedInColdBody(value, at, builder) ->
        let name = Rule.nameOf value

        Some
            { Rule.finding
                  info
                  info.Severity
                  at
                  $"{name} may be used once, and the body of this {builder.Name} uses it each time it is started"
                  $"make the value inside the {builder.Name}, or call AsTask() outside and use the Task inside" with
                Path =
                    [
                        PathStep.at value.At "it comes from here, outside"
                        PathStep.at at "each start uses it"
                    ]
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
