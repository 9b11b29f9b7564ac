// PLT302: a disposable is disposed before the operation that uses it has ended.
module internal Plait.Check.EarlyDispose

let private info =
    {
        Code = "PLT302"
        Title = "disposed before the operation ends"
        Summary =
            "A function disposes a resource when it returns, while the operation that it returns still uses it."
        Severity = Severity.Warning
    }

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | DisposedEarly(variable, operation, at) ->
        Some
            { Rule.finding
                  info
                  info.Severity
                  variable.At
                  $"'{variable.Name}' is disposed when this function returns, before the operation at line {at.StartLine} has ended"
                  "put the 'use' and the operation into one computation expression, and await the operation there" with
                Path =
                    [
                        PathStep.at variable.At "it is opened here, and disposed when the function returns"
                        PathStep.at
                            operation.At
                            "the operation that uses it is returned without being awaited"
                    ]
            }
    | DisposedRunning(task, at) ->
        Some
            { Rule.finding
                  info
                  info.Severity
                  at
                  $"'use' disposes {Rule.nameOf task} when the block is left: if it still runs then, Dispose raises an InvalidOperationException"
                  "await it: a Task needs no disposing" with
                Path = if task.At = at then [] else [ PathStep.at task.At "it comes from here" ]
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
