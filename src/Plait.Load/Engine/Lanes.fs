// The connections of a run: as many for each destination as may be in flight, handed out in turn. For the one thread of
// the engine.
namespace Plait.Load


open System.Collections.Generic
open System.Threading

/// All connections, and which of them are free.
type internal Lanes(destinations: Destination[], most: int, expected: byte[] | null, poller: Poller) =
    let all =
        [|
            for destination in 0 .. destinations.Length - 1 do
                for lane in 0 .. most - 1 do
                    new Lane(destination * most + lane, destinations[destination], expected, poller)
        |]

    let free =
        [|
            for destination in 0 .. destinations.Length - 1 do
                Queue<Lane>(Array.sub all (destination * most) most)
        |]

    let parked = Queue<Lane>()
    let mutable inFlight = 0
    let mutable freedAt = System.Int64.MinValue

    let isFree (destination: int) =
        inFlight < most && free[destination].Count > 0

    /// Opens them all, and waits until each is open or cannot be, at most until `limit`. Those that are
    /// not open by then are opened by the requests that need them.
    member _.OpenAll(limit: int64, stop: CancellationToken) : unit =
        // More than these at once would not fit the queue of many a listener.
        let atOnce = 64
        let mutable next = 0

        let opening () =
            all |> Array.sumBy (fun lane -> if lane.IsOpening then 1 else 0)

        let mutable out = 0

        while (next < all.Length || out > 0) && Clock.now () < limit && not stop.IsCancellationRequested do
            while next < all.Length && out < atOnce do
                all[next].Open()
                out <- out + 1
                next <- next + 1

            let count = poller.Wait 10_000_000L

            for index in 0 .. count - 1 do
                let token = poller.Token index

                all[Lane.IdOf token].Handle(token, poller.Readable index, poller.Writable index) |> ignore

            out <- opening ()

    /// Every lane.
    member _.All = all
    /// Requests that are being carried.
    member _.InFlight = inFlight
    /// A request to this destination can be taken up.
    member _.CanTake(destination: int) = isFree destination

    /// A free lane to this destination: that which has been free for longest.
    member _.Take(destination: int) : Lane =
        inFlight <- inFlight + 1
        free[destination].Dequeue()

    /// When a lane that is taken now became free: before that, nobody could have sent.
    member _.FreeSince(lane: Lane) = max lane.FreedAt freedAt

    /// Its request is over.
    member _.Return(lane: Lane, now: int64) : unit =
        if inFlight = most then
            freedAt <- now

        inFlight <- inFlight - 1
        lane.FreedAt <- now
        free[lane.Id / most].Enqueue lane

    /// Its request is over, and it is not to be used for a moment: there is nobody to connect to.
    member _.Park(lane: Lane, now: int64) : unit =
        inFlight <- inFlight - 1
        lane.FreedAt <- now
        parked.Enqueue lane

    /// Takes lanes back that were parked before `limit`.
    member _.Unpark(limit: int64) : unit =
        while parked.Count > 0 && parked.Peek().FreedAt <= limit do
            let lane = parked.Dequeue()
            free[lane.Id / most].Enqueue lane

    member _.Dispose() : unit =
        for lane in all do
            lane.Dispose()
