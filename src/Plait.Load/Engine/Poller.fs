// Waiting for many sockets with one thread: the interface, and the poller of every system but Linux. Pollers have sockets and tokens,
// but no requests.
namespace Plait.Load

open System
open System.Collections.Generic
open System.Net.Sockets
open System.Threading

/// Tells which of many sockets can be read or written. For one thread.
[<AbstractClass>]
type internal Poller() =
    /// Watches a socket: for reading always, for writing if `write`. `token` comes back with its events. False: this machine
    /// watches no more of them.
    abstract Add: socket: Socket * token: int64 * write: bool -> bool
    /// Changes whether a watched socket is watched for writing.
    abstract Change: socket: Socket * token: int64 * write: bool -> unit
    /// No longer watches a socket. To be called before it is disposed of.
    abstract Remove: socket: Socket -> unit
    /// Waits at most so many nanoseconds for events, and returns how many there are; 0 only looks.
    abstract Wait: nanoseconds: int64 -> int
    /// The token of an event of the last wait.
    abstract Token: index: int -> int64
    /// The socket of an event can be read, or is broken.
    abstract Readable: index: int -> bool
    /// The socket of an event can be written, or is broken.
    abstract Writable: index: int -> bool
    abstract Dispose: unit -> unit
    default _.Dispose() = ()

    interface IDisposable with
        member this.Dispose() = this.Dispose()

/// A poller for every platform: slower, and no finer than a millisecond.
type internal SelectPoller() =
    inherit Poller()
    let watched = Dictionary<Socket, struct (int64 * bool)>()
    let read = List<Socket>()
    let write = List<Socket>()
    let broken = List<Socket>()
    let events = List<struct (int64 * bool * bool)>()

    override _.Add(socket, token, write) =
        watched[socket] <- struct (token, write)
        true

    override _.Change(socket, token, write) =
        watched[socket] <- struct (token, write)

    override _.Remove socket = watched.Remove socket |> ignore

    override _.Wait nanoseconds =
        events.Clear()
        let microseconds = int (min (nanoseconds / 1000L) 1_000_000L)

        if watched.Count = 0 then
            Thread.Sleep(microseconds / 1000)
        else
            read.Clear()
            write.Clear()
            broken.Clear()

            for entry in watched do
                let struct (_, writes) = entry.Value
                read.Add entry.Key
                broken.Add entry.Key

                if writes then
                    write.Add entry.Key

            Socket.Select(read, write, broken, microseconds)

            for entry in watched do
                let struct (token, _) = entry.Value
                let isBroken = broken.Contains entry.Key
                let readable = isBroken || read.Contains entry.Key
                let writable = isBroken || write.Contains entry.Key

                if readable || writable then
                    events.Add(struct (token, readable, writable))

        events.Count

    override _.Token index =
        let struct (token, _, _) = events[index] in token

    override _.Readable index =
        let struct (_, readable, _) = events[index] in readable

    override _.Writable index =
        let struct (_, _, writable) = events[index] in writable
