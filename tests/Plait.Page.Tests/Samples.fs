// The sample results that web/sample.mjs makes, and the page with results inside, as the tool makes it.
module Plait.Page.Tests.Samples

open System.Collections.Concurrent
open System.Diagnostics
open System.Text.Json
open System.Text.Json.Nodes

let private made = ConcurrentDictionary<string, string>()

let private make (name: string) =
    let start =
        ProcessStartInfo(
            "node",
            [ "sample.mjs"; "json"; name ],
            WorkingDirectory = Files.webFolder,
            RedirectStandardOutput = true
        )

    match Process.Start start with
    | null -> failwith "node could not be started."
    | run ->
        use run = run
        let text = run.StandardOutput.ReadToEnd()
        run.WaitForExit()

        if run.ExitCode <> 0 then
            failwith $"node sample.mjs json {name} ended with exit code {run.ExitCode}."

        text

/// The results of a sample, as JSON text.
let text name = made.GetOrAdd(name, make)

/// The results of a sample, to be asked for expected values.
let results name =
    match JsonNode.Parse(text name) with
    | null -> failwith $"The sample {name} is empty."
    | node -> node

/// The page with some JSON text inside; the text may be no JSON at all.
let pageWith (json: string) =
    // A "<" could end the script element that carries the data.
    let data = json.Replace("<", "\\u003c")

    Files
        .page()
        .Replace(Files.marker, $"""<script type="application/json" id="plait-results">{data}</script>""")

/// A member of a node that must be there.
let (?) (node: JsonNode) (name: string) : JsonNode =
    match node[name] with
    | null -> failwith $"The sample has no {name}."
    | found -> found

let rows (results: JsonNode) =
    results?rows.AsArray() |> Seq.choose Option.ofObj |> Seq.toList

let string (node: JsonNode) = node.GetValue<string>()
let number (node: JsonNode) = node.GetValue<float>()

/// A panel of some results.
let panel (id: string) (results: JsonNode) =
    results?panels.AsArray()
    |> Seq.choose Option.ofObj
    |> Seq.find (fun panel -> string panel?id = id)

/// The items of a forest or of bars, in their order.
let items (id: string) (results: JsonNode) =
    (panel id results)?plot?items.AsArray() |> Seq.choose Option.ofObj |> Seq.toList

/// JSON text of a value, for comparing what the page hands out with what was put in.
let compact (json: string) =
    JsonSerializer.Serialize(JsonDocument.Parse(json).RootElement)
