// The load engine over TLS: counts as over plain sockets, and what cannot be agreed on has its own name.
module Plait.Load.Tests.AttackTls

open System
open System.IO
open System.Net
open System.Net.Security
open System.Net.Sockets
open System.Security.Cryptography
open System.Security.Cryptography.X509Certificates
open System.Text
open System.Threading
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private certificate =
    lazy
        (use key = RSA.Create 2048

         let request =
             CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)

         use made =
             request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays -1., DateTimeOffset.UtcNow.AddDays 1.)

         X509CertificateLoader.LoadPkcs12(made.Export X509ContentType.Pfx, null))

/// A server of TLS that answers with `response` and counts; it closes a connection after `lifetime` answers, and sends `unasked` a
/// second after each: the response has been read then, and the next request of a test is a second away. `ends`: with close_notify.
type private Secure(response: string, lifetime: int, ?unasked: string, ?ends: bool) =
    let mutable sent = 0L
    let bytes = Encoding.UTF8.GetBytes response

    let serve (socket: Socket) =
        try
            use stream = new SslStream(new NetworkStream(socket, true))
            stream.AuthenticateAsServer certificate.Value
            use reader = new StreamReader(stream, Encoding.ASCII)
            let mutable answered = 0

            while answered < lifetime && not (isNull (reader.ReadLine())) do
                while not (String.IsNullOrEmpty(reader.ReadLine())) do
                    ()

                Interlocked.Increment &sent |> ignore
                answered <- answered + 1
                stream.Write bytes

                match unasked with
                | Some text ->
                    Thread.Sleep 1000
                    stream.Write(Encoding.UTF8.GetBytes text)
                | None -> ()

            if ends = Some true then
                stream.ShutdownAsync().GetAwaiter().GetResult()
        with
        | :? IOException
        | :? System.Security.Authentication.AuthenticationException -> ()

    let server = new SocketServer(serve)

    member _.Url = $"https://localhost:{server.Address.Port}/"

    member _.Sent = Volatile.Read &sent

    interface IDisposable with
        member _.Dispose() = server.Stop()

let private insecure (plan: Plan) =
    { plan with Connecting = { plan.Connecting with Insecure = true } }

[<Theory; InlineData true; InlineData false>]
let ``every response over TLS is counted`` (isOpen: bool) =
    use server = new Secure(Response.ok body, Int32.MaxValue)
    let model = if isOpen then Open(Constant 200.0, 4) else Closed 4
    let outcome = plan server.Url model 400 |> insecure |> attack
    wholly outcome.Requests server.Sent outcome
    Assert.True(server.Sent > 0L)

    if isOpen then
        Assert.Equal(80L, outcome.Requests)

[<Fact>]
let ``a long body over TLS is read whole`` () =
    let long = String('x', 300_000)
    use server = new Secure(Response.ok long, Int32.MaxValue)

    let outcome =
        attack
            { insecure (plan server.Url (Closed 2) 200) with
                ExpectBody = Some(Encoding.UTF8.GetBytes long)
            }

    Assert.Equal((server.Sent, server.Sent), (outcome.Right, outcome.Requests))

[<Fact>]
let ``a request over TLS that no socket takes at once is sent whole`` () =
    use server = new Secure(Response.ok body, Int32.MaxValue)
    let plan = plan server.Url (Closed 2) 200 |> insecure

    let outcome =
        attack
            { plan with
                Requests = [ { plan.Requests.Head with Headers = [ "X", String('x', 3_000_000) ] } ]
            }

    Assert.Equal((server.Sent, server.Sent), (outcome.Right, outcome.Requests))

[<Fact>]
let ``a connection over TLS that the server closes is opened again`` () =
    use server =
        new Secure((Response.ok body).Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), 1)

    let outcome = plan server.Url (Open(Constant 50.0, 4)) 400 |> insecure |> attack
    wholly 20L server.Sent outcome
    Assert.True(server.Sent > 0L)

[<Theory; InlineData true; InlineData false>]
let ``a response that ends with the connection is whole if TLS has ended too`` (ends: bool) =
    use server = new Secure("HTTP/1.1 200 OK\r\n\r\n" + body, 1, ends = ends)
    let outcome = requests server.Url (Closed 2) 6L |> insecure |> attack
    Assert.Equal((6L, 6L), (server.Sent, outcome.Requests))

    if ends then
        Assert.Equal(6L, outcome.Right)
    else
        Assert.Equal(6L, count RequestResult.Closed outcome)
        Assert.Contains("without the end of TLS (close_notify)", outcome.Complaints[RequestResult.Closed])

    // One that has an end of its own is whole in any case.
    use counted =
        new Secure((Response.ok body).Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), 1, ends = ends)

    Assert.Equal(6L, (requests counted.Url (Closed 2) 6L |> insecure |> attack).Right)

