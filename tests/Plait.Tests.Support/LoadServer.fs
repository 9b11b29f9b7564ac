// Servers that are wrong in one way each, and count what they did, for the load generator to be held against.
module Plait.Tests.Support.LoadServer

open System
open System.Threading

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
