// The load engine as a process: JSON lines in, one JSON line out for each. The lab starts it on the client's core, so that
// its CPU and its garbage collector are nobody else's.
module Plait.Load.AttackWorker

open Plait.Report

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open System.Threading
open System.Threading.Tasks


let private reply (name: string) (value: JsonNode) =
    let node = JsonObject()
    node[name] <- value
    node

let private failure (sentence: string) =
    reply "error" (nonNull (JsonValue.Create sentence))

/// A run that goes on while its news are asked for.
type private Going(plan: Plan) =
    let stop = new CancellationTokenSource()
    let news = new BlockingCollection<JsonObject>()

    do
        let work () =
            try
                let tell second =
                    news.Add(reply "second" (OutcomeJson.writeSecond second))

                let outcome = Attack.run plan tell stop.Token
                news.Add(reply "outcome" (OutcomeJson.write outcome))
            with
            | :? BadInput as trouble -> news.Add(failure trouble.Message)
            | trouble -> news.Add(failure $"{trouble.GetType().Name}: {trouble.Message}")

            news.CompleteAdding()

        Task.Run work |> ignore

    /// The next news; an error when there are none any more.
    member _.Next(isToStop: bool) : JsonObject =
        if isToStop then
            stop.Cancel()

        let mutable next = Unchecked.defaultof<JsonObject>

        if news.TryTake(&next, Timeout.Infinite) then
            next
        else
            failure "the run is over, and its outcome has been told"

let private answer (going: Going option) (line: string) : Going option * JsonObject =
    try
        use document = JsonDocument.Parse line
        let request = document.RootElement

        match request.GetProperty("do").GetString(), going with
        | "begin", _ ->
            let plan = PlanJson.read (request.GetProperty "plan")
            Some(Going plan), reply "ok" (JsonValue.Create true)
        | "next", Some run -> going, run.Next(request.GetProperty("stop").GetBoolean())
        | "next", None -> going, failure "nothing was begun"
        | other, _ -> going, failure $"the load generator knows no request '{other}'; it knows begin and next"
    with
    | :? JsonException
    | :? KeyNotFoundException
    | :? FormatException
    | :? InvalidOperationException as trouble ->
        going, failure $"the request cannot be read: {trouble.Message}"

/// Serves requests from `input` until it ends: `begin` (plan), then `next` (stop) again and again, which waits for the next
/// second of the run or its outcome. One reply line each on `output`; the first line says ready.
let serve (input: TextReader) (output: TextWriter) : unit =
    let say (line: string) =
        output.WriteLine line
        output.Flush()

    say """{"ready":true}"""
    let mutable going = None
    let mutable line = input.ReadLine()

    while not (isNull line) do
        let next, said = answer going (nonNull line)
        going <- next
        say (said.ToJsonString())
        line <- input.ReadLine()
