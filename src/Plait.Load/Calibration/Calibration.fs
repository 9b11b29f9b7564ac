// What this load generator can do on this machine: requests a second against a server that does nothing, with the requests
// and the model of the plan. A rate far below that is one that the generator can keep without being what is measured.
module Plait.Load.Calibration

open System
open System.IO
open System.Text.Json.Nodes
open System.Threading

open Plait.Report

/// The part of what it can do that it may be asked for in the open model.
let share = 0.5

let private subject = "the null server"

let private isHttp2 (plan: Plan) : bool = plan.Connecting.Protocol <> Http1

/// The plan with every request sent to the null server instead.
let private redirected
    (plan: Plan)
    (address: string)
    (model: Model)
    (warmUp: float)
    (milliseconds: float)
    : Plan =
    // The text as it was written: variables stand in it.
    let path (url: Uri) =
        let text = url.OriginalString

        let at =
            text.IndexOfAny([| '/'; '?'; '#' |], text.IndexOf("://", StringComparison.Ordinal) + 3)

        if at < 0 then "/" else text.Substring at

    let redirect (request: HttpRequest) =
        { request with Url = Uri(address + path request.Url) }

    { plan with
        Requests = List.map redirect plan.Requests
        Model = model
        Duration = TimeSpan.FromMilliseconds milliseconds
        WarmUp = TimeSpan.FromMilliseconds warmUp
        Timeout = TimeSpan.FromSeconds 5.
        ExpectStatus = []
        ExpectBody = None
        Most = None
        Data = plan.Data |> Option.map (fun data -> { data with Order = InOrder })
        Connecting =
            { plan.Connecting with
                Grows = false
                Redirects = 0
                Insecure = true
                Authorities = None
                Shown = None
                Instead = None
                UnixSocket = None
            }
    }

/// Twice as long while nothing was answered, up to three seconds: a machine that is busy with other programs needs that.
let rec private rateOf (run: Plan -> Outcome) (plan: Plan) : float =
    let outcome = run plan

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

/// Measures it, in under three seconds. `command`: what becomes a null server; `core`: where that is bound to; `run`: the
/// generator that is to be measured.
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

    match plan.Model with
    | Closed connections -> redirected plan address (Closed connections) 500. 500. |> rateOf run
    | Open(_, most) ->
        // Where they grow, as many as a run begins with: all that there may be are those of a server that does not answer.
        let connections =
            if plan.Connecting.Grows then min most (AttackSession.First plan.Connecting) else most

        let closed = redirected plan address (Closed connections) 400. 400. |> rateOf run
        // Twice what it can do in the closed model: what then comes through is what it can do with a schedule. Without a
        // warm-up, whose requests would still be waiting when the counted ones are due.
        redirected plan address (Open(Constant(2.0 * closed), connections)) 0. 400. |> rateOf run

/// Sends requests of the plan to a server in this process for a fifth of a second, and counts nothing: the first ones of a
/// run would take the time in which the generator's own code is compiled.
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
    // It could not listen: the run goes without.
    | null -> ()
    | port ->
        let address = $"{scheme}://127.0.0.1:{port.GetValue<int>()}"

        for model in
            [
                Closed 4
                match plan.Model with
                | Open _ -> Open(Constant 1000.0, 4)
                | Closed _ -> ()
            ] do
            redirected plan address model 0. 100. |> run |> ignore

    ended.Set()
    server.Join()

/// Raises BadInput when a plan asks for more than the generator may be asked for.
let refuse (capacity: float) (plan: Plan) : unit =
    match Arrivals.peak plan.Model with
    | Some rate when rate > share * capacity ->
        raise (
            BadInput
                $"{rate:F0} requests/s are more than half of the {capacity:F0}/s that this generator can do against a server that does nothing, so its own work would be measured too; ask for {share * capacity:F0}/s at most, share the rate among several machines and merge their histograms, or take what comes with --no-calibration"
        )
    | _ -> ()

/// Where the null server is bound to: a core that is not the generator's, if there is one.
let coreBeside (core: int option) : int option =
    match core with
    | None -> None
    | Some core -> Affinity.allowedAtStart () |> List.tryFind (fun other -> other <> core)
