// How connections are made, kept and left: stale ones, one for each request, other places, redirections; and runs that end by
// their number of requests or are shared by threads.
module Plait.Load.Tests.AttackConnections

open System
open System.Collections.Concurrent
open System.Net.Sockets
open System.Text
open System.Threading
open Xunit

open Plait.Load
open Plait.Tests.Support
open Plait.Tests.Support.AttackServer
open Plait.Tests.Support.LoadServer

/// A server that leaves after every third response of a connection, when the next request is there, without a word.
let private leaving (byReset: bool) =
    ending 4 (fun counting connection ->
        counting.Wrong()

        if byReset then
            connection.Reset())

[<Theory; InlineData true; InlineData false>]
let ``a request on a connection that was found closed is sent again, and counted`` (byReset: bool) =
    use counting = leaving byReset
    let outcome = briefly $"{counting.Server.Url}/" 2 |> attack
    Assert.Equal(outcome.Requests, outcome.Right)
    Assert.True(outcome.Counts.Retried > 0L)
    Assert.Equal(counting.Spoiled, outcome.Counts.Retried)
    // What went out twice is counted twice.
    let one = requests $"{counting.Server.Url}/" (Closed 1) 1L |> attack

    Assert.Equal(one.Counts.BytesOut * (outcome.Requests + outcome.Counts.Retried), outcome.Counts.BytesOut)

[<Theory; InlineData true; InlineData false>]
let ``every connect is counted and timed, also of a connection that is opened anew`` (isOpen: bool) =
    use counting = leaving false
    let model = if isOpen then Open(Constant 100.0, 8) else Closed 2

    let outcome = { briefly $"{counting.Server.Url}/" 2 with Model = model } |> attack

    let made = outcome.Counts.Connects.Count

    Within.comes $"the server has taken {made} connections" (fun () ->
        int64 counting.Server.Connections >= made)

    // The open model may end while a connection is being opened whose request another one has taken.
    let unfinished = if isOpen then 8L else 0L
    Assert.InRange(int64 counting.Server.Connections, made, made + unfinished)
    Assert.True(outcome.Counts.Connects.Count > int64 outcome.Counts.Connections)
    Assert.InRange(outcome.Counts.Connects.Min, 1L, outcome.Counts.Connects.Max)

    // A connect that fails is none.
    let none = plan "http://127.0.0.1:1/" (Closed 1) 50 |> attack
    Assert.Equal(0L, none.Counts.Connects.Count)

[<Fact>]
let ``a server that answers nothing is reported as another cause than a slow one`` () =
    let sentence (serve: Counting -> Connection -> unit) =
        use counting = new Counting(serve)
        let plan = plan $"{counting.Server.Url}/" (Closed 1) 250
        let outcome = { plan with Timeout = TimeSpan.FromMilliseconds 200. } |> attack
        outcome.Complaints[RequestResult.TimedOut]

    let waiting (connection: Connection) =
        while connection.Request() do
            ()

    Assert.EndsWith(
        ": the server takes connections, and has answered no request of this run",
        sentence (fun _ connection -> waiting connection)
    )

    Assert.EndsWith(
        "within 200 ms: 17 bytes had come",
        sentence (fun _ connection ->
            connection.Request() |> ignore
            connection.Send "HTTP/1.1 200 OK\r\n"
            waiting connection)
    )

    Assert.EndsWith(
        "within 200 ms: only interim responses (1xx) had come",
        sentence (fun _ connection ->
            connection.Request() |> ignore
            connection.Send "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
            waiting connection)
    )

    Assert.EndsWith(
        "within 200 ms",
        sentence (fun _ connection ->
            connection.Request() |> ignore
            connection.Send(Response.ok body)
            waiting connection)
    )

