// A server that does nothing: it answers every request with the same response, with one thread and no work. The rate
// that the load generator can do is measured against it.
namespace Plait.Load

open System
open System.Collections.Generic
open System.IO
open System.Net
open System.Net.Security
open System.Net.Sockets
open System.Security.Authentication
open System.Security.Cryptography
open System.Security.Cryptography.X509Certificates
open System.Threading

/// The counts of the server; another thread reads them.
type private ServerCounts() =
    let mutable requests = 0L
    let mutable connections = 0L

    /// Adds whole requests.
    member _.Requests(more: int) =
        Interlocked.Add(&requests, int64 more) |> ignore

    /// Adds an opened connection (1), or removes a closed one (-1).
    member _.Connection(change: int64) =
        Interlocked.Add(&connections, change) |> ignore

    /// The connections that are open.
    member _.Open = Volatile.Read &connections

    /// All requests that have come, and the connections that are open, as a line of JSON.
    member _.Json =
        $"""{{"requests":{Volatile.Read &requests},"connections":{Volatile.Read &connections}}}"""

/// The server.
module NullServer =
    /// Reads the bytes of a socket and answers; false: the connection is over.
    let private answer (counts: ServerCounts) (socket: Socket) (peer: NullConnection) : bool =
        let mutable error = SocketError.Success
        let count = socket.Receive(peer.Free.Span, SocketFlags.None, &error)

        if error = SocketError.WouldBlock then
            true
        elif error <> SocketError.Success || count = 0 then
            false
        else
            let mutable rest = peer.Take count
            counts.Requests peer.Requests

            while not rest.IsEmpty && error = SocketError.Success do
                let sent = socket.Send(rest.Span, SocketFlags.None, &error)
                rest <- rest.Slice sent

                if error = SocketError.WouldBlock then
                    // The load engine reads whatever comes: there is room soon.
                    socket.Poll(1000, SelectMode.SelectWrite) |> ignore
                    error <- SocketError.Success

            error = SocketError.Success && not peer.IsLost

    let private run
        (counts: ServerCounts)
        (makeConnection: unit -> NullConnection)
        (listener: Socket)
        (stop: CancellationToken)
        =
        use poller = Pollers.create ()
        let connections = Dictionary<int64, struct (Socket * NullConnection)>()
        let mutable last = 0L
        poller.Add(listener, 0L, false) |> ignore

        let accept () =
            try
                let socket = listener.Accept()
                socket.Blocking <- false
                socket.NoDelay <- true
                last <- last + 1L

                if poller.Add(socket, last, false) then
                    connections.Add(last, struct (socket, makeConnection ()))
                    counts.Connection 1L
                else
                    socket.Dispose()
            with :? SocketException ->
                // It is gone already, or this process may not open one file more: then it waits.
                Thread.Sleep 1

        while not stop.IsCancellationRequested do
            for index in 0 .. poller.Wait 50_000_000L - 1 do
                let token = poller.Token index

                if token = 0L then
                    accept ()
                else
                    let struct (socket, peer) = connections[token]

                    if not (answer counts socket peer) then
                        poller.Remove socket
                        connections.Remove token |> ignore
                        socket.Dispose()
                        counts.Connection -1L

        for struct (socket, _) in connections.Values do
            socket.Dispose()

    let private certificate () =
        use key = RSA.Create 2048

        let request =
            CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)

        use made =
            request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays -1., DateTimeOffset.UtcNow.AddDays 1.)

        X509CertificateLoader.LoadPkcs12(made.Export X509ContentType.Pfx, null)

    // .NET ends a process in which a new thread or a part of TLS finds no file left: so many are left to them.
    let private spareFiles = 32

    /// A thread for each connection: SslStream waits by itself.
    let private runSecurely
        (counts: ServerCounts)
        (makeConnection: unit -> NullConnection)
        (http2: bool)
        (listener: Socket)
        =
        let protocol =
            if http2 then SslApplicationProtocol.Http2 else SslApplicationProtocol.Http11

        let options =
            SslServerAuthenticationOptions(
                ServerCertificate = certificate (),
                ApplicationProtocols = List [ protocol ]
            )

        let most =
            match MachineLimits.descriptors () with
            | Some limit -> max 1 (limit - MachineLimits.opened () - spareFiles)
            | None -> Int32.MaxValue

        let serve (socket: Socket) =
            try
                use stream = new SslStream(new NetworkStream(socket, true))
                stream.AuthenticateAsServer options
                let peer = makeConnection ()
                let mutable count = stream.Read peer.Free.Span

                while count > 0 do
                    let said = peer.Take count
                    counts.Requests peer.Requests

                    if not said.IsEmpty then
                        stream.Write said.Span

                    count <- if peer.IsLost then 0 else stream.Read peer.Free.Span
            with
            | :? IOException
            | :? AuthenticationException -> ()

            counts.Connection -1L

        try
            while true do
                if counts.Open >= int64 most then
                    Thread.Sleep 1
                else
                    try
                        let socket = listener.Accept()
                        socket.NoDelay <- true
                        counts.Connection 1L
                        Thread((fun () -> serve socket), IsBackground = true).Start()
                    with :? SocketException ->
                        // It is gone already, or another part of this process has the last file.
                        Thread.Sleep 1
        with :? ObjectDisposedException ->
            ()

    let private serveOn
        (secure: bool)
        (http2: bool)
        (listener: Socket)
        (input: TextReader)
        (say: string -> unit)
        =
        use stop = new CancellationTokenSource()
        let counts = ServerCounts()

        let makeConnection () : NullConnection =
            if http2 then NullHttp2Connection() else NullHttp1Connection()

        let work () =
            if secure then
                runSecurely counts makeConnection http2 listener
            else
                run counts makeConnection listener stop.Token

        let thread = Thread(work, IsBackground = true)
        thread.Start()
        let port = (nonNull listener.LocalEndPoint :?> IPEndPoint).Port

        say $"""{{"ready":true,"port":{port}}}"""

        while not (isNull (input.ReadLine())) do
            say counts.Json

        stop.Cancel()

        if not secure then
            thread.Join()

    /// Serves on a port of the loopback until `input` ends; `secure`: over TLS, with a self-signed certificate;
    /// `http2`: the load engine's HTTP/2 instead of HTTP/1.1. The first line on `output` says ready, and the port;
    /// the answer to every line of `input` is a line with the numbers of requests so far and of open connections.
    let serve (secure: bool) (http2: bool) (input: TextReader) (output: TextWriter) : unit =
        use listener =
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)

        let say (line: string) =
            output.WriteLine line
            output.Flush()

        let isListening =
            try
                listener.Bind(IPEndPoint(IPAddress.Loopback, 0))
                listener.Listen 4096
                true
            with :? SocketException ->
                say
                    """{"error":"this machine has no local port left to listen on; wait until the connections of earlier runs are over (a minute), or leave the calibration out with --no-calibration"}"""

                false

        if isListening then
            serveOn secure http2 listener input say
