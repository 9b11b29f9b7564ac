// PLT301: an operation is neither awaited, returned nor stored.
module internal Plait.Check.DroppedWork

let private info =
    {
        Code = "PLT301"
        Title = "operation dropped"
        Summary = "A Task, ValueTask, Strand or Async is neither awaited, returned nor stored."
        Severity = Severity.Warning
    }

let private judge (mending: Mending) (event: Event) : Finding option =
    match event with
    | Dropped(value, at, how, builder) ->
        let named =
            match Rule.nameOf value with
            | "this Task" when value.Kind <> Kind.Task -> "this operation"
            | name -> name

        let consequence =
            match value.Kind with
            | Kind.Cold -> "it never runs"
            | Kind.SingleUse _ -> "its failure is lost, and what it rented is not given back"
            | _ -> "its failure is lost, and nobody waits for its end"

        let severity =
            match value.Kind, builder with
            | Kind.Task, _ when value.MayDrop -> Severity.Info
            | Kind.Task, None -> Severity.Info
            // somebody meant it
            | Kind.Task, _ when value.Name.StartsWith '_' -> Severity.Info
            | _ -> info.Severity

        let advice =
            match builder with
            | Some builder -> $"await it: {Rule.awaiting builder value}"
            | None when value.Kind = Kind.Cold -> "start it, or return it to a caller that does"
            | None -> "return it to a caller that awaits it, or store it and await it before the end"

        Some
            { Rule.finding info severity at $"{named} is {how}: {consequence}" advice with
                Fix =
                    builder
                    |> Option.bind (fun builder ->
                        mending.Dropped(at, builder, value.Kind = Kind.Task, value.GivesValue))
            }
    | _ -> None

let rule = { Info = info; Judge = judge }