[<Theory; InlineData true; InlineData false>]
let ``a request that may not be sent twice has a result of its own`` (byReset: bool) =
    use counting = leaving byReset

    let outcome =
        { briefly $"{counting.Server.Url}/" 2 with
            Requests = [ { get $"{counting.Server.Url}/" with Method = "POST"; Body = "x"B } ]
        }
        |> attack

    Assert.Equal(0L, outcome.Counts.Retried)
    Assert.Equal(counting.Spoiled, count RequestResult.StaleConnection outcome)
    Assert.Contains("POST may not be sent twice", outcome.Complaints[RequestResult.StaleConnection])
    Assert.Equal(counting.Sent, outcome.Right)

[<Theory; InlineData "GET"; InlineData "POST">]
let ``a connection that has carried nothing is not a stale one`` (method': string) =
    use counting =
        new Counting(fun counting connection ->
            if connection.Request() then
                counting.Wrong())

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 100.0, 4)) 60_000 with
            Requests = [ { get $"{counting.Server.Url}/" with Method = method' } ]
            MaxRequests = Some 20L
        }
        |> attack

    Assert.Equal((20L, 0L), (outcome.Requests, outcome.Counts.Retried))
    Assert.Equal(20L, count RequestResult.Closed outcome)
    Assert.Equal(20L, counting.Spoiled)

/// Four connections that are opened before the run, and that the server ends before the run begins.
[<Theory; InlineData(true, true); InlineData(true, false); InlineData(false, true); InlineData(false, false)>]
let ``a connection that the server ended before the run begins costs no request``
    (isOpen: bool, byReset: bool)
    =
    let mutable connections = 0

    use counting =
        new Counting(fun counting connection ->
            if Interlocked.Increment &connections <= 4 then
                if byReset then connection.Reset() else connection.HalfClose()
                counting.Wrong()
            else
                while connection.Request() do
                    counting.Right(connection, Response.ok body))

    let model = if isOpen then Open(Constant 200.0, 4) else Closed 4

    let plan =
        { requests $"{counting.Server.Url}/" model 20L with
            Connecting = { ConnectionOptions.Default with Grows = false }
        }

    let outcome =
        Tasks.Task.Run(fun () ->
            use session =
                new AttackSession(plan, Share.Whole, SharedServers(), DataRows.none, Pollers.create)

            let engine = session.Engine(plan.Duration, 1000, ignore, CancellationToken.None)
            engine.Prepare()
            Within.comes "the end of four connections" (fun () -> counting.Spoiled = 4L)
            engine.Run(Clock.now ()))
        |> Within.result "the load run"

    Assert.Equal((20L, 20L, 0L), (outcome.Requests, outcome.Right, outcome.Counts.Retried))

[<Fact>]
let ``connections that could not be opened were never open`` () =
    let outcome = requests "http://127.0.0.1:1/" (Open(Constant 50.0, 20)) 5L |> attack
    Assert.Equal((5L, 0), (count RequestResult.Refused outcome, outcome.Counts.Connections))

/// A server that refuses a connection never opened it: the errors of connecting differ.
[<Fact>]
let ``a connection that is reset before this side notices that it is open is not refused`` () =
    let there =
        {
            EndPoint = System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 1)
            Host = "h"
            IsTls = false
        }

    for error, result in
        [
            SocketError.ConnectionReset, RequestResult.Reset
            SocketError.Shutdown, RequestResult.Reset
            SocketError.ConnectionRefused, RequestResult.Refused
        ] do
        Assert.Equal(result, ConnectionSocket.resultOf there error)

