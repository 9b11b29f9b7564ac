// A request from its slot to its result: it is sent, may move to a connection that opens sooner, may follow redirections, and its
// response is checked. For the one thread of the engine.
namespace Plait.Load

/// Judges responses by the status and the body that a plan expects.
type private ResponseCheck(plan: Plan) =
    let isExpected =
        Array.init 1000 (fun status ->
            match plan.ExpectStatus with
            | [] -> status >= 200 && status <= 399
            | some -> List.contains status some)

    let expectedStatus =
        match plan.ExpectStatus with
        | [ only ] -> $" instead of {only}"
        | _ -> ""

    /// The result of a response that is whole.
    member _.Result(slot: RequestSlot) : RequestResult =
        if not isExpected[min slot.Status 999] then RequestResult.WrongStatus
        elif not slot.IsExpected then RequestResult.WrongBody
        else RequestResult.Right

    /// The sentence about a result of such a response, or null.
    member _.Complaint(slot: RequestSlot, result: RequestResult) : string | null =
        match result, plan.ExpectBody with
        | RequestResult.WrongStatus, _ -> $"the status was {slot.Status}{expectedStatus}"
        | RequestResult.WrongBody, Some right when slot.BodyLength <> int64 right.Length ->
            $"the body is of {slot.BodyLength} bytes instead of {right.Length}"
        | RequestResult.WrongBody, _ -> $"the body, of {slot.BodyLength} bytes, is not the expected one"
        | _ -> null

/// Carries the requests of a run.
type internal RequestFlow(plan: Plan, pool: ConnectionPool, recorder: RunRecorder, time: Clock.RunTime) =
    let isClosed = plan.Model.IsClosed
    let check = ResponseCheck plan
    let redirects = Redirects(plan, pool)

    /// Copies the engine's notes on a request to the slot in which it goes on.
    let carryOver (slot: RequestSlot) (next: RequestSlot) (prepared: PreparedRequest) =
        next.Intended <- slot.Intended
        next.Sent <- slot.Sent
        next.HasWaited <- slot.HasWaited
        next.WaitedForClose <- slot.WaitedForClose
        next.EarlierRetries <- slot.EarlierRetries + slot.Retries
        next.EarlierOut <- slot.EarlierOut + slot.BytesOut
        next.EarlierIn <- slot.EarlierIn + slot.BytesIn
        next.Redirections <- slot.Redirections
        next.Prepared <- prepared

    let begin' (slot: RequestSlot) (prepared: PreparedRequest) : bool =
        let isOver = slot.Begin prepared

        if not isOver then
            pool.Began slot

        isOver

    /// The request of a slot is over, and it is free for another.
    let rec end'
        (slot: RequestSlot)
        (finished: int64)
        (result: RequestResult)
        (complaint: string | null)
        : unit =
        recorder.Done(slot, finished, result, complaint)

        match result with
        // The closed model would retry at once, and fail as fast.
        | RequestResult.Refused
        | RequestResult.GoAway
        | RequestResult.StreamRefused
        | RequestResult.NoLocalPort
        | RequestResult.NoDescriptor when isClosed && slot.Redirections = 0 -> pool.Park(slot, finished)
        // As fast is a server that ends fresh connections before the head of a response.
        | RequestResult.Reset
        | RequestResult.Closed
        | RequestResult.Tls when isClosed && slot.Redirections = 0 && slot.Status = 0 ->
            pool.Park(slot, finished)
        | _ ->
            pool.Return(slot, finished)
            handOver slot.Destination finished

    /// A slot is free. It takes over a request whose own connection is still being opened.
    and handOver (destination: int) (finished: int64) : unit =
        if pool.Grows then
            match pool.Waiting destination with
            | null -> pool.Relieve(destination, finished)
            | waiting ->
                let next = pool.Take waiting.Destination
                let prepared = nonNull waiting.Prepared
                carryOver waiting next prepared
                waiting.Withdraw()
                pool.PutBack(waiting, finished)

                if begin' next prepared then
                    settle next

    /// Reads the result of a slot's request; a redirected request goes on.
    and settle (slot: RequestSlot) : unit =
        let finished = time.Now()

        if slot.Result <> RequestResult.Right then
            end' slot finished slot.Result slot.Complaint
        elif redirects.IsRedirection slot then
            match redirects.Next slot with
            | Error struct (result, sentence) -> end' slot finished result sentence
            | Ok struct (destination, prepared) when destination = slot.Destination ->
                follow slot slot prepared
            | Ok struct (destination, prepared) ->
                // Before the other one is taken: in all it is one request.
                pool.Return(slot, finished)

                if pool.CanTake destination then
                    follow slot (pool.Take destination) prepared
                else
                    recorder.Done(
                        slot,
                        finished,
                        RequestResult.Unsent,
                        "every connection to the server of its redirection was in use"
                    )

                handOver slot.Destination finished
        else
            let result = check.Result slot
            end' slot finished result (check.Complaint(slot, result))

    /// Sends the redirected request of a slot over `next`, a slot to its new destination, which may be the same slot.
    and follow (slot: RequestSlot) (next: RequestSlot) (prepared: PreparedRequest) : unit =
        if slot.Intended >= 0L then
            recorder.Counts.Redirected <- recorder.Counts.Redirected + 1L

        carryOver slot next prepared
        next.Redirections <- next.Redirections + 1

        if begin' next prepared then
            settle next

    /// Sends a request over a slot. `hasWaited`: all connections were in use when it was due.
    member _.Send
        (
            slot: RequestSlot,
            prepared: PreparedRequest,
            intended: int64,
            sent: int64,
            hasWaited: bool,
            ownLag: int64
        ) : unit =
        slot.Intended <- intended
        slot.Sent <- sent
        slot.HasWaited <- hasWaited
        slot.WaitedForClose <- false
        slot.EarlierOut <- 0
        slot.EarlierIn <- 0L
        slot.EarlierRetries <- 0
        slot.Redirections <- 0
        slot.Prepared <- prepared
        recorder.Sent(intended, sent, ownLag, hasWaited)

        if begin' slot prepared then
            settle slot

    /// Reads the result of a slot's request.
    member _.Settle(slot: RequestSlot) : unit = settle slot
