// The load engine: one thread that starts requests when they are due, waits for their sockets, and counts. It never waits
// for a response and never skips a request; a late request is counted as late, with the side that caused it.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Threading

/// One run of a share of a plan over connections that its caller owns. `poller` waits for their sockets; of single requests at
/// most `room` are kept.
type internal Engine
    (
        plan: Plan,
        share: Share,
        room: int,
        source: RequestSource,
        pool: ConnectionPool,
        poller: Poller,
        tell: Second -> unit,
        stop: CancellationToken
    ) =
    // The closed model rests for so long after a refused connection, so that it does not retry without a pause.
    static let pause = 10_000_000L
    // The least time after which a run that ends with a number of requests gives up if no request can be sent.
    static let leastPatience = 1_000_000_000L
    // If this thread was kept from its work for so long, connections may be free whose responses are not read yet.
    static let leastStall = 1_000_000L
    // Then it opens no connection for so many times the usual time of a response, and at most for as long as it was late.
    static let rounds = 4L
    // The longest wait for the first connections.
    static let patienceAtStart = 5_000_000_000L

    let isOpen = plan.Model.IsOpen
    let grows = isOpen && plan.Connecting.Grows

    let schedule =
        match plan.Model with
        | Open(arrivals, _) -> Schedule(arrivals, plan.WarmUp, plan.Duration, plan.Seed)
        | Closed _ -> Schedule(Constant 1.0, TimeSpan.Zero, TimeSpan.Zero, 0)

    // The requests of all shares that were due in the warm-up of the open model.
    let mutable warmUps = 0L
    // Counted requests that may still be due.
    let mutable left = Int64.MaxValue

    // The shares take turns from the first request of the warm-up on.
    let allot () =
        match plan.MaxRequests with
        | Some most -> left <- share.Part(warmUps + most) - share.Part warmUps
        | None -> ()

    let advance () =
        let isWarmUp = schedule.Next < 0L
        schedule.Advance()

        if isWarmUp then
            warmUps <- warmUps + 1L

            if schedule.Next >= 0L then
                allot ()

    do
        if schedule.Next >= 0L then
            allot ()

        // All shares go through the same schedule.
        for _ in 1 .. share.Index do
            advance ()

    let recorder = RunRecorder(plan, room, tell)
    // Intended starts of the requests that are due and wait for a connection.
    let pending = Queue<int64>()
    let duration = Clock.span plan.Duration
    let timeout = Clock.span plan.Timeout
    let time = Clock.RunTime()
    let requests = RequestFlow(plan, pool, recorder, time)
    let timeouts = Timeouts(plan, pool, requests, time)

    let over = List<RequestSlot>()
    let mutable isOver = false
    let mutable stoppedAt = Int64.MaxValue
    // When nothing was due any more.
    let mutable overAt = 0L
    // Since when no request can be sent and none is in flight: the server allows no streams.
    let mutable stuckSince = Int64.MaxValue
    // The next look for idle connections.
    let mutable nextIdle = Int64.MinValue
    // Until then late requests wait for connections that become free, which takes less time than opening new ones.
    let mutable catchesUpUntil = Int64.MinValue
    let mutable spin = 0L
    let mutable spun = 0L

    let now () = time.Now()

    /// A request is due.
    let due (at: int64) =
        recorder.Due at

        if at >= 0L then
            left <- left - 1L

    /// Starts the request that is next.
    let start (intended: int64 voption) : unit =
        let destination = source.Destination
        let since = pool.FreeSince destination
        let slot = pool.Take destination
        let prepared = source.Take()
        let sent = now ()
        // In the closed model it is due when it is sent.
        let from = ValueOption.defaultValue sent intended

        if not isOpen then
            due sent

        let ownLag = sent - max from (min sent since)
        requests.Send(slot, prepared, from, sent, isOpen && since > from, ownLag)

    /// Notes the requests that are due by now.
    let queue (at: int64) : unit =
        while schedule.Next <= at && left > 0L do
            pending.Enqueue schedule.Next
            due schedule.Next
            advance ()

            // The time after the last request of all shares is the end of the attack.
            if left > 0L then
                for _ in 2 .. share.Of do
                    advance ()

    /// The next request that is due can be sent now.
    let canStart (at: int64) : bool =
        if at < catchesUpUntil then
            pool.HasOpen source.Destination
        else
            pool.CanTake source.Destination

    let startAll (at: int64) : unit =
        if isOpen then
            let late = at - schedule.Next

            if grows && left > 0L && late >= leastStall then
                catchesUpUntil <- at + min late (rounds * pool.UsualResponseTime source.Destination)

            queue at
            // After the opening of one connection the loop ends, so that responses are read first: a connection may be free again.
            let before = pool.Openings

            while pending.Count > 0
                  && (isOver || pool.Openings = before)
                  && (isOver && pool.CanTake source.Destination || canStart at) do
                start (ValueSome(pending.Dequeue()))
        else
            pool.Unpark(at - pause)

            // Each connection at most once before responses are read.
            let mutable turns = pool.MaxInFlight

            while turns > 0 && left > 0L && pool.CanTake source.Destination do
                turns <- turns - 1
                start ValueNone

    /// Sends the bytes that connections have put together.
    let flush () : unit =
        pool.Flush over

        for index in 0 .. over.Count - 1 do
            requests.Settle over[index]

        over.Clear()

    let handle (count: int) : unit =
        for index in 0 .. count - 1 do
            let token = poller.Token index
            pool.Connections[Token.id token].Handle(token, poller.Readable index, poller.Writable index, over)

            for ended in 0 .. over.Count - 1 do
                requests.Settle over[ended]

            over.Clear()
            flush ()

    /// Handles the events that have come, at most as often as there are connections.
    let drain () : unit =
        let mutable rounds = pool.Connections.Count

        while rounds > 0 do
            let count = poller.Wait 0L
            handle count
            rounds <- if count > 0 then rounds - 1 else 0

    /// Waits for sockets, and for the next request that is due: at first asleep, at the end awake.
    let wait (at: int64) (isOver: bool) : unit =
        flush ()
        let soon = min recorder.SecondEnds (min timeouts.Next nextIdle)
        let isFull = pool.InFlight >= pool.MaxInFlight
        let parks = if isOpen || isFull then soon else min soon (at + pause)

        let due =
            if not isOpen || isOver || isFull then Int64.MaxValue
            elif pending.Count > 0 && canStart at then at
            elif pending.Count > 0 && at < catchesUpUntil then catchesUpUntil
            elif left > 0L then schedule.Next
            else Int64.MaxValue

        let until = if isOver then parks else min parks duration

        if due < until then
            if due - at > spin then
                poller.Wait(due - at - spin) |> handle
            elif due > at then
                let count = poller.Wait 0L

                if count = 0 then spun <- spun + (now () - at) else handle count
            else
                poller.Wait 0L |> handle
        else
            poller.Wait(max 0L (until - at)) |> handle

    /// Measures how late this thread wakes up from sleeps as long as in the run: a core that has slept longer takes longer to
    /// wake.
    let measureSpin () : unit =
        let between =
            match Arrivals.peak plan.Model with
            | Some perSecond -> 1e9 * float share.Of / perSecond
            | None -> 0.0

        let sleep = int64 (Math.Clamp(between, 200_000.0, 10_000_000.0))

        let late =
            Array.init 20 (fun _ ->
                let before = Clock.now ()
                poller.Wait sleep |> handle
                Clock.now () - before - sleep)
            |> Array.sort

        // While it is awake it uses a core: at most a twentieth of the time between requests, within these bounds.
        let most = Math.Clamp(int64 (between / 20.0), 100_000L, 250_000L)
        spin <- Math.Clamp(late[17], 5_000L, most)

    /// No request could be sent for a whole timeout, and the run has no end in time. The closed model does not wait for its end either if
    /// the server allows no streams.
    let isStuck (at: int64) : bool =
        let isIdle = pool.InFlight = 0 && (pending.Count > 0 || not isOpen && left > 0L)

        stuckSince <- if isIdle then min stuckSince at else Int64.MaxValue

        // The time of the warm-up is negative.
        stuckSince < Int64.MaxValue
        && at - stuckSince >= max timeout leastPatience
        && (Plan.isEndless plan || not isOpen && pool.AllowedStreams = Some 0)

    let endSeconds (at: int64) (isOver: bool) : unit =
        while at >= recorder.SecondEnds do
            // Requests that were due in this second belong to it, however late they are noticed.
            if isOpen && not isOver then
                queue (recorder.SecondEnds - 1L)

            pool.NoteHeld recorder.SecondEnds
            recorder.EndSecond pool.InFlight

    /// Opens the connections and finds out how precisely this thread wakes up.
    member _.Prepare() : unit =
        if OperatingSystem.IsLinux() then
            EpollPoller.WakePrecisely()

        if isOpen then
            measureSpin ()

        // Last, so that the connections are idle as short as possible.
        pool.Prepare(Clock.now () + min timeout patienceAtStart, stop)

    /// CPU of this process while requests were counted, and how much of it was this thread waiting awake, in nanoseconds.
    member val Used = 0L with get, set
    member val Spun = 0L with get, set

    /// Runs to the end, from a moment of the clock at which the warm-up begins. For once, and after Prepare.
    member this.Run(beginning: int64) : Outcome =
        time.Origin <- beginning + Clock.span plan.WarmUp

        let startedUtc =
            DateTime.UtcNow + TimeSpan.FromTicks((time.Origin - Clock.now ()) / 100L)

        // Servers may have closed connections since they were opened: the requests that need them open them again.
        drain ()

        let mutable cpu = Clock.cpu ()
        let mutable from = now ()
        let mutable isCounting = false
        let mutable hasBegun = false

        while not (isOver && pool.InFlight = 0) do
            let at = now ()

            if not isCounting && at >= 0L then
                isCounting <- true
                cpu <- Clock.cpu ()
                from <- at
                spun <- 0L

            endSeconds at isOver
            // Before due requests are started: one may wait for the connection of a request that is given up now.
            timeouts.GiveUp(at, stoppedAt)

            if at >= nextIdle then
                nextIdle <- if grows then pool.CloseIdle at else Int64.MaxValue

            if not isOver then
                let isStopped = stop.IsCancellationRequested

                // However late this thread is, every connection of the closed model sends one request.
                if
                    isStopped
                    || (at >= duration && (isOpen || hasBegun))
                    || (left = 0L && pending.Count = 0)
                    || isStuck at
                then
                    // Requests that were due before the end are still sent.
                    overAt <- at
                    isOver <- true

                    if isStopped then
                        stoppedAt <- at

                    if isOpen then
                        startAll at
                else
                    startAll at
                    hasBegun <- at >= 0L

            if not (isOver && pool.InFlight = 0) then
                wait at isOver

        let finished = now ()
        this.Used <- Clock.cpu () - cpu
        this.Spun <- spun

        while pending.Count > 0 do
            recorder.Unsent(pending.Dequeue(), finished)

        if recorder.HasRest then
            recorder.EndSecond 0

        let isStopped = stoppedAt < Int64.MaxValue

        let ended =
            if left > 0L || isStopped then overAt
            // Until the next one would have been due: N requests take N intervals.
            elif isOpen then min duration schedule.Next
            else finished

        // The thread rests in the rest of the last interval.
        let counted = max finished ended - from
        let busy = Math.Clamp(float (this.Used - spun) / float (max 1L counted), 0.0, 1.0)

        // Connections may have come to be open that no request needed in the end: the server has them in its log.
        drain ()
        recorder.Counts.Connections <- pool.Opened
        recorder.Counts.Connects.Add pool.Connects
        recorder.Counts.AllowedStreams <- pool.AllowedStreams
        recorder.Counts.Violations <- pool.Violations.Count
        recorder.Counts.FirstViolation <- pool.Violations.First

        { recorder.Outcome(startedUtc, finished, Math.Clamp(ended, 0L, duration), busy, isStopped) with
            Addresses = [ string source.Destinations[0].EndPoint ]
        }
