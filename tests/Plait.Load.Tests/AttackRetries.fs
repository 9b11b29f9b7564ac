// Requests over HTTP/2 that a server has not taken up: those above the last stream of a GOAWAY, and refused ones. They are sent
// again, whatever their method, and counted.
module Plait.Load.Tests.AttackRetries

open System
open System.Collections.Concurrent
open System.Diagnostics
open System.IO
open System.Net
open System.Net.Sockets
open System.Threading
open Xunit

open Plait.Http2
open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

let private posting (length: int) (plan: Plan) : Plan =
    { plan with
        Requests =
            [ { plan.Requests.Head with Method = "POST"; Body = Array.init length (fun at -> byte at) } ]
    }

/// So many requests, in the open model at 200/s over as many connections as that takes.
let private requests (isOpen: bool) (connections: int) (count: int64) (url: string) : Plan =
    let model = if isOpen then Open(Constant 200.0, 100) else Closed connections
    { plan url model 60_000 with MaxRequests = Some count }

/// Answers the next request of a connection until there is none.
let private answerAll (server: FrameServer) (peer: FramePeer) =
    let mutable goesOn = true

    while goesOn do
        match peer.Request() with
        | Some stream -> server.Right(peer, stream)
        | None -> goesOn <- false

/// A server whose first connection runs `first`, and every other one `later`, when they have greeted.
let private greeting (first: FrameServer -> FramePeer -> unit) (later: FrameServer -> FramePeer -> unit) =
    let mutable connections = 0

    new FrameServer(fun server peer ->
        peer.Greet []
        let isFirst = Interlocked.Increment &connections = 1
        (if isFirst then first else later) server peer)

let private allAreRight (count: int64) (server: FrameServer) (outcome: Outcome) =
    Assert.Equal((count, count), (outcome.Requests, outcome.Right))
    // None was answered twice, and none that was not taken up was forgotten.
    Assert.Equal((count, server.Spoiled), (server.Sent, outcome.Counts.Retried))
    Assert.True(server.Spoiled > 0L)

/// A server whose connections take `each` requests up, say so, and pass over what comes behind them.
let private takingUp (each: int) =
    new FrameServer(fun server peer ->
        peer.Greet []

        for at in 1..each do
            match peer.Request() with
            | Some stream ->
                if at = each then
                    peer.Out.GoAway(stream, 0)

                server.Right(peer, stream)
            | None -> ()

        while (peer.Request()).IsSome do
            server.CountWrong())

[<Theory;
  InlineData(true, 1, 8, 3);
  InlineData(false, 1, 8, 3);
  InlineData(false, 3, 8, 3);
  InlineData(false, 1, 20, 1);
  InlineData(true, 1, 20, 1);
  InlineData(false, 2, 100, 50)>]
let ``requests after the last stream of a GOAWAY are retried``
    (isOpen: bool, connections: int, streams: int, each: int)
    =
    use server = takingUp each
    let count = 60L * int64 connections

    let outcome = requests isOpen connections count server.Url |> over streams |> attack
    Assert.Equal((count, count), (outcome.Requests, outcome.Right))
    Assert.Equal(count, server.Sent)
    // It reads to the end what it passes over.
    Within.comes "those behind the farewell" (fun () -> server.Spoiled = outcome.Counts.Retried)
    // In the open model requests come one by one, and may all come before the farewell.
    Assert.True(isOpen || outcome.Counts.Retried > 0L)

[<Theory; InlineData "GET"; InlineData "POST">]
let ``a request is counted once for each retry`` (method': string) =
    let mutable connections = 0

    // Six come together, four are taken up; the ninth connection has the four that are left.
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []

            if Interlocked.Increment &connections < 9 then
                let streams = [ for _ in 1..6 -> peer.Request() ] |> List.choose id
                peer.Out.GoAway(streams[3], 0)

                for _ in streams[4..] do
                    server.CountWrong()

                for stream in streams[..3] do
                    server.Right(peer, stream)

                peer.Request() |> ignore
            else
                answerAll server peer)

    let plan = requests false 1 36L server.Url |> over 6

    let outcome =
        attack { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }

    allAreRight 36L server outcome
    Assert.Equal((16L, 9L), (outcome.Counts.Retried, server.Connections))

