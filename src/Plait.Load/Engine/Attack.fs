// The entry to the load engine: a plan in, an outcome out, in this process.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Net.Sockets
open System.Threading
open System.Threading.Tasks

open Plait.Common

/// The requests of a plan.
module internal Requests =
    /// The data of the requests. Raises BadInput if the file cannot be read.
    let data (plan: Plan) : DataRows =
        match plan.Data with
        | Some data -> DataRows.read data.File
        | None -> DataRows.none

    let private templates (data: DataRows) (plan: Plan) =
        plan.Requests |> List.map (Template.ofRequest data.Columns) |> Array.ofList

    /// The plan with the bound of its data: if each row is used once, the run ends after the last row. Raises BadInput if no row is
    /// left for its share.
    let bounded (data: DataRows) (plan: Plan) : Plan =
        match plan.Data with
        | Some { Order = Once } ->
            let rows = RowUse(templates data plan)

            let most =
                [
                    yield! Option.toList plan.MaxRequests
                    if rows.IsAny then
                        rows.Requests data.Rows.Length
                ]

            let bounded =
                { plan with MaxRequests = if most.IsEmpty then None else Some(List.min most) }

            if Plan.mostRequests bounded = Some 0L then
                raise (
                    BadInput
                        $"share {plan.Share.Index + 1} of {plan.Share.Of} would have no request, because the data has {data.Rows.Length} rows, each of which is used once; use fewer shares"
                )

            bounded
        | _ -> plan

    /// The requests of a share. Raises BadInput for an unknown variable.
    let source (plan: Plan) (share: Share) (data: DataRows) : RequestSource =
        let templates = templates data plan

        if plan.Data.IsSome && not (RowUse templates).IsAny then
            raise (
                BadInput
                    $"""no request has a column of the data in it; write one in double braces, like {{{{{List.head data.Columns}}}}}"""
            )
        else
            // A request with variables is framed when its values are known.
            let framed (request: HttpRequest) (template: Template option) =
                if template.IsSome then
                    request
                else
                    { request with
                        Body = ChunkedBody.framed request.MethodAndUrl request.Headers request.Body
                    }

            let plan =
                { plan with Requests = List.map2 framed plan.Requests (List.ofArray templates) }

            if templates |> Array.exists _.IsSome then
                new VariedRequests(plan, share, data)
            else
                new RequestCycle(plan, share)

/// When the counted part of a run begins.
module internal StartTime =
    /// The moment of the clock at which the warm-up begins. With --start-at this thread waits for it.
    let beginning (plan: Plan) : int64 =
        let left (time: DateTime) = time - plan.WarmUp - DateTime.UtcNow

        match plan.StartAt with
        | Some time when left time > TimeSpan.Zero ->
            while left time > TimeSpan.Zero do
                // In short sleeps, because the machine's time may be set meanwhile.
                Thread.Sleep(min (left time) (TimeSpan.FromMilliseconds 100.) |> max TimeSpan.Zero)

            Clock.now () + (left time).Ticks * 100L
        // It is over: the run is late.
        | _ -> Clock.now ()

/// The connections of a share of a plan, which stay open from one run of it to the next. For one thread. `servers`: shared by all
/// shares.
type internal AttackSession
    (plan: Plan, share: Share, servers: SharedServers, data: DataRows, makePoller: unit -> Poller) =
    let source = Requests.source plan share data
    let poller = makePoller ()

    let grows =
        match plan.Model with
        | Open _ -> plan.Connecting.Grows
        | Closed _ -> false

    let most =
        match plan.Model with
        | Open(_, connections)
        | Closed connections -> int (share.Part connections)

    // In a pool that grows, one connection is open for the first request, so that its latency has no connect, like that of later
    // ones.
    let first =
        match plan.MaxRequests with
        | _ when grows -> if share.Index = share.Of / plan.Share.Of * plan.Share.Index then 1 else 0
        | Some requests when plan.WarmUp = TimeSpan.Zero -> int (min (int64 most) (share.Part requests))
        | _ -> most

    let pool =
        ConnectionPool(
            source.Destinations,
            servers,
            plan.Connecting,
            most,
            first,
            grows,
            Option.toObj plan.ExpectBody,
            List.contains 408 plan.ExpectStatus,
            poller
        )

    /// Opens the connections. An error, the first one's sentence, when none of them can be opened.
    member _.Open() : Result<unit, string> =
        pool.Prepare(Clock.now () + Clock.span plan.Timeout, CancellationToken.None)

        if pool.Connections.Exists _.IsOpen then
            Ok()
        else
            pool.Connections
            |> Seq.tryPick (fun connection -> Option.ofObj connection.Complaint)
            |> Option.defaultValue "no connection was open in time"
            |> Error

    /// The engine that runs the plan for so long. `room`: how many single requests the outcome holds at most.
    member _.Engine(duration: TimeSpan, room: int, tell: Second -> unit, stop: CancellationToken) : Engine =
        Engine({ plan with Duration = duration }, share, room, source, pool, poller, tell, stop)

    /// Runs the plan for so long. `tell` gets each second; the outcome has none.
    member this.Run(duration: TimeSpan, room: int, tell: Second -> unit, stop: CancellationToken) : Outcome =
        let engine = this.Engine(duration, room, tell, stop)
        engine.Prepare()
        let outcome = engine.Run(StartTime.beginning plan)
        { outcome with Invalid = Validity.reasons outcome }

    interface IDisposable with
        member _.Dispose() =
            pool.Dispose()
            source.Dispose()
            poller.Dispose()

