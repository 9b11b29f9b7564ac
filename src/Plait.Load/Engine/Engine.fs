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
    // A connection without an answer rests for so long in the closed model, which would try it without end.
    static let pause = 10_000_000L
    // How long a run whose end is a number of requests goes on at least where none can be sent.
    static let leastPatience = 1_000_000_000L
    // This thread was kept from its work for so long at least: its connections may all be free again and not have been looked at.
    static let leastStall = 1_000_000L
    // It opens none then for so many times as long as a response takes usually, and for no longer than it was late.
    static let rounds = 4L
    // How long it waits for its connections before it begins.
    static let patienceAtStart = 5_000_000_000L

    let isOpen = plan.Model.IsOpen
    let grows = isOpen && plan.Connecting.Grows

    let schedule =
        match plan.Model with
        | Open(arrivals, _) -> Schedule(arrivals, plan.WarmUp, plan.Duration, plan.Seed)
        | Closed _ -> Schedule(Constant 1.0, TimeSpan.Zero, TimeSpan.Zero, 0)

    // Of the schedule, which all shares go through.
    do
        for _ in 1 .. share.Index do
            schedule.Advance()

    let recorder = RunRecorder(plan, room, tell)
    // Intended starts of the requests that are due and wait for a connection.
    let pending = Queue<int64>()
    let duration = Clock.span plan.Duration
    let timeout = Clock.span plan.Timeout
    let time = Clock.RunTime()
    let requests = RequestFlow(plan, pool, recorder, time)
    let timeouts = Timeouts(plan, pool, requests, time)
    // Requests that may still be due.
    let mutable left =
        match plan.MaxRequests with
        | Some most -> share.Part most
        | None -> Int64.MaxValue

    let over = List<RequestSlot>()
    let mutable isOver = false
    let mutable stoppedAt = Int64.MaxValue
    // When nothing was due any more.
    let mutable overAt = 0L
    // Since when nothing can be sent, and nothing is awaited: every stream is forbidden.
    let mutable stuckSince = Int64.MaxValue
    // When idle connections are looked for next.
    let mutable nextIdle = Int64.MinValue
    // Until then requests that are late go over connections that become free, which takes less time than to open some.
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
            schedule.Advance()

            // Behind the last one of all shares stands the end of the attack.
            if left > 0L then
                for _ in 2 .. share.Of do
                    schedule.Advance()

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
                catchesUpUntil <- at + min late (rounds * pool.Usual source.Destination)

            queue at
            // Behind each connection that has to be opened those that are open are looked at: one may be free again.
            let before = pool.Openings

            while pending.Count > 0
                  && (isOver || pool.Openings = before)
                  && (isOver && pool.CanTake source.Destination || canStart at) do
                start (ValueSome(pending.Dequeue()))
        else
            pool.Unpark(at - pause)

            // Each at most once before the others' responses are looked at.
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

                // At once, and not after all that came together: the server is not to wait for it.
                if not isOpen && not isOver && left > 0L && pool.CanTake source.Destination then
                    if now () < duration then
                        start ValueNone

            over.Clear()
            flush ()

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

    /// How far behind its time this thread wakes up, usually, from sleeps as long as those of the run: a core that has slept
    /// longer takes longer to wake.
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

        // Awake it takes a core from others: a twentieth of the time, or this little.
        let most = Math.Clamp(int64 (between / 20.0), 100_000L, 250_000L)
        spin <- Math.Clamp(late[17], 5_000L, most)

    /// Without an end in time it would never end: for a whole timeout nothing could be sent.
    let isStuck (at: int64) : bool =
        let isIdle = pool.InFlight = 0 && (pending.Count > 0 || not isOpen && left > 0L)

        stuckSince <- if isIdle then min stuckSince at else Int64.MaxValue
        Plan.isEndless plan && at - stuckSince >= max timeout leastPatience

    let endSeconds (at: int64) (isOver: bool) : unit =
        while at >= recorder.SecondEnds do
            // Requests that were due in this second belong to it, however late they are noticed.
            if isOpen && not isOver then
                queue (recorder.SecondEnds - 1L)

            recorder.EndSecond pool.InFlight

    /// Opens the connections and finds out how precisely this thread wakes up.
    member _.Prepare() : unit =
        if OperatingSystem.IsLinux() then
            EpollPoller.WakePrecisely()

        if isOpen then
            measureSpin ()

        // Last, so that they are idle for as short as can be.
        pool.Prepare(Clock.now () + min timeout patienceAtStart, stop)

    /// CPU of this process while requests were counted, and how much of it was this thread waiting awake, in nanoseconds.
    member val Used = 0L with get, set
    member val Spun = 0L with get, set

    /// Runs to the end, from a moment of the clock at which the warm-up begins. For once, and after Prepare.
    member this.Run(beginning: int64) : Outcome =
        time.Origin <- beginning + Clock.span plan.WarmUp

        let startedUtc =
            DateTime.UtcNow + TimeSpan.FromTicks((time.Origin - Clock.now ()) / 100L)

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
            // Before due requests are started: one may be waiting for a connection that is given up now.
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
                    elif isOpen then
                        startAll at
                else
                    startAll at
                    hasBegun <- at >= 0L

            if not (isOver && pool.InFlight = 0) then
                wait at isOver

        let finished = now ()
        this.Used <- Clock.cpu () - cpu
        this.Spun <- spun

        let busy =
            Math.Clamp(float (this.Used - spun) / float (max 1L (finished - from)), 0.0, 1.0)

        while pending.Count > 0 do
            recorder.Unsent(pending.Dequeue(), finished)

        if recorder.HasRest then
            recorder.EndSecond 0

        let isStopped = stoppedAt < Int64.MaxValue

        let ended =
            if left > 0L || isStopped then overAt
            // Until the next one would have been due: so many requests stand for so many intervals.
            elif isOpen then schedule.Next
            else finished

        recorder.Counts.Connections <- pool.Opened
        recorder.Counts.Connects.Add pool.Connects
        recorder.Counts.AllowedStreams <- pool.AllowedStreams

        { recorder.Outcome(startedUtc, finished, Math.Clamp(ended, 0L, duration), busy, isStopped) with
            Addresses = [ string source.Destinations[0].EndPoint ]
        }
