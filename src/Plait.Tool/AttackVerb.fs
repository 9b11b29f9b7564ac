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

    let outcome = { Attack.run plan ignore stop.Token with Capacity = capacity }
    printfn "capacity %A" capacity
    let ms (value: int64) = float value / 1e6
    printfn "%A %A %.1f/s busy %.2f" outcome.Fates outcome.Elapsed outcome.RightPerSecond outcome.Busy

    for name, histogram in
        [
            "intended", outcome.Intended
            "actual", outcome.Actual
            "lag", outcome.Lag
            "own", outcome.OwnLag
        ] do
        printfn
            "%s p50 %.4f p90 %.4f p99 %.4f max %.4f"
            name
            (ms (histogram.Percentile 50.))
            (ms (histogram.Percentile 90.))
            (ms (histogram.Percentile 99.))
            (ms histogram.Max)

    printfn "%A %A" outcome.Invalid outcome.Complaints
    Endings.success

/// plait attack
let command () : System.CommandLine.Command =
    let command =
        System.CommandLine.Command("attack", "Load a server over HTTP/1.1, and say how it bore that.")

    command.Arguments.Add AttackOptions.argument

    for option in AttackOptions.all' do
        command.Options.Add option

    command.SetAction(fun (parsed: ParseResult) -> Endings.guard (fun () -> run parsed))
    command
