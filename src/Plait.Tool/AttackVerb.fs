// The verb that loads a server: runs the plan, shows it while it runs, and reports what it came to.
module internal Plait.Tool.AttackVerb

open System
open System.CommandLine

open Plait.Lab
open Plait.Lab.Load
open Plait.Lab.Measure

let private pin (core: int option) =
    match core with
    | Some core when not (List.contains core (Affinity.allowed ())) ->
        raise (
            BadInput
                $"--core {core}: this process cannot be bound to that core (Linux, and the cores it may use); leave it out, or name another"
        )
    | _ -> Affinity.moveSelf core

let private run (parsed: ParseResult) : int =
    let plan = AttackOptions.plan parsed
    AttackOutputs.check parsed
    pin (AttackOptions.coreOf parsed)
    use stop = new StopSignal.StopSignal()
    let core = AttackOptions.coreOf parsed

    let capacity =
        if AttackOptions.isCalibrated parsed then
            let run plan = Attack.run plan ignore stop.Token
            let command = CommandLine.self () @ [ CommandLine.nullServerVerb ]
            let capacity = Calibration.measure command (Calibration.coreBeside core) run plan
            Calibration.refuse capacity plan
            Some capacity
        else
            None

    let before = AttackOutputs.look ()
    let outcome = { Attack.run plan ignore stop.Token with Capacity = capacity }
    AttackOutputs.write parsed (AttackOutputs.recording parsed before outcome)
    Endings.success

/// plait attack
let command () : System.CommandLine.Command =
    let command =
        System.CommandLine.Command("attack", "Load a server over HTTP/1.1, and say how it bore that.")

    command.Arguments.Add AttackOptions.argument

    for option in AttackOptions.all' @ AttackOutputs.all' do
        command.Options.Add option

    command.SetAction(fun (parsed: ParseResult) -> Endings.guard (fun () -> run parsed))
    command
