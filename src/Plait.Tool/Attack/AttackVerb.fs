// The verb that loads a server: measures the generator's capacity, runs the plan, shows it while it runs, and reports
// the outcome.
module internal Plait.Tool.AttackVerb

open System
open System.CommandLine
open System.Threading

open Plait.Common
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
    Console.Error.WriteLine "note: measuring the capacity of this generator; --no-calibration leaves it out"

    let run plan =
        let outcome = Attack.run plan ignore stop
        stop.ThrowIfCancellationRequested()
        outcome

    let command = CommandLine.selfAs CommandLine.nullServerVerb
    let capacity = Calibration.measure command (Calibration.coreBeside core) run plan
    Calibration.refuse capacity plan
    capacity

/// The request of a command line.
type private AttackInput =
    {
        Plan: Plan
        /// The core that the generator is bound to.
        Core: int option
        /// How long a server that takes no connections is waited for.
        Wait: TimeSpan
        /// Measure the generator's capacity first.
        IsCalibrated: bool
        Outputs: AttackOutputs.Outputs
    }

let private request (parsed: ParseResult) : AttackInput =
    let plan = AttackOptions.plan parsed

    {
        Plan = plan
        Core = AttackOptions.coreOf parsed
        Wait = AttackConnecting.waitOf parsed
        IsCalibrated = AttackOptions.isCalibrated parsed
        Outputs = AttackOutputs.read parsed plan
    }

let private attack (request: AttackInput) : int =
    let plan, outputs = request.Plan, request.Outputs
    pin request.Core
    use stop = new StopSignal()
    let steps = AttackShare.Steps plan
    steps.End AttackShare.Starting

    for note in Option.toList (AttackConnecting.proxyNote ()) do
        Console.Error.WriteLine $"note: {note}"

    if request.Wait > TimeSpan.Zero then
        Attack.await plan request.Wait stop.Token
        steps.End AttackShare.Waiting

    let warm () =
        Calibration.warm (fun plan -> Attack.run plan ignore stop.Token) plan
        None

    let capacity =
        if request.IsCalibrated then
            // It would be measured for nothing.
            Attack.find plan

            match Calibration.obstacle plan with
            | None -> Some(calibrate request.Core plan stop.Token)
            | Some why ->
                Console.Error.WriteLine $"note: {why}"
                warm ()
        else
            warm ()

    let before = AttackOutputs.look ()
    steps.End(if capacity.IsSome then AttackShare.Measuring else AttackShare.WarmingUp)
    AttackShare.wait plan stop.Token
    use refused = new RefusedRun(stop.Token)
    use live = new AttackLive(outputs.Name, plan, outputs.Stream, outputs.Collector)

    // Where the lines of the run have standard output, nothing else has.
    Options.besideJson outputs.Stream (fun () ->
        let outcome =
            AttackView.follow plan live.Tell (fun tell ->
                let tell (second: Second) =
                    tell second
                    refused.Tell second

                Attack.runKeeping (AttackOutputs.kept outputs plan) plan tell refused.Stop)

        let whole = { outcome with Capacity = capacity }

        let late = Option.toList (AttackShare.lateness steps whole)

        for warning in late do
            Console.Error.WriteLine $"note: {warning}"

        let unwritten =
            try
                AttackOutputs.write outputs (AttackOutputs.recording outputs before late whole)
                []
            with :? RunFailed as trouble ->
                [ trouble.Message ]

        let untold = unwritten @ live.End whole
        AttackEnding.conclude outputs.ForCrank (refused.IsEnded && whole.Stopped) untold whole)

let private run (parsed: ParseResult) : int =
    Streams.checkOutput ()
    let request = request parsed
    AttackOutputs.tryFiles request.Outputs
    attack request

let private description =
    "Load a server over HTTP/1.1 or HTTP/2, and report latency from the due time and from the sending of each request, and failures by name. Exit code 0: the figures are reliable, and every --require is kept or, without one, half of the requests succeeded; 1: they are not, or the run was stopped before its end; 2: the command cannot be carried out; 3: a rule is broken."

let private groups = AttackOptions.groups @ [ "Output", AttackOutputs.all' ]

/// Prints the help.
let help () : unit =
    for line in AttackHelp.lines (Wrap.width ()) description AttackOptions.argument groups do
        Console.Out.WriteLine line

/// plait attack
let command () : System.CommandLine.Command =
    Verb.make "attack" description [ AttackOptions.argument ] (groups |> List.collect snd) run
