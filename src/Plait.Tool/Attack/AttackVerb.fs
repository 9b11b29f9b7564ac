// The verb that loads a server: measures the generator's capacity, runs the plan, shows it while it runs, and reports
// the outcome.
module internal Plait.Tool.AttackVerb

open System
open System.Collections.Generic
open System.CommandLine
open System.Threading

open Plait.Common
open Plait.Load

let private pin (core: int option) =
    match core with
    | Some core when not (List.contains core (Affinity.allowed ())) ->
        raise (
            BadInput
                $"--core {core}: this process cannot be bound to that core: it needs Linux, and a core that the process may use; leave --core out, or name another core"
        )
    | _ -> Affinity.moveSelf core

let private calibrate (core: int option) (plan: Plan) (stop: CancellationToken) : float =
    Streams.say "note: measuring the capacity of this generator; --no-calibration leaves it out"

    let run plan =
        let outcome = Attack.run plan ignore stop
        stop.ThrowIfCancellationRequested()
        outcome

    let command = CommandLine.selfAs CommandLine.nullServerVerb
    let capacity = Calibration.measure command (Calibration.coreBeside core) run plan
    Calibration.refuse capacity plan
    capacity

/// The time until the load of a run with --start-at begins, warm-up included; None: it begins at once.
let private timeLeft (plan: Plan) : TimeSpan option =
    plan.StartAt |> Option.map (fun time -> time - plan.WarmUp - DateTime.UtcNow)

/// The preparations for a run with --start-at, and the time that each left.
type private Preparations(plan: Plan) =
    let ended = List<StartLateness.Preparation * TimeSpan>()

    /// A preparation has ended.
    member _.End(preparation: StartLateness.Preparation) : unit =
        timeLeft plan |> Option.iter (fun left -> ended.Add((preparation, left)))

    /// In their order.
    member _.Ended: (StartLateness.Preparation * TimeSpan) list = List.ofSeq ended

/// Waits until it is nearly time to begin.
let private waitForStart (plan: Plan) (stop: CancellationToken) : unit =
    match timeLeft plan with
    | Some time when time > StartLateness.preparing ->
        Streams.say $"note: the run begins in {Duration.showSpan time}"

        if stop.WaitHandle.WaitOne(time - StartLateness.preparing) then
            raise (OperationCanceledException())
    | _ -> ()

/// Ends a run when every request of its first seconds was refused, or its connection ended before the head of a response: a
/// second shows as much as a minute. `stop`: the user ends the run.
type private UnansweredRun(stop: CancellationToken) =
    // Fewer connections that end may be chance.
    static let leastEnded = 10L
    // After so many seconds requests in flight are not waited for, unless a server holds one: connections may be refused after a while,
    // one after the other.
    static let mostSeconds = 5
    let halted = CancellationTokenSource.CreateLinkedTokenSource stop
    let mutable isRefused = true
    let mutable hasOther = false
    let mutable failed = 0L
    let mutable seconds = 0

    /// The run must end when this is cancelled.
    member _.Stop = halted.Token

    /// No request was answered, and so the run was ended.
    member val IsEnded = false with get, set

    /// A second is over.
    member this.Tell (servers: ServersSoFar) (second: Second) : unit =
        for result in second.Failures.Keys do
            match result with
            | RequestResult.Refused -> ()
            | RequestResult.Closed
            | RequestResult.Reset -> isRefused <- false
            | _ -> hasOther <- true

        hasOther <- hasOther || second.Right > 0L
        failed <- failed + second.Failed

        if second.Failed > 0L then
            seconds <- seconds + 1

        if
            not hasOther
            && (isRefused || not servers.HaveAnswered && failed >= leastEnded)
            && second.Failed > 0L
            && (second.InFlight = 0 || seconds >= mostSeconds && not servers.HoldRequests)
            && not halted.IsCancellationRequested
        then
            this.IsEnded <- true
            halted.Cancel()

    interface IDisposable with
        member _.Dispose() = halted.Dispose()

/// The request of a command line.
type private AttackInput =
    {
        Plan: Plan
        /// The core that the generator is bound to.
        Core: int option
        /// The longest wait for a server that takes no connections.
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
        Wait = AttackConnections.waitOf parsed
        IsCalibrated = AttackOptions.isCalibrated parsed
        Outputs = AttackOutputs.read parsed plan
    }

let private attack (request: AttackInput) : int =
    let plan, outputs = request.Plan, request.Outputs
    pin request.Core
    use stop = new StopSignal()
    let preparations = Preparations plan
    preparations.End StartLateness.Starting

    // With one of these the user has chosen where requests go.
    if plan.Connecting.ConnectTo.IsNone && plan.Connecting.UnixSocket.IsNone then
        for note in Option.toList (AttackConnections.proxyNote (plan.Requests |> List.map _.Url)) do
            Streams.say $"note: {note}"

    if request.Wait > TimeSpan.Zero then
        Attack.await plan request.Wait stop.Token
        preparations.End StartLateness.Waiting

    let warm () =
        Calibration.warm (fun plan -> Attack.run plan ignore stop.Token) plan
        None

    let capacity =
        if request.IsCalibrated then
            // Before the capacity is measured, because it raises BadInput for a plan that cannot be run.
            Attack.find plan

            match Calibration.obstacle plan with
            | None -> Some(calibrate request.Core plan stop.Token)
            | Some why ->
                Streams.say $"note: {why}"
                warm ()
        else
            warm ()

    let before = AttackOutputs.look ()
    preparations.End(if capacity.IsSome then StartLateness.Measuring else StartLateness.WarmingUp)
    waitForStart plan stop.Token
    use unanswered = new UnansweredRun(stop.Token)
    use live = new AttackLive(outputs.Name, plan, outputs.Stream, outputs.Collector)

    // With --stream - all other output goes to standard error.
    Options.besideJson outputs.Stream (fun () ->
        let outcome =
            use view = new AttackView.View(plan, live.Tell)

            let tell (servers: ServersSoFar) (second: Second) =
                view.Tell second
                unanswered.Tell servers second

            Attack.runKeeping (AttackOutputs.kept outputs plan) plan tell unanswered.Stop

        let whole = { outcome with Capacity = capacity }

        let warnings = Option.toList (StartLateness.sentence preparations.Ended whole)

        for warning in warnings do
            Streams.say $"note: {warning}"

        let unwritten =
            try
                AttackOutputs.write outputs (AttackOutputs.recording outputs before warnings whole)
                []
            with :? RunFailed as trouble ->
                [ trouble.Message ]

        let failedOutputs = unwritten @ live.End whole
        AttackEnding.conclude outputs.ForCrank (unanswered.IsEnded && whole.Stopped) failedOutputs whole)

let private run (parsed: ParseResult) : int =
    Streams.checkOutput ()
    let request = request parsed
    AttackOutputs.tryFiles request.Outputs
    attack request

let private description =
    "Load a server over HTTP/1.1 or HTTP/2, and report latency from the due time and from the sending of each request, and failures by name. Exit code 0: the figures are reliable, and every --require is kept (without one: half of the requests succeeded); 1: the run is invalid or was stopped, or too few requests succeeded; 2: the command cannot be carried out; 3: a rule is broken."

let private groups = AttackOptions.groups @ [ "Output", AttackOutputs.all' ]

/// Prints the help.
let help () : unit =
    for line in AttackHelp.lines (Wrap.width ()) description AttackOptions.argument groups do
        Console.Out.WriteLine line

/// plait attack
let command () : System.CommandLine.Command =
    Verb.make "attack" description [ AttackOptions.argument ] (groups |> List.collect snd) run
