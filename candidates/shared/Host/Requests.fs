// Layer: host. The requests of the worker protocol: one object in, one object out.
namespace Plait.Lab.Host

open System
open System.IO
open System.Text.Json
open Plait.Lab.Language

/// The state of a worker between requests.
type WorkerState(engine: Engine) =

    /// The evaluator.
    member _.Engine = engine

    /// The address that FizzBoom fetches from; None: no request has set it.
    member val Upstream: string option = None with get, set

    /// The port that is served, once asked for.
    member val Port: int option = None with get, set

    /// FizzBoom, if there is something to fetch from.
    member state.FizzBoom = Option.map Program.fizzBoom state.Upstream

/// Answers requests.
module Requests =

    let private refuse sentence : 'a = raise (InvalidDataException sentence)

    let private number (name: string) (request: JsonElement) =
        match request.TryGetProperty name with
        | true, value ->
            let mutable number = 0

            if value.ValueKind = JsonValueKind.Number && value.TryGetInt32(&number) && number >= 0 then
                Some number
            else
                refuse $"\"{name}\" is a whole number of 0 or more, not {value.GetRawText()}"
        | _ -> None

    let private serve (state: WorkerState) (request: JsonElement) (writer: Utf8JsonWriter) =
        match state.Port with
        | Some port -> refuse $"this process serves already, on port {port}"
        | None ->
            let wanted = Option.defaultValue 0 (number "port" request)

            if wanted > int UInt16.MaxValue then
                refuse $"\"port\" is at most 65535, not {wanted}"

            let port = Server.start state.Engine (fun () -> state.FizzBoom) wanted
            state.Port <- Some port
            writer.WriteNumber("port", port)

    let private setUpstream (state: WorkerState) (request: JsonElement) (writer: Utf8JsonWriter) =
        match request.TryGetProperty "url" with
        | true, url when
            url.ValueKind = JsonValueKind.String
            && Uri.IsWellFormedUriString(url.GetString(), UriKind.Absolute)
            ->
            state.Upstream <- Option.ofObj (url.GetString())
            writer.WriteBoolean("ok", true)
        | _ -> refuse "\"upstream\" needs a \"url\" such as http://127.0.0.1:1234"

    let private evaluate (state: WorkerState) (request: JsonElement) (writer: Utf8JsonWriter) =
        match request.TryGetProperty "program" with
        | true, program ->
            let value = state.Engine.Run(ExprJson.read program)
            writer.WritePropertyName "value"
            ValueJson.write writer value
        | _ -> refuse "\"evaluate\" needs a \"program\""

    let private boom (state: WorkerState) writer =
        match state.FizzBoom with
        | Some program -> Boom.run state.Engine program writer
        | None -> refuse "FizzBoom needs an upstream; tell it first"

    let private answer (state: WorkerState) (request: JsonElement) (writer: Utf8JsonWriter) =
        let wish =
            match request.ValueKind with
            | JsonValueKind.Object ->
                match request.TryGetProperty "do" with
                | true, wish when wish.ValueKind = JsonValueKind.String -> wish.GetString()
                | _ -> refuse "a request is an object with \"do\""
            | _ -> refuse "a request is an object with \"do\""

        match wish with
        | "body" -> writer.WriteString("body", Answer.body (state.Engine.Run Program.fizzBuzz))
        | "run" ->
            match number "milliseconds" request with
            | Some milliseconds -> InProcess.run state.Engine milliseconds writer
            | None -> refuse "\"run\" needs \"milliseconds\""
        | "evaluate" -> evaluate state request writer
        | "serve" -> serve state request writer
        | "upstream" -> setUpstream state request writer
        | "usage" -> InProcess.usage writer
        | "boom" -> boom state writer
        | other ->
            refuse $"\"{other}\" is unknown; known are body, run, evaluate, serve, upstream, usage and boom"

    // Deep enough for programs that the stack can evaluate.
    let private depth = JsonDocumentOptions(MaxDepth = 512)

    /// Answers one line by one line. An error inside becomes the answer.
    let handle (state: WorkerState) (line: string) : unit =
        try
            use request = JsonDocument.Parse(line, depth)
            Answer.send (answer state request.RootElement)
        with
        // Some effects wrap an exception that was raised inside them; the sentence must be the same in all.
        | :? AggregateException as wrapped -> Answer.sendError (wrapped.Flatten().InnerExceptions[0].Message)
        | trouble -> Answer.sendError trouble.Message