/// As after a refusal, the closed model would go on without a pause.
[<Fact>]
let ``a connection that is reset before it is open rests`` () =
    use counting =
        new Counting(fun counting connection ->
            connection.Reset()
            counting.Wrong())

    let mutable added = 0L

    // Its connections are reset before it looks at them.
    let poller () : Poller =
        { new SelectPoller() with
            override _.Add(socket, token, write) =
                added <- added + 1L
                Within.comes "the reset" (fun () -> counting.Spoiled >= added)
                base.Add(socket, token, write)
        }

    let plan = requests $"{counting.Server.Url}/" (Closed 4) 60L

    let outcome =
        Tasks.Task.Run(fun () -> Attack.runWith poller Attack.usuallyKept plan ignore CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal((60L, 60L), (outcome.Requests, count RequestResult.Reset outcome))
    Assert.Contains("while connecting", outcome.Complaints[RequestResult.Reset])
    // Each of four connections rests 10 ms between its 15 attempts.
    Assert.True(outcome.Elapsed >= TimeSpan.FromMilliseconds 140., $"it took {outcome.Elapsed}")

/// The closed model would open the next connection at once, thousands a second.
[<Theory; InlineData(true, true); InlineData(true, false); InlineData(false, true); InlineData(false, false)>]
let ``a connection that ends before a byte of a response rests`` (atOnce: bool, byReset: bool) =
    use counting =
        new Counting(fun counting connection ->
            if not atOnce then
                connection.Request() |> ignore

            counting.Wrong()

            if byReset then
                connection.Reset())

    let outcome = requests $"{counting.Server.Url}/" (Closed 4) 60L |> attack
    Assert.Equal((60L, 0L), (outcome.Requests, outcome.Right))
    Assert.Equal(60L, count RequestResult.Closed outcome + count RequestResult.Reset outcome)
    // Each of four connections rests 10 ms between its 15 attempts.
    Assert.True(outcome.Elapsed >= TimeSpan.FromMilliseconds 140., $"it took {outcome.Elapsed}")

[<Fact>]
let ``a body that breaks off is not a stale connection`` () =
    use counting =
        ending 2 (fun counting connection ->
            counting.Wrong()
            connection.Send((Response.ok body).Substring(0, 60)))

    let outcome = briefly $"{counting.Server.Url}/" 2 |> attack
    Assert.Equal(counting.Spoiled, count RequestResult.Closed outcome)
    Assert.Equal(0L, outcome.Counts.Retried)

/// A server may answer before it has read a body, and close: the rest of the body then breaks the connection.
[<Theory; InlineData true; InlineData false>]
let ``an answer that came before the body was sent is read to its end`` (isOpen: bool) =
    let tooLarge =
        "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 40000\r\n\r\n"
        + String('x', 40_000)

    use counting =
        new Counting(fun counting connection ->
            connection.Rest() |> ignore
            counting.Right(connection, tooLarge))

    let model = if isOpen then Open(Constant 50.0, 10) else Closed 2
    let plan = requests $"{counting.Server.Url}/" model 10L

    let outcome =
        { plan with
            Requests = [ { plan.Requests.Head with Method = "POST"; Body = Array.zeroCreate 10_000_000 } ]
            ExpectStatus = [ 413 ]
            ExpectBody = None
        }
        |> attack

    Assert.Equal((10L, 10L, 10L), (outcome.Requests, outcome.Right, counting.Sent))

/// Without a length, a response that ends in a reset may be cut off (RFC 9112, 8).
[<Fact>]
let ``the complaint about a reset names the status of a response without a length`` () =
    use counting =
        new Counting(fun counting connection ->
            connection.Rest() |> ignore
            counting.Wrong()
            connection.Send "HTTP/1.1 413 Content Too Large\r\n\r\nno")

    let plan = requests $"{counting.Server.Url}/" (Closed 2) 10L

    let outcome =
        { plan with
            Requests = [ { plan.Requests.Head with Method = "POST"; Body = Array.zeroCreate 10_000_000 } ]
        }
        |> attack

    Assert.Equal((10L, 10L), (outcome.Requests, count RequestResult.Reset outcome))

    Assert.Contains(
        "after the head of a response with the status 413",
        outcome.Complaints[RequestResult.Reset]
    )

/// RFC 9110, 15.5.9: a server may give up an idle connection by 408, which may cross with the next request.
let private givingUp (every: int) (length: string) =
    ending every (fun counting connection ->
        counting.Wrong()
        connection.Send $"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n{length}\r\n")

[<Theory; InlineData "Content-Length: 0\r\n"; InlineData "">]
let ``a request is sent again if a 408 ends its connection, which was used before`` (length: string) =
    use counting = givingUp 2 length
    let outcome = requests $"{counting.Server.Url}/" (Closed 1) 20L |> attack
    Assert.Equal((20L, 20L), (outcome.Requests, outcome.Right))
    Assert.Equal((20L, 19L), (counting.Sent, counting.Spoiled))
    Assert.Equal(counting.Spoiled, outcome.Counts.Retried)

[<Theory; InlineData("POST", 2, 10L); InlineData("GET", 1, 0L)>]
let ``a 408 is a response if the method may not be sent twice, or the connection is new``
    (method': string, every: int, right: int64)
    =
    use counting = givingUp every "Content-Length: 0\r\n"
    let plan = requests $"{counting.Server.Url}/" (Closed 1) 20L

    let outcome =
        { plan with Requests = [ { plan.Requests.Head with Method = method' } ] } |> attack

    Assert.Equal((right, 20L - right), (outcome.Right, count RequestResult.WrongStatus outcome))
    Assert.Equal((20L - right, 0L), (counting.Spoiled, outcome.Counts.Retried))

[<Fact>]
let ``a 408 that the run expects is a response`` () =
    use counting = givingUp 2 "Content-Length: 0\r\n"

    let outcome =
        { requests $"{counting.Server.Url}/" (Closed 1) 20L with
            ExpectStatus = [ 200; 408 ]
            ExpectBody = None
        }
        |> attack

    Assert.Equal((20L, 0L), (outcome.Right, outcome.Counts.Retried))
    Assert.Equal(Some 10L, Map.tryFind 408 outcome.Statuses)

[<Fact>]
let ``a request that was sent again after a 408 has no byte of it in its timeout`` () =
    let right = Response.ok body

    let gaveUp =
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    let mutable connections = 0

    use counting =
        new Counting(fun counting connection ->
            let isFirst = Interlocked.Increment &connections = 1

            if connection.Request() && isFirst then
                counting.Right(connection, right)
                connection.Request() |> ignore
                connection.Send gaveUp
            else
                // Silence until the request is given up.
                connection.Request() |> ignore)

    let outcome =
        { requests $"{counting.Server.Url}/" (Closed 1) 2L with
            Timeout = TimeSpan.FromMilliseconds 300.
        }
        |> attack

    Assert.Equal((1L, 1L), (outcome.Right, outcome.Counts.Retried))
    Assert.EndsWith("within 300 ms", outcome.Complaints[RequestResult.TimedOut])
    Assert.Equal(int64 (right.Length + gaveUp.Length), outcome.Counts.BytesIn)

[<Fact>]
let ``a connection that becomes another protocol is left`` () =
    use counting =
        sometimes 3L "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"

    let outcome =
        { briefly $"{counting.Server.Url}/" 2 with
            ExpectStatus = [ 101; 200 ]
            ExpectBody = None
        }
        |> attack

    Assert.Equal(outcome.Requests, outcome.Right)
    Assert.Equal(Some counting.Spoiled, Map.tryFind 101 outcome.Statuses)

/// A server that counts its connections.
let private countingConnections () =
    let mutable connections = 0

    let counting =
        new Counting(fun counting connection ->
            Interlocked.Increment &connections |> ignore

            while connection.Request() do
                if connection.Head.Contains "Connection: close" then
                    counting.Wrong()

                counting.Right(connection, Response.ok body))

    counting, (fun () -> int64 (Volatile.Read &connections))

[<Theory; InlineData true; InlineData false>]
let ``each request has a connection of its own with --no-keepalive`` (byOption: bool) =
    let counting, connections = countingConnections ()
    use counting = counting

    let plan =
        { plan $"{counting.Server.Url}/" (Open(Constant 100.0, 20)) 60_000 with
            MaxRequests = Some 30L
        }

    let outcome =
        if byOption then
            plan |> connecting (fun usual -> { usual with KeepsAlive = false; Grows = false })
        else
            { plan with
                Requests = [ { get $"{counting.Server.Url}/" with Headers = [ "Connection", "close" ] } ]
                Connecting = { plan.Connecting with Grows = false }
            }
        |> attack

    wholly 30L 30L outcome
    Assert.Equal(30L, counting.Spoiled)
    // Those that were opened before the run carry one each.
    Assert.Equal(30L, connections ())

[<Fact>]
let ``--connect-to changes the connection, and the Host header is the URL's`` () =
    let heads = ConcurrentBag<string>()

    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                heads.Add connection.Head
                counting.Right(connection, Response.ok body))

    let outcome =
        { plan "http://nowhere.invalid/x" (Open(Constant 50.0, 4)) 60_000 with
            MaxRequests = Some 5L
        }
        |> connecting (fun usual -> { usual with ConnectTo = Some(string counting.Server.Address) })
        |> attack

    wholly 5L 5L outcome
    Assert.All(heads, fun head -> Assert.Contains("\r\nHost: nowhere.invalid\r\n", head))

[<Fact>]
let ``a missing Unix socket is reported before the run`` () =
    let plan =
        plan "http://unix.invalid/x" (Closed 1) 200
        |> connecting (fun usual -> { usual with UnixSocket = Some "/no/such.sock" })

    let refused = Assert.Throws<Plait.Common.BadInput>(fun () -> Attack.find plan)
    Assert.Contains("there is no /no/such.sock", refused.Message)

[<Fact>]
let ``a Unix socket is connected to`` () =
    use folder = new Built.Folder()
    let path = folder.File "s"

    use listener =
        new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)

    listener.Bind(UnixDomainSocketEndPoint path)
    listener.Listen 64

    let serve (socket: Socket) =
        try
            use socket = socket
            let connection = Connection socket

            while connection.Request() do
                connection.Send(Response.ok body)
        with :? SocketException ->
            ()

    let accept () =
        try
            while true do
                let socket = listener.Accept()
                Thread((fun () -> serve socket), IsBackground = true).Start()
        with :? SocketException ->
            ()

    Thread(accept, IsBackground = true).Start()

    let over path =
        { plan "http://unix.invalid/x" (Open(Constant 50.0, 4)) 60_000 with
            MaxRequests = Some 10L
        }
        |> connecting (fun usual -> { usual with UnixSocket = Some path })
        |> attack

    wholly 10L 10L (over path)
    // Where no one listens.
    let file = folder.File "none"
    IO.File.WriteAllText(file, "")
    let outcome = over file
    Assert.Equal(10L, count RequestResult.Refused outcome)

/// A server that redirects /N to /N-1, and answers /0.
let private redirecting (status: int) =
    new Counting(fun counting connection ->
        while connection.Request() do
            let line = connection.Head.Split("\r\n")[0]
            let parts = line.Split ' '
            let left = int (parts[1].Substring 1)

            if left = 0 then
                counting.Right(connection, Response.ok $"{parts[0]} {connection.Body}")
            else
                counting.Wrong()

                connection.Send
                    $"HTTP/1.1 {status} Elsewhere\r\nLocation: /{left - 1}\r\nContent-Length: 0\r\n\r\n")

[<Fact>]
let ``redirections are responses unless they are to be followed`` () =
    use counting = redirecting 302

    let run redirects =
        { plan $"{counting.Server.Url}/2" (Open(Constant 50.0, 4)) 60_000 with
            MaxRequests = Some 10L
            ExpectStatus = [ 200 ]
            ExpectBody = None
        }
        |> connecting (fun usual -> { usual with Redirects = redirects })
        |> attack

    let none, few, enough = run 0, run 1, run 2
    Assert.Equal((10L, 0L), (count RequestResult.WrongStatus none, none.Counts.Redirected))
    Assert.Equal((10L, 10L), (count RequestResult.TooManyRedirects few, few.Counts.Redirected))
    wholly 10L 10L enough
    Assert.Equal(20L, enough.Counts.Redirected)
    // Every request of the ways there is counted in bytes.
    Assert.Equal(3L * none.Counts.BytesOut, enough.Counts.BytesOut)

[<Theory;
  InlineData(302, "GET ");
  InlineData(303, "GET ");
  InlineData(307, "POST hello");
  InlineData(308, "POST hello")>]
let ``a redirected request keeps its method and body where it must`` (status: int, answer: string) =
    use counting = redirecting status

    let outcome =
        { plan $"{counting.Server.Url}/1" (Open(Constant 50.0, 4)) 60_000 with
            MaxRequests = Some 5L
            Requests = [ { get $"{counting.Server.Url}/1" with Method = "POST"; Body = "hello"B } ]
            ExpectBody = Some(Encoding.ASCII.GetBytes answer)
        }
        |> connecting (fun usual -> { usual with Redirects = 1 })
        |> attack

    wholly 5L 5L outcome

[<Fact>]
let ``a redirection that cannot be followed has the result bad redirect`` () =
    let results =
        [
            for place in [ "ftp://127.0.0.1/"; "http://no-such-host.invalid/"; "http://[" ] do
                use counting =
                    sometimes 1L $"HTTP/1.1 302 Elsewhere\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n"

                let outcome =
                    { plan $"{counting.Server.Url}/" (Closed 1) 60_000 with MaxRequests = Some 2L }
                    |> connecting (fun usual -> { usual with Redirects = 3 })
                    |> attack

                outcome.Requests, count RequestResult.BadRedirect outcome
        ]

    Assert.Equal<(int64 * int64) list>(List.replicate 3 (2L, 2L), results)

[<Theory; InlineData "http://127.0.0.1:{0}/there"; InlineData "//127.0.0.1:{0}/there"; InlineData "there">]
let ``a redirection to the same server takes the name and the password of the URL along`` (place: string) =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                if not (connection.Head.Contains "\r\nAuthorization: Basic dTpw\r\n") then
                    connection.Send "HTTP/1.1 401 Who\r\nContent-Length: 0\r\n\r\n"
                elif connection.Head.StartsWith "GET /there " then
                    counting.Right(connection, Response.ok body)
                else
                    let there = String.Format(place, Uri(counting.Server.Url).Port)

                    connection.Send $"HTTP/1.1 301 Moved\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n")

    let url = counting.Server.Url.Replace("://", "://u:p@")

    let outcome =
        { plan $"{url}/" (Closed 1) 60_000 with MaxRequests = Some 3L }
        |> connecting (fun usual -> { usual with Redirects = 1 })
        |> attack

    wholly 3L 3L outcome

[<Fact>]
let ``a redirection keeps the bytes of its URL`` () =
    let named (value: byte[]) =
        let head = Array.concat [ "HTTP/1.1 302 Found\r\nLocation: "B; value; "\r\n\r\n"B ]
        ResponseHead.location (ReadOnlySpan head)

    Assert.Equal("/%E9", named [| 47uy; 0xe9uy |])
    Assert.Equal("/é", named [| 47uy; 0xc3uy; 0xa9uy |])

[<Fact>]
let ``a redirection leads to another server`` () =
    use other = sometimes Int64.MaxValue ""

    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                counting.Wrong()

                connection.Send
                    $"HTTP/1.1 301 Moved\r\nLocation: {other.Server.Url}/there\r\nContent-Length: 0\r\n\r\n")

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 50.0, 4)) 60_000 with
            MaxRequests = Some 10L
        }
        |> connecting (fun usual -> { usual with Redirects = 3 })
        |> attack

    wholly 10L 10L outcome
    Assert.Equal((10L, 10L), (other.Sent, counting.Spoiled))

