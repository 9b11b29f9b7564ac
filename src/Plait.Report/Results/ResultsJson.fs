// results.json as text: writing and reading.
module Plait.Report.ResultsJson

open System.Text.Json
open Plait.Common

let private indented = UnionJson.options [ CellConverter() ] true false
let private compact = UnionJson.options [ CellConverter() ] false true

/// The text of results.json: two-space indentation, a line feed at the end.
let write (results: Results) : string =
    JsonSerializer.Serialize(results, indented) + "\n"

/// The same on one line, in which `<`, `>` and `&` are escaped: it may stand inside a script element.
let writeForScript (results: Results) : string =
    JsonSerializer.Serialize(results, compact)

// Read first, because the file of another version has other keys.
let private schemaOf (content: string) =
    use document =
        JsonDocument.Parse(content, JsonDocumentOptions(MaxDepth = UnionJson.Depth))

    match document.RootElement.ValueKind with
    | JsonValueKind.Object ->
        match document.RootElement.TryGetProperty "schema" with
        | true, schema when schema.ValueKind = JsonValueKind.String -> schema.GetString()
        | _ -> null
    | _ -> null

/// Reads the text of a results.json. `file` is for sentences. Raises BadInput when it is not one, or of another schema.
let read (file: string) (content: string) : Results =
    let refuse sentence =
        raise (BadInput $"{file} is not a results.json of schema '{Results.CurrentSchema}': {sentence}")

    try
        match schemaOf content with
        | null -> refuse "it has no 'schema'"
        | schema when not (schema.StartsWith "plait-results/") ->
            refuse $"it has the schema '{schema}'; 'plait report' shows files of load runs side by side"
        | schema when schema <> Results.CurrentSchema ->
            raise (
                BadInput
                    $"{file} has the schema '{schema}', and this tool reads '{Results.CurrentSchema}'; run the scenario again with this tool, or read the file with the version of the tool that wrote it"
            )
        | _ ->
            match JsonSerializer.Deserialize<Results>(content, indented) with
            | null -> refuse "it holds null"
            | results -> results
    with :? JsonException as trouble ->
        refuse (UnionJson.sentence trouble)
