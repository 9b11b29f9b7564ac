// Layer: evaluator, wrapped. Every node, call, function and step of a list is an effect of its own. Compiled once for
// each effect. Lists are walked by recursion and not by loops, so that no effect needs a closure or a mutable for them.
module Plait.Candidate.Evaluator

open Plait.Lab.Language

// The first error among the arguments is the result.
let private call (fn: BuiltIn) (arguments: Dval list) : Effect<Dval> =
    effect {
        match Dval.firstError arguments with
        | ValueSome error -> return error
        | ValueNone ->
            match fn.Implementation with
            | Sync run ->
                match run arguments with
                | Ok value -> return value
                | Error() ->
                    return
                        DError(RuntimeError.WrongTypes(fn.Signature.Id, arguments, fn.Signature.Parameters))
            | Async run ->
                match! EffectFunction.call run arguments with
                | Ok value -> return value
                | Error() ->
                    return
                        DError(RuntimeError.WrongTypes(fn.Signature.Id, arguments, fn.Signature.Parameters))
    }

/// Evaluates `expr` with the names in `table`.
let rec eval (functions: Functions) (table: SymbolTable) (expr: Expr) : Effect<Dval> =
    effect {
        match expr with
        | EInt value -> return DInt value
        | EString value -> return DString value
        | ELet(name, rhs, body) ->
            let! value = eval functions table rhs
            return! eval functions (table.Add(name, value)) body
        | EVariable name -> return SymbolTable.get name table
        | ECall(id, arguments) ->
            match functions.TryFind id with
            | Some fn ->
                let! values = evalList functions table arguments
                return! call fn values
            | None -> return DError(RuntimeError.NotAFunction id)
        | EBinary(left, id, right) ->
            match functions.TryFind id with
            | Some fn ->
                let! left = eval functions table left
                let! right = eval functions table right
                return! call fn [ left; right ]
            | None -> return DError(RuntimeError.NotAFunction id)
        | ELambda(parameters, body) -> return DLambda(table, parameters, body)
        | EIf(condition, thenBranch, elseBranch) ->
            match! eval functions table condition with
            | DBool true -> return! eval functions table thenBranch
            | DBool false -> return! eval functions table elseBranch
            | other -> return DError(RuntimeError.ConditionNotABool other)
    }

and private evalList functions table (exprs: Expr list) : Effect<Dval list> =
    effect {
        match exprs with
        | [] -> return []
        | expr :: rest ->
            let! value = eval functions table expr
            let! values = evalList functions table rest
            return value :: values
    }

// One application of a function value.
let private apply functions (table: SymbolTable) (parameter: string) body (argument: Dval) : Effect<Dval> =
    effect { return! eval functions (table.Add(parameter, argument)) body }

/// Applies a function value of one parameter to the items, one after the other.
let rec mapItems functions table parameter body (items: Dval list) : Effect<Dval list> =
    effect {
        match items with
        | [] -> return []
        | item :: rest ->
            let! value = apply functions table parameter body item
            let! values = mapItems functions table parameter body rest
            return value :: values
    }
