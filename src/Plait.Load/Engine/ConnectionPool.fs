// The connections of a run: opened when a request needs one, handed out again, and closed when nothing needs them any more. For
// the one thread of the engine.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Net
open System.Threading

/// All connections, and their free slots. `most`: the maximum of connections to each destination; `first`: the number that is opened
/// before a run, for each server if the pool grows; `grows`: the others are opened when a request needs them, and idle ones are
/// closed.
type internal ConnectionPool
    (
        destinations: Destination[],
        servers: SharedServers,
        connecting: ConnectionOptions,
        most: int,
        first: int,
        grows: bool,
        expected: byte[] | null,
        expects408: bool,
        poller: Poller
    ) =
    let destinations = List<Destination> destinations
    let connections = List<IConnection>()
    let pooled = List<PooledConnection>()
    let slots = List<RequestSlot>()
    // For each destination, in their order.
    let pools = List<DestinationPool>()
    let known = Dictionary<EndPoint, Server>()
    let parked = Queue<RequestSlot>()
    // The connections that have something to send.
    let unflushed = List<IConnection>()

    let context =
        {
            Options = connecting
            Tls = TlsClient connecting
            Poller = poller
            ExpectedBody = expected
            Expects408 = expects408
            Connects = Histogram()
            Violations = Violations()
        }

    let maxInFlight =
        match connecting.Protocol with
        | Http1 -> most
        | Http2 streams -> int (min (int64 most * int64 streams) (int64 Int32.MaxValue))

    let mutable inFlight = 0
    let mutable openings = 0
    let idle = IdleConnections(pools, known.Values)

    let offer (held: PooledConnection) = pools[held.Destination].Offer held

    let grow (number: int) : PooledConnection =
        let id = connections.Count
        let destination = destinations[number]
        let pool = pools[number]

        let connection: IConnection =
            match connecting.Protocol with
            | Http1 -> new HttpConnection(id, number, destination, context)
            | Http2 streams ->
                new Http2Connection(
                    id,
                    number,
                    destination,
                    context,
                    streams,
                    pool.Limit,
                    (fun () -> offer pooled[id]),
                    unflushed,
                    Int32.MaxValue
                )

        connections.Add connection
        pool.Count <- pool.Count + 1
        let held = PooledConnection(connection, number)
        pooled.Add held
        slots.AddRange held.Free
        held

    let addPool (destination: Destination) =
        let server =
            match known.TryGetValue destination.EndPoint with
            | true, server -> server
            | _ ->
                let server = Server(servers.Of destination.EndPoint)
                known.Add(destination.EndPoint, server)
                server

        let pool = DestinationPool server
        server.Roomy.Add pool.Roomy
        pools.Add pool

    do
        for number in 0 .. destinations.Count - 1 do
            addPool destinations[number]

            if not grows || pools[number].Server.Roomy.Count = 1 then
                for _ in 1..first do
                    grow number |> offer

    let openedFirst = connections.Count

    /// The connection that is next for a request; null: none has room. A pool that grows hands out the last one used,
    /// so that spare ones stay idle; a pool of a fixed number uses them in turn.
    let rec next (pool: DestinationPool) : LinkedListNode<PooledConnection> | null =
        let node = if grows then pool.Roomy.Last else pool.Roomy.First

        match node with
        | null -> null
        | node when not node.Value.HasRoom ->
            // It may be one more than the server allows by now.
            pool.Roomy.Remove node
            next pool
        | node when grows && node.Value.IsShut ->
            pool.Closed node.Value
            next pool
        | node -> node

    /// The next request would go over a connection that is open.
    let hasOpen (pool: DestinationPool) =
        match next pool with
        | null -> false
        | node -> node.Value.Connection.IsOpen

    let hasRoom (pool: DestinationPool) =
        not (isNull (next pool)) || pool.Shut.Count > 0

    // Another connection to a server that allows no streams is of no use.
    let canGrow (pool: DestinationPool) =
        pool.Count < most && (pool.Count = 0 || pool.Limit.MaxStreams > 0)

    let canTake (pool: DestinationPool) =
        inFlight < maxInFlight && (hasRoom pool || canGrow pool)

    let take (number: int) : RequestSlot =
        let pool = pools[number]

        let held =
            match next pool with
            | null ->
                match pool.Shut.Last with
                | null -> grow number
                | node ->
                    pool.Shut.Remove node
                    node.Value
            | node ->
                pool.Roomy.Remove node
                node.Value

        if not held.Connection.IsOpen then
            openings <- openings + 1

        inFlight <- inFlight + 1
        let slot = held.Free.Pop()
        offer held
        slot

    let giveBack (slot: RequestSlot) (now: int64) =
        let held = pooled[slot.Connection]
        held.Free.Push slot

        if held.IsIdle then
            held.IdleSince <- now

        held

    /// Makes ready for a run: opens the connections that it begins with, and waits until each is open or cannot be, at most
    /// until `limit`. A connection that is not open by then opens when a request needs it.
    member this.Prepare(limit: int64, stop: CancellationToken) : unit =
        // Times of the run before do not count in this one.
        context.Connects.Clear()
        context.Violations.Clear()

        for pool in pools do
            pool.FreedAt <- Int64.MinValue
            pool.Server.Shared.Reset()

        this.Unpark Int64.MaxValue

        let over = List<RequestSlot>()
        // The queue of many a listener holds no more.
        let atOnce = 64
        let mutable next = 0
        let mutable opening = 0

        let count = if grows then openedFirst else connections.Count

        let open' () =
            while next < count && opening < atOnce do
                connections[next].Open()

                if connections[next].IsOpening then
                    opening <- opening + 1

                next <- next + 1

        open' ()

        while opening > 0 && Clock.now () < limit && not stop.IsCancellationRequested do
            for index in 0 .. poller.Wait 10_000_000L - 1 do
                let token = poller.Token index
                connections[Token.id token].Handle(token, poller.Readable index, poller.Writable index, over)

            this.Flush over
            opening <- connections |> Seq.sumBy (fun connection -> if connection.IsOpening then 1 else 0)
            open' ()

    /// Every connection, by its number.
    member _.Connections = connections

    /// How many of them were open at some time.
    member _.Opened =
        connections |> Seq.sumBy (fun connection -> if connection.WasOpen then 1 else 0)

    /// The time of each connect of this run, TLS included.
    member _.Connects = context.Connects

    /// The protocol errors of servers between requests of this run.
    member _.Violations = context.Violations

    /// Every slot.
    member _.Slots = slots
    /// Connections are opened when a request needs them. In other pools no request waits for one while another is free.
    member _.Grows = grows
    /// Requests that are being carried.
    member _.InFlight = inFlight
    /// How many can be.
    member _.MaxInFlight = maxInFlight
    /// How often a slot was taken whose connection was not open.
    member _.Openings = openings

    /// The fewest streams that a destination allows on each connection; None: none has set a bound.
    member _.AllowedStreams: int option =
        match pools |> Seq.map _.Limit.MaxStreams |> Seq.min with
        | Int32.MaxValue -> None
        | allowed -> Some allowed

    /// A request to this destination can be taken up.
    member _.CanTake(destination: int) = canTake pools[destination]

    /// A request to this destination can be taken up by a connection that is open.
    member _.HasOpen(destination: int) =
        inFlight < maxInFlight && hasOpen pools[destination]

    /// How long a response of this destination takes usually; 0: there was none yet.
    member _.UsualResponseTime(destination: int) : int64 =
        pools[destination].Server.UsualResponseTime

    /// A slot to this destination: one of an open connection where there is one, else of one that is to be opened.
    member _.Take(destination: int) : RequestSlot = take destination

    /// The request of a slot has begun, and goes on.
    member _.Began(slot: RequestSlot) : unit =
        if grows then
            let pool = pools[slot.Destination]

            if slot.IsUnsent then
                pool.Waits slot

            if slot.AwaitsFirstByte then
                pool.Server.Waits slot

    /// Its server has sent nothing over its connection, and has answered other requests since it was sent.
    member _.IsPassedOver(slot: RequestSlot) : bool =
        slot.AwaitsFirstByte && pools[slot.Destination].Server.Shared.AnsweredAt > slot.Sent

    /// Notes whether a server holds a request at the end of a second that was sent before that second.
    member _.NoteHeld(secondEnds: int64) : unit =
        let isHeld (slot: RequestSlot) =
            not slot.IsFree && not slot.IsUnsent && slot.Sent < secondEnds - 1_000_000_000L

        if inFlight > 0 && slots.Exists isHeld then
            servers.Hold secondEnds

    /// Its server has answered no request of this run.
    member _.IsSilent(slot: RequestSlot) : bool =
        pools[slot.Destination].Server.Shared.AnsweredAt = Int64.MinValue

    /// A slot whose request waits for its connection although one of another connection is free; null: there is none.
    member _.Waiting(number: int) : RequestSlot | null =
        let pool = pools[number]

        if pool.HasWaiting && hasOpen pool then pool.TakeWaiting() else null

    /// The request of a slot goes over another one: the slot was not used.
    member _.PutBack(slot: RequestSlot, now: int64) : unit =
        inFlight <- inFlight - 1
        let held = giveBack slot now

        // Connections that have answered are used before it.
        if isNull held.Node.List && held.HasRoom then
            pools[held.Destination].Roomy.AddFirst held.Node

    /// Sends the bytes that connections have put together. Slots whose request is over by it are added to `over`.
    member _.Flush(over: List<RequestSlot>) : unit =
        let mutable next = 0

        // One may enter itself again.
        while next < unflushed.Count do
            unflushed[next].Flush over
            next <- next + 1

        unflushed.Clear()

    /// The index of a destination, which is added if it is new.
    member _.DestinationOf(destination: Destination) : int =
        let known = destinations.IndexOf destination

        if known >= 0 then
            known
        else
            destinations.Add destination
            addPool destination
            destinations.Count - 1

    /// The last time at which a slot for this destination became free after there was none: before it, no request
    /// could be sent.
    member _.FreeSince(destination: int) = pools[destination].FreedAt

    /// Its request is over.
    member _.Return(slot: RequestSlot, now: int64) : unit =
        let pool = pools[slot.Destination]

        if inFlight >= maxInFlight then
            for pool in pools do
                pool.FreedAt <- now
        elif not (canTake pool) then
            pool.FreedAt <- now

        inFlight <- inFlight - 1
        giveBack slot now |> offer

        if slot.Status > 0 then
            pool.Server.Shared.Answered now

            if grows then
                // A request that waited for the closing of another connection does not count: the usual time would grow each time.
                if slot.PassedSince < slot.Sent then
                    pool.Server.AddResponseTime(now - slot.Sent)

                pool.Server.Pass now

    /// Closes an idle connection to the server of this destination for each request that waits for that.
    member _.Relieve(destination: int, now: int64) : unit =
        idle.Relieve(pools[destination].Server, now)

    /// Its request is over, and it is not to be used for a moment: no server listens there.
    member _.Park(slot: RequestSlot, now: int64) : unit =
        inFlight <- inFlight - 1
        slot.ParkedAt <- now
        parked.Enqueue slot

    /// Slots that were parked before `limit` may be used again.
    member _.Unpark(limit: int64) : unit =
        while parked.Count > 0 && parked.Peek().ParkedAt <= limit do
            let slot = parked.Dequeue()
            giveBack slot slot.ParkedAt |> offer

    /// Closes connections that are idle for too long. Returns the next time at which to look for them.
    member _.CloseIdle(now: int64) : int64 = idle.Close now

    member _.Dispose() : unit =
        for server in known.Values do
            server.PublishIdle false

        for connection in connections do
            connection.Dispose()