[<Fact>]
let ``bytes without a request are no answer to the next one`` () =
    use server = new Secure(Response.ok body, Int32.MaxValue, Response.ok "unasked")

    let outcome =
        { plan server.Url (Open(Constant 0.5, 1)) 60_000 with MaxRequests = Some 3L }
        |> insecure
        |> attack

    Assert.Empty outcome.Complaints
    Assert.Equal((3L, 3L), (outcome.Right, server.Sent))

/// The bytes of a server, which go out together when it reads next.
type private Joined(socket: Socket) =
    inherit NetworkStream(socket, true)
    let joined = new MemoryStream()

    member this.Send() =
        let bytes = joined.ToArray()
        joined.SetLength 0L

        if bytes.Length > 0 then
            socket.Send bytes |> ignore

    override _.Write(bytes: ReadOnlySpan<byte>) = joined.Write bytes
    override _.Write(bytes: byte[], offset: int, count: int) = joined.Write(bytes, offset, count)

    override _.WriteAsync(bytes: ReadOnlyMemory<byte>, _: CancellationToken) : Tasks.ValueTask =
        joined.Write bytes.Span
        Tasks.ValueTask.CompletedTask

    override this.Read(into: Span<byte>) =
        this.Send()
        base.Read into

    override this.Read(into: byte[], offset: int, count: int) =
        this.Send()
        base.Read(into, offset, count)

    override this.ReadAsync(into: Memory<byte>, stop: CancellationToken) =
        this.Send()
        base.ReadAsync(into, stop)

/// The server ends TLS in the segment of the response, or in that of the end of the handshake, and waits for the client to close: nothing
/// else tells the client of the end.
[<Theory;
  InlineData("GET", true);
  InlineData("POST", true);
  InlineData("GET", false);
  InlineData("POST", false)>]
let ``an end of TLS that comes with other bytes is seen before the next request``
    (method': string, isAnswered: bool)
    =
    let mutable connections = 0
    let mutable sent = 0L
    let mutable late = 0L

    let serve (socket: Socket) =
        use wire = new Joined(socket)
        use stream = new SslStream(wire)

        try
            let isFirst = Interlocked.Increment &connections = 1
            // Up to TLS 1.2 the last bytes of a handshake that resumes none are the server's.
            stream.AuthenticateAsServer(
                SslServerAuthenticationOptions(
                    ServerCertificate = certificate.Value,
                    EnabledSslProtocols = Security.Authentication.SslProtocols.Tls12,
                    AllowTlsResume = false
                )
            )

            if isAnswered || not isFirst then
                let reader = new StreamReader(stream, Encoding.ASCII)

                while not (String.IsNullOrEmpty(reader.ReadLine())) do
                    ()

                Interlocked.Increment &sent |> ignore
                stream.Write(Encoding.UTF8.GetBytes(Response.ok body))

            stream.ShutdownAsync().GetAwaiter().GetResult()

            if stream.Read(Array.zeroCreate<byte> 1000) > 0 then
                Interlocked.Increment &late |> ignore
        with
        | :? IOException
        | :? Security.Authentication.AuthenticationException -> ()

    use server = new SocketServer(serve)

    let plan =
        requests $"https://localhost:{server.Address.Port}/" (Closed 1) 6L |> insecure

    let outcome =
        attack { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }

    Assert.Equal((6L, 6L, 6L), (outcome.Requests, outcome.Right, sent))
    Assert.Equal((0L, 0L), (late, outcome.Counts.Retried))

[<Fact>]
let ``a certificate of an unknown authority is refused`` () =
    use server = new Secure(Response.ok body, Int32.MaxValue)
    let outcome = requests server.Url (Open(Constant 50.0, 2)) 10L |> attack
    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.Tls outcome))
    Assert.Equal(0L, server.Sent)

    let byNumber =
        requests (server.Url.Replace("localhost", "127.0.0.1")) (Closed 1) 1L |> attack

    Assert.Equal(
        "the server's certificate is for localhost, not for 127.0.0.1; write that name in the URL, or accept any certificate with --insecure",
        byNumber.Complaints[RequestResult.Tls]
    )

    Assert.Equal(
        "the server's certificate, of CN=localhost, is not signed by an authority that this machine trusts; --cacert FILE names a further authority, --insecure accepts any certificate",
        outcome.Complaints[RequestResult.Tls]
    )

