// The requests of a plan, ready to be sent in turn, and their destinations: from text and names to bytes and addresses.
namespace Plait.Load

open System
open System.Net
open System.Net.NetworkInformation
open System.Net.Sockets
open System.Text
open System.Text.RegularExpressions

open Plait.Common
open Plait.Http2

/// From requests to bytes and addresses.
module internal Resolve =
    let private valuesOf (request: HttpRequest) (name: string) : string list =
        request.Headers
        |> List.filter (fun (other, _) -> String.Equals(other, name, StringComparison.OrdinalIgnoreCase))
        |> List.map snd

    /// The headers of a request, with Authorization for its URL and Content-Length for its body.
    let private headersOf (request: HttpRequest) : (string * string) list =
        let has name = not (valuesOf request name).IsEmpty

        [
            yield! request.Headers

            if request.Url.UserInfo <> "" && not (has "Authorization") then
                "Authorization", $"Basic {Convert.ToBase64String(RequestUrl.credentials request.Url)}"

            if not (has "Content-Length") && not (has "Transfer-Encoding") then
                if
                    request.Body.Length > 0
                    || request.Method = "POST"
                    || request.Method = "PUT"
                    || request.Method = "PATCH"
                then
                    "Content-Length", string request.Body.Length
        ]

    /// The request as it goes over the wire of HTTP/1.1. `keepsAlive`: its connection is for others too.
    let bytes (keepsAlive: bool) (request: HttpRequest) : byte[] =
        let has name = not (valuesOf request name).IsEmpty

        let head = StringBuilder()
        head.Append($"{request.Method} {RequestUrl.target request.Url} HTTP/1.1\r\n") |> ignore

        if not (has "Host") then
            head.Append($"Host: {RequestUrl.authority request.Url}\r\n") |> ignore

        for name, value in headersOf request do
            head.Append($"{name}: {value}\r\n") |> ignore

        if not keepsAlive && not (has "Connection") then
            head.Append "Connection: close\r\n" |> ignore

        head.Append "\r\n" |> ignore
        Array.append (Encoding.UTF8.GetBytes(string head)) request.Body

    /// The head of the request as it goes over the wire of HTTP/2.
    let block (request: HttpRequest) : byte[] =
        let authority =
            valuesOf request "Host"
            |> List.tryHead
            |> Option.defaultWith (fun () -> RequestUrl.authority request.Url)

        Hpack.block
            [
                ":method", request.Method
                ":scheme", request.Url.Scheme
                ":authority", authority
                ":path", RequestUrl.target request.Url

                for name, value in headersOf request do
                    match name.ToLowerInvariant() with
                    | "host" -> ()
                    | name -> name, value.Trim([| ' '; '\t' |])
            ]

    let private idempotent = set [ "GET"; "HEAD"; "PUT"; "DELETE"; "OPTIONS"; "TRACE" ]

    /// A request, ready to be sent. `index`: which of the plan's it is.
    let prepared (connecting: ConnectionOptions) (index: int) (request: HttpRequest) : PreparedRequest =
        let saysClose =
            valuesOf request "Connection"
            |> List.exists (fun value -> value.Contains("close", StringComparison.OrdinalIgnoreCase))

        {
            Bytes =
                match connecting.Protocol with
                | Http1 -> bytes connecting.KeepsAlive request
                | Http2 _ -> block request
            Body = request.Body
            BodyLength = request.Body.Length
            IsHead = request.Method = "HEAD"
            IsIdempotent = idempotent.Contains request.Method
            Closes = saysClose || not connecting.KeepsAlive
            Index = index
            Request = request
        }

    let private accepts (address: IPAddress) (port: int) =
        use trial = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)

        try
            trial.ConnectAsync(address, port).Wait 2000
        with :? AggregateException ->
            false

    /// Without a zone a link-local address cannot be connected to; a zone that is no interface is left out when the address is parsed.
    let private needsZone (host: string) : bool =
        match IPAddress.TryParse host with
        | true, address ->
            let address = nonNull address
            address.IsIPv6LinkLocal && address.ScopeId = 0L
        | _ -> false

    let private ofHost (host: string) (port: int) (what: string) : IPEndPoint =
        if needsZone host then
            let interfaces =
                NetworkInterface.GetAllNetworkInterfaces() |> Seq.map _.Name |> String.concat ", "

            raise (
                BadInput
                    $"the host of {what} is a link-local address, which needs a zone: a network interface of this machine ({interfaces}); write it as in http://[fe80::1%%25eth0]/"
            )

        let addresses =
            try
                Dns.GetHostAddresses host
            with
            | :? SocketException
            | :? ArgumentException ->
                raise (
                    BadInput
                        $"the host of {what} cannot be found; check the name, or write the address instead"
                )

        match addresses with
        | [||] -> raise (BadInput $"the host of {what} has no address; write the address instead")
        | [| only |] -> IPEndPoint(only, port)
        | several ->
            let found =
                several
                |> Array.tryFind (fun address -> accepts address port)
                |> Option.defaultValue several[0]

            IPEndPoint(found, port)

    /// The address of a host's name; of several, the first at which a server listens.
    let address (url: Uri) : IPEndPoint =
        ofHost (RequestUrl.host url) url.Port (string url)

    // A URL may lack the port, and may have a path.
    let private place = Regex @"^(\[[^\]/?#@]+\]|[^\[\]:/?#@\s\\]+):[0-9]{1,5}$"

    /// The destination of a URL's requests. Raises BadInput when it cannot be found.
    let destination (connecting: ConnectionOptions) (url: Uri) : Destination =
        let endPoint: EndPoint =
            match connecting.UnixSocket, connecting.ConnectTo with
            | Some path, _ when IO.Directory.Exists path ->
                raise (BadInput $"--unix-socket: {path} is a folder; name the socket in it")
            | Some path, _ when not (IO.File.Exists path) ->
                raise (BadInput $"--unix-socket: there is no {path}; is the server running?")
            | Some path, _ -> UnixDomainSocketEndPoint path
            | None, Some instead ->
                match Uri.TryCreate("http://" + instead, UriKind.Absolute) with
                | true, other when place.IsMatch instead && (nonNull other).Port > 0 ->
                    ofHost (RequestUrl.host (nonNull other)) (nonNull other).Port instead
                | _ -> raise (BadInput $"'{instead}' is not a place to connect to; write HOST:PORT")
            | None, None -> address url

        { EndPoint = endPoint; Host = url.IdnHost; IsTls = url.Scheme = Uri.UriSchemeHttps }

