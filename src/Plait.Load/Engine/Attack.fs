// The entry to the load engine: a plan in, an outcome out, in this process.
namespace Plait.Load

open System
open System.Threading
open System.Threading.Tasks

/// The connections of a plan, which stay open from one run of it to the next. For one thread.
type internal AttackSession(plan: Plan, makePoller: unit -> Poller) =
    let cycle = RequestCycle plan
    let poller = makePoller ()

    let connections =
        match plan.Model with
        | Open(_, connections)
        | Closed connections -> connections

    let pool =
        ConnectionPool(cycle.Destinations, connections, Option.toObj plan.ExpectBody, poller)

    /// Opens the connections. An error, the first one's sentence, when none of them can be opened.
    member _.Open() : Result<unit, string> =
        pool.Prepare(Clock.now () + Clock.span plan.Timeout, CancellationToken.None)

        if pool.All |> Array.exists _.IsOpen then
            Ok()
        else
            pool.All
            |> Array.tryPick (fun connection -> Option.ofObj connection.Complaint)
            |> Option.defaultValue "no connection was open in time"
            |> Error

    /// Runs the plan for so long. `room`: how many single requests the outcome holds at most.
    member _.Run(duration: TimeSpan, room: int, tell: Second -> unit, stop: CancellationToken) : Outcome =
        Engine({ plan with Duration = duration }, room, cycle, pool, poller, tell, stop).Run()

    interface IDisposable with
        member _.Dispose() =
            pool.Dispose()
            poller.Dispose()

/// Running load plans.
module Attack =
    let private mostSamples = 262144

    /// Runs a plan on this thread.
    let internal runWith
        (makePoller: unit -> Poller)
        (plan: Plan)
        (tell: Second -> unit)
        (stop: CancellationToken)
        : Outcome =
        Plan.check plan
        use session = new AttackSession(plan, makePoller)
        session.Run(plan.Duration, mostSamples, tell, stop)

    /// Raises BadInput when the host of a request cannot be found.
    let find (plan: Plan) : unit =
        for request in
            plan.Requests
            |> List.distinctBy (fun request -> request.Url.DnsSafeHost, request.Url.Port) do
            Resolve.address request.Url |> ignore

    /// Runs a plan on a thread of its own and returns when its last response is in. `tell` is given every second of the
    /// counted part as it ends, on the engine's thread: it must return at once. When `stop` is cancelled, no request is
    /// started any more and the outcome is that of what was done. Raises BadInput when the plan cannot be run.
    let run (plan: Plan) (tell: Second -> unit) (stop: CancellationToken) : Outcome =
        let work () = runWith Pollers.create plan tell stop

        Task.Factory
            .StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            .GetAwaiter()
            .GetResult()