[<Fact>]
let ``a certificate whose time is over, or not come, is named by that`` () =
    use key = RSA.Create 2048

    let request =
        CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)

    let why (from: float) (until: float) =
        use made =
            request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays from, DateTimeOffset.UtcNow.AddDays until)

        use chain = new X509Chain()
        chain.ChainPolicy.RevocationMode <- X509RevocationMode.NoCheck
        chain.Build made |> ignore
        TlsErrors.ofCertificate "localhost" made chain SslPolicyErrors.RemoteCertificateChainErrors

    Assert.Matches(@"^the server's certificate expired on \d{4}-\d\d-\d\d; --insecure", why -9. -2.)
    Assert.Matches(@"^the server's certificate is valid only from \d{4}-\d\d-\d\d on; --insecure", why 2. 9.)

[<Fact>]
let ``a certificate of the chain whose time is over, or not come, is named in place of the server's`` () =
    use rootKey = RSA.Create 2048
    use middleKey = RSA.Create 2048
    use leafKey = RSA.Create 2048
    let day (days: float) = DateTimeOffset.UtcNow.AddDays days

    let request (name: string) (key: RSA) (isAuthority: bool) =
        let request =
            CertificateRequest(name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)

        request.CertificateExtensions.Add(X509BasicConstraintsExtension(isAuthority, false, 0, true))
        request

    use root = (request "CN=root" rootKey true).CreateSelfSigned(day -99., day 99.)

    let signed (request: CertificateRequest) (by: string, key: RSA) (from: float, until: float) =
        request.Create(
            X500DistinguishedName by,
            X509SignatureGenerator.CreateForRSA(key, RSASignaturePadding.Pkcs1),
            day from,
            day until,
            [| 1uy |]
        )

    let why (middleTime: float * float) (leafTime: float * float) =
        use middle =
            signed (request "CN=middle" middleKey true) ("CN=root", rootKey) middleTime

        use leaf =
            signed (request "CN=localhost" leafKey false) ("CN=middle", middleKey) leafTime

        use chain = new X509Chain()
        chain.ChainPolicy.RevocationMode <- X509RevocationMode.NoCheck
        chain.ChainPolicy.TrustMode <- X509ChainTrustMode.CustomRootTrust
        chain.ChainPolicy.CustomTrustStore.Add root |> ignore
        chain.ChainPolicy.ExtraStore.Add middle |> ignore
        Assert.False(chain.Build leaf)
        TlsErrors.ofCertificate "localhost" leaf chain SslPolicyErrors.RemoteCertificateChainErrors

    let middle = "^the certificate of CN=middle, with which the server's is signed,"
    Assert.Matches(middle + @" expired on \d{4}-\d\d-\d\d; --insecure", why (-9., -2.) (-9., 9.))
    Assert.Matches(middle + @" is valid only from \d{4}-\d\d-\d\d on; --insecure", why (2., 9.) (-9., 9.))
    // The server's own comes first.
    Assert.Matches("^the server's certificate expired on", why (-9., -2.) (-9., -3.))

[<Fact>]
let ``requests over TLS to a server without TLS have the result tls`` () =
    use counting =
        new Counting(fun _ connection ->
            connection.Send "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
            connection.Request() |> ignore)

    let url = counting.Server.Url.Replace("http:", "https:")
    let outcome = requests url (Open(Constant 50.0, 2)) 10L |> attack
    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.Tls outcome))

    Assert.Equal(
        "the server does not answer in TLS; write http:// to load it without TLS",
        outcome.Complaints[RequestResult.Tls]
    )

[<Fact>]
let ``a server that closes during the TLS handshake is reported`` () =
    use counting = new Counting(fun _ _ -> ())
    let url = counting.Server.Url.Replace("http:", "https:")
    let outcome = requests url (Closed 1) 1L |> attack
    Assert.Contains("in the middle of TLS", outcome.Complaints[RequestResult.Tls])

