// Layer: language. Values as the JSON of an answer. One way only: values that are functions have no JSON of their own.
namespace Plait.Lab.Language

open System.Text.Json

/// Writes names of functions; shared by both forms of JSON.
module FnIdJson =

    /// The five parts as an array.
    let write (writer: Utf8JsonWriter) (id: FnId) : unit =
        writer.WriteStartArray()
        writer.WriteStringValue id.Owner
        writer.WriteStringValue id.Package
        writer.WriteStringValue id.Module
        writer.WriteStringValue id.Function
        writer.WriteNumberValue id.Version
        writer.WriteEndArray()

/// Writes values.
module ValueJson =

    let rec private typeName declared =
        match declared with
        | TInt -> "int"
        | TString -> "string"
        | TBool -> "bool"
        | TList item -> $"list of {typeName item}"
        | TVariable name -> $"'{name}"
        | TFunction(parameters, result) ->
            String.concat " -> " [ for parameter in parameters @ [ result ] -> typeName parameter ]

    let rec private writeError (writer: Utf8JsonWriter) error =
        writer.WriteStartObject()

        match error with
        | RuntimeError.NotAFunction id ->
            writer.WriteString("error", "not a function")
            writer.WritePropertyName "function"
            FnIdJson.write writer id
        | RuntimeError.ConditionNotABool condition ->
            writer.WriteString("error", "condition is not a bool")
            writer.WritePropertyName "condition"
            write writer condition
        | RuntimeError.WrongTypes(id, arguments, parameters) ->
            writer.WriteString("error", "wrong argument types")
            writer.WritePropertyName "function"
            FnIdJson.write writer id
            writer.WritePropertyName "arguments"
            writeItems writer arguments
            writer.WriteStartArray "parameters"

            for parameter in parameters do
                writer.WriteStringValue $"{parameter.Name}: {typeName parameter.Type}"

            writer.WriteEndArray()
        | RuntimeError.UndefinedVariable name ->
            writer.WriteString("error", "undefined variable")
            writer.WriteString("name", name)

        writer.WriteEndObject()

    and private writeItems (writer: Utf8JsonWriter) items =
        writer.WriteStartArray()

        for item in items do
            write writer item

        writer.WriteEndArray()

    /// A number, a string, true or false, an array; null for a function value; an object with `error` for an error.
    and write (writer: Utf8JsonWriter) (value: Dval) : unit =
        match value with
        | DInt number -> writer.WriteRawValue(number.ToString(), true)
        | DString text -> writer.WriteStringValue text
        | DBool flag -> writer.WriteBooleanValue flag
        | DList items -> writeItems writer items
        | DLambda _ -> writer.WriteNullValue()
        | DError error -> writeError writer error
#if HIDDEN_TASK
        | DTask _ ->
            invalidOp "A value that has yet to arrive was written as JSON; wait for it before it is written."
#endif
