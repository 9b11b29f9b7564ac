// The options of the load generator's connections: their number and protocol, their address, how long they are kept, and the
// certificates of both sides.
module internal Plait.Tool.AttackConnections

open System
open System.CommandLine
open System.Net
open System.Net.Http

open Plait.Common
open Plait.Load

/// --connections, which also chooses the closed model.
let connections =
    Options.number
        "--connections"
        [ "-c" ]
        "N"
        (1, 65536)
        "with a rate: open N connections before the run (default: each when a request needs it); without a rate: the closed model, in which each of N connections sends its next request when it has the answer"

/// --max-connections
let maxConnections =
    Options.number
        "--max-connections"
        []
        "N"
        (1, 65536)
        "with a rate: open at most N connections, each when a request needs it (default: rate x (timeout + 1s), or fewer by this machine's ports and files)"

let private http2 =
    Options.flag
        "--http2"
        "use HTTP/2: over TLS by ALPN, without TLS by prior knowledge; each connection carries several requests at a time"

let private streams =
    Options.number
        "--streams"
        []
        "N"
        (1, 65536)
        "with --http2: requests that a connection carries at a time, at most as many as the server allows (default: 100)"

let private protocolOf (parsed: ParseResult) : HttpProtocol =
    match Options.value parsed http2, Options.value parsed streams with
    | true, given -> Http2(Option.defaultValue 100 given)
    | false, None -> Http1
    | false, Some _ ->
        raise (BadInput "--streams goes with --http2; a connection of HTTP/1.1 carries one request at a time")

let private insecure =
    Options.flag "--insecure" "accept any certificate of the server"

let private cacert =
    Options.text "--cacert" "FILE" "further certificates (PEM) of trusted authorities, besides this machine's"

let private cert =
    Options.text "--cert" "FILE" "the client's certificate (PEM) for the server"

let private key =
    Options.text "--key" "FILE" "the key (PEM) of --cert (default: in the file of --cert)"

let private noKeepAlive =
    Options.flag "--no-keepalive" "a connection for each request"

let private connectTo =
    Options.text "--connect-to" "HOST:PORT" "connect to this address in place of the URL's"

let private unixSocket =
    Options.text "--unix-socket" "PATH" "connect to this Unix socket, in place of the URL's address"

let private redirects =
    Options.number
        "--redirects"
        []
        "N"
        (0, 100)
        "follow at most N redirections of one request (default: 0, a redirection is a response like others)"

let private maxHead =
    Options.number
        "--max-head"
        []
        "BYTES"
        (64, 67_108_864)
        "bytes that the head of a response may have (default: 262144)"

let private wait =
    Options.duration
        "--wait"
        (0, 3_600_000)
        "before the run, wait at most this time until the server takes connections (default: no wait; the run ends if no request of its first seconds is answered and all connections are refused or ended)"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        connections
        maxConnections
        http2
        streams
        redirects
        noKeepAlive
        connectTo
        unixSocket
        insecure
        cacert
        cert
        key
        maxHead
        wait
    ]

/// How connections are made. `bound`: the limit of this machine, if it allows fewer connections than the rate needs. Raises
/// BadInput when options contradict each other.
let read (parsed: ParseResult) (bound: MachineBound option) : ConnectionOptions =
    let certificate = Options.value parsed cert

    let key =
        match certificate, Options.value parsed key with
        | None, Some _ -> raise (BadInput "--key is the key of a --cert; name that too")
        | _, key -> key |> Option.orElse certificate

    if Options.isGiven parsed connectTo && Options.isGiven parsed unixSocket then
        raise (BadInput "--connect-to and --unix-socket are two places; leave one of them out")

    { ConnectionOptions.Default with
        Protocol = protocolOf parsed
        Grows = not (Options.isGiven parsed connections)
        Bound = bound
        KeepsAlive = not (Options.value parsed noKeepAlive)
        MaxHead = Options.valueOr ConnectionOptions.Default.MaxHead parsed maxHead
        Redirects = Options.valueOr 0 parsed redirects
        Insecure = Options.value parsed insecure
        Authorities = Options.value parsed cacert
        ClientCertificate =
            Option.map2 (fun certificate key -> { Certificate = certificate; Key = key }) certificate key
        ConnectTo = Options.value parsed connectTo
        UnixSocket = Options.value parsed unixSocket
    }

/// How long the run waits for a server that takes no connections.
let waitOf (parsed: ParseResult) : TimeSpan =
    Options.valueOr TimeSpan.Zero parsed wait

/// The environment exempts a host from proxies, by curl's rules: names with their subdomains, addresses, networks, or *.
let private isExempt (host: string) : bool =
    let named =
        [ "no_proxy"; "NO_PROXY" ]
        |> List.map (Environment.GetEnvironmentVariable >> string)
        |> List.tryFind ((<>) "")
        |> Option.defaultValue ""

    let has (network: string) =
        match IPNetwork.TryParse network, IPAddress.TryParse host with
        | (true, network), (true, address) -> network.Contains(nonNull address)
        | _ -> false

    named.Split([| ','; ' ' |], StringSplitOptions.RemoveEmptyEntries)
    |> Array.exists (fun entry ->
        let name = entry.Trim('.', '[', ']')

        entry = "*"
        || host.Equals(name, StringComparison.OrdinalIgnoreCase)
        || host.EndsWith($".{name}", StringComparison.OrdinalIgnoreCase)
        || has name)

/// A sentence about the proxy that this machine names for a URL, which the requests do not use; None: it names none.
let proxyNote (urls: Uri list) : string option =
    urls
    |> List.tryPick (fun url ->
        match HttpClient.DefaultProxy.GetProxy url with
        | null -> None
        | proxy when proxy = url || isExempt url.IdnHost -> None
        | proxy ->
            // Without a password that may stand in it.
            Some
                $"this machine names the proxy {proxy.Authority} for {url.Host}, and plait attack sends to the server itself; --connect-to HOST:PORT sends to another place")
