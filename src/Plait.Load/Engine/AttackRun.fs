// The entry to the load engine: a plan in, an outcome out, in this process.
module Plait.Load.Attack


open System.Threading
open System.Threading.Tasks

/// Runs a plan on this thread. `poller` is disposed of at the end.
let internal runWith
    (poller: Poller)
    (plan: Plan)
    (tell: Second -> unit)
    (stop: CancellationToken)
    : Outcome =
    use poller = poller
    Check.plan plan
    let engine = Engine(plan, tell, stop, poller)

    try
        engine.Run()
    finally
        engine.Dispose()

/// Raises BadInput when a plan cannot be run.
let check (plan: Plan) : unit = Check.plan plan

/// Raises BadInput when the host of a request cannot be found.
let find (plan: Plan) : unit =
    for ask in plan.Asks |> List.distinctBy (fun ask -> ask.Url.DnsSafeHost, ask.Url.Port) do
        Resolve.address ask.Url |> ignore

/// Runs a plan on a thread of its own and returns when its last response is in. `tell` is given every second of the counted
/// part as it ends, on the engine's thread: it must return at once. When `stop` is cancelled, no request is started any more
/// and the outcome is that of what was done. Raises BadInput when the plan cannot be run.
let run (plan: Plan) (tell: Second -> unit) (stop: CancellationToken) : Outcome =
    let work () =
        runWith (Pollers.create ()) plan tell stop

    Task.Factory
        .StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
        .GetAwaiter()
        .GetResult()
