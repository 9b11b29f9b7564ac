// The settings of the adapter scenario: its service, the defects of the original that are on, and the loads.
namespace Plait.Lab

open Plait.Lab.Cards

/// A defect of the published measurement that can be turned on.
type Defect =
    /// An HttpClient for each request, and so a connection for each.
    | ClientPerRequest
    /// The web framework's lines on the console for each request.
    | ConsoleLogging
    /// The routes' bodies differ by a byte or two.
    | UnequalBodies
    /// The load generator and the card service run on the server's core.
    | SharedCore

module Defect =
    /// All of them.
    let all = [ ClientPerRequest; ConsoleLogging; UnequalBodies; SharedCore ]

    /// The name on the command line.
    let name defect =
        match defect with
        | ClientPerRequest -> "client-per-request"
        | ConsoleLogging -> "console-logging"
        | UnequalBodies -> "unequal-bodies"
        | SharedCore -> "shared-core"

    /// Its description.
    let words defect =
        match defect with
        | ClientPerRequest -> "an HttpClient for each request"
        | ConsoleLogging -> "console logging"
        | UnequalBodies -> "bodies of unequal length"
        | SharedCore -> "client and card service on the server's core"

/// A load whose latencies are measured.
type AdapterLoad =
    /// So many requests a second, evenly spaced, as published.
    | AsPublished of perSecond: float
    /// At random, at a share of the base's capacity.
    | OfCapacity of share: float
    /// So many connections, each asking again when it is answered.
    | ClosedBy of connections: int

/// The settings of the scenario.
type AdapterSettings =
    {
        /// How pairs are measured.
        Pairs: Settings
        /// The behaviour of the card service.
        Delay: Delay
        /// The share of requests that the card service fails.
        ErrorRate: float
        /// The defects that are on.
        Defects: Defect list
        /// Whether the effect of each defect that is on is measured.
        Effects: bool
        /// The loads.
        Loads: AdapterLoad list
        /// Seconds of each load.
        LoadSeconds: float
        /// Seconds before that are not counted.
        LoadWarmUpSeconds: float
        /// Seconds that everything should end in, if it should: loads are made shorter when it is late.
        BudgetSeconds: float option
    }

    /// The arguments of the card service.
    member this.Service: CardServiceSettings =
        { Seed = this.Pairs.Seed; Delay = this.Delay; ErrorRate = this.ErrorRate }

/// The presets, and the ranges of the settings.
module AdapterSettings =
    let private loads =
        [
            AsPublished 500.0
            AsPublished 1000.0
            OfCapacity 0.3
            OfCapacity 0.6
            OfCapacity 0.9
            ClosedBy 16
            ClosedBy 64
        ]

    /// About half an hour for nine routes.
    let full =
        {
            Pairs = { Settings.full with Connections = 16; InProcess = false; BudgetSeconds = Some 900.0 }
            Delay = Immediate
            ErrorRate = 0.0
            Defects = []
            Effects = false
            Loads = loads
            LoadSeconds = 10.0
            LoadWarmUpSeconds = 2.0
            BudgetSeconds = None
        }

    /// Under three minutes for nine routes: of the loads, those of the publication and one of each other kind.
    let quick =
        { full with
            Pairs =
                { full.Pairs with
                    Launches = 3
                    Width = None
                    Pairs = 6
                    SliceMilliseconds = 80
                    HttpWarmUp = { FloorMilliseconds = 1000; LimitMilliseconds = 2000 }
                    BudgetSeconds = Some 90.0
                }
            Loads = [ AsPublished 500.0; AsPublished 1000.0; OfCapacity 0.6; ClosedBy 16 ]
            LoadSeconds = 1.5
            LoadWarmUpSeconds = 0.25
            BudgetSeconds = Some 165.0
        }

    /// Smallest and largest value of each setting.
    let ranges = {| Rate = (1, 1_000_000); LoadMilliseconds = (1000, 3_600_000) |}
