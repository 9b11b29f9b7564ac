// Gives up requests whose time is over, whose server sent GOAWAY with an error, or that are in flight when the run is stopped. For the
// one thread of the engine.
namespace Plait.Load

open System

/// The timeouts of a run.
type internal Timeouts(plan: Plan, pool: ConnectionPool, requests: RequestFlow, time: Clock.RunTime) =
    // The time that a stopped run waits for responses.
    static let patienceWhenStopped = 2_000_000_000L
    // The time that a server may take from a GOAWAY with an error to closing the connection.
    static let mostToClose = 2_000_000_000L
    let timeout = Clock.span plan.Timeout
    let every = Math.Clamp(timeout / 10L, 1_000_000L, 50_000_000L)
    let mutable next = Int64.MinValue

    /// The state of a request whose time is over, as the end of a sentence.
    let stage (slot: RequestSlot) : string =
        if pool.IsPassedOver slot then
            " over a connection that the server did not take up, although it served others"
        elif not (isNull slot.Obstacle) then
            $": {slot.Obstacle} by then"
        elif slot.IsInterim then
            ": only interim responses (1xx) had come"
        elif slot.BytesLeft > 0 then
            $": the server had not taken {ResponseWords.bytes (int64 slot.BytesLeft)} of the request"
        elif slot.EndsWithConnection then
            $": {ResponseWords.bytes slot.BytesInSinceSent} had come of a response without a length, which ends when the server closes the connection"
        elif slot.BytesInSinceSent > 0L then
            $": {ResponseWords.bytes slot.BytesInSinceSent} had come"
        elif pool.IsSilent slot then
            ": the server takes connections, and has answered no request of this run"
        else
            ""

    let giveUp (slot: RequestSlot) (result: RequestResult) (sentence: string) =
        slot.GiveUp(result, sentence)
        requests.Settle slot

    /// The time of the next look at the slots.
    member _.Next = next

    /// Looks at every slot if that time has come. `stoppedAt`: when the run was stopped.
    member _.GiveUp(at: int64, stoppedAt: int64) : unit =
        if at >= next then
            next <- at + every

            for index in 0 .. pool.Slots.Count - 1 do
                let slot = pool.Slots[index]

                if slot.IsFree then
                    ()
                elif at - slot.Sent >= timeout then
                    giveUp
                        slot
                        RequestResult.TimedOut
                        $"no whole response within {plan.Timeout.TotalMilliseconds} ms{stage slot}"
                elif at + time.Origin - slot.EndedByServerAt >= mostToClose then
                    giveUp
                        slot
                        RequestResult.Closed
                        "the server ended the connection before the whole response was there"
                elif at - patienceWhenStopped >= stoppedAt then
                    giveUp
                        slot
                        RequestResult.Abandoned
                        "no whole response within 2 s after the run was stopped"
