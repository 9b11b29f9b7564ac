// PLT403: an await of a complete value, or an await that could run beside another one.
module internal Plait.Check.NeedlessAwait

let private info =
    {
        Code = "PLT403"
        Title = "needless or lonely await"
        Summary =
            "let! over a value that is there already, a body of a single return!, or let! that could be and!."
        Severity = Severity.Hint
    }

let private hint at message advice =
    Some(Rule.finding info Severity.Hint at message advice)

/// A call whose result is complete.
let private isThere (code: Code) : Callee option =
    match (Code.plain code).Is with
    | Call(callee, _) when callee.Effects |> Option.exists (List.contains IsComplete) -> Some callee
    | _ -> None

let private judge (_: FixProposals) (event: Event) : Finding option =
    match event with
    | AwaitedInSequence(_, at, builder) ->
        hint
            at
            "this runs already while the operation before it is awaited: if that one fails, this one's failure is lost"
            (if builder.HasMerge then
                 "await both at once: and! in place of let!"
             else
                 "await both at once: Task.WhenAll")
    | BlockCode({ Is = InBlock(Part.Bind, source :: _) }, _) ->
        isThere source
        |> Option.bind (fun callee ->
            hint
                source.At
                $"{callee.Short} is complete already: the await costs something and waits for nothing"
                "use the value itself: let in place of let!, use in place of use!")
    | BlockCode({ Is = InBlock(Part.ReturnFrom, [ value ]) }, _) ->
        isThere value
        |> Option.bind (fun callee ->
            hint
                value.At
                $"{callee.Short} is complete already: return! awaits nothing"
                "return the value itself")
    | BlockCode({ Is = Block(_, body) } as code, builder) ->
        let rec inner (code: Code) : Code =
            match code.Is with
            | InBlock(Part.Other, [ part ])
            | Lambda(_, part) -> inner part
            | _ -> code

        match (inner body).Is with
        | InBlock(Part.ReturnFrom, [ value ]) when (isThere value).IsNone && value.Kind = code.Kind ->
            hint
                value.At
                $"this {builder.Name} only awaits its result"
                "return the operation itself, where its type and the place of its exceptions allow it"
        | _ -> None
    | _ -> None

let rule = { Info = info; Judge = judge }
