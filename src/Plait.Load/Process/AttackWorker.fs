// The load engine as a process: JSON lines in, one JSON line out for each. The lab starts it on the client's core, so
// that its CPU and its garbage collector are its own.
module Plait.Load.AttackWorker

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open System.Threading
open System.Threading.Tasks

open Plait.Common

let private reply (name: string) (value: JsonNode) =
    let node = JsonObject()
    node[name] <- value
    node

let private ok () = reply "ok" (JsonValue.Create true)

let private failure (sentence: string) =
    reply "error" (nonNull (JsonValue.Create sentence))

/// A run on a thread of its own, and its messages.
type private RunningAttack(plan: Plan) =
    let stop = new CancellationTokenSource()
    let messages = new BlockingCollection<unit -> JsonObject>()

    do
        let work () =
            try
                // The engine must not wait: the thread that takes a message makes its JSON.
                let tell (second: Second) =
                    messages.Add(fun () -> reply "second" (OutcomeJson.part second))

                let outcome = Attack.run plan tell stop.Token
                messages.Add(fun () -> reply "outcome" (OutcomeJson.part outcome))
            with
            | :? BadInput as trouble -> messages.Add(fun () -> failure trouble.Message)
            | trouble -> messages.Add(fun () -> failure $"{trouble.GetType().Name}: {trouble.Message}")

            messages.CompleteAdding()

        Task.Run work |> ignore

    /// The next message; an error after the last one.
    member _.Next(isToStop: bool) : JsonObject =
        if isToStop then
            stop.Cancel()

        let mutable next = Unchecked.defaultof<unit -> JsonObject>

        if messages.TryTake(&next, Timeout.Infinite) then
            next ()
        else
            failure "the run is over, and its outcome has been sent"

/// The present run.
type private AttackRequests() =
    let sessions = Dictionary<int, AttackSession>()
    let mutable running: RunningAttack option = None

    let whole (request: JsonElement) (name: string) = request.GetProperty(name).GetInt32()

    let planOf (request: JsonElement) =
        let plan = OutcomeJson.ofPart<Plan>(request.GetProperty "plan")
        PlanCheck.check plan
        plan

    let session (request: JsonElement) =
        match sessions.TryGetValue(whole request "session") with
        | true, session -> session
        | _ -> raise (FormatException $"""there is no session {whole request "session"}""")

    let openSession (request: JsonElement) =
        let plan = planOf request

        let session =
            new AttackSession(plan, Share.Whole, SharedServers(), Requests.data plan, Pollers.create)

        match session.Open() with
        | Ok() ->
            sessions.Add(whole request "session", session)
            ok ()
        | Error trouble ->
            (session :> IDisposable).Dispose()
            failure $"{RequestUrl.shown plan.Requests.Head.Url} does not take connections: {trouble}"

    let slice (request: JsonElement) =
        match whole request "milliseconds" with
        | milliseconds when milliseconds > 0 ->
            let outcome =
                session(request)
                    .Run(TimeSpan.FromMilliseconds(int64 milliseconds), 0, ignore, CancellationToken.None)

            reply "outcome" (OutcomeJson.part outcome)
        | milliseconds -> failure $"milliseconds is {milliseconds}; it must be at least 1"

    member _.Answer(line: string) : JsonObject =
        try
            use document = JsonDocument.Parse line
            let request = document.RootElement

            match request.GetProperty("do").GetString(), running with
            | "begin", _ ->
                running <- Some(RunningAttack(planOf request))
                ok ()
            | "next", Some run -> run.Next(request.GetProperty("stop").GetBoolean())
            | "next", None -> failure "nothing was begun"
            | "open", _ -> openSession request
            | "slice", _ -> slice request
            | "close", _ ->
                let mutable session = Unchecked.defaultof<AttackSession>

                if sessions.Remove(whole request "session", &session) then
                    (session :> IDisposable).Dispose()

                ok ()
            | other, _ ->
                failure
                    $"the load generator has no request '{other}'; it has begin, next, open, slice and close"
        with
        | :? BadInput as trouble -> failure trouble.Message
        | :? JsonException as trouble -> failure $"the request cannot be read: {UnionJson.sentence trouble}"
        | :? KeyNotFoundException
        | :? FormatException
        | :? InvalidOperationException as trouble -> failure $"the request cannot be read: {trouble.Message}"

    interface IDisposable with
        member _.Dispose() =
            for session in sessions.Values do
                (session :> IDisposable).Dispose()

/// Serves requests from `input` until it ends. A run is ordered by `begin` (plan), and then `next` (stop) again and again
/// waits for its next second or its outcome. Short runs over connections that stay open are ordered by `open` (session, plan),
/// `slice` (session, milliseconds), which waits for the outcome, and `close` (session). One reply line each on `output`; the
/// first line says ready.
let serve (input: TextReader) (output: TextWriter) : unit =
    let say (line: string) =
        output.WriteLine line
        output.Flush()

    use requests = new AttackRequests()
    say """{"ready":true}"""
    let mutable line = input.ReadLine()

    while not (isNull line) do
        say (requests.Answer(nonNull line).ToJsonString())
        line <- input.ReadLine()
