// The properties of a JSON file, as the docs describe them and as it is written.
module Plait.Tests.Support.DescribedJson

open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open System.Text.RegularExpressions

/// The names of all properties, with the names above them. `data`: ends of names below which names are data.
let properties (data: string list) (node: JsonNode | null) : Set<string> =
    let rec below (path: string) (node: JsonNode | null) =
        match node with
        | _ when data |> List.exists path.EndsWith -> Set.empty
        | :? JsonObject as json ->
            Set.unionMany
                [
                    for property in json do
                        let name = $"{path}/{property.Key}"
                        Set.singleton name
                        below name property.Value
                ]
        | :? JsonArray as items -> Set.unionMany [ for item in items -> below path item ]
        | _ -> Set.empty

    below "" node

/// The sample in a page of the docs.
let sample (page: string) : JsonNode | null =
    let docs = File.ReadAllText(Path.Combine(Built.root, "docs", page))

    JsonNode.Parse(
        (Regex.Match(docs, "```jsonc\n(.*?)```", RegexOptions.Singleline)).Groups[1].Value,
        documentOptions = JsonDocumentOptions(CommentHandling = JsonCommentHandling.Skip)
    )