/// The seconds of several threads as seconds of one run: each goes to `tell`, in order, as soon as every thread has ended it.
type private Seconds(threads: int, tell: Second -> unit) =
    let waiting = SortedDictionary<int, List<Second>>()
    // The next second of each thread; Int32.MaxValue: the thread has ended.
    let next = Array.zeroCreate<int> threads

    let tellComplete () =
        let until = Array.min next

        for at in waiting.Keys |> Seq.takeWhile (fun at -> at < until) |> Array.ofSeq do
            tell (OutcomeSum.second (List.ofSeq waiting[at]))
            waiting.Remove at |> ignore

    /// A thread's second is over. From any thread.
    member _.Tell (index: int) (second: Second) : unit =
        lock waiting (fun () ->
            match waiting.TryGetValue second.At with
            | true, parts -> parts.Add second
            | _ -> waiting[second.At] <- List [ second ]

            next[index] <- second.At + 1
            tellComplete ())

    /// A thread has ended. From any thread.
    member _.Over(index: int) : unit =
        lock waiting (fun () ->
            next[index] <- Int32.MaxValue
            tellComplete ())

/// What the servers of a run have done by the end of a second.
[<Struct>]
type ServersSoFar =
    {
        /// One has answered a request, also in the warm-up.
        HaveAnswered: bool
        /// One holds a request that was sent before that second.
        HoldRequests: bool
    }