/// A server that redirects every request to another one.
let private redirectingTo (url: string) =
    new Counting(fun counting connection ->
        while connection.Request() do
            counting.Wrong()
            connection.Send $"HTTP/1.1 301 Moved\r\nLocation: {url}\r\nContent-Length: 0\r\n\r\n")

[<Theory; InlineData(1, 1); InlineData(4, 1); InlineData(4, 2)>]
let ``in the closed model every redirection to another server finds a connection``
    (connections: int, threads: int)
    =
    use other = sometimes Int64.MaxValue ""
    use counting = redirectingTo $"{other.Server.Url}/there"

    let outcome =
        { plan $"{counting.Server.Url}/" (Closed connections) 60_000 with
            MaxRequests = Some 40L
            Threads = threads
        }
        |> connecting (fun usual -> { usual with Redirects = 3 })
        |> attack

    Assert.Equal((40L, 40L, 40L), (outcome.Requests, outcome.Right, outcome.Counts.Redirected))
    Assert.Equal((40L, 40L), (other.Sent, counting.Spoiled))

[<Fact>]
let ``a redirection to a closed port is refused`` () =
    use counting = redirectingTo "http://127.0.0.1:1/"

    let outcome =
        { plan $"{counting.Server.Url}/" (Closed 2) 60_000 with MaxRequests = Some 20L }
        |> connecting (fun usual -> { usual with Redirects = 3 })
        |> attack

    Assert.Equal((20L, 20L), (outcome.Requests, count RequestResult.Refused outcome))