/// A server that shares no version or cipher may close or reset the connection without an alert.
[<Fact>]
let ``a handshake that ends without an alert reports the versions and ciphers that were offered`` () =
    use server = new Loopback(fun connection -> connection.Rest() |> ignore)
    let closed = plan $"https://{server.Address}/" (Closed 1) 200 |> attack
    let offered = "; offered to the server: (TLS 1\\.\\d, )*TLS 1\\.3 with TLS_\\w+, "

    Assert.Matches(
        "^the connection was closed in the middle of TLS" + offered,
        closed.Complaints[RequestResult.Tls]
    )

    let offer = Some { Versions = [ 0x0303 ]; Ciphers = [ 0xc02f ] }
    let reset = SocketException(int SocketError.ConnectionReset)

    let complaint =
        (TlsClient ConnectionOptions.Default).Disagreed(reset, (offer, None))

    Assert.EndsWith(
        " in the middle of TLS; offered to the server: TLS 1.2 with TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        complaint
    )

/// A server that answers the first bytes of a client with these, each below 128.
let private answering (bytes: int list) =
    new Loopback(fun connection ->
        connection.Rest() |> ignore
        connection.Send(String [| for byte in bytes -> char byte |])

        while connection.Rest() <> "" do
            ())

[<Fact>]
let ``a handshake that fails over versions or ciphers reports both sides' versions and ciphers`` () =
    let complaint (bytes: int list) =
        use server = answering bytes
        let outcome = plan $"https://{server.Address}/" (Closed 1) 200 |> attack
        outcome.Complaints[RequestResult.Tls]

    // The alert of a server that shares no cipher. Which versions and ciphers there are, the system says.
    let offered = @"; offered to the server: (TLS 1\.\d, )*TLS 1\.3 with TLS_\w+, "
    let failure = complaint [ 21; 3; 3; 0; 2; 2; 40 ]
    Assert.Matches("^the server ended TLS: alert handshake failure" + offered, failure)
    Assert.Contains(" TLS_AES_128_GCM_SHA256", failure)
    Assert.DoesNotContain("it chose", failure)

    // A server that can no more than TLS 1.0.
    let hello =
        [ 22; 3; 1; 0; 42; 2; 0; 0; 38; 3; 1 ] @ List.replicate 32 7 @ [ 0; 0; 47; 0 ]

    let old = complaint hello
    Assert.StartsWith("TLS could not be agreed on: ", old)
    Assert.Matches(offered, old)
    Assert.EndsWith("; it chose TLS 1.0 with TLS_RSA_WITH_AES_128_CBC_SHA", old)

    // Neither has to do with it.
    let other = complaint [ 21; 3; 3; 0; 2; 2; 80 ]
    Assert.Equal("the server ended TLS: alert internal error", other)

/// Up to TLS 1.2 the alert is the same for a missing certificate of the client.
[<Fact>]
let ``a handshake that fails after the server's choice reports that choice and the client's certificate`` () =
    let alert =
        exn "error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure"

    let offer = Some { Versions = [ 0x0303 ]; Ciphers = [ 0xc02f; 0xc030 ] }
    let choice = Some { Versions = [ 0x0303 ]; Ciphers = [ 0xc030 ] }
    let client = TlsClient ConnectionOptions.Default

    Assert.Equal(
        "the server ended TLS: alert handshake failure; it chose TLS 1.2 with TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384; it may want a client certificate, which --cert FILE names",
        client.Disagreed(alert, (offer, choice))
    )

    Assert.Contains("; offered to the server: TLS 1.2 with ", client.Disagreed(alert, (offer, None)))

[<Fact>]
let ``a hello that is cut off, or other bytes, give no result`` () =
    let whole =
        [|
            yield! [ 22uy; 3uy; 1uy; 0uy; 42uy; 2uy; 0uy; 0uy; 38uy; 3uy; 1uy ]
            yield! Array.replicate 32 7uy
            yield! [ 0uy; 0uy; 47uy; 0uy ]
        |]

    Assert.Equal(Some { Versions = [ 0x0301 ]; Ciphers = [ 47 ] }, TlsHello.server whole)
    Assert.Equal(None, TlsHello.client whole)

    for length in 0 .. whole.Length - 3 do
        Assert.Equal(None, TlsHello.server (Array.truncate length whole))
        Assert.Equal(None, TlsHello.client (Array.truncate length whole))