/// The requests of a run, one after the other.
[<AbstractClass>]
type internal RequestSource() =
    /// Where they go, each place once.
    abstract Destinations: Destination[]
    /// Where the next one goes, as an index.
    abstract Destination: int
    /// Takes the next one.
    abstract Take: unit -> PreparedRequest
    abstract Dispose: unit -> unit
    default _.Dispose() = ()

    interface IDisposable with
        member this.Dispose() = this.Dispose()

/// The requests of a plan in turn, as they are. Each share takes every `Of`-th one.
[<Sealed>]
type internal RequestCycle(plan: Plan, share: Share) =
    inherit RequestSource()
    let requests = List.toArray plan.Requests

    let destinationOf (request: HttpRequest) =
        request.Url.Scheme, request.Url.IdnHost, request.Url.Port

    let keys = requests |> Array.map destinationOf |> Array.distinct

    let destinations =
        [|
            for key in keys do
                requests
                |> Array.find (fun request -> destinationOf request = key)
                |> _.Url
                |> Resolve.destination plan.Connecting
        |]

    let prepared = requests |> Array.mapi (Resolve.prepared plan.Connecting)

    let destinationOfRequest =
        requests |> Array.map (fun request -> Array.IndexOf(keys, destinationOf request))

    let step = share.Of % prepared.Length
    let mutable turn = share.Index % prepared.Length

    override _.Destinations = destinations
    override _.Destination = destinationOfRequest[turn]

    override _.Take() : PreparedRequest =
        let request = prepared[turn]
        let next = turn + step
        turn <- if next >= prepared.Length then next - prepared.Length else next
        request
