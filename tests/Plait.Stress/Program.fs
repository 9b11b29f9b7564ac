// `Plait.Stress --seconds N`: prints operations and errors; exit code 1 where there is an error.
module Plait.Stress.Program

open System

let private seconds (arguments: string list) =
    match arguments with
    | [] -> Ok 30.
    | [ "--seconds"; text ] ->
        match Double.TryParse text with
        | true, seconds when seconds > 0. -> Ok seconds
        | _ -> Error $"\"{text}\" is no number of seconds."
    | _ -> Error "Usage: Plait.Stress [--seconds N]"

[<EntryPoint>]
let main arguments =
    match seconds (List.ofArray arguments) with
    | Error message ->
        eprintfn "%s" message
        2
    | Ok seconds ->
        let outcome = Stress.run (TimeSpan.FromSeconds seconds)

        for error in outcome.Errors do
            printfn "%s" error

        printfn $"{outcome.Operations} operations, {outcome.Errors.Length} errors"
        if outcome.Errors.IsEmpty && outcome.Operations > 0L then 0 else 1
