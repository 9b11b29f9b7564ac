// Layer: evaluator, hidden task, shaped as published: evaluation returns a plain value, in which a task may hide. Names,
// conditions and operators stay synchronous unless an operand is a task; a call is always a task.
module Plait.Candidate.Evaluator

open System.Threading.Tasks
open Plait.Candidate.Hidden
open Plait.Lab.Language

/// A library function; its value may be a task.
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
        andThen (eval functions table rhs) (fun value -> eval functions (table.Add(name, value)) body)
    | EVariable name -> SymbolTable.get name table
    | ECall(id, arguments) ->
        match functions.TryFind id with
        | Some fn ->
            DTask(
                task {
                    let! values = evalList functions table arguments
                    return! toTask (call fn values)
                }
            )
        | None -> DError(RuntimeError.NotAFunction id)
    | EBinary(left, id, right) ->
        match functions.TryFind id with
        | Some fn ->
            andThen (eval functions table left) (fun left ->
                andThen (eval functions table right) (fun right -> call fn [ left; right ]))
        | None -> DError(RuntimeError.NotAFunction id)
    | ELambda(parameters, body) -> DLambda(table, parameters, body)
    | EIf(condition, thenBranch, elseBranch) ->
        andThen (eval functions table condition) (fun condition ->
            match condition with
            | DBool true -> eval functions table thenBranch
            | DBool false -> eval functions table elseBranch
            | other -> DError(RuntimeError.ConditionNotABool other))

and private evalList functions table (exprs: Expr list) : Task<Dval list> =
    task {
        match exprs with
        | [] -> return []
        | expr :: rest ->
            let! value = toTask (eval functions table expr)
            let! values = evalList functions table rest
            return value :: values
    }

// One application of a function value.
let private apply functions (table: SymbolTable) (parameter: string) body (argument: Dval) : Dval =
    eval functions (table.Add(parameter, argument)) body

/// Applies a function value of one parameter to the items, one after the other.
let rec mapItems functions table parameter body (items: Dval list) : Task<Dval list> =
    task {
        match items with
        | [] -> return []
        | item :: rest ->
            let! value = toTask (apply functions table parameter body item)
            let! values = mapItems functions table parameter body rest
            return value :: values
    }
