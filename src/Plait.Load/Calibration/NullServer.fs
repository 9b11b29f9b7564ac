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

/// One connection: what has come, and what is to be said to it.
[<AbstractClass>]
type internal NullPeer() =
    /// Where the next bytes go.
    abstract Free: Memory<byte>
    /// So many bytes were put there. Returns what is to be sent now.
    abstract Take: count: int -> ReadOnlyMemory<byte>
    /// Whole requests that the last bytes have brought.
    abstract Requests: int
    /// The other side does not speak as it should.
    abstract IsLost: bool
    default _.IsLost = false

/// A connection of HTTP/1.1.
[<Sealed>]
type internal NullRequest() =
    inherit NullPeer()
    let mutable buffer = Array.zeroCreate<byte> 4096
    let mutable held = 0
    let mutable left = -1L
    let mutable isHead = false

    let mutable isWhole = false

    let take (count: int) =
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

        isWhole <- left = 0L

        if isWhole then
            left <- -1L

    override _.Free = Memory(buffer, held, buffer.Length - held)

    override _.Take count =
        take count

        if isWhole then
            ReadOnlyMemory(
                NullResponse.response,
                0,
                (if isHead then NullResponse.head.Length else NullResponse.response.Length)
            )
        else
            ReadOnlyMemory.Empty

    override _.Requests = if isWhole then 1 else 0

/// A connection of HTTP/2. It reads what the load engine sends, which allows it windows as large as there are.
[<Sealed>]
type internal NullStreams() =
    inherit NullPeer()

    static let head =
        Hpack.block
            [
                ":status", "200"
                "content-type", "text/plain"
                "content-length", string NullResponse.body.Length
            ]

    static let body = Encoding.ASCII.GetBytes NullResponse.body
    static let window = Int32.MaxValue
    static let told = window / 2
    let buffer = Array.zeroCreate<byte>(4 * (FrameHead.size + FrameHead.usualMost))
    let output = FrameWriter()
    let fields = FieldReader()
    // The streams of HEAD requests whose bodies are still to come: their answers have none.
    let heads = HashSet<int>()
    let mutable held = 0
    let mutable requests = 0
    let mutable isGreeted = false
    let mutable isLost = false
    let mutable untold = 0

    let isHead (at: int) (frame: FrameHead) =
        fields.Start(buffer, at, frame.Length)
        let mutable found = false

        while not found && fields.Next() do
            // The method comes first of those that begin so.
            found <- fields.Name.SequenceEqual(ReadOnlySpan ":method"B)

        found && fields.Value.SequenceEqual(ReadOnlySpan "HEAD"B)

    let answer (stream: int) =
        let isHead = heads.Remove stream
        requests <- requests + 1
        output.Headers(stream, head, isHead, FrameHead.usualMost) |> ignore

        if not isHead then
            output.Data(stream, ReadOnlySpan body, true) |> ignore

    let onFrame (frame: FrameHead) (at: int) =
        match frame.Type with
        | FrameType.Headers ->
            if isHead at frame then
                heads.Add frame.Stream |> ignore

            if frame.Has FrameFlag.endStream then
                answer frame.Stream
        | FrameType.Data ->
            untold <- untold + frame.Length

            if untold >= told then
                output.WindowUpdate(0, untold)
                untold <- 0

            if frame.Has FrameFlag.endStream then
                answer frame.Stream
        | FrameType.Settings when not (frame.Has FrameFlag.ack) -> output.Ack()
        | FrameType.Ping when not (frame.Has FrameFlag.ack) ->
            output.Pong(ReadOnlySpan(buffer, at, frame.Length))
        | _ -> ()

    let greet () : int =
        let preface = FrameHead.preface.Length

        if held < preface then
            0
        else
            isGreeted <- true
            isLost <- not (ReadOnlySpan(buffer, 0, preface).SequenceEqual(ReadOnlySpan FrameHead.preface))

            output.Settings
                [
                    Setting.HeaderTableSize, 0
                    Setting.MaxConcurrentStreams, Int32.MaxValue
                    Setting.InitialWindowSize, window
                ]

            output.WindowUpdate(0, window - FrameHead.usualWindow)
            preface

    let read () =
        let mutable at = if isGreeted then 0 else greet ()
        let mutable isWhole = isGreeted && not isLost

        while isWhole && held - at >= FrameHead.size do
            let frame = FrameHead.read (ReadOnlySpan(buffer, at, FrameHead.size))
            isLost <- frame.Length > FrameHead.usualMost
            isWhole <- not isLost && held - at >= FrameHead.size + frame.Length

            if isWhole then
                onFrame frame (at + FrameHead.size)
                at <- at + FrameHead.size + frame.Length

        Buffer.BlockCopy(buffer, at, buffer, 0, held - at)
        held <- held - at

    override _.Free = Memory(buffer, held, buffer.Length - held)

    override _.Take count =
        requests <- 0
        held <- held + count
        read ()
        let pending = output.Pending
        // It is sent before anything is written again.
        output.Sent pending.Length
        pending

    override _.Requests = requests
    override _.IsLost = isLost

