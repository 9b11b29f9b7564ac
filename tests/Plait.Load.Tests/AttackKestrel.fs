// The load engine over HTTP/2 against Kestrel, with and without TLS, and beside h2load: counts are the server's own. And what
// is said and believed when TLS is agreed on.
module Plait.Load.Tests.AttackKestrel

open System
open System.Diagnostics
open System.IO
open System.Net
open System.Security.Cryptography
open System.Security.Cryptography.X509Certificates
open System.Text
open System.Text.RegularExpressions
open System.Threading
open System.Threading.Tasks
open Microsoft.AspNetCore.Builder
open Microsoft.AspNetCore.Connections.Features
open Microsoft.AspNetCore.Hosting
open Microsoft.AspNetCore.Http
open Microsoft.AspNetCore.Http.Features
open Microsoft.AspNetCore.Server.Kestrel.Core
open Microsoft.AspNetCore.Server.Kestrel.Https
open Microsoft.Extensions.Logging
open Xunit

open Plait.Common
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

/// A certificate for a name, signed by another one or by itself; `isAuthority`: it may sign others.
let private certifyAs
    (isAuthority: bool)
    (name: string)
    (issuer: X509Certificate2 option)
    : X509Certificate2 =
    use key = RSA.Create 2048

    let request =
        CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)

    request.CertificateExtensions.Add(X509BasicConstraintsExtension(isAuthority, false, 0, true))
    let names = SubjectAlternativeNameBuilder()
    names.AddDnsName "localhost"
    request.CertificateExtensions.Add(names.Build())

    let from, until =
        match issuer with
        | None -> DateTimeOffset.UtcNow.AddDays -1., DateTimeOffset.UtcNow.AddDays 1.
        | Some issuer -> DateTimeOffset issuer.NotBefore, DateTimeOffset issuer.NotAfter

    use made =
        match issuer with
        | None -> request.CreateSelfSigned(from, until)
        | Some issuer ->
            use signed = request.Create(issuer, from, until, [| 1uy; 2uy; 3uy |])
            signed.CopyWithPrivateKey key

    X509CertificateLoader.LoadPkcs12(made.Export X509ContentType.Pfx, null, X509KeyStorageFlags.Exportable)

/// An authority that signs itself, or a certificate that another one signs.
let private certify (name: string) (issuer: X509Certificate2 option) = certifyAs issuer.IsNone name issuer

let private authority = lazy (certify "An authority of tests" None)
let private ofServer = lazy (certify "localhost" (Some authority.Value))

