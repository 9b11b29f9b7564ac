// The load engine: one thread that starts requests when they are due, waits for their sockets, and counts. It never waits
// for a response and never skips a request; what is late is counted as late, and by whose fault.
//
// Longer than other files, because it is one loop: what it does between two looks at the clock shares the state of a run.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Threading

/// One run of a plan over connections that its caller owns. `poller` waits for their sockets; of single requests at most
/// `room` are kept.
type internal Engine
    (
        plan: Plan,
        room: int,
        cycle: RequestCycle,
        pool: ConnectionPool,
        poller: Poller,
        tell: Second -> unit,
        stop: CancellationToken
    ) =
    // A connection that nobody answers is left alone for so long in the closed model, which would try it without end.
    static let pause = 10_000_000L
    // How long a run that is stopped waits for the responses that are out.
    static let patienceWhenStopped = 2_000_000_000L
    // How long it waits for its connections before it begins.
    static let patienceAtStart = 5_000_000_000L
    static let mostSpin = 100_000L

    let isOpen, most =
        match plan.Model with
        | Open(_, connections) -> true, connections
        | Closed connections -> false, connections

    let schedule =
        match plan.Model with
        | Open(arrivals, _) -> Schedule(arrivals, plan.WarmUp, plan.Duration, plan.Seed)
        | Closed _ -> Schedule(Constant 1.0, TimeSpan.Zero, TimeSpan.Zero, 0)

    let tally = Tally(plan, room, tell)
    // Intended starts of the requests that are due and wait for a connection.
    let pending = Queue<int64>()
    let duration = Clock.span plan.Duration
    let timeout = Clock.span plan.Timeout
    let everyTimeout = Math.Clamp(timeout / 10L, 1_000_000L, 50_000_000L)

    let isExpected =
        Array.init 1000 (fun status ->
            match plan.ExpectStatus with
            | [] -> status >= 200 && status <= 399
            | some -> List.contains status some)

    let expectedStatus =
        match plan.ExpectStatus with
        | [ only ] -> $" instead of {only}"
        | _ -> ""

    let wrongBody (length: int64) =
        match plan.ExpectBody with
        | Some right when length <> int64 right.Length ->
            $"the body is of {length} bytes instead of {right.Length}"
        | _ -> $"the body, of {length} bytes, is not the expected one"

    let mutable origin = 0L
    let mutable isOver = false
    let mutable stoppedAt = Int64.MaxValue
    let mutable nextTimeouts = 0L
    let mutable spin = 0L
    let mutable spun = 0L

    let now () = Clock.now () - origin

    /// Reads off a connection what became of its request.
    let settle (connection: HttpConnection) : unit =
        let finished = now ()

        let fate, complaint =
            if connection.Fate <> Fate.Right then
                connection.Fate, connection.Complaint
            elif not isExpected[min connection.Status 999] then
                Fate.WrongStatus, $"the status was {connection.Status}{expectedStatus}"
            elif not connection.IsExpected then
                Fate.WrongBody, wrongBody connection.BodyLength
            else
                Fate.Right, null

        tally.Done(
            connection.Intended,
            connection.Sent,
            finished,
            connection.Status,
            fate,
            complaint,
            struct (connection.BytesOut, connection.BytesIn)
        )

        if not isOpen && fate = Fate.Refused then
            pool.Park(connection, finished)
        else
            pool.Return(connection, finished)

    /// Starts the request that is next in turn.
    let start (intended: int64 voption) : unit =
        let connection = pool.Take cycle.Destination
        let request = cycle.Take()
        let sent = now ()
        let due = ValueOption.defaultValue sent intended
        connection.Intended <- due
        connection.Sent <- sent
        tally.Sent(due, sent, sent - max due (min sent (pool.FreeSince connection)))

        if connection.Begin request then
            settle connection

    /// Notes what is due by now.
    let queue (at: int64) : unit =
        while schedule.Next <= at do
            pending.Enqueue schedule.Next
            tally.Due schedule.Next
            schedule.Advance()

    let startAll (at: int64) : unit =
        if isOpen then
            queue at

            while pending.Count > 0 && pool.CanTake cycle.Destination do
                start (ValueSome(pending.Dequeue()))
        else
            pool.Unpark(at - pause)

            // Each at most once before the others' responses are looked at.
            let mutable left = most

            while left > 0 && pool.CanTake cycle.Destination do
                left <- left - 1
                tally.Due(now ())
                start ValueNone

    let giveUp (at: int64) : unit =
        if at >= nextTimeouts then
            nextTimeouts <- at + everyTimeout

            for connection in pool.All do
                if not connection.IsFree then
                    if at - connection.Sent >= timeout then
                        connection.GiveUp(
                            Fate.TimedOut,
                            $"no whole response within {plan.Timeout.TotalMilliseconds} ms"
                        )

                        settle connection
                    elif at - patienceWhenStopped >= stoppedAt then
                        connection.GiveUp(
                            Fate.TimedOut,
                            "no whole response within 2 s after the run was stopped"
                        )

                        settle connection

    let handle (count: int) : unit =
        for index in 0 .. count - 1 do
            let token = poller.Token index
            let connection = pool.All[HttpConnection.IdOf token]

            if connection.Handle(token, poller.Readable index, poller.Writable index) then
                settle connection

                // At once, and not after all that came together: the server is not to wait for it.
                if not isOpen && not isOver && pool.CanTake cycle.Destination then
                    let at = now ()

                    if at < duration then
                        tally.Due at
                        start ValueNone

    /// Waits for sockets, and for the next request that is due: at first asleep, at the end awake.
    let wait (at: int64) (isOver: bool) : unit =
        let soon = min tally.SecondEnds nextTimeouts
        let parks = if isOpen || pool.InFlight = most then soon else min soon (at + pause)

        let due =
            if isOpen && not isOver && pool.InFlight < most then schedule.Next else Int64.MaxValue

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

    /// How far behind its time this thread wakes up, usually.
    let measureSpin () : unit =
        let late =
            Array.init 20 (fun _ ->
                let before = Clock.now ()
                poller.Wait 200_000L |> handle
                Clock.now () - before - 200_000L)
            |> Array.sort

        spin <- Math.Clamp(late[15], 5_000L, mostSpin)

    let endSeconds (at: int64) (isOver: bool) : unit =
        while at >= tally.SecondEnds do
            // What was due in this second belongs to it, however late that is noticed.
            if isOpen && not isOver then
                queue (tally.SecondEnds - 1L)

            tally.EndSecond pool.InFlight

    /// Runs to the end. For once.
    member _.Run() : Outcome =
        if OperatingSystem.IsLinux() then
            EpollPoller.WakePrecisely()

        pool.Prepare(Clock.now () + min timeout patienceAtStart, stop)

        if isOpen then
            measureSpin ()

        origin <- Clock.now () + Clock.span plan.WarmUp
        nextTimeouts <- Int64.MinValue
        let startedUtc = DateTime.UtcNow + plan.WarmUp
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
            // Before what is due is started: it may be waiting for a connection that is given up now.
            giveUp at

            if not isOver then
                let isStopped = stop.IsCancellationRequested

                // However late this thread is, every connection of the closed model sends one request.
                if isStopped || (at >= duration && (isOpen || hasBegun)) then
                    // What was due before the end is not due any more.
                    if isOpen && not isStopped then
                        startAll at

                    if isStopped then
                        stoppedAt <- at

                    isOver <- true
                else
                    startAll at
                    hasBegun <- at >= 0L

            if not (isOver && pool.InFlight = 0) then
                wait at isOver

        let finished = now ()
        let used = Clock.cpu () - cpu - spun
        let busy = Math.Clamp(float used / float (max 1L (finished - from)), 0.0, 1.0)

        while pending.Count > 0 do
            tally.Unsent(pending.Dequeue(), finished)

        if tally.HasRest then
            tally.EndSecond 0

        let isStopped = stoppedAt < Int64.MaxValue
        let ended = if isStopped then max 0L stoppedAt else duration
        let outcome = tally.Outcome(startedUtc, finished, ended, busy, isStopped)
        { outcome with Invalid = Trust.reasons outcome }
