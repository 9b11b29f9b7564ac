// PLT101: a single-use value is used twice.
module internal Plait.Check.DoubleUse

let private info =
    {
        Code = "PLT101"
        Title = "single-use value used twice"
        Summary =
            "A ValueTask, Strand or another value that may be used once is awaited, read or passed on a second time."
        Severity = Severity.Warning
    }

/// The steps of a path that another path does not have, in order.
let private own (trail: PathStep list) (shared: PathStep list) : PathStep list =
    trail |> List.filter (fun step -> not (List.contains step shared)) |> List.rev

let private judge (proposals: FixProposals) (event: Event) : Finding option =
    match event with
    | UsedAgain(value, earlier, again, isCertain, isNextIteration) ->
        let name = Rule.nameOf value
        let line = earlier.At.StartLine

        // a function that uses it is called again
        let isInCall =
            earlier.At = again.At && again.Called.IsSome && earlier.Called <> again.Called

        let at = if isInCall then again.Called.Value else again.At

        let message =
            match isNextIteration, isCertain with
            | _ when isInCall ->
                $"{name} may be used once, and is {again.How} again in this call, at line {again.At.StartLine}"
            | _ when not isNextIteration && earlier.At = again.At ->
                $"{name} may be used once, and is {again.How} here, and this code runs more than once"
            | true, true -> $"{name} may be used once, and is {again.How} in each turn of a loop"
            | true, false -> $"{name} may be used once, and is perhaps {again.How} here more than once"
            | false, true ->
                $"{name} may be used once, and is {again.How} although it was {earlier.How} at line {line}"
            | false, false ->
                $"{name} may be used once, and is {again.How} although it was perhaps {earlier.How} at line {line}"

        let path =
            [
                PathStep.at value.At "it comes from here"
                yield! own earlier.Path again.Path
                PathStep.at earlier.At $"first use: it is {earlier.How}"

                if not isNextIteration then
                    yield! own again.Path earlier.Path

                PathStep.at
                    again.At
                    (if isNextIteration then
                         "the next turn uses it again"
                     else
                         $"second use: it is {again.How}")
            ]

        let severity = if isCertain then info.Severity else Severity.Info

        Some
            { Rule.finding
                  info
                  severity
                  at
                  message
                  "await it once and share the result, or call AsTask() once and share the Task" with
                Path = path
                // a Task is awaited like the value that it was made of; any other use of the value may differ
                Fix =
                    if value.Origin = Origin.Created && value.IsOnlyAwaited then
                        proposals.Shared value.At
                    else
                        None
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
