// Layer: language. The values of programs, the errors among them. HIDDEN_TASK adds the case of a value
// that has yet to arrive; only the candidate that hides tasks in values is compiled with it, so no other pays for it.
namespace Plait.Lab.Language

#if HIDDEN_TASK
open System.Threading.Tasks

#endif
/// The types that parameters and results are declared with.
type DType =
    /// Integers.
    | TInt
    /// Texts.
    | TString
    /// Truth values.
    | TBool
    /// Lists of one type.
    | TList of DType
    /// Any type, the same wherever the name stands.
    | TVariable of string
    /// Functions.
    | TFunction of parameters: DType list * result: DType

/// A declared parameter of a library function.
type Parameter =
    {
        /// Its name.
        Name: string
        /// Its type.
        Type: DType
        /// One sentence.
        Doc: string
    }

/// A value.
[<CustomEquality; NoComparison>]
type Dval =
    /// An integer of any size.
    | DInt of bigint
    /// A text.
    | DString of string
    /// A truth value.
    | DBool of bool
    /// A list. Never holds an error: see `Dval.ofList`.
    | DList of Dval list
    /// A function value with the names it captured.
    | DLambda of table: Map<string, Dval> * parameters: string list * body: Expr
    /// An error, as an ordinary value.
    | DError of RuntimeError
#if HIDDEN_TASK
    /// A value that has yet to arrive.
    | DTask of Task<Dval>
#endif

    /// Structural; captured tables are compared by their entries.
    override left.Equals right =
        match right with
        | :? Dval as right ->
            match left, right with
            | DInt a, DInt b -> a = b
            | DString a, DString b -> a = b
            | DBool a, DBool b -> a = b
            | DList a, DList b -> a = b
            | DLambda(table, parameters, body), DLambda(table', parameters', body') ->
                parameters = parameters' && body = body' && Map.toList table = Map.toList table'
            | DError a, DError b -> a = b
            | _ -> false
        | _ -> false

    /// Agrees with Equals.
    override value.GetHashCode() =
        match value with
        | DInt number -> hash number
        | DString text -> hash text
        | DBool flag -> hash flag
        | DList items -> items.Length
        | DLambda(_, parameters, _) -> hash parameters
        | DError _ -> 1
#if HIDDEN_TASK
        | DTask _ -> 2
#endif

/// The errors of a program that runs.
and [<RequireQualifiedAccess; NoComparison>] RuntimeError =
    /// No function has that name.
    | NotAFunction of id: FnId
    /// The condition of an `if` is neither true nor false.
    | ConditionNotABool of condition: Dval
    /// The function does not take these arguments.
    | WrongTypes of id: FnId * arguments: Dval list * parameters: Parameter list
    /// No value has that name.
    | UndefinedVariable of name: string

/// The names in scope.
type SymbolTable = Map<string, Dval>

/// Reads tables of names.
module SymbolTable =

    /// No names.
    let empty: SymbolTable = Map.empty

    /// The value of `name`, or the error that there is none.
    let get (name: string) (table: SymbolTable) : Dval =
        match table.TryFind name with
        | Some value -> value
        | None -> DError(RuntimeError.UndefinedVariable name)

/// The rules by which errors spread.
module Dval =

    /// The first error among the values.
    let rec firstError (values: Dval list) : Dval voption =
        match values with
        | [] -> ValueNone
        | DError _ as error :: _ -> ValueSome error
        | _ :: rest -> firstError rest

    /// A list value, or the first error inside it, which replaces the list.
    let ofList (items: Dval list) : Dval =
        match firstError items with
        | ValueSome error -> error
        | ValueNone -> DList items
