// Pure: the options in which two shares of a load differ. All shares have the same, except for the settings of each machine: every
// field of a plan is compared that is not left out here.
module internal Plait.Load.ShareDifferences

open System
open System.Text.Json
open System.Text.Json.Nodes

/// The options whose keys in the JSON of a plan are other words. A key without a line here is an option of that name.
let private words =
    Map.ofList
        [
            "asks", "requests (URL, --method, --header, --body, --targets)"
            "maxRequests", "--requests"
            "protocol", "--http2 or --streams"
            "grows", "--connections or --max-connections"
            "keepsAlive", "--no-keepalive"
            "authorities", "--cacert"
            "clientCertificate", "--cert"
            "order", "--data-order"
        ]

/// "--warm-up" of warmUpSeconds.
let private option (key: string) : string =
    match Map.tryFind key words with
    | Some words -> words
    | None ->
        let name =
            if key.EndsWith("Seconds", StringComparison.Ordinal) then
                key.Substring(0, key.Length - 7)
            else
                key

        "--" + JsonNamingPolicy.KebabCaseLower.ConvertName name

/// Two shares are of one rate or of one number of connections. Where the limits of a machine set the connections that an open load
/// may have at most, they are that machine's own, and fewer than those of a machine whose limits suffice.
let private isSameModel (one: Plan) (other: Plan) : bool =
    match one.Model, other.Model with
    | Open(arrivals, count), Open(others, most) ->
        let isOwn =
            match one.Connecting.Bound, other.Connecting.Bound with
            | Some _, Some _ -> true
            | Some _, None -> count <= most
            | None, Some _ -> most <= count
            | None, None -> false

        arrivals = others && (count = most || isOwn)
    | model, other -> model = other

/// A plan without the parts that are the machine's own. Its files lie where they are on that machine; rules and the limit of own
/// lag judge a run, and make no load. The time of the start is by the machine's clock.
let private shared (plan: Plan) : Plan =
    { plan with
        Share = Share.Whole
        Threads = 1
        StartAt = None
        Rules = []
        MaxLag = None
        Data = plan.Data |> Option.map (fun data -> { data with File = "" })
        Connecting =
            { plan.Connecting with
                Bound = None
                Authorities = plan.Connecting.Authorities |> Option.map (fun _ -> "")
                ClientCertificate =
                    plan.Connecting.ClientCertificate |> Option.map (fun _ -> { Certificate = ""; Key = "" })
            }
    }

let rec private differing (one: JsonObject) (other: JsonObject) : string list =
    let keys = Seq.append one other |> Seq.map _.Key |> Seq.distinct |> List.ofSeq

    [
        for key in keys do
            match one[key], other[key] with
            | (:? JsonObject as one), (:? JsonObject as other) -> yield! differing one other
            | one, other when JsonNode.DeepEquals(one, other) -> ()
            | _ -> option key
    ]

/// The options in which the loads differ of which these are shares, but for the time of the start.
let ofPlans (one: Plan) (other: Plan) : string list =
    let part (plan: Plan) =
        (OutcomeJson.part { shared plan with Model = one.Model }).AsObject()

    [
        if not (isSameModel one other) then
            "rate or connections"

        yield! differing (part one) (part other)
    ]

/// The options in which two whole runs differ, but for those that make the load of each: its rate or connections, its number of
/// requests, and the seed of its random numbers.
let ofWholes (one: Plan) (other: Plan) : string list =
    ofPlans
        one
        { other with
            Model = one.Model
            MaxRequests = one.MaxRequests
            Seed = one.Seed
            Connecting = { other.Connecting with Bound = one.Connecting.Bound }
        }

/// Whether two shares were to begin at one moment. `clock`: how the machine of the other stands to that of the one; times that
/// differ by as much as the clocks do are one moment.
let isOneStart (clock: MachineClocks.ClockComparison) (one: Plan) (other: Plan) : bool =
    match one.StartAt, other.StartAt with
    | Some time, Some later ->
        let apart = (later - time).Ticks * 100L
        let most = MachineClocks.mostUnnamed

        abs apart <= most
        || clock.Bounds
           |> Option.exists (fun bounds -> bounds.Low - most <= apart && apart <= bounds.High + most)
    | time, later -> time = later