[<Fact>]
let ``escape sequences of a server do not reach the terminal`` () =
    use counting = redirectingTo "ftp://there/\u001b[31mred\u001b]0;title\u0007"

    let outcome =
        { plan $"{counting.Server.Url}/" (Closed 1) 60_000 with MaxRequests = Some 1L }
        |> connecting (fun usual -> { usual with Redirects = 3 })
        |> attack

    Assert.Equal(
        "it was redirected to 'ftp://there/ [31mred ]0;title ', which is not an HTTP URL",
        outcome.Complaints[RequestResult.BadRedirect]
    )

[<Theory; InlineData true; InlineData false>]
let ``a run ends after its requests`` (isOpen: bool) =
    use counting = sometimes Int64.MaxValue ""
    let model = if isOpen then Open(Constant 200.0, 20) else Closed 3

    let outcome =
        { plan $"{counting.Server.Url}/" model 60_000 with
            Duration = Plan.endless
            MaxRequests = Some 50L
        }
        |> attack

    Assert.Equal((50L, 50L, 50L), (outcome.Requests, outcome.Right, counting.Sent))
    Assert.False outcome.Stopped

    if isOpen then
        Assert.Equal(200.0, outcome.RatePerSecond, 6)
    else
        Assert.Equal(outcome.Elapsed, outcome.AttackTime)