/// Kestrel, and what it counted. It answers `/` with the body of LoadServer, `/echo` with the body of the request, `/none` with
/// 204, `/long` with 300,000 bytes and `/raw/…` with what it was asked for, to the letter.
type private Server(protocols: HttpProtocols, https: (HttpsConnectionAdapterOptions -> unit) option) =
    let mutable requests = 0L
    let mutable wrong: string | null = null
    let builder = WebApplication.CreateSlimBuilder()

    do
        builder.Logging.ClearProviders() |> ignore

        builder.WebHost.ConfigureKestrel(fun (kestrel: KestrelServerOptions) ->
            kestrel.Listen(
                IPAddress.Loopback,
                0,
                fun listen ->
                    listen.Protocols <- protocols

                    match https with
                    | None -> ()
                    | Some configure ->
                        listen.UseHttps(fun (options: HttpsConnectionAdapterOptions) ->
                            options.ServerCertificate <- ofServer.Value
                            configure options)
                        |> ignore
            ))
        |> ignore

    let app = builder.Build()
    let right = Encoding.UTF8.GetBytes body
    let long = Encoding.UTF8.GetBytes(String('x', 300_000))

    let answer (context: HttpContext) : Task =
        task {
            Interlocked.Increment &requests |> ignore

            if protocols = HttpProtocols.Http2 && context.Request.Protocol <> "HTTP/2" then
                wrong <- context.Request.Protocol

            let raw = context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget

            match context.Request.Path.Value with
            | _ when raw.StartsWith("/raw/", StringComparison.Ordinal) -> do! context.Response.WriteAsync raw
            | "/echo" ->
                use held = new MemoryStream()
                do! context.Request.Body.CopyToAsync held
                do! context.Response.Body.WriteAsync(held.ToArray().AsMemory())
            | "/none" -> context.Response.StatusCode <- 204
            | "/farewell" ->
                if Volatile.Read &requests % 50L = 0L then
                    context.Features
                        .GetRequiredFeature<IConnectionLifetimeNotificationFeature>()
                        .RequestClose()

                do! context.Response.Body.WriteAsync(right.AsMemory())
            | "/long" -> do! context.Response.Body.WriteAsync(long.AsMemory())
            | "/headers" ->
                let said = context.Request.Headers["X-Told"].ToString()
                let host = context.Request.Host.Value
                do! context.Response.WriteAsync $"{said} {host} {context.Request.QueryString}"
            | _ ->
                context.Response.ContentLength <- int64 right.Length

                if context.Request.Method <> "HEAD" then
                    do! context.Response.Body.WriteAsync(right.AsMemory())
        }

    do
        app.Run(RequestDelegate answer)
        app.StartAsync().GetAwaiter().GetResult()

    member _.Url =
        let scheme = if https.IsSome then "https" else "http"
        $"{scheme}://localhost:{Uri(Seq.head app.Urls).Port}"

    /// All requests so far.
    member _.Requests = Volatile.Read &requests
    /// A protocol that it was spoken to in besides its own, or null.
    member _.Wrong = wrong

    interface IDisposable with
        member _.Dispose() =
            app.StopAsync(CancellationToken true).GetAwaiter().GetResult()
            (app :> IAsyncDisposable).DisposeAsync().AsTask().GetAwaiter().GetResult()

let private plainly () = new Server(HttpProtocols.Http2, None)

let private securely () =
    new Server(HttpProtocols.Http2, Some ignore)

/// All requests had these results.
let private comesTo (results: (RequestResult * int64) list) (outcome: Outcome) =
    Assert.Equal<(RequestResult * int64) list>(results, Map.toList outcome.Results)

let private over (streams: int) : Plan -> Plan =
    over streams >> connecting (fun usual -> { usual with Insecure = true })

[<Theory; InlineData(false, false); InlineData(false, true); InlineData(true, false); InlineData(true, true)>]
let ``every response is counted`` (isTls: bool) (isOpen: bool) =
    use server = if isTls then securely () else plainly ()
    let url = $"{server.Url}/"

    let model = if isOpen then Open(Constant 300.0, 4) else Closed 2
    let outcome = requests url model 150L |> over 8 |> attack
    Assert.Equal((150L, 150L, 150L), (server.Requests, outcome.Right, outcome.Requests))
    Assert.Null server.Wrong

[<Theory;
  InlineData(true, true, 0);
  InlineData(true, false, 1);
  InlineData(false, true, 0);
  InlineData(false, false, 1);
  InlineData(false, false, 4)>]
let ``connections that the server ends gracefully cost no request``
    (isTls: bool, isOpen: bool, connections: int)
    =
    use server = if isTls then securely () else plainly ()
    let model = if isOpen then Open(Constant 400.0, 40) else Closed connections

    let outcome =
        { plan $"{server.Url}/farewell" model 60_000 with MaxRequests = Some 600L }
        |> over 30
        |> attack

    comesTo [ RequestResult.Right, 600L ] outcome
    // What is sent again was not taken up.
    Assert.Equal(600L, server.Requests)

/// A request, and the body of its answer.
let private kinds =
    let big = Array.init 400_000 (fun at -> byte (at * 7))

    [
        "a body", "/echo", "POST", "hello"B, "hello"B, 200
        "a body beyond every window", "/echo", "PUT", big, big, 200
        "a long answer", "/long", "GET", [||], Encoding.UTF8.GetBytes(String('x', 300_000)), 200
        "no content", "/none", "GET", [||], [||], 204
        "HEAD", "/", "HEAD", [||], [||], 200
        "an empty POST", "/echo", "POST", [||], [||], 200
    ]

