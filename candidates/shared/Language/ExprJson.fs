// Layer: language. Programs as JSON, both ways: a written program reads back equal.
namespace Plait.Lab.Language

open System.Numerics
open System.Text.Json

/// Writes and reads programs. One object a node, told apart by its first property:
/// `{"int":1}`, `{"string":"a"}`, `{"let":"x","rhs":…,"body":…}`, `{"variable":"x"}`, `{"call":ID,"arguments":[…]}`,
/// `{"operator":ID,"left":…,"right":…}`, `{"lambda":["x"],"body":…}`, `{"if":…,"then":…,"else":…}`, where ID is
/// `[owner, package, module, function, version]`.
module ExprJson =

    let rec private property (writer: Utf8JsonWriter) (name: string) expr =
        writer.WritePropertyName name
        write writer expr

    /// Writes a program.
    and write (writer: Utf8JsonWriter) (expr: Expr) : unit =
        writer.WriteStartObject()

        match expr with
        | EInt value ->
            writer.WritePropertyName "int"
            writer.WriteRawValue(value.ToString(), true)
        | EString value -> writer.WriteString("string", value)
        | ELet(name, rhs, body) ->
            writer.WriteString("let", name)
            property writer "rhs" rhs
            property writer "body" body
        | EVariable name -> writer.WriteString("variable", name)
        | ECall(id, arguments) ->
            writer.WritePropertyName "call"
            FnIdJson.write writer id
            writer.WriteStartArray "arguments"

            for argument in arguments do
                write writer argument

            writer.WriteEndArray()
        | EBinary(left, id, right) ->
            writer.WritePropertyName "operator"
            FnIdJson.write writer id
            property writer "left" left
            property writer "right" right
        | ELambda(parameters, body) ->
            writer.WriteStartArray "lambda"

            for parameter in parameters do
                writer.WriteStringValue parameter

            writer.WriteEndArray()
            property writer "body" body
        | EIf(condition, thenBranch, elseBranch) ->
            property writer "if" condition
            property writer "then" thenBranch
            property writer "else" elseBranch

        writer.WriteEndObject()

    let private malformed (json: JsonElement) expected =
        let text = json.GetRawText()
        let shown = if text.Length > 80 then text.Substring(0, 80) + "…" else text
        raise (JsonException $"{expected} was expected in the program, and {shown} was found")

    let private textOf (json: JsonElement) =
        match json.ValueKind with
        | JsonValueKind.String -> nonNull (json.GetString())
        | _ -> malformed json "a string"

    let private itemsOf (json: JsonElement) =
        match json.ValueKind with
        | JsonValueKind.Array -> List.ofSeq (json.EnumerateArray())
        | _ -> malformed json "an array"

    let private idOf (json: JsonElement) =
        match itemsOf json with
        | [ owner; package; moduleName; functionName; version ] when version.ValueKind = JsonValueKind.Number ->
            {
                Owner = textOf owner
                Package = textOf package
                Module = textOf moduleName
                Function = textOf functionName
                Version = version.GetInt32()
            }
        | _ -> malformed json "[owner, package, module, function, version]"

    let private intOf (json: JsonElement) =
        match BigInteger.TryParse(json.GetRawText()) with
        | true, value -> value
        | _ -> malformed json "an integer"

    /// Reads a program; raises JsonException with a sentence when it is none.
    let rec read (json: JsonElement) : Expr =
        let child (name: string) =
            match json.TryGetProperty name with
            | true, value -> value
            | _ -> malformed json $"an object with \"{name}\""

        if json.ValueKind <> JsonValueKind.Object then
            malformed json "an object"

        let kind =
            match Seq.tryHead (json.EnumerateObject()) with
            | Some first -> first.Name
            | None -> ""

        match kind with
        | "int" -> EInt(intOf (child "int"))
        | "string" -> EString(textOf (child "string"))
        | "let" -> ELet(textOf (child "let"), read (child "rhs"), read (child "body"))
        | "variable" -> EVariable(textOf (child "variable"))
        | "call" -> ECall(idOf (child "call"), List.map read (itemsOf (child "arguments")))
        | "operator" -> EBinary(read (child "left"), idOf (child "operator"), read (child "right"))
        | "lambda" -> ELambda(List.map textOf (itemsOf (child "lambda")), read (child "body"))
        | "if" -> EIf(read (child "if"), read (child "then"), read (child "else"))
        | _ ->
            malformed
                json
                "an object that begins with int, string, let, variable, call, operator, lambda or if"