[<Theory; InlineData(1L, 1); InlineData(10L, 1); InlineData(10L, 2); InlineData(11L, 3)>]
let ``the number of requests gives the number of intervals`` (requests: int64, threads: int) =
    use counting = sometimes Int64.MaxValue ""

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 50.0, 20)) 60_000 with
            Duration = Plan.endless
            MaxRequests = Some requests
            Threads = threads
        }
        |> attack

    Assert.Equal((requests, requests), (outcome.Requests, counting.Sent))
    Assert.Equal(50.0, outcome.RatePerSecond, 6)
    Assert.InRange(outcome.RightPerSecond, 0.0, 50.0)

[<Fact>]
let ``the rate counts the time in which requests were due`` () =
    use counting =
        new Counting(fun counting connection ->
            while connection.Request() do
                Thread.Sleep 1000
                counting.Right(connection, Response.ok body))

    let outcome =
        { plan $"{counting.Server.Url}/" (Open(Constant 100.0, 100)) 60_000 with
            Duration = Plan.endless
            MaxRequests = Some 50L
        }
        |> attack

    wholly 50L 50L outcome
    // Half a second of requests, more on a machine that cannot keep up, and a whole one for the last response.
    Assert.Equal(50.0, outcome.RatePerSecond * outcome.AttackTime.TotalSeconds, 6)
    Assert.True(outcome.AttackTime > TimeSpan.FromMilliseconds 350., $"{outcome.AttackTime}")
    Assert.True(outcome.Elapsed - outcome.AttackTime > TimeSpan.FromMilliseconds 700.)