let kindNames = TheoryData<string, bool>()

for name, _, _, _, _, _ in kinds do
    kindNames.Add(name, false)
    kindNames.Add(name, true)

[<Theory; MemberData(nameof kindNames)>]
let ``requests of every kind are answered`` (name: string) (isTls: bool) =
    let _, path, method', sent, answer, status =
        kinds |> List.find (fun (other, _, _, _, _, _) -> other = name)

    use server = if isTls then securely () else plainly ()
    let plan = plan $"{server.Url}{path}" (Closed 2) 60_000 |> over 5

    let outcome =
        attack
            { plan with
                Requests = [ { plan.Requests.Head with Method = method'; Body = sent } ]
                ExpectBody = Some answer
                ExpectStatus = [ status ]
                MaxRequests = Some 60L
            }

    Assert.Equal(60L, outcome.Right)
    Assert.Equal(60L, server.Requests)

[<Fact>]
let ``headers, host and query arrive unchanged`` () =
    use server = plainly ()
    let plan = plan $"{server.Url}/headers?a=b%%20c" (Closed 1) 60_000 |> over 1
    let told = "Zürich, " + String('z', 20_000)

    let outcome =
        attack
            { plan with
                Requests =
                    [ { plan.Requests.Head with Headers = [ "X-Told", told; "Host", "other.example" ] } ]
                ExpectBody = Some(Encoding.UTF8.GetBytes $"{told} other.example ?a=b%%20c")
                MaxRequests = Some 3L
            }

    comesTo [ RequestResult.Right, 3L ] outcome

[<Theory; InlineData false; InlineData true>]
let ``path and query are sent unchanged over HTTP/2`` (isHttp2: bool) =
    use server = if isHttp2 then plainly () else new Server(HttpProtocols.Http1, None)

    let target = "/raw/a/../%7e//b/./?c=%41&d='(x)'"
    let plan = plan $"{server.Url}{target}#e" (Closed 1) 60_000

    let outcome =
        attack
            { (if isHttp2 then over 1 plan else plan) with
                ExpectBody = Some(Encoding.UTF8.GetBytes target)
                MaxRequests = Some 3L
            }

    comesTo [ RequestResult.Right, 3L ] outcome

// TLS.

/// A folder for the files of one test.
type private Folder() =
    let path = Directory.CreateTempSubdirectory("plait-tls-").FullName

    member _.Write(name: string, text: string) : string =
        let file = Path.Combine(path, name)
        File.WriteAllText(file, text)
        file

    interface IDisposable with
        member _.Dispose() = Directory.Delete(path, true)

[<Fact>]
let ``a server that does not agree to HTTP/2 is recognised`` () =
    use server = new Server(HttpProtocols.Http1, Some ignore)

    let outcome =
        requests $"{server.Url}/" (Open(Constant 50.0, 1)) 10L |> over 5 |> attack

    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.Tls outcome))
    Assert.Contains("has no HTTP/2 over TLS", outcome.Complaints[RequestResult.Tls])
    Assert.Equal(0L, server.Requests)

[<Theory; InlineData true; InlineData false>]
let ``a certificate is trusted if --cacert has its authority`` (isHttp2: bool) =
    use folder = new Folder()
    use server = new Server(HttpProtocols.Http1AndHttp2, Some ignore)

    let outcomeWith (authorities: string option) =
        plan $"{server.Url}/" (Closed 2) 60_000
        |> connecting (fun usual ->
            { usual with
                Protocol = if isHttp2 then Http2 3 else Http1
                Authorities = authorities
            })
        |> fun plan -> attack { plan with MaxRequests = Some 10L }

    let theirs = folder.Write("theirs.pem", authority.Value.ExportCertificatePem())
    use other = certify "Another authority" None
    let others = folder.Write("others.pem", other.ExportCertificatePem())

    let both =
        folder.Write("both.pem", File.ReadAllText others + "\n" + File.ReadAllText theirs)

    comesTo [ RequestResult.Right, 10L ] (outcomeWith (Some theirs))
    comesTo [ RequestResult.Right, 10L ] (outcomeWith (Some both))

    for authorities in [ None; Some others ] do
        let outcome = outcomeWith authorities
        comesTo [ RequestResult.Tls, 10L ] outcome
        Assert.Contains("certificate", outcome.Complaints[RequestResult.Tls])

