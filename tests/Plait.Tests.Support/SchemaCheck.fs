// The part of JSON Schema that crank's schema, SARIF's and ours use, so that files are judged by the published text itself.
module Plait.Tests.Support.SchemaCheck

open System.Text.Json.Nodes
open System.Text.RegularExpressions

let private child (name: string) (node: JsonNode | null) : JsonNode | null =
    match node with
    | :? JsonObject as map -> map[name]
    | _ -> null

let private text (node: JsonNode | null) =
    match node with
    | null -> ""
    | node -> node.ToString()

let private isOf (kind: string) (value: JsonNode | null) =
    let valueKind =
        match value with
        | null -> System.Text.Json.JsonValueKind.Null
        | value -> value.GetValueKind()

    match kind, valueKind with
    | "object", System.Text.Json.JsonValueKind.Object
    | "array", System.Text.Json.JsonValueKind.Array
    | "string", System.Text.Json.JsonValueKind.String
    | "number", System.Text.Json.JsonValueKind.Number
    | "null", System.Text.Json.JsonValueKind.Null
    | "boolean", (System.Text.Json.JsonValueKind.True | System.Text.Json.JsonValueKind.False) -> true
    | "integer", System.Text.Json.JsonValueKind.Number -> not ((text value).Contains '.')
    | _ -> false

let rec private resolve (root: JsonNode) (schema: JsonNode | null) : JsonNode | null =
    match child "$ref" schema with
    | null -> schema
    | reference ->
        let mutable at: JsonNode | null = root

        for part in (text reference).TrimStart('#', '/').Split '/' do
            at <- child part at

        resolve root at

let private strings (node: JsonNode | null) : string list =
    match node with
    | :? JsonArray as items -> [ for item in items -> text item ]
    | _ -> []

/// What in `value` the schema does not allow, with its path; empty: it is valid. Known: type, enum, const, required,
/// properties, additionalProperties, items, pattern, minProperties, minItems, minimum, maximum, anyOf, $ref.
let rec problems
    (root: JsonNode)
    (path: string)
    (schema: JsonNode | null)
    (value: JsonNode | null)
    : string list =
    let schema = resolve root schema

    [
        match child "type" schema with
        | null -> ()
        | :? JsonArray as kinds ->
            if not (strings kinds |> List.exists (fun kind -> isOf kind value)) then
                $"{path} is of none of the types {text kinds}"
        | kind when isOf (text kind) value -> ()
        | kind -> $"{path} is not of type {text kind}"

        match child "anyOf" schema with
        | :? JsonArray as ways when ways |> Seq.forall (fun way -> not (problems root path way value).IsEmpty) ->
            $"{path} is none of {ways.Count} ways that are allowed"
        | _ -> ()

        match child "const" schema with
        | null -> ()
        | right when text right = text value -> ()
        | right -> $"{path} is not {text right}"

        match child "enum" schema with
        | null -> ()
        | words when List.contains (text value) (strings words) -> ()
        | words -> $"{path} is none of {text words}"

        match child "pattern" schema, value with
        | null, _ -> ()
        | pattern, (:? JsonValue as value) when isOf "string" value ->
            if not (Regex.IsMatch(value.ToString(), text pattern)) then
                $"{path} does not match {text pattern}"
        | _ -> ()

        for name, isWrong in
            [
                "minimum", (fun (bound: float) found -> found < bound)
                "maximum", (fun bound found -> found > bound)
            ] do
            match child name schema, value with
            | null, _ -> ()
            | bound, (:? JsonValue as value) when isOf "number" value ->
                if isWrong (bound.GetValue<float>()) (value.GetValue<float>()) then
                    $"{path} is beyond the {name} of {text bound}"
            | _ -> ()

        match value with
        | :? JsonObject as map ->
            for name in strings (child "required" schema) do
                if not (map.ContainsKey name) then
                    $"{path} has no {name}"

            match child "minProperties" schema with
            | null -> ()
            | least when map.Count >= least.GetValue<int>() -> ()
            | _ -> $"{path} has too few properties"

            for entry in map do
                let below = $"{path}/{entry.Key}"

                match child entry.Key (child "properties" schema), child "additionalProperties" schema with
                | null, null -> ()
                | null, more when text more = "false" -> $"{below} is not known"
                | null, more when text more = "true" -> ()
                | null, more -> yield! problems root below more entry.Value
                | known, _ -> yield! problems root below known entry.Value
        | :? JsonArray as items ->
            match child "minItems" schema with
            | null -> ()
            | least when items.Count >= least.GetValue<int>() -> ()
            | _ -> $"{path} has too few items"

            match child "items" schema with
            | null -> ()
            | each ->
                for index, item in Seq.indexed items do
                    yield! problems root $"{path}/{index}" each item
        | _ -> ()
    ]

/// What is wrong with `value` by the text of a schema.
let validate (schema: string) (value: JsonNode | null) : string list =
    match JsonNode.Parse schema with
    | null -> [ "there is no schema" ]
    | root -> problems root "" root value
