// A small server on the loopback for tests: a thread for each connection, and a script that says what happens on it.
namespace Plait.Tests.Support

open System
open System.Collections.Concurrent
open System.Net
open System.Net.Sockets
open System.Text
open System.Text.RegularExpressions
open System.Threading

/// One connection as the script of a test sees it.
type Connection(socket: Socket) =
    let buffer = Array.zeroCreate<byte> 4096
    let mutable pending = ""
    let mutable head = ""
    let mutable body = ""

    let announced (head: string) =
        let found = Regex.Match(head, @"(?i)\r\nContent-Length: *(\d+)")
        if found.Success then int found.Groups[1].Value else 0

    /// The head of the last request, with its empty line.
    member _.Head = head
    /// Its body.
    member _.Body = body

    /// Waits for a whole request; false: the client is gone.
    member _.Request() : bool =
        let mutable gone = false
        let mutable finish = pending.IndexOf("\r\n\r\n", StringComparison.Ordinal)

        while not gone && finish < 0 do
            let count = socket.Receive buffer

            if count = 0 then
                gone <- true
            else
                pending <- pending + Encoding.Latin1.GetString(buffer, 0, count)
                finish <- pending.IndexOf("\r\n\r\n", StringComparison.Ordinal)

                if finish >= 0 && pending.Length < finish + 4 + announced (pending.Substring(0, finish)) then
                    finish <- -1

        if not gone then
            head <- pending.Substring(0, finish + 4)
            let length = announced head
            body <- pending.Substring(finish + 4, length)
            pending <- pending.Substring(finish + 4 + length)

        not gone

    /// The bytes behind the last request that have come, at least one. Raises SocketException when the client is gone.
    member _.Rest() : string =
        if pending = "" then
            match socket.Receive buffer with
            | 0 -> raise (SocketException(int SocketError.ConnectionReset))
            | count -> Encoding.Latin1.GetString(buffer, 0, count)
        else
            let rest = pending
            pending <- ""
            rest

    /// Whoever says nothing for so long is gone.
    member _.Limit(milliseconds: int) = socket.ReceiveTimeout <- milliseconds

    /// Sends text as it is.
    member _.Send(text: string) =
        socket.Send(Encoding.UTF8.GetBytes text) |> ignore

    /// Says that nothing more will be sent, and goes on listening.
    member _.HalfClose() = socket.Shutdown SocketShutdown.Send

    /// Ends the connection with a reset instead of an end, unless it has ended.
    member _.Reset() =
        try
            socket.LingerState <- LingerOption(true, 0)
            socket.Close()
        with
        | :? SocketException
        | :? ObjectDisposedException -> ()

/// Ports of the loopback.
module Ports =
    /// A port at which nobody listens yet, for a server. Another process may take it: a connection that must be refused goes to port 1.
    let free () : int =
        let listener = new TcpListener(IPAddress.Loopback, 0)
        listener.Start()
        let port = (listener.LocalEndpoint :?> IPEndPoint).Port
        listener.Stop()
        port

/// A server that runs `serve` on a thread for every connection, and closes the connection when that ends.
type SocketServer(serve: Socket -> unit) =
    let listener = new TcpListener(IPAddress.Loopback, 0)
    let sockets = ConcurrentBag<Socket>()

    let run (socket: Socket) =
        try
            use socket = socket
            socket.NoDelay <- true
            serve socket
        with
        | :? SocketException
        | :? ObjectDisposedException -> ()

    let accept () =
        try
            while true do
                let socket = listener.AcceptSocket()
                sockets.Add socket
                Thread((fun () -> run socket), IsBackground = true).Start()
        with
        | :? SocketException
        | :? ObjectDisposedException
        | :? InvalidOperationException -> ()

    do
        listener.Start 256
        Thread(accept, IsBackground = true).Start()

    /// Where it listens.
    member val Address = listener.LocalEndpoint :?> IPEndPoint
    /// How many connections it has taken.
    member _.Connections = sockets.Count
    /// Scheme, host and port.
    member this.Url = $"http://{this.Address}"

    /// Takes no more connections, and breaks those that are open.
    member _.Stop() =
        listener.Stop()

        for socket in sockets do
            socket.Dispose()

    interface IDisposable with
        member this.Dispose() = this.Stop()

/// A server that runs `script` on every connection and closes it when the script ends.
type Loopback(script: Connection -> unit) =
    inherit SocketServer(fun socket -> script (Connection socket))

/// Responses as text.
module Response =
    /// A whole response with a body and its length.
    let ok (body: string) =
        $"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {Encoding.UTF8.GetByteCount body}\r\n\r\n{body}"