[<Fact>]
let ``a GOAWAY with an error fails the processed requests, and the others are retried`` () =
    use server =
        greeting
            (fun server peer ->
                let streams = [ for _ in 1..6 -> peer.Request() ] |> List.choose id
                // ENHANCE_YOUR_CALM
                peer.Out.GoAway(streams[3], 11)
                peer.Flush()
                server.CountWrong()
                server.CountWrong()
                // Until the client leaves.
                peer.Request() |> ignore)
            answerAll

    let outcome = requests false 1 12L server.Url |> over 6 |> attack
    Assert.Equal((8L, 4L), (outcome.Right, count RequestResult.Closed outcome))
    Assert.Equal((12L, 2L, 2L), (outcome.Requests, outcome.Counts.Retried, server.Connections))
    Assert.Contains("GOAWAY ENHANCE_YOUR_CALM", outcome.Complaints[RequestResult.Closed])

/// How a server answers what it took up before a GOAWAY with an error: in the same segment, or when what it did not take up is on
/// its way to it again.
[<Theory; InlineData(true, true); InlineData(true, false); InlineData(false, true); InlineData(false, false)>]
let ``an answer after a GOAWAY with an error is right`` (isAtOnce: bool, closes: bool) =
    use others = new ManualResetEventSlim()

    use server =
        greeting
            (fun server peer ->
                let streams = [ for _ in 1..6 -> peer.Request() ] |> List.choose id
                // ENHANCE_YOUR_CALM
                peer.Out.GoAway(streams[3], 11)
                server.CountWrong()
                server.CountWrong()

                if not isAtOnce then
                    peer.Flush()
                    others.Wait()

                for stream in streams[1..3] do
                    server.CountRight()
                    peer.Right stream

                peer.Flush()

                // The first one is never answered.
                if not closes then
                    peer.Request() |> ignore)
            (fun server peer ->
                match peer.Request() with
                | Some stream ->
                    others.Set()
                    server.Right(peer, stream)
                    answerAll server peer
                | None -> ())

    let outcome = requests false 1 12L server.Url |> over 6 |> posting 100 |> attack
    Assert.Equal((11L, 1L), (outcome.Right, count RequestResult.Closed outcome))
    Assert.Equal((12L, 2L, 11L), (outcome.Requests, outcome.Counts.Retried, server.Sent))
    Assert.Contains("GOAWAY ENHANCE_YOUR_CALM", outcome.Complaints[RequestResult.Closed])

/// Runs a plan whose thread stands still, when a second is over, until the server has reset its connection: nothing tells it so
/// before it sends the next request. `reset` gets the number of requests in flight.
let private whileNobodyLooks (reset: int -> unit) (plan: Plan) : Outcome =
    let told (second: Second) =
        if second.At = 0 then
            reset second.InFlight
            Thread.Sleep 150

    Tasks.Task.Run(fun () ->
        Attack.run
            { plan with Model = Open(Constant 10.0, 10); MaxRequests = Some 20L }
            told
            CancellationToken.None)
    |> Within.result "the load run"

