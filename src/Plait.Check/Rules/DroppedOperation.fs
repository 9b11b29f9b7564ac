// PLT301: an operation is neither awaited, returned nor stored.
module internal Plait.Check.DroppedOperation

let private info =
    {
        Code = "PLT301"
        Title = "operation dropped"
        Summary = "A Task, ValueTask, Strand or Async is neither awaited, returned nor stored."
        Severity = Severity.Warning
    }

/// A child of Async.StartChild: an Async that runs already.
let private isChild (value: Instance) : bool =
    value.Kind = Kind.Cold && value.Origin = Origin.Awaited

// There is no fix: only the author can decide whether the code should wait for the operation. A wait for work that
// serves, watches, or fills a channel for later code would never end.
let private advice (value: Instance) (builder: Builder option) : string =
    match builder, value.Kind with
    | _ when value.IsUnenumerated && value.Kind <> Kind.Cold ->
        "enumerate the sequence once and await each operation, as Task.WhenAll does"
    | _ when value.IsFunction -> "call it, and await the operation that the call starts"
    | Some _, _ when isChild value ->
        "await it: let! _ = …; or, if this code must not wait for it, Async.Start in place of Async.StartChild"
    | Some builder, kind ->
        let beside =
            match kind with
            | Kind.Cold -> "start it: Async.Start"
            | Kind.SingleUse _ -> "keep its Task, AsTask(), and observe its failure"
            | _ -> "keep the Task and observe its failure"

        $"await it: {Rule.awaiting builder value}; or, if this code must not wait for it, {beside}"
    | None, Kind.Cold -> "start it, or return it to a caller that does"
    | None, _ ->
        "return it to a caller that awaits it, or keep it, and await it before the end or observe its failure"

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    // a registration: the registered object gets its failures
    | Dropped(value, _, _, _) when value.MayDrop -> None
    | Dropped(value, at, how, builder) ->
        let named =
            match Rule.nameOf value with
            | "this operation" when value.IsFunction ->
                "this function, which starts an operation when it is called,"
            | "this Task" when value.Kind <> Kind.Task -> "this operation"
            | name -> name

        let catchesAll =
            match value.Producer with
            | Some(Producer.Block body) -> Code.catchesAll body
            | _ -> false

        let consequence =
            match value.Kind with
            | _ when catchesAll && (value.Kind = Kind.Task || isChild value) -> "no code waits for its end"
            | _ when value.IsUnenumerated -> "no code enumerates its sequence, and it never runs"
            | Kind.Cold when value.IsFunction -> "nothing calls it, and its code never runs"
            | Kind.Cold when not (isChild value) -> "it never runs"
            | Kind.SingleUse _ -> "its failure is lost, and its pooled objects are not given back"
            | _ -> "its failure is lost, and no code waits for its end"

        let severity =
            match value.Kind, builder with
            | Kind.Task, None -> Severity.Info
            // it handles its own failures
            | _ when catchesAll && (value.Kind = Kind.Task || isChild value) -> Severity.Info
            // the author dropped it on purpose
            | Kind.Task, _ when value.Name.StartsWith '_' -> Severity.Info
            | _ -> info.Severity

        Some
            { Rule.finding info severity at $"{named} is {how}: {consequence}" (advice value builder) with
                Path = if value.At = at then [] else [ PathStep.at value.At "it comes from here" ]
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
