// The connections of a run: as many for each destination as may be in flight, handed out in turn. For the one thread of
// the engine.
namespace Plait.Load

open System.Collections.Generic
open System.Threading

/// All connections, and which of them are free.
type internal ConnectionPool(destinations: Destination[], most: int, expected: byte[] | null, poller: Poller)
    =
    let all =
        [|
            for destination in 0 .. destinations.Length - 1 do
                for connection in 0 .. most - 1 do
                    new HttpConnection(
                        destination * most + connection,
                        destinations[destination],
                        expected,
                        poller
                    )
        |]

    let free =
        [|
            for destination in 0 .. destinations.Length - 1 do
                Queue<HttpConnection>(Array.sub all (destination * most) most)
        |]

    let parked = Queue<HttpConnection>()
    let mutable inFlight = 0
    let mutable freedAt = System.Int64.MinValue

    let isFree (destination: int) =
        inFlight < most && free[destination].Count > 0

    /// Makes ready for a run: opens those that are not open, and waits until each is or cannot be, at most until `limit`.
    /// Those that are not open by then are opened by the requests that need them.
    member this.Prepare(limit: int64, stop: CancellationToken) : unit =
        // Times of the run before do not count in this one.
        freedAt <- System.Int64.MinValue
        this.Unpark System.Int64.MaxValue

        for connection in all do
            connection.FreedAt <- System.Int64.MinValue

        // More than these at once would not fit the queue of many a listener.
        let atOnce = 64
        let mutable next = 0
        let mutable opening = 0

        let open' () =
            while next < all.Length && opening < atOnce do
                all[next].Open()

                if all[next].IsOpening then
                    opening <- opening + 1

                next <- next + 1

        open' ()

        while opening > 0 && Clock.now () < limit && not stop.IsCancellationRequested do
            for index in 0 .. poller.Wait 10_000_000L - 1 do
                let token = poller.Token index

                all[HttpConnection.IdOf token].Handle(token, poller.Readable index, poller.Writable index)
                |> ignore

            opening <- all |> Array.sumBy (fun connection -> if connection.IsOpening then 1 else 0)
            open' ()

    /// Every connection.
    member _.All = all
    /// Requests that are being carried.
    member _.InFlight = inFlight
    /// A request to this destination can be taken up.
    member _.CanTake(destination: int) = isFree destination

    /// A free connection to this destination: that which has been free for longest.
    member _.Take(destination: int) : HttpConnection =
        inFlight <- inFlight + 1
        free[destination].Dequeue()

    /// When a connection that is taken now became free: before that, nobody could have sent.
    member _.FreeSince(connection: HttpConnection) = max connection.FreedAt freedAt

    /// Its request is over.
    member _.Return(connection: HttpConnection, now: int64) : unit =
        if inFlight = most then
            freedAt <- now

        inFlight <- inFlight - 1
        connection.FreedAt <- now
        free[connection.Id / most].Enqueue connection

    /// Its request is over, and it is not to be used for a moment: there is nobody to connect to.
    member _.Park(connection: HttpConnection, now: int64) : unit =
        inFlight <- inFlight - 1
        connection.FreedAt <- now
        parked.Enqueue connection

    /// Takes pool back that were parked before `limit`.
    member _.Unpark(limit: int64) : unit =
        while parked.Count > 0 && parked.Peek().FreedAt <= limit do
            let connection = parked.Dequeue()
            free[connection.Id / most].Enqueue connection

    member _.Dispose() : unit =
        for connection in all do
            connection.Dispose()
