// The load client as a process: JSON lines in, one JSON line out for each. The lab starts it on the client's core,
// so that its CPU and its garbage collector are nobody else's.
module Plait.Lab.Measure.LoadWorker

open System
open System.Collections.Generic
open System.IO
open System.Net
open System.Net.Sockets
open System.Text.Json
open System.Text.Json.Nodes

let private failure (sentence: string) =
    let reply = JsonObject()
    reply["error"] <- JsonValue.Create sentence
    reply

let private whole (request: JsonElement) (name: string) = request.GetProperty(name).GetInt32()

let private atLeast least (request: JsonElement) (name: string) =
    let value = whole request name

    if value < least then
        raise (FormatException $"{name} is {value}; it must be at least {least}")

    value

let private urlOf (request: JsonElement) =
    match request.GetProperty("url").GetString() with
    | null -> raise (FormatException "url is null; it must be text like http://127.0.0.1:8080/path")
    | text ->
        let url = Uri text

        if url.Scheme <> Uri.UriSchemeHttp then
            raise (FormatException $"url is {text}; the load client speaks plain HTTP only, http://...")

        url

let private connect (loops: Dictionary<int, ClosedLoop>) (request: JsonElement) =
    let url = urlOf request

    let target =
        {
            Address = IPEndPoint(IPAddress.Parse url.Host, url.Port)
            Path = url.PathAndQuery
            BodyLength = request.GetProperty("bodyLength").GetInt64()
            TimeoutMilliseconds = atLeast 1 request "timeoutMilliseconds"
        }

    let id = whole request "target"
    let loop = new ClosedLoop(target, atLeast 1 request "connections")

    try
        loop.Open()
        loops.Add(id, loop)
        let reply = JsonObject()
        reply["ok"] <- JsonValue.Create true
        reply
    with :? SocketException as trouble ->
        (loop :> IDisposable).Dispose()
        failure $"{url} does not take connections: {trouble.Message}"

let private run (loop: ClosedLoop) (milliseconds: int) =
    let slice = loop.Run milliseconds
    let errors = JsonObject()
    errors["status"] <- JsonValue.Create slice.Errors.Status
    errors["length"] <- JsonValue.Create slice.Errors.Length
    errors["connection"] <- JsonValue.Create slice.Errors.Connection
    errors["timeout"] <- JsonValue.Create slice.Errors.Timeout
    let reply = JsonObject()
    reply["requests"] <- JsonValue.Create slice.Requests
    reply["wallMicroseconds"] <- JsonValue.Create slice.WallMicroseconds
    reply["cpuMicroseconds"] <- JsonValue.Create slice.CpuMicroseconds
    reply["errors"] <- errors
    reply["complaint"] <- slice.Complaint |> Option.toObj |> JsonValue.Create
    reply

let private answer (loops: Dictionary<int, ClosedLoop>) (line: string) =
    try
        use document = JsonDocument.Parse line
        let request = document.RootElement

        match request.GetProperty("do").GetString() with
        | "connect" -> connect loops request
        | "run" -> run loops[whole request "target"] (atLeast 1 request "milliseconds")
        | "close" ->
            let mutable loop = Unchecked.defaultof<ClosedLoop>

            if loops.Remove(whole request "target", &loop) then
                (loop :> IDisposable).Dispose()

            let reply = JsonObject()
            reply["ok"] <- JsonValue.Create true
            reply
        | other -> failure $"the load client knows no request '{other}'; it knows connect, run and close"
    with
    | :? JsonException
    | :? KeyNotFoundException
    | :? FormatException
    | :? InvalidOperationException as trouble -> failure $"the request cannot be read: {trouble.Message}"

/// Serves requests from `input` until it ends: `connect` (target, url, connections, bodyLength, timeoutMilliseconds),
/// `run` (target, milliseconds), `close` (target). One reply line each on `output`; the first line says ready.
let serve (input: TextReader) (output: TextWriter) : unit =
    let loops = Dictionary<int, ClosedLoop>()
    output.WriteLine """{"ready":true}"""
    output.Flush()
    let mutable line = input.ReadLine()

    while not (isNull line) do
        output.WriteLine((answer loops (nonNull line)).ToJsonString())
        output.Flush()
        line <- input.ReadLine()

    for loop in loops.Values do
        (loop :> IDisposable).Dispose()
