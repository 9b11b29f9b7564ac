// A server that does nothing: it answers every request with the same response, with one thread and no work. What the load
// generator can do is measured against it.
namespace Plait.Load

open System
open System.Buffers.Text
open System.Collections.Generic
open System.IO
open System.Net
open System.Net.Security
open System.Net.Sockets
open System.Security.Authentication
open System.Security.Cryptography
open System.Security.Cryptography.X509Certificates
open System.Text
open System.Threading

module private NullResponse =
    let body = String('x', 64)

    let head =
        $"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {body.Length}\r\n\r\n"

    let response = Encoding.ASCII.GetBytes(head + body)
    let emptyLine = "\r\n\r\n"B
    let contentLength = "content-length:"B

    /// How many bytes of body the head of a request announces.
    let announced (head: ReadOnlySpan<byte>) : int64 =
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

/// What one connection has sent of its request.
[<Sealed>]
type internal NullRequest() =
    let mutable buffer = Array.zeroCreate<byte> 4096
    let mutable held = 0
    let mutable left = -1L
    let mutable isHead = false

    /// Where the next bytes go.
    member _.Free = Memory(buffer, held, buffer.Length - held)

    /// So many bytes were put there. True: the request is whole, and the next one begins.
    member _.Take(count: int) : bool =
        if left >= 0L then
            left <- left - int64 count
        else
            held <- held + count
            let bytes = ReadOnlySpan(buffer, 0, held)
            let finish = bytes.IndexOf(ReadOnlySpan NullResponse.emptyLine)

            if finish >= 0 then
                isHead <- buffer[0] = 72uy
                left <- NullResponse.announced (bytes.Slice(0, finish + 2)) - int64 (held - finish - 4)
                held <- 0
            elif held = buffer.Length then
                Array.Resize(&buffer, 2 * held)

        if left = 0L then
            left <- -1L
            true
        else
            false

    /// The bytes of its response.
    member _.Response =
        ReadOnlyMemory(
            NullResponse.response,
            0,
            (if isHead then NullResponse.head.Length else NullResponse.response.Length)
        )

/// What the server saw; another thread reads it.
type private Seen() =
    let mutable requests = 0L
    let mutable connections = 0L

    /// A whole request has come.
    member _.Request() =
        Interlocked.Increment &requests |> ignore

    /// A connection was opened (1) or is over (-1).
    member _.Connection(change: int64) =
        Interlocked.Add(&connections, change) |> ignore

    /// All requests that have come, and the connections that are open, as a line of JSON.
    member _.Json =
        $"""{{"requests":{Volatile.Read &requests},"connections":{Volatile.Read &connections}}}"""

/// The server.
module NullServer =
    /// Reads what a socket has and answers; false: the connection is over.
    let private answer (seen: Seen) (socket: Socket) (request: NullRequest) : bool =
        let mutable error = SocketError.Success
        let count = socket.Receive(request.Free.Span, SocketFlags.None, &error)

        if error = SocketError.WouldBlock then
            true
        elif error <> SocketError.Success || count = 0 then
            false
        else
            if request.Take count then
                seen.Request()
                socket.Send(request.Response.Span, SocketFlags.None, &error) |> ignore

            error = SocketError.Success

    let private run (seen: Seen) (listener: Socket) (stop: CancellationToken) =
        use poller = Pollers.create ()
        let connections = Dictionary<int64, struct (Socket * NullRequest)>()
        let mutable last = 0L
        poller.Add(listener, 0L, false)

        let accept () =
            let socket = listener.Accept()
            socket.Blocking <- false
            socket.NoDelay <- true
            last <- last + 1L
            connections.Add(last, struct (socket, NullRequest()))
            seen.Connection 1L
            poller.Add(socket, last, false)

        while not stop.IsCancellationRequested do
            for index in 0 .. poller.Wait 50_000_000L - 1 do
                let token = poller.Token index

                if token = 0L then
                    accept ()
                else
                    let struct (socket, request) = connections[token]

                    if not (answer seen socket request) then
                        poller.Remove socket
                        connections.Remove token |> ignore
                        socket.Dispose()
                        seen.Connection -1L

        for struct (socket, _) in connections.Values do
            socket.Dispose()

    let private certificate () =
        use key = RSA.Create 2048

        let request =
            CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)

        use made =
            request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays -1., DateTimeOffset.UtcNow.AddDays 1.)

        X509CertificateLoader.LoadPkcs12(made.Export X509ContentType.Pfx, null)

    /// A thread for each connection: SslStream waits by itself.
    let private runSecurely (seen: Seen) (listener: Socket) =
        let certificate = certificate ()

        let serve (socket: Socket) =
            seen.Connection 1L

            try
                use stream = new SslStream(new NetworkStream(socket, true))
                stream.AuthenticateAsServer certificate
                let request = NullRequest()
                let mutable count = stream.Read request.Free.Span

                while count > 0 do
                    if request.Take count then
                        seen.Request()
                        stream.Write request.Response.Span

                    count <- stream.Read request.Free.Span
            with
            | :? IOException
            | :? AuthenticationException -> ()

            seen.Connection -1L

        try
            while true do
                let socket = listener.Accept()
                socket.NoDelay <- true
                Thread((fun () -> serve socket), IsBackground = true).Start()
        with
        | :? SocketException
        | :? ObjectDisposedException -> ()

    /// Serves on a port of the loopback until `input` ends; `secure`: over TLS, with a certificate that nobody vouches for. The
    /// first line on `output` says ready, and the port; every line of `input` is answered with one that says how many requests
    /// have come and how many connections are open.
    let serve (secure: bool) (input: TextReader) (output: TextWriter) : unit =
        use listener =
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)

        listener.Bind(IPEndPoint(IPAddress.Loopback, 0))
        listener.Listen 4096
        use stop = new CancellationTokenSource()
        let seen = Seen()

        let work () =
            if secure then runSecurely seen listener else run seen listener stop.Token

        let thread = Thread(work, IsBackground = true)
        thread.Start()
        let port = (nonNull listener.LocalEndPoint :?> IPEndPoint).Port

        let say (line: string) =
            output.WriteLine line
            output.Flush()

        say $"""{{"ready":true,"port":{port}}}"""

        while not (isNull (input.ReadLine())) do
            say seen.Json

        stop.Cancel()

        if not secure then
            thread.Join()
