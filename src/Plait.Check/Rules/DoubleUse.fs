// PLT101: a value that may be used once is used twice.
module internal Plait.Check.DoubleUse

let private info =
    {
        Code = "PLT101"
        Title = "single-use value used twice"
        Summary =
            "A ValueTask, Strand or another value that may be used once is awaited, read or passed on a second time."
        Severity = Severity.Warning
    }

/// The steps of a trail that another trail does not share, in the order in which they were taken.
let private own (trail: PathStep list) (shared: PathStep list) : PathStep list =
    trail |> List.filter (fun step -> not (List.contains step shared)) |> List.rev

let private judge (proposals: FixProposals) (event: Event) : Finding option =
    match event with
    | UsedAgain(value, earlier, again, isCertain, isNextTurn) ->
        let name = Rule.nameOf value
        let line = earlier.At.StartLine

        let message =
            match isNextTurn, isCertain with
            | _ when not isNextTurn && earlier.At = again.At ->
                $"{name} may be used once, and is {again.How} here each time that this runs, which is more than once"
            | true, true -> $"{name} may be used once, and is {again.How} in each turn of a loop"
            | true, false -> $"{name} may be used once, and is perhaps {again.How} here more than once"
            | false, true ->
                $"{name} may be used once, and is {again.How} although it was {earlier.How} at line {line}"
            | false, false ->
                $"{name} may be used once, and is {again.How} although it was perhaps {earlier.How} at line {line}"

        let path =
            [
                Rule.step value.At "it comes from here"
                yield! own earlier.Trail again.Trail
                Rule.step earlier.At $"first use: it is {earlier.How}"

                if not isNextTurn then
                    yield! own again.Trail earlier.Trail

                Rule.step
                    again.At
                    (if isNextTurn then "the next turn uses it again" else $"second use: it is {again.How}")
            ]

        let severity = if isCertain then info.Severity else Severity.Info

        Some
            { Rule.finding
                  info
                  severity
                  again.At
                  message
                  "await it once and share the result, or call AsTask() once and share the Task" with
                Path = path
                // a Task is awaited like the value that it is made of; any other use of the value may differ
                Fix =
                    if value.Origin = Origin.Made && value.IsOnlyAwaited then
                        proposals.Shared value.At
                    else
                        None
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
