// The card service as a process: SEED DELAY ERROR-RATE on its command line, then lines of JSON.
module Plait.Lab.CardService.Program

open System
open System.Globalization
open System.Text.Json
open Plait.Lab
open Plait.Lab.Cards

let private manner (arguments: string[]) : Manner option =
    match arguments with
    | [| seed; delay; rate |] ->
        match
            Int32.TryParse seed,
            Delay.parse delay,
            Double.TryParse(rate, NumberStyles.Float, CultureInfo.InvariantCulture)
        with
        | (true, seed), Some delay, (true, rate) when rate >= 0.0 && rate < 1.0 ->
            Some { Seed = seed; Delay = delay; ErrorRate = rate }
        | _ -> None
    | _ -> None

let private answer (service: Service) (wish: string) (request: JsonElement) (writer: Utf8JsonWriter) =
    match wish with
    | "serve" ->
        let port =
            match request.TryGetProperty "port" with
            | true, port -> port.GetInt32()
            | _ -> 0

        writer.WriteNumber("port", service.Start port)
    | "usage" ->
        writer.WriteNumber("answered", service.Answered)
        writer.WriteNumber("failed", service.Failed)
        writer.WriteNumber("inFlight", service.InFlight)
        writer.WriteNumber("mostInFlight", service.TakeMostInFlight())
    | other -> invalidOp $"\"{other}\" is unknown; known are serve and usage"

[<EntryPoint>]
let main arguments =
    match manner arguments with
    | Some manner ->
        let service = Service manner
        LineServer.Run("card-service", (fun wish request writer -> answer service wish request writer))
        0
    | None ->
        eprintfn "The card service takes a seed, a delay (%s) and an error rate below 1." Delay.forms
        2
