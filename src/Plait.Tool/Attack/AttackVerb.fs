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

/// The share of right answers that a run without rules must have to end well.
let private leastSuccess = 0.5

/// The reasons why a run does not end well, with the exit code of each.
let private troubles (outcome: Outcome) : (int * string) list =
    if outcome.Requests = 0L then
        let why =
            if outcome.Stopped then
                "stopped before a request was counted"
            elif outcome.Counts.AllowedStreams = Some 0 then
                Validity.noStreams
            else
                $"no request was made in {Duration.showSpan outcome.Plan.Duration}; give it a longer --duration"

        [ Endings.failure, why ]
    else
        [
            if outcome.IsCutShort then
                Endings.failure, "stopped before its end; the report is of the part that ran"

            if not outcome.Invalid.IsEmpty then
                Endings.failure, "the figures are not to be relied on; the report says why"

            match Rule.complaint outcome.Verdicts with
            | Some sentence -> Endings.brokenRule, sentence
            | None -> ()

            if outcome.Plan.Rules.IsEmpty && outcome.Success < leastSuccess && outcome.Judged > 0L then
                let why =
                    Outcome.complaint outcome
                    |> Option.map (fun complaint -> $": {complaint}")
                    |> Option.defaultValue ""

                let count =
                    if outcome.Right = 0L then
                        $"not one request of {outcome.Judged} succeeded"
                    else
                        $"only {outcome.Right} of {outcome.Judged} requests succeeded"

                Endings.failure, count + why
        ]

/// Prints how a run ended, and returns its exit code. `untold`: a sentence for each output that failed.
let private conclude (isForCrank: bool) (untold: string list) (outcome: Outcome) : int =
    match [ yield! untold |> List.map (fun why -> Endings.failure, why); yield! troubles outcome ] with
    | [] when Streams.lostErrors () -> Endings.failure
    | [] -> Endings.success
    | troubles ->
        troubles |> List.map snd |> String.concat "; " |> Endings.complain

        // Crank drops the figures of a job that fails; the figures have the reason with them.
        if isForCrank && untold.IsEmpty && outcome.Right > 0L && not outcome.IsCutShort then
            Endings.success
        else
            // A verdict of a run that cannot be relied on is none.
            troubles |> List.map fst |> List.min

/// The request of a command line.
type private AttackInput =
    {
        Plan: Plan
        /// The core that the generator is bound to.
        Core: int option
        /// Measure the generator's capacity first.
        IsCalibrated: bool
        Outputs: AttackOutputs.Outputs
    }

let private request (parsed: ParseResult) : AttackInput =
    let plan = AttackOptions.plan parsed

    {
        Plan = plan
        Core = AttackOptions.coreOf parsed
        IsCalibrated = AttackOptions.isCalibrated parsed
        Outputs = AttackOutputs.read parsed plan
    }

let private attack (request: AttackInput) : int =
    let plan, outputs = request.Plan, request.Outputs
    pin request.Core
    use stop = new StopSignal()

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
    use live = new AttackLive(outputs.Name, plan, outputs.Stream, outputs.Collector)

    // Where the lines of the run have standard output, nothing else has.
    Options.besideJson outputs.Stream (fun () ->
        let outcome =
            AttackView.follow plan live.Tell (fun tell ->
                Attack.runKeeping (AttackOutputs.kept outputs plan) plan tell stop.Token)

        let whole = { outcome with Capacity = capacity }

        let unwritten =
            try
                AttackOutputs.write outputs (AttackOutputs.recording outputs before whole)
                []
            with :? RunFailed as trouble ->
                [ trouble.Message ]

        conclude outputs.ForCrank (unwritten @ live.End whole) whole)

let private run (parsed: ParseResult) : int =
    Streams.checkOutput ()
    let request = request parsed
    AttackOutputs.tryFiles request.Outputs
    attack request

/// plait attack
let command () : System.CommandLine.Command =
    Verb.make
        "attack"
        "Load a server over HTTP/1.1 or HTTP/2, and report how it did: latency from when each request was due and from when it was sent, and every failure by its name. Exit code 0: the figures are reliable, and every --require is kept or, without one, half of the requests succeeded; 1: they are not, or the run was stopped before its end; 2: the command cannot be carried out; 3: a rule is broken."
        [ AttackOptions.argument ]
        (AttackOptions.all' @ AttackOutputs.all')
        run
