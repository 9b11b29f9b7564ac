// The verb that loads a server: finds out what the generator can do, runs the plan, shows it while it runs, and reports what
// it came to.
module internal Plait.Tool.AttackVerb

open System
open System.CommandLine
open System.Threading

open Plait.Report

open Plait.Load

let private pin (core: int option) =
    match core with
    | Some core when not (List.contains core (Affinity.allowed ())) ->
        raise (
            BadInput
                $"--core {core}: this process cannot be bound to that core (Linux, and the cores it may use); leave it out, or name another"
        )
    | _ -> Affinity.moveSelf core

let private calibrate (core: int option) (plan: Plan) (stop: CancellationToken) : float =
    // It would be measured for nothing.
    Attack.find plan
    Console.Error.WriteLine "note: finding out what this generator can do; --no-calibration leaves it out"

    let run plan =
        let outcome = Attack.run plan ignore stop
        stop.ThrowIfCancellationRequested()
        outcome

    let command = CommandLine.selfAs CommandLine.nullServerVerb
    let capacity = Calibration.measure command (Calibration.coreBeside core) run plan
    Calibration.refuse capacity plan
    capacity

/// The sentence and the exit code that an outcome deserves.
let private conclude (isForCrank: bool) (outcome: Outcome) : int =
    if outcome.Requests = 0L then
        Endings.complain (
            if outcome.Stopped then
                "stopped before a request was counted"
            else
                $"no request was made in {Duration.showSpan outcome.Plan.Duration}; give it a longer --duration"
        )

        Endings.failure
    elif outcome.Right = 0L then
        let why =
            Outcome.complaint outcome
            |> Option.map (fun complaint -> $": {complaint}")
            |> Option.defaultValue ""

        Endings.complain $"not one request of {outcome.Requests} succeeded{why}"
        Endings.failure
    elif outcome.Stopped then
        Endings.complain "stopped before its end; the report is that of what was done"
        Endings.failure
    elif not outcome.Invalid.IsEmpty then
        Endings.complain "the figures are not to be relied on; the report says why"
        // Crank drops the figures of a job that fails; one of them says that they are not to be relied on.
        if isForCrank then Endings.success else Endings.failure
    else
        Endings.success

let private run (parsed: ParseResult) : int =
    let plan = AttackOptions.plan parsed
    AttackOutputs.check parsed
    let core = AttackOptions.coreOf parsed
    pin core
    use stop = new StopSignal()

    let capacity =
        if AttackOptions.isCalibrated parsed then
            Some(calibrate core plan stop.Token)
        else
            Calibration.warm (fun plan -> Attack.run plan ignore stop.Token) plan
            None

    let before = AttackOutputs.look ()

    let outcome = AttackView.follow plan (fun tell -> Attack.run plan tell stop.Token)

    let whole = { outcome with Capacity = capacity }
    AttackOutputs.write parsed (AttackOutputs.recording parsed before whole)
    conclude (AttackOutputs.isForCrank parsed) whole

/// plait attack
let command () : System.CommandLine.Command =
    Verb.make
        "attack"
        "Load a server over HTTP/1.1, and report what it did: latency from when each request was due and from when it was sent, and every failure by its name. Ends with 0 when a request succeeded and the figures can be relied on; with 1 when none did, when the generator was too busy or late for them, or when it was stopped; with 2 when what is asked for cannot be done."
        [ AttackOptions.argument ]
        (AttackOptions.all' @ AttackOutputs.all')
        run
