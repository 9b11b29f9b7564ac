// PLT404: a statement before the braces, or a branch around them, makes a closure of a runtime-async method.
module internal Plait.Check.BeforeBraces

let private info =
    {
        Code = "PLT404"
        Title = "statement or branch before the braces of a runtime-async method"
        Summary =
            "A function has statements or a branch before a runtime-async block: its code becomes a closure, which each call makes."
        Severity = Severity.Info
    }

/// Where a statement begins; the compiler gives a conditional the place of its first branch.
let rec private beginning (statement: Code) =
    match statement.Is with
    | If(test, _, _) -> beginning test
    | Match(decision, _) -> beginning decision
    | Try(body, _, _)
    | Finally(body, _) -> beginning body
    | _ -> Code.start statement

let private judge (_: Mending) (event: Event) : Finding option =
    match event with
    | WroteBefore(statement, isAround, builder) ->
        let word, advice =
            if isAround then
                "around",
                "write it inside one pair of braces, with return! before what another function returns; what it raises is then in the result"
            else
                "before",
                "write it inside the braces, before their first line; what it raises is then in the result"

        Some(
            Rule.finding
                info
                info.Severity
                (beginning statement)
                $"this stands {word} the braces of {builder.Name}, whose code becomes a closure: 24 bytes a call"
                advice
        )
    | _ -> None

let rule = { Info = info; Judge = judge }
