// Reads what a scenario file says of requests, of the load and of right answers.
module internal Plait.Lab.Scenarios.LoadReader

open Plait.Report
open Plait.Load

/// A request.
let request (node: Node) : AskPath =
    TypedJson.only [ "method"; "path"; "headers"; "body" ] node
    let path = TypedJson.required "path" "a path that begins with /" node
    let text = TypedJson.text path

    if not (text.StartsWith '/') then
        TypedJson.wrong path "a path that begins with /"

    {
        Method = TypedJson.fallback "method" TypedJson.text "GET" node
        Path = text
        Headers = TypedJson.fallback "headers" ProgramReader.variables [] node
        Body = TypedJson.fallback "body" TypedJson.anyText "" node
    }

let private connections = TypedJson.whole (1, 65536)

/// The load: open or closed.
let model (node: Node) : Model =
    match
        TypedJson.required "model" "\"closed\" or \"open\"" node
        |> TypedJson.word [ "closed"; "open" ]
    with
    | "closed" ->
        TypedJson.only [ "model"; "connections"; "timeoutSeconds" ] node
        Closed(TypedJson.fallback "connections" connections 32 node)
    | _ ->
        TypedJson.only [ "model"; "rate"; "arrivals"; "connections"; "timeoutSeconds" ] node

        let rate =
            TypedJson.required "rate" "requests a second" node |> TypedJson.number (0.1, 10_000_000.0)

        let arrivals =
            match
                TypedJson.fallback "arrivals" (TypedJson.word [ "constant"; "poisson" ]) "constant" node
            with
            | "poisson" -> Poisson rate
            | _ -> Constant rate

        Open(arrivals, TypedJson.fallback "connections" connections 64 node)

/// What a right answer is.
let checks (node: Node) : Checks =
    TypedJson.only [ "status"; "body"; "sameBody" ] node

    let statuses (node: Node) =
        TypedJson.items "statuses" node |> List.map (TypedJson.whole (100, 599))

    {
        Status = TypedJson.fallback "status" statuses [] node
        Body = TypedJson.optional "body" TypedJson.anyText node
        SameBody = TypedJson.fallback "sameBody" TypedJson.flag true node
    }

/// What is measured besides CPU.
let metrics (node: Node) =
    TypedJson.items "metrics" node
    |> List.map (TypedJson.word [ "bytes"; "counters"; "latency" ])
