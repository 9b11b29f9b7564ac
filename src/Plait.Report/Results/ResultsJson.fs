// results.json as text: writing, and reading back what was written.
module Plait.Report.ResultsJson

open System.Text.Encodings.Web
open System.Text.Json
open System.Text.Json.Nodes


let private options indented encoder =
    JsonSerializerOptions(
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = indented,
        RespectRequiredConstructorParameters = true,
        Encoder = encoder
    )

// The file is read by people, so "+" stays "+"; what goes into a page escapes all that HTML could misread.
let private indented = options true JavaScriptEncoder.UnsafeRelaxedJsonEscaping
let private compact = options false JavaScriptEncoder.Default

/// The text of results.json: two-space indentation, a line feed at the end.
let write (results: Results) : string =
    JsonSerializer.Serialize(results, indented) + "\n"

/// The same on one line, in which `<`, `>` and `&` are escaped: it may stand inside a script element.
let writeForScript (results: Results) : string =
    JsonSerializer.Serialize(results, compact)

// Files of the first schema are the same but for the panels and why the run ended, which they have not.
let private previous = "plait-results/1"

let private renewed (content: string) : JsonNode | null =
    let node = JsonNode.Parse content

    match node with
    | :? JsonObject as fields ->
        match fields["schema"] with
        | :? JsonValue as schema when
            schema.GetValueKind() = JsonValueKind.String && schema.GetValue() = previous
            ->
            fields["schema"] <- JsonValue.Create Results.CurrentSchema
            fields["panels"] <- JsonArray()
            fields["stopping"] <- null
        | _ -> ()
    | _ -> ()

    node

/// Reads the text of a results.json, of this schema or the one before. `file` is for sentences. Raises BadInput when it
/// is neither.
let read (file: string) (content: string) : Results =
    try
        match JsonSerializer.Deserialize<Results>(renewed content, indented) with
        | null -> raise (BadInput $"{file} holds null instead of results")
        | results when results.Schema <> Results.CurrentSchema ->
            raise (
                BadInput
                    $"{file} has the schema '{results.Schema}', and this tool reads '{Results.CurrentSchema}'; use the tool that wrote it"
            )
        | results -> results
    with :? JsonException as trouble ->
        raise (BadInput $"{file} is not a results.json of schema {Results.CurrentSchema}: {trouble.Message}")
