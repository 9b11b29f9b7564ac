// The connections of a run: opened as they are needed, as many for each destination as there may be, and their lanes, handed
// out in turn. For the one thread of the engine.
namespace Plait.Load

open System.Collections.Generic
open System.Threading

/// All connections, and which of their lanes are free. `most`: how many connections there may be for each destination; `first`:
/// how many of them are opened before a run.
type internal ConnectionPool
    (
        destinations: Destination[],
        connecting: Connecting,
        most: int,
        first: int,
        expected: byte[] | null,
        poller: Poller
    ) =
    let destinations = List<Destination> destinations
    let carriers = List<ICarrier>()
    let lanes = List<Lane>()
    // For each destination, in their order.
    let free = List<Queue<Lane>>()
    let counts = List<int>()
    let limits = List<StreamLimit>()
    let parked = Queue<Lane>()
    // Those that have something to send.
    let unflushed = List<ICarrier>()
    let tls = TlsClient connecting

    let mostInFlight =
        match connecting.Protocol with
        | Http1 -> most
        | Http2 streams -> int (min (int64 most * int64 streams) (int64 System.Int32.MaxValue))

    let mutable inFlight = 0
    // When one became free after there was none, for each destination.
    let freedAt = List<int64>()

    let grow (place: int) =
        let id = carriers.Count
        let destination = destinations[place]

        let carrier: ICarrier =
            match connecting.Protocol with
            | Http1 -> new HttpConnection(id, place, destination, connecting, tls, expected, poller)
            | Http2 streams ->
                new Http2Connection(
                    id,
                    place,
                    destination,
                    connecting,
                    tls,
                    streams,
                    limits[place],
                    expected,
                    poller,
                    free[place],
                    unflushed,
                    System.Int32.MaxValue
                )

        carriers.Add carrier
        counts[place] <- counts[place] + 1

        for lane in carrier.Lanes do
            lanes.Add lane
            free[place].Enqueue lane

    let addPlace () =
        free.Add(Queue())
        counts.Add 0
        limits.Add(StreamLimit())
        freedAt.Add System.Int64.MinValue

    do
        for _ in destinations do
            addPlace ()

        for place in 0 .. destinations.Count - 1 do
            for _ in 1..first do
                grow place

    // A lane may have become one too many for its connection.
    let hasFree (place: int) =
        let lanes = free[place]

        while lanes.Count > 0 && not (lanes.Peek().IsUsable) do
            lanes.Dequeue().IsLaidAside <- true

        lanes.Count > 0

    // One more connection to a server that allows no streams would be of no use.
    let canGrow (place: int) =
        counts[place] < most && (counts[place] = 0 || limits[place].Most > 0)

    let canTake (place: int) =
        inFlight < mostInFlight && (hasFree place || canGrow place)

    /// Makes ready for a run: opens those that are not open, and waits until each is or cannot be, at most until `limit`.
    /// Those that are not open by then are opened by the requests that need them.
    member this.Prepare(limit: int64, stop: CancellationToken) : unit =
        // Times of the run before do not count in this one.
        for place in 0 .. freedAt.Count - 1 do
            freedAt[place] <- System.Int64.MinValue

        this.Unpark System.Int64.MaxValue

        let over = List<Lane>()
        // More than these at once would not fit the queue of many a listener.
        let atOnce = 64
        let mutable next = 0
        let mutable opening = 0

        let open' () =
            while next < carriers.Count && opening < atOnce do
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

    /// The fewest streams that a destination allows on each connection; None: none has set a bound.
    member _.AllowedStreams: int option =
        match limits |> Seq.map _.Most |> Seq.min with
        | System.Int32.MaxValue -> None
        | allowed -> Some allowed

    /// A request to this destination can be taken up.
    member _.CanTake(place: int) = canTake place

    /// A lane to this destination: that which has been free for longest, or one of a new connection.
    member _.Take(place: int) : Lane =
        if not (hasFree place) then
            grow place

        inFlight <- inFlight + 1
        free[place].Dequeue()

    /// Sends what connections have put together. Lanes whose request is over by it are added to `over`.
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
            addPlace ()
            destinations.Count - 1

    /// When there was a lane for this destination again after there was none, last: before that, nobody could have sent.
    member _.FreeSince(place: int) = freedAt[place]

    /// Its request is over.
    member _.Return(lane: Lane, now: int64) : unit =
        if inFlight >= mostInFlight then
            for place in 0 .. freedAt.Count - 1 do
                freedAt[place] <- now
        elif not (canTake lane.Destination) then
            freedAt[lane.Destination] <- now

        inFlight <- inFlight - 1
        free[lane.Destination].Enqueue lane

    /// Its request is over, and it is not to be used for a moment: there is nobody to connect to.
    member _.Park(lane: Lane, now: int64) : unit =
        inFlight <- inFlight - 1
        lane.ParkedAt <- now
        parked.Enqueue lane

    /// Takes those back that were parked before `limit`.
    member _.Unpark(limit: int64) : unit =
        while parked.Count > 0 && parked.Peek().ParkedAt <= limit do
            let lane = parked.Dequeue()
            free[lane.Destination].Enqueue lane

    member _.Dispose() : unit =
        for carrier in carriers do
            carrier.Dispose()
