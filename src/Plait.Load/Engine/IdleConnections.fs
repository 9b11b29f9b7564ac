// Closes connections that nothing needs: those that are idle for too long, and, where a server takes up few connections
// at a time, one for each request that waits on another. For the one thread of the engine.
namespace Plait.Load

open System.Collections.Generic
open System.Net

/// The idle connections of a pool.
type internal IdleConnections
    (pools: List<DestinationPool>, servers: Dictionary<EndPoint, Server>.ValueCollection) =
    // A connection is idle for so long at most: one that has carried requests, one that was opened and not used, and the last one to
    // a destination, which the next request takes.
    static let mostIdle = 1_000_000_000L
    static let mostLast = 2_000_000_000L
    static let mostUnused = 100_000_000L
    // One connection is closed each time, so that the connections of a busy second are not all closed in the next.
    static let betweenLooks = 10_000_000L
    static let betweenLooksWhenPassed = 1_000_000L
    // A connection that is closed keeps its local port for a minute: so many are closed a minute at most for requests that wait.
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

    /// Closes the connection to a server that has answered and has been idle for longest, and those that were opened
    /// and never used. False: none that has answered is idle.
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

    /// A server that serves few connections at a time takes the next one up when another is closed. A request that waits on one
    /// that has never answered, while others are served, waits for that: an idle connection is closed for it, one of another thread
    /// where this one has none.
    let rec relieve (server: Server) (now: int64) : unit =
        if
            closingsLeft >= 1.0
            && server.IsOverdue now
            && (closeIdle server || server.OthersHaveIdle && server.Shared.RequestClose())
        then
            server.RestartPatience now
            relieve server now

    /// Closes an idle connection where another thread asks for that.
    let closeForOtherThread (server: Server) : unit =
        if server.Shared.IsCloseRequested && closingsLeft >= 1.0 && server.HasIdle && server.Shared.TakeCloseRequest() then
            closeIdle server |> ignore

    /// Closes connections that have been idle for too long, from `node` on: at most one that has answered. Those that
    /// have answered stand in the order in which they became idle.
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

    /// Closes an idle connection to a server for each request that waits for that.
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
