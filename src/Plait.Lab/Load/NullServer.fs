// A server that does nothing: it answers every request with the same response, with one thread and no work. What the load
// generator can do is measured against it.
module Plait.Lab.Load.NullServer

open System
open System.Buffers.Text
open System.Collections.Generic
open System.IO
open System.Net
open System.Net.Sockets
open System.Text
open System.Threading

let private body = String('x', 64)

let private head =
    $"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {body.Length}\r\n\r\n"

let private response = Encoding.ASCII.GetBytes(head + body)
let private emptyLine = "\r\n\r\n"B
let private contentLength = "content-length:"B

/// How many bytes of body the head of a request announces.
let private announced (head: ReadOnlySpan<byte>) : int64 =
    let mutable at = 0
    let mutable length = 0L

    while at >= 0 && at < head.Length do
        let line = head.Slice at

        if
            line.Length > contentLength.Length
            && Ascii.EqualsIgnoreCase(line.Slice(0, contentLength.Length), ReadOnlySpan contentLength)
        then
            let mutable used = 0

            Utf8Parser.TryParse(line.Slice(contentLength.Length).TrimStart 32uy, &length, &used)
            |> ignore

        let next = line.IndexOf 10uy
        at <- if next < 0 then -1 else at + next + 1

    length

/// One connection: what is missing of the request that it is sending.
type private Guest(socket: Socket) =
    let mutable held = 0
    let mutable left = -1L
    let mutable buffer = Array.zeroCreate<byte> 4096
    let mutable isHead = false

    let take (count: int) =
        if left >= 0L then
            left <- left - int64 count
            held <- 0
        else
            held <- held + count
            let bytes = ReadOnlySpan(buffer, 0, held)
            let finish = bytes.IndexOf(ReadOnlySpan emptyLine)

            if finish >= 0 then
                isHead <- buffer[0] = 72uy
                left <- announced (bytes.Slice(0, finish + 2)) - int64 (held - finish - 4)
                held <- 0
            elif held = buffer.Length then
                Array.Resize(&buffer, 2 * held)

    /// Reads what there is and answers; false: the connection is over.
    member _.Serve() : bool =
        let mutable error = SocketError.Success
        let count = socket.Receive(Span(buffer, held, buffer.Length - held), SocketFlags.None, &error)

        if error = SocketError.WouldBlock then
            true
        elif error <> SocketError.Success || count = 0 then
            false
        else
            take count

            if left = 0L then
                left <- -1L
                let length = if isHead then head.Length else response.Length
                socket.Send(ReadOnlySpan(response, 0, length), SocketFlags.None, &error) |> ignore
                error = SocketError.Success
            else
                true

    member _.Socket = socket

let private run (listener: Socket) (stop: CancellationToken) =
    use poller = Pollers.create ()
    let guests = Dictionary<int64, Guest>()
    let mutable last = 0L
    poller.Add(listener, 0L, false)

    let accept () =
        let socket = listener.Accept()
        socket.Blocking <- false
        socket.NoDelay <- true
        last <- last + 1L
        guests.Add(last, Guest socket)
        poller.Add(socket, last, false)

    while not stop.IsCancellationRequested do
        for index in 0 .. poller.Wait 50_000_000L - 1 do
            let token = poller.Token index

            if token = 0L then
                accept ()
            else
                let guest = guests[token]

                if not (guest.Serve()) then
                    poller.Remove guest.Socket
                    guests.Remove token |> ignore
                    guest.Socket.Dispose()

    for guest in guests.Values do
        guest.Socket.Dispose()

/// Serves on a port of the loopback until `input` ends. The first line on `output` says ready, and the port.
let serve (input: TextReader) (output: TextWriter) : unit =
    use listener =
        new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)

    listener.Bind(IPEndPoint(IPAddress.Loopback, 0))
    listener.Listen 4096
    use stop = new CancellationTokenSource()
    let thread = Thread((fun () -> run listener stop.Token), IsBackground = true)
    thread.Start()
    let port = (nonNull listener.LocalEndPoint :?> IPEndPoint).Port
    output.WriteLine $"""{{"ready":true,"port":{port}}}"""
    output.Flush()

    while not (isNull (input.ReadLine())) do
        ()

    stop.Cancel()
    thread.Join()
