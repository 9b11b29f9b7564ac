// The poller of every platform but Linux, and its stand-in there: Socket.Select. Its time grows with the number of sockets.
namespace Plait.Load


open System.Collections.Generic
open System.Net.Sockets
open System.Threading

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