[<Fact>]
let ``seconds are reported also after one thread has ended`` () =
    // One connection is answered late: the thread that has it is over last.
    let mutable first = 0

    use counting =
        new Counting(fun counting connection ->
            let isFirst = Interlocked.Increment &first = 1

            while connection.Request() do
                if isFirst then
                    Thread.Sleep 2500

                counting.Right(connection, Response.ok body))

    let told = ConcurrentQueue<int * int64>()
    let clock = Diagnostics.Stopwatch.StartNew()

    let plan =
        { plan $"{counting.Server.Url}/" (Closed 2) 60_000 with
            Threads = 2
            Duration = Plan.endless
            MaxRequests = Some 4L
        }

    let outcome =
        Tasks.Task.Run(fun () ->
            Attack.run
                plan
                (fun second -> told.Enqueue(second.At, clock.ElapsedMilliseconds))
                CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal(4L, outcome.Right)
    // The other thread had no second any more when this one was over.
    let _, time = told |> Seq.find (fun (at, _) -> at = 1)
    Assert.True(time < int64 outcome.Elapsed.TotalMilliseconds - 500L, $"told after {time} ms")

/// A change of a plan, and words of the sentence.
let private refused: ((Plan -> Plan) * string) list =
    [
        (fun plan -> { plan with Model = Open(Ramp(1.0, 2.0), 4); Duration = Plan.endless }),
        "give it a --duration"
        (fun plan ->
            { plan with
                Data = Some { File = "x.csv"; Order = Once }
                WarmUp = TimeSpan.FromSeconds 1.
            }),
        "used up by the warm-up"
        connecting (fun usual -> { usual with UnixSocket = Some "" }), "'' is not the path of a Unix socket"
        connecting (fun usual -> { usual with UnixSocket = Some(String('x', 108)) }), "1 to 107 bytes"
    ]

[<Fact>]
let ``an impossible plan is refused before the run`` () =
    for change, words in refused do
        let wrong = plan "http://127.0.0.1:1/" (Closed 1) 10 |> change
        let trouble = Assert.Throws<Plait.Common.BadInput>(fun () -> PlanCheck.check wrong)
        Assert.Contains(words, trouble.Message)

let shared =
    let data = TheoryData<string, int>()

    for threads in [ 2; 3 ] do
        for model in [ "closed"; "constant"; "poisson"; "steps" ] do
            data.Add(model, threads)

    data

[<Theory; MemberData(nameof shared)>]
let ``several threads share the requests of a run`` (name: string, threads: int) =
    use counting = sometimes 7L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"

    let model =
        match name with
        | "closed" -> Closed 7
        | "constant" -> Open(Constant 400.0, 40)
        | "poisson" -> Open(Poisson 400.0, 40)
        | _ -> Open(Steps([ 100.0; 300.0 ], TimeSpan.FromMilliseconds 600.), 40)

    let plan =
        { plan $"{counting.Server.Url}/" model 1200 with Threads = threads; ExpectBody = None }

    let told = ResizeArray<Second>()

    let outcome =
        Tasks.Task.Run(fun () -> Attack.run plan told.Add CancellationToken.None)
        |> Within.result "the load run"

    Assert.Equal((counting.Sent, counting.Spoiled), (outcome.Right, count RequestResult.WrongStatus outcome))
    Assert.Equal(outcome.Right, outcome.Counts.Actual.Count)
    Assert.Equal(outcome.Requests, outcome.Seconds |> List.sumBy _.Due)
    Assert.Equal(outcome.Right, outcome.Seconds |> List.sumBy _.Right)
    Assert.Equal<int list>([ 0 .. told.Count - 1 ], [ for second in told -> second.At ])
    Assert.Equal(outcome.Right, told |> Seq.sumBy _.Right)

    let alone =
        { plan with Threads = 1 }
        |> fun plan ->
            match plan.Model with
            | Open(arrivals, _) ->
                let schedule = Schedule(arrivals, TimeSpan.Zero, plan.Duration, plan.Seed)

                Some
                    [
                        while schedule.Next < Int64.MaxValue do
                            schedule.Next
                            schedule.Advance()
                    ]
            | Closed _ -> None

    match alone with
    // Due at the same moments as with one thread.
    | Some due ->
        Assert.Equal<int64 list>(due, outcome.Samples |> Array.map _.Intended |> Array.sort |> List.ofArray)
    | None -> Assert.InRange(outcome.Counts.Connections, 7, 7)
