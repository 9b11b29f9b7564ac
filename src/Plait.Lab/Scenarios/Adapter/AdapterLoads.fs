// The routes under loads: a load as a plan and in words, and every load on every route, a fresh process for each
// route, routes and loads in an order drawn from the seed.
namespace Plait.Lab

open System
open System.Diagnostics
open System.Globalization
open System.Threading

open Plait.Load

/// The outcome of a route under a load.
type AdapterCell =
    {
        Route: string
        Load: AdapterLoad
        Outcome: Outcome
        /// The share of a core that the route's process used, warm-up included.
        ServerBusy: float
        /// The share of a core that the card service used.
        UpstreamBusy: float
    }

    /// Whether the engine vouches for the figures.
    member this.IsValid = this.Outcome.Doubts.IsEmpty

/// Loads as plans and as words.
module AdapterCell =
    let private shown (value: float) =
        value.ToString("#,0", CultureInfo.InvariantCulture)

    /// The load in words. `capacity`: that of the base, in requests a second.
    let words (capacity: float option) (load: AdapterLoad) : string =
        match load, capacity with
        | AsPublished rate, _ -> $"{shown rate}/s"
        | OfCapacity share, Some capacity -> $"{100.0 * share:F0} %% ({shown (share * capacity)}/s)"
        | OfCapacity share, None -> $"{100.0 * share:F0} %%"
        | ClosedBy connections, _ -> $"closed, {connections}"

    /// The load as an anchor on a page.
    let anchor (load: AdapterLoad) : string =
        match load with
        | AsPublished rate -> $"rate-{rate:F0}"
        | OfCapacity share -> $"capacity-{100.0 * share:F0}"
        | ClosedBy connections -> $"closed-{connections}"

    // So many are in flight at most in the open loads; a request that finds none free waits, and the wait is counted.
    let private openConnections = 64

    /// The plan of a load; None: it is a share of a capacity that was not measured.
    let plan
        (settings: AdapterSettings)
        (capacity: float option)
        (seconds: float)
        (load: AdapterLoad)
        (url: string)
        (body: string)
        : Plan option =
        let model =
            match load, capacity with
            | AsPublished rate, _ -> Some(Open(Constant rate, openConnections))
            | OfCapacity share, Some capacity -> Some(Open(Poisson(share * capacity), openConnections))
            | OfCapacity _, None -> None
            | ClosedBy connections, _ -> Some(Closed connections)

        model
        |> Option.map (fun model ->
            { Plan.ofOne (HttpRequest.Get url) body model with
                Duration = TimeSpan.FromSeconds seconds
                WarmUp = TimeSpan.FromSeconds(min settings.LoadWarmUpSeconds seconds)
                Timeout = TimeSpan.FromMilliseconds(float settings.Pairs.PatienceMilliseconds / 2.0)
                Seed = settings.Pairs.Seed
            })

/// The shared parts of the loads of a run.
type internal LoadContext =
    {
        Settings: AdapterSettings
        Scenario: Scenario
        Placement: Affinity.Placement
        /// The card service.
        Upstream: CandidateProcess
        Generator: AttackProcess
        Stop: CancellationToken
        Tell: Progress -> unit
    }

/// Running the loads. A route whose process fails is left there, the others go on.
module internal AdapterLoads =
    // A fresh process of a route that answers rightly, and where it is asked.
    let private start (context: LoadContext) (row: RowPlan) : CandidateProcess * string =
        let patience = context.Settings.Pairs.PatienceMilliseconds

        let route =
            Start.row patience row CandidateProcess.Variables context.Placement.Server

        Started.andThen route (fun () ->
            route, AnswerCheck.overHttp context.Scenario patience (MeasuredRow row) route)

    let private cell (context: LoadContext) (route: CandidateProcess) name load (plan: Plan) : AdapterCell =
        let before = route.Usage(), context.Upstream.Usage()
        let started = Stopwatch.GetTimestamp()
        let outcome = context.Generator.Run(plan, ignore, context.Stop)
        let wall = (Stopwatch.GetElapsedTime started).TotalMicroseconds
        let after = route.Usage(), context.Upstream.Usage()

        let busy (select: Usage * Usage -> Usage) =
            ((select after).CpuMicroseconds - (select before).CpuMicroseconds) / wall

        {
            Route = name
            Load = load
            Outcome = outcome
            ServerBusy = busy fst
            UpstreamBusy = busy snd
        }

    // Compiled code and open connections to the card service, before anything counts.
    let private warm (context: LoadContext) url body seconds =
        AdapterCell.plan context.Settings None seconds (ClosedBy 16) url body
        |> Option.iter (fun plan ->
            context.Generator.Run({ plan with WarmUp = TimeSpan.Zero }, ignore, context.Stop)
            |> ignore)

    /// How long the next of `left` loads may take, warm-up aside, when `routes` more processes have to be warmed.
    let seconds (settings: AdapterSettings) (spent: float) (left: int) (routes: int) : float =
        match settings.BudgetSeconds with
        | None -> settings.LoadSeconds
        | Some budget ->
            // starting a process and warming it, and the time around a load
            let warmth = float settings.Pairs.HttpWarmUp.FloorMilliseconds / 1000.0
            let rest = budget - spent - (0.9 + warmth) * float routes - 0.15 * float left
            Math.Clamp(rest / float (max 1 left) - settings.LoadWarmUpSeconds, 0.4, settings.LoadSeconds)

    /// The step that a cell is, in progress.
    let phase capacity load =
        $"load {AdapterCell.words capacity load}"

    /// Runs every load on every route. `spent`: seconds since the run began; `into` takes each cell as it comes; `fail` gets
    /// each route that failed.
    let run
        (context: LoadContext)
        (capacity: float option)
        (rows: RowPlan list)
        (spent: unit -> float)
        (into: AdapterCell -> unit)
        (fail: string -> string -> unit)
        : unit =
        let settings = context.Settings
        let random = Order.random settings.Pairs.Seed "loads"

        let loads =
            settings.Loads
            |> List.filter (function
                | OfCapacity _ -> capacity.IsSome
                | _ -> true)

        context.Tell(Began(rows.Length * loads.Length))

        for index, row in Order.shuffle random rows |> Seq.indexed do
            context.Stop.ThrowIfCancellationRequested()
            let over = ref 0

            let giveUp sentence =
                fail row.Id sentence
                context.Tell(Dropped(loads.Length - over.Value))
                context.Tell(Noticed $"{row.Id} is not loaded further: {sentence}")

            Failures.ofRow context.Stop row.Id giveUp (fun () ->
                let route, url = start context row
                use route = route
                let body = context.Scenario.BodyOf row.Id
                context.Tell(Doing(row.Id, 0, "warming up"))
                let warmth = float settings.Pairs.HttpWarmUp.FloorMilliseconds / 1000.0
                warm context url body warmth

                for load in Order.shuffle random loads do
                    context.Stop.ThrowIfCancellationRequested()
                    context.Tell(Doing(row.Id, 0, phase capacity load))
                    let left = (rows.Length - index) * loads.Length - over.Value
                    let length = seconds settings (spent ()) left (rows.Length - index - 1)

                    AdapterCell.plan settings capacity length load url body
                    |> Option.iter (fun plan -> into (cell context route row.Id load plan))

                    over.Value <- over.Value + 1
                    context.Tell(Did(row.Id, 0, phase capacity load, None)))
