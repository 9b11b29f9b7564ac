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

/// All connections, and which of their lanes are free. `most`: how many connections there may be for each destination; `first`:
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
    let carriers = List<ICarrier>()
    let helds = List<Held>()
    let lanes = List<Lane>()
    // For each destination, in their order.
    let places = List<Peers>()
    let known = Dictionary<EndPoint, Server>()
    let parked = Queue<Lane>()
    // Those that have something to send.
    let unflushed = List<ICarrier>()
    let tls = TlsClient connecting

    let mostInFlight =
        match connecting.Protocol with
        | Http1 -> most
        | Http2 streams -> int (min (int64 most * int64 streams) (int64 Int32.MaxValue))

    let mutable inFlight = 0
    let mutable openings = 0
    let mutable closingsLeft = mostClosings
    let mutable lookedAt = 0L

    let offer (held: Held) =
        if isNull held.Node.List && held.HasRoom then
            places[held.Place].Roomy.AddLast held.Node

    let shut (held: Held) =
        let place = places[held.Place]
        place.Roomy.Remove held.Node
        place.Shut.AddLast held.Node

    let grow (number: int) : Held =
        let id = carriers.Count
        let destination = destinations[number]
        let place = places[number]

        let carrier: ICarrier =
            match connecting.Protocol with
            | Http1 -> new HttpConnection(id, number, destination, connecting, tls, expected, poller)
            | Http2 streams ->
                new Http2Connection(
                    id,
                    number,
                    destination,
                    connecting,
                    tls,
                    streams,
                    place.Limit,
                    expected,
                    poller,
                    (fun () -> offer helds[id]),
                    unflushed,
                    Int32.MaxValue
                )

        carriers.Add carrier
        place.Count <- place.Count + 1
        let held = Held(carrier, number)
        helds.Add held
        lanes.AddRange held.Free
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

    let openedFirst = carriers.Count

    /// The connection that is next for a request; null: none has room. A pool that grows hands out the last one used,
    /// so that spare ones stay idle; a pool of a fixed number uses them in turn.
    let rec next (place: Peers) : LinkedListNode<Held> | null =
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
        | node -> node.Value.Carrier.IsOpen

    let hasRoom (place: Peers) =
        not (isNull (next place)) || place.Shut.Count > 0

    // One more connection to a server that allows no streams would be of no use.
    let canGrow (place: Peers) =
        place.Count < most && (place.Count = 0 || place.Limit.Most > 0)

    let canTake (place: Peers) =
        inFlight < mostInFlight && (hasRoom place || canGrow place)

    let take (number: int) : Lane =
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

        if not held.Carrier.IsOpen then
            openings <- openings + 1

        inFlight <- inFlight + 1
        let lane = held.Free.Pop()
        offer held
        lane

    let close (held: Held) =
        held.Carrier.Close()
        shut held
        closingsLeft <- closingsLeft - 1.0

    /// The connection that has answered and has been idle for longest, from `node` on; null: there is none.
    /// Connections that were opened and never used are closed on the way.
    let rec longestIdle (node: LinkedListNode<Held> | null) : Held | null =
        match node with
        | null -> null
        | node ->
            let next = node.Next

            match node.Value with
            | held when not held.IsIdle -> longestIdle next
            | held when held.Carrier.HasAnswered -> held
            | unused ->
                close unused
                longestIdle next

    /// Closes the connection to a server that has answered and has been idle for longest, and those that were opened
    /// and never used. False: none that has answered is idle.
    let closeIdle (server: Server) : bool =
        let mutable longest: Held | null = null

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
    let rec closeStale (node: LinkedListNode<Held> | null) (now: int64) : unit =
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
                let answered = held.Carrier.HasAnswered

                let most =
                    if isNull next then mostLast
                    elif answered then mostIdle
                    else mostUnused

                if now - held.IdleSince >= most then
                    held.Carrier.Close()
                    shut held

                if not answered then
                    closeStale next now

    let giveBack (lane: Lane) (now: int64) =
        let held = helds[lane.Carrier]
        held.Free.Push lane

        if held.IsIdle then
            held.IdleSince <- now

        held

    /// Makes ready for a run: opens the connections that it begins with, and waits until each is open or cannot be, at most
    /// until `limit`. Those that are not open by then are opened by the requests that need them.
    member this.Prepare(limit: int64, stop: CancellationToken) : unit =
        // Times of the run before do not count in this one.
        for place in places do
            place.FreedAt <- Int64.MinValue
            place.Server.Shared.Forget()

        this.Unpark Int64.MaxValue

        let over = List<Lane>()
        // More than these at once would not fit the queue of many a listener.
        let atOnce = 64
        let mutable next = 0
        let mutable opening = 0

        let count = if grows then openedFirst else carriers.Count

        let open' () =
            while next < count && opening < atOnce do
                carriers[next].Open()

                if carriers[next].IsOpening then
                    opening <- opening + 1

                next <- next + 1

        open' ()

        while opening > 0 && Clock.now () < limit && not stop.IsCancellationRequested do
            for index in 0 .. poller.Wait 10_000_000L - 1 do
                let token = poller.Token index
                carriers[Token.id token].Handle(token, poller.Readable index, poller.Writable index, over)

            this.Flush over
            opening <- carriers |> Seq.sumBy (fun carrier -> if carrier.IsOpening then 1 else 0)
            open' ()

    /// Every connection, by its number.
    member _.Carriers = carriers

    /// How many of them were open at some time.
    member _.Opened =
        carriers |> Seq.sumBy (fun carrier -> if carrier.WasOpen then 1 else 0)

    /// Every lane.
    member _.Lanes = lanes
    /// Requests that are being carried.
    member _.InFlight = inFlight
    /// How many can be.
    member _.MostInFlight = mostInFlight
    /// How often a lane was taken whose connection was not open.
    member _.Openings = openings

    /// The fewest streams that a destination allows on each connection; None: none has set a bound.
    member _.AllowedStreams: int option =
        match places |> Seq.map _.Limit.Most |> Seq.min with
        | Int32.MaxValue -> None
        | allowed -> Some allowed

    /// A request to this destination can be taken up.
    member _.CanTake(place: int) = canTake places[place]

    /// A request to this destination can be taken up by a connection that is open.
    member _.HasOpen(place: int) =
        inFlight < mostInFlight && hasOpen places[place]

    /// How long a response of this destination takes usually; 0: there was none yet.
    member _.Usual(place: int) : int64 = places[place].Server.Usual

    /// A lane to this destination: one of an open connection where there is one, else of one that is to be opened.
    member _.Take(place: int) : Lane = take place

    /// The request of a lane has begun, and goes on.
    member _.Began(lane: Lane) : unit =
        if grows then
            let place = places[lane.Destination]

            if lane.IsUnsent then
                place.Waits lane

            if lane.IsUnheard then
                place.Server.Waits lane

    /// Its server has sent nothing over its connection, and has answered other requests since it was sent.
    member _.IsPassedOver(lane: Lane) : bool =
        lane.IsUnheard && places[lane.Destination].Server.Shared.AnsweredAt > lane.Sent

    /// A lane whose request waits for its connection although one of another connection is free; null: there is none.
    member _.Waiting(number: int) : Lane | null =
        let place = places[number]

        if place.HasWaiting && hasOpen place then place.TakeWaiting() else null

    /// Its request goes over another lane: it was not used.
    member _.PutBack(lane: Lane, now: int64) : unit =
        inFlight <- inFlight - 1
        let held = giveBack lane now

        // Behind those that have answered.
        if isNull held.Node.List && held.HasRoom then
            places[held.Place].Roomy.AddFirst held.Node

    /// Sends the bytes that connections have put together. Lanes whose request is over by it are added to `over`.
    member _.Flush(over: List<Lane>) : unit =
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

    /// The last time at which a lane for this destination became free after there was none: before it, no request
    /// could be sent.
    member _.FreeSince(place: int) = places[place].FreedAt

    /// Its request is over.
    member _.Return(lane: Lane, now: int64) : unit =
        let place = places[lane.Destination]

        if inFlight >= mostInFlight then
            for place in places do
                place.FreedAt <- now
        elif not (canTake place) then
            place.FreedAt <- now

        inFlight <- inFlight - 1
        giveBack lane now |> offer

        if lane.Status > 0 then
            place.Server.Shared.Answered now

            if grows then
                // Others have waited for a connection to be closed: longer each time, if that counted.
                if lane.PassedSince < lane.Sent then
                    place.Server.Took(now - lane.Sent)

                place.Server.Pass now

    /// Closes an idle connection to the server of this destination for each request that waits for that.
    member _.Relieve(place: int, now: int64) : unit =
        let server = places[place].Server
        oblige server
        relieve server now

    /// Its request is over, and it is not to be used for a moment: no server listens there.
    member _.Park(lane: Lane, now: int64) : unit =
        inFlight <- inFlight - 1
        lane.ParkedAt <- now
        parked.Enqueue lane

    /// Takes those back that were parked before `limit`.
    member _.Unpark(limit: int64) : unit =
        while parked.Count > 0 && parked.Peek().ParkedAt <= limit do
            let lane = parked.Dequeue()
            giveBack lane lane.ParkedAt |> offer

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

        for carrier in carriers do
            carrier.Dispose()