/// Running load plans.
module Attack =
    /// Single requests that a run keeps without --csv and --vegeta-csv: enough for plots.
    let usuallyKept = 262_144

    let private onThread (work: unit -> 'T) : Task<'T> =
        Task.Factory.StartNew(
            work,
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        )

    /// Runs a share on this thread, from the moment at which all of them are ready.
    let private runShare
        makePoller
        plan
        share
        servers
        data
        room
        tell
        stop
        (ready: Barrier)
        (beginning: int64 ref)
        =
        use session = new AttackSession(plan, share, servers, data, makePoller)
        let engine = session.Engine(plan.Duration, room, tell, stop)
        engine.Prepare()
        ready.SignalAndWait()
        engine.Run beginning.Value, engine

    let private runShares
        (servers: SharedServers)
        (makePoller: unit -> Poller)
        (kept: int)
        (plan: Plan)
        (data: DataRows)
        (tell: Second -> unit)
        (stop: CancellationToken)
        : Outcome =
        let threads = plan.Threads
        let seconds = Seconds(threads, tell)
        let beginning = ref 0L

        use ready =
            new Barrier(threads, (fun _ -> beginning.Value <- StartTime.beginning plan))

        use halted = CancellationTokenSource.CreateLinkedTokenSource stop

        let parts =
            [
                for index in 0 .. threads - 1 do
                    onThread (fun () ->
                        let share = plan.Share.OfThread(index, threads)

                        try
                            try
                                runShare
                                    makePoller
                                    plan
                                    share
                                    servers
                                    data
                                    (kept / threads)
                                    (seconds.Tell index)
                                    halted.Token
                                    ready
                                    beginning
                            with _ ->
                                // The other threads must end, and must not wait for this one.
                                halted.Cancel()
                                ready.RemoveParticipant()
                                reraise ()
                        finally
                            seconds.Over index)
            ]

        Task.WhenAll(parts |> List.map (fun part -> part :> Task)).GetAwaiter().GetResult()
        let parts = parts |> List.map _.Result

        let outcome = parts |> List.map fst |> OutcomeSum.outcome
        let engines = parts |> List.map snd
        // Every thread has measured the CPU of the whole process.
        let used = engines |> List.averageBy (fun engine -> float engine.Used)
        let spun = engines |> List.sumBy (fun engine -> float engine.Spun)

        let cores = float (min threads Environment.ProcessorCount)
        let busy = (used - spun) / (cores * 1e9 * outcome.Elapsed.TotalSeconds)

        { outcome with Busy = Math.Clamp(busy, 0.0, 1.0) }

    /// Runs a plan on threads of its own, or on this one where one is enough.
    let private runOver
        (servers: SharedServers)
        (makePoller: unit -> Poller)
        (kept: int)
        (plan: Plan)
        (tell: Second -> unit)
        (stop: CancellationToken)
        : Outcome =
        PlanCheck.check plan
        let data = Requests.data plan
        let plan = Requests.bounded data plan
        let seconds = BoundedSeconds BoundedSeconds.DefaultLimit

        let keep (second: Second) =
            seconds.Add second
            tell second

        let outcome =
            if plan.Threads = 1 then
                use session = new AttackSession(plan, plan.Share, servers, data, makePoller)
                session.Run(plan.Duration, kept, keep, stop)
            else
                let outcome = runShares servers makePoller kept plan data keep stop
                { outcome with Invalid = Validity.reasons outcome }

        { outcome with Seconds = seconds.ToList() }

    /// The same, with servers of its own.
    let internal runWith makePoller (kept: int) (plan: Plan) (tell: Second -> unit) stop : Outcome =
        runOver (SharedServers()) makePoller kept plan tell stop

    /// Raises BadInput when the host of a request cannot be found, when a request cannot be made of its data, when the data has no row
    /// for the share of the plan, or when a file of certificates cannot be used.
    let find (plan: Plan) : unit =
        TlsClient plan.Connecting |> ignore
        let data = Requests.data plan
        Requests.bounded data plan |> ignore
        (Requests.source plan Share.Whole data).Dispose()

    // The time between two tries to connect to a server.
    let private betweenTries = TimeSpan.FromMilliseconds 100.

    let private takesConnections (destination: Destination) (patience: TimeSpan) : Result<unit, string> =
        match ConnectionSocket.make destination with
        | Error error -> Error(SocketException(int error).Message)
        | Ok trial ->
            use trial = trial
            trial.Blocking <- true

            try
                if trial.ConnectAsync(destination.EndPoint).Wait patience then Ok() else Error "no answer"
            with :? AggregateException as trouble ->
                Error (trouble.GetBaseException()).Message

    /// Waits until every server of a plan takes a connection, at most `patience`. Raises RunFailed with the first server that does not,
    /// OperationCanceledException when `stop` is cancelled, and the exceptions of `find`.
    let await (plan: Plan) (patience: TimeSpan) (stop: CancellationToken) : unit =
        use source = Requests.source plan plan.Share (Requests.data plan)
        let until = DateTime.UtcNow + patience

        for destination in source.Destinations do
            let mutable isThere = false

            while not isThere do
                let left = until - DateTime.UtcNow |> max betweenTries

                match takesConnections destination left with
                | Ok() -> isThere <- true
                | Error why when DateTime.UtcNow >= until ->
                    raise (
                        RunFailed
                            $"{destination.EndPoint} takes no connections within the {Duration.showSpan patience} of --wait: {why}"
                    )
                | Error _ ->
                    if stop.WaitHandle.WaitOne betweenTries then
                        raise (OperationCanceledException())

    /// Runs a plan on a thread of its own and returns after its last response. The outcome has at most `kept` single requests, whose
    /// memory is allocated at the start. `tell` gets every second of the counted part when it ends, and what the servers have done by
    /// then. It is called on the engine's thread, and must return at once. When `stop` is cancelled, the
    /// run starts no more requests, and the outcome is of the part until then. Raises BadInput when the plan cannot be run.
    let runKeeping
        (kept: int)
        (plan: Plan)
        (tell: ServersSoFar -> Second -> unit)
        (stop: CancellationToken)
        : Outcome =
        let servers = SharedServers()

        let tell (second: Second) =
            let ends = int64 (second.At + 1) * 1_000_000_000L

            tell { HaveAnswered = servers.HaveAnswered; HoldRequests = servers.HeldAt >= ends } second

        onThread(fun () -> runOver servers Pollers.create kept plan tell stop).GetAwaiter().GetResult()

    /// The same with `usuallyKept` single requests.
    let run (plan: Plan) (tell: Second -> unit) (stop: CancellationToken) : Outcome =
        runKeeping usuallyKept plan (fun _ -> tell) stop
