// PLT404: code that makes a closure or a Task of a runtime-async method: a statement before the braces, a branch around them, a local
// function with braces inside them, braces that are awaited inside others, and the await of a conditional.
module internal Plait.Check.RuntimeAsyncAllocation

open FSharp.Compiler.Text

let private info =
    {
        Code = "PLT404"
        Title = "closure or Task of a runtime-async block"
        Summary =
            "Code before a runtime-async block, a branch around it or a local function inside makes a closure at each call; the await of a conditional makes a Task."
        Severity = Severity.Info
    }

/// Whether the code captures anything from outside, except these variables.
let private isTaken (constant: Set<int>) (code: Code) : bool =
    let isOfThis (code: Code) =
        match code.Is with
        | Field({ Is = Nothing }, _, _, _) -> true
        | Call(callee, { Is = Nothing } :: _) -> callee.HasObject
        | _ -> false

    not (Set.isSubset (Code.free code) constant) || Code.exists isOfThis code

let rec private onlyTakesApart (variable: Variable) (code: Code) : bool =
    match code.Is with
    | Item({ Is = Read other }, _) when other.Id = variable.Id -> true
    | Read other -> other.Id <> variable.Id
    | _ -> Code.children code |> List.forall (onlyTakesApart variable)

/// Whether the binding of a value leaves no statement. `variable`: the bound variable, if the value is one.
let rec private isName (rest: Code) (variable: Variable option) (code: Code) : bool =
    let isInner = isName rest None

    match code.Is with
    | Read _
    | Nothing
    | Truth _
    | Number _
    | Construct([], _, _)
    | Global(_, false) -> true
    | Lambda(_, body) ->
        not (
            body
            |> Code.exists (fun code ->
                match code.Is with
                | Loop _
                | Try _
                | Finally _
                | LetRec _ -> true
                | Block(builder, _) -> builder.IsRuntimeAsync
                | _ -> false)
        )
    | Item(inner, _) -> isInner inner
    | Call(callee, (_ :: _ as parts)) when callee.Name.StartsWith "Microsoft.FSharp.Core.Operators." ->
        parts |> List.forall _.Is.IsNumber
    | Construct(parts, into, Some _) when into.StartsWith "a record" -> List.forall isInner parts
    | Tuple parts ->
        List.forall isInner parts
        && Option.exists (fun variable -> onlyTakesApart variable rest) variable
    | _ -> false

/// The runtime-async builder whose block the code ends in.
let rec private ending (constant: Set<int>) (code: Code) : Builder option =
    match code.Is with
    | Let(_, _, rest)
    | LetRec(_, rest)
    | Then(_, rest)
    | Use(_, _, rest)
    | Finally(rest, _) -> ending constant rest
    | Try(body, _, handler) -> List.tryPick (ending constant) [ body; handler ]
    | If(_, yes, no) -> List.tryPick (ending constant) [ yes; no ]
    | Match(_, targets) -> targets |> List.tryPick (snd >> ending constant)
    | Block(builder, inner) when builder.IsRuntimeAsync && isTaken constant inner -> Some builder
    | _ -> None

/// The code between the head of a function and the runtime-async block at the end of its body, if it makes a closure of
/// the block: the first statement, or the conditional or `try` around the block (true). By the bytes of compiled code:
/// a block without captures is a closure that is made once; other names for a value, constants, records
/// and small local functions leave no statement, and neither does a tuple that is only taken apart; the read of a field
/// is a statement, by name or by pattern, and so is a function that calls itself or loops. `constant`: variables
/// without captures.
let rec private before (constant: Set<int>) (body: Code) : (Code * bool * Builder) option =
    let found (first: Code) (isAround: bool) (rest: Code) =
        ending constant rest |> Option.map (fun builder -> first, isAround, builder)

    match body.Is with
    | Let(variable, value, rest) when isName rest (Some variable) value ->
        before (if isTaken constant value then constant else constant.Add variable.Id) rest
    | LetRec((variable, first) :: _, rest)
    | Let(variable, ({ Is = Lambda _ } as first), rest) -> found { first with At = variable.At } false rest
    | Let(_, first, rest)
    | Use(_, first, rest)
    | Then(first, rest) -> found first false rest
    | If _
    | Match _
    | Try _
    | Finally _ -> found body true body
    | _ -> None

