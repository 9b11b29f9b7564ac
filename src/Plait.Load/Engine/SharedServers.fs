// The state of a server that the threads of a run share: each thread has connections of its own, and a request of one
// may wait for an idle connection of another to close. From any thread.
namespace Plait.Load

open System
open System.Collections.Concurrent
open System.Net
open System.Threading

/// A server: the listener at an EndPoint, under any host name.
[<Sealed>]
type internal SharedServer() =
    // The least time between two writes: all threads read it.
    static let between = 10_000_000L
    let mutable answeredAt = Int64.MinValue
    let mutable idle = 0
    let mutable wanted = 0

    /// When it answered a request last, to a hundredth of a second.
    member _.AnsweredAt = Volatile.Read &answeredAt

    /// It has answered a request.
    member _.Answered(now: int64) : unit =
        if now >= Volatile.Read &answeredAt + between then
            Volatile.Write(&answeredAt, now)

    /// Times of a run before do not count.
    member _.Reset() : unit =
        Volatile.Write(&answeredAt, Int64.MinValue)

    /// The number of threads that have idle connections to it.
    member _.Idle = Volatile.Read &idle
    /// One thread more (1) or less (-1) has idle connections.
    member _.AddIdle(more: int) : unit = Interlocked.Add(&idle, more) |> ignore

    /// Requests that a thread closes an idle connection; false: it is requested already.
    member _.RequestClose() : bool =
        Interlocked.CompareExchange(&wanted, 1, 0) = 0

    /// A thread requests that.
    member _.IsCloseRequested = Volatile.Read &wanted = 1

    /// Takes the request, to close a connection; false: another thread has taken it.
    member _.TakeCloseRequest() : bool =
        Interlocked.CompareExchange(&wanted, 0, 1) = 1

/// The servers of a run.
[<Sealed>]
type internal SharedServers() =
    let servers = ConcurrentDictionary<EndPoint, SharedServer>()
    let mutable heldAt = Int64.MinValue

    member _.Of(endPoint: EndPoint) : SharedServer =
        servers.GetOrAdd(endPoint, (fun _ -> SharedServer()))

    /// One of them holds a request at the end of a second that was sent before that second. From any thread.
    member _.Hold(secondEnds: int64) : unit =
        if secondEnds > Volatile.Read &heldAt then
            Volatile.Write(&heldAt, secondEnds)

    /// The last such end of a second.
    member _.HeldAt = Volatile.Read &heldAt

    /// One of them has answered a request.
    member _.HaveAnswered =
        servers.Values |> Seq.exists (fun server -> server.AnsweredAt > Int64.MinValue)