[<Fact>]
let ``an intermediate authority is trusted without its root`` () =
    use folder = new Folder()
    use root = certify "A root" None
    use middle = certifyAs true "An authority below it" (Some root)
    use leaf = certify "localhost" (Some middle)
    use stranger = certify "localhost" None

    let isBelieved (authority: X509Certificate2) (certificate: X509Certificate2) =
        let file = folder.Write("authority.pem", authority.ExportCertificatePem())
        let client = TlsClient { ConnectionOptions.Default with Authorities = Some file }

        (nonNull (client.Options("localhost", ignore)).RemoteCertificateValidationCallback)
            .Invoke(obj (), certificate, null, Security.SslPolicyErrors.RemoteCertificateChainErrors)

    Assert.True(isBelieved middle leaf)
    Assert.True(isBelieved stranger stranger)
    Assert.False(isBelieved middle stranger)
    Assert.False(isBelieved stranger leaf)
    // The one between is neither in the file nor presented.
    Assert.False(isBelieved root leaf)

[<Fact>]
let ``a trusted certificate for another name is refused`` () =
    use folder = new Folder()
    use server = securely ()
    let file = folder.Write("authority.pem", authority.Value.ExportCertificatePem())

    let outcome =
        plan (server.Url.Replace("localhost", "127.0.0.1") + "/") (Closed 1) 60_000
        |> connecting (fun usual -> { usual with Protocol = Http2 3; Authorities = Some file })
        |> fun plan -> attack { plan with MaxRequests = Some 3L }

    comesTo [ RequestResult.Tls, 3L ] outcome

[<Theory; InlineData true; InlineData false>]
let ``a server that asks for a certificate is shown it`` (isHttp2: bool) =
    use folder = new Folder()
    use own = certify "a client" (Some authority.Value)
    let seen = System.Collections.Concurrent.ConcurrentDictionary<string, bool>()

    let asks (options: HttpsConnectionAdapterOptions) =
        options.ClientCertificateMode <- ClientCertificateMode.RequireCertificate

        options.ClientCertificateValidation <-
            fun certificate _ _ ->
                seen[certificate.Subject] <- true
                true

    use server = new Server(HttpProtocols.Http1AndHttp2, Some asks)
    let certificate = folder.Write("own.pem", own.ExportCertificatePem())

    let key =
        folder.Write("own.key", (nonNull (own.GetRSAPrivateKey())).ExportPkcs8PrivateKeyPem())

    let together =
        folder.Write("both.pem", File.ReadAllText key + "\n" + File.ReadAllText certificate)

    let outcomeWith (shown: CertificateFiles option) =
        plan $"{server.Url}/" (Closed 1) 60_000
        |> connecting (fun usual ->
            { usual with
                Protocol = if isHttp2 then Http2 3 else Http1
                Insecure = true
                ClientCertificate = shown
            })
        |> fun plan -> attack { plan with MaxRequests = Some 6L; Timeout = TimeSpan.FromSeconds 5. }

    comesTo [ RequestResult.Right, 6L ] (outcomeWith (Some { Certificate = certificate; Key = key }))

    comesTo [ RequestResult.Right, 6L ] (outcomeWith (Some { Certificate = together; Key = together }))
    Assert.Equal<string list>([ "CN=a client" ], List.ofSeq seen.Keys)
    Assert.Equal(0L, (outcomeWith None).Right)

