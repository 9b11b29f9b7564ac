// Reference cells whose content alone the code reads and writes: lowering makes mutable variables of them.
module internal Plait.Check.Cell

open FSharp.Compiler.Symbols
open FSharp.Compiler.Symbols.FSharpExprPatterns

/// ref content
let (|Made|_|) (expression: FSharpExpr) : FSharpExpr option =
    match expression with
    | Call(None, symbol, _, _, [ content ]) when Symbol.isOperator "Ref" symbol -> Some content
    | _ -> None

/// cell.Value, cell.contents, !cell
let (|Read|_|) (expression: FSharpExpr) : FSharpMemberOrFunctionOrValue option =
    match expression with
    | Call(Some(Value cell), symbol, _, _, _) when symbol.CompiledName = "get_Value" -> Some cell
    | Call(None, symbol, _, _, [ Value cell ]) when Symbol.isOperator "op_Dereference" symbol -> Some cell
    | FSharpFieldGet(Some(Value cell), _, field) when field.Name = "contents" -> Some cell
    | _ -> None

/// cell.Value <- value, cell.contents <- value, cell := value
let (|Write|_|) (expression: FSharpExpr) : (FSharpMemberOrFunctionOrValue * FSharpExpr) option =
    match expression with
    | Call(Some(Value cell), symbol, _, _, [ value ]) when symbol.CompiledName = "set_Value" ->
        Some(cell, value)
    | Call(None, symbol, _, _, [ Value cell; value ]) when Symbol.isOperator "op_ColonEquals" symbol ->
        Some(cell, value)
    | FSharpFieldSet(Some(Value cell), _, field, value) when field.Name = "contents" -> Some(cell, value)
    | _ -> None

/// Whether the code uses a variable with a cell for its content alone.
let rec isOnlyContent (cell: FSharpMemberOrFunctionOrValue) (code: FSharpExpr) : bool =
    match code with
    | Read other when other = cell -> true
    | Write(other, value) when other = cell -> isOnlyContent cell value
    | AddressOf(Read other) when other = cell -> false
    | Value other -> other <> cell
    | _ -> code.ImmediateSubExpressions |> Seq.forall (isOnlyContent cell)
