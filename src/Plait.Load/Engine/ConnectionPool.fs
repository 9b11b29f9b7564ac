// The connections of a run: opened when a request needs one, handed out again, and closed when nothing needs them any more. For
// the one thread of the engine.
//
// Longer than other files, because opening, handing out, taking back and closing connections use the same lists of
// them.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Net
open System.Threading

/// All connections, and which of their slots are free. `most`: how many connections there may be for each destination; `first`:
/// how many of them are opened before a run, for each server where they grow; `grows`: the others are opened when a request
/// needs them, and idle ones are closed.
type internal ConnectionPool
    (
        destinations: Destination[],
        servers: SharedServers,
        connecting: Connecting,
        most: int,
        first: int,
        grows: bool,
        expected: byte[] | null,
        poller: Poller
    ) =
    // A connection is idle for so long at most: one that has carried requests, one that was opened and not used, and the last one to
    // a destination, which the next request takes.
    static let mostIdle = 1_000_000_000L
    static let mostLast = 2_000_000_000L
    static let mostUnused = 100_000_000L
    // One connection is closed each time, so that the connections of a busy second are not all closed in the next.
    static let betweenLooks = 10_000_000L
    static let betweenLooksWhenPassed = 1_000_000L
    // A connection that is closed keeps its local port for a minute: so many are closed a minute at most for requests that wait.
    static let mostClosings = float (MachineLimits.ports () / 4)
    let destinations = List<Destination> destinations
    let connections = List<IConnection>()
    let pooled = List<PooledConnection>()
    let slots = List<RequestSlot>()
    // For each destination, in their order.
    let places = List<Peers>()
    let known = Dictionary<EndPoint, Server>()
    let parked = Queue<RequestSlot>()
    // Those that have something to send.
    let unflushed = List<IConnection>()
    let tls = TlsClient connecting
    let connects = Histogram()

    let maxInFlight =
        match connecting.Protocol with
        | Http1 -> most
        | Http2 streams -> int (min (int64 most * int64 streams) (int64 Int32.MaxValue))

    let mutable inFlight = 0
    let mutable openings = 0
    let mutable closingsLeft = mostClosings
    let mutable lookedAt = 0L

    let offer (held: PooledConnection) =
        if isNull held.Node.List && held.HasRoom then
            places[held.Place].Roomy.AddLast held.Node

    let shut (held: PooledConnection) =
        let place = places[held.Place]
        place.Roomy.Remove held.Node
        place.Shut.AddLast held.Node

    let grow (number: int) : PooledConnection =
        let id = connections.Count
        let destination = destinations[number]
        let place = places[number]

        let connection: IConnection =
            match connecting.Protocol with
            | Http1 ->
                new HttpConnection(id, number, destination, connecting, tls, connects, expected, poller)
            | Http2 streams ->
                new Http2Connection(
                    id,
                    number,
                    destination,
                    connecting,
                    tls,
                    connects,
                    streams,
                    place.Limit,
                    expected,
                    poller,
                    (fun () -> offer pooled[id]),
                    unflushed,
                    Int32.MaxValue
                )

        connections.Add connection
        place.Count <- place.Count + 1
        let held = PooledConnection(connection, number)
        pooled.Add held
        slots.AddRange held.Free
        held

    let addPlace (destination: Destination) =
        let server =
            match known.TryGetValue destination.EndPoint with
            | true, server -> server
            | _ ->
                let server = Server(servers.Of destination.EndPoint)
                known.Add(destination.EndPoint, server)
                server

        let place = Peers server
        server.Roomy.Add place.Roomy
        places.Add place

    do
        for number in 0 .. destinations.Count - 1 do
            addPlace destinations[number]

            if not grows || places[number].Server.Roomy.Count = 1 then
                for _ in 1..first do
                    grow number |> offer

    let openedFirst = connections.Count

    /// The connection that is next for a request; null: none has room. A pool that grows hands out the last one used,
    /// so that spare ones stay idle; a pool of a fixed number uses them in turn.
    let rec next (place: Peers) : LinkedListNode<PooledConnection> | null =
        let node = if grows then place.Roomy.Last else place.Roomy.First

        match node with
        | null -> null
        | node when not node.Value.HasRoom ->
            // It may be one more than the server allows by now.
            place.Roomy.Remove node
            next place
        | node when grows && node.Value.IsShut ->
            shut node.Value
            next place
        | node -> node

    /// The next request would go over a connection that is open.
    let hasOpen (place: Peers) =
        match next place with
        | null -> false
        | node -> node.Value.Connection.IsOpen

    let hasRoom (place: Peers) =
        not (isNull (next place)) || place.Shut.Count > 0

    // One more connection to a server that allows no streams would be of no use.
    let canGrow (place: Peers) =
        place.Count < most && (place.Count = 0 || place.Limit.MaxStreams > 0)

    let canTake (place: Peers) =
        inFlight < maxInFlight && (hasRoom place || canGrow place)

    let take (number: int) : RequestSlot =
        let place = places[number]

        let held =
            match next place with
            | null ->
                match place.Shut.Last with
                | null -> grow number
                | node ->
                    place.Shut.Remove node
                    node.Value
            | node ->
                place.Roomy.Remove node
                node.Value

        if not held.Connection.IsOpen then
            openings <- openings + 1

        inFlight <- inFlight + 1
        let slot = held.Free.Pop()
        offer held
        slot

    let close (held: PooledConnection) =
        held.Connection.Close()
        shut held
        closingsLeft <- closingsLeft - 1.0

    /// The connection that has answered and has been idle for longest, from `node` on; null: there is none.
    /// Connections that were opened and never used are closed on the way.
    let rec longestIdle (node: LinkedListNode<PooledConnection> | null) : PooledConnection | null =
        match node with
        | null -> null
        | node ->
            let next = node.Next

            match node.Value with
            | held when not held.IsIdle -> longestIdle next
            | held when held.Connection.HasAnswered -> held
            | unused ->
                close unused
                longestIdle next

    /// Closes the connection to a server that has answered and has been idle for longest, and those that were opened
    /// and never used. False: none that has answered is idle.
    let closeIdle (server: Server) : bool =
        let mutable longest: PooledConnection | null = null

        for roomy in server.Roomy do
            match longestIdle roomy.First with
            | null -> ()
            | held ->
                match longest with
                | null -> longest <- held
                | other when held.IdleSince < other.IdleSince -> longest <- held
                | _ -> ()

        match longest with
        | null -> false
        | held ->
            close held
            true

    /// A server that serves few connections at a time takes the next one up when another is closed. A request that waits on one
    /// that has never answered, while others are served, waits for that: an idle connection is closed for it, one of another thread
    /// where this one has none.
    let rec relieve (server: Server) (now: int64) : unit =
        if
            closingsLeft >= 1.0
            && server.IsOverdue now
            && (closeIdle server || server.OthersHaveIdle && server.Shared.Ask())
        then
            server.WasRelieved now
            relieve server now

    /// Closes an idle connection where another thread asks for that.
    let oblige (server: Server) : unit =
        if server.Shared.IsAsked && closingsLeft >= 1.0 && server.HasIdle && server.Shared.TakeOver() then
            closeIdle server |> ignore

    /// Closes connections that have been idle for too long, from `node` on: at most one that has answered. Those that
    /// have answered stand in the order in which they became idle.
    let rec closeStale (node: LinkedListNode<PooledConnection> | null) (now: int64) : unit =
        match node with
        | null -> ()
        | node ->
            let next = node.Next
            let held = node.Value

            if held.IsShut then
                shut held
                closeStale next now
            elif not held.IsIdle then
                closeStale next now
            else
                let answered = held.Connection.HasAnswered

                let most =
                    if isNull next then mostLast
                    elif answered then mostIdle
                    else mostUnused

                if now - held.IdleSince >= most then
                    held.Connection.Close()
                    shut held

                if not answered then
                    closeStale next now

    let giveBack (slot: RequestSlot) (now: int64) =
        let held = pooled[slot.Connection]
        held.Free.Push slot

        if held.IsIdle then
            held.IdleSince <- now

        held

    /// Makes ready for a run: opens the connections that it begins with, and waits until each is open or cannot be, at most
    /// until `limit`. Those that are not open by then are opened by the requests that need them.
    member this.Prepare(limit: int64, stop: CancellationToken) : unit =
        // Times of the run before do not count in this one.
        connects.Clear()

        for place in places do
            place.FreedAt <- Int64.MinValue
            place.Server.Shared.Forget()

        this.Unpark Int64.MaxValue

        let over = List<RequestSlot>()
        // More than these at once would not fit the queue of many a listener.
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

    /// How long each connect of this run took, TLS included: as many as there were.
    member _.Connects = connects

    /// Every slot.
    member _.Slots = slots
    /// Requests that are being carried.
    member _.InFlight = inFlight
    /// How many can be.
    member _.MaxInFlight = maxInFlight
    /// How often a slot was taken whose connection was not open.
    member _.Openings = openings

    /// The fewest streams that a destination allows on each connection; None: none has set a bound.
    member _.AllowedStreams: int option =
        match places |> Seq.map _.Limit.MaxStreams |> Seq.min with
        | Int32.MaxValue -> None
        | allowed -> Some allowed

    /// A request to this destination can be taken up.
    member _.CanTake(place: int) = canTake places[place]

    /// A request to this destination can be taken up by a connection that is open.
    member _.HasOpen(place: int) =
        inFlight < maxInFlight && hasOpen places[place]

    /// How long a response of this destination takes usually; 0: there was none yet.
    member _.Usual(place: int) : int64 = places[place].Server.Usual

    /// A slot to this destination: one of an open connection where there is one, else of one that is to be opened.
    member _.Take(place: int) : RequestSlot = take place

    /// The request of a slot has begun, and goes on.
    member _.Began(slot: RequestSlot) : unit =
        if grows then
            let place = places[slot.Destination]

            if slot.IsUnsent then
                place.Waits slot

            if slot.IsUnheard then
                place.Server.Waits slot

    /// Its server has sent nothing over its connection, and has answered other requests since it was sent.
    member _.IsPassedOver(slot: RequestSlot) : bool =
        slot.IsUnheard && places[slot.Destination].Server.Shared.AnsweredAt > slot.Sent

    /// Its server has answered no request of this run.
    member _.IsSilent(slot: RequestSlot) : bool =
        places[slot.Destination].Server.Shared.AnsweredAt = Int64.MinValue

    /// A slot whose request waits for its connection although one of another connection is free; null: there is none.
    member _.Waiting(number: int) : RequestSlot | null =
        let place = places[number]

        if place.HasWaiting && hasOpen place then place.TakeWaiting() else null

    /// Its request goes over another slot: it was not used.
    member _.PutBack(slot: RequestSlot, now: int64) : unit =
        inFlight <- inFlight - 1
        let held = giveBack slot now

        // Behind those that have answered.
        if isNull held.Node.List && held.HasRoom then
            places[held.Place].Roomy.AddFirst held.Node

    /// Sends the bytes that connections have put together. Slots whose request is over by it are added to `over`.
    member _.Flush(over: List<RequestSlot>) : unit =
        let mutable next = 0

        // One may enter itself again.
        while next < unflushed.Count do
            unflushed[next].Flush over
            next <- next + 1

        unflushed.Clear()

    /// The number of a destination, which need not have been known.
    member _.PlaceOf(destination: Destination) : int =
        let known = destinations.IndexOf destination

        if known >= 0 then
            known
        else
            destinations.Add destination
            addPlace destination
            destinations.Count - 1

    /// The last time at which a slot for this destination became free after there was none: before it, no request
    /// could be sent.
    member _.FreeSince(place: int) = places[place].FreedAt

    /// Its request is over.
    member _.Return(slot: RequestSlot, now: int64) : unit =
        let place = places[slot.Destination]

        if inFlight >= maxInFlight then
            for place in places do
                place.FreedAt <- now
        elif not (canTake place) then
            place.FreedAt <- now

        inFlight <- inFlight - 1
        giveBack slot now |> offer

        if slot.Status > 0 then
            place.Server.Shared.Answered now

            if grows then
                // Others have waited for a connection to be closed: longer each time, if that counted.
                if slot.PassedSince < slot.Sent then
                    place.Server.Took(now - slot.Sent)

                place.Server.Pass now

    /// Closes an idle connection to the server of this destination for each request that waits for that.
    member _.Relieve(place: int, now: int64) : unit =
        let server = places[place].Server
        oblige server
        relieve server now

    /// Its request is over, and it is not to be used for a moment: no server listens there.
    member _.Park(slot: RequestSlot, now: int64) : unit =
        inFlight <- inFlight - 1
        slot.ParkedAt <- now
        parked.Enqueue slot

    /// Takes those back that were parked before `limit`.
    member _.Unpark(limit: int64) : unit =
        while parked.Count > 0 && parked.Peek().ParkedAt <= limit do
            let slot = parked.Dequeue()
            giveBack slot slot.ParkedAt |> offer

    /// Closes idle connections if it is time to look for them. Returns the next time.
    member _.CloseIdle(now: int64) : int64 =
        let mutable isPassed = false

        for server in known.Values do
            let isIdle = server.HasIdle
            server.TellIdle isIdle

            if isIdle || server.OthersHaveIdle then
                server.Pass now

            oblige server
            relieve server now
            isPassed <- isPassed || server.HasPassed

        for place in places do
            closeStale place.Roomy.First now

        closingsLeft <-
            min mostClosings (closingsLeft + mostClosings * float (max 0L (now - lookedAt)) / 60e9)

        lookedAt <- now
        now + (if isPassed then betweenLooksWhenPassed else betweenLooks)

    member _.Dispose() : unit =
        for server in known.Values do
            server.TellIdle false

        for connection in connections do
            connection.Dispose()
