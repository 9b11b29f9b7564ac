// The state that a pool keeps of its connections and of the servers at their other ends: which connections are idle,
// and which requests wait on a connection that is not taken up while the server answers others. For the one thread of
// the engine.
namespace Plait.Load

open System
open System.Collections.Generic

/// A connection and its slots that are free.
[<Sealed>]
type internal PooledConnection(connection: IConnection, destination: int) as this =
    let slots = connection.Slots
    let free = Stack<RequestSlot>(Array.rev slots)
    let node = LinkedListNode<PooledConnection> this
    member _.Connection = connection
    /// Which destination it is for.
    member _.Destination = destination
    member _.Free = free
    /// Where it stands in a list of its destination; it is in one at most.
    member _.Node = node
    member _.IsIdle = free.Count = slots.Length
    /// One request more can be carried.
    member _.HasRoom = slots.Length - free.Count < connection.MaxRequests
    /// It has no socket that requests could go over.
    member this.IsShut = this.IsIdle && not connection.IsOpen && not connection.IsOpening
    /// When it became idle.
    member val IdleSince = 0L with get, set

/// Slots in the order in which their requests began. Requests that have gone on since are left out when they come first.
module internal SlotQueue =
    /// The first slot of which it is still so; null: there is none.
    let rec head (isStill: RequestSlot -> bool) (queue: Queue<RequestSlot>) : RequestSlot | null =
        if queue.Count = 0 then
            null
        elif isStill (queue.Peek()) then
            queue.Peek()
        else
            queue.Dequeue() |> ignore
            head isStill queue

    /// Adds a slot, and leaves out those at the head of which it is no longer so.
    let add (isStill: RequestSlot -> bool) (queue: Queue<RequestSlot>) (slot: RequestSlot) : unit =
        head isStill queue |> ignore
        queue.Enqueue slot

/// The state that a pool keeps of one server, which may be that of several destinations.
[<Sealed>]
type internal Server(shared: SharedServer) =
    // The least time for which a request waits on a connection without an answer while others are answered or idle; it is the usual
    // time of a response if that is longer. A connection that is not open yet gets more: opening takes a few round trips.
    static let leastPatience = 5_000_000L
    static let leastPatienceToOpen = 100_000_000L
    static let roundTripsToOpen = 4L
    // The last responses, of which the median counts.
    let times = Array.zeroCreate<int64> 15
    let mutable count = 0
    let mutable hasPublishedIdle = false
    // Slots whose request waits for the first byte of its connection: `awaiting` while the server has answered no other request since
    // and has no idle connection, `passed` after that.
    let awaiting = Queue<RequestSlot>()
    let passed = Queue<RequestSlot>()

    let patience (slot: RequestSlot) : int64 =
        if slot.IsUnsent then
            max leastPatienceToOpen (roundTripsToOpen * slot.Patience)
        else
            slot.Patience

    member _.Shared = shared
    /// The connections with room of each of its destinations, the last used one at the end.
    member val Roomy = List<LinkedList<PooledConnection>>()

    /// A response took so long.
    member _.AddResponseTime(time: int64) : unit =
        times[count % times.Length] <- time
        count <- count + 1

    /// How long a response takes usually.
    member _.UsualResponseTime: int64 =
        match min count times.Length with
        | 0 -> 0L
        | known ->
            let sorted = Array.sub times 0 known
            Array.sortInPlace sorted
            sorted[known / 2]

    /// This thread has an idle connection to it.
    member this.HasIdle: bool =
        this.Roomy.Exists(fun roomy ->
            roomy |> Seq.exists (fun held -> held.IsIdle && held.Connection.IsOpen))

    /// Publishes to the other threads whether this one has an idle connection.
    member _.PublishIdle(isIdle: bool) : unit =
        if isIdle <> hasPublishedIdle then
            hasPublishedIdle <- isIdle
            shared.AddIdle(if isIdle then 1 else -1)

    /// Another thread has an idle connection to it.
    member _.OthersHaveIdle: bool = shared.Idle > (if hasPublishedIdle then 1 else 0)

    /// A request goes over a connection that has not answered yet.
    member _.Waits(slot: RequestSlot) : unit =
        SlotQueue.add _.AwaitsFirstByte awaiting slot

    /// The server serves others: requests that still wait for a first byte are passed over from now on.
    member this.Pass(now: int64) : unit =
        let mutable next = SlotQueue.head _.AwaitsFirstByte awaiting

        while not (isNull next) do
            let slot = awaiting.Dequeue()
            slot.PassedSince <- now
            slot.Patience <- max leastPatience this.UsualResponseTime
            passed.Enqueue slot
            next <- SlotQueue.head _.AwaitsFirstByte awaiting

    /// Some request may have been passed over.
    member _.HasPassed = passed.Count > 0

    /// The request that is passed over for longest has no patience left.
    member _.IsOverdue(now: int64) : bool =
        match SlotQueue.head _.AwaitsFirstByte passed with
        | null -> false
        | slot -> now - slot.PassedSince >= patience slot

    /// A connection was closed for the request that waits longest. If that does not help, the request waits for twice as long.
    member _.RestartPatience(now: int64) : unit =
        let slot = passed.Dequeue()
        slot.WaitedForClose <- true
        slot.PassedSince <- now
        slot.Patience <- 2L * slot.Patience
        passed.Enqueue slot

/// The state that a pool keeps of the connections to one destination.
[<Sealed>]
type internal DestinationPool(server: Server) =
    let unsent = Queue<RequestSlot>()
    member _.Server = server
    /// Connections with room, the last used one at the end.
    member val Roomy = LinkedList<PooledConnection>()
    /// Connections that were closed, to be opened again.
    member val Shut = LinkedList<PooledConnection>()

    /// A connection may have room: requests are handed to it again.
    member this.Offer(held: PooledConnection) : unit =
        if isNull held.Node.List && held.HasRoom then
            this.Roomy.AddLast held.Node

    /// A connection was closed.
    member this.Closed(held: PooledConnection) : unit =
        this.Roomy.Remove held.Node
        this.Shut.AddLast held.Node

    /// How many connections there are in all.
    member val Count = 0 with get, set
    member val Limit = StreamLimit()
    /// When one became free after there was none.
    member val FreedAt = Int64.MinValue with get, set
    /// A request waits for its connection.
    member _.Waits(slot: RequestSlot) : unit = SlotQueue.add _.IsUnsent unsent slot

    /// Some request waits for its connection.
    member _.HasWaiting = not (isNull (SlotQueue.head _.IsUnsent unsent))

    /// Takes out the one of these that waits for longest.
    member _.TakeWaiting() : RequestSlot = unsent.Dequeue()
