// The capacity of this load generator on this machine: requests a second against a server that does nothing, with the
// requests and the model of the plan. At a rate far below it, the figures are of the server and not of the generator.
module Plait.Load.Calibration

open System
open System.IO
open System.Text.Json.Nodes
open System.Threading

open Plait.Common

/// The largest allowed rate of the open model, as a part of the capacity.
let mostOfCapacity = 0.5

let private subject = "the null server"

let private isHttp2 (plan: Plan) : bool = plan.Connecting.Protocol <> Http1

// A closed connection keeps its local port for a minute. Each of the two runs of a calibration may use a quarter of the ports, so
// that half of them are left.
let private ports () = MachineLimits.ports () / 4

// The most requests of a calibration in which each request has a connection of its own: they leave ports to other programs.
let private alone () = min 2000 (ports ())

// The least number of requests that take long enough to measure the capacity.
let private fewest = 500

/// The plan with every request sent to the null server instead.
let private redirected
    (plan: Plan)
    (address: string)
    (model: Model)
    (warmUp: float)
    (milliseconds: float)
    : Plan =
    // as it was written: variables stand in it
    let redirect (request: HttpRequest) =
        { request with Url = Uri(address + RequestUrl.written request.Url) }

    { plan with
        Requests = List.map redirect plan.Requests
        Share = Share.Whole
        StartAt = None
        Model = model
        Duration = TimeSpan.FromMilliseconds milliseconds
        // MaxRequests does not bound the requests of a warm-up, because they are not counted.
        WarmUp = TimeSpan.FromMilliseconds(if plan.Connecting.KeepsAlive then warmUp else 0.)
        Timeout = TimeSpan.FromSeconds 5.
        ExpectStatus = []
        ExpectBody = None
        MaxRequests = if plan.Connecting.KeepsAlive then None else Some(int64 (max 1 (alone ())))
        Data = plan.Data |> Option.map (fun data -> { data with Order = InOrder })
        Connecting =
            { plan.Connecting with
                Grows = false
                Redirects = 0
                Insecure = true
                Authorities = None
                ClientCertificate = None
                ConnectTo = None
                UnixSocket = None
            }
    }

/// The rate of right responses. A run without one is repeated with twice the duration, up to three seconds: a busy machine needs
/// that.
let rec private rateOf (run: Plan -> Outcome) (plan: Plan) : float =
    let outcome = run plan

    // The run of the user would lack the same ports or files.
    match Validity.shortages outcome with
    | [] -> ()
    | trouble :: _ -> raise (WorkerFailed(subject, $"the generator could not be calibrated: {trouble}"))

    if outcome.Right = 0L && plan.Duration.TotalSeconds < 3. then
        rateOf run { plan with Duration = 2. * plan.Duration }
    elif outcome.Right = 0L then
        raise (
            WorkerFailed(
                subject,
                "the generator could not be calibrated: no request to the null server succeeded; --no-calibration leaves it out"
            )
        )
    else
        outcome.RightPerSecond

/// Why this machine cannot measure the generator's capacity for a plan; None: it can.
let obstacle (plan: Plan) : string option =
    if plan.Connecting.KeepsAlive || alone () >= fewest then
        None
    else
        Some
            $"the capacity of this generator with a connection for each request is not measured: this machine has only {MachineLimits.ports ()} local ports, and the run needs them itself"

// Requests in flight if the plan opens connections as they are needed: its maximum is for a server that does not answer.
let private usually = 64

/// As many connections as the run has, within the local ports of a calibration, and at least one for each thread.
let private connections (plan: Plan) : int =
    let count =
        match Plan.ownModel plan with
        | Closed count -> count
        | Open(_, most) when plan.Connecting.Grows ->
            match plan.Connecting.Protocol with
            | Http1 -> min most usually
            | Http2 streams -> min most (max 1 (usually / streams))
        | Open(_, count) -> count

    max plan.Threads (min count (ports ()))

/// Measures it, in under three seconds. `command`: starts the null server; `core`: the core of the null server;
/// `run`: the generator that is measured. Raises WorkerFailed when it cannot be measured.
let measure (command: string list) (core: int option) (run: Plan -> Outcome) (plan: Plan) : float =
    let isTls = Plan.isSecure plan

    let options =
        [
            if isTls then
                "--tls"

            if isHttp2 plan then
                "--http2"
        ]

    let server, ready =
        LineProcess.Start(
            {
                Subject = subject
                File = command.Head
                Arguments = command.Tail @ options
                Variables = []
                Core = core
            },
            20000
        )

    use _ = server
    let scheme = if isTls then "https" else "http"
    let port = Reply.whole subject "port" ready
    let address = $"{scheme}://127.0.0.1:{port}"

    let connections = connections plan

    match plan.Model with
    | Closed _ -> redirected plan address (Closed connections) 500. 500. |> rateOf run
    | Open _ ->
        let closed = redirected plan address (Closed connections) 400. 400. |> rateOf run
        // At twice the capacity of the closed model, the rate of right responses is the capacity of the open model. There is no
        // warm-up: its requests would still wait when the counted ones are due.
        redirected plan address (Open(Constant(2.0 * closed), connections)) 0. 400. |> rateOf run

/// Sends requests of the plan to a server in this process for a fifth of a second, and counts nothing, so that the generator's
/// code is compiled before the first request of the run.
let warm (run: Plan -> Outcome) (plan: Plan) : unit =
    use ended = new ManualResetEventSlim()
    use ready = new ManualResetEventSlim()

    let input =
        { new TextReader() with
            override _.ReadLine() =
                ended.Wait()
                null
        }

    let output =
        { new StringWriter() with
            override _.Flush() = ready.Set()
        }

    let isTls = Plan.isSecure plan

    let server =
        Thread((fun () -> NullServer.serve isTls (isHttp2 plan) input output), IsBackground = true)

    server.Start()
    ready.Wait()
    let said = JsonNode.Parse(string output) |> nonNull
    let scheme = if isTls then "https" else "http"

    match said["port"] with
    // The server could not listen: the run begins without warm code.
    | null -> ()
    | port ->
        let address = $"{scheme}://127.0.0.1:{port.GetValue<int>()}"

        let connections = max plan.Threads 4

        for model in
            [
                Closed connections
                match plan.Model with
                | Open _ -> Open(Constant 1000.0, connections)
                | Closed _ -> ()
            ] do
            redirected plan address model 0. 100. |> run |> ignore

    ended.Set()
    server.Join()

/// Raises BadInput when the rate of a plan is above the allowed part of the capacity.
let refuse (capacity: float) (plan: Plan) : unit =
    match Plan.peak plan with
    | Some rate when rate > mostOfCapacity * capacity ->
        raise (
            BadInput
                $"{rate:F0} requests/s are more than half of the {capacity:F0}/s that this generator reaches against a server that does nothing, so its own work would be measured too; ask for {mostOfCapacity * capacity:F0}/s at most, share the rate among several machines (--share 1/2), or allow any rate with --no-calibration"
        )
    | _ -> ()

/// The core of the null server: another one than the generator's; None: there is none, or the generator is not bound.
let coreBeside (core: int option) : int option =
    match core with
    | None -> None
    | Some core -> Affinity.allowedAtStart () |> List.tryFind (fun other -> other <> core)
