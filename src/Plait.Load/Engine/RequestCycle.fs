// The requests of a plan, ready to be sent in turn, and where each goes: from text and names to bytes and addresses.
namespace Plait.Load

open System
open System.Net
open System.Net.Sockets
open System.Text

open Plait.Report

/// Where requests go.
type internal Destination =
    {
        EndPoint: IPEndPoint
        /// The name that a certificate must be for.
        Host: string
        IsTls: bool
        Insecure: bool
    }

/// A request, ready to be sent.
type internal Prepared = { Bytes: byte[]; IsHead: bool }

/// From requests to bytes and addresses.
module internal Resolve =
    /// The request as it goes over the wire.
    let bytes (request: HttpRequest) : byte[] =
        let has name =
            request.Headers
            |> List.exists (fun (other, _) -> String.Equals(other, name, StringComparison.OrdinalIgnoreCase))

        let head = StringBuilder()
        head.Append($"{request.Method} {request.Url.PathAndQuery} HTTP/1.1\r\n") |> ignore

        if not (has "Host") then
            head.Append($"Host: {request.Url.Authority}\r\n") |> ignore

        for name, value in request.Headers do
            head.Append($"{name}: {value}\r\n") |> ignore

        if request.Url.UserInfo <> "" && not (has "Authorization") then
            let secret = Encoding.UTF8.GetBytes(Uri.UnescapeDataString request.Url.UserInfo)
            head.Append($"Authorization: Basic {Convert.ToBase64String secret}\r\n") |> ignore

        if not (has "Content-Length") && not (has "Transfer-Encoding") then
            if
                request.Body.Length > 0
                || request.Method = "POST"
                || request.Method = "PUT"
                || request.Method = "PATCH"
            then
                head.Append($"Content-Length: {request.Body.Length}\r\n") |> ignore

        head.Append "\r\n" |> ignore
        Array.append (Encoding.UTF8.GetBytes(string head)) request.Body

    let private accepts (address: IPAddress) (port: int) =
        use trial = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)

        try
            trial.ConnectAsync(address, port).Wait 2000
        with :? AggregateException ->
            false

    /// The address that a host's name stands for. Where there are several, the first at which something listens.
    let address (url: Uri) : IPEndPoint =
        let addresses =
            try
                Dns.GetHostAddresses url.DnsSafeHost
            with
            | :? SocketException
            | :? ArgumentException as trouble ->
                raise (
                    BadInput
                        $"the host of {url} cannot be found: {trouble.Message.TrimEnd '.'}; check the name, or write the address instead"
                )

        match addresses with
        | [||] -> raise (BadInput $"the host of {url} has no address; write the address instead")
        | [| only |] -> IPEndPoint(only, url.Port)
        | several ->
            let found =
                several
                |> Array.tryFind (fun address -> accepts address url.Port)
                |> Option.defaultValue several[0]

            IPEndPoint(found, url.Port)

/// The requests of a plan.
[<Sealed>]
type internal RequestCycle(plan: Plan) =
    let requests = List.toArray plan.Requests

    let destinationOf (request: HttpRequest) =
        request.Url.Scheme, request.Url.DnsSafeHost, request.Url.Port

    let keys = requests |> Array.map destinationOf |> Array.distinct

    let destinations =
        [|
            for key in keys do
                let request = requests |> Array.find (fun request -> destinationOf request = key)

                {
                    EndPoint = Resolve.address request.Url
                    Host = request.Url.DnsSafeHost
                    IsTls = request.Url.Scheme = Uri.UriSchemeHttps
                    Insecure = plan.Insecure
                }
        |]

    let prepared =
        requests
        |> Array.map (fun request -> { Bytes = Resolve.bytes request; IsHead = request.Method = "HEAD" })

    let destinationOfRequest =
        requests |> Array.map (fun request -> Array.IndexOf(keys, destinationOf request))

    let mutable turn = 0

    /// Every destination, once.
    member _.Destinations = destinations

    /// Where the request that is next in turn goes, as an index.
    member _.Destination = destinationOfRequest[turn]

    /// Takes the request that is next in turn.
    member _.Take() : Prepared =
        let request = prepared[turn]
        turn <- if turn + 1 = prepared.Length then 0 else turn + 1
        request
