// Judging a file that a user wrote by the published schema of its format, so that the schema alone describes it. Known
// are type, const, enum, pattern, minLength, minimum, maximum, minItems, items, required, properties,
// additionalProperties, minProperties, maxProperties, default and $ref; an error gives the description as the
// expected value.
module Plait.Common.JsonSchema

open System
open System.Text.Json
open System.Text.Json.Nodes
open System.Text.RegularExpressions

let private find (name: string) (schema: JsonElement) : JsonElement option =
    match schema.TryGetProperty name with
    | true, value -> Some value
    | _ -> None

let private text (value: JsonElement) = string (value.GetString())

let private texts (name: string) (schema: JsonElement) : string list =
    match find name schema with
    | Some list -> [ for item in list.EnumerateArray() -> text item ]
    | None -> []

let rec private resolve (root: JsonElement) (schema: JsonElement) : JsonElement =
    match find "$ref" schema with
    | None -> schema
    | Some reference ->
        ((root, (text reference).TrimStart('#', '/').Split '/')
         ||> Array.fold (fun at part -> at.GetProperty part))
        |> resolve root

let private said (otherwise: string) (schema: JsonElement) =
    find "description" schema |> Option.map text |> Option.defaultValue otherwise

let private bound (name: string) (otherwise: float) (schema: JsonElement) =
    find name schema |> Option.map _.GetDouble() |> Option.defaultValue otherwise

let private checkText (schema: JsonElement) (node: JsonEntry) =
    match find "pattern" schema with
    | Some pattern ->
        // In a schema "$" is the end of the text; in .NET it may stand before a last line feed.
        let pattern = (text pattern).Replace("$", "\\z")

        if
            node.Value.ValueKind <> JsonValueKind.String
            || not (Regex.IsMatch(text node.Value, pattern))
        then
            TypedJson.wrong node (said $"a text like {pattern}" schema)
    | None when bound "minLength" 0.0 schema > 0.0 -> TypedJson.text node |> ignore
    | None -> TypedJson.anyText node |> ignore

let rec private complete (root: JsonElement) (schema: JsonElement) (node: JsonEntry) : JsonNode =
    let schema = resolve root schema

    match find "type" schema |> Option.map text with
    | Some "object" -> completeObject root schema node
    | Some "array" ->
        let isLongEnough =
            node.Value.ValueKind = JsonValueKind.Array
            && float (node.Value.GetArrayLength()) >= bound "minItems" 0.0 schema

        if not isLongEnough then
            TypedJson.wrong node (said "a list" schema)

        let completed = JsonArray()

        for item in TypedJson.items "" node do
            completed.Add(complete root (schema.GetProperty "items") item)

        completed
    | kind ->
        match kind, texts "enum" schema, find "const" schema with
        | _, _, Some only -> TypedJson.word [ text only ] node |> ignore
        | _, (_ :: _ as words), _ -> TypedJson.word words node |> ignore
        | Some "boolean", _, _ -> TypedJson.flag node |> ignore
        | Some "number", _, _ ->
            TypedJson.number (bound "minimum" -infinity schema, bound "maximum" infinity schema) node
            |> ignore
        | Some "integer", _, _ ->
            let least = bound "minimum" (float Int32.MinValue) schema
            let most = bound "maximum" (float Int32.MaxValue) schema
            TypedJson.whole (int least, int most) node |> ignore
        | _ -> checkText schema node

        nonNull (JsonValue.Create node.Value)

and private completeObject root (schema: JsonElement) (node: JsonEntry) : JsonNode =
    let completed = JsonObject()

    match find "properties" schema with
    | None ->
        for name, value in TypedJson.entries "texts" node do
            completed[name] <- complete root (schema.GetProperty "additionalProperties") value
    | Some properties ->
        // Keys for editors begin with "$", and may have any value.
        let properties =
            [
                for property in properties.EnumerateObject() do
                    if not (property.Name.StartsWith '$') then
                        property.Name, property.Value
            ]

        TypedJson.only (List.map fst properties) node

        for name, property in properties do
            if List.contains name (texts "required" schema) then
                let expected = said (said "a value" (resolve root property)) property
                TypedJson.required name expected node |> ignore

        let count =
            properties |> List.choose (fun (name, _) -> TypedJson.find name node) |> _.Length

        if
            float count < bound "minProperties" 0.0 schema
            || float count > bound "maxProperties" infinity schema
        then
            TypedJson.wrong node (said "another number of keys" schema)

        for name, property in properties do
            match TypedJson.find name node, find "default" property with
            | Some value, _ -> completed[name] <- complete root property value
            | None, Some value ->
                completed[name] <- complete root property { node with Path = name; Value = value }
            | None, None -> ()

    completed

/// The node, checked and completed: without nulls, and with the defaults of the schema for missing keys. Raises
/// BadInput with the path of the error.
let read (schema: string) (node: JsonEntry) : JsonNode =
    use document = JsonDocument.Parse schema
    let root = document.RootElement.Clone()
    complete root root node
