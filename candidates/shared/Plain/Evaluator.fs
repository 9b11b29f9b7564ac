// Layer: evaluator, plain. The base of every comparison: the wrapped evaluator, line for line, without the wrappers.
module Plait.Candidate.Evaluator

open Plait.Lab.Language

/// A library function.
type BuiltIn =
    {
        /// Its declaration.
        Signature: Signature
        /// How it is called.
        Run: PureFunction
    }

/// All library functions by name.
type Functions = Map<FnId, BuiltIn>

// The first error among the arguments is the result.
let private call (fn: BuiltIn) (arguments: Dval list) : Dval =
    match Dval.firstError arguments with
    | ValueSome error -> error
    | ValueNone ->
        match fn.Run arguments with
        | Ok value -> value
        | Error() -> DError(RuntimeError.WrongTypes(fn.Signature.Id, arguments, fn.Signature.Parameters))

/// Evaluates `expr` with the names in `table`.
let rec eval (functions: Functions) (table: SymbolTable) (expr: Expr) : Dval =
    match expr with
    | EInt value -> DInt value
    | EString value -> DString value
    | ELet(name, rhs, body) ->
        let value = eval functions table rhs
        eval functions (table.Add(name, value)) body
    | EVariable name -> SymbolTable.get name table
    | ECall(id, arguments) ->
        match functions.TryFind id with
        | Some fn ->
            let values = evalList functions table arguments
            call fn values
        | None -> DError(RuntimeError.NotAFunction id)
    | EBinary(left, id, right) ->
        match functions.TryFind id with
        | Some fn ->
            let left = eval functions table left
            let right = eval functions table right
            call fn [ left; right ]
        | None -> DError(RuntimeError.NotAFunction id)
    | ELambda(parameters, body) -> DLambda(table, parameters, body)
    | EIf(condition, thenBranch, elseBranch) ->
        match eval functions table condition with
        | DBool true -> eval functions table thenBranch
        | DBool false -> eval functions table elseBranch
        | other -> DError(RuntimeError.ConditionNotABool other)

and private evalList functions table (exprs: Expr list) : Dval list =
    match exprs with
    | [] -> []
    | expr :: rest ->
        let value = eval functions table expr
        let values = evalList functions table rest
        value :: values

// One application of a function value.
let private apply functions (table: SymbolTable) (parameter: string) body (argument: Dval) : Dval =
    eval functions (table.Add(parameter, argument)) body

/// Applies a function value of one parameter to the items, one after the other.
let rec mapItems functions table parameter body (items: Dval list) : Dval list =
    match items with
    | [] -> []
    | item :: rest ->
        let value = apply functions table parameter body item
        let values = mapItems functions table parameter body rest
        value :: values