[<Theory; InlineData "GET"; InlineData "POST">]
let ``a request of which no byte was sent is sent over another connection`` (method': string) =
    let peers = ConcurrentBag<FramePeer>()

    use server =
        new FrameServer(fun server peer ->
            peers.Add peer
            peer.Greet []
            answerAll server peer)

    let plan = plan server.Url (Closed 1) 60_000 |> over 5 |> posting 100

    let outcome =
        { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }
        |> whileNobodyLooks (fun _ ->
            for peer in peers do
                peer.Break())

    Assert.Equal((20L, 20L, 20L), (outcome.Requests, outcome.Right, server.Sent))
    Assert.InRange(outcome.Counts.Retried, 1L, 5L)
    // What was not sent is not counted as sent.
    let one =
        { plan with
            Requests = [ { plan.Requests.Head with Method = method' } ]
            MaxRequests = Some 1L
        }

    Assert.Equal(20L * (attack one).Counts.BytesOut, outcome.Counts.BytesOut)

/// The server answers four requests at the most, and not all, names the last of them and closes, while the generator's next act is to
/// send one more.
[<Theory; InlineData "GET"; InlineData "POST">]
let ``a GOAWAY that came before a sending failed is read`` (method': string) =
    let first = ConcurrentQueue<struct (FramePeer * int)>()

    use server =
        greeting
            (fun server peer ->
                let mutable goesOn = true

                while goesOn do
                    match peer.Request() with
                    | Some stream -> first.Enqueue(struct (peer, stream))
                    | None -> goesOn <- false)
            answerAll

    let leave (inFlight: int) =
        Within.comes "the requests in flight" (fun () -> first.Count >= inFlight)
        let held = first |> Seq.truncate (min 4 (inFlight - 1)) |> Seq.toList
        let struct (peer, last) = List.last held

        for struct (_, stream) in held do
            server.CountRight()
            peer.Right stream

        peer.Out.GoAway(last, 0)
        peer.Flush()
        peer.Break()

    let plan = plan server.Url (Closed 1) 60_000 |> over 20 |> posting 100

    let outcome =
        { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }
        |> whileNobodyLooks leave

    Assert.Equal((20L, 20L, 20L), (outcome.Requests, outcome.Right, server.Sent))
    Assert.True(outcome.Counts.Retried > 0L)

[<Theory; InlineData "GET"; InlineData "POST">]
let ``a request of HTTP/1.1 of which no byte was sent is not stale`` (method': string) =
    let connections = ConcurrentBag<Connection>()

    use counting =
        new Counting(fun counting connection ->
            connections.Add connection

            while connection.Request() do
                counting.Right(connection, Response.ok body))

    let plan = plan $"{counting.Server.Url}/" (Closed 1) 60_000 |> posting 100

    let outcome =
        { plan with Requests = [ { plan.Requests.Head with Method = method' } ] }
        |> whileNobodyLooks (fun _ ->
            for connection in connections do
                connection.Reset())

    Assert.Equal((20L, 20L, 20L), (outcome.Requests, outcome.Right, counting.Sent))
    Assert.InRange(outcome.Counts.Retried, 1L, 5L)

/// Five connections are used in the first second, and then all ten are reset: the next request is the first of its connection.
[<Theory; Trait("run", "more"); InlineData "GET"; InlineData "POST">]
let ``a request of which no byte was sent over a connection that was never used is sent over another``
    (method': string)
    =
    let connections = ConcurrentBag<Connection>()

    use counting =
        new Counting(fun counting connection ->
            connections.Add connection

            while connection.Request() do
                counting.Right(connection, Response.ok body))

    let told (second: Second) =
        if second.At = 0 then
            for connection in connections do
                connection.Reset()

            Thread.Sleep 150

    let plan =
        { plan $"{counting.Server.Url}/" (Open(Constant 5.0, 10)) 60_000 with
            MaxRequests = Some 10L
            Requests = [ { get $"{counting.Server.Url}/" with Method = method' } ]
            Connecting = { ConnectionOptions.Default with Grows = false }
        }

    let outcome =
        Tasks.Task.Run(fun () -> Attack.run plan told CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal((10L, 10L, 10L), (outcome.Requests, outcome.Right, counting.Sent))
    // The request of the next second is due before the engine can read the resets.
    Assert.InRange(outcome.Counts.Retried, 1L, 5L)

/// The last frames of a server that ends a connection with five requests: of the connection, or of other requests.
[<Theory; InlineData "a ping"; InlineData "a GOAWAY"; InlineData "two responses">]
let ``a request without a byte of its response is sent again, whatever else came before the end``
    (last: string)
    =
    use server =
        greeting
            (fun server peer ->
                for _ in 1..5 do
                    match peer.Request() with
                    | Some stream -> server.Right(peer, stream)
                    | None -> ()

                let streams = [ for _ in 1..5 -> peer.Request() ] |> List.choose id

                match last with
                | "a ping" -> peer.Frame(FrameType.Ping, 0uy, 0, Array.zeroCreate 8)
                | "a GOAWAY" -> peer.Out.GoAway(Int32.MaxValue, 0)
                | _ ->
                    for stream in streams[..1] do
                        server.CountRight()
                        peer.Right stream

                for _ in streams[(if last = "two responses" then 2 else 0) ..] do
                    server.CountWrong()

                peer.Flush())
            answerAll

    let outcome = requests false 1 20L server.Url |> over 5 |> attack
    Assert.Equal((20L, 20L, 20L), (outcome.Requests, outcome.Right, server.Sent))
    // After two responses the client may send two more requests before it sees the end.
    Assert.InRange(outcome.Counts.Retried, server.Spoiled, server.Spoiled + 2L)

[<Theory; InlineData 0; InlineData 1>]
let ``a graceful GOAWAY is followed by one that names the last stream`` (between: int) =
    use server =
        greeting
            (fun server peer ->
                let streams = [ for _ in 1..5 -> peer.Request() ] |> List.choose id
                peer.Out.GoAway(Int32.MaxValue, 0)

                for stream in streams[.. between - 1] do
                    server.Right(peer, stream)

                peer.Out.GoAway(streams[2], 0)

                for stream in streams[between..2] do
                    server.Right(peer, stream)

                server.CountWrong()
                server.CountWrong()
                peer.Request() |> ignore)
            answerAll

    let outcome = requests false 1 20L server.Url |> over 5 |> attack
    allAreRight 20L server outcome
    Assert.Equal(2L, server.Connections)

[<Theory; InlineData true; InlineData false>]
let ``a refused stream is sent again over the same connection`` (isOpen: bool) =
    use server =
        FrameServer.sometimes 3L (fun peer stream -> peer.Out.Reset(stream, Http2Error.refusedStream))

    // One at a time: of several, one might be refused each time.
    let outcome = requests isOpen 1 30L server.Url |> over 1 |> attack
    allAreRight 30L server outcome

    if not isOpen then
        Assert.Equal(1L, server.Connections)

[<Fact>]
let ``a stream that is refused again goes over a new connection`` () =
    // Each connection takes ten up, and refuses whatever comes then.
    use server =
        new FrameServer(fun server peer ->
            peer.Greet []
            let mutable taken = 0
            let mutable goesOn = true

            while goesOn do
                match peer.Request() with
                | None -> goesOn <- false
                | Some stream when taken < 10 ->
                    taken <- taken + 1
                    server.Right(peer, stream)
                | Some stream ->
                    server.CountWrong()
                    peer.Out.Reset(stream, Http2Error.refusedStream)
                    peer.Flush())

    let outcome = requests false 1 100L server.Url |> over 4 |> posting 100 |> attack
    allAreRight 100L server outcome
    Assert.InRange(server.Connections, 10L, 20L)

/// A server that takes nothing up, and words of the complaint.
let private refusers: (string * (FramePeer -> int -> unit) * RequestResult * string) list =
    [
        "by refusing streams",
        (fun peer stream -> peer.Out.Reset(stream, Http2Error.refusedStream)),
        RequestResult.StreamRefused,
        "REFUSED_STREAM, each of the 4 times that the request was sent"
        "by ending connections",
        (fun peer _ -> peer.Out.GoAway(0, 0)),
        RequestResult.GoAway,
        "GOAWAY NO_ERROR, each of the 4 times that the request was sent"
        "by ending connections with an error",
        (fun peer _ -> peer.Out.GoAway(0, 11)),
        RequestResult.GoAway,
        "GOAWAY ENHANCE_YOUR_CALM, each of the 4 times that the request was sent"
    ]

let refuserNames =
    let data = TheoryData<string, bool>()

    for name, _, _, _ in refusers do
        data.Add(name, true)
        data.Add(name, false)

    data

[<Theory; MemberData(nameof refuserNames)>]
let ``a request is sent four times to a server that takes up none`` (name: string) (isOpen: bool) =
    let _, refuse, result, words =
        refusers |> List.find (fun (other, _, _, _) -> other = name)

    use server = FrameServer.sometimes 1L refuse
    let outcome = requests isOpen 1 5L server.Url |> over 1 |> attack
    Assert.Equal((5L, 5L, 15L), (outcome.Requests, count result outcome, outcome.Counts.Retried))
    Assert.Equal(20L, server.Spoiled)
    Assert.Contains(words, outcome.Complaints[result])

[<Theory; InlineData true; InlineData false>]
let ``a body of which a part was sent is sent again as a whole`` (byReset: bool) =
    let length = 200_000
    let bodies = ConcurrentBag<int64>()
    let mutable connections = 0

    use server =
        new FrameServer(fun server peer ->
            peer.Greet []

            if Interlocked.Increment &connections = 1 then
                // The window lets only this much come.
                let mutable held = 0

                while held < FrameHead.defaultWindow do
                    match peer.Next() with
                    | Some(struct (frame, _)) when frame.Type = FrameType.Data -> held <- held + frame.Length
                    | Some _ -> ()
                    | None -> held <- Int32.MaxValue

                server.CountWrong()

                if byReset then
                    peer.Out.Reset(1, Http2Error.refusedStream)
                    peer.Out.WindowUpdate(0, 100_000_000)
                else
                    peer.Out.GoAway(0, 0)

                peer.Flush()

            peer.Out.WindowUpdate(0, 100_000_000)
            peer.Flush()
            let mutable goesOn = true

            while goesOn do
                match peer.Next() with
                | Some(struct (frame, content)) when frame.Type = FrameType.Headers ->
                    peer.Out.WindowUpdate(frame.Stream, 10_000_000)
                    peer.Flush()
                | Some(struct (frame, content)) when frame.Type = FrameType.Data ->
                    let before =
                        match peer.Bodies.TryGetValue frame.Stream with
                        | true, count -> count
                        | _ -> 0L

                    peer.Bodies[frame.Stream] <- before + int64 content.Length

                    if frame.Has FrameFlag.endStream then
                        bodies.Add peer.Bodies[frame.Stream]
                        server.Right(peer, frame.Stream)
                | Some _ -> ()
                | None -> goesOn <- false)

    let outcome = requests false 1 4L server.Url |> over 1 |> posting length |> attack
    allAreRight 4L server outcome
    Assert.Equal<int64 list>(List.replicate 4 (int64 length), List.ofSeq bodies)
    // The part that was sent in vain went out as well.
    Assert.InRange(
        outcome.Counts.BytesOut,
        4L * int64 length + int64 FrameHead.defaultWindow,
        5L * int64 length
    )

[<Fact>]
let ``the latency of a request that is sent again counts from its due time`` () =
    let wait = 300

    use server =
        greeting
            (fun server peer ->
                peer.Request() |> ignore
                Thread.Sleep wait
                server.CountWrong()
                peer.Out.GoAway(0, 0)
                peer.Flush()
                answerAll server peer)
            answerAll

    let outcome =
        { plan server.Url (Open(Constant 1.0, 10)) 60_000 with MaxRequests = Some 1L }
        |> over 1
        |> attack

    allAreRight 1L server outcome
    let least = int64 wait * 1_000_000L
    Assert.True(outcome.Counts.Intended.Max >= least, $"{outcome.Counts.Intended.Max} ns")
    Assert.True(outcome.Counts.Actual.Max >= least, $"{outcome.Counts.Actual.Max} ns")

/// A folder with nginx in it, which serves `/a.txt` over HTTP/2 and ends each connection behind so many requests.
type private Nginx(keepAliveRequests: int) =
    let folder = new Built.Folder()

    let file =
        [ "/usr/sbin/nginx"; "/usr/bin/nginx"; "/usr/local/sbin/nginx" ]
        |> List.tryFind File.Exists

    do
        Assert.SkipWhen(
            file.IsNone,
            "nginx is not installed, so there is nothing to compare with ('apt-get install nginx')"
        )

    let port = Ports.free ()

    let log = folder.File "access.log"

    do
        File.WriteAllText(folder.File "a.txt", body)
        let at name = folder.File name

        File.WriteAllText(
            folder.File "nginx.conf",
            $"""
            daemon off; master_process off; worker_processes 1; pid {at "pid"}; error_log {at "errors"} notice;
            events {{ worker_connections 1024; }}
            http {{
              access_log {log}; keepalive_requests {keepAliveRequests};
              client_body_temp_path {at "b"}; proxy_temp_path {at "p"}; fastcgi_temp_path {at "f"};
              uwsgi_temp_path {at "u"}; scgi_temp_path {at "s"};
              server {{ listen 127.0.0.1:{port} http2; root {Path.GetDirectoryName log}; }}
            }}
            """
        )

    let child =
        nonNull (
            Process.Start(
                ProcessStartInfo(
                    file.Value,
                    [ "-c"; folder.File "nginx.conf"; "-e"; folder.File "errors" ],
                    RedirectStandardError = true
                )
            )
        )

    do
        Within.comes "nginx" (fun () ->
            if child.HasExited then
                Assert.Fail $"nginx ended: {child.StandardError.ReadToEnd()}"

            use socket = new TcpClient()

            try
                socket.Connect(IPAddress.Loopback, port)
                true
            with :? SocketException ->
                Thread.Sleep 20
                false)

    member _.Url = $"http://127.0.0.1:{port}/a.txt"

    /// Requests that it has answered with 200. It writes each as it is over.
    member _.Answered =
        File.ReadAllLines log |> Seq.filter _.Contains("HTTP/2.0\" 200 ") |> Seq.length |> int64

    interface IDisposable with
        member _.Dispose() =
            child.Kill()
            child.WaitForExit()
            child.Dispose()
            (folder :> IDisposable).Dispose()

[<Theory;
  InlineData(1000, false, 4, 5000);
  InlineData(1000, false, 1, 5000);
  InlineData(50, false, 4, 2000);
  InlineData(50, false, 1, 2000);
  InlineData(50, true, 0, 400);
  InlineData(1, false, 1, 200)>]
let ``nginx logs as many requests as are counted``
    (keepAliveRequests: int, isOpen: bool, connections: int, count: int)
    =
    use server = new Nginx(keepAliveRequests)

    let outcome =
        requests isOpen connections (int64 count) server.Url |> over 100 |> attack

    Assert.Equal((int64 count, int64 count), (outcome.Requests, outcome.Right))
    Within.comes "the lines of the log" (fun () -> server.Answered >= int64 count)
    Assert.Equal(int64 count, server.Answered)

/// A server of node that ends each session behind so many requests, and refuses every seventh stream.
let private nodeServer =
    """
const http2 = require('http2')
let taken = 0
const server = http2.createServer()
server.on('session', session => { session.taken = 0 })
server.on('stream', stream => {
  const session = stream.session
  stream.on('error', () => {})
  if (++taken % 7 == 0) return stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)
  stream.respond({ ':status': 200 })
  stream.end(process.argv[2])
  if (++session.taken == 40) session.close()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => process.exit())
"""

[<Theory; Trait("run", "more"); InlineData(true, 0, 30); InlineData(false, 1, 30); InlineData(false, 3, 30)>]
let ``no request is lost at a server of node that ends sessions and refuses streams``
    (isOpen: bool, connections: int, streams: int)
    =
    use folder = new Built.Folder()
    let script = folder.File "server.js"
    File.WriteAllText(script, nodeServer)

    use child =
        nonNull (
            Process.Start(
                ProcessStartInfo(
                    "node",
                    [ script; body ],
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true
                )
            )
        )

    try
        let port = Within.result "the port of node" (child.StandardOutput.ReadLineAsync())

        let outcome =
            requests isOpen connections 600L $"http://127.0.0.1:{port}/" |> over streams |> attack

        Assert.True((600L = outcome.Right), $"{outcome.Right} of 600 are right; {outcome.Complaints}")
        Assert.Equal(600L, outcome.Requests)
        Assert.True(outcome.Counts.Retried >= 80L, $"{outcome.Counts.Retried} times")
    finally
        child.StandardInput.Close()
        child.WaitForExit()
