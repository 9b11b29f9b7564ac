// `Plait.Stress --seconds N`: prints how far it is, then operations by kind and errors; exit code 1 where there is an error.
module Plait.Stress.Program

open System

let private seconds (arguments: string list) =
    match arguments with
    | [] -> Ok 60.
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
        let outcome = Stress.run (TimeSpan.FromSeconds seconds) (printfn "%s")

        for kind, operations in outcome.ByKind do
            printfn $"{kind, -26} {operations, 12}"

        for error in outcome.Errors do
            printfn "%s" error

        printfn $"{outcome.Operations} operations, {outcome.Errors.Length} errors"
        // a kind that was not reached has shown nothing
        let all = outcome.ByKind |> List.forall (fun (_, operations) -> operations > 0L)
        if outcome.Errors.IsEmpty && all then 0 else 1