/// What the server saw; another thread reads it.
type private Seen() =
    let mutable requests = 0L
    let mutable connections = 0L

    /// Whole requests have come.
    member _.Requests(more: int) =
        Interlocked.Add(&requests, int64 more) |> ignore

    /// A connection was opened (1) or is over (-1).
    member _.Connection(change: int64) =
        Interlocked.Add(&connections, change) |> ignore

    /// All requests that have come, and the connections that are open, as a line of JSON.
    member _.Json =
        $"""{{"requests":{Volatile.Read &requests},"connections":{Volatile.Read &connections}}}"""

/// The server.
module NullServer =
    /// Reads what a socket has and answers; false: the connection is over.
    let private answer (seen: Seen) (socket: Socket) (peer: NullPeer) : bool =
        let mutable error = SocketError.Success
        let count = socket.Receive(peer.Free.Span, SocketFlags.None, &error)

        if error = SocketError.WouldBlock then
            true
        elif error <> SocketError.Success || count = 0 then
            false
        else
            let mutable rest = peer.Take count
            seen.Requests peer.Requests

            while not rest.IsEmpty && error = SocketError.Success do
                let sent = socket.Send(rest.Span, SocketFlags.None, &error)
                rest <- rest.Slice sent

                if error = SocketError.WouldBlock then
                    // The load engine reads whatever comes: there is room soon.
                    socket.Poll(1000, SelectMode.SelectWrite) |> ignore
                    error <- SocketError.Success

            error = SocketError.Success && not peer.IsLost

    let private run (seen: Seen) (makePeer: unit -> NullPeer) (listener: Socket) (stop: CancellationToken) =
        use poller = Pollers.create ()
        let connections = Dictionary<int64, struct (Socket * NullPeer)>()
        let mutable last = 0L
        poller.Add(listener, 0L, false)

        let accept () =
            try
                let socket = listener.Accept()
                socket.Blocking <- false
                socket.NoDelay <- true
                last <- last + 1L
                connections.Add(last, struct (socket, makePeer ()))
                seen.Connection 1L
                poller.Add(socket, last, false)
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

                    if not (answer seen socket peer) then
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
    let private runSecurely (seen: Seen) (makePeer: unit -> NullPeer) (http2: bool) (listener: Socket) =
        let protocol =
            if http2 then SslApplicationProtocol.Http2 else SslApplicationProtocol.Http11

        let options =
            SslServerAuthenticationOptions(
                ServerCertificate = certificate (),
                ApplicationProtocols = List [ protocol ]
            )

        let serve (socket: Socket) =
            seen.Connection 1L

            try
                use stream = new SslStream(new NetworkStream(socket, true))
                stream.AuthenticateAsServer options
                let peer = makePeer ()
                let mutable count = stream.Read peer.Free.Span

                while count > 0 do
                    let said = peer.Take count
                    seen.Requests peer.Requests

                    if not said.IsEmpty then
                        stream.Write said.Span

                    count <- if peer.IsLost then 0 else stream.Read peer.Free.Span
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

    let private serveOn
        (secure: bool)
        (http2: bool)
        (listener: Socket)
        (input: TextReader)
        (say: string -> unit)
        =
        use stop = new CancellationTokenSource()
        let seen = Seen()

        let makePeer () : NullPeer =
            if http2 then NullStreams() else NullRequest()

        let work () =
            if secure then
                runSecurely seen makePeer http2 listener
            else
                run seen makePeer listener stop.Token

        let thread = Thread(work, IsBackground = true)
        thread.Start()
        let port = (nonNull listener.LocalEndPoint :?> IPEndPoint).Port

        say $"""{{"ready":true,"port":{port}}}"""

        while not (isNull (input.ReadLine())) do
            say seen.Json

        stop.Cancel()

        if not secure then
            thread.Join()

    /// Serves on a port of the loopback until `input` ends; `secure`: over TLS, with a certificate that nobody vouches for;
    /// `http2`: HTTP/2, as the load engine speaks it, and not HTTP/1.1. The first line on `output` says ready, and the port; every line of `input` is answered with one that says how many requests
    /// have come and how many connections are open.
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
