// Closes connections that nothing needs: connections that are idle for too long, and, if a server serves few connections at a time, an
// idle one for each request that waits on another connection. For the one thread of the engine.
namespace Plait.Load

open System.Collections.Generic
open System.Net

/// The idle connections of a pool.
type internal IdleConnections
    (pools: List<DestinationPool>, servers: Dictionary<EndPoint, Server>.ValueCollection) =
    // The longest time for which a connection may be idle: after requests, as the last one to a destination, which the next request
    // takes, and without a request.
    static let mostIdle = 1_000_000_000L
    static let mostLast = 2_000_000_000L
    static let mostUnused = 100_000_000L
    // Each look closes one connection, so that the connections of a busy second are not all closed in the next.
    static let betweenLooks = 10_000_000L
    static let betweenLooksWhenPassed = 1_000_000L
    // A closed connection keeps its local port for a minute. At most so many a minute are closed for waiting requests.
    static let mostClosings = float (MachineLimits.ports () / 4)
    let mutable closingsLeft = mostClosings
    let mutable lookedAt = 0L

    let close (held: PooledConnection) =
        held.Connection.Close()
        pools[held.Destination].Closed held
        closingsLeft <- closingsLeft - 1.0

    /// The connection that has answered and has been idle for longest, from `node` on; null: there is none.
    /// Connections that were opened and never used are closed on the way.
    let rec longestIdle (node: LinkedListNode<PooledConnection> | null) : PooledConnection | null =
        match node with
        | null -> null
        | node ->
            let next = node.Next

            match node.Value with
            | held when not held.IsIdle -> longestIdle next
            | held when held.Connection.HasAnswered -> held
            | unused ->
                close unused
                longestIdle next

    /// Closes, of the connections to a server that have answered, the one that is idle for longest, and all connections that were
    /// opened and never used. False: no connection that has answered is idle.
    let closeIdle (server: Server) : bool =
        let mutable longest: PooledConnection | null = null

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

    /// A server that serves few connections at a time serves the next one when another is closed. If a request waits on a connection
    /// that has never answered while others are served, an idle connection is closed for it; if this thread has none, another thread
    /// closes one.
    let rec relieve (server: Server) (now: int64) : unit =
        if
            closingsLeft >= 1.0
            && server.IsOverdue now
            && (closeIdle server || server.OthersHaveIdle && server.Shared.RequestClose())
        then
            server.RestartPatience now
            relieve server now

    /// Closes an idle connection if another thread requests it.
    let closeForOtherThread (server: Server) : unit =
        if
            server.Shared.IsCloseRequested
            && closingsLeft >= 1.0
            && server.HasIdle
            && server.Shared.TakeCloseRequest()
        then
            closeIdle server |> ignore

    /// Closes connections that have been idle for too long, from `node` on: at most one that has answered. Connections that have
    /// answered are in the order in which they became idle.
    let rec closeStale (node: LinkedListNode<PooledConnection> | null) (now: int64) : unit =
        match node with
        | null -> ()
        | node ->
            let next = node.Next
            let held = node.Value

            if held.IsShut then
                pools[held.Destination].Closed held
                closeStale next now
            elif not held.IsIdle then
                closeStale next now
            else
                let answered = held.Connection.HasAnswered

                let most =
                    if isNull next then mostLast
                    elif answered then mostIdle
                    else mostUnused

                if now - held.IdleSince >= most then
                    held.Connection.Close()
                    pools[held.Destination].Closed held

                if not answered then
                    closeStale next now

    /// Closes an idle connection to a server for each request that waits for the server.
    member _.Relieve(server: Server, now: int64) : unit =
        closeForOtherThread server
        relieve server now

    /// Closes them. Returns the next time at which to look for them.
    member _.Close(now: int64) : int64 =
        let mutable isPassed = false

        for server in servers do
            let isIdle = server.HasIdle
            server.PublishIdle isIdle

            if isIdle || server.OthersHaveIdle then
                server.Pass now

            closeForOtherThread server
            relieve server now
            isPassed <- isPassed || server.HasPassed

        for pool in pools do
            closeStale pool.Roomy.First now

        closingsLeft <-
            min mostClosings (closingsLeft + mostClosings * float (max 0L (now - lookedAt)) / 60e9)

        lookedAt <- now
        now + (if isPassed then betweenLooksWhenPassed else betweenLooks)