[<Fact>]
let ``files of certificates that cannot be used are refused before the run`` () =
    use folder = new Folder()
    use one = certify "one" None
    use other = certify "other" None
    let missing = folder.Write("x", "") + ".not.there"
    let empty = folder.Write("empty.pem", "nothing")

    let broken =
        folder.Write("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")

    let certificate = folder.Write("one.pem", one.ExportCertificatePem())

    let keyOf (certificate: X509Certificate2) (name: string) =
        folder.Write(name, (nonNull (certificate.GetRSAPrivateKey())).ExportPkcs8PrivateKeyPem())

    let secret =
        folder.Write(
            "secret.key",
            (nonNull (one.GetRSAPrivateKey()))
                .ExportEncryptedPkcs8PrivateKeyPem(
                    "word",
                    PbeParameters(PbeEncryptionAlgorithm.Aes128Cbc, HashAlgorithmName.SHA256, 1000)
                )
        )

    let refused (words: string list) (change: ConnectionOptions -> ConnectionOptions) =
        let plan = plan "https://127.0.0.1:1/" (Closed 1) 100 |> connecting change
        let found = Assert.Throws<BadInput>(fun () -> Attack.find plan)

        for word in words do
            Assert.Contains(word, found.Message)

        Assert.Throws<BadInput>(fun () -> attack plan |> ignore) |> ignore

    for file, words in
        [ missing, [ "x.not.there" ]; empty, [ "no certificate"; "empty.pem" ]; broken, [ "broken.pem" ] ] do
        refused ("--cacert" :: words) (fun usual -> { usual with Authorities = Some file })

        refused ("--cert" :: words) (fun usual ->
            { usual with ClientCertificate = Some { Certificate = file; Key = keyOf one "one.key" } })

    for file, words in
        [
            missing, [ "x.not.there" ]
            empty, [ "empty.pem" ]
            keyOf other "other.key", [ "does not belong to" ]
            secret, [ "encrypted" ]
        ] do
        refused ("--key" :: words) (fun usual ->
            { usual with ClientCertificate = Some { Certificate = certificate; Key = file } })

// Beside others.

[<Theory; InlineData false; InlineData true>]
let ``the null server and the engine count the same requests`` (isTls: bool) =
    let server, ready =
        LineProcess.Start(
            {
                Subject = "the null server"
                File = Built.dotnet
                Arguments =
                    [
                        Built.tool ()
                        "null-server"
                        "--http2"

                        if isTls then
                            "--tls"
                    ]
                Variables = []
                Core = None
            },
            30000
        )

    use _ = server
    let scheme = if isTls then "https" else "http"
    let url = $"""{scheme}://127.0.0.1:{ready.GetProperty("port").GetInt32()}/"""
    let mutable sent = 0L

    for method', length in [ "GET", 0; "POST", 200_000; "HEAD", 0; "HEAD", 10 ] do
        let plan = plan url (Closed 2) 60_000 |> over 4

        let outcome =
            attack
                { plan with
                    Requests =
                        [ { plan.Requests.Head with Method = method'; Body = Array.zeroCreate length } ]
                    ExpectBody = None
                    MaxRequests = Some 100L
                }

        comesTo [ RequestResult.Right, 100L ] outcome
        sent <- sent + 100L

    let seen () =
        server.Ask("counting", "how many?", 30000)

    Within.comes "no connection is open" (fun () -> seen().GetProperty("connections").GetInt64() = 0L)
    Assert.Equal(sent, seen().GetProperty("requests").GetInt64())

let private h2load (arguments: string list) : string =
    InstalledProgram.run "h2load" arguments "'apt-get install nghttp2-client'" Process.Start
    |> snd

[<Theory; InlineData true; InlineData false>]
let ``the same requests are counted by h2load, by the engine and by Kestrel`` (isTls: bool) =
    use server = if isTls then securely () else plainly ()
    let said = h2load [ "-n"; "2000"; "-c"; "2"; "-m"; "10"; $"{server.Url}/" ]
    let succeeded = Regex.Match(said, @"(\d+) succeeded")
    Assert.True(succeeded.Success, said)
    let theirs = Int64.Parse succeeded.Groups[1].Value
    Assert.Equal((2000L, 2000L), (theirs, server.Requests))
    let plan = plan $"{server.Url}/" (Closed 2) 60_000 |> over 10
    let outcome = attack { plan with MaxRequests = Some 2000L }
    Assert.Equal((2000L, theirs), (outcome.Right, server.Requests - theirs))
    Assert.Equal(2, outcome.Counts.Connections)
