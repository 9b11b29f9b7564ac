// The state that a pool keeps of its connections and of the servers at their other ends: which connections are idle,
// and which requests wait on a connection that is not taken up while the server answers others. For the one thread of
// the engine.
namespace Plait.Load

open System
open System.Collections.Generic

/// A connection and its lanes that are free.
[<Sealed>]
type internal Held(carrier: ICarrier, place: int) as this =
    let lanes = carrier.Lanes
    let free = Stack<Lane>(Array.rev lanes)
    let node = LinkedListNode<Held> this
    member _.Carrier = carrier
    /// Which destination it is for.
    member _.Place = place
    member _.Free = free
    /// Where it stands in a list of its place; it is in one at most.
    member _.Node = node
    member _.IsIdle = free.Count = lanes.Length
    /// One request more can be carried.
    member _.HasRoom = lanes.Length - free.Count < carrier.Most
    /// It has no socket that requests could go over.
    member this.IsShut = this.IsIdle && not carrier.IsOpen && not carrier.IsOpening
    /// When it became idle.
    member val IdleSince = 0L with get, set

/// Lanes in the order in which their requests began. Requests that have gone on since are left out when they come first.
module internal LaneQueue =
    /// The first lane of which it is still so; null: there is none.
    let rec head (isStill: Lane -> bool) (queue: Queue<Lane>) : Lane | null =
        if queue.Count = 0 then
            null
        elif isStill (queue.Peek()) then
            queue.Peek()
        else
            queue.Dequeue() |> ignore
            head isStill queue

    /// Adds a lane, and leaves out those at the head of which it is no longer so.
    let add (isStill: Lane -> bool) (queue: Queue<Lane>) (lane: Lane) : unit =
        head isStill queue |> ignore
        queue.Enqueue lane

/// The state that a pool keeps of one server, which may be that of several destinations.
[<Sealed>]
type internal Server(shared: SharedServer) =
    // How long a request waits on a connection that has not answered yet while others are answered or idle; or as long as a response
    // takes usually. Where it is not open yet: that takes a few round trips.
    static let leastPatience = 5_000_000L
    static let leastPatienceToOpen = 100_000_000L
    static let roundTripsToOpen = 4L
    // As many responses as their middle one needs to be no chance.
    let times = Array.zeroCreate<int64> 15
    let mutable count = 0
    let mutable hasToldIdle = false
    // Lanes whose request goes over a connection that has not answered yet, while no other request was answered since and no other
    // connection was idle; and the same when that was so.
    let unheard = Queue<Lane>()
    let passed = Queue<Lane>()

    let patience (lane: Lane) : int64 =
        if lane.IsUnsent then
            max leastPatienceToOpen (roundTripsToOpen * lane.Patience)
        else
            lane.Patience

    member _.Shared = shared
    /// The connections with room of each of its destinations, those that were used last at the end.
    member val Roomy = List<LinkedList<Held>>()

    /// A response took so long.
    member _.Took(time: int64) : unit =
        times[count % times.Length] <- time
        count <- count + 1

    /// How long a response takes usually.
    member _.Usual: int64 =
        match min count times.Length with
        | 0 -> 0L
        | known ->
            let sorted = Array.sub times 0 known
            Array.sortInPlace sorted
            sorted[known / 2]

    /// This thread has an idle connection to it.
    member this.HasIdle: bool =
        this.Roomy.Exists(fun roomy -> roomy |> Seq.exists (fun held -> held.IsIdle && held.Carrier.IsOpen))

    /// Tells the other threads whether this one has.
    member _.TellIdle(isIdle: bool) : unit =
        if isIdle <> hasToldIdle then
            hasToldIdle <- isIdle
            shared.Holds(if isIdle then 1 else -1)

    /// Other threads have told the same.
    member _.OthersHaveIdle: bool = shared.Idle > (if hasToldIdle then 1 else 0)

    /// A request goes over a connection that has not answered yet.
    member _.Waits(lane: Lane) : unit = LaneQueue.add _.IsUnheard unheard lane

    /// Others are served, and those that wait since then are not.
    member this.Pass(now: int64) : unit =
        let mutable next = LaneQueue.head _.IsUnheard unheard

        while not (isNull next) do
            let lane = unheard.Dequeue()
            lane.PassedSince <- now
            lane.Patience <- max leastPatience this.Usual
            passed.Enqueue lane
            next <- LaneQueue.head _.IsUnheard unheard

    /// Some request may have been passed over.
    member _.HasPassed = passed.Count > 0

    /// The request that is passed over for longest has waited long enough.
    member _.IsOverdue(now: int64) : bool =
        match LaneQueue.head _.IsUnheard passed with
        | null -> false
        | lane -> now - lane.PassedSince >= patience lane

    /// A connection was closed for that request. It may not have been the one that was missing: it waits again, for longer.
    member _.WasRelieved(now: int64) : unit =
        let lane = passed.Dequeue()
        lane.PassedSince <- now
        lane.Patience <- 2L * lane.Patience
        passed.Enqueue lane

/// The state that a pool keeps of the connections to one destination.
[<Sealed>]
type internal Peers(server: Server) =
    let unsent = Queue<Lane>()
    member _.Server = server
    /// Connections with room, those that were used last at the end.
    member val Roomy = LinkedList<Held>()
    /// Connections that were closed, to be opened again.
    member val Shut = LinkedList<Held>()
    /// How many connections there are in all.
    member val Count = 0 with get, set
    member val Limit = StreamLimit()
    /// When one became free after there was none.
    member val FreedAt = Int64.MinValue with get, set
    /// A request waits for its connection.
    member _.Waits(lane: Lane) : unit = LaneQueue.add _.IsUnsent unsent lane

    /// Some request waits for its connection.
    member _.HasWaiting = not (isNull (LaneQueue.head _.IsUnsent unsent))

    /// Takes out the one of these that waits for longest.
    member _.TakeWaiting() : Lane = unsent.Dequeue()
