// A server on the loopback that answers each connection after half a second, on threads of its own, for programs that
// wait for a socket.
module Sick.SlowServer

open System.Collections.Concurrent
open System.Diagnostics
open System.Net
open System.Net.Sockets
open System.Threading

/// Starts it on a free port.
let start () : IPEndPoint =
    let listener = new Socket(SocketType.Stream, ProtocolType.Tcp)
    listener.Bind(IPEndPoint(IPAddress.Loopback, 0))
    listener.Listen 4096
    let accepted = new BlockingCollection<struct (Socket * int64)>()

    Load.forever "accepting" (fun () -> accepted.Add(struct (listener.Accept(), Stopwatch.GetTimestamp())))

    Load.forever "answering" (fun () ->
        let struct (client, since) = accepted.Take()
        let left = 500.0 - Stopwatch.GetElapsedTime(since).TotalMilliseconds

        if left > 0.0 then
            Thread.Sleep(int left)

        client.Send "1.08\n"B |> ignore
        client.Dispose())

    nonNull (listener.LocalEndPoint) :?> IPEndPoint
