// One route under one load: the plan for the load generator, and what came of it.
namespace Plait.Lab.Scenarios

open System
open System.Globalization
open System.Text

open Plait.Load

/// What a route did under a load.
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
    member this.IsValid = this.Outcome.Invalid.IsEmpty

/// Loads as plans and as words.
module AdapterCell =
    let private shown (value: float) =
        value.ToString("#,0", CultureInfo.InvariantCulture)

    /// The load in words. `capacity`: what the base can do, in requests a second.
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

    // So many are in flight at most in the open loads; what finds none free waits, and the wait is counted.
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
            {
                Asks = [ { Method = "GET"; Url = Uri url; Headers = []; Body = [||] } ]
                Model = model
                Duration = TimeSpan.FromSeconds seconds
                WarmUp = TimeSpan.FromSeconds(min settings.LoadWarmUpSeconds seconds)
                Timeout = TimeSpan.FromMilliseconds(float settings.Pairs.PatienceMilliseconds / 2.0)
                ExpectStatus = [ 200 ]
                ExpectBody = Some(Encoding.UTF8.GetBytes body)
                Seed = settings.Pairs.Seed
                Insecure = false
            })

    /// Right responses that took longer than 100 ms by the intended clock.
    let slow (outcome: Outcome) : int64 =
        outcome.Intended.Buckets
        |> Seq.filter (fun bucket -> bucket.Lowest > 100_000_000L)
        |> Seq.sumBy _.Count