/// The start of a statement; the compiler gives a conditional the place of its first branch.
let rec private beginning (statement: Code) : range =
    match statement.Is with
    | If(test, _, _) -> beginning test
    | Match(decision, _) -> beginning decision
    | Try(body, _, _)
    | Finally(body, _) -> beginning body
    | _ -> Code.start statement

/// The calls in the branches of a conditional that return a Task; none: it is no conditional. Methods of .NET and of
/// Plait make their Task anyway, or none.
let rec private calledInBranches (code: Code) : Code list =
    let rec leaves (code: Code) : Code list =
        match code.Is with
        | Let(_, _, rest)
        | LetRec(_, rest)
        | Then(_, rest)
        | Use(_, _, rest)
        | Finally(rest, _) -> leaves rest
        | Call(callee, _) when
            code.Kind = Kind.Task
            && not (callee.Name.StartsWith "System." || callee.Name.StartsWith "Plait.")
            ->
            [ code ]
        | _ -> calledInBranches code

    match code.Is with
    | If(_, yes, no) -> leaves yes @ leaves no
    | Match(_, targets) -> targets |> List.collect (snd >> leaves)
    | Try(body, _, handler) -> leaves body @ leaves handler
    | Let(variable, value, rest) when variable.IsGenerated -> calledInBranches rest @ calledInBranches value
    | _ -> []

let private judge (_: FixProposals) (event: Event) : Finding option =
    let find (at: range) (message: string) (advice: string) =
        Some(Rule.finding info info.Severity at message advice)

    match event with
    | FunctionBody body ->
        before Set.empty body
        |> Option.bind (fun (statement, isAround, builder) ->
            let word, place =
                if isAround then
                    "around", "inside one pair of braces, with return! before the call of another function"
                else
                    "before", "inside the braces, before their first line"

            find
                (beginning statement)
                $"this stands {word} the braces of {builder.Name}, whose code becomes a closure: 24 bytes a call"
                $"write it {place}; its exceptions are then in the result; or, to keep them at the call, name the block by let rec")
    | LocalFunction(variable, body, builder) when builder.IsRuntimeAsync ->
        ending Set.empty body
        |> Option.filter (fun inner -> not (inner.Name.EndsWith "step"))
        |> Option.bind (fun inner ->
            find
                variable.At
                $"the compiler writes '{variable.Name}' out at each of its calls, where the code of {inner.Name} becomes a closure: 24 bytes a call"
                $"write let rec {variable.Name}, which stays a method, or make it a function of the module")
    | BlockCode({ Is = InBlock((Part.Bind | Part.ReturnFrom), operand :: _) }, builder) when
        builder.IsRuntimeAsync
        ->
        match ending Set.empty operand, calledInBranches operand with
        | Some inner, _ when not (inner.Name.EndsWith "step") ->
            find
                (Code.start operand)
                $"these braces of {inner.Name} stand inside others, and their code becomes a closure: 24 bytes a call, and a Task for task"
                "write step { … } in their place, or the code itself without braces"
        | _, [] -> None
        | _, call :: _ ->
            find
                (Code.start call)
                "this call is in a branch of the operand, and its await is behind the branches: a Task is made, 72 bytes a call"
                "write the await into each branch: let! or return! there, or step { … } around the conditional"
    | MergeOperand(operand, builder) when builder.IsRuntimeAsync ->
        ending Set.empty operand
        |> Option.bind (fun inner ->
            find
                (Code.start operand)
                $"these braces of {inner.Name} stand inside others, and their code becomes a closure: 24 bytes a call"
                "name the block before the let!: let rec part () = … { … }, and start it by part ()")
    | _ -> None

let rule = { Info = info; Judge = judge }
