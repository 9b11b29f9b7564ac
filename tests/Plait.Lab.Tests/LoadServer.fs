// Servers that are wrong in one way each, and count what they did, for the load generator to be held against.
module Plait.Lab.Tests.LoadServer

open System
open System.Threading

open Plait.Report
open Plait.Load
open Plait.Lab

/// What a right response holds.
let body = """["1","2","fizz"]"""

/// A server and what it counted.
type Counting(script: Counting -> Connection -> unit) as this =
    let mutable right = 0L
    let mutable wrong = 0L
    let mutable requests = 0L
    let server = new Loopback(script this)

    /// Sends a right response, and counts it.
    member _.Right(connection: Connection, response: string) =
        Interlocked.Increment &right |> ignore
        connection.Send response

    /// Counts something wrong.
    member _.Wrong() = Interlocked.Increment &wrong |> ignore
    /// The number of the next request over all connections, from 1.
    member _.Next() = Interlocked.Increment &requests
    /// The server.
    member _.Server = server
    /// Right responses that were sent.
    member _.Sent = Volatile.Read &right
    /// Wrong things that were done.
    member _.Spoiled = Volatile.Read &wrong

    interface IDisposable with
        member _.Dispose() = server.Stop()

/// A server that sends `wrong` for every `every`th request of all, and else a right response.
let sometimes (every: int64) (wrong: string) =
    new Counting(fun counting connection ->
        while connection.Request() do
            if counting.Next() % every = 0L then
                counting.Wrong()
                connection.Send wrong
            else
                counting.Right(connection, Response.ok body))

/// A server whose connections run `spoil` for every `every`th request of their own, and then end.
let ending (every: int) (spoil: Counting -> Connection -> unit) =
    new Counting(fun counting connection ->
        let mutable answered = 0
        let mutable over = false

        while not over && connection.Request() do
            answered <- answered + 1

            if answered % every = 0 then
                spoil counting connection
                over <- true
            else
                counting.Right(connection, Response.ok body))

/// Four connections to the server that stay open from one slice to the next.
let internal session (timeout: int) (counting: Counting) : AttackSession =
    let plan =
        { Plan.ofOne (HttpRequest.Get $"{counting.Server.Url}/fizzbuzz") body (Closed 4) with
            Timeout = TimeSpan.FromMilliseconds(float timeout)
        }

    new AttackSession(plan, Share.Whole, SharedServers(), DataRows.none, Pollers.create)

/// A slice of load.
let internal slice (milliseconds: int) (session: AttackSession) : Outcome =
    session.Run(TimeSpan.FromMilliseconds(float milliseconds), 0, ignore, CancellationToken.None)

/// What was counted against the server in slices of `milliseconds`, one after the other.
let load (timeout: int) (milliseconds: int list) (counting: Counting) : Outcome list =
    use session = session timeout counting
    session.Open() |> ignore
    [ for milliseconds in milliseconds -> slice milliseconds session ]

/// The sum of requests and errors of some slices.
let total (slices: Outcome list) : int64 * ErrorCounts =
    slices |> List.sumBy _.Right,
    slices |> List.fold (fun sum slice -> sum + HttpSlice.errors slice) ErrorCounts.None