[<Theory; InlineData true; InlineData false>]
let ``bytes without TLS behind the handshake are no disagreement`` (isAlert: bool) =
    let listener = new TcpListener(IPAddress.Loopback, 0)
    listener.Start()

    let serving =
        Tasks.Task.Run(fun () ->
            use socket = listener.AcceptSocket()
            use wire = new NetworkStream(socket, false)
            let stream = new SslStream(wire, true)
            stream.AuthenticateAsServer certificate.Value
            stream.Read(Array.zeroCreate<byte> 4096, 0, 4096) |> ignore
            stream.Write "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi"B
            wire.Write(if isAlert then [| 21uy; 3uy; 3uy; 0uy; 2uy; 2uy; 80uy |] else "no record of TLS"B)
            // Until the client is gone.
            wire.Read(Array.zeroCreate<byte> 64, 0, 64) |> ignore)

    let port = (listener.LocalEndpoint :?> IPEndPoint).Port

    let outcome =
        requests $"https://localhost:{port}" (Closed 1) 1L |> insecure |> attack

    Assert.Equal(1L, count RequestResult.Tls outcome)
    Assert.StartsWith("TLS broke off after the handshake: ", outcome.Complaints[RequestResult.Tls])
    listener.Stop()
    // Whether it read the client's end or a reset.
    Within.comes "the server's end" (fun () -> serving.IsCompleted)

/// A server of TLS that ends each connection by a reset, with bytes of the client unread, after `answer`.
let private resetting (answer: Socket -> SslStream -> unit) =
    new SocketServer(fun socket ->
        use wire = new NetworkStream(socket, false)
        use stream = new SslStream(wire, true)

        let options =
            SslServerAuthenticationOptions(
                ServerCertificate = certificate.Value,
                ApplicationProtocols =
                    ResizeArray [ SslApplicationProtocol.Http2; SslApplicationProtocol.Http11 ]
            )

        try
            stream.AuthenticateAsServer options
            answer socket stream
        with :? IOException ->
            ()

        socket.LingerState <- LingerOption(true, 0)
        socket.Close())

let private uploadSize = 20_000_000

/// Ten requests, one after the other, with a body that no socket takes at once.
let private uploads (url: string) : Plan =
    let plan =
        requests (url.Replace("http:", "https:") + "/") (Closed 1) 10L |> insecure

    { plan with
        Requests = [ { plan.Requests.Head with Method = "POST"; Body = Array.zeroCreate uploadSize } ]
    }

[<Theory; InlineData true; InlineData false>]
let ``an alert of TLS is read although the connection is reset behind it`` (isHttp2: bool) =
    use server =
        resetting (fun socket stream ->
            stream.Read(Array.zeroCreate<byte> 10, 0, 10) |> ignore
            socket.Send [| 21uy; 3uy; 3uy; 0uy; 2uy; 2uy; 80uy |] |> ignore)

    let plan = uploads server.Url

    let outcome =
        if isHttp2 then
            { plan with Connecting = { plan.Connecting with Protocol = Http2 1 } } |> attack
        else
            attack plan

    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.Tls outcome))
    Assert.StartsWith("TLS broke off after the handshake: ", outcome.Complaints[RequestResult.Tls])

[<Theory; InlineData "close"; InlineData "keep-alive">]
let ``a response is read that comes before the whole request is sent`` (connection: string) =
    use server =
        resetting (fun _ stream ->
            let buffer = Array.zeroCreate 16384
            let mutable bytesIn = int64 (stream.Read(buffer, 0, buffer.Length))
            let head = MemoryExtensions.IndexOf(buffer.AsSpan(), ReadOnlySpan "\r\n\r\n"B) + 4

            let answer () =
                Encoding.ASCII.GetBytes
                    $"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: {connection}\r\n\r\nno"
                |> stream.Write

            answer ()

            if connection = "keep-alive" then
                // Until the client leaves. One that has sent the whole request before it reads sends the next one here.
                let mutable answers = 1L
                let mutable count = 1

                while count > 0 do
                    count <- stream.Read(buffer, 0, buffer.Length)
                    bytesIn <- bytesIn + int64 count

                    while bytesIn > answers * int64 (head + uploadSize) do
                        answers <- answers + 1L
                        answer ())

    let outcome = uploads server.Url |> attack
    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.WrongStatus outcome))
    Assert.Equal(Some 10L, outcome.Statuses |> Map.tryFind 413)
