// Computation expressions in the compiler's tree: the builder of each, and the part that each call of a builder's
// member stands for.
module internal Plait.Check.Builders

open FSharp.Compiler.Symbols
open FSharp.Compiler.Symbols.FSharpExprPatterns

/// The construct for which the compiler calls this member of a builder.
let part (name: string) : Part =
    match name with
    | "Bind"
    | "BindReturn"
    | "Bind2"
    | "Bind2Return"
    | "Bind3"
    | "Bind3Return" -> Part.Bind
    | "ReturnFrom"
    | "ReturnFromFinal"
    | "YieldFrom"
    | "YieldFromFinal" -> Part.ReturnFrom
    | "Return"
    | "Yield" -> Part.Return
    | "Using" -> Part.Using
    | "Combine" -> Part.Combine
    | "While" -> Part.While
    | "For" -> Part.For
    | "TryWith" -> Part.TryWith
    | "TryFinally" -> Part.TryFinally
    | _ when name.StartsWith "MergeSources" -> Part.Merge
    | _ -> Part.Other

/// The variable that the compiler binds a builder to.
let isVariable (symbol: FSharpMemberOrFunctionOrValue) : bool = symbol.LogicalName = "builder@"

let isBuilder (expression: FSharpExpr) : bool =
    match expression with
    | Value symbol -> isVariable symbol
    | _ -> false

/// The builder of `seq { }`, `[ ]` and `[| |]`.
let sequence: Builder =
    {
        Name = "seq"
        Starts = StartKind.Sequence
        IsUnsafe = false
        LeavesContext = false
        IsRuntimeAsync = false
        HasMerge = false
        BindsTasks = false
        WantsValue = false
        IsHandler = false
    }

/// The builder of a computation expression. `value`: the expression that gives the builder.
let builder (table: EffectTable) (kinds: Kinds) (expression: FSharpExpr) (value: FSharpExpr) : Builder =
    let name, full =
        match value with
        // a builder that calls its own members
        | Value symbol when symbol.IsMemberThisValue -> "computation expression", ""
        | Call(_, symbol, _, _, _)
        | Value symbol -> symbol.DisplayName, Symbol.full symbol
        | _ -> "computation expression", ""

    // a builder with another name is known by its type
    let types =
        try
            let ty = kinds.Stripped value.Type

            [
                for one in ty :: List.ofSeq ty.GenericArguments do
                    let one = kinds.Stripped one

                    if one.HasTypeDefinition then
                        kinds.Name one.TypeDefinition
            ]
        with _ ->
            []

    let hasMerge =
        try
            let definition = (kinds.Stripped value.Type).TypeDefinition

            // the types of extension members; the builder's own type does not list those
            definition.MembersFunctionsAndValues
            |> Seq.exists _.CompiledName.StartsWith("MergeSources")
            || (kinds.Name definition).StartsWith "Plait."
        with _ ->
            false

    {
        Name = name
        Starts = kinds.StartKind expression.Type
        IsUnsafe = table.IsUnsafe full
        LeavesContext = table.IsUnsafe full || full :: types |> List.exists table.IsNonAffine
        IsRuntimeAsync = table.IsRuntimeAsync full
        HasMerge = hasMerge
        BindsTasks = not (kinds.IsAsync expression.Type)
        WantsValue = false
        IsHandler = false
    }
